#!/bin/sh
# names.sh HEADER...: the headers and their public macros, with the count of parameters: what a source
# file relies on beside the functions and types, which record.txt has. What an experimental header has
# is marked.
names_of() { # MARK HEADER...
  mark=$1 && shift
  printf "%s$mark\n" "$@"
  grep -hE '^ *# *define (SYCLZE|syclze)_[A-Za-z0-9]' "$@" | awk -v mark="$mark" '
    { sub(/^ *# *define /, ""); name = $0; sub(/[^A-Za-z0-9_].*/, "", name); rest = substr($0, length(name) + 1) }
    name ~ /_H(PP)?$/ { next }
    rest !~ /^\(/ { print name mark; next }
    { sub(/^\(/, "", rest); sub(/\).*/, "", rest); count = split(rest, parameters, ",")
      print name "(" (rest ~ /\.\.\./ ? (count - 1) "+" : count) ")" mark }' | LC_ALL=C sort -u
}
experimental=$(grep -l EXPERIMENTAL "$@")
names_of '' $(grep -L EXPERIMENTAL "$@")
[ -z "$experimental" ] || names_of ' EXPERIMENTAL' $experimental
