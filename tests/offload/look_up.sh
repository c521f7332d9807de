#!/bin/sh
# Each case of look_up.c, compiled with optimisation: a look-up takes less than 1,000 instructions, as
# callgrind counts them; with a name of 4,000 characters, 500 more than the C library takes to measure
# and to compare it (910), or, where names differ beside the samples that are hashed, one for each
# character.
# shows offload 49
. "$(dirname "$0")/../checks.sh"
begin_checks

# count CASE [LENGTH NAMES]: the instructions of a look-up, or of the opening for each image.
count() {
  counted=look_up_all times=1000
  case $1 in opening*) counted=open_all times=$3 ;; esac
  case $2$1 in
    4000*samples) limit=4000 ;;
    4000*) limit=1400 ;;
    20opening*) limit=1200 ;;
    *) limit=1000 ;;
  esac
  LOOK_UP_LENGTH=${2:-} LOOK_UP_NAMES=${3:-} valgrind --tool=callgrind --collect-atstart=no \
    --toggle-collect=$counted --callgrind-out-file="$work/counts" "$work/look_up" "$1" || return
  instructions=$(awk -v times="$times" \
    '/^(summary|totals):/ { n = $2 } END { print int(n / times) }' "$work/counts")
  echo "FAIL $instructions instructions"
  [ "$instructions" -gt 100 ] && [ "$instructions" -lt "$limit" ]
}

# check_count CASE [LENGTH NAMES]
check_count() {
  label="$1${2:+, $2 characters, $3 names}"
  check "$label" count "$@"
  echo "$label: $instructions instructions"
}

if ! command -v valgrind >/dev/null; then
  skip "look_up: there is no valgrind"
elif ! "${CC:-cc}" -std=c11 -O2 -DNDEBUG -g -I. -o "$work/look_up" tests/offload/look_up.c \
  -lze_loader -ldl -pthread; then
  fail "look_up.c is compiled"
else
  for case in in_a_set_by_names_of_dpcpp in_a_set_by_chosen_names in_a_container_by_names_of_dpcpp \
    in_a_container_by_chosen_names in_properties_by_names_of_dpcpp; do
    check_count "$case"
  done
  for version in 1 2; do
    check_count "opening_a_container_of_version_$version" 20 1000
    check_count "opening_a_container_of_version_$version" 20 10000
  done
  for case in in_a_set in_a_container in_properties; do
    check_count "${case}_by_names_of_a_length" 10 10
    for length in 10 400 700 2000 4000; do
      check_count "${case}_by_names_of_a_length" "$length" 10000
    done
    for length in 400 700 4000; do
      check_count "${case}_by_names_beside_samples" "$length" 10000
    done
  done
fi
end_checks
