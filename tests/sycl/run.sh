#!/bin/sh
# tests/sycl/run.sh SETTING:PROGRAM [ARGUMENT...]: starts the program as start.sh does, on the runtime
# in SYCLZE_SYCL, and fails where the embedded device reports handles that were not destroyed.
setting=${1%%:*} program=${1#*:}
shift
report=$(mktemp) || exit 1
trap 'rm -f "$report"' EXIT
ZECL_CHECK=1 "$(dirname "$0")/start.sh" "$SYCLZE_SYCL" "$setting" "$program" "$@" 2>"$report"
code=$?
cat "$report"
[ "$code" -eq 0 ] || exit "$code"
grep -q '^zecl: 0 left behind$' "$report"
