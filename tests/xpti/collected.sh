#!/bin/sh
# tests/xpti/collected.sh PROGRAM: runs the program under the collector of sycl-trace, which the
# environment names as subscriber: the program ends with 0, and the collector prints each call with
# its parameters and result to the end.
# shows promises 61
. "$(dirname "$0")/../checks.sh"
begin_checks
log=$work/log

SYCLZE_TRACE_FORM=current SYCL_TRACE_UR_ENABLE=1 SYCL_TRACE_PRINT_FORMAT=compact "$1" >"$log" 2>&1
code=$?
check a_program_under_the_collector_exits_with_0 [ "$code" = 0 ]
calls=$(grep -c '^\[UR\] ur' "$log")
check calls_are_printed [ "$calls" -gt 60 ]
check every_call_has_its_result [ "$(grep -c '^---> UR_RESULT' "$log")" -eq "$calls" ]
check image_copies_have_their_region grep -q '\.width = 3, \.height = 2, \.depth = 1' "$log"
check launches_are_named grep -q 'urEnqueueKernelLaunchWithArgsExp' "$log"
[ "$failed" = 0 ] || tail -n 20 "$log"
end_checks
