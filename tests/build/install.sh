#!/bin/sh
# Installs into a folder, and builds and runs a program with pkg-config's flags.
cd "$(dirname "$0")/.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# check NAME COMMAND...
check() {
  name=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    passed=$((passed + 1))
    echo "pass install: $name"
  else
    failed=$((failed + 1))
    echo "FAIL install: $name: $(head -n 1 "$work/output")"
  fi
}

package() { PKG_CONFIG_PATH="$work/share/pkgconfig" pkg-config "$@" syclze; }

build_program() {
  printf '%s\n' '#include <stdio.h>' '#include <syclze/syclze.h>' 'int main(void) {' \
    '  printf("%d.%d.%d\n", SYCLZE_VERSION_MAJOR, SYCLZE_VERSION_MINOR, SYCLZE_VERSION_PATCH);' \
    '  return 0;' '}' >"$work/program.c"
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror $(package --cflags) -o "$work/program" \
    "$work/program.c" $(package --libs)
}

versions_agree() { [ "$("$work/program")" = "$(package --modversion)" ]; }

staged() {
  make -s install prefix=/opt/syclze DESTDIR="$work/stage" &&
    diff -r syclze "$work/stage/opt/syclze/include/syclze" &&
    grep -x 'prefix=/opt/syclze' "$work/stage/opt/syclze/share/pkgconfig/syclze.pc"
}

check "make install" make -s install prefix="$work"
check "every header is there" diff -r syclze "$work/include/syclze"
check "a program builds by pkg-config" build_program
check "the program's version is the package's" versions_agree
check "DESTDIR is not in syclze.pc" staged

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
