#!/bin/sh
# Each case of look_up.c, compiled with optimisation: a look-up takes less than 1,000 instructions, as
# callgrind counts them.
. "$(dirname "$0")/../checks.sh"
begin_checks

# count CASE: the instructions of a look-up.
count() {
  valgrind --tool=callgrind --collect-atstart=no --toggle-collect=look_up_all \
    --callgrind-out-file="$work/counts" "$work/look_up" "$1" || return
  instructions=$(awk '/^(summary|totals):/ { n = $2 } END { print int(n / 1000) }' "$work/counts")
  echo "FAIL $instructions instructions"
  [ "$instructions" -gt 100 ] && [ "$instructions" -lt 1000 ]
}

if ! command -v valgrind >/dev/null; then
  skip "look_up: there is no valgrind"
elif ! "${CC:-cc}" -std=c11 -O2 -DNDEBUG -g -I. -o "$work/look_up" tests/offload/look_up.c \
  -lze_loader -ldl -pthread; then
  fail "look_up.c is compiled"
else
  for case in in_a_set_by_names_of_dpcpp in_a_set_by_chosen_names in_a_container_by_names_of_dpcpp \
    in_a_container_by_chosen_names in_properties_by_names_of_dpcpp in_a_set_by_names_of_400_characters \
    in_a_container_by_names_of_400_characters in_properties_by_names_of_400_characters; do
    check "a look-up $case" count "$case"
    echo "$case: $instructions instructions"
  done
fi
end_checks
