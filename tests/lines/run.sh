#!/bin/sh
# tests/lines/run.sh: no cache line is written by two threads that use distinct objects (lines.c).
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
cd "$root"
# The test is for caches that the builds for sanitizers switch off.
$cc -O2 -g -I. -fsanitize=thread -DSYCLZE_HAS_POOLS=1 -DSYCLZE_HAS_THREAD_CACHE=1 -c \
  tests/lines/lines.c -o "$work/lines.o"
$cc -O1 -g -c tests/lines/recorder.c -o "$work/recorder.o"
$cc -O1 -DSTUB_NEWER=1 -ffreestanding -c bench/stub.c -o "$work/stub.o"
$cc -o "$work/lines" "$work"/*.o -rdynamic -pthread -ldl -Wl,--unresolved-symbols=ignore-all \
  -Wl,-z,lazy
timeout 900 "$work/lines"
