#!/bin/sh
# program.sh HEADER CC C_STANDARD CXX CXX_STANDARD OPTION: links a program of one file in C and one
# in C++ that both include the header, and runs it: with bodies in both, and in the C file only, which
# tests/build/linkage.sh tries with the compilers of one family. The bodies of all headers are not
# optimised: warnings.sh and tests/build/guest.sh do that.
header=$1 cc=$2 c_standard=$3 cxx=$4 cxx_standard=$5 option=$6
name=$*
for compiler in "$cc" "$cxx"; do
  command -v "$compiler" >/dev/null || { echo "skip $name: no $compiler"; exit 0; }
done
folder=$(mktemp -d "$work/programXXXXXX")
# mode LEVEL_OF_C OPTIONS_OF_C OPTIONS_OF_C++
mode() {
  "$cc" "$c_standard" $1 $2 $warnings -Wstrict-prototypes -I. "-DHEADER=\"$header\"" -pthread \
    -c -o "$folder/c.o" tests/compile/two.c &&
    "$cxx" "$cxx_standard" $option $3 $warnings -I. "-DHEADER=\"$header\"" -pthread \
      -c -o "$folder/cpp.o" tests/compile/two.cpp &&
    "$cxx" -pthread -o "$folder/program" "$folder/c.o" "$folder/cpp.o" -lze_loader -ldl &&
    timeout 900 "$folder/program"
}
one=-DSYCLZE_DECLARATIONS
case $header in
build/*) implementation="-DSYCLZE_IMPLEMENTATION" ;;
*) implementation="-include syclze/implementation.h" ;;
esac
{ mode "$option" && { [ "$option" = -O2 ] || mode -O0 "$one $implementation" $one; }; } >"$folder/output" 2>&1 && echo "pass $name" ||
  echo "FAIL $name: $(grep -m 1 -E 'error|warning|undefined|multiple|differ' "$folder/output")"
