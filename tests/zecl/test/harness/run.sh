#!/bin/sh
# Runs each argument as a shell command, or with @FILE each quoted word of the file, which may be more
# than a command line holds, and adds up what they count: TEST_JOBS at a time, by default one more than
# there are processors, since some wait. With TEST_ONLY="TEXT..." only those whose text, without the
# variables before it, holds one of the words.
#
# A command prints `N passed, N failed` (and `, N skipped`) on a line of its own. Its failing lines
# are printed in full, with the first report of a sanitizer, and one line for itself. One that prints no such line, or ends otherwise than
# its counts say, counts as one failure, and what it printed last is shown. The last line here is the
# sum in the same form.
#
# No limit is of the clock, so that a busy machine fails no test. A process may take TEST_CPU seconds
# of processor time (default 900); a command of which no process takes any for TEST_IDLE seconds
# (default 240) hangs and is ended.

# The processor time of a process and all its descendants, in ticks.
ticks_of() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v root="$1" '
    { pid = $1; sub(/^.*\) /, ""); parent[pid] = $2; ticks[pid] = $12 + $13 + $14 + $15 }
    END {
      for (p in parent) {
        for (q = p; q != root && q in parent && q > 1; q = parent[q]) ;
        if (q == root) sum += ticks[p]
      }
      print sum + 0
    }'
}

# end_tree PID: the process and all its descendants.
end_tree() {
  for child in $(ps -o pid= --ppid "$1" 2>/dev/null); do end_tree "$child"; done
  kill -KILL "$1" 2>/dev/null
}

# watch PID FILE: ends the process if it hangs, and says so in the file.
watch() {
  last=0 idle=0
  while sleep 1 && kill -0 "$1" 2>/dev/null; do
    idle=$((idle + 1))
    [ $((idle % 20)) -eq 0 ] || continue
    now=$(ticks_of "$1")
    if [ $((now - last)) -ge 10 ]; then
      last=$now idle=0
    elif [ "$idle" -ge "${TEST_IDLE:-240}" ]; then
      echo "took no processor time for $idle s" >"$2"
      end_tree "$1"
    fi
  done
}

# without_variables COMMAND [EDIT]: the command without the variables that are set before it, edited.
without_variables() { printf '%s\n' "$1" | sed "s|^\([A-Z_]*=[^ ]* *\)*||; ${2:-}"; }

run_one() {
  command=$1
  work=$(mktemp -d -p "$RUN_WORK") || exit 1
  name=$(without_variables "$command" \
    's| -[^ ]*||g; s|^setarch ||; s|^env ||; s|^\([^ ]* [^ ]*\) .*|\1|')
  start=$(date +%s)
  (ulimit -t "${TEST_CPU:-900}" && exec sh -c "$command") >"$work/output" 2>&1 </dev/null &
  process=$!
  watch $process "$work/hangs" &
  watcher=$!
  wait $process 2>/dev/null
  code=$?
  kill $watcher 2>/dev/null
  wait $watcher 2>/dev/null
  seconds=$(($(date +%s) - start))
  closing=$(sed -nE '/^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/h; ${x;p;}' "$work/output")
  read -r passed _ failed _ skipped _ <<COUNTS
${closing:-0 passed, 0 failed}
COUNTS
  problem=
  if [ -s "$work/hangs" ]; then
    problem=$(cat "$work/hangs")
  elif [ "$code" -eq 137 ] || [ "$code" -eq 152 ]; then
    problem="killed, after ${TEST_CPU:-900} s of processor time or for memory"
  elif [ -z "$closing" ]; then
    problem="exit code $code and no closing line"
  elif [ "$failed" -eq 0 ] && [ "$code" -ne 0 ]; then
    problem="exit code $code after '$closing'"
  elif [ "$failed" -ne 0 ] && [ "$code" -eq 0 ]; then
    problem="exit code 0 after '$closing'"
  fi
  {
    grep -a '^FAIL ' "$work/output"
    [ -n "$problem" ] || grep -a -m 1 -A 60 -E '(ERROR|WARNING): [A-Za-z]*Sanitizer|: runtime error: ' \
      "$work/output" | sed 's/^/  | /'
    if [ -n "$problem" ]; then
      failed=$((failed + 1))
      tail -n 60 "$work/output" | sed 's/^/  | /'
      echo "FAIL $name: $problem"
    fi
    printf '%s: %d passed, %d failed, %d skipped, %d s\n' \
      "$name" "$passed" "$failed" "${skipped:-0}" "$seconds"
  } >"$work/report"
  echo "$passed $failed ${skipped:-0}" >>"$RUN_WORK/counts"
  flock "$RUN_WORK/counts" cat "$work/report"
  rm -rf "$work"
}

if [ "$1" = --one ]; then
  run_one "$2"
  exit 0
fi

case ${1:-} in
@*) eval "set -- $(cat "${1#@}")" ;;
esac

RUN_WORK=$(mktemp -d) || exit 1
export RUN_WORK
trap 'rm -rf "$RUN_WORK"' EXIT
: >"$RUN_WORK/counts"
for command; do
  if [ -n "${TEST_ONLY:-}" ]; then
    wanted=
    name=$(without_variables "$command")
    for text in $TEST_ONLY; do
      case $name in *"$text"*) wanted=1 ;; esac
    done
    [ -n "$wanted" ] || continue
  fi
  printf '%s\0' "$command"
done | xargs -0 -r -n 1 -P "${TEST_JOBS:-$(($(nproc) + 1))}" "$0" --one

awk '{ passed += $1; failed += $2; skipped += $3 }
  END {
    printf "%d passed, %d failed%s\n", passed, failed, skipped ? ", " skipped " skipped" : ""
    exit failed > 0 || passed == 0
  }' "$RUN_WORK/counts"
