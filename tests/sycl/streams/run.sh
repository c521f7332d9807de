#!/bin/sh
# tests/sycl/streams/run.sh FOLDER SETTING PROGRAMS: runs the program on the SYCL runtime of FOLDER and
# on syclze, with the collector as subscriber of the framework in FOLDER, and compares the streams.
# shows promises 62
folder=$(cd "$1" && pwd) setting=$2 programs=$(cd "$3" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
here=$(dirname "$0")
for program in by_sycl by_syclze; do
  XPTI_FRAMEWORK_DISPATCHER=$folder/runtime/lib/libxptifw.so.1 XPTI_TRACE_ENABLE=1 \
    XPTI_SUBSCRIBERS=$programs/collector.so UR_ENABLE_LAYERS=UR_LAYER_TRACING \
    SYCLZE_TRACE_FORM=current STREAMS_OUT=$work/$program \
    "$here/../start.sh" "$folder" "$setting" "$programs/$program" || exit 1
done
python3 "$here/compare.py" "$work/by_sycl" "$work/by_syclze" "$here/expected.txt" \
  "$here/../../xpti/README.md"
