#!/bin/sh
# tests/sycl/examples.sh SETTING FOLDER: runs the programs of examples/sycl, built in FOLDER, as run.sh
# does. The adapter is v2, whose in-order queues are in-order lists. Each checks its own claims.
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks "sycl $1"
check "a C library in a queue of SYCL's" tests/sycl/run.sh "$1:$2/main"
check "a library in SYCL in a queue of syclze's" tests/sycl/run.sh "$1:$2/caller"
if [ -f "$SYCLZE_SYCL/python/versions" ]; then
  check "a C library in a queue of dpctl's" \
    tests/sycl/run.sh "$1:$(python3 -c 'import sys; print(sys.executable)')" \
    examples/sycl/main.py "$SYCLZE_SYCL/python" "$2/adapter.so" examples/saxpy.spv
else
  skip "a C library in a queue of dpctl's: dpctl is not there"
fi
end_checks
