#!/bin/sh
# Checks the tables of tests/README.md, tests/zecl/README.md and syclze/trust.md: every test that they name exists
# and runs, every file that the former names exists, and at least 100 calls are checked to be refused. A test is named `FILE: CASE`, or
# `fail/FILE`.
cd "$(dirname "$0")" || exit 1
passed=0 failed=0

result() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $2: $3"
  fi
}

# A case runs if it stands in the list of its program's TEST_MAIN, besides its definition.
while IFS=' :' read -r file case; do
  if [ -z "$case" ]; then
    [ -f "$file" ] && grep -q '^// expect' "$file"
    result $? "$file" "no such test"
  else
    grep -q "^TEST($case)" "$file" 2>/dev/null &&
      sed -n '/^TEST_MAIN[A-Z_]*(/,/)$/p' "$file" | grep -qw "$case"
    result $? "$file: $case" "no such case, or one that is not run"
  fi
done <<NAMED
$(grep -ohE '`((unit|device|offload|orders|intel|trace|zecl/test|zecl/engine/cuda/test)/[a-z_0-9]+\.c: [a-z0-9_]+|fail/[a-z0-9_]+\.(c|cpp))`' \
  README.md zecl/README.md ../syclze/trust.md | tr -d '`' | sort -u)
NAMED
[ "$passed" -gt 100 ]
result $? tables "too few tests are named"

# A file that a table names is here, or in the repository's root.
while read -r file; do
  [ -e "$file" ] || [ -e "../$file" ]
  result $? "$file" "no such file"
done <<FILES
$(grep -h '^|' README.md ../syclze/trust.md | grep -ohE '`[a-z_]+(/[A-Za-z_0-9.]+)+[`:]' | tr -d '`:' | sort -u)
FILES

refused=$(grep -ohE '\b(CHECK_)?REFUSED\(' unit/*.c device/*.c | wc -l)
[ "$refused" -ge 100 ]
result $? "refused inputs" "only $refused"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
