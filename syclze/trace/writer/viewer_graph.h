/* The graph of commands of the page of viewer.h: the script that places and draws it. A string for
 * each line. Quotes in it are single ones. */
#ifndef SYCLZE_TRACE_VIEWER_GRAPH_H
#define SYCLZE_TRACE_VIEWER_GRAPH_H

/* clang-format off */
#define SYCLZE__VIEWER_GRAPH \
  "// A command stands one column after the last that it waits for.", \
  "const WIDE = 184, TALL = 46, BOX = [158, 34];", \
  "const rank = new Uint32Array(C), row = new Uint32Array(C);", \
  "const graph = { x: 10, y: 10, scale: 1, columns: 0, rows: 0, list: [] };", \
  "{", \
  "  const order = Array.from(to.keys()).sort((a, b) => to[a] - to[b]);", \
  "  for (const e of order) rank[to[e]] = Math.max(rank[to[e]], rank[from[e]] + 1);", \
  "  for (let c = 0; c < C; c++) {", \
  "    const column = graph.list[rank[c]] = graph.list[rank[c]] || [];", \
  "    row[c] = column.length;", \
  "    column.push(c);", \
  "    graph.columns = Math.max(graph.columns, rank[c] + 1);", \
  "    graph.rows = Math.max(graph.rows, column.length);", \
  "  }", \
  "  if (!C) $('graphs').style.display = 'none';", \
  "}", \
  "let graphHeight = 100;", \
  "function drawGraph() {", \
  "  const { pen, width } = surface($('graph'), graphHeight), s = graph.scale;", \
  "  const nx = c => graph.x + rank[c] * WIDE * s, ny = c => graph.y + row[c] * TALL * s;", \
  "  const low = Math.max(0, Math.floor(-graph.x / s / WIDE) - 1), high = Math.min(graph.columns - 1, Math.ceil((width - graph.x) / s / WIDE));", \
  "  const top = Math.max(0, Math.floor(-graph.y / s / TALL)), bottom = Math.ceil((graphHeight - graph.y) / s / TALL);", \
  "  let drawn = 0;", \
  "  if (E <= 200000 || s > 0.3) {", \
  "    pen.lineWidth = Math.max(0.4, s);", \
  "    for (let e = 0, lines = 0; e < E && lines < 4000; e++) {", \
  "      if (rank[to[e]] < low || rank[from[e]] > high) continue;", \
  "      const hot = from[e] === selected || to[e] === selected;", \
  "      const ax = nx(from[e]) + BOX[0] * s, ay = ny(from[e]) + BOX[1] / 2 * s, bx = nx(to[e]), by = ny(to[e]) + BOX[1] / 2 * s;", \
  "      if (Math.max(ay, by) < 0 || Math.min(ay, by) > graphHeight) continue;", \
  "      pen.strokeStyle = pen.fillStyle = hot ? look_of.hot : look_of.edge;", \
  "      pen.beginPath();", \
  "      pen.moveTo(ax, ay);", \
  "      pen.bezierCurveTo(ax + 14 * s, ay, bx - 18 * s, by, bx - 5 * s, by);", \
  "      pen.stroke();", \
  "      pen.beginPath();", \
  "      pen.moveTo(bx, by);", \
  "      pen.lineTo(bx - 6 * s, by - 3.5 * s);", \
  "      pen.lineTo(bx - 6 * s, by + 3.5 * s);", \
  "      pen.fill();", \
  "      lines++;", \
  "    }", \
  "  }", \
  "  const size = Math.max(10.5, 11 * s);", \
  "  pen.font = size + 'px system-ui, DejaVu Sans, sans-serif';", \
  "  graph.named = 0;", \
  "  for (let column = low; column <= high && drawn < 20000; column++) {", \
  "    const list = graph.list[column] || [];", \
  "    for (let r = top; r < list.length && r <= bottom && drawn < 20000; r++, drawn++) {", \
  "      const c = list[r], x = nx(c), y = ny(c), w = BOX[0] * s, h = BOX[1] * s;", \
  "      pen.globalAlpha = faded(cName[c]) ? 0.2 : 1;", \
  "      pen.fillStyle = color(cName[c]);", \
  "      pen.fillRect(x, y, Math.max(1, w), Math.max(1, h));", \
  "      if (c === selected) { pen.strokeStyle = look_of.hot; pen.lineWidth = 2; pen.strokeRect(x, y, w, h); }", \
  "      if (w < 40 || h < 14) continue;", \
  "      const two = h >= 2 * size + 6, room = Math.floor((w - 8) / (size * 0.58)), name = names[cName[c]];", \
  "      pen.fillStyle = inkOn(cName[c]);", \
  "      pen.fillText(name.length > room ? name.slice(0, Math.max(1, room - 1)) + '…' : name, x + 4, y + h * (two ? 0.3 : 0.5));", \
  "      if (two) pen.fillText(('#' + cNumber[c] + '  ' + queueName(cQueue[c]) + (cRun[c] >= 0 ? '  ' + duration(cRun[c]) : '')).slice(0, room), x + 4, y + h * 0.7);", \
  "      graph.named++;", \
  "    }", \
  "  }", \
  "  pen.globalAlpha = 1;", \
  "  $('graphview').textContent = count(C) + ' commands, ' + count(E) + ' dependencies';", \
  "}", \
  "const askGraph = once(drawGraph);", \
  "// All of the graph; or with `readable` as much of it as has room for names in its boxes.", \
  "function fit(readable) {", \
  "  const width = $('graph').clientWidth || 1000;", \
  "  const s = Math.min(1, (width - 20) / (graph.columns * WIDE), 440 / (graph.rows * TALL));", \
  "  graph.scale = Math.max(s, readable ? 0.62 : 0.02);", \
  "  graphHeight = Math.min(460, Math.max(60, graph.rows * TALL * graph.scale + 20));", \
  "  graph.x = graph.y = 10;", \
  "  askGraph();", \
  "}", \
  "$('fit').onclick = () => fit(false);", \
  "$('names').onclick = () => fit(true);", \
  "let pull = null;", \
  "$('graph').addEventListener('pointerdown', event => { pull = { x: event.clientX - graph.x, y: event.clientY - graph.y }; });", \
  "$('graph').addEventListener('pointermove', event => {", \
  "  if (pull) { graph.x = event.clientX - pull.x; graph.y = event.clientY - pull.y; return askGraph(); }", \
  "  const column = graph.list[Math.floor((event.offsetX - graph.x) / graph.scale / WIDE)], c = column && column[Math.floor((event.offsetY - graph.y) / graph.scale / TALL)];", \
  "  tip(event, c === undefined ? '' : names[cName[c]] + '\\ncommand ' + cNumber[c] + ', ' + queueName(cQueue[c]) + '\\nappended at ' + duration(cTime[c]) +", \
  "    (cRun[c] >= 0 ? '\\nran for ' + duration(cRun[c]) : '\\nno time on the device'));", \
  "});", \
  "$('graph').addEventListener('pointerleave', event => tip(event, ''));", \
  "$('graph').addEventListener('wheel', event => {", \
  "  event.preventDefault();", \
  "  const f = Math.exp(-event.deltaY / 400), s = Math.min(2, Math.max(0.02, graph.scale * f)) / graph.scale;", \
  "  graph.x = event.offsetX - (event.offsetX - graph.x) * s;", \
  "  graph.y = event.offsetY - (event.offsetY - graph.y) * s;", \
  "  graph.scale *= s;", \
  "  askGraph();", \
  "}, { passive: false });", \
  ""
/* clang-format on */

#endif
