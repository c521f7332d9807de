/* The page of html.h, a string for each line: its style and markup, and the script that reads the
 * records. Quotes in it are single ones. */
#ifndef SYCLZE_TRACE_VIEWER_H
#define SYCLZE_TRACE_VIEWER_H

#include "viewer_graph.h"
#include "viewer_time.h"
#include "viewer_totals.h"

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
  "#time { position: sticky; top: 0; }", \
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
  "<div id='scroller'><div id='tracks'><canvas id='time' tabindex='0'></canvas></div></div>", \
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
  "const nameOf = new Uint32Array(N), trackOf = new Uint32Array(N), commandOf = new Uint32Array(N); // the index of a command from 1, or 0", \
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
  "const cNumber = new Float64Array(C), cName = new Uint32Array(C), cQueue = new Uint32Array(C), cTime = new Float64Array(C), cRun = new Float64Array(C).fill(-1);", \
  "const cSpan = new Int32Array(C).fill(-1), from = new Uint32Array(E), to = new Uint32Array(E);", \
  "{", \
  "  const read = reader('commands');", \
  "  for (let i = 0, number = 0, now = 0; i < C; i++) {", \
  "    cNumber[i] = number += read.next();", \
  "    cName[i] = read.next();", \
  "    cQueue[i] = read.next();", \
  "    cTime[i] = now += read.signed();", \
  "  }", \
  "  for (let i = 0; i < N; i++)", \
  "    if (commandOf[i]) { cSpan[commandOf[i] - 1] = i; cRun[commandOf[i] - 1] = end[i] - start[i]; }", \
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
  SYCLZE__VIEWER_TIME, \
  SYCLZE__VIEWER_GRAPH, \
  SYCLZE__VIEWER_TOTALS, \
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
