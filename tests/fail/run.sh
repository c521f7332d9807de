#!/bin/sh
# Programs that must not compile. The comments at the top of each say:
#   // expect: TEXT        what the compiler's message must hold
#   // expect-gcc: TEXT    as expect, for one compiler; likewise expect-clang
#   // c++                 to be tried in C++ too (a .cpp is tried in C++ only)
# With SYCLZE_TEST_FIXED defined it must compile, so that it fails for the reason it names. What is
# inlined is all that these programs ask of the headers, so the bodies are left out.
# shows promises 13
cd "$(dirname "$0")/../.." || exit 1
warnings="$(cat tests/warnings.txt) -Werror"
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
passed=0 failed=0 skipped=0

# note WORD NAME [: TEXT]
note() {
  case $1 in
  pass) passed=$((passed + 1)) ;;
  FAIL) failed=$((failed + 1)) ;;
  skip) skipped=$((skipped + 1)) ;;
  esac
  echo "$*"
}

# try SOURCE FAMILY COMPILER OPTION...
try() {
  source=$1 family=$2
  shift 2
  name="$source: $1"
  expected=$(sed -n "s|^// expect\(-$family\)\{0,1\}: *||p" "$source")
  if ! command -v "$1" >/dev/null; then
    note skip "$name: no such compiler"
  elif [ -z "$expected" ]; then
    note FAIL "$name: says no text to expect of $family"
  elif ! "$@" $warnings -I. -DSYCLZE_DECLARATIONS -fsyntax-only -DSYCLZE_TEST_FIXED "$source" >"$output" 2>&1; then
    note FAIL "$name: does not compile when fixed: $(grep -m 1 -E 'error|warning' "$output")"
  elif "$@" -I. -DSYCLZE_DECLARATIONS -fsyntax-only "$source" >"$output" 2>&1; then
    note FAIL "$name: compiles"
  elif ! grep -qF -- "$expected" "$output"; then
    note FAIL "$name: does not say '$expected' but: $(grep -m 1 error "$output")"
  else
    note pass "$name"
  fi
}

for source in tests/fail/*.c; do
  [ -f "$source" ] || continue
  try "$source" gcc gcc -std=c11
  try "$source" clang clang -std=c11
done
for source in tests/fail/*.cpp $(grep -l '^// c++$' tests/fail/*.c); do
  [ -f "$source" ] || continue
  try "$source" gcc g++ -std=c++11 -x c++
  try "$source" clang clang++ -std=c++11 -x c++
done
[ $((passed + failed + skipped)) -gt 0 ] || note FAIL "tests/fail: holds no program"

echo "$passed passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
