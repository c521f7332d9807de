#!/bin/sh
# The diff of the manual's page on adopting applies to examples/adopt_plain.c, and the result compiles and runs.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
awk '/^```/ { inside = /^```diff/; next } inside' syclze/manual/adopt.md >"$work/adopt.diff"
{
  patch -s -o "$work/adopted.c" examples/adopt_plain.c "$work/adopt.diff" &&
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I. -Iexamples -o "$work/adopted" \
      "$work/adopted.c" -lze_loader -ldl &&
    timeout 900 "$work/adopted"
} >"$work/output" 2>&1
if [ $? -eq 0 ] && grep -q ' 0 wrong$' "$work/output"; then
  echo 'pass the diff of syclze/manual/adopt.md'
  echo '1 passed, 0 failed'
else
  cat "$work/output"
  echo 'FAIL the diff of syclze/manual/adopt.md: does not apply, compile and run'
  echo '0 passed, 1 failed'
  exit 1
fi
