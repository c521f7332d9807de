#!/bin/bash
# tests/matrix/sources.sh COMPILERS INCLUDE...: checks that every source of the tree compiles against
# the ze_api.h of each folder, without a warning, with the newest gcc and the newest clang that there
# are: unpacked below COMPILERS (tests/unpack.sh), else the system's. A line for each compiler and
# folder. Sources whose headers are not installed are counted, and left out.
# shows promises 70
set -u
cd "$(dirname "$0")/../.." || exit 1
compilers=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
x86=usr/lib/x86_64-linux-gnu

# All of what a makefile of the tree gives to some of them.
flags="$(cat tests/warnings.txt) -Werror -I. -Itests/zecl -DCL_TARGET_OPENCL_VERSION=300
  -DSTUB_NEWER=1 -DGENERATION=1 -DTRACE_LIBRARIES=\"\""

# Files that must not compile, or compile with one compiler only.
sources=$(find bench examples syclze tests \( -name '*.c' -o -name '*.cpp' \) \
  ! -path 'tests/fail/*' ! -path 'tests/compile/*' ! -path 'tests/offload/samples/*' ! -path 'examples/fsycl/*' | sort)

# start_of ROOT: how a program of the unpacked root starts.
start_of() {
  echo "$1/$x86/ld-linux-x86-64.so.2 --library-path $1/$x86:$(ls -d "$1"/usr/lib/llvm-*/lib 2>/dev/null | paste -s -d:)"
}

# The system's headers come last: the root has those of its C library, and none of other packages.
headers_of() {
  echo "-isystem $1/usr/include/x86_64-linux-gnu -isystem $1/usr/include -idirafter /usr/include"
}

# Sets c and cxx, and what they are called.
choose_gcc() {
  local root own version
  c="gcc -fsyntax-only" cxx="g++ -fsyntax-only" name=$(gcc --version | head -n 1)
  for cc1 in $(ls "$compilers"/*/root/usr/libexec/gcc/x86_64-linux-gnu/*/cc1 2>/dev/null | sort -t/ -k9n); do
    root=$(cd "${cc1%%/root/*}/root" && pwd) version=$(basename "$(dirname "$cc1")")
    own="-isystem $root/usr/lib/gcc/x86_64-linux-gnu/$version/include $(headers_of "$root")"
    c="$(start_of "$root") $root/${cc1##*/root/} -quiet -fsyntax-only -o /dev/null $own" name="gcc $version"
    cxx="$(start_of "$root") $root/${cc1##*/root/}plus -quiet -fsyntax-only -o /dev/null -D_GNU_SOURCE -isystem $root/usr/include/c++/$version
      -isystem $root/usr/include/x86_64-linux-gnu/c++/$version $own"
  done
}

choose_clang() {
  local root own version
  c="clang -fsyntax-only" cxx="clang++ -fsyntax-only" name=$(clang --version | head -n 1)
  for clang in $(ls "$compilers"/*/root/usr/lib/llvm-*/bin/clang 2>/dev/null | sort -V); do
    root=$(cd "${clang%%/root/*}/root" && pwd) name=clang-${clang##*/llvm-} name=${name%%/*}
    version=$(ls "$root/usr/include/c++" | sort -V | tail -n 1)
    own="-resource-dir $(ls -d "$root"/usr/lib/llvm-*/lib/clang/* | sort -V | tail -n 1) -nostdlibinc"
    c="$(start_of "$root") $root/${clang##*/root/} -fsyntax-only $own $(headers_of "$root")"
    cxx="$(start_of "$root") $root/${clang##*/root/} -fsyntax-only -nostdinc++ $own
      -isystem $root/usr/include/c++/$version -isystem $root/usr/include/x86_64-linux-gnu/c++/$version
      $(headers_of "$root")"
  done
}

cat >"$work/one" <<'ONE'
case $1 in
*.cpp) command="$cxx -std=c++17" ;;
*) command="$c -std=c11 -Wstrict-prototypes -D_GNU_SOURCE=" ;;
esac
$command -isystem "$include" $flags "$1" >"$work/output.$$" 2>&1 && rm "$work/output.$$" && exit
if grep -qE "fatal error: '?(sycl/sycl|ur_print|mpi|xpti[^ ]*|CL/[a-z_]*|zlib|zstd)\.hp?p?'?[: ]" "$work/output.$$"; then
  mv "$work/output.$$" "$work/left.$$"
fi
ONE
export work flags c cxx include

passed=0 failed=0
for choose in choose_gcc choose_clang; do
  command -v "${choose#choose_}" >/dev/null || continue
  $choose
  for include; do
    rm -f "$work"/output.* "$work"/left.*
    echo "$sources" | xargs -P "$(nproc)" -n 1 sh "$work/one"
    what="$name, ${include%/root/usr/include}: $(echo "$sources" | wc -l) sources, $(ls "$work" | grep -c '^left') left out"
    if cat "$work"/output.* >"$work/wrong" 2>/dev/null; then
      failed=$((failed + 1))
      echo "FAIL $what"
      grep -E 'error' "$work/wrong" | sort -u | head -n "${SHOW:-10}"
    else
      passed=$((passed + 1))
      echo "pass $what"
    fi
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
