// Appended to a page: moves and zooms as a reader does, and writes what it sees into the page.
{
  const out = document.createElement('pre'), line = text => { out.textContent += text + '\n'; };
  const canvas = $('time'), width = canvas.clientWidth;
  const wheel = (deltaY, shiftKey) => canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, shiftKey, cancelable: true, clientX: canvas.getBoundingClientRect().left + width * 0.8 }));
  const key = name => canvas.dispatchEvent(new KeyboardEvent('keydown', { key: name, cancelable: true }));
  const painted = (id, from) => {
    const target = $(id), pixels = target.getContext('2d').getImageData(from, 0, target.width - from, target.height).data;
    const colors = new Set();
    for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3] === 255) colors.add(pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2]);
    return colors.size;
  };
  const check = (name, good) => line((good ? 'pass ' : 'FAIL ') + name);
  check('the summary has the number of spans', $('summary').textContent.startsWith(N.toLocaleString('en') + ' spans'));
  check('the table adds up to the spans', Array.from($('totals').tBodies[0].rows).reduce((sum, row) => sum + Number(row.cells[2].textContent.replace(/,/g, '')), 0) === N);
  $('scroller').scrollTop = 1e9;
  drawTime();
  check('the time line is painted down to the last track', painted('time', GUTTER) > 2);
  $('scroller').scrollTop = 0;
  check('the graph is painted', !C || painted('graph', 0) > 2);
  // Of a span of the host with a command's number the command is a host task.
  const spans = Array.from(start.keys()).filter(i => trackOf[i] < T), tasks = spans.filter(i => commandOf[i]);
  check('host tasks have arrows from others', tasks.every(i => to.includes(commandOf[i] - 1)));
  check('host tasks have arrows to others', tasks.every(i => from.includes(commandOf[i] - 1)));
  const submissions = spans.filter(i => names[nameOf[i]].startsWith('syclze_'));
  check('calls lie in submissions', submissions.every(i => spans.some(j => j !== i && trackOf[j] === trackOf[i] && start[j] >= start[i] && end[j] <= end[i])));
  // The first view.
  const ran = Array.from(start.keys()).filter(i => commandOf[i] && trackOf[i] >= T);
  check('the first view shows every command', ran.every(i => start[i] >= left && end[i] <= right));
  check('the first view shows no long time without commands', !C || !ran.length || right - left < 1.2 * (Math.max(...ran.slice(0, 9999).map(i => end[i]), ...ran.slice(-9999).map(i => end[i])) - cTime[0]));
  check('boxes of the graph have names', !C || graph.named > 0 && graph.scale * BOX[0] >= 90);
  check('a name keeps its colour', names.every((name, i) => hues[i] === hue(name)) && hue('saxpy (a.c:1)') === hue('saxpy (b.c:22)') && hue('saxpy') !== hue('MemoryFill'));
  check('waits are quiet', names.every((name, i) => waits[i] === (color(i) === look_of.wait)) && waits[names.indexOf('zeEventHostSynchronize')] !== false && !waits[names.indexOf('saxpy')]);
  // The page fits the window, and what is to be pressed is in it.
  check('nothing is wider than the window', document.documentElement.scrollWidth <= window.innerWidth);
  check('buttons and search lie in the window', Array.from(document.querySelectorAll('button, input')).every(e => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= window.innerWidth && r.height >= 20; }));
  check('columns of the totals are whole', Array.from($('totals').querySelectorAll('td')).every(e => e.scrollWidth <= e.clientWidth + 1));
  // The scheme is the reader's, and may be changed.
  const light = text => { const [r, g, b] = text.match(/\d+/g).map(Number); return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255; };
  const contrast = () => { const s = getComputedStyle(document.querySelector('section')); return Math.abs(light(s.color) - light(s.backgroundColor)); };
  const isDark = () => light(getComputedStyle(document.body).backgroundColor) < 0.3;
  check('the scheme is the preferred one', isDark() === matchMedia('(prefers-color-scheme: dark)').matches);
  check('text stands out', contrast() > 0.6);
  const dark = isDark(), colors = names.map((name, i) => waits[i] ? '' : color(i)).join();
  $('scheme').click();
  check('the other scheme is a click away', isDark() !== dark && contrast() > 0.6 && colors === names.map((name, i) => waits[i] ? '' : color(i)).join());
  $('scheme').click();
  // Search.
  const wanted = names[C ? cName[0] : nameOf[0]], matching = Array.from(start.keys()).filter(i => names[nameOf[i]].toLowerCase().includes(wanted.toLowerCase()));
  const type = text => { $('search').value = text; $('search').dispatchEvent(new Event('input')); };
  type(wanted.toUpperCase());
  check('search counts the spans', $('found').textContent.startsWith(matching.length.toLocaleString('en') + ' span'));
  check('search leaves the matches in the totals', Array.from($('totals').tBodies[0].rows).every(row => row.cells[1].textContent.toLowerCase().includes(wanted.toLowerCase())));
  $('search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
  check('enter shows a match', matching.some(i => start[i] >= left && end[i] <= right));
  type('nothing has this name');
  check('a search may find nothing', $('found').textContent === '0 spans' && $('totals').tBodies[0].rows.length === 0);
  type('');
  key('0');
  const before = [left, right];
  for (let i = 0; i < 10; i++) wheel(-200, false);
  check('the wheel zooms', right - left < (before[1] - before[0]) / 10);
  const zoomed = [left, right];
  key('ArrowLeft');
  check('keys move', left < zoomed[0] && Math.abs((right - left) - (zoomed[1] - zoomed[0])) < 1);
  wheel(200, true);
  check('shift and the wheel move', left > zoomed[0] - (zoomed[1] - zoomed[0]) / 8);
  key('0');
  check('all of it is back', left === 0 && right === last);
  const steps = [];
  for (let i = 0; i < 60; i++) {
    const begin = performance.now();
    if (i % 2) wheel(-150, false); else key('ArrowLeft');
    drawTime();
    steps.push(performance.now() - begin);
  }
  // The median: other programs run on the machine.
  const median = steps.sort((a, b) => a - b)[30];
  check('a step of scrolling takes less than 100 ms', median < 100);
  line('step ' + median.toFixed(1) + ' ms, opened in ' + (performance.now() / 1000).toFixed(2) + ' s');
  document.body.append(out);
}
