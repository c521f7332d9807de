#!/bin/sh
# tests/sycl/run.sh SETTING:PROGRAM [ARGUMENT...]: starts the program as start.sh does, on the runtime
# in SYCLZE_SYCL, and, unless it is Python, fails where the embedded device reports handles that were not destroyed, in each
# of five runs: the runtime's thread of host tasks may hold a buffer of a finished one when the
# process ends.
setting=${1%%:*} program=${1#*:}
shift
output=$(mktemp) report=$(mktemp) || exit 1
trap 'rm -f "$output" "$report"' EXIT
case $program in
*python*) exec "$(dirname "$0")/start.sh" "$SYCLZE_SYCL" "$setting" "$program" "$@" ;;
esac
for _ in 1 2 3 4 5; do
  ZECL_CHECK=1 "$(dirname "$0")/start.sh" "$SYCLZE_SYCL" "$setting" "$program" "$@" \
    >"$output" 2>"$report"
  code=$?
  if [ "$code" -ne 0 ] || grep -q '^zecl: 0 left behind$' "$report"; then break; fi
done
cat "$report" "$output"
[ "$code" -eq 0 ] || exit "$code"
grep -q '^zecl: 0 left behind$' "$report"
