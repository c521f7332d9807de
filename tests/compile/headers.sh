#!/bin/sh
# headers.sh FOLDERS COMPILER OPTION...: compiles each source that run.sh made in the folders, whose names
# have commas between them. Prints one line: on a failure the sources that do not compile, and the first
# message. A header that another one of those alone includes before all else is not compiled again: what
# precedes it is the same nothing, but in the few that define a macro first. Long names come first, since
# their headers include others.
folders=$1
shift
name=$*
command -v "$1" >/dev/null || { echo "skip $name: no such compiler"; exit 0; }
failing='' message='' shown=' '
output=$(mktemp -p "$work")
# The headers that a source includes before all else, one by another, of the compiler's -H.
first_of() {
  awk '/(implementation|writer|xpti)\.h$/ || $1 !~ /^\.+$/ || length($1) != NR { exit }
    { while (sub(/^\.\/|[^\/.]+\/\.\.\//, "", $2)); printf "%s ", $2 }' "$1"
}
for source in $(ls $(echo "$folders" | tr , '\n' | sed "s|.*|$work/&/*.c|") |
  awk '{ print length, $0 }' | sort -rn | cut -d' ' -f2); do
  case $source in
  */alone/* | */cpp/*)
    read -r _ header <"$source"
    case $shown in *" $(echo "$header" | tr -d '"') "*) continue ;; esac
    ;;
  esac
  if "$@" $warnings -H -I. -fsyntax-only "$source" >"$output" 2>&1; then
    shown=$shown$(first_of "$output")
  else
    failing="$failing $(basename "$source" .c)"
    message=${message:-$(grep -m 1 -E '(error|warning):' "$output")}
  fi
done
if [ -n "$failing" ]; then
  echo "FAIL $name:$failing: $message"
else
  echo "pass $name"
fi
