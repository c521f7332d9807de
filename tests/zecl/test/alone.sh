#!/bin/sh
# Copies zecl to an empty folder, builds, tests and installs it there, and runs a program on it that
# knows nothing of this repository.
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS ZE_ENABLE_ALT_DRIVERS
. test/harness/checks.sh
begin_checks zecl
alone=$work/alone prefix=$work/usr

copy() { cp -r . "$alone" && rm -rf "$alone/build"; }

# Fast to build, whatever flags the tests around this have.
by_make() { make -s -C "$alone" CFLAGS=-O0 LDFLAGS= only=test/driver "$@"; }

runs_a_test() { by_make test | tee "$work/test" && grep -q '^[1-9][0-9]* passed, 0 failed' "$work/test"; }

printed_line() { by_make install prefix="$prefix" | tail -n 1 | tee "$work/line"; }

build_program() {
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -o "$work/plain" test/alone/plain.c -lze_loader
}

# Elsewhere than in the copy, with no more than the line that was printed.
run_program() {
  (cd / && env "$(cat "$work/line")" "$work/plain" "$saxpy") | grep '^zecl on .*: 0 of'
}

build_native_module() {
  printf '%s\n' '#include <zecl_native.h>' \
    'static void none(void *const *a, const zecl_native_range *r) { (void)a; (void)r; }' \
    'const zecl_native_kernel zecl_kernels[] = {{.name = "none", .function = none}, {0}};' |
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I"$prefix/include" -fPIC -shared -xc - \
      -o "$work/native.so"
}

staged() {
  by_make install prefix=/opt/zecl DESTDIR="$work/stage" >"$work/staged" &&
    [ "$(tail -n 1 "$work/staged")" = ZE_ENABLE_ALT_DRIVERS=/opt/zecl/lib/libzecl.so ] &&
    cmp "$work/stage/opt/zecl/lib/libzecl.so" "$prefix/lib/libzecl.so"
}

# Compilers and flags are the builder's.
honours_flags() {
  make -n -B -C "$alone" CC=some-compiler CPPFLAGS=-DA CFLAGS=-Os LDFLAGS=-Wl,-s >"$work/dry" &&
    grep -q 'some-compiler .*-DA -Os -c .*driver\.o' "$work/dry" &&
    grep -q -e '-Os -Wl,-s -lOpenCL' "$work/dry" && ! grep -qw cc "$work/dry"
}

links_lead_to_files() {
  grep -oE '\]\([^)#]+' README.md doc/*.md | sed 's/](//' | while IFS=: read -r page link; do
    [ -e "$(dirname "$page")/$link" ] || echo "$page: FAIL, no file $link"
  done >"$work/dead" && cat "$work/dead" && [ ! -s "$work/dead" ]
}

is_up_to_date() { by_make all | tee "$work/again" && [ ! -s "$work/again" ]; }

nothing_left() {
  by_make uninstall prefix="$prefix" && by_make uninstall prefix=/opt/zecl DESTDIR="$work/stage" &&
    [ -z "$(find "$prefix" "$work/stage" ! -type d)" ] && by_make clean && [ ! -e "$alone/build" ]
}

saxpy=$PWD/test/kernels/saxpy.spv
copy || exit 1
check "a copy builds" by_make -j2 all
check "a second make does nothing" is_up_to_date
check "the flags are the builder's" honours_flags
check "a test runs" runs_a_test
check "make install prints the line of environment" printed_line
check "a plain program builds" build_program
check "it runs on the installed driver" run_program
check "the header of native modules is there" build_native_module
check "DESTDIR is not in the line" staged
check "make uninstall, make clean" nothing_left
check "links in the documents lead to files" links_lead_to_files
end_checks
