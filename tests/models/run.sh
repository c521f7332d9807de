#!/bin/sh
# Checks each model of a protocol without locks in every order of its steps, and that the check
# finds each error that can be planted in it: with PLANTED=1, 2, ... as the model's head lists them.
cd "$(dirname "$0")" || exit 1
if ! command -v spin >/dev/null; then
  echo "skip models: spin is not installed"
  echo "0 passed, 0 failed, 1 skipped"
  exit 0
fi
folder=$PWD
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# search MODEL PLANTED: prints the number of errors that are found. Optimising takes longer than most
# searches.
search() {
  rm -f "$work"/*
  case $1.$2 in deferral.pml.0 | worker.pml.0) level=-O2 ;; *) level=-O0 ;; esac
  (cd "$work" && spin -DPLANTED="$2" -a "$folder/$1" >spin.log 2>&1 &&
    ${CC:-cc} $level -w -DSAFETY -DVECTORSZ=4096 -o pan pan.c 2>&1 &&
    timeout 900 ./pan -m1000000 >pan.log 2>&1
    # Without the whole search there is no result.
    grep -q 'max search depth too small\|aborted' pan.log && exit
    sed -n 's/.*errors: \([0-9]*\).*/\1/p' pan.log)
}

# result NAME CONDITION...
result() {
  name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "pass $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $(tail -n 2 "$work/spin.log" "$work/pan.log" 2>/dev/null | tr '\n' ' ')"
  fi
}

for model in *.pml; do
  errors=$(search "$model" 0)
  result "$model holds" [ "$errors" = 0 ]
  for planted in $(seq "$(sed -n '/Planted errors/,/\*\//p' "$model" | grep -o '\<[1-9],' | wc -l)"); do
    errors=$(search "$model" "$planted")
    result "$model: planted error $planted is found" [ "${errors:-0}" -gt 0 ]
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
