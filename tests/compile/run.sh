#!/bin/bash
# Compiles every header of syclze/, and the single header, with every installed compiler in the first
# and the last standard; links and runs programs of two files. One line for each compiler and standard.
# build/syclze.h must exist: `make test-compile` builds it.
#
# ZE_HEADERS="dir1 dir2" names further folders that hold a level_zero/ze_api.h to compile against.
# shows promises 69
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Besides, what strict host projects ask for; the rest of that needs optimisation (warnings.sh).
warnings="$(cat tests/warnings.txt) -Wundef -Wcast-qual -Werror"
export work warnings

find syclze -name '*.h' | sort >"$work/headers"
echo build/syclze.h >>"$work/headers"

# The sources. alone: each header before all else, and twice; whether it has what it needs does not
# depend on the compiler. cpp: the same, once, for those with parts for C++. order: all headers
# together, in both orders, but for one that must come early. all: the same after Level Zero's, for
# every compiler and standard. A source needs a declaration, which a header need not have.
mkdir "$work/alone" "$work/cpp" "$work/order" "$work/all"
source_of() { { cat; echo 'typedef int declaration;'; } >"$work/$1.c"; }
while read -r header; do
  printf '#include "%s"\n' "$header" "$header" | source_of "alone/${header//\//_}"
done <"$work/headers"
grep -l __cplusplus $(cat "$work/headers") build/syclze_all.h | while read -r header; do
  printf '#include "%s"\n' "$header" | source_of "cpp/${header//\//_}"
done
sed '/implementation/d; s/.*/#include "&"/' "$work/headers" | source_of order/forward
sed '/trace.current/d; s/.*/#include "&"/' "$work/headers" | tac | source_of order/backward
{ echo '#include <level_zero/ze_api.h>' && sed 's/.*/#include "&"/' "$work/headers"; } |
  source_of all/after_ze

# MinGW, where it is installed, gets a folder with Level Zero and nothing else of this system in it.
ze_api=$(echo '#include <level_zero/ze_api.h>' | "${CC:-cc}" -M -E - | grep -o '/[^ ]*/ze_api.h')
mkdir "$work/mingw" && ln -s "$(dirname "$ze_api")" "$work/mingw/level_zero"
msvc=$(tests/windows/msvc.sh "$work/msvc")

# Each line: a script, and what it compiles with.
{
  of_c="-Wstrict-prototypes -Wdeclaration-after-statement"
  echo "headers alone,order,all gcc -std=c11 $of_c"
  echo "headers all clang -std=c11 $of_c"
  echo "headers order,all clang -std=c11 -DSYCLZE__INVARIANTS=1 -Wthread-safety $of_c"
  echo "headers all g++ -std=c++11 -DSYCLZE__INVARIANTS=1 -x c++"
  echo "headers cpp,order,all g++ -std=c++11 -x c++"
  echo "headers order,all clang++ -std=c++11 -x c++"
  for compiler in gcc clang; do
    for standard in c2x gnu11; do echo "headers all $compiler -std=$standard $of_c"; done
    for folder in ${ZE_HEADERS:-}; do
      echo "headers all $compiler -std=c11 $of_c -isystem $folder"
    done
  done
  for compiler in g++ clang++; do
    echo "headers all $compiler -std=c++20 -x c++"
    echo "headers all $compiler -std=c++17 -fno-exceptions -fno-rtti -x c++"
    for folder in ${ZE_HEADERS:-}; do
      echo "headers all $compiler -std=c++11 -isystem $folder -x c++"
    done
  done
  for compiler in $(command -v x86_64-w64-mingw32-gcc x86_64-w64-mingw32-g++); do
    case $compiler in
    *gcc) echo "headers all $compiler -std=c11 $of_c -isystem $work/mingw" ;;
    *g++) echo "headers all $compiler -std=c++11 -isystem $work/mingw -x c++" ;;
    esac
  done
  # Rows of clang-cl.
  if [ -n "$msvc" ]; then
    echo "headers all clang -std=c11 $of_c $msvc"
    echo "headers all clang -std=c17 -DSYCLZE__INVARIANTS=1 $msvc"
    echo "headers all clang++ -std=c++14 $msvc -x c++"
  fi
  echo "program syclze/syclze.h gcc -std=c11 g++ -std=c++11 -O2"
  echo "program syclze/syclze.h clang -std=c11 clang++ -std=c++11 -O2"
  for header in syclze/syclze.h build/syclze.h; do
    echo "program $header clang -std=c17 clang++ -std=c++20 -O0"
    echo "program $header clang -std=c11 g++ -std=c++17 -O0"
  done
  echo "program $work/order/forward.c gcc -std=c2x clang++ -std=c++14 -O0"
} | xargs -P 2 -L 1 sh -c '"tests/compile/$0.sh" "$@"' >"$work/results"

[ -n "$msvc" ] || echo "skip headers for MSVC: no headers of Windows are installed" >>"$work/results"
sed -i "s|$work/\(order/\)*||g" "$work/results"
cat "$work/results"
awk '/^pass /{p++} /^FAIL /{f++} /^skip /{s++}
  END { printf "%d passed, %d failed%s\n", p, f, s ? ", " s " skipped" : ""; exit f > 0 || !p }' \
  "$work/results"
