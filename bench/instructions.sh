#!/bin/sh
# bench/instructions.sh FOLDER [-t]: counts the instructions of each operation under callgrind, on a
# loader without and on one with the newer entry points, and among them those that lock the bus; and
# prints a table; with -t the budgets alone, as tests print them. FOLDER holds what `make
# bench-ready` built. Ends with 1 when something is over its budget.
set -eu
folder=$1
here=$(dirname "$0")
tests=0
[ "${2:-}" != -t ] || tests=1
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT

# Bind all symbols before counting.
for loader in older newer; do
  LD_BIND_NOW=1 LD_LIBRARY_PATH=$folder/$loader valgrind -q --tool=callgrind \
    --callgrind-out-file="$counts/$loader" --combine-dumps=yes --dump-line=no --dump-instr=yes \
    --compress-strings=no --compress-pos=no "$folder/bench" -i 2>"$counts/errors" || {
    cat "$counts/errors" >&2
    exit 1
  }
done
# Callgrind's addresses are those of the disassembly.
sed -n 's/^ob=//p' "$counts/older" "$counts/newer" | sort -u | grep -v libze_loader |
  while IFS= read -r object; do
    [ ! -f "$object" ] || objdump -d --no-show-raw-insn "$object" |
      awk -v object="$object" -f "$here/locked.awk"
  done >"$counts/locked"
# The budgets are of GCC 12: what other compilers make of the same source may take a fifth more.
case $("${CC:-cc}" -dumpversion) in 12) percent=100 ;; *) percent=120 ;; esac
awk -v tests="$tests" -v percent="$percent" -v locked="$counts/locked" -f "$here/instructions.awk" \
  "$counts/older" "$counts/newer"
