#!/bin/sh
# The manual is made without a warning, and has a page for each public function.
# shows promises 73
cd "$(dirname "$0")/../.." || exit 1
if ! command -v doxygen >/dev/null; then
  echo 'skip manual: doxygen is not installed'
  echo '0 passed, 0 failed, 1 skipped'
  exit 0
fi
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
passed=0 failed=0
mkdir -p build
if ${MAKE:-make} -s manual >build/manual.log 2>&1; then
  passed=1
  echo 'pass manual: no warning'
else
  failed=1
  echo "FAIL manual: $(grep -c 'warning:\|error:' build/manual.log) warnings: $(grep -m 1 'warning:\|error:' build/manual.log)"
fi
missing=
for function in $(python3 tests/build/contracts.py --list \
  syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h); do
  [ -f "build/manual/man/man3/$function.3" ] || missing="$missing $function"
done
if [ -z "$missing" ]; then
  passed=$((passed + 1))
  echo 'pass manual: a page for each public function'
else
  failed=$((failed + 1))
  echo "FAIL manual: $(echo $missing | wc -w) functions have no page:$missing"
fi
missing=
for page in $(ls syclze/manual/*.md | grep -v README); do
  page=manual_$(basename "$page" .md).html
  grep -q "href=\"$page\"" build/manual/html/index.html && [ -f "build/manual/html/$page" ] || missing="$missing $page"
done
if [ -z "$missing" ] && [ -z "$(find build/manual/man -name '@*')" ]; then
  passed=$((passed + 1))
  echo 'pass manual: the main page leads to each page, and no page is of something without a name'
else
  failed=$((failed + 1))
  echo "FAIL manual: pages that the main page does not lead to:$missing; pages without a name: $(find build/manual/man -name '@*' | wc -l)"
fi
# Each header in one module.
headers=$(cd syclze && ls *.h *.hpp command/*.h offload/*.h trace/*.h | sort)
[ "$(grep '^  ' tests/build/modules.txt | tr -s ' ' '\n' | grep . | sort)" = "$headers" ] && missing= || missing=' tests/build/modules.txt'
for header in $headers; do # newer doxygens have the path in front
  grep -qE ">([a-z_/]*/)?$(basename "$header")</a>" build/manual/html/group__*.html || missing="$missing $header"
done
if [ -z "$missing" ]; then
  passed=$((passed + 1))
  echo 'pass manual: each header is in a module'
else
  failed=$((failed + 1))
  echo "FAIL manual: headers without a module:$missing"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
