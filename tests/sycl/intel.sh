#!/bin/sh
# tests/sycl/intel.sh SETTING:FOLDER PROGRAM [ARGUMENT...]: starts a program on the SYCL runtime in
# SYCLZE_SYCL and on Intel's driver without a GPU (tests/intel), which builds kernels and executes
# nothing. With adapter v1.
setting=${1%%:*} folder=${1#*:} here=$(dirname "$0")
shift
. "$here/../intel/device.sh"
export ONEAPI_DEVICE_SELECTOR='level_zero:*' UR_LOADER_USE_LEVEL_ZERO_V2=0 SYCLZE_NO_EXECUTION=1
"$SYCLZE_INTEL_LIBRARIES/ld-linux-x86-64.so.2" \
  --library-path "$SYCLZE_INTEL_LIBRARIES:$SYCLZE_SYCL/runtime/lib" "$@"
