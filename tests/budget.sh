#!/bin/sh
# Counts the instructions of the operations that have a budget (bench/README.md).
if ! command -v valgrind >/dev/null; then
  echo "skip budget: valgrind is not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
${MAKE:-make} -s bench-budgets
