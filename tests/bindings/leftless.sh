#!/bin/sh
# leftless.sh COMMAND...: runs it in zecl's strict mode, and adds a case: it left no handle behind.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ZECL_CHECK=1 "$@" >"$work/out" 2>"$work/err"
code=$?
cat "$work/err" >&2
grep -vE '^[0-9]+ passed, [0-9]+ failed' "$work/out"
# shellcheck disable=SC2046
set -- $(grep -E '^[0-9]+ passed, [0-9]+ failed' "$work/out" | tail -n 1 | tr -d ,)
passed=${1:-0} failed=${3:-1} skipped=${5:-0}
[ "$code" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
if grep -qx 'zecl: 0 left behind' "$work/err"; then
  passed=$((passed + 1))
  echo "pass no_handle_is_left"
else
  failed=$((failed + 1))
  echo "FAIL no_handle_is_left: $(grep '^zecl: ' "$work/err" | head -n 3)"
fi
sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
