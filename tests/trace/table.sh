#!/bin/sh
# The table of calls lists each function of ze_api.h, and each public function has a trace point, or
# the reason why it has none.
# shows tracing 27
cd "$(dirname "$0")/../.." || exit 1
failed=0
api=$(echo '#include <level_zero/ze_api.h>' | "${CC:-cc}" -M -E - | grep -o '/[^ ]*/ze_api.h')
functions=$(sed -n 's/^ze\([A-Z][A-Za-z0-9]*\)($/\1/p' "$api")
[ "$(echo "$functions" | wc -l)" -gt 100 ] || { echo "FAIL table: no functions in $api"; exit 1; }
for function in $functions; do
  grep -q "X($function)" syclze/trace/detail/ze_functions.h && continue
  echo "FAIL table: ze$function is not in it"
  failed=1
done
[ "$failed" -eq 0 ] && echo "pass table: $(echo "$functions" | wc -l) functions"
for option in '' --self-test; do
  python3 tests/trace/points.py $option || failed=1
done
echo "$((3 - failed)) passed, $failed failed"
exit "$failed"
