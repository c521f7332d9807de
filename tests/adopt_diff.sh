#!/bin/sh
# The README's diff applies to examples/adopt_plain.c, and the result compiles and runs.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk '/^```/ { inside = /^```diff/; next } inside' README.md >"$work/adopt.diff"
{
  patch -s -o "$work/adopted.c" examples/adopt_plain.c "$work/adopt.diff" &&
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I. -Iexamples -o "$work/adopted" \
      "$work/adopted.c" -lze_loader -ldl &&
    timeout 900 "$work/adopted"
} >"$work/output" 2>&1
if [ $? -eq 0 ] && grep -q ' 0 wrong$' "$work/output"; then
  echo 'pass the diff of README.md'
  echo '1 passed, 0 failed'
else
  cat "$work/output"
  echo 'FAIL the diff of README.md: does not apply, compile and run'
  echo '0 passed, 1 failed'
  exit 1
fi
