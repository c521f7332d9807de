#!/bin/bash
# cost.sh LIBRARY PROGRAMS PYTHON: instructions of one call in each language, by callgrind, on a loader
# that does nothing (bench/stub.c), of which LD_LIBRARY_PATH has the folder. PROGRAMS is a folder with
# cost_headers, cost_cxx, cost_library, cost_fortran, cost_rust and libmark.so. The table is the output;
# syclze.hpp must take at most a tenth more than the same calls of C in the same program.
cd "$(dirname "$0")/../../.." || exit 1
library=$1 programs=$2 python=$("$3" -c 'import sys; print(sys.executable)')
if ! command -v valgrind >/dev/null; then
  echo "skip cost: valgrind is not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
languages="headers cxx library"
for language in fortran rust; do
  [ ! -x "$programs/cost_$language" ] || languages+=" $language"
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export LD_BIND_NOW=1 PYTHONPATH=$library PYTHONDONTWRITEBYTECODE=1

count() { # NAME CALLS COMMAND...
  local name=$1 calls=$2
  shift 2
  valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file="$work/$name.out" "$@" \
    >"$work/$name.log" 2>&1 || tail -n 3 "$work/$name.log" >&2
  for file in "$work/$name.out".*; do
    awk -v name="$name" -v calls="$calls" '
      /^desc: Trigger: Client Request:/ { what = $NF }
      /^summary:/ { total = $2 }
      END { if (what != "") print name, what, int(total / calls + 0.5) }' "$file"
  done
}
{
  for language in $languages; do
    count "$language" 1000 "$programs/cost_$language"
  done
  count python 100 "$python" tests/bindings/cost/cost.py "$programs/libmark.so"
} >"$work/counts"
awk -v languages="$languages python" '
  { counts[$1, $2] = $3 }
  END {
    n = split(languages, order, " ")
    operations = split("get_native make_event fill launch group", operation, " ")
    printf "| |"
    for (i = 1; i <= n; i++) printf " %s |", order[i]
    printf "\n"
    for (o = 1; o <= operations; o++) {
      printf "| %s |", operation[o]
      for (i = 1; i <= n; i++) printf " %s |", counts[order[i], operation[o]]
      printf "\n"
      c = counts["cxx", "c_" operation[o]]
      cxx = counts["cxx", operation[o]]
      if (c == "" || cxx == "" || cxx > c * 1.1) {
        failed++
        print "FAIL cxx_costs_as_c: " operation[o] " takes " cxx " instructions, in C " c
      } else {
        passed++
        print "pass cxx_costs_as_c: " operation[o] ", " cxx " and " c " instructions"
      }
      for (i = 1; i <= n; i++) if (counts[order[i], operation[o]] == "") {
        failed++
        print "FAIL " order[i] " has no count of " operation[o]
      }
    }
    printf "%d passed, %d failed\n", passed, failed
    exit failed > 0
  }' "$work/counts"
