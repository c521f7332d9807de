#!/bin/sh
# State that linked images share. The files of one program share one state. Two generations of the library
# in one program share no symbol, so neither state nor functions. A shared object has a state of its
# own unless the program defines one for all. (The files of one generation: tests/build/linkage.sh.)
# shows promises 52
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks
here=$PWD

# A file that exports addresses of the library under names that begin with $2; $3 is appended to it.
write_file() {
  cat >"$work/$1" <<SOURCE
#include "syclze/syclze.h"
#ifdef __cplusplus
extern "C" {
#endif
const void *$2_state(void);
void (*$2_function(void))(void);
void $2_set(const syclze_diagnostic_handler *handler);
const void *$2_state(void) { return &SYCLZE__STATE; }
void (*$2_function(void))(void) { return (void (*)(void))syclze_platform_get; }
void $2_set(const syclze_diagnostic_handler *handler) { syclze_diagnostic_set_handler(handler); }
$3
#ifdef __cplusplus
}
#endif
SOURCE
}

# A program that compares the addresses of two files, which must be the `same` or `apart`.
write_main() {
  cat >"$work/main.c" <<SOURCE
#include <stdio.h>
const void *one_state(void), *two_state(void);
void (*one_function(void))(void);
void (*two_function(void))(void);
int main(void) {
  int same_state = one_state() == two_state();
  int same_function = one_function() == two_function();
  printf("same state %d, same function %d\\n", same_state, same_function);
  return $1;
}
SOURCE
}

generation=$(sed -n 's/^#define SYCLZE_ABI //p' syclze/version.h)

# The library as another generation would have it.
mkdir -p "$work/next"
cp -r syclze "$work/next"
sed -i 's/^#define SYCLZE_ABI .*/#define SYCLZE_ABI 977/' "$work/next/syclze/version.h"

# compile COMPILER INCLUDES SOURCE OPTION...
compile() {
  compiler=$1 includes=$2 source=$3
  shift 3
  # A file of -include is looked for in the current folder first.
  cd "$includes" || return 1
  "$compiler" -O0 -fPIC -I . -c -o "$work/${source%.*}.o" "$@" "$work/$source"
  set -- $?
  cd "$here" || return 1
  return "$1"
}

link_and_run() {
  cc -o "$work/program" "$@" -lze_loader -ldl -pthread -Wl,-rpath,"$work" && "$work/program"
}

# Symbols that the linker may merge across files: those of the library that are not local.
shared_symbols() {
  nm "$1" | awk '$(NF - 1) !~ /^[a-z]$/ && $(NF - 1) != "U" && $NF ~ /syclze/ { print $NF }' | sort -u
}

# symbols_of_generation FEWEST: those that the linker may merge, of which there are so many or more,
# have the generation in their names.
symbols_of_generation() {
  shared_symbols "$work/everything.o" >"$work/symbols"
  [ "$(wc -l <"$work/symbols")" -ge "$1" ] || { echo "only $(wc -l <"$work/symbols") symbols"; return 1; }
  ! grep -v "v$generation" "$work/symbols"
}

compiler_of() { case $1 in *.cpp) echo c++ ;; *) echo cc ;; esac }

only_hidden_symbols_are_global() {
  readelf -sW "$work/everything.o" >"$work/symbols" || return 1
  awk '
    $8 ~ /syclze/ && $5 != "LOCAL" && $7 != "UND" && $6 != "HIDDEN" { print $8; bad = 1 }
    END { exit bad }' "$work/symbols"
}

write_file one.c one ''
write_file two.c two ''
write_file two.cpp two ''
same='!same_state' apart='same_state || same_function'

# Every part of the library, with nothing optimised away.
for header in syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h; do
  echo "#include \"$header\""
done >"$work/everything.c"
cp "$work/everything.c" "$work/everything.cpp"
for compiler in gcc clang g++ clang++; do
  command -v "$compiler" >/dev/null || continue
  case $compiler in
  *++) source=everything.cpp fewest=100 options=-std=c++11 ;;
  *) source=everything.c fewest=1 options=-std=c11 ;;
  esac
  for mode in "" "-DSYCLZE_DECLARATIONS -include syclze/implementation.h"; do
    title="$compiler${mode:+ with one implementation}"
    [ -z "$mode" ] || fewest=300
    # Inline functions of C++ are emitted where they are used: -fkeep-inline-functions is GCC's.
    case $compiler in g++) options="$options -fkeep-inline-functions" ;; clang++) fewest=1 ;; esac
    rm -f "$work/everything.o"
    check "$title: everything compiles" compile $compiler . $source $options $mode
    check "$title: two generations share no symbol" symbols_of_generation $fewest
    check "$title: nothing is seen by other images" only_hidden_symbols_are_global
    [ -z "$mode" ] || [ -e "$work/implementation.${source#*.}.o" ] ||
      cp "$work/everything.o" "$work/implementation.${source#*.}.o"
  done
done

write_main "$same"
compile cc . one.c && compile cc . two.c && compile cc . main.c
check "two files in C share one state" link_and_run "$work/main.o" "$work/one.o" "$work/two.o"
compile c++ . two.cpp -std=c++11
check "a file in C and one in C++ share one state" \
  link_and_run "$work/main.o" "$work/one.o" "$work/two.o"

write_main "$apart"
compile cc . main.c
one_implementation='-DSYCLZE_DECLARATIONS -include syclze/implementation.h'
cp "$work/one.c" "$work/one.cpp"
for mode in "" "$one_implementation"; do
  title=${mode:+, implementations}
  for suffix in c cpp; do
    # The bodies of this generation are compiled above.
    compile "$(compiler_of one.$suffix)" . one.$suffix ${mode:+-DSYCLZE_DECLARATIONS} &&
      ld -r -o "$work/one_$suffix.o" "$work/one.o" ${mode:+"$work/implementation.$suffix.o"}
    compile "$(compiler_of two.$suffix)" "$work/next" two.$suffix $mode && mv "$work/two.o" "$work/two_$suffix.o"
  done
  for first in one_c one_cpp; do
    for second in two_c two_cpp; do
      check "two generations in one program, $first and $second$title" \
        link_and_run "$work/main.o" "$work/$first.o" "$work/$second.o" -lstdc++
    done
  done
  rm -f "$work"/one_c*.o "$work"/two_c*.o
done

compile cc . one.c
compile cc . two.c && cc -shared -o "$work/libtwo.so" "$work/two.o" -lze_loader -ldl
check "a shared object has a state of its own" \
  link_and_run -rdynamic "$work/main.o" "$work/one.o" -L"$work" -ltwo

# A slot that one image acquires and another releases stays with the first: the other's next one is
# its own.
cat >"$work/main.c" <<'SOURCE'
#include "syclze/detail/memory/pool.h"
struct syclze__slot *two_take(void);
void two_give(struct syclze__slot *slot);
static struct syclze__pool *const pool = &SYCLZE__STATE.pools[SYCLZE__POOL_TRACE];
int main(void) {
  struct syclze__slot *ours = syclze__pool_acquire(pool, sizeof *ours);
  struct syclze__slot *theirs = two_take();
  two_give(ours);
  struct syclze__slot *next = two_take();
  if (next == ours || next == theirs) return 1;
  two_give(next);
  if (two_take() != next) return 1;
  return syclze__pool_acquire(pool, sizeof *ours) != ours;
}
SOURCE
cat >"$work/two.c" <<'SOURCE'
#include "syclze/detail/memory/pool.h"
struct syclze__slot *two_take(void);
void two_give(struct syclze__slot *slot);
static struct syclze__pool *const pool = &SYCLZE__STATE.pools[SYCLZE__POOL_TRACE];
struct syclze__slot *two_take(void) { return syclze__pool_acquire(pool, sizeof(struct syclze__slot)); }
void two_give(struct syclze__slot *slot) { syclze__pool_release(slot); }
SOURCE
compile cc . main.c && compile cc . two.c && cc -shared -o "$work/libtwo.so" "$work/two.o"
check "what one image makes, another may release" link_and_run "$work/main.o" -L"$work" -ltwo
write_file two.c two ''

write_main '!same_state'
compile cc . main.c
write_file one.c one 'SYCLZE_DEFINE_STATE;'
compile cc . one.c -DSYCLZE_STATE_EXTERN && compile cc . two.c -DSYCLZE_STATE_EXTERN
cc -shared -o "$work/libtwo.so" "$work/two.o" -ldl
check "a state that the program defines is shared" \
  link_and_run -rdynamic "$work/main.o" "$work/one.o" -L"$work" -ltwo
check "and that of the files that are linked with it" \
  link_and_run "$work/main.o" "$work/one.o" "$work/two.o"

end_checks
