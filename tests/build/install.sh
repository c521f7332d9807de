#!/bin/sh
# The ways in which a project takes the library up: installed and found by pkg-config, CMake and
# Meson, or as a folder of its own sources. Each builds a program, which runs.
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS DESTDIR
. tests/checks.sh
begin_checks install "$(mktemp -u -p "$PWD/build" install.XXXXXX)"

prefix=$work/prefix
package() { PKG_CONFIG_PATH="$prefix/share/pkgconfig" pkg-config "$@"; }
version=$(sed -n 's/^.define SYCLZE_VERSION_[A-Z]* \([0-9]*\)$/\1/p' syclze/version.h | paste -s -d.)

# A program that calls the library: without a driver it enumerates none, without a loader it says so.
cat >"$work/program.c" <<'SOURCE'
#include <stdio.h>
#include <syclze/syclze.h>
int main(void) {
  uint32_t count = 0;
  ze_result_t result = syclze_platform_get(&count, NULL);
#ifdef SYCLZE_LOADER_DYNAMIC
  if (result != ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE) return 1;
#else
  if (result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE) return 1;
#endif
  printf("%d.%d.%d\n", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR, SYCLZE_VERSION_PATCH);
  return 0;
}
SOURCE
cp "$work/program.c" "$work/program.cpp"

runs() {
  [ "$(ZE_ENABLE_ALT_DRIVERS=none SYCLZE_LOADER=/no_such_loader.so timeout 900 "$1")" = "$version" ]
}

same_headers() {
  (cd syclze && find . -name '*.h' -o -name '*.hpp') | sort >"$work/expected"
  (cd "$1/include/syclze" && find . -type f) | sort >"$work/installed"
  diff "$work/expected" "$work/installed" &&
    while read -r header; do
      cmp "syclze/$header" "$1/include/syclze/$header" || return 1
    done <"$work/expected"
}

# by_package COMPILER SOURCE PACKAGE
by_package() {
  rm -f "$work/program"
  # Word splitting is meant: each word is an option.
  $1 -Wall -Wextra -Werror $(package --cflags "$3") -o "$work/program" "$2" $(package --libs "$3") &&
    runs "$work/program" && [ "$(package --modversion "$3")" = "$version" ]
}

check "make install" make -s install prefix="$prefix"
check "every header, and nothing else among them" same_headers "$prefix"
check "a program in C by pkg-config" by_package "gcc -std=c11" "$work/program.c" syclze
check "a program in C++ by pkg-config" by_package "g++ -std=c++11" "$work/program.cpp" syclze
check "a program without the loader by pkg-config" \
  by_package "gcc -std=c11" "$work/program.c" syclze-dynamic
no_loader() { ! package --libs syclze-dynamic | grep ze_loader && package --libs syclze | grep ze_loader; }
check "the loader is a library of one package only" no_loader

relative() {
  (cd "$work" && make -s -C "$OLDPWD" install prefix=build/install/relative) &&
    grep -x "prefix=$PWD/build/install/relative" build/install/relative/share/pkgconfig/syclze.pc
  code=$?
  rm -rf build/install/relative
  return $code
}
check "a relative prefix is made absolute" relative

staged() {
  make -s install prefix=/opt/syclze DESTDIR="$work/stage" && same_headers "$work/stage/opt/syclze" &&
    grep -x 'prefix=/opt/syclze' "$work/stage/opt/syclze/share/pkgconfig/syclze.pc"
}
check "DESTDIR is not in syclze.pc" staged

removed() {
  cp -r "$prefix" "$work/other" && : >"$work/other/include/mine.h" &&
    make -s uninstall prefix="$work/other" &&
    [ "$(find "$work/other" -type f)" = "$work/other/include/mine.h" ]
}
check "make uninstall removes what make install installed" removed

tools() {
  mkdir -p "$work/tools" && gcc -std=c11 -I"$prefix/include" -o "$work/tools/split" "$prefix/share/syclze/split.c" &&
    gcc -std=c11 -I"$prefix/include" -o "$work/tools/pack" "$prefix/share/syclze/pack.c" &&
    printf 'include %s/share/syclze/offload.mk\nshow: ; @echo $(syclze_offload_include)\n' "$prefix" \
      >"$work/tools/Makefile" &&
    [ "$(make -s -C "$work/tools" show)" = "-I$prefix/share/syclze/../../include" ]
}
check "offload.mk and its tools, installed" tools

# project NAME LINE...: a CMake project of the program, with the lines that find the library.
cmake_project() {
  mkdir -p "$work/$1"
  cp "$work/program.c" "$work/program.cpp" "$work/$1"
  {
    echo 'cmake_minimum_required(VERSION 3.15)'
    echo 'project(consumer LANGUAGES C CXX)'
    cat
    echo 'add_executable(in_c program.c)'
    echo 'add_executable(in_cpp program.cpp)'
    echo 'add_executable(dynamic program.c)'
    echo 'target_link_libraries(in_c syclze::syclze)'
    echo 'target_link_libraries(in_cpp syclze::syclze)'
    echo 'target_link_libraries(dynamic syclze::dynamic)'
    echo 'set_property(TARGET in_c dynamic PROPERTY C_STANDARD 11)'
  } >"$work/$1/CMakeLists.txt"
}
cmake_builds() {
  source=$work/$1 folder=$work/$1.build
  shift
  rm -rf "$folder"
  cmake -S "$source" -B "$folder" "$@" && cmake --build "$folder" && runs "$folder/in_c" &&
    runs "$folder/in_cpp" && runs "$folder/dynamic"
}
if command -v cmake >/dev/null; then
  echo "find_package(syclze ${version%.*} REQUIRED)" | cmake_project found
  check "find_package" cmake_builds found "-DCMAKE_PREFIX_PATH=$prefix"
  echo "find_package(syclze 99 REQUIRED)" | cmake_project too_new
  refused() { ! cmake -S "$work/too_new" -B "$work/too_new/build" "-DCMAKE_PREFIX_PATH=$prefix"; }
  check "find_package of a version that is not there fails" refused
  echo 'add_subdirectory(third_party/syclze)' | cmake_project vendored
  mkdir -p "$work/vendored/third_party" && cp -r syclze "$work/vendored/third_party"
  check "add_subdirectory" cmake_builds vendored
  by_cmake() {
    cmake -S syclze -B "$work/own" && cmake --install "$work/own" --prefix "$work/by_cmake" &&
      same_headers "$work/by_cmake" && diff -r "$prefix/share/syclze" "$work/by_cmake/share/syclze" &&
      cmake_builds found "-Dsyclze_DIR=$work/by_cmake/share/cmake/syclze"
  }
  check "installed by CMake" by_cmake
else
  skip "cmake is not installed"
fi

meson_project() {
  mkdir -p "$work/$1/subprojects"
  cp "$work/program.c" "$work/$1"
  cat >"$work/$1/meson.build" <<'MESON'
project('consumer', 'c', default_options: ['c_std=c11', 'warning_level=3', 'werror=true'])
executable('in_c', 'program.c', dependencies: dependency('syclze'))
executable('dynamic', 'program.c', dependencies: dependency('syclze-dynamic'))
MESON
}
meson_builds() {
  PKG_CONFIG_PATH=$2 meson setup "$work/$1/build" "$work/$1" && ninja -C "$work/$1/build" &&
    runs "$work/$1/build/in_c" && runs "$work/$1/build/dynamic"
}
if command -v meson >/dev/null; then
  meson_project by_pkg_config
  check "Meson by pkg-config" meson_builds by_pkg_config "$prefix/share/pkgconfig"
  meson_project subproject
  cp -r syclze "$work/subproject/subprojects"
  printf '%s\n' '[provide]' 'dependency_names = syclze, syclze-dynamic' >"$work/subproject/subprojects/syclze.wrap"
  sed -i '1i [wrap-file]\ndirectory = syclze' "$work/subproject/subprojects/syclze.wrap"
  check "a Meson subproject" meson_builds subproject ""
else
  skip "meson is not installed"
fi

# The library as one file: the objects, and everything.
single() {
  make -s amalgamate && mkdir -p "$work/single" && cp build/syclze.h build/syclze_all.h "$work/single" &&
    sed 's|<syclze/syclze.h>|"syclze.h"|' "$work/program.c" >"$work/single/program.c" &&
    sed 's|<syclze/syclze.h>|"syclze_all.h"|; s|^  uint32_t count = 0;|&\n  (void)syclze_offload_registered;\n  (void)syclze_group_begin;|' \
      "$work/program.c" >"$work/single/all.c" &&
    gcc -std=c11 -Wall -Wextra -o "$work/single/program" "$work/single/program.c" -lze_loader -ldl &&
    gcc -std=c11 -Wall -Wextra -DSYCLZE_WITH_TRACE_XPTI -DSYCLZE_WITH_TRACE_LEVEL_ZERO -DSYCLZE_WITH_TRACE_WRITER \
      -o "$work/single/all" "$work/single/all.c" -lze_loader -ldl -pthread &&
    runs "$work/single/program" && runs "$work/single/all"
}
check "the single headers, with no other file" single
says_what_it_lacks() { grep -m 1 'syclze_all.h' build/syclze.h; }
check "the single header says what it lacks" says_what_it_lacks

end_checks
