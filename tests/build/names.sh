#!/bin/sh
# The headers and macros of the last release are there, with as many parameters. Another minor
# version may have other experimental ones; a patch version has the same names.
# shows promises 77
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
. tests/checks.sh
begin_checks names
record=$(ls syclze/bindings/abi/*.names | sort -V | tail -n 1)
minor=$(sed -n 's/^#define SYCLZE_VERSION_M[A-Z]* //p' syclze/version.h | paste -s -d.)
make -s library-names | LC_ALL=C sort >"$work/now"

# difference RECORD VERSION: what of the record of VERSION is gone, or differs.
difference() {
  LC_ALL=C sort "$1" >"$work/then"
  if [ "$2" = "$minor" ]; then
    LC_ALL=C comm -3 "$work/then" "$work/now" | tr -d '\t'
  else
    grep -v ' EXPERIMENTAL$' "$work/then" | LC_ALL=C comm -23 - "$work/now"
  fi
}

agrees() {
  differ=$(difference "$record" "$(basename "$record" .names)")
  echo "differ: $differ" && [ -z "$differ" ]
}

# finds VERSION LINE: what differs from a record of VERSION that has LINE too.
finds() {
  { difference "$record" "$1" && echo "$2"; } | LC_ALL=C sort >"$work/expected"
  { cat "$record" && echo "$2"; } >"$work/record"
  difference "$work/record" "$1" | LC_ALL=C sort | cmp - "$work/expected"
}
passes() { ! finds "$@"; }
a_new_name_is_found() {
  grep -vx SYCLZE_ABI "$record" >"$work/record"
  difference "$work/record" "$minor" | grep -qx SYCLZE_ABI
}
listed_as_experimental() {
  sed -n '/^## What is experimental/,/^## What may/p' syclze/manual/versions.md |
    grep -o '`syclze/[a-z0-9_/]*\.h`' | tr -d '`' | sort >"$work/listed"
  find syclze -name '*.h*' -exec grep -l EXPERIMENTAL {} + | sort | diff "$work/listed" -
}

check "nothing of $(basename "$record" .names) is missing" agrees
check "a header that went is found" finds 0.0 syclze/gone.h
check "a macro that went is found" finds 0.0 SYCLZE_GONE
check "another count of parameters is found" finds 0.0 'syclze_embed(3)'
check "a stable header that is experimental now is found" finds 0.0 syclze/ipc.h
gone='syclze_gone(1) EXPERIMENTAL'
check "an experimental name that went in a minor version passes" passes 0.0 "$gone"
check "an experimental name that went in a patch version is found" finds "$minor" "$gone"
check "a name that is new in a patch version is found" a_new_name_is_found
check "versions.md lists the experimental headers" listed_as_experimental
end_checks
