#!/bin/sh
# The coverage of syclze/ by the programs of a build with config=coverage: a table of the headers,
# and totals without and with the headers of offload/. Fails below the limits of the first total. `tests/coverage.sh BUILD --missing` also lists the lines, and the lines of
# branches, that were never taken.
#
# A header is compiled into many programs: a line or branch counts as taken if any of them took it.
least_lines=98 least_branches=90
build=${1:?a build folder}
find "$build" -name '*.gcda' | sort | while read -r data; do
  gcov --branch-probabilities --json-format --stdout "$data" 2>/dev/null
done | awk -v missing="${2:-}" -v least_lines=$least_lines -v least_branches=$least_branches \
  -f tests/coverage.awk
