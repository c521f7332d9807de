#!/bin/sh
# What linked images share: link-once symbols bear their generation, the files of one program share
# one state and two generations do not, and a shared object has a state of its own unless the program
# defines one for all.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# check NAME COMMAND...
check() {
  name=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    passed=$((passed + 1))
    echo "pass $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $(head -n 3 "$work/output" | tr '\n' ' ')"
  fi
}

# A file that hands out what it sees of the library, under names that begin with $2; $3 is added to it.
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

# A program that compares what two files hand out: `same` or `apart` is what they must be.
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

# The library as another generation would have it.
mkdir -p "$work/next"
cp -r syclze "$work/next"
sed -i 's/^#define SYCLZE_ABI .*/#define SYCLZE_ABI 977/' "$work/next/syclze/version.h"

# compile COMPILER INCLUDES SOURCE OPTION...
compile() {
  compiler=$1 includes=$2 source=$3
  shift 3
  "$compiler" -O1 -fPIC -I "$includes" -c -o "$work/${source%.*}.o" "$@" "$work/$source"
}

link_and_run() {
  cc -o "$work/program" "$@" -lze_loader -ldl -pthread -Wl,-rpath,"$work" && "$work/program"
}

weak_symbols_bear_the_generation() {
  nm "$work/one.o" | awk '
    $2 ~ /^[VWvw]$/ && $3 ~ /syclze/ { count++; if ($3 !~ /_v[0-9]+(\.[a-z0-9.]+)?$/) { print $3; bad = 1 } }
    END { if (count < 20) print "only " count " symbols"; exit bad || count < 20 }'
}

only_hidden_symbols_are_global() {
  readelf -sW "$work/one.o" | awk '
    $8 ~ /syclze/ && $5 != "LOCAL" && $7 != "UND" && $6 != "HIDDEN" { print $8; bad = 1 }
    END { exit bad }'
}

write_file one.c one ''
write_file two.c two ''
write_file two.cpp two ''
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || continue
  check "$compiler: a file compiles" compile "$compiler" . one.c -O0
  check "$compiler: weak symbols bear the generation" weak_symbols_bear_the_generation
  check "$compiler: nothing is seen by other images" only_hidden_symbols_are_global
done

same='!(same_state && same_function)' apart='same_state || same_function'

write_main "$same"
compile cc . one.c && compile cc . two.c && compile cc . main.c
check "two files in C share one state" link_and_run "$work/main.o" "$work/one.o" "$work/two.o"
compile c++ . two.cpp -std=c++11
check "a file in C and one in C++ share one state" \
  link_and_run "$work/main.o" "$work/one.o" "$work/two.o"

write_main "$apart"
compile cc . main.c && compile cc "$work/next" two.c
check "two generations in one program stay apart" \
  link_and_run "$work/main.o" "$work/one.o" "$work/two.o"

compile cc . two.c && cc -shared -o "$work/libtwo.so" "$work/two.o" -lze_loader -ldl
check "a shared object has a state of its own" \
  link_and_run -rdynamic "$work/main.o" "$work/one.o" -L"$work" -ltwo

# A slot that one image hands out and another takes back belongs to the first: the other's next one
# is its own.
cat >"$work/main.c" <<'SOURCE'
#include "syclze/detail/pool.h"
struct syclze__slot *two_take(void);
void two_give(struct syclze__slot *slot);
static struct syclze__pool pool;
int main(void) {
  struct syclze__slot *ours = syclze__pool_acquire(&pool, sizeof *ours);
  struct syclze__slot *theirs = two_take();
  two_give(ours);
  struct syclze__slot *next = two_take();
  if (next == ours || next == theirs) return 1;
  two_give(next);
  if (two_take() != next) return 1;
  return syclze__pool_acquire(&pool, sizeof *ours) != ours;
}
SOURCE
cat >"$work/two.c" <<'SOURCE'
#include "syclze/detail/pool.h"
struct syclze__slot *two_take(void);
void two_give(struct syclze__slot *slot);
static struct syclze__pool pool;
struct syclze__slot *two_take(void) { return syclze__pool_acquire(&pool, sizeof(struct syclze__slot)); }
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
check "a state that the program defines is everybody's" \
  link_and_run -rdynamic "$work/main.o" "$work/one.o" -L"$work" -ltwo
check "and that of the files that are linked with it" \
  link_and_run "$work/main.o" "$work/one.o" "$work/two.o"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
