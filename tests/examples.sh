#!/bin/sh
# Runs each given program: an example must succeed.
# shows offload 45, queues 7
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
passed=0 failed=0
for program; do
  timeout 900 "$program" >"$output" 2>&1 </dev/null
  code=$?
  if [ "$code" -eq 0 ]; then
    passed=$((passed + 1))
    echo "pass $program"
  else
    failed=$((failed + 1))
    tail -n 40 "$output"
    echo "FAIL $program: exit code $code: $(tail -n 1 "$output")"
  fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
