#!/bin/sh
# headers.sh FOLDERS COMPILER OPTION...: compiles each source that run.sh made in the folders, whose names
# have commas between them. Prints one line: on a failure the sources that do not compile, and the first
# message.
folders=$1
shift
name=$*
command -v "$1" >/dev/null || { echo "skip $name: no such compiler"; exit 0; }
failing='' message=''
output=$(mktemp -p "$work")
for source in $(echo "$folders" | tr , '\n' | sed "s|.*|$work/&/*.c|"); do
  "$@" $warnings -I. -fsyntax-only "$source" >"$output" 2>&1 && continue
  failing="$failing $(basename "$source" .c)"
  message=${message:-$(grep -m 1 -E 'error|warning' "$output")}
done
if [ -n "$failing" ]; then
  echo "FAIL $name:$failing: $message"
else
  echo "pass $name"
fi
