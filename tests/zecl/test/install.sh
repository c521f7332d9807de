#!/bin/sh
# Installs zecl into build/, and runs a program on it that knows nothing of this repository.
cd "$(dirname "$0")/../../.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS ZE_ENABLE_ALT_DRIVERS
. tests/checks.sh
rm -rf "$PWD/build/install-zecl"
begin_checks install-zecl "$PWD/build/install-zecl"

printed_line() { make -s install-zecl prefix="$work/usr" 2>&1 | tail -n 1 | tee "$work/line"; }

build_program() {
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -o "$work/plain" tests/zecl/test/install/plain.c \
    -lze_loader
}

# Elsewhere than in the repository, with no more than the line that was printed.
run_program() { (cd / && env "$(cat "$work/line")" "$work/plain" "$saxpy") | grep '^zecl on .*: 0 of'; }

build_native_module() {
  printf '%s\n' '#include <zecl_native.h>' \
    'static void none(void *const *a, const zecl_native_range *r) { (void)a; (void)r; }' \
    'const zecl_native_kernel zecl_kernels[] = {{.name = "none", .function = none}, {0}};' |
    "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I"$work/usr/include" -fPIC -shared -xc - \
      -o "$work/native.so"
}

staged() {
  make -s install-zecl prefix=/opt/zecl DESTDIR="$work/stage" >"$work/staged" &&
    [ "$(tail -n 1 "$work/staged")" = ZE_ENABLE_ALT_DRIVERS=/opt/zecl/lib/libzecl.so ] &&
    [ -f "$work/stage/opt/zecl/lib/libzecl.so" ]
}

nothing_left() {
  make -s uninstall-zecl prefix="$work/usr" &&
    make -s uninstall-zecl prefix=/opt/zecl DESTDIR="$work/stage" &&
    [ -z "$(find "$work/usr" "$work/stage" ! -type d)" ]
}

saxpy=$PWD/examples/saxpy.spv
check "make install-zecl" make -s install-zecl prefix="$work/usr"
check "it prints the line of environment" printed_line
check "a plain program builds" build_program
check "it runs on the installed driver" run_program
check "the header of native modules is there" build_native_module
check "DESTDIR is not in the line" staged
check "make uninstall-zecl" nothing_left

end_checks
