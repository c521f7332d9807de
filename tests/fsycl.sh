#!/bin/sh
# fsycl.sh [PROGRAM]: runs the example that a SYCL compiler built; without one the test is skipped.
# fsycl.sh instrumented: skips it, since an instrumented driver cannot be loaded there.
# shows offload 5
if [ "$*" = instrumented ]; then
  echo "skip fsycl: the device has a sanitizer in it, and the program of the SYCL compiler has not"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
if [ $# -eq 0 ]; then
  echo "skip fsycl: no clang++ with -fsycl (22 or newer: clang-22, clang-tools-22, llvm-22)"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
expected="1024 numbers scaled by a SYCL kernel, 0 of them wrong"
output=$(timeout 900 "$1" 2>&1)
code=$?
if [ "$code" -eq 0 ] && [ "$output" = "$expected" ]; then
  echo "pass fsycl"
  echo "1 passed, 0 failed"
else
  echo "FAIL fsycl: exit code $code: $output"
  echo "0 passed, 1 failed"
  exit 1
fi
