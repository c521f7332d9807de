/* The page of html.h, a string for each line. Quotes in it are single ones. */
#ifndef SYCLZE_TRACE_VIEWER_H
#define SYCLZE_TRACE_VIEWER_H

/* clang-format off */
#define SYCLZE__VIEWER_PAGE \
  "<!DOCTYPE html>", \
  "<html lang='en'>", \
  "<head>", \
  "<meta charset='utf-8'>", \
  "<meta name='viewport' content='width=device-width, initial-scale=1'>", \
  "<title>syclze trace</title>", \
  "<style>", \
  ":root { color-scheme: light; --page: #f6f7f9; --card: #fff; --ink: #1d2733; --quiet: #5b6875; --line: #dde2e8; --grid: #edf0f3; --memory: #c9dcef; --edge: #9aa6b2; --wait: #d3d9df; --wait-ink: #4a5561; --hot: #c62828; }", \
  ":root[data-scheme=dark] { color-scheme: dark; --page: #14181d; --card: #1c2229; --ink: #e4e9ee; --quiet: #98a4b0; --line: #313a44; --grid: #272f38; --memory: #2d4660; --edge: #66727e; --wait: #39434d; --wait-ink: #b4bec8; --hot: #ff7066; }", \
  "body { font: 14px/1.4 system-ui, DejaVu Sans, sans-serif; margin: 0; color: var(--ink); background: var(--page); }", \
  "header { padding: 14px 20px 10px; background: var(--card); border-bottom: 1px solid var(--line); }", \
  "h1 { font-size: 18px; margin: 0 auto 2px 0; }", \
  "h2 { font-size: 15px; margin: 0 0 8px; }", \
  "section { margin: 14px 20px; padding: 12px 14px; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }", \
  ".note, #view { color: var(--quiet); font-size: 12.5px; }", \
  ".bar { display: flex; flex-wrap: wrap; gap: 6px 8px; align-items: center; margin-bottom: 8px; }", \
  ".bar h2 { margin: 0 auto 0 0; }", \
  "button, input { font: inherit; color: inherit; padding: 1px 10px; border: 1px solid var(--line); border-radius: 4px; background: var(--card); }", \
  "button { cursor: pointer; }", \
  "input { min-width: 0; flex: 0 1 220px; }", \
  "#found:empty { display: none; }", \
  "canvas { display: block; width: 100%; cursor: grab; outline: none; touch-action: pan-y; }", \
  "#scroller { max-height: 62vh; overflow-y: auto; }", \
  "#tip { position: fixed; display: none; pointer-events: none; background: #1d2733; color: #fff; font-size: 12.5px; padding: 4px 8px; border-radius: 4px; white-space: pre-wrap; max-width: 80vw; z-index: 2; }", \
  "table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }", \
  "th, td { padding: 3px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }", \
  "th { cursor: pointer; color: var(--quiet); font-weight: 600; user-select: none; }", \
  "th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left; }", \
  "td:nth-child(2) { white-space: normal; overflow-wrap: anywhere; }", \
  "td i { float: left; width: 10px; height: 10px; border-radius: 2px; margin: 5px 7px 0 0; }", \
  "@media (max-width: 600px) {", \
  "  header { padding: 10px 12px 8px; }", \
  "  section { margin: 10px 6px; padding: 8px; }", \
  "  th, td { padding: 4px; font-size: 12.5px; }", \
  "  th:nth-child(n+5):nth-child(-n+6), td:nth-child(n+5):nth-child(-n+6) { display: none; }", \
  "  button, input { padding: 5px 8px; }", \
  "  #search { flex: 1 1 100px; }", \
  "}", \
  "</style>", \
  "</head>", \
  "<body>", \
  "<header>", \
  "<div class='bar'><h1>syclze trace</h1><input id='search' type='search' placeholder='Search' aria-label='Search for names'><span class='note' id='found'></span><button id='scheme'>Dark</button></div>", \
  "<div class='note' id='summary'>Reading…</div></header>", \
  "<section>", \
  "<div class='bar'><h2>Time line</h2><span id='view'></span>", \
  "<button id='in' title='+'>Zoom in</button><button id='out' title='-'>Zoom out</button><button id='busy' title='1'>Commands</button><button id='all' title='0'>All</button></div>", \
  "<div id='scroller'><canvas id='time' tabindex='0'></canvas></div>", \
  "<div class='note'>Wheel or two fingers: zoom. Drag, shift and wheel, or arrow keys: move. A click on a command shows its dependencies and dependents.</div>", \
  "</section>", \
  "<section id='graphs'>", \
  "<div class='bar'><h2>Graph of commands</h2><span class='note' id='graphview'></span><button id='names'>Names</button><button id='fit'>All</button></div>", \
  "<canvas id='graph'></canvas>", \
  "</section>", \
  "<section><h2>Totals</h2><table id='totals'></table><div class='note' id='more'></div></section>", \
  "<div id='tip'></div>", \
  "<!--data-->", \
  "<script>", \
  "'use strict';", \
  "const $ = id => document.getElementById(id);", \
  "const info = JSON.parse($('info').textContent);", \
  "const names = info.names, LANE = 18, MOST_LANES = 24;", \
  "let GUTTER = 110;", \
  "", \
  "// Colours. A name has the same one in every trace and in both schemes; call sites do not count. Waits", \
  "// are grey.", \
  "const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();", \
  "function hue(name) {", \
  "  let hash = 2166136261;", \
  "  for (const c of name.replace(/ \\(.*\\)$/, '')) hash = Math.imul(hash ^ c.codePointAt(0), 16777619);", \
  "  hash = Math.imul(hash ^ hash >>> 15, 0x2c1b3c6d);", \
  "  hash = (hash ^ hash >>> 12) >>> 0;", \
  "  return `hsl(${hash % 24 * 15} ${46 + (hash >>> 8) % 3 * 9}% ${34 + (hash >>> 12) % 3 * 5}%)`;", \
  "}", \
  "const hues = names.map(hue);", \
  "const waits = names.map(name => /Synchronize|Wait|QueryStatus|_wait\\b/.test(name));", \
  "let look_of = {};", \
  "function readScheme() {", \
  "  for (const name of ['card', 'ink', 'quiet', 'grid', 'memory', 'edge', 'wait', 'wait-ink', 'hot']) look_of[name] = css('--' + name);", \
  "}", \
  "function setScheme(dark) {", \
  "  document.documentElement.dataset.scheme = dark ? 'dark' : 'light';", \
  "  $('scheme').textContent = dark ? 'Light' : 'Dark';", \
  "  readScheme();", \
  "}", \
  "const color = name => waits[name] ? look_of.wait : hues[name];", \
  "const inkOn = name => waits[name] ? look_of['wait-ink'] : '#fff';", \
  "const preferred = window.matchMedia('(prefers-color-scheme: dark)');", \
  "setScheme(preferred.matches);", \
  "", \
  "// Names that a search matches; null for none.", \
  "let matches = null;", \
  "const faded = name => matches !== null && !matches[name];", \
  "", \
  "// The numbers of a stream: seven bits a byte, the lowest first, in base64.", \
  "function reader(id) {", \
  "  const text = atob($(id).textContent.trim());", \
  "  $(id).remove();", \
  "  let at = 0;", \
  "  const next = () => {", \
  "    let value = 0, scale = 1, byte;", \
  "    do {", \
  "      byte = text.charCodeAt(at++);", \
  "      value += (byte & 127) * scale;", \
  "      scale *= 128;", \
  "    } while (byte > 127);", \
  "    return value;", \
  "  };", \
  "  return { next, signed: () => { const v = next(); return v % 2 ? -(v + 1) / 2 : v / 2; } };", \
  "}", \
  "", \
  "const queueName = q => q === info.host ? 'host accessors' : info.queueNames[q];", \
  "const N = info.spans, T = info.threads, tracks = [];", \
  "const start = new Float64Array(N), end = new Float64Array(N);", \
  "const nameOf = new Uint32Array(N), trackOf = new Uint16Array(N), commandOf = new Float64Array(N);", \
  "for (let i = 0; i < T + info.queues; i++)", \
  "  tracks.push({ label: i < T ? 'thread ' + (i + 1) : queueName(i - T), lanes: [], ends: [], top: 0 });", \
  "let last = 1;", \
  "{", \
  "  const read = reader('spans');", \
  "  let now = 0;", \
  "  for (let i = 0; i < N; i++) {", \
  "    now += read.next();", \
  "    start[i] = now;", \
  "    end[i] = now + read.next();", \
  "    nameOf[i] = read.next();", \
  "    trackOf[i] = read.next();", \
  "    commandOf[i] = read.next();", \
  "    if (end[i] > last) last = end[i];", \
  "    // The first lane that is free: nested and overlapping spans lie below each other.", \
  "    const track = tracks[trackOf[i]];", \
  "    let lane = 0;", \
  "    while (lane < track.ends.length && track.ends[lane] > now && lane < MOST_LANES - 1) lane++;", \
  "    track.ends[lane] = end[i];", \
  "    (track.lanes[lane] = track.lanes[lane] || []).push(i);", \
  "  }", \
  "}", \
  "for (const track of tracks) track.lanes = track.lanes.map(lane => Uint32Array.from(lane));", \
  "", \
  "const memoryAt = new Float64Array(info.memory), memory = new Float64Array(info.memory);", \
  "let peak = 0;", \
  "{", \
  "  const read = reader('memory');", \
  "  for (let i = 0, now = 0; i < info.memory; i++) {", \
  "    memoryAt[i] = now += read.next();", \
  "    memory[i] = read.next();", \
  "    peak = Math.max(peak, memory[i]);", \
  "    last = Math.max(last, now);", \
  "  }", \
  "}", \
  "", \
  "const C = info.commands, E = info.edges;", \
  "const cName = new Int32Array(C), cQueue = new Uint16Array(C), cTime = new Float64Array(C), cRun = new Float64Array(C).fill(-1);", \
  "const cSpan = new Int32Array(C).fill(-1), from = new Uint32Array(E), to = new Uint32Array(E);", \
  "{", \
  "  const read = reader('commands');", \
  "  for (let i = 0, now = 0; i < C; i++) {", \
  "    cName[i] = read.next() - 1;", \
  "    cQueue[i] = read.next();", \
  "    cTime[i] = now += read.signed();", \
  "  }", \
  "  for (let i = 0; i < N; i++)", \
  "    if (commandOf[i]) { cSpan[commandOf[i] - info.first] = i; cRun[commandOf[i] - info.first] = end[i] - start[i]; }", \
  "  const edge = reader('edges');", \
  "  for (let i = 0, at = 0; i < E; i++) { from[i] = at += edge.signed(); to[i] = from[i] + edge.signed(); }", \
  "}", \
  "", \
  "const count = n => n.toLocaleString('en');", \
  "function duration(ns) {", \
  "  if (ns < 1000) return ns.toFixed(0) + ' ns';", \
  "  if (ns < 1e6) return (ns / 1e3).toFixed(2) + ' µs';", \
  "  if (ns < 1e9) return (ns / 1e6).toFixed(2) + ' ms';", \
  "  return (ns / 1e9).toFixed(3) + ' s';", \
  "}", \
  "function bytes(n) {", \
  "  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];", \
  "  let u = 0;", \
  "  while (n >= 1024 && u < 4) { n /= 1024; u++; }", \
  "  return (u ? n.toFixed(1) : n) + ' ' + units[u];", \
  "}", \
  "", \
  "// The canvas in the screen's own pixels, drawn in those of the page.", \
  "function surface(canvas, height) {", \
  "  const scale = window.devicePixelRatio || 1, width = canvas.clientWidth;", \
  "  canvas.style.height = height + 'px';", \
  "  canvas.width = Math.round(width * scale);", \
  "  canvas.height = Math.round(height * scale);", \
  "  const pen = canvas.getContext('2d');", \
  "  pen.setTransform(scale, 0, 0, scale, 0, 0);", \
  "  pen.font = '11.5px system-ui, DejaVu Sans, sans-serif';", \
  "  pen.textBaseline = 'middle';", \
  "  return { pen, width };", \
  "}", \
  "function once(draw) {", \
  "  let asked = false;", \
  "  return () => { if (!asked) { asked = true; requestAnimationFrame(() => { asked = false; draw(); }); } };", \
  "}", \
  "", \
  "let left = 0, right = last, selected = -1;", \
  "const HEAD = 24, MEMORY = info.memory ? 54 : 0;", \
  "let height = HEAD + MEMORY;", \
  "for (const track of tracks) {", \
  "  track.top = height + 4;", \
  "  height += Math.max(1, track.lanes.length) * LANE + 8;", \
  "}", \
  "", \
  "// The first index of a lane whose span ends after the time.", \
  "function firstAfter(lane, time, low) {", \
  "  let high = lane.length;", \
  "  while (low < high) {", \
  "    const middle = (low + high) >> 1;", \
  "    if (end[lane[middle]] > time) high = middle; else low = middle + 1;", \
  "  }", \
  "  return low;", \
  "}", \
  "// What is smaller than a pixel is one pixel, and all that begin in it are one: a lane costs as many", \
  "// steps as it has pixels, however many spans it has.", \
  "function drawLane(pen, lane, top, x, width) {", \
  "  const pixel = (right - left) / (width - GUTTER);", \
  "  let steps = 0;", \
  "  for (let i = firstAfter(lane, left, 0); i < lane.length;) {", \
  "    const span = lane[i];", \
  "    if (start[span] > right) break;", \
  "    const a = Math.max(GUTTER, x(start[span])), b = Math.min(width, x(end[span])), wide = Math.max(1, b - a);", \
  "    pen.globalAlpha = faded(nameOf[span]) ? 0.2 : 1;", \
  "    pen.fillStyle = color(nameOf[span]);", \
  "    pen.fillRect(a, top, wide > 3 ? wide - 0.5 : wide, LANE - 2);", \
  "    if (wide > 30) {", \
  "      pen.fillStyle = inkOn(nameOf[span]);", \
  "      const label = names[nameOf[span]], room = Math.floor((wide - 8) / 6.4);", \
  "      pen.fillText(label.length > room ? label.slice(0, Math.max(1, room - 1)) + '…' : label, a + 4, top + LANE / 2 - 0.5);", \
  "    }", \
  "    i = wide > 1 ? i + 1 : Math.max(i + 1, firstAfter(lane, start[span] + pixel, i));", \
  "    steps++;", \
  "  }", \
  "  pen.globalAlpha = 1;", \
  "  return steps;", \
  "}", \
  "function drawAxis(pen, x, width) {", \
  "  const step0 = (right - left) / Math.max(2, (width - GUTTER) / 130);", \
  "  const power = Math.pow(10, Math.floor(Math.log10(step0))), step = [1, 2, 5, 10].map(f => f * power).find(s => s >= step0);", \
  "  for (let t = Math.ceil(left / step) * step; t <= right; t += step) {", \
  "    pen.fillStyle = look_of.grid;", \
  "    pen.fillRect(x(t), 16, 1, height);", \
  "    pen.fillStyle = look_of.quiet;", \
  "    const decimals = Math.max(0, -Math.floor(Math.log10(step / 1e3)));", \
  "    pen.fillText(right < 2e6 ? (t / 1e3).toFixed(Math.min(3, decimals)) + ' µs' : (t / 1e6).toFixed(Math.min(6, Math.max(0, -Math.floor(Math.log10(step / 1e6))))) + ' ms', x(t) + 3, 9);", \
  "  }", \
  "}", \
  "function drawMemory(pen, x, width) {", \
  "  const low = HEAD + MEMORY - 8, tall = MEMORY - 14, pixel = (right - left) / (width - GUTTER);", \
  "  const y = v => low - (peak ? v / peak * tall : 0);", \
  "  let i = 0, high = memoryAt.length;", \
  "  while (i < high) { const m = (i + high) >> 1; if (memoryAt[m] >= left) high = m; else i = m + 1; }", \
  "  let value = i > 0 ? memory[i - 1] : 0;", \
  "  pen.beginPath();", \
  "  pen.moveTo(GUTTER, low);", \
  "  pen.lineTo(GUTTER, y(value));", \
  "  // Steps; those within a pixel are one, as high as the highest of them.", \
  "  while (i < memoryAt.length && memoryAt[i] <= right) {", \
  "    const at = memoryAt[i];", \
  "    pen.lineTo(x(at), y(value));", \
  "    let most = memory[i];", \
  "    for (; i < memoryAt.length && (memoryAt[i] === at || memoryAt[i] < at + pixel); i++) most = Math.max(most, value = memory[i]);", \
  "    pen.lineTo(x(at), y(most));", \
  "    pen.lineTo(x(at) + 1, y(most));", \
  "    pen.lineTo(x(at) + 1, y(value));", \
  "  }", \
  "  pen.lineTo(width, y(value));", \
  "  pen.lineTo(width, low);", \
  "  pen.fillStyle = look_of.memory;", \
  "  pen.fill();", \
  "}", \
  "function drawArrows(pen, x) {", \
  "  const place = c => cSpan[c] < 0 ? null : { s: start[cSpan[c]], e: end[cSpan[c]], y: laneTop(cSpan[c]) + LANE / 2 - 1 };", \
  "  const shown = [];", \
  "  for (let i = 0; i < E && shown.length < 400; i++) {", \
  "    if (selected >= 0 ? from[i] !== selected && to[i] !== selected : E > 400) continue;", \
  "    const a = place(from[i]), b = place(to[i]);", \
  "    if (!a || !b || a.e < left - (right - left) || b.s > right + (right - left)) continue;", \
  "    // Where commands are a few pixels wide, arrows would hide them.", \
  "    if (selected >= 0 || x(b.e) - x(a.s) > 30) shown.push([a, b]);", \
  "  }", \
  "  pen.save();", \
  "  pen.beginPath();", \
  "  pen.rect(GUTTER, 0, 1e5, height);", \
  "  pen.clip();", \
  "  pen.strokeStyle = pen.fillStyle = look_of.ink;", \
  "  pen.globalAlpha = selected >= 0 ? 0.9 : 0.45;", \
  "  for (const [a, b] of shown) {", \
  "    const ax = x(a.e), bx = x(b.s), bend = Math.max(10, Math.abs(bx - ax) / 2);", \
  "    pen.beginPath();", \
  "    pen.moveTo(ax, a.y);", \
  "    pen.bezierCurveTo(ax + bend, a.y, bx - bend, b.y, bx, b.y);", \
  "    pen.stroke();", \
  "    pen.beginPath();", \
  "    pen.moveTo(bx, b.y);", \
  "    pen.lineTo(bx - 5, b.y - 3);", \
  "    pen.lineTo(bx - 5, b.y + 3);", \
  "    pen.fill();", \
  "  }", \
  "  pen.restore();", \
  "}", \
  "function laneTop(span) {", \
  "  const track = tracks[trackOf[span]];", \
  "  for (let l = 0; l < track.lanes.length; l++) {", \
  "    const i = firstAfter(track.lanes[l], start[span] - 0.5, 0);", \
  "    for (let j = Math.max(0, i - 1); j < track.lanes[l].length && start[track.lanes[l][j]] <= start[span]; j++)", \
  "      if (track.lanes[l][j] === span) return track.top + l * LANE;", \
  "  }", \
  "  return track.top;", \
  "}", \
  "let lastSteps = 0;", \
  "function drawTime() {", \
  "  GUTTER = $('time').clientWidth < 600 ? 62 : 110;", \
  "  const { pen, width } = surface($('time'), height);", \
  "  const x = t => GUTTER + (t - left) / (right - left) * (width - GUTTER);", \
  "  drawAxis(pen, x, width);", \
  "  if (MEMORY) drawMemory(pen, x, width);", \
  "  lastSteps = 0;", \
  "  for (const track of tracks)", \
  "    track.lanes.forEach((lane, l) => { lastSteps += drawLane(pen, lane, track.top + l * LANE, x, width); });", \
  "  drawArrows(pen, x);", \
  "  pen.fillStyle = look_of.card;", \
  "  pen.fillRect(0, 0, GUTTER - 1, height);", \
  "  pen.fillStyle = look_of.ink;", \
  "  for (const track of tracks) {", \
  "    pen.fillText(track.label, 2, track.top + LANE / 2 - 1);", \
  "    pen.fillStyle = look_of.grid;", \
  "    pen.fillRect(0, track.top - 4, width, 1);", \
  "    pen.fillStyle = look_of.ink;", \
  "  }", \
  "  if (MEMORY) {", \
  "    pen.fillText('memory', 2, HEAD + 12);", \
  "    pen.fillStyle = look_of.quiet;", \
  "    pen.fillText((GUTTER > 80 ? 'most ' : '') + bytes(peak), 2, HEAD + 28);", \
  "  }", \
  "  $('view').textContent = duration(left) + ' to ' + duration(right);", \
  "}", \
  "const askTime = once(drawTime);", \
  "function look(a, b) {", \
  "  const least = 20, span = Math.min(last, Math.max(least, b - a));", \
  "  left = Math.max(0, Math.min(a, last - span));", \
  "  right = left + span;", \
  "  askTime();", \
  "}", \
  "// From the first command to the last, with what runs then; all where there are no commands.", \
  "function showCommands() {", \
  "  let a = Infinity, b = 0;", \
  "  for (let c = 0; c < C; c++) {", \
  "    if (cName[c] < 0) continue;", \
  "    a = Math.min(a, cTime[c]);", \
  "    b = Math.max(b, cSpan[c] < 0 ? cTime[c] : end[cSpan[c]]);", \
  "  }", \
  "  const margin = Math.max(1, (b - a) * 0.03);", \
  "  if (a < b) look(a - margin, b + margin); else look(0, last);", \
  "}", \
  "const zoom = (at, factor) => look(at - (at - left) * factor, at + (right - at) * factor);", \
  "const timeAt = event => left + Math.max(0, event.offsetX - GUTTER) / ($('time').clientWidth - GUTTER) * (right - left);", \
  "function spanAt(event) {", \
  "  const time = timeAt(event), slack = (right - left) / ($('time').clientWidth - GUTTER);", \
  "  for (const track of tracks) {", \
  "    const lane = track.lanes[Math.floor((event.offsetY - track.top) / LANE)];", \
  "    if (!lane || event.offsetY < track.top) continue;", \
  "    const i = firstAfter(lane, time - slack, 0);", \
  "    if (i < lane.length && start[lane[i]] <= time + slack) return lane[i];", \
  "  }", \
  "  return -1;", \
  "}", \
  "function tip(event, text) {", \
  "  $('tip').style.display = text ? 'block' : 'none';", \
  "  $('tip').textContent = text;", \
  "  $('tip').style.left = Math.max(4, Math.min(event.clientX + 14, window.innerWidth - $('tip').offsetWidth - 4)) + 'px';", \
  "  $('tip').style.top = event.clientY + 16 + 'px';", \
  "}", \
  "let drag = null, moved = false;", \
  "const fingers = new Map(); // of the time line, by pointer", \
  "$('time').addEventListener('wheel', event => {", \
  "  event.preventDefault();", \
  "  const d = (right - left) / 600;", \
  "  if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) look(left + (event.deltaX || event.deltaY) * d, right + (event.deltaX || event.deltaY) * d);", \
  "  else zoom(timeAt(event), Math.exp(event.deltaY / 400));", \
  "}, { passive: false });", \
  "const spread = () => { const [a, b] = [...fingers.values()]; return Math.max(20, Math.abs(a.offsetX - b.offsetX)); };", \
  "$('time').addEventListener('pointerdown', event => {", \
  "  fingers.set(event.pointerId, event);", \
  "  drag = { x: event.clientX, left, right, spread: fingers.size === 2 ? spread() : 0 };", \
  "  moved = false;", \
  "});", \
  "for (const type of ['pointerup', 'pointercancel'])", \
  "  window.addEventListener(type, event => { fingers.delete(event.pointerId); drag = null; pull = null; });", \
  "$('time').addEventListener('pointermove', event => {", \
  "  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);", \
  "  if (drag && drag.spread && fingers.size === 2) {", \
  "    const [a, b] = [...fingers.values()], middle = { offsetX: (a.offsetX + b.offsetX) / 2 };", \
  "    moved = true;", \
  "    zoom(timeAt(middle), drag.spread / spread());", \
  "    drag.spread = spread();", \
  "    return;", \
  "  }", \
  "  if (drag) {", \
  "    const d = (drag.x - event.clientX) / ($('time').clientWidth - GUTTER) * (drag.right - drag.left);", \
  "    moved = moved || Math.abs(drag.x - event.clientX) > 2;", \
  "    return look(drag.left + d, drag.right + d);", \
  "  }", \
  "  const span = spanAt(event);", \
  "  tip(event, span < 0 ? '' : names[nameOf[span]] + '\\n' + duration(end[span] - start[span]) + ' from ' + duration(start[span]) +", \
  "    (commandOf[span] ? '\\ncommand ' + commandOf[span] : ''));", \
  "});", \
  "$('time').addEventListener('pointerleave', event => tip(event, ''));", \
  "$('time').addEventListener('click', event => {", \
  "  if (moved) return;", \
  "  const span = spanAt(event);", \
  "  selected = span >= 0 && commandOf[span] ? commandOf[span] - info.first : -1;", \
  "  askTime();", \
  "  askGraph();", \
  "});", \
  "$('time').addEventListener('keydown', event => {", \
  "  const d = (right - left) / 8, middle = (left + right) / 2;", \
  "  if (event.key === 'ArrowLeft') look(left - d, right - d);", \
  "  else if (event.key === 'ArrowRight') look(left + d, right + d);", \
  "  else if (event.key === '+') zoom(middle, 0.7);", \
  "  else if (event.key === '-') zoom(middle, 1.4);", \
  "  else if (event.key === '0') look(0, last);", \
  "  else if (event.key === '1') showCommands();", \
  "  else return;", \
  "  event.preventDefault();", \
  "});", \
  "$('in').onclick = () => zoom((left + right) / 2, 0.6);", \
  "$('out').onclick = () => zoom((left + right) / 2, 1.6);", \
  "$('all').onclick = () => look(0, last);", \
  "$('busy').onclick = showCommands;", \
  "", \
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
  "      if (cName[c] < 0) continue;", \
  "      pen.globalAlpha = faded(cName[c]) ? 0.2 : 1;", \
  "      pen.fillStyle = color(cName[c]);", \
  "      pen.fillRect(x, y, Math.max(1, w), Math.max(1, h));", \
  "      if (c === selected) { pen.strokeStyle = look_of.hot; pen.lineWidth = 2; pen.strokeRect(x, y, w, h); }", \
  "      if (w < 40 || h < 14) continue;", \
  "      const two = h >= 2 * size + 6, room = Math.floor((w - 8) / (size * 0.58)), name = names[cName[c]];", \
  "      pen.fillStyle = inkOn(cName[c]);", \
  "      pen.fillText(name.length > room ? name.slice(0, Math.max(1, room - 1)) + '…' : name, x + 4, y + h * (two ? 0.3 : 0.5));", \
  "      if (two) pen.fillText(('#' + (c + info.first) + '  ' + queueName(cQueue[c]) + (cRun[c] >= 0 ? '  ' + duration(cRun[c]) : '')).slice(0, room), x + 4, y + h * 0.7);", \
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
  "  tip(event, c === undefined || cName[c] < 0 ? '' : names[cName[c]] + '\\ncommand ' + (c + info.first) + ', ' + queueName(cQueue[c]) + '\\nappended at ' + duration(cTime[c]) +", \
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
  "", \
  "// Totals by where and what.", \
  "const rows = [];", \
  "{", \
  "  const places = new Map();", \
  "  for (let i = 0; i < N; i++) {", \
  "    const device = trackOf[i] >= T, key = nameOf[i] * 2 + (device ? 1 : 0), ns = end[i] - start[i];", \
  "    let r = places.get(key);", \
  "    if (!r) { places.set(key, r = [device ? 'device' : 'host', nameOf[i], 0, 0, Infinity, 0]); rows.push(r); }", \
  "    r[2]++;", \
  "    r[3] += ns;", \
  "    r[4] = Math.min(r[4], ns);", \
  "    r[5] = Math.max(r[5], ns);", \
  "  }", \
  "}", \
  "let lastKey = 3;", \
  "function showTotals(key) {", \
  "  const by = [r => r[0], r => names[r[1]], r => -r[2], r => -r[3], r => -r[3] / r[2], r => -r[4], r => -r[5]][key];", \
  "  rows.sort((a, b) => by(a) < by(b) ? -1 : by(a) > by(b) ? 1 : 0);", \
  "  const table = $('totals');", \
  "  table.textContent = '';", \
  "  const head = table.createTHead().insertRow();", \
  "  ['where', 'what', 'count', 'total', 'avg', 'min', 'max'].forEach((title, i) => {", \
  "    const cell = document.createElement('th');", \
  "    cell.textContent = title;", \
  "    cell.onclick = () => showTotals(i);", \
  "    head.append(cell);", \
  "  });", \
  "  const body = table.createTBody();", \
  "  lastKey = key;", \
  "  const shown = rows.filter(r => !faded(r[1]));", \
  "  for (const r of shown.slice(0, 300)) {", \
  "    const tr = body.insertRow();", \
  "    [r[0], '', count(r[2]), duration(r[3]), duration(r[3] / r[2]), duration(r[4]), duration(r[5])].forEach(text => { tr.insertCell().textContent = text; });", \
  "    const chip = document.createElement('i');", \
  "    chip.style.background = color(r[1]);", \
  "    tr.cells[1].append(chip, names[r[1]]);", \
  "  }", \
  "  $('more').textContent = shown.length > 300 ? count(shown.length - 300) + ' more rows are not shown' : '';", \
  "}", \
  "", \
  "$('summary').textContent = (info.functions ? '' : 'No call was seen: the loader’s tracing layer is off. ') +", \
  "  count(N) + ' spans in ' + duration(last) + ', ' + count(T) + (T === 1 ? ' thread, ' : ' threads, ') + count(info.queues - (info.host >= 0)) + (info.queues - (info.host >= 0) === 1 ? ' queue, ' : ' queues, ') +", \
  "  count(C) + ' commands' + (info.missed ? ', of which ' + count(info.missed) + ' have no time on the device (their events take no timestamps)' : '') +", \
  "  (info.computed ? '. The sizes of ' + count(info.computed) + ' images were computed of their descriptors' : '') +", \
  "  (info.lost ? '. ' + count(info.lost) + ' older records were lost: SYCLZE_TRACE_MEMORY sets the room' : '') + '.';", \
  "// Search: what does not match is faded, and left out of the totals. Enter goes to the next match.", \
  "let match = -1;", \
  "function search() {", \
  "  const text = $('search').value.trim().toLowerCase();", \
  "  matches = text ? names.map(name => name.toLowerCase().includes(text)) : null;", \
  "  let spans = 0;", \
  "  if (matches) for (let i = 0; i < N; i++) spans += matches[nameOf[i]];", \
  "  $('found').textContent = matches ? count(spans) + (spans === 1 ? ' span' : ' spans') : '';", \
  "  match = -1;", \
  "  showTotals(lastKey);", \
  "  askTime();", \
  "  askGraph();", \
  "}", \
  "function nextMatch() {", \
  "  if (!matches) return;", \
  "  for (let k = 1; k <= N; k++) {", \
  "    const i = (match + k + N) % N;", \
  "    if (!matches[nameOf[i]]) continue;", \
  "    match = i;", \
  "    const room = Math.max(end[i] - start[i], (right - left) / 50);", \
  "    selected = commandOf[i] ? commandOf[i] - info.first : -1;", \
  "    look(start[i] - room, end[i] + room);", \
  "    return askGraph();", \
  "  }", \
  "}", \
  "$('search').addEventListener('input', search);", \
  "$('search').addEventListener('keydown', event => { if (event.key === 'Enter') nextMatch(); });", \
  "", \
  "function redraw() {", \
  "  showTotals(lastKey);", \
  "  askTime();", \
  "  askGraph();", \
  "}", \
  "$('scheme').onclick = () => { setScheme(document.documentElement.dataset.scheme !== 'dark'); redraw(); };", \
  "preferred.addEventListener('change', () => { setScheme(preferred.matches); redraw(); });", \
  "", \
  "showTotals(3);", \
  "showCommands();", \
  "drawTime();", \
  "fit(true);", \
  "drawGraph();", \
  "window.addEventListener('resize', () => { askTime(); askGraph(); });", \
  "document.body.dataset.ready = '1';", \
  "</script>", \
  "</body>", \
  "</html>", \
  NULL
/* clang-format on */

#endif
