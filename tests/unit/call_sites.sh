#!/bin/sh
# The number of bytes that one call of a public function adds to its caller, at -O2, without
# functions that are not inlined:
# - of the calls in tests/unit/call_sites.txt, a function with twelve of them less one with four, by
#   eight;
# - of every inlined public function, a function that calls it, and no more.
# call_sites.sh -v prints the figures too.
# shows promises 65, tracing 7
set -u
cd "$(dirname "$0")/../.." || exit 1
most=500
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
verbose=${1:-}

cat >"$work/operands.h" <<'END'
#include "syclze/command.h"
#include "syclze/syclze.h"
struct operands {
  ze_result_t result;
  size_t size, sizes[3];
  float factor;
  syclze_access_mode mode;
  syclze_platform platform[16];
  syclze_device device[16];
  syclze_context context[16];
  syclze_queue queue[16];
  syclze_event event[16];
  syclze_kernel_bundle bundle[16];
  syclze_kernel kernel[16];
  syclze_buffer buffer[16];
  syclze_image image[16];
  syclze_group group[16];
  syclze_accessor accessor[16];
  syclze_nd_range range[16];
  syclze_interop_handle handle[16];
  syclze_native_queue native_queue[16];
  syclze_queue_input queue_input[16];
  syclze_event_input event_input[16];
  syclze_buffer_input buffer_input[16];
  syclze_host_function host_task;
  syclze_command_group_function command_group;
  void *pointer[16];
};
static const syclze_nd_range one = {.global = {1}, .local = {1}};
END

# Each line of the list as two functions, of four calls and of twelve.
grep -v '^#' tests/unit/call_sites.txt >"$work/sites"
awk -F ' [|] ' '
  function site(count, name,    i) {
    printf "void %s_%d(struct operands *o) {\n", name, NR
    for (i = 0; i < count; i++)
      printf "#define N %d\n  { %s }\n#undef N\n", i, $2
    print "}"
  }
  BEGIN { print "#include \"operands.h\"" }
  { site(4, "few"); site(12, "many") }' "$work/sites" >"$work/sites.c"

tests/unit/call_sites.py >"$work/calls.c" || { echo "FAIL call sites: no list of inlined functions"; exit 1; }

passed=0 failed=0 skipped=0
for compiler in gcc clang; do
  if ! command -v "$compiler" >/dev/null; then
    echo "skip call sites: no $compiler" && skipped=$((skipped + 1))
    continue
  fi
  if ! { "$compiler" -std=c11 -O2 -ffunction-sections -DSYCLZE_DECLARATIONS -I. -I"$work" -w \
    -c -o "$work/sites.o" "$work/sites.c" &&
    "$compiler" -std=c11 -O2 -ffunction-sections -DSYCLZE_DECLARATIONS -I. -w \
      -c -o "$work/calls.o" "$work/calls.c"; } 2>"$work/errors"; then
    echo "FAIL call sites: $compiler: $(grep -m 1 error "$work/errors")" && failed=$((failed + 1))
    continue
  fi
  size -A "$work/sites.o" >"$work/sizes"
  # The cold part of a function stands in a section of its own.
  awk -v most=$most -v compiler="$compiler" '
    NR == FNR { split($0, part, " [|] "); name[NR] = part[1]; next }
    match($1, /(few|many)_[0-9]+$/) {
      split(substr($1, RSTART), part, "_")
      bytes[part[1], part[2]] += $2
    }
    END {
      for (i = 1; i in name; i++) {
        each = (bytes["many", i] - bytes["few", i]) / 8
        bad = bytes["many", i] == 0 || each > most
        printf "%s call site of %s: %s: %d bytes\n", bad ? "FAIL" : "pass", name[i], compiler, each
      }
    }' "$work/sites" "$work/sizes" >"$work/results"
  size -A "$work/calls.o" | awk -v most=$most -v compiler="$compiler" '
    match($1, /call_of_[a-z0-9_]+/) { bytes[substr($1, RSTART + 8, RLENGTH - 8)] += $2 }
    END {
      for (name in bytes)
        printf("%s call site of %s: %s: %d bytes\n", bytes[name] > most ? "FAIL" : "pass", name,
          compiler, bytes[name])
    }' >>"$work/results"
  passed=$((passed + $(grep -c '^pass' "$work/results")))
  failed=$((failed + $(grep -c '^FAIL' "$work/results")))
  [ -n "$verbose" ] && cat "$work/results" || grep '^FAIL' "$work/results"
done
[ $((passed + failed + skipped)) -gt 0 ] || failed=1
echo "$passed passed, $failed failed$([ "$skipped" -eq 0 ] || echo ", $skipped skipped")"
[ "$failed" -eq 0 ]
