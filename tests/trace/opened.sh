#!/bin/sh
# tests/trace/opened.sh EXAMPLE MILLION: the trace of the example's run in Chrome's format, and one of
# a million records, in the viewers that are made for it (opened.py).
cd "$(dirname "$0")/../.." || exit 1
if ! command -v python3 >/dev/null; then
  echo "skip opened: no Python here (apt install python3)"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
SYCLZE_TRACE="$work/example.json" timeout 900 "$1" >/dev/null &&
  SYCLZE_TEST_PAGE="$work/million.json" timeout 900 "$2" >/dev/null &&
  python3 tests/trace/opened.py "$work/example.json" "$work/million.json"
