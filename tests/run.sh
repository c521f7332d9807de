#!/bin/sh
# Runs each argument as a shell command and adds up their counts.
#
# A command prints `N passed, N failed` (and `, N skipped`) on a line of its own. Its failing lines
# are printed in full, and one line for itself. One that prints no such line, exits
# inconsistently with its counts, or takes longer than TEST_TIMEOUT seconds (default 300) counts as
# one failure, and its last lines are shown. The last line here is the sum in the same form.
limit=${TEST_TIMEOUT:-300}
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
total_passed=0 total_failed=0 total_skipped=0

for command; do
  name=$(printf '%s' "$command" | sed 's/^\([A-Z_]*=[^ ]* *\)*//; s/ -[^ ]*//g; s/^setarch //' | cut -d' ' -f1,2)
  start=$(date +%s)
  timeout -k 10 "$limit" sh -c "$command" >"$output" 2>&1 </dev/null
  code=$?
  seconds=$(($(date +%s) - start))
  closing=$(grep -aE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$output" | tail -n 1)
  read -r passed _ failed _ skipped _ <<COUNTS
${closing:-0 passed, 0 failed}
COUNTS
  grep -a '^FAIL ' "$output"
  problem=
  if [ "$code" -eq 124 ]; then
    problem="took longer than $limit s"
  elif [ -z "$closing" ]; then
    problem="exit code $code and no closing line"
  elif [ "$failed" -eq 0 ] && [ "$code" -ne 0 ]; then
    problem="exit code $code after '$closing'"
  elif [ "$failed" -ne 0 ] && [ "$code" -eq 0 ]; then
    problem="exit code 0 after '$closing'"
  fi
  if [ -n "$problem" ]; then
    failed=$((failed + 1))
    tail -n 60 "$output" | sed 's/^/  | /'
    echo "FAIL $name: $problem"
  fi
  printf '%s: %d passed, %d failed, %d skipped, %d s\n' \
    "$name" "$passed" "$failed" "${skipped:-0}" "$seconds"
  total_passed=$((total_passed + passed))
  total_failed=$((total_failed + failed))
  total_skipped=$((total_skipped + ${skipped:-0}))
done

sum="$total_passed passed, $total_failed failed"
[ "$total_skipped" -eq 0 ] || sum="$sum, $total_skipped skipped"
echo "$sum"
[ "$total_failed" -eq 0 ] && [ "$total_passed" -gt 0 ]
