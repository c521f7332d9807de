#!/bin/sh
# tests/of.sh HEADER BUILD PROGRAM...: prints which of the built programs test a header of
# syclze/: those that include it, by the compiler's dependency files, and use a name that it declares
# for users, if it declares any. Programs on devices, of orders and of traces, and those of device
# images for headers of offload/, take bodies from BUILD/tests/library.o.
header=$1 build=$2
shift 2
[ -f "$header" ] || { echo "of=$header: there is no such file" >&2; exit 1; }

# Functions and macros at the beginning of a line, types, enumerators.
names=$({
  grep -hE '^[A-Za-z#].*\bsyclze_[a-z0-9]' "$header" | grep -oE '\bsyclze_[a-z0-9]\w*\(|(^#.*define |\} )syclze_[a-z0-9]\w*' |
    grep -oE 'syclze_\w+'
  grep -oE '^(  |#.*define )SYCLZE_[A-Z0-9]\w*' "$header" | grep -oE 'SYCLZE_\w+' | grep -v '_H$'
} | sort -u | paste -s -d'|')

unbuilt=0
for program; do
  source=${program#"$build"/}
  [ -f "$source.c" ] && source=$source.c || source=$source.cpp
  if [ ! -f "$program.d" ]; then
    unbuilt=$((unbuilt + 1))
  elif grep -qxF "$header:" "$program.d" || {
    case $header:$source in *:tests/device/* | *:tests/orders/* | *:tests/trace/* | \
      syclze/offload/*:tests/offload/* | syclze/offload/*:tests/fuzz/*) grep -qxFs "$header:" "$build/tests/library.d" ;; *) false ;; esac
  }; then
    [ -z "$names" ] || grep -qwE "$names" "$source" && echo "$program"
  fi
done
[ $unbuilt -eq 0 ] || echo "of=$header: $unbuilt programs are not built, and left out" >&2
