#!/bin/sh
# tests/readme.sh [FILE...]: the examples of README.md, of the manual's pages and of the headers' first
# comments, or of these files: C and C++ compile, commands run and print what the page shows.
#
# Commands run in a copy of the tree, in the order of README.md and of the manual's table of contents,
# which has every page. Those that run these tests, fetch the repository, or change the whole machine
# are skipped, and so are installing and amalgamating, which tests/build/install.sh tests. A program
# whose first line names its file (`hello.c: ...`) stands in the tree under that name. The pages of the
# bindings are tests/bindings/pages.sh's.
# shows promises 74
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
# For commands of Open MPI.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
left_out='^ *(make (-s )?(-j[0-9]* )?(test|deps|amalgamate|install( |$))|PKG_CONFIG_PATH=|tests/deps|git |cd |sudo |apt)'
manual=syclze/manual
limit=10240
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/snippets" "$work/tree" "$work/precompiled/tests"
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

if [ $# -eq 0 ]; then
  pages=$(sed -n "s|^.*](\\([a-z_]*\\.md\\)).*|$manual/\\1|p" $manual/README.md)
  set -- README.md $pages $(find syclze -name '*.h' | sort)
  [ "$(printf '%s\n' $pages $manual/README.md | sort)" = "$(ls $manual/*.md | sort)" ]
  result $? "$manual/README.md" "does not list each page once"
  [ "$(wc -c <README.md)" -le $limit ]
  result $? README.md "is longer than $limit bytes"
  for example in $(cd examples && ls -d *.c */); do
    grep -q "^|.*\`$example\`.* |" $manual/examples.md
    result $? $manual/examples.md "does not have $example"
  done
  for page in README.md $manual/*.md; do
    for link in $(awk '/^```/ { fenced = !fenced } !fenced' "$page" | grep -o '](\([^)]*\))' | grep -v http | tr -d ']()'); do
      [ -e "$(dirname "$page")/$link" ]
      result $? "$page" "links to $link, which does not exist"
    done
  done
fi
awk -v folder="$work/snippets" -f tests/snippets.awk "$@"
# The driver and the examples are not built again.
tar -cf - --exclude=./.git --exclude=./build . | tar -xf - -C "$work/tree"
for built in build/debug/tests/zecl build/debug/libzecl.so build/debug/examples; do
  [ ! -e $built ] || tar -cf - $built | tar -xf - -C "$work/tree"
done

cc=${CC:-cc}
flags='-Wall -Wextra -Werror -Wno-unused -Wno-return-type'
"$cc" -std=c11 $flags -I. -x c-header tests/given.h -o "$work/precompiled/tests/given.h.gch"
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
  c) compiler=$cc standard=c11 ;;
  *) compiler=${CXX:-c++} standard=c++11 ;;
  esac
  "$compiler" -std=$standard $flags "-I$work/precompiled" -I. -fsyntax-only "$work/snippet.$suffix" \
    >"$work/output" 2>&1
  result $? "$name" "$(grep -m 1 -E 'error|warning' "$work/output")"
done

[ -f "$work/snippets/commands" ] || : >"$work/snippets/commands"
while read -r snippet; do
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
    result "$code" "$name output" "differs from what the page shows"
  fi
done <"$work/snippets/commands"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
