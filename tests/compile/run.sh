#!/bin/bash
# Compiles every header of syclze/, and the single header, with every installed compiler and every
# standard; links and runs programs of two files. One line for each compiler and standard.
# build/syclze.h must exist: `make test-compile` builds it.
#
# ZE_HEADERS="dir1 dir2" names further folders that hold a level_zero/ze_api.h to compile against.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Besides, what strict host projects ask for; the rest of that needs optimisation (warnings.sh).
warnings="$(cat tests/warnings.txt) -Wundef -Wcast-qual -Werror"
export work warnings

find syclze -name '*.h' | sort >"$work/headers"
echo build/syclze.h >>"$work/headers"

# Sources for every standard: each public header alone and all headers together; and those for which
# one standard of a compiler is enough, since they try the order of includes: each header first,
# twice, and after Level Zero's. A source needs a declaration, which a header need not have.
mkdir "$work/every" "$work/once"
source_of() { { cat; echo 'typedef int declaration;'; } >"$work/$1.c"; }
while read -r header; do
  name=${header//\//_}
  printf '#include "%s"\n' "$header" "$header" | source_of "once/twice_$name"
  printf '#include <level_zero/ze_api.h>\n#include "%s"\n' "$header" | source_of "once/after_ze_$name"
done <"$work/headers"
for header in syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h build/syclze*.h; do
  printf '#include "%s"\n' "$header" | source_of "every/alone_${header//\//_}"
done
sed 's/.*/#include "&"/' "$work/headers" | source_of every/all_forward
sed 's/.*/#include "&"/' "$work/headers" | tac | source_of every/all_backward

# MinGW, where it is installed, gets a folder with Level Zero and nothing else of this system in it.
ze_api=$(echo '#include <level_zero/ze_api.h>' | "${CC:-cc}" -M -E - | grep -o '/[^ ]*/ze_api.h')
mkdir "$work/mingw" && ln -s "$(dirname "$ze_api")" "$work/mingw/level_zero"

# Each line: a script, and what it compiles with.
{
  for compiler in gcc clang; do
    echo "headers * $compiler -std=c11 -Wstrict-prototypes -Wdeclaration-after-statement"
    for standard in c17 c2x gnu11; do
      echo "headers every $compiler -std=$standard -Wstrict-prototypes -Wdeclaration-after-statement"
    done
    for folder in ${ZE_HEADERS:-}; do
      echo "headers every $compiler -std=c11 -Wstrict-prototypes -Wdeclaration-after-statement -isystem $folder"
    done
  done
  for compiler in g++ clang++; do
    echo "headers * $compiler -std=c++11 -x c++"
    for standard in c++14 c++17 c++20; do
      echo "headers every $compiler -std=$standard -x c++"
    done
    echo "headers every $compiler -std=c++17 -fno-exceptions -fno-rtti -x c++"
    for folder in ${ZE_HEADERS:-}; do
      echo "headers every $compiler -std=c++11 -isystem $folder -x c++"
    done
  done
  for compiler in $(command -v x86_64-w64-mingw32-gcc x86_64-w64-mingw32-g++); do
    case $compiler in
    *gcc) echo "headers every $compiler -std=c11 -Wstrict-prototypes -Wdeclaration-after-statement -isystem $work/mingw" ;;
    *g++) echo "headers every $compiler -std=c++11 -isystem $work/mingw -x c++" ;;
    esac
  done
  for header in syclze/syclze.h build/syclze.h "$work/every/all_forward.c"; do
    echo "program $header gcc -std=c11 g++ -std=c++11 -O2"
    echo "program $header clang -std=c17 clang++ -std=c++20 -O0"
    echo "program $header gcc -std=c2x clang++ -std=c++14 -O2"
    echo "program $header clang -std=c11 g++ -std=c++17 -Os"
  done
} | xargs -P 2 -L 1 sh -c '"tests/compile/$0.sh" "$@"' >"$work/results"

sed -i "s|$work/\(every/\)*||g" "$work/results"
cat "$work/results"
awk '/^pass /{p++} /^FAIL /{f++} /^skip /{s++}
  END { printf "%d passed, %d failed%s\n", p, f, s ? ", " s " skipped" : ""; exit f > 0 || !p }' \
  "$work/results"
