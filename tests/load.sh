#!/bin/sh
# tests/load.sh COUNT only="TEXT..." [config=debug|sanitize|thread|delays]: runs the tests with one of
# the texts in their command COUNT times on a machine that is busy with other work, in turn on one
# processor, with a low priority, and with both. With config=delays threads sleep in other
# places each time (tests/delays.c). Prints what fails, and how many runs passed.
set -u
cd "$(dirname "$0")/.." || exit 1
[ $# -ge 2 ] || {
  sed -n '2,5s/^# //p' "$0"
  exit 2
}
count=$1 config=debug only=
shift
for setting; do
  case $setting in
  config=*) config=${setting#config=} ;;
  only=*) only=${setting#only=} ;;
  esac
done
[ -n "$only" ] || {
  echo 'load: only="TEXT..." names the tests' >&2
  exit 2
}
log=$(mktemp) || exit 1
busy=
trap 'for process in $busy; do kill "$process"; done 2>/dev/null; rm -f "$log"' EXIT
trap 'exit 1' INT TERM
${MAKE:-make} -s -j"$(nproc)" test-load-ready "$@" || exit 1

# A processor more than there are, and memory that comes and goes.
for i in $(seq $(($(nproc) + 1))); do
  while :; do :; done &
  busy="$busy $!"
done
(while :; do dd if=/dev/zero of=/dev/null bs=256M count=4 2>/dev/null; done) &
busy="$busy $!"

passed=0 failed=0
for i in $(seq "$count"); do
  case $((i % 3)) in
  0) how='taskset -c 0' ;;
  1) how='nice -n 5' ;;
  2) how='taskset -c 0 nice -n 5' ;;
  esac
  if TEST_DELAYS=$i TEST_ONLY=$only MAKEFLAGS='' $how tests/run.sh "@build/$config/commands-load" >"$log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    grep -vE '(, 0 failed, [0-9]+ skipped, [0-9]+ s|^[0-9]+ passed.*)$' "$log" | sed "s/^/$i ($how): /"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
