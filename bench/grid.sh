#!/bin/sh
# bench/grid.sh FOLDER [LIMITS]: counts each cell of the grid under callgrind, on a loader without and
# on one with the newer entry points, and what grows with the number of anything. Writes all cells to
# FOLDER/grid.txt, and prints what is over its formula, and what grows; with a folder of limits, what is
# over those, as tests print it. FOLDER holds what `make bench-ready` built. Ends with 1 when something
# is over its limit.
set -eu
folder=$1
limits=${2:-}
here=$(dirname "$0")
counts=$(mktemp -d)
trap 'rm -rf "$counts"' EXIT

# Counts what the program's arguments say on a loader. All symbols are bound before.
count() {
  loader=$1 file=$2
  shift 2
  LD_BIND_NOW=1 LD_LIBRARY_PATH=$folder/$loader valgrind -q --tool=callgrind --instr-atstart=no \
    --callgrind-out-file="$counts/$file" --combine-dumps=yes --dump-line=no --dump-instr=no \
    --compress-strings=no --compress-pos=no "$folder/grid" "$@" 2>"$counts/errors" || {
    cat "$counts/errors" >&2
    exit 1
  }
}

count older older
count newer newer
count newer growth -g
# The limits are of GCC 12: what other compilers make of the same source may take a fifth more.
case $("${CC:-cc}" -dumpversion) in 12) percent=100 ;; *) percent=120 ;; esac
failed=0
awk -v table="$folder/grid.txt" -v limits="${limits:+$limits/grid_limits.txt}" -v percent="$percent" \
  -f "$here/grid.awk" "$counts/older" "$counts/newer" || failed=1
awk -v limits="${limits:+$limits/growth_limits.txt}" -f "$here/growth.awk" "$counts/growth" || failed=1
exit $failed
