#!/bin/sh
# tests/dpnp/files.sh OFFLOAD_DUMP SITE: the images of every library of dpnp, those included that need
# libraries which are not fetched, are read from the files.
set -u
dump=$1 site=$2 files=0 images=0 failed=0
for file in $(find "$site/dpnp" -name '*.so'); do
  grep -q __CLANG_OFFLOAD_BUNDLE__ "$file" || continue
  files=$((files + 1))
  summary=$("$dump" "$file" 2>&1 | tail -n 1)
  count=$(echo "$summary" | sed -n 's/^\([0-9]*\) images, .*/\1/p')
  if [ -z "$count" ]; then
    echo "FAIL $file: $summary"
    failed=$((failed + 1))
  fi
  images=$((images + ${count:-0}))
done
echo "$images images in $files libraries"
[ "$files" -ge 10 ] && [ "$images" -ge 17000 ] || failed=$((failed + 1))
echo "$((failed == 0)) passed, $failed failed"
[ "$failed" -eq 0 ]
