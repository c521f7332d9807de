#!/bin/sh
# Counts the instructions of the operations that have a budget, and of the grid (bench/README.md).
# shows queues 15, graphs 28
if ! command -v valgrind >/dev/null; then
  echo "skip budget: valgrind is not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
# Each of the three parts ends with a line of its own: one that is missing is a failure.
{ ${MAKE:-make} -s bench-budgets; ${MAKE:-make} -s bench-grid-limits; } | awk '
  /^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; parts++; next }
  { print }
  END {
    printf "%d passed, %d failed\n", passed, failed + (parts < 3)
    exit failed > 0 || parts < 3
  }'
