#!/bin/sh
# The headers and macros of the last release are there, with as many parameters.
# shows promises 77
cd "$(dirname "$0")/../.." || exit 1
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES MFLAGS
. tests/checks.sh
begin_checks names
record=$(ls syclze/bindings/abi/*.names | sort -V | tail -n 1)

# missing_of RECORD: what of it is gone, or differs.
missing_of() { make -s library-names | LC_ALL=C sort >"$work/now" && LC_ALL=C sort "$1" | LC_ALL=C comm -23 - "$work/now"; }

nothing_is_missing() { missing=$(missing_of "$record") && echo "differ: $missing" && [ -z "$missing" ]; }

# finds LINE: a release with this line had something else than there is now.
finds() { { cat "$record" && echo "$1"; } >"$work/record" && [ "$(missing_of "$work/record")" = "$1" ]; }

check "nothing of $(basename "$record" .names) is missing" nothing_is_missing
check "a header that went is found" finds syclze/gone.h
check "a macro that went is found" finds SYCLZE_GONE
check "another count of parameters is found" finds 'syclze_embed(3)'
end_checks
