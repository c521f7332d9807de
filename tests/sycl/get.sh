#!/bin/sh
# tests/sycl/get.sh FOLDER: fetches a SYCL runtime by pip (wheels.txt) into FOLDER/runtime, and a
# Level Zero loader that it works on into FOLDER/debian, with the C library of its release, and
# the newest one, of Debian sid, into FOLDER/newest where that is to be had. Where
# that cannot be done, the last line says `skip sycl:` and why, and the exit code is 3. Then, as far
# as they are there, dpctl and dpnp with what they need (wheels-python.txt) into FOLDER/python.
set -u
folder=$1 here=$(dirname "$0")
mkdir -p "$folder" || exit 1
"$here/../wheels.sh" sycl "$folder/runtime" "$here/wheels.txt" \
  'lib/lib(sycl|sycl-jit|ur_loader|ur_adapter_level_zero|ur_adapter_level_zero_v2|umf|hwloc|xptifw|svml|irng|imf|intlc)\.so[.0-9]*$|include/' \
  include/sycl/sycl.hpp lib/libsycl.so lib/libsycl-jit.so lib/libur_adapter_level_zero.so.0 \
  lib/libur_adapter_level_zero_v2.so.0 lib/libumf.so.1 lib/libhwloc.so.15 || exit
"$here/../unpack.sh" sycl "$folder/debian" trixie libze-dev libze1 || exit
"$here/../unpack.sh" sycl-newest "$folder/newest" sid libze-dev libze1 || [ $? -eq 3 ] || exit
"$here/../wheels.sh" python "$folder/python" "$here/wheels-python.txt" \
  'lib/lib(mkl_sycl_(blas|dft|lapack|rng|vm)|mkl_core|mkl_intel_ilp64|mkl_tbb_thread|tbb)\.so[.0-9]*$|(dpnp|dpctl|numpy|numpy\.libs)/' \
  dpnp/__init__.py dpctl/__init__.py numpy/__init__.py lib/libmkl_core.so.3 ||
  [ $? -eq 3 ]
