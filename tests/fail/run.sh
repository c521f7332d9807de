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
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
output=$work/output
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

# precompile COMPILER OPTION...: the headers that most programs begin with, as -include finds them.
precompile() {
  command -v "$1" >/dev/null && mkdir "$work/$1" || return
  cp tests/fail/given.h "$work/$1"
  echo '#include "syclze/command.h"' >"$work/$1/argument.h"
  case $1 in *++) kind=c++-header ;; *) kind=c-header ;; esac
  for header in given argument; do
    "$@" -I. -DSYCLZE_DECLARATIONS -x $kind -o "$work/$1/$header.h.gch" "$work/$1/$header.h"
  done
}

# result_of COMPILER OPTION...: what is wrong with the source, or nothing.
result_of() {
  if ! "$@" $warnings -I. -DSYCLZE_DECLARATIONS -fsyntax-only -DSYCLZE_TEST_FIXED "$source" >"$output" 2>&1; then
    echo "does not compile when fixed: $(grep -m 1 -E 'error|warning' "$output")"
  elif "$@" -I. -DSYCLZE_DECLARATIONS -fsyntax-only "$source" >"$output" 2>&1; then
    echo "compiles"
  elif ! grep -qF -- "$expected" "$output"; then
    echo "does not say '$expected' but: $(grep -m 1 error "$output")"
  fi
}

# try SOURCE FAMILY COMPILER OPTION...
try() {
  source=$1 family=$2
  shift 2
  name="$source: $1"
  expected=$(sed -n "s|^// expect\(-$family\)\{0,1\}: *||p" "$source")
  if ! command -v "$1" >/dev/null; then
    note skip "$name: no such compiler"
    return
  elif [ -z "$expected" ]; then
    note FAIL "$name: says no text to expect of $family"
    return
  fi
  begins=$(grep -m 1 '^#' "$source")
  header=${begins#*\"} header=${header%\"}
  # A compiler may not take another's precompiled header: without one there is the last word.
  case $header in
  given.h | argument.h) result=$(result_of "$@" -include "$work/$1/$header") ;;
  *) result=none ;;
  esac
  [ -z "$result" ] || result=$(result_of "$@")
  if [ -z "$result" ]; then note pass "$name"; else note FAIL "$name: $result"; fi
}

precompile gcc -std=c11
precompile clang -std=c11
precompile g++ -std=c++11
precompile clang++ -std=c++11
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
