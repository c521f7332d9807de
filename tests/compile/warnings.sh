#!/bin/bash
# The headers, given by -I, under the warnings of strict host projects: every public header with its
# bodies, and a call of each function that is inlined. They are optimised, since some warnings come of
# the flow of values; GCC compiles them as in debug builds too, where constants do not flow. A line
# for each compiler and standard.
# tests/compile/warnings.sh [FOLDER...]: besides the system's compilers, those that are unpacked in the
# folders (tests/unpack.sh).
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wnull-dereference -Wundef -Wcast-qual"
of_c="-Wstrict-prototypes -Wdeclaration-after-statement -Wbad-function-cast"
of_gcc="-Wmaybe-uninitialized"

public=$(ls syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h)
{
  echo '#include "syclze/implementation.h"'
  for header in $public; do echo "#include \"$header\""; done
  python3 tests/build/contracts.py --calls $public
} >"$work/calls.c" || exit 1
cat >>"$work/calls.c" <<'SOURCE'
ze_result_t launches(syclze_queue queue, syclze_kernel kernel, syclze_buffer buffer, syclze_event *event);
ze_result_t launches(syclze_queue queue, syclze_kernel kernel, syclze_buffer buffer, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor x = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  syclze_nd_range range;
  memset(&range, 0, sizeof range);
  range.global[0] = 1;
  if (syclze_launch(&group, kernel, &range, event, syclze_arg(syclze_require(&group, buffer, SYCLZE_ACCESS_READ))))
    return ZE_RESULT_ERROR_UNKNOWN;
  return syclze_launch(&group, kernel, &range, event, syclze_arg(x), syclze_arg(2.0f));
}
struct large {
  float of[20];
};
syclze_argument large_argument(struct large value);
syclze_argument large_argument(struct large value) {
  return syclze_arg(value);
}
ze_result_t wraps(ze_event_handle_t handle, syclze_context context, syclze_event *event);
ze_result_t wraps(ze_event_handle_t handle, syclze_context context, syclze_event *event) {
  syclze_event_input input = {handle, SYCLZE_OWNERSHIP_KEEP};
  return syclze_make_native(&input, context, event);
}
SOURCE
cp "$work/calls.c" "$work/calls.cpp"

# compile NAME SUFFIX COMMAND...: the source with the suffix, at the level.
level=-O2
compile() {
  name=$1 suffix=$2
  shift 2
  "$@" "$level" -I. "$work/calls.$suffix" -o /dev/null >"$work/output" 2>&1 ||
    echo "error: exit code $?" >>"$work/output"
  if grep -qE 'warning:|error:' "$work/output"; then
    failed=$((failed + 1))
    echo "FAIL $name: $(grep -cE 'warning:|error:' "$work/output"): $(grep -m 1 -E 'warning:|error:' "$work/output" | sed "s|$work/||")"
    grep -E 'warning:|error:' "$work/output" | sed "s|$work/||" | sort -u | head -n "${SHOW:-0}"
  else
    passed=$((passed + 1))
    echo "pass $name"
  fi
}

# The system's own, at one standard; run.sh tries the others with what needs no optimisation.
for compiler in "gcc -std=c11 -S" "clang -std=c11 -fsyntax-only" "g++ -std=c++11 -S" \
  "clang++ -std=c++11 -fsyntax-only"; do
  command -v ${compiler%% *} >/dev/null || { skipped=$((skipped + 1)); echo "skip $compiler"; continue; }
  case $compiler in
  g++*) compile "$compiler" cpp $compiler $warnings $of_gcc ;;
  g*) compile "$compiler" c $compiler $warnings $of_c $of_gcc ;;
  *++*) compile "$compiler" cpp $compiler $warnings ;;
  *) compile "$compiler" c $compiler $warnings $of_c ;;
  esac
  case $compiler in g*) ;; *) continue ;; esac
  level=-O0
  case $compiler in
  *++*) compile "$compiler -O0" cpp $compiler $warnings ;;
  *) compile "$compiler -O0" c $compiler $warnings $of_c ;;
  esac
  level=-O2
done

# MinGW, with Level Zero and nothing else of this system; the flow of values is that of gcc above.
ze_api=$(echo '#include <level_zero/ze_api.h>' | "${CC:-cc}" -M -E - | grep -o '/[^ ]*/ze_api.h')
mkdir -p "$work/mingw" && ln -sfn "$(dirname "$ze_api")" "$work/mingw/level_zero"
for compiler in $(command -v x86_64-w64-mingw32-gcc x86_64-w64-mingw32-g++); do
  case $compiler in
  *gcc) compile "$(basename "$compiler")" c "$compiler" -std=c11 -fsyntax-only $warnings $of_c -isystem "$work/mingw" ;;
  *) compile "$(basename "$compiler")" cpp "$compiler" -std=c++11 -fsyntax-only $warnings -isystem "$work/mingw" ;;
  esac
done

# Unpacked ones, started with the C library of their release.
for folder; do
  [ -e "$folder/root" ] || continue
  root=$(cd "$folder/root" && pwd)
  libraries=$root/usr/lib/x86_64-linux-gnu
  start=("$(ls "$libraries"/ld-linux-x86-64.so.2 "$root"/lib64/ld-linux-x86-64.so.2 2>/dev/null | head -n 1)"
    --library-path "$libraries:$(ls -d "$root"/usr/lib/llvm-*/lib 2>/dev/null | paste -s -d:)")
  system="-isystem $root/usr/include/x86_64-linux-gnu -isystem $root/usr/include"
  for cc1 in "$root"/usr/libexec/gcc/x86_64-linux-gnu/*/cc1; do
    [ -e "$cc1" ] || continue
    version=$(basename "$(dirname "$cc1")")
    own="-isystem $root/usr/lib/gcc/x86_64-linux-gnu/$version/include"
    cpp="-isystem $root/usr/include/c++/$version -isystem $root/usr/include/x86_64-linux-gnu/c++/$version"
    for standard in c11 c17 c23; do
      compile "gcc $version -std=$standard" c "${start[@]}" "$cc1" -quiet -std=$standard $warnings $of_c $of_gcc $own $system
    done
    for standard in c++11 c++17 c++23; do
      compile "g++ $version -std=$standard" cpp "${start[@]}" "${cc1}plus" -quiet -D_GNU_SOURCE -std=$standard $warnings $of_gcc $cpp $own $system
    done
  done
  for clang in "$root"/usr/lib/llvm-*/bin/clang; do
    [ -e "$clang" ] || continue
    version=$(basename "$(dirname "$(dirname "$clang")")")
    own="-resource-dir $(ls -d "$root"/usr/lib/llvm-*/lib/clang/* | head -n 1)"
    cpp=$(ls -d "$root"/usr/include/c++/* | sort -V | tail -n 1)
    cpp="-isystem $cpp -isystem $root/usr/include/x86_64-linux-gnu/c++/$(basename "$cpp")"
    for standard in c11 c17 c23; do
      compile "clang of $version -std=$standard" c "${start[@]}" "$clang" $own -nostdlibinc $system -std=$standard $warnings $of_c -S
    done
    for standard in c++11 c++17 c++23; do
      compile "clang++ of $version -std=$standard" cpp "${start[@]}" "$clang" $own -nostdinc++ -nostdlibinc $cpp $system -std=$standard $warnings -S
    done
  done
done

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
