/* The time line of the page of viewer.h: the script that draws spans and memory, and moves it. A
 * string for each line. Quotes in it are single ones. */
#ifndef SYCLZE_TRACE_VIEWER_TIME_H
#define SYCLZE_TRACE_VIEWER_TIME_H

/* clang-format off */
#define SYCLZE__VIEWER_TIME \
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
  "// The canvas is as high as what is seen of the tracks: browsers limit its size.", \
  "$('tracks').style.height = height + 'px';", \
  "let scrolled = 0;", \
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
  "  const seen = $('scroller').clientHeight, { pen, width } = surface($('time'), seen);", \
  "  scrolled = $('scroller').scrollTop;", \
  "  pen.translate(0, -scrolled);", \
  "  const x = t => GUTTER + (t - left) / (right - left) * (width - GUTTER);", \
  "  drawAxis(pen, x, width);", \
  "  if (MEMORY) drawMemory(pen, x, width);", \
  "  lastSteps = 0;", \
  "  const visible = tracks.filter(track => track.top - 4 < scrolled + seen && track.top + Math.max(1, track.lanes.length) * LANE > scrolled);", \
  "  for (const track of visible)", \
  "    track.lanes.forEach((lane, l) => { lastSteps += drawLane(pen, lane, track.top + l * LANE, x, width); });", \
  "  drawArrows(pen, x);", \
  "  pen.fillStyle = look_of.card;", \
  "  pen.fillRect(0, 0, GUTTER - 1, height);", \
  "  pen.fillStyle = look_of.ink;", \
  "  for (const track of visible) {", \
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
  "$('scroller').addEventListener('scroll', askTime);", \
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
  "    a = Math.min(a, cTime[c]);", \
  "    b = Math.max(b, cSpan[c] < 0 ? cTime[c] : end[cSpan[c]]);", \
  "  }", \
  "  const margin = Math.max(1, (b - a) * 0.03);", \
  "  if (a < b) look(a - margin, b + margin); else look(0, last);", \
  "}", \
  "const zoom = (at, factor) => look(at - (at - left) * factor, at + (right - at) * factor);", \
  "const timeAt = event => left + Math.max(0, event.offsetX - GUTTER) / ($('time').clientWidth - GUTTER) * (right - left);", \
  "function spanAt(event) {", \
  "  const time = timeAt(event), y = event.offsetY + scrolled, slack = (right - left) / ($('time').clientWidth - GUTTER);", \
  "  for (const track of tracks) {", \
  "    const lane = track.lanes[Math.floor((y - track.top) / LANE)];", \
  "    if (!lane || y < track.top) continue;", \
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
  "    (commandOf[span] ? '\\ncommand ' + cNumber[commandOf[span] - 1] : ''));", \
  "});", \
  "$('time').addEventListener('pointerleave', event => tip(event, ''));", \
  "$('time').addEventListener('click', event => {", \
  "  if (moved) return;", \
  "  const span = spanAt(event);", \
  "  selected = span >= 0 ? commandOf[span] - 1 : -1;", \
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
  ""
/* clang-format on */

#endif
