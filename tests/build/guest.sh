#!/bin/sh
# What the library costs a program that includes it, each figure beside its limit: compile time of
# the include, text of what is unused and used, and shared objects that one program can open.
#
# Compile time is counted in the compiler's instructions, which do not vary with the machine's load.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# limit NAME FIGURE LIMIT: both are whole numbers.
limit() {
  if [ -n "$2" ] && [ "$2" -le "$3" ]; then
    passed=$((passed + 1))
    echo "pass $1: $2 of $3"
  else
    failed=$((failed + 1))
    echo "FAIL $1: ${2:-no figure} of $3"
  fi
}

skip() {
  skipped=$((skipped + 1))
  echo "skip $1"
}

text_of() { size "$1" | awk 'NR == 2 { print $1 }'; }

# source NAME HEADER...: an empty program that includes the headers.
source() {
  file=$1
  shift
  for header; do echo "#include <$header>"; done >"$work/$file.c"
  echo 'int main(void) { return 0; }' >>"$work/$file.c"
}
source level_zero level_zero/ze_api.h
source objects syclze/syclze.h
source parts syclze/syclze.h $(ls syclze/command.h syclze/command/launch.h 2>/dev/null | head -n 1) \
  syclze/offload/offload.h

# The instructions of the compiler itself, in millions.
compiler_work() {
  gcc -std=c11 -O2 -I. "-wrapper" "valgrind,--tool=callgrind,--callgrind-out-file=/dev/null" \
    -S -o /dev/null "$work/$1.c" 2>&1 | awk '/Collected/ { printf "%d\n", $NF / 1e6 }'
}
if command -v valgrind >/dev/null; then
  plain=$(compiler_work level_zero)
  limit "the include at -O2, times ze_api.h, in hundredths" \
    $(($(compiler_work objects) * 100 / plain)) 300
else
  skip "the include at -O2: valgrind is not installed"
fi

# The function is the same but for its name, as in copies of a file.
cat >"$work/event.c" <<'SOURCE'
#include <syclze/syclze.h>
ze_event_handle_t FUNCTION(ze_event_handle_t handle, syclze_context context);
ze_event_handle_t FUNCTION(ze_event_handle_t handle, syclze_context context) {
  syclze_event_input input = {handle, SYCLZE_OWNERSHIP_KEEP};
  syclze_event event;
  if (syclze_make_native(&input, context, &event)) return NULL;
  handle = syclze_get_native(event);
  (void)syclze_release(event);
  return handle;
}
SOURCE
cat >"$work/open.c" <<'SOURCE'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int opened = 0;
  for (int i = 1; i < argc && dlopen(argv[i], RTLD_NOW | RTLD_LOCAL) != NULL; i++) opened++;
  printf("%d\n", opened);
  return 0;
}
SOURCE
cc -o "$work/open" "$work/open.c" -ldl

for cc in gcc clang; do
  command -v $cc >/dev/null || { skip "$cc: not installed"; continue; }
  compile() { $cc -std=c11 -O2 -fPIC -I. -c -o "$work/$1.o" "$work/$1.c"; }
  compile level_zero && compile objects && compile parts || exit 1
  unused=$(text_of "$work/level_zero.o")
  limit "$cc: text of an unused syclze.h, bytes" $(($(text_of "$work/objects.o") - unused)) 0
  limit "$cc: text of unused command groups and offload, bytes" \
    $(($(text_of "$work/parts.o") - unused)) 0

  $cc -std=c11 -O2 -fPIC -I. -DFUNCTION=f1 -c -o "$work/f1.o" "$work/event.c" || exit 1
  limit "$cc: text of one event made, read and released, bytes" "$(text_of "$work/f1.o")" 4096
  files=$work/f1.o
  for i in $(seq 2 20); do
    objcopy --redefine-sym f1=f$i "$work/f1.o" "$work/f$i.o"
    files="$files $work/f$i.o"
  done
  $cc -o "$work/program" "$work/objects.o" $files -lze_loader -ldl -pthread &&
    limit "$cc: text of a program of 20 such files, bytes" "$(text_of "$work/program")" 98304

  $cc -shared -o "$work/plugin.so" "$work/f1.o" "$work/f2.o" "$work/f3.o" "$work/f4.o" -lze_loader -ldl
  plugins=
  for i in $(seq 40); do
    cp "$work/plugin.so" "$work/plugin$i.so"
    plugins="$plugins $work/plugin$i.so"
  done
  limit "$cc: of 40 plugins of four files, those that one program cannot open" \
    $((40 - $("$work/open" $plugins))) 0
done

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
