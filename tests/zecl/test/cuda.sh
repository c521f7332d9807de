#!/bin/sh
# Checks of the engine on CUDA by CUDA's toolkit: the declarations against cuda.h, and the
# PTX of its own and of the tests by ptxas.
cd "$(dirname "$0")/.." || exit 1
. test/harness/checks.sh
begin_checks cuda
PATH=$PATH:/usr/local/cuda/bin

declarations_are_cudas() {
  header=$(dirname "$(command -v nvcc)")/../include
  printf '%s\n' '#define ZECL_CUDA_HEADER' '#include "engine/cuda/driver.h"' \
    '#define SAME(name, symbol, parameters) _Static_assert(__builtin_types_compatible_p( \' \
    '    __typeof__(&symbol), CUresult(*) parameters), #symbol);' 'ZECL_CUDA_FUNCTIONS(SAME)' \
    'ZECL_CUDA_GRAPH_FUNCTIONS(SAME)' |
    "${CC:-cc}" -std=c11 -I. -I"$header" -xc -c -o /dev/null -
}

numbers_are_cudas() {
  header=$(dirname "$(command -v nvcc)")/../include
  sed -n 's/^ *\(CU[A-Z_0-9]*\) = \([0-9]*\),*.*$/\1 \2/p;s/^enum { \(CU[A-Z_]*\) = \([0-9]*\).*$/\1 \2/p' \
    engine/cuda/driver.h >"$work/numbers"
  { echo '#include <cuda.h>'; while read -r constant number; do
    echo "_Static_assert($constant == $number, \"$constant\");"; done <"$work/numbers"; } >"$work/numbers.c"
  [ "$(wc -l <"$work/numbers")" -gt 30 ] &&
    "${CC:-cc}" -std=c11 -I"$header" -c -o /dev/null "$work/numbers.c"
}

# The structures as the compiler lays them out, by both declarations.
layouts_are_cudas() {
  header=$(dirname "$(command -v nvcc)")/../include
  printf '%s\n' '#include "engine/cuda/driver.h"' '#include <stdio.h>' '#define AT(T, m) offsetof(T, m),' \
    'int main(void) { const size_t all[] = {sizeof(CUDA_MEMCPY3D), sizeof(CUDA_RESOURCE_DESC),' \
    'sizeof(CUDA_TEXTURE_DESC), sizeof(CUDA_ARRAY3D_DESCRIPTOR), AT(CUDA_MEMCPY3D, srcArray)' \
    'AT(CUDA_MEMCPY3D, dstXInBytes) AT(CUDA_MEMCPY3D, dstArray) AT(CUDA_MEMCPY3D, WidthInBytes)' \
    'AT(CUDA_RESOURCE_DESC, res) AT(CUDA_RESOURCE_DESC, flags) AT(CUDA_TEXTURE_DESC, filterMode)' \
    'AT(CUDA_TEXTURE_DESC, flags) AT(CUDA_TEXTURE_DESC, borderColor)' \
    'AT(CUDA_ARRAY3D_DESCRIPTOR, Format) AT(CUDA_ARRAY3D_DESCRIPTOR, Flags) sizeof(CUmemAllocationProp),' \
    'AT(CUmemAllocationProp, location) AT(CUmemAllocationProp, allocFlags) sizeof(CUmemAccessDesc),' \
    'sizeof(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC), AT(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, handle)' \
    'AT(CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC, flags) sizeof(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS),' \
    'AT(CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS, flags) sizeof(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS),' \
    'AT(CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS, flags)};' \
    'for (size_t i = 0; i < sizeof all / sizeof *all; i++) printf("%zu ", all[i]); }' >"$work/layout.c"
  for declared in -DOURS -DZECL_CUDA_HEADER; do
    "${CC:-cc}" -std=c11 $declared -I. -I"$header" -o "$work/layout" "$work/layout.c" &&
      "$work/layout" >"$work/layout$declared" || return 1
  done
  cmp "$work/layout-DOURS" "$work/layout-DZECL_CUDA_HEADER"
}

assembles() { ptxas -arch=sm_80 -o /dev/null "$1"; }

if command -v ptxas >/dev/null && command -v nvcc >/dev/null; then
  check "the declarations are those of cuda.h" declarations_are_cudas
  check "the numbers are those of cuda.h" numbers_are_cudas
  check "the structures are those of cuda.h" layouts_are_cudas
  check "the clock is PTX" assembles engine/cuda/clock.ptx
else
  skip "CUDA's toolkit is not installed"
fi
end_checks
