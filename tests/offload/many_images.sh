#!/bin/sh
# tests/offload/many_images.sh [FILE]: a library of 10,000 images, as DPC++ links it, is read without
# what is not asked for: with few instructions an image, as callgrind counts them, and without the
# images' own pages in memory. FILE is another library, whose figures are printed and not checked.
# shows offload 51
. "$(dirname "$0")/../checks.sh"
begin_checks
images=10000

# An image of two pages with one kernel and three property sets of four properties; strings are merged.
assembly() {
  awk -v n="$images" 'BEGIN {
    print ".section .rodata.str1.1,\"aMS\",@progbits,1"
    print "triple: .asciz \"spir64\"\nempty: .asciz \"\"\nkey: .asciz \"a_property_of_this_kernel\""
    print "set0: .asciz \"SYCL/device requirements\"\nset1: .asciz \"SYCL/misc properties\""
    print "set2: .asciz \"SYCL/kernel param opt\""
    for (i = 0; i < n; i++) printf "name%d: .asciz \"_ZTSN4sycl3_V16detail18RoundedRangeKernel%deE\"\n", i, i
    print ".section __CLANG_OFFLOAD_BUNDLE__sycl-spir64,\"a\",@progbits\n.balign 4096"
    for (i = 0; i < n; i++) printf "image%d: .long 0x07230203\n.zero 8188\n", i
    print "image" n ":"
    print ".section .tgtimg,\"aw\",@progbits"
    for (i = 0; i < n; i++) printf ".quad image%d, 8192\n", i
    print ".section .data.rel.ro,\"aw\",@progbits\n.balign 8"
    for (i = 0; i < n; i++) {
      printf "entry%d: .quad 0, name%d, 0, 0\n", i, i
      for (k = 0; k < 4; k++) printf "p%d_%d: .quad key, 0\n.long 1, 0\n.quad %d\n", i, k, k
      printf "p%d_4:\ns%d: .quad set0, p%d_0, p%d_2, set1, p%d_2, p%d_3, set2, p%d_3, p%d_4\n", i, i, i, i, i, i, i, i
      printf "s%d_end:\n", i
    }
    for (i = 0; i < n; i++) {
      printf ".short 3\n.byte 4, 2\n.long 0\n.quad triple, empty, empty, image%d, image%d\n", i, i + 1
      printf ".quad entry%d, entry%d + 32, s%d, s%d_end\n", i, i, i, i
    }
  }'
}

read_images() {
  "$work/many_images" "$file" "$1" >"$work/figures" || return
  cat "$work/figures"
  [ -z "$2" ] || return 0
  awk -v n="$images" '{ exit $1 != n || $3 >= 40000 }' "$work/figures"
}

# count read|add LIMIT: the instructions of an image.
count() {
  valgrind --tool=callgrind --collect-atstart=no --toggle-collect=read_images \
    --callgrind-out-file="$work/counts" "$work/many_images" "$file" "$1" >"$work/figures" || return
  instructions=$(awk 'NR == FNR { n = $1; next } /^(summary|totals):/ { t = $2 }
    END { print int(t / n) }' "$work/figures" "$work/counts")
  [ "$instructions" -gt 100 ] && [ "$instructions" -lt "$2" ]
}

file=${1:-$work/library.so}
if [ "$(uname -s) $(uname -m)" != 'Linux x86_64' ]; then
  skip "many_images: the library is one of x86-64 Linux"
elif ! "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -DNDEBUG -g -I. -o "$work/many_images" \
  tests/offload/embedded/many_images.c -lze_loader -ldl -pthread; then
  fail "many_images.c is compiled"
elif [ $# -eq 0 ] && ! { assembly >"$work/library.s" &&
  "${CC:-cc}" -shared -nostdlib -o "$file" "$work/library.s"; }; then
  fail "a library of $images images is linked"
else
  for what in read add; do
    check "$what: all images, with less than 40 MB resident" read_images "$what" "${1:+unchecked}"
    echo "$what: $(cat "$work/figures")"
    if ! command -v valgrind >/dev/null; then
      skip "$what: there is no valgrind"
      continue
    fi
    case $#$what in 0read) limit=2000 ;; 0add) limit=4700 ;; *) limit=1000000 ;; esac
    check "$what: less than $limit instructions an image" count "$what" "$limit"
    echo "$what: $instructions instructions an image"
  done
fi
end_checks
