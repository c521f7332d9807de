#!/bin/sh
# tests/trace/page.sh EXAMPLE MILLION: the page of the example's run, and one of a million records, in
# a browser without a window. Skipped where there is none.
cd "$(dirname "$0")/../.." || exit 1
for browser in chromium-headless-shell chromium chromium-browser google-chrome none; do
  command -v "$browser" >/dev/null && break
done
if [ "$browser" = none ]; then
  echo "skip page: no Chromium here (apt install chromium-headless-shell)"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

result() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
    echo "pass $2"
  else
    failed=$((failed + 1))
    echo "FAIL $2"
  fi
}

# look NAME WIDTH SCHEME: opens $work/NAME.html with page.js at its end, without network, in a window
# that is WIDTH pixels wide, of a reader who prefers the colour scheme, dark or light.
look() {
  scheme=1
  [ "$3" = light ] || scheme=0
  { sed '/^<\/body>/,$d' "$work/$1.html"; echo '<script>'; cat tests/trace/page.js; echo '</script></body></html>'; } \
    >"$work/$1.test.html"
  timeout 900 "$browser" --headless --no-sandbox --disable-gpu --window-size="$2",1500 \
    --hide-scrollbars --blink-settings=preferredColorScheme=$scheme \
    --user-data-dir="$work/profile" --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr \
    --dump-dom "file://$work/$1.test.html" >"$work/$1.dom" 2>"$work/$1.log"
  result $? "$1: the browser ends"
  ! grep 'CONSOLE' "$work/$1.log"
  result $? "$1: nothing on the console"
  grep -q 'data-ready="1"' "$work/$1.dom"
  result $? "$1: the page is ready"
  sed -n 's/.*<pre>//; /^\(pass\|FAIL\|step\) /p' "$work/$1.dom" >"$work/$1.said"
  sed "s/^[a-zA-Z]* /&$1, $2 $3: /" "$work/$1.said"
  passed=$((passed + $(grep -c '^pass' "$work/$1.said")))
  failed=$((failed + $(grep -c '^FAIL' "$work/$1.said")))
  [ "$(grep -c '^pass' "$work/$1.said")" -ge 27 ]
  result $? "$1: every look was taken"
}

# shows NAME WHERE WHAT COUNT: a row of the table.
shows() {
  tr -d '\n' <"$work/$1.dom" | grep -qE "<td>$2</td><td><i[^>]*></i>$3</td><td>$4</td>"
  result $? "$1: the table has $4 of $3 on the $2"
}

SYCLZE_TRACE="$work/example.html" timeout 900 "$1" >/dev/null
result $? "example: it runs"
for width in 420 1280; do
  for scheme in dark light; do
    look example $width $scheme
  done
done
shows example device saxpy 12
shows example device MemoryFill 13
shows example device MemoryCopy 1
shows example host zeCommandListAppendLaunchKernel 12
line=$(grep -n syclze_group_host_task examples/trace.c | cut -d: -f1)
shows example host "syclze_group_host_task \(trace.c:$line\)" 1
shows example host "host task \(trace.c:$line\)" 1
shows example host "$(grep -o 'syclze_group_launch saxpy (trace.c:[0-9]*)' syclze/manual/traces.md | sed 's/[()]/\\&/g')" 12
SYCLZE_TEST_PAGE="$work/million.html" timeout 900 "$2" >/dev/null
result $? "million: it is written"
look million 1300 light
shows million device kernel 100,000
shows million host zeEventQueryStatus 300,000
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
