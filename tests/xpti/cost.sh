#!/bin/sh
# tests/xpti/cost.sh FOLDER LOADER FRAMEWORK: counts under callgrind the cost of a notified submission
# beyond one without notifications, beside what the framework spends on the same notifications (cost.awk), in
# both forms. FOLDER holds the programs, LOADER a loader that does next to nothing, FRAMEWORK the
# framework.
set -u
folder=$1 loader=$2 framework=$3
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
passed=0 failed=0

if ! command -v valgrind >/dev/null; then
  echo 'skip cost: valgrind is not installed'
  echo '0 passed, 0 failed, 1 skipped'
  exit 0
fi

# count SUBMISSION DISPATCHER FORM: prints the instructions of a submission, and the framework's.
count() {
  XPTI_FRAMEWORK_DISPATCHER=$2 XPTI_SUBSCRIBERS=$folder/listens.so SYCLZE_TRACE_FORM=$3 \
    LD_BIND_NOW=1 LD_LIBRARY_PATH=$loader:$framework \
    valgrind -q --tool=callgrind --callgrind-out-file="$counts" --toggle-collect=counted \
    --dump-line=no --compress-strings=no --compress-pos=no "$folder/cost" "$1" >/dev/null 2>&1 &&
    awk -f "$(dirname "$0")/cost.awk" "$counts"
}

# check SUBMISSION FORM LIMIT: the limit is in hundredths of what the framework spends.
check() {
  set -- "$@" $(count "$1" '' "$2") $(count "$1" "$framework/libxptifw.so" "$2")
  if [ $# -ne 7 ] || [ "$7" -le 0 ]; then
    echo "FAIL cost: $1, $2: nothing was counted"
    failed=$((failed + 1))
    return
  fi
  ratio=$((($6 - $4) * 100 / $7))
  if [ "$ratio" -gt 100 ] && [ "$ratio" -le "$3" ]; then
    status=pass passed=$((passed + 1))
  else
    status=FAIL failed=$((failed + 1))
  fi
  echo "$status cost: $1, $2 form: $(($6 - $4)) of $7, $ratio % of at most $3 %"
}

check kernel current 120
check accessors current 120
check kernel specified 120
check accessors specified 120
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
