#!/bin/sh
# tests/corpus/get.sh FOLDER: lets pip fetch the wheels of wheels.txt, and unpacks the libraries of each
# into a folder of its name in FOLDER. Ends with 3 where one did not come.
set -u
here=$(dirname "$0") folder=$1 result=0
mkdir -p "$folder" || exit 1
while read -r line; do
  name=${line%%==*}
  echo "$line" >"$folder/$name.txt"
  "$here/../wheels.sh" "$name" "$folder/$name" "$folder/$name.txt" '.*\.so[.0-9]*$' || result=3
done <"$here/wheels.txt"
exit $result
