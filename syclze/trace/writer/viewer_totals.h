/* The totals and the search of the page of viewer.h: the script that adds up and filters. A string
 * for each line. Quotes in it are single ones. */
#ifndef SYCLZE_TRACE_VIEWER_TOTALS_H
#define SYCLZE_TRACE_VIEWER_TOTALS_H

/* clang-format off */
#define SYCLZE__VIEWER_TOTALS \
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
  "    selected = commandOf[i] - 1;", \
  "    look(start[i] - room, end[i] + room);", \
  "    return askGraph();", \
  "  }", \
  "}", \
  "$('search').addEventListener('input', search);", \
  "$('search').addEventListener('keydown', event => { if (event.key === 'Enter') nextMatch(); });", \
  ""
/* clang-format on */

#endif
