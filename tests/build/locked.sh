#!/bin/sh
# locked.sh: the count of locked instructions (bench/instructions.sh) on a program whose own are known.
# shows queues 15
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks locked
if [ "$(uname -m)" != x86_64 ] || ! command -v valgrind >/dev/null; then
  skip "it takes valgrind, and the instructions of x86-64"
  end_checks
  exit
fi

# library OPTION NAME: for both loaders' runs.
library() {
  $cc -D"$1" -shared -Wl,-soname,"$2" -o "$work/older/$2" && cp "$work/older/$2" "$work/newer"
}

built() {
  mkdir "$work/older" "$work/newer" && library IS_LOADER libze_loader.so.1 &&
    library IS_LIBRARY libother.so && $cc -o "$work/bench" "$work"/older/*.so*
}

# found NAME LOCKED LIMIT: on both loaders.
found() {
  [ "$2" -le "$3" ] && word=pass || word=FAIL
  for loader in older newer; do
    grep -Fxq "$word locked: $1, $loader loader, $2 of $3" "$work/results" || return
  done
}

cc="${CC:-cc} -O1 -fPIC tests/build/locked.c"
check "the program is built" built
check "an operation over its budget is a failure" sh -c \
  "! bench/instructions.sh '$work' -t >'$work/results'"
for operation in nothing store registers prefix_left_out instruction_left_out loader; do
  check "$operation: none" found $operation 0 0
done
for operation in addition exchange comparison fence other_library; do
  check "$operation: one" found $operation 1 1
done
check "one here and one in another library" found two 2 2
check "less those of the calls by hand" found "two beside one" 1 1
check "over" found over 2 1
check "as many as it may have" found "within both" 1 1
check "two rows are over, each on both loaders" \
  [ "$(grep -c ^FAIL "$work/results")" -eq 4 ]
bench/instructions.sh "$work" >"$work/table"
check "the rows over their budgets are marked" \
  [ "$(sed -n 's/  .*OVER$//p' "$work/table" | tr '\n' ,)" = "over,over in instructions," ]
end_checks
