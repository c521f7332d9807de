#!/bin/sh
# tests/intel/run.sh SETTING FOLDER PROGRAM...: runs test programs on Intel's driver, as device.sh
# sets it up. The last line is the sum of the programs' counts.
set -u
setting=$1 folder=$2
shift 2

. "$(dirname "$0")/device.sh"
export SYCLZE_NO_EXECUTION=1
unset TEST_TIMEOUT

for program; do
  shift
  set -- "$@" "tests/intel/start.sh $program"
done
tests/run.sh "$@"
