#!/bin/sh
# The examples of README.md and of the headers' first comments: C and C++ compile, commands run and
# print what the README shows.
#
# Commands run in a copy of the tree, in the README's order. Those that run these tests, fetch the
# repository, or change the whole machine are skipped. A program whose first line names its file
# (`hello.c: ...`) stands in the tree under that name.
# shows promises 74
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
# For commands of Open MPI.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
left_out='^ *(make (-j[0-9]* )?(test|deps)|tests/deps|git |cd |sudo |apt|make install *$)'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/snippets" "$work/tree"
awk -v folder="$work/snippets" -f tests/snippets.awk README.md $(find syclze -name '*.h' | sort)
tar -cf - --exclude=./.git . | tar -xf - -C "$work/tree"
passed=0 failed=0

result() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
    echo "pass $2"
  else
    failed=$((failed + 1))
    echo "FAIL $2: $3"
  fi
}

for snippet in "$work"/snippets/*.c "$work"/snippets/*.cpp; do
  [ -f "$snippet" ] || continue
  suffix=${snippet##*.}
  file=$(sed -n "1s|^/[/*] \\([a-z_]*\\.$suffix\\): .*|\\1|p" "$snippet")
  [ -z "$file" ] || cp "$snippet" "$work/tree/$file"
  name=$(basename "$snippet" .c)
  # A snippet that includes the library itself is a file. One without a function is a function's body,
  # and uses the names of given.h.
  if sed 1d "$snippet" | grep -q '^#include "syclze'; then
    sed '1{/^#include "syclze/d}' "$snippet"
  elif grep -E '^[a-z].*\) \{$' "$snippet" | grep -qvE '^(if|for|while|switch) '; then
    cat "$snippet"
  else
    echo '#include "tests/given.h"'
    grep '^#' "$snippet"
    printf '%s\n' 'ze_result_t example(void);' 'ze_result_t example(void) {'
    grep -v '^#' "$snippet"
    echo '}'
  fi >"$work/snippet.$suffix"
  case $suffix in
  c) compiler=${CC:-cc} standard=c11 ;;
  *) compiler=${CXX:-c++} standard=c++11 ;;
  esac
  "$compiler" -std=$standard -Wall -Wextra -Werror -Wno-unused -Wno-return-type -I. -fsyntax-only \
    "$work/snippet.$suffix" >"$work/output" 2>&1
  result $? "$name" "$(grep -m 1 -E 'error|warning' "$work/output")"
done

for snippet in $(find "$work/snippets" -name '*.sh' | sort -t_ -k2n); do
  name=$(basename "$snippet" .sh)
  sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' "$snippet" | grep -vE "$left_out" \
    >"$work/commands"
  grep -q '[^ ]' "$work/commands" || continue
  (cd "$work/tree" && timeout 900 sh -e "$work/commands") \
    >"$work/output" 2>"$work/errors" </dev/null
  result $? "$name" "a command failed: $(grep -E 'error|deps:|\*\*\*' "$work/errors" | head -n 1)"
  expected=${snippet%.sh}.text
  if [ -f "$expected" ]; then
    awk -f tests/same_output.awk "$expected" "$work/output"
    code=$?
    [ "$code" -eq 0 ] || diff "$expected" "$work/output" | sed 's/^/  | /'
    result "$code" "$name output" "differs from what the README shows"
  fi
done

[ -f README.md ] || result 1 README.md "is missing"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
