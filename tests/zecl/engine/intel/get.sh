#!/bin/sh
# engine/intel/get.sh FOLDER: fetches Intel's OpenCL for CPUs by pip (wheels.txt) into FOLDER,
# with FOLDER/vendors/intel.icd, which names it to the system's OpenCL. Where that cannot be done, the
# last line says `skip engine:` and why, and the exit code is 3.
set -u
folder=$1 here=$(dirname "$0")
"$here/../../test/harness/wheels.sh" engine "$folder" "$here/wheels.txt" \
  'lib/(?!libOpenCL|.*(avx10|fpga|debug))(libintelocl|libcommon_clang|libocl_|libtbb\.|libtbbmalloc\.|libimf|libsvml|libirng|libintlc|cllib|clbltfn|cl\.cfg).*' \
  lib/libintelocl.so lib/libtbb.so.12 lib/libsvml.so || exit
mkdir -p "$folder/vendors" && echo "$(cd "$folder" && pwd)/lib/libintelocl.so" >"$folder/vendors/intel.icd"
