#!/bin/sh
# names.sh HEADER...: the headers and their public macros, with the count of parameters: what a source
# file relies on beside the functions and types, which record.txt has.
printf '%s\n' "$@"
grep -hE '^ *# *define (SYCLZE|syclze)_[A-Za-z0-9]' "$@" | awk '
  { sub(/^ *# *define /, ""); name = $0; sub(/[^A-Za-z0-9_].*/, "", name); rest = substr($0, length(name) + 1) }
  name ~ /_H(PP)?$/ { next }
  rest !~ /^\(/ { print name; next }
  { sub(/^\(/, "", rest); sub(/\).*/, "", rest); count = split(rest, parameters, ",")
    print name "(" (rest ~ /\.\.\./ ? (count - 1) "+" : count) ")" }' | LC_ALL=C sort -u
