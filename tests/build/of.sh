#!/bin/sh
# Which programs `make test of=HEADER` runs.
script=$(cd "$(dirname "$0")/.." && pwd)/of.sh
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks of
cd "$work" || exit 1
mkdir -p syclze/detail tests/unit tests/device build/tests/unit build/tests/device

cat >syclze/thing.h <<'HEADER'
#ifndef SYCLZE_THING_H
#define SYCLZE_THING_H
typedef enum syclze_kind {
  SYCLZE_KIND_FIRST = 1,
} syclze_kind;
ze_result_t syclze_thing_make(syclze_kind kind);
#define syclze_thing(x) (x)
HEADER
echo 'static void syclze__room(void) {}' >syclze/detail/room.h

# program NAME TEXT HEADER...: a built program.
program() {
  echo "$2" >"tests/$1.c"
  name=$1
  shift 2
  printf '%s:\n' "$@" >"build/tests/$name.d"
}
program unit/calls 'syclze_thing_make(1);' syclze/thing.h syclze/detail/room.h
program unit/uses_a_macro 'syclze_thing(1);' syclze/thing.h
program unit/uses_an_enumerator 'kind = SYCLZE_KIND_FIRST;' syclze/thing.h
program unit/includes 'syclze_thing_make_more(1);' syclze/thing.h
program unit/reads_about 'syclze_thing_make(1);' syclze/thing.hpp
program device/shares 'syclze_thing_make(1);' syclze/thing.h
echo syclze/detail/room.h: >build/tests/library.d
echo 'syclze_thing_make(1);' >tests/unit/is_not_built.cpp

# of HEADER PROGRAM...: the programs that it selects.
of() {
  header=$1
  shift
  "$script" "$header" build \
    $(ls tests/*/*.c* | sed 's|\..*||; s|^|build/|') 2>report | sed 's|.*/||' | sort >selected
  printf '%s\n' "$@" | sort | diff selected -
}

check "programs that use a name" of syclze/thing.h calls uses_a_macro uses_an_enumerator shares
check "programs that are not built are counted" grep -q ' 1 programs are not built' report
check "programs with its bodies, their own or shared" of syclze/detail/room.h calls shares
check "a header that does not exist is reported" eval '! "$script" syclze/none.h build && "$script" syclze/none.h build 2>&1 | grep "no such file"'
end_checks
