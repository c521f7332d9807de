#!/bin/sh
# The ways in which a project takes the library up: installed and found by pkg-config, CMake and
# Meson, or as a folder of its own sources. Each builds a program, which runs.
# shows promises 67
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS DESTDIR
. tests/checks.sh
begin_checks install "$(mktemp -u -p "$PWD/build" install.XXXXXX)"
# Another test makes the manual at the same time.
export man_pages=

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

for_windows() {
  printf '#!/bin/sh\necho x86_64-w64-mingw32\n' >"$work/cc" && chmod +x "$work/cc" &&
    make -s install prefix="$work/windows" CC="$work/cc" &&
    grep -x 'Libs: -lpthread' "$work/windows/share/pkgconfig/syclze.pc" &&
    grep -x 'Libs: -pthread -ldl' "$prefix/share/pkgconfig/syclze.pc"
}
check "the libraries of the system that is compiled for are in syclze.pc" for_windows

# A page of a function is a link to that of its header; members of structures have pages too.
manual() {
  mkdir -p "$work/pages" && echo '.so man3/queue.h.3' >"$work/pages/syclze_queue_wait.3" &&
    echo '.so man3/syclze_event_flag.3' >"$work/pages/SYCLZE_ABI.3" && echo page >"$work/pages/queue.h.3" &&
    echo '.so man3/queue.h.3' >"$work/pages/size.3" && echo '.so man3/noname' >"$work/pages/syclze_event_flag.3" &&
    make -s install prefix="$work/manual" man_pages="$work/pages" &&
    [ "$(cd "$work/manual/share/man/man3" && echo *)" = "SYCLZE_ABI.3 syclze_queue.h.3 syclze_queue_wait.3" ] &&
    grep -x '.so man3/syclze_queue.h.3' "$work/manual/share/man/man3/syclze_queue_wait.3"
}
check "man pages of public names, and of headers with the library's name" manual

removed() {
  cp -r "$work/manual" "$work/other" && : >"$work/other/include/mine.h" &&
    make -s uninstall prefix="$work/other" &&
    [ "$(find "$work/other" -type f)" = "$work/other/include/mine.h" ]
}
check "make uninstall removes what make install installed" removed

# Nothing is written either. The prefix of a name with a space is another folder of the user.
refuses_spaces() {
  mkdir "$work/my" && touch "$work/my/file" &&
    for target in install uninstall; do
      make -s "$target" prefix="$work/my tools" 2>&1 | grep 'must not have spaces' || return 1
      make -s "$target" prefix=/opt/syclze DESTDIR="$work/my stage" 2>&1 | grep 'must not have spaces' || return 1
    done && [ "$(find "$work/my"*)" = "$work/my
$work/my/file" ]
}
check "a prefix with a space is refused" refuses_spaces

readable() {
  (umask 077 && make -s install prefix="$work/mask" man_pages="$work/pages") &&
    [ -z "$(find "$work/mask" ! -perm -044)" ]
}
check "everybody may read what is installed, whatever the mask" readable

tools() {
  [ "$(package --variable=tools syclze)" = "$prefix/share/syclze" ] && mkdir -p "$work/tools" && gcc -std=c11 -I"$prefix/include" -o "$work/tools/split" "$prefix/share/syclze/split.c" &&
    gcc -std=c11 -I"$prefix/include" -o "$work/tools/pack" "$prefix/share/syclze/pack.c" &&
    printf 'include %s/share/syclze/offload.mk\nshow: ; @echo $(syclze_offload_include)\n' "$prefix" \
      >"$work/tools/Makefile" &&
    [ "$(make -s -C "$work/tools" show)" = "-I$prefix/share/syclze/../../include" ]
}
check "offload.mk and its tools, installed" tools

# A program with kernels of its own, each in an image of its own: without a device it knows their names.
cat >"$work/kernels.c" <<'SOURCE'
#include <syclze/syclze.h>
#include <syclze/offload/registry.h>
SYCLZE_DEFINE_SYCL_REGISTER
int main(void) {
  uint32_t images = 0, found = 0;
  syclze_offload_set set = syclze_offload_registered();
  syclze_offload_set_list(set, &images, NULL);
  syclze_offload_set_find(set, "axpy", &found, NULL);
  return images != 3 || found != 1;
}
SOURCE
has_kernel_compiler() {
  cp tests/offload/samples/two.cl "$work" && make -s -C "$work" -f "$PWD/syclze/offload/tools/kernels.mk" \
    OBJECT=kernels.o SOURCES=two.cl && rm -rf "$work/kernels.o" "$work/kernels.o.parts"
}

# The compiler makes no position-independent code by itself.
kernels_of_a_library() {
  make -s -C "$work" -f "$PWD/syclze/offload/tools/kernels.mk" OBJECT=library.o SOURCES=two.cl \
    CC="gcc -fno-pie -no-pie" && gcc -shared -o "$work/library.so" "$work/library.o"
}
if has_kernel_compiler >/dev/null 2>&1; then
  check "kernels of a shared library" kernels_of_a_library
else
  skip "kernels of a shared library: no compiler of OpenCL C is installed"
fi

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
mkdir -p "$work/repository" && cp -r CMakeLists.txt meson.build syclze "$work/repository"
if command -v cmake >/dev/null; then
  echo "find_package(syclze ${version%.*} REQUIRED)" | cmake_project found
  check "find_package" cmake_builds found "-DCMAKE_PREFIX_PATH=$prefix"
  echo "find_package(syclze 99 REQUIRED)" | cmake_project too_new
  refused() { ! cmake -S "$work/too_new" -B "$work/too_new/build" "-DCMAKE_PREFIX_PATH=$prefix"; }
  check "find_package of a version that is not there fails" refused
  echo 'add_subdirectory(third_party/syclze)' | cmake_project vendored
  mkdir -p "$work/vendored/third_party" && cp -r syclze "$work/vendored/third_party"
  check "add_subdirectory" cmake_builds vendored
  # The whole repository: without an install of its own in the project's.
  echo 'add_subdirectory(third_party/repository)' | cmake_project whole
  mkdir -p "$work/whole/third_party" && cp -r "$work/repository" "$work/whole/third_party"
  whole() { cmake_builds whole && [ ! -e "$work/whole.build/third_party/repository/syclze/syclze.pc" ]; }
  check "add_subdirectory of the whole repository" whole
  cmake_project fetched <<'CMAKE'
include(FetchContent)
FetchContent_Declare(syclze SOURCE_DIR none)
FetchContent_MakeAvailable(syclze)
CMAKE
  check "FetchContent" cmake_builds fetched "-DFETCHCONTENT_SOURCE_DIR_SYCLZE=$work/repository"
  if has_kernel_compiler >/dev/null 2>&1; then
    kernels_by_cmake() {
      mkdir -p "$work/kernels" && cp "$work/kernels.c" "$work/two.cl" "$work/kernels" || return
      {
        echo 'cmake_minimum_required(VERSION 3.15)'
        echo 'project(consumer LANGUAGES C)'
        echo "find_package(syclze ${version%.*} REQUIRED)"
        echo 'add_executable(program kernels.c)'
        echo 'target_link_libraries(program syclze::syclze)'
        echo 'syclze_add_kernels(program two.cl SPLIT kernel)'
      } >"$work/kernels/CMakeLists.txt"
      cmake -S "$work/kernels" -B "$work/kernels/build" "-DCMAKE_PREFIX_PATH=$prefix" &&
        cmake --build "$work/kernels/build" && "$work/kernels/build/program"
    }
    check "syclze_add_kernels" kernels_by_cmake
    refuses_a_space() {
      cp -r "$work/kernels" "$work/with space" && rm -rf "$work/with space/build" &&
        ! cmake -S "$work/with space" -B "$work/with space/build" "-DCMAKE_PREFIX_PATH=$prefix" >"$work/space.log" 2>&1 &&
        grep 'no folder with a space' "$work/space.log"
    }
    check "syclze_add_kernels says that it takes no folder with a space" refuses_a_space
  else
    skip "syclze_add_kernels: no compiler of OpenCL C is installed"
  fi
  by_cmake() {
    cmake -S "$1" -B "$work/own.$2" -DCMAKE_INSTALL_INCLUDEDIR=inc && cmake --install "$work/own.$2" --prefix "$work/by_cmake" &&
      same_headers "$work/by_cmake" && diff -r "$prefix/share/syclze" "$work/by_cmake/share/syclze" &&
      cmake_builds found "-Dsyclze_DIR=$work/by_cmake/share/cmake/syclze" &&
      [ "$(prefix=$work/by_cmake && package --variable=prefix syclze)" = "$work/by_cmake/share/pkgconfig/../.." ] &&
      (prefix=$work/by_cmake && by_package "gcc -std=c11" "$work/program.c" syclze &&
        by_package "gcc -std=c11" "$work/program.c" syclze-dynamic) && rm -rf "$work/by_cmake"
  }
  # Where the package, pkg-config and the tools look, whatever the folders of a distribution are.
  check "installed by CMake" by_cmake syclze folder
  check "installed by CMake, of the whole repository" by_cmake . repository
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
  meson_project whole_meson
  cp -r "$work/repository" "$work/whole_meson/subprojects/syclze" &&
    cp "$work/subproject/subprojects/syclze.wrap" "$work/whole_meson/subprojects"
  check "the whole repository as a Meson subproject" meson_builds whole_meson ""
  if has_kernel_compiler >/dev/null 2>&1; then
    kernels_by_meson() {
      mkdir -p "$work/kernels_by_meson" && cp "$work/kernels.c" "$work/two.cl" "$work/kernels_by_meson" &&
        cp -r "$work/subproject/subprojects" "$work/kernels_by_meson" || return
      cat >"$work/kernels_by_meson/meson.build" <<'MESON'
project('consumer', 'c', default_options: ['c_std=c11'])
kernels = subproject('syclze').get_variable('syclze_kernels')
executable('program', 'kernels.c', kernels.process('two.cl', extra_args: 'SPLIT=kernel'),
  dependencies: dependency('syclze'))
MESON
      meson setup "$work/kernels_by_meson/build" "$work/kernels_by_meson" &&
        ninja -C "$work/kernels_by_meson/build" && "$work/kernels_by_meson/build/program"
    }
    check "kernels of a Meson project" kernels_by_meson
  else
    skip "kernels of a Meson project: no compiler of OpenCL C is installed"
  fi
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
