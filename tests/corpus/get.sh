#!/bin/sh
# tests/corpus/get.sh FOLDER [TEXT...]: lets pip fetch the wheels of wheels.txt, or those with one of the
# texts in their name, and unpacks the libraries of each into a folder of its name in FOLDER; and the
# assembler of PTX into FOLDER/ptxas. One that does not come is reported, and no failure.
set -u
here=$(dirname "$0") folder=$1
shift
mkdir -p "$folder" || exit 1

# get NAME LINE PATTERN [FILE]
get() {
  echo "$2" >"$folder/$1.txt"
  name=$1 pattern=$3
  shift 3
  "$here/../wheels.sh" "$name" "$folder/$name" "$folder/$name.txt" "$pattern" "$@"
}

is_selected() {
  [ -n "$only" ] || return 0
  for text in $only; do case $1 in *"$text"*) return 0 ;; esac; done
  return 1
}

only=$*
while read -r line; do
  ! is_selected "${line%%==*}" || get "${line%%==*}" "$line" '.*\.so[.0-9]*$'
done <"$here/wheels.txt"
get ptxas "$(cat "$here/ptxas.txt")" '.*/bin/ptxas$' nvidia/cu13/bin/ptxas &&
  chmod +x "$folder/ptxas/nvidia/cu13/bin/ptxas"
exit 0
