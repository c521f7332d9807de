#!/bin/sh
# tests/build/results.sh: the page of results needs nothing but itself, and has a chart of each file,
# which states its scale and its run.
# shows promises 74
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() {
  name=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "pass $name" && passed=$((passed + 1))
  else
    echo "FAIL $name" && failed=$((failed + 1))
    cat "$work/log"
  fi
}
page() { python3 "$root/bench/page.py" "$@"; }
row() { printf '%-52s %6s %7s %6d %6s %6d %6d %6s %6d\n' "$@"; }
charts() { [ "$(grep -o "${2:-<svg}" "$work/page.html" | wc -l)" -eq "$1" ]; }
# In place of bench/about.sh.
run() { printf 'Run of %s UTC: a machine\nVersions: a compiler\n' "$1"; }

check 'a run is stated in two lines' sh -c \
  "[ \$('$root/bench/about.sh' | grep -cE '^(Run of [0-9-]{10} |Versions: syclze )') -eq 2 ]"
check 'no figures, no page' sh -c "! python3 '$root/bench/page.py' '$work'"
row 'make + release, event (keep)' 60 1178 50 - 50 64 17 47 >"$work/counts.txt"
check 'no page of figures without their run' sh -c "! python3 '$root/bench/page.py' '$work'"
{
  run 1
  row 'make + release, event (keep)' 60 1178 50 - 50 64 17 47
  row 'event (keep), 10 alive' - 1178 61 - 61 75 - 75
  row 'event (keep), 1,000 alive' - 1178 61 - 61 75 - 75
} >"$work/counts.txt"
page "$work" >"$work/page.html"
check 'instructions and live objects' charts 2
{
  run 2
  echo 'On a loader:'
  printf '%-52s %6s %7s %11s %16s %16s %16s %10s\n' 'make + release, event (keep)' 60 - 2.4 2.3..2.5 1.0 \
    1.0..1.1 1.4
} >"$work/times.txt"
{
  run 3
  echo 'On a loader:'
  for title in 'one context, ns (of one, of malloc)' 'a context for each thread'; do
    printf '%-36s%13d thr.%13d thr.\n' "$title" 1 2
    printf '%-36s%8.1f %3.0f%% %3.0f%%%8.1f %3.0f%% %3.0f%%\n' 'malloc + free' 10 100 100 11 91 99
    echo 'under 80 % of what malloc + free keep:'
    echo '  event_create + release, 2 threads: 66 %'
  done
} >"$work/threads.txt"
page "$work" >"$work/page.html"
check 'times and threads' charts 5
check 'threads have the title of their loader' \
  sh -c "[ \$(grep -o 'On a loader, [^:]*: ns' '$work/page.html' | wc -l) -eq 2 ]"
check 'each chart states its scale' charts 5 'logarithmic scale'
check 'each chart states the run of its file' \
  sh -c "[ \"\$(grep -o 'Run of [0-9]' '$work/page.html' | tr -d '\n')\" = 'Run of 1Run of 1Run of 2Run of 3Run of 3' ]"
check 'well-formed charts' python3 -c "
import re, sys, xml.dom.minidom
charts = re.findall('<svg.*?</svg>', open('$work/page.html').read())
[xml.dom.minidom.parseString(chart) for chart in charts]"
check 'nothing from elsewhere' sh -c \
  "! sed 's/xmlns=\"[^\"]*\"//g' '$work/page.html' | grep -E '<script|<link|<img|https?:|url\\('"
{
  run 0
  echo 'Text, and another table of another run.'
  run 4
  echo '| nanoseconds, the driver included | DPC++ v1 | DPC++ v2 | syclze | its own queue |'
  echo '| get_native, event | 24 | 11 | 1 | - |'
  echo
  echo '| instructions outside Level Zero | DPC++ v1 | DPC++ v2 | syclze | its own queue |'
  echo '| get_native, event | 262 | 178 | 8 | - |'
  echo '| submit a kernel, no event | refused | 3,021 | 913 | 215 |'
} >"$work/sycl.txt"
page --picture "$work/sycl.txt" >"$work/picture.svg"
check 'the picture is one chart' python3 -c \
  "import xml.dom.minidom; xml.dom.minidom.parse('$work/picture.svg')"
check 'the picture has the instructions of the better adapter and of the better queue' \
  sh -c "[ \"\$(grep -o 'font-size=\"10\">[0-9,]*' '$work/picture.svg' | sed 's/.*>//' | paste -s -d' ')\" = '8 178 215 3,021' ]"
check 'the picture states the run above its table' grep -q '>Run of 4 UTC: a machine<' "$work/picture.svg"
page --picture "$root/bench/results.md" >"$work/picture.svg"
check "the picture is of bench/results.md's table" cmp "$work/picture.svg" "$root/bench/results.svg"
# The instructions of the better adapter and of the better queue are those of the README's rows.
cat >"$work/figures.py" <<'PYTHON'
import re
import sys

def rows(path, head):
    table = re.search(re.escape(head) + r"[^\n]*\n\|[-|]+\n((?:\|.*\n)+)", open(path, encoding="utf-8").read())[1]
    return {row[0]: row[1:] for row in ([cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines())}

def least(cells):
    return min((cell for cell in cells if cell[0].isdigit()), key=lambda cell: int(cell.replace(",", "")))

measured = rows(sys.argv[2], "| instructions outside Level Zero |")
shown = rows(sys.argv[1], "| instructions of one call |")
sys.exit(len(shown) < 5 or [name for name, cells in shown.items()
                            if cells != [least(measured[name][2:]), least(measured[name][:2])]] or 0)
PYTHON
check "the README's figures are those of bench/results.md" python3 "$work/figures.py" "$root/README.md" \
  "$root/bench/results.md"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
