#!/bin/sh
# tests/dpnp/registration.sh LIBRARY SITE: the registration of the 17641 images of libraries of dpnp takes no
# more instructions here than in SYCL's runtime, both counted by callgrind.
# shows offload 52
set -u
library=$1 site=$2 here=$(dirname "$0")
python=$(python3 -c "import sys; print(sys.executable)")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

count() {
  valgrind --tool=callgrind --collect-atstart=no --toggle-collect=__sycl_register_lib \
    --callgrind-out-file="$work/out" "$python" "$here/registration.py" "$site" "$@" >"$work/log" 2>&1
  awk '/^(summary|totals):/ { n = $2 } END { print n + 0 }' "$work/out"
}

ours=$(count "$library")
theirs=$(count)
echo "instructions of registering 17641 images: $ours, and in SYCL's runtime $theirs"
if [ "$ours" -gt 1000000 ] && [ "$ours" -le "$theirs" ]; then
  echo "pass registration"
  echo "1 passed, 0 failed"
else
  tail -n 5 "$work/log"
  echo "FAIL registration: $ours and $theirs instructions"
  echo "0 passed, 1 failed"
  exit 1
fi
