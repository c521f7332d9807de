#!/bin/sh
# The number of functions and files that a call reaches: the reading that it takes to know what the call does.
# The limits are a little above what was counted, so that a change that adds much does it knowingly.
#
# tests/build/reach.sh FUNCTION...  counts others, without limits
#
# layout.sh runs it on the calls that gcc wrote to the file CALLS; without that it compiles.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ -z "${CALLS:-}" ]; then
  printf '#include "syclze/%s.h"\n' syclze command >"$work/all.c"
  gcc -std=c11 -O0 -I. -Dalways_inline=unused -fkeep-inline-functions -fkeep-static-functions \
    -fcallgraph-info -c -o "$work/all.o" "$work/all.c" || exit 1
  CALLS=$work/all.ci
fi
[ $# -gt 0 ] || set -- syclze_group_launch:407:60 syclze_queue_copy:226:36 syclze_make_event:35:8 \
  syclze_queue_release:30:9
python3 tests/build/reach.py "$CALLS" "$@"
