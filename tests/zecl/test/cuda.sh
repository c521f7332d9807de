#!/bin/sh
# What of the engine on CUDA needs CUDA's toolkit to check: the declarations against cuda.h, and the
# PTX of its own and of the tests by ptxas.
cd "$(dirname "$0")/../../.." || exit 1
. tests/checks.sh
begin_checks cuda "$PWD/build/cuda-toolkit"
PATH=$PATH:/usr/local/cuda/bin

declarations_are_cudas() {
  header=$(dirname "$(command -v nvcc)")/../include
  printf '%s\n' '#define ZECL_CUDA_HEADER' '#include "engine/cuda/driver.h"' \
    '#define SAME(name, symbol, parameters) _Static_assert(__builtin_types_compatible_p( \' \
    '    __typeof__(&symbol), CUresult(*) parameters), #symbol);' 'ZECL_CUDA_FUNCTIONS(SAME)' |
    "${CC:-cc}" -std=c11 -Itests/zecl -I"$header" -xc -c -o /dev/null -
}

numbers_are_cudas() {
  header=$(dirname "$(command -v nvcc)")/../include
  sed -n 's/^ *\(CU[A-Z_0-9]*\) = \([0-9]*\),*.*$/\1 \2/p;s/^enum { \(CU[A-Z_]*\) = \([0-9]*\).*$/\1 \2/p' \
    tests/zecl/engine/cuda/driver.h >"$work/numbers"
  { echo '#include <cuda.h>'; while read -r constant number; do
    echo "_Static_assert($constant == $number, \"$constant\");"; done <"$work/numbers"; } >"$work/numbers.c"
  [ "$(wc -l <"$work/numbers")" -gt 30 ] &&
    "${CC:-cc}" -std=c11 -I"$header" -c -o /dev/null "$work/numbers.c"
}

assembles() { ptxas -arch=sm_80 -o /dev/null "$1"; }

if command -v ptxas >/dev/null && command -v nvcc >/dev/null; then
  check "the declarations are those of cuda.h" declarations_are_cudas
  check "the numbers are those of cuda.h" numbers_are_cudas
  check "the clock is PTX" assembles tests/zecl/engine/cuda/clock.ptx
else
  skip "CUDA's toolkit is not installed"
fi
end_checks
