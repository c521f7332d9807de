#!/bin/sh
# The manual is made without a warning, and has a page for each public function.
# shows promises 73
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks manual
if ! command -v doxygen >/dev/null; then
  skip "doxygen is not installed"
  end_checks
  exit
fi
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS

# Names what is missing; fails if something is.
none_missing() { [ -z "$1" ] || ! echo "missing:$1"; }

functions_have_pages() {
  missing=
  for function in $(python3 tests/build/contracts.py --list \
    syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h); do
    [ -f "build/manual/man/man3/$function.3" ] || missing="$missing $function"
  done
  none_missing "$missing"
}

pages_are_led_to() {
  missing=
  for page in $(ls syclze/manual/*.md | grep -v README); do
    page=manual_$(basename "$page" .md).html
    grep -q "href=\"$page\"" build/manual/html/index.html && [ -f "build/manual/html/$page" ] || missing="$missing $page"
  done
  none_missing "$missing"
}

pages_have_names() { none_missing "$(find build/manual/man -name '@*')"; }

# Newer doxygens have the path in front.
headers_have_modules() {
  missing=
  headers=$(cd syclze && ls *.h *.hpp command/*.h offload/*.h trace/*.h | sort)
  [ "$(grep '^  ' tests/build/modules.txt | tr -s ' ' '\n' | grep . | sort)" = "$headers" ] || missing=' tests/build/modules.txt'
  for header in $headers; do
    grep -qE ">([a-z_/]*/)?$(basename "$header")</a>" build/manual/html/group__*.html || missing="$missing $header"
  done
  none_missing "$missing"
}

check "no warning" ${MAKE:-make} -s manual
check "a page for each public function" functions_have_pages
check "the main page leads to each page" pages_are_led_to
check "no page is of something without a name" pages_have_names
check "each header is in a module" headers_have_modules
end_checks
