#!/bin/sh
# loader.sh: builds loader.c, which is not linked with Level Zero's loader, in C and in C++, with bodies
# of its own and with the implementation elsewhere, and runs it without a loader, with functions of
# its own, and on the device that the environment selects.
# shows queues 20
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks loader

warnings="$(cat tests/warnings.txt) -Werror"
echo '#include "loader.c"' >"$work/loader.cpp"
{
  echo '#define SYCLZE_LOADER_DYNAMIC'
  echo '#include "syclze/implementation.h"'
  for header in syclze/trace/*.h; do
    echo "#include \"$header\""
  done
} >"$work/implementation.c"

# Unused functions of the library count too.
refers_to_no_function() {
  [ -f "$1" ] || return 1
  nm -u "$1" | grep -E ' U _?ze[A-Z]' && return 1
  ! readelf -d "$2" | grep NEEDED | grep ze_loader
}

runs() {
  timeout 900 "$work/program" "$1" >"$work/cases" 2>&1
  code=$?
  cat "$work/cases"
  [ $code -eq 0 ] && grep -q '^1 passed, 0 failed' "$work/cases"
}

# Two images that vendor the library, one that is linked with the loader, a loader of three drivers,
# and the linked loader under another name.
images() {
  gcc -std=c11 $warnings -O0 -I. -pthread -shared -fPIC -o "$work/one.so" tests/build/loader_image.c -ldl &&
    cp "$work/one.so" "$work/two.so" &&
    gcc -std=c11 $warnings -O0 -I. -pthread -shared -fPIC -DIMAGE_LINKED -o "$work/linked.so" \
      tests/build/loader_image.c -lze_loader -ldl &&
    cp "$(ldd "$work/linked.so" | awk '/libze_loader/ { print $3 }')" "$work/other.so" &&
    gcc -std=c11 $warnings -O0 -shared -fPIC -o "$work/fake.so" tests/build/loader_fake.c
}
check "images that vendor the library" images
export IMAGE_ONE="$work/one.so" IMAGE_TWO="$work/two.so" IMAGE_LINKED="$work/linked.so"
export FAKE_LOADER="$work/fake.so" OTHER_LOADER="$work/other.so"
check "a program of images" \
  gcc -std=c11 $warnings -g -O0 -I. -pthread -o "$work/program" tests/build/loader_images.c -ldl
check "two images" runs two_images
check "a linked loader and an opened one" runs a_linked_loader

# The files that `make trace-calls` makes.
names_are_made() {
  awk -f tests/build/loader_names.awk syclze/check.h syclze/trace/detail/ze_functions.h |
    cmp - syclze/loader_names.h
}
check "loader_names.h has all names" names_are_made

check "the implementation compiles" \
  gcc -std=c11 -g -O0 -I. -pthread -c -o "$work/implementation.o" "$work/implementation.c"

for build in "gcc -std=c11" "clang -std=c11" "g++ -std=c++11" "clang++ -std=c++11" \
  "gcc -std=c11 -DSYCLZE_DECLARATIONS" "g++ -std=c++11 -DSYCLZE_DECLARATIONS"; do
  compiler=${build%% *}
  command -v "$compiler" >/dev/null || {
    skip "$compiler is not installed"
    continue
  }
  case $compiler in *++) source=$work/loader.cpp ;; *) source=tests/build/loader.c ;; esac
  more=
  rm -f "$work/program" "$work/main.o"
  check "$build: compiles" $build $warnings -g -O0 -I. -Itests/build -pthread -c -o "$work/main.o" "$source"
  case $build in *DECLARATIONS) more=$work/implementation.o ;; esac
  check "$build: links without the loader" $compiler -pthread -o "$work/program" "$work/main.o" $more -ldl
  check "$build: refers to no function of Level Zero" \
    refers_to_no_function "${more:-$work/main.o}" "$work/program"
  check "$build: a loader that is missing" runs without_a_loader
  check "$build: functions of the application's" runs the_application_gives
  check "$build: functions that another thread gives" runs functions_that_are_given
  check "$build: a device" runs a_device
  check "$build: calls of the program's own" runs the_program_calls
  check "$build: a function that is missing" runs what_the_loader_lacks
  check "$build: a loader that is closed" runs closed_and_opened
done

check "gcc -fsanitize=thread: compiles" gcc -std=c11 $warnings -g -O0 -fsanitize=thread -I. -Itests/build -pthread \
  -o "$work/program" tests/build/loader.c -ldl
check "gcc -fsanitize=thread: a loader that is missing" runs without_a_loader

end_checks
