#!/bin/sh
# get_native is a load: each compiler compiles each of its functions, and the generic form, into a
# function that may contain loads and the return only.
set -u
cd "$(dirname "$0")/.." || exit 1
. tests/checks.sh
begin_checks

finish() {
  end_checks
  exit
}

case $(uname -m) in
x86_64) ;;
*) skip "disassembly: it reads the instructions of x86-64" && finish ;;
esac
command -v objdump >/dev/null || { skip "disassembly: objdump is not installed" && finish; }

kinds="platform device context queue event kernel_bundle kernel"
{
  echo '#include "syclze/syclze.h"'
  for kind in $kinds; do
    cat <<FUNCTIONS
__typeof__(syclze_${kind}_get_native((syclze_$kind){0})) plain_$kind(syclze_$kind object);
__typeof__(syclze_${kind}_get_native((syclze_$kind){0})) plain_$kind(syclze_$kind object) {
  return syclze_${kind}_get_native(object);
}
__typeof__(syclze_${kind}_get_native((syclze_$kind){0})) generic_$kind(syclze_$kind object);
__typeof__(syclze_${kind}_get_native((syclze_$kind){0})) generic_$kind(syclze_$kind object) {
  return syclze_get_native(object);
}
FUNCTIONS
  done
} >"$work/get_native.c"

# A function's instructions, one line, without the spellings in which assemblers differ, and without
# what stands behind the return to align the next function.
instructions() {
  objdump -d --no-show-raw-insn "$work/get_native.o" |
    awk -v name="<$1>:" '
      $2 == name { inside = 1; next }
      inside && /^ *[0-9a-f]+:/ {
        sub(/^ *[0-9a-f]+:[ \t]*/, "")
        sub(/^movq /, "mov "); sub(/^leaq /, "lea "); sub(/^retq/, "ret"); gsub(/[ \t]+/, " ")
        sub(/ $/, "")
        printf "%s; ", $0
        if (/^ret/) exit
      }'
}

# One load into the result's register, of two of them, or a load beside the address of the modules.
load='mov 0x[0-9a-f]+\(%rdi\),%[re][ad]x; '
first='mov (0x[0-9a-f]+)?\(%rdi\),%rax; '
expected() {
  case $1 in
  queue) echo "^($load){2}ret; $" ;;
  kernel_bundle) echo "^(${load}lea 0x[0-9a-f]+\(%rdi\),%rax; |lea 0x[0-9a-f]+\(%rdi\),%rax; $load)ret; $" ;;
  *) echo "^${first}ret; $" ;;
  esac
}

for compiler in gcc clang; do
  if ! command -v "$compiler" >/dev/null; then
    skip "$compiler: not installed"
    continue
  fi
  if ! "$compiler" -std=c11 -O2 -fcf-protection=none -I. -c -o "$work/get_native.o" \
    "$work/get_native.c"; then
    fail "$compiler: does not compile"
    continue
  fi
  for kind in $kinds; do
    for form in plain generic; do
      found=$(instructions "${form}_$kind")
      if echo "$found" | grep -qE "$(expected "$kind")"; then
        pass "$compiler ${form} get_native, $kind: $found"
      else
        fail "$compiler ${form} get_native, $kind: $found"
      fi
    done
  done
done
finish
