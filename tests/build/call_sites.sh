#!/bin/sh
# The code that a call of a public function puts into the caller, at -O2: at most 500 bytes, with what
# the compiler moves out of line.
# shows promises 65
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

# BYTES NAME of each function in an object file that holds one call.
call_sites() {
  nm -S -t d "$1" | awk '$4 ~ /^site_/ { sub(/\.cold.*|\.part.*/, "", $4); bytes[substr($4, 6)] += $2 }
    END { for (name in bytes) print bytes[name], name }' | sort -n
}
python3 tests/build/contracts.py --calls syclze/*.h syclze/command/*.h syclze/offload/*.h \
  >"$work/sites.c"
cat >>"$work/sites.c" <<'SOURCE'
ze_result_t site_launch_with_two_accessors(syclze_queue queue, syclze_kernel kernel, syclze_buffer x,
    syclze_buffer y, const syclze_nd_range *range, syclze_event *event);
ze_result_t site_launch_with_two_accessors(syclze_queue queue, syclze_kernel kernel, syclze_buffer x,
    syclze_buffer y, const syclze_nd_range *range, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor in = syclze_require(&group, x, SYCLZE_ACCESS_READ);
  syclze_accessor out = syclze_require(&group, y, SYCLZE_ACCESS_WRITE);
  return syclze_launch(&group, kernel, range, event, syclze_arg(in), syclze_arg(out), syclze_arg(2.0f));
}
SOURCE


for cc in gcc clang; do
  if ! command -v $cc >/dev/null; then
    skipped=$((skipped + 1))
    echo "skip $cc: not installed"
    continue
  fi
  $cc -std=c11 -O2 -fPIC -I. -c -o "$work/sites.o" "$work/sites.c" || exit 1
  call_sites "$work/sites.o" >"$work/sizes"
  while read -r bytes name; do
    if [ "$bytes" -le 500 ]; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL $cc: a call of $name: $bytes bytes of 500"
    fi
  done <"$work/sizes"
  echo "$cc: $(wc -l <"$work/sizes") functions, the largest call $(tail -n 1 "$work/sizes")"
done

[ "$passed" -ge 100 ] || { failed=$((failed + 1)); echo "FAIL only $passed calls were measured"; }
sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
