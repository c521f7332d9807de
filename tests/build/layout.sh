#!/bin/sh
# The headers as a reader and an editor find them.
#
# Public headers are syclze/*.h and those directly in command/, offload/ and trace/. They include
# public headers at their top, and private ones as their last lines only, so that a reader comes to
# no private header before the end. Whatever public function a compiler sees, ctags finds by name.
# shows promises 73
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

result() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
    echo "pass $2"
  else
    failed=$((failed + 1))
    echo "FAIL $2: $3"
  fi
}

# The first include of a private header that something follows, other than such includes, lines of
# conditions, comments, and the macros of call sites, which must not apply to the bodies.
private_before_the_end() {
  awk '
    { sub(/\/\*.*\*\//, "") }
    private && /^#[ \t]*ifdef SYCLZE_CHECK$/ { sites = 1 }
    sites { if (/^#[ \t]*endif/) sites = 0; next }
    /^[ \t]*#[ \t]*include[ \t]*"(.*\/)?(detail|xpti|writer)\// { if (!private) private = NR; next }
    private && !/^[ \t]*$/ && !/^[ \t]*#[ \t]*(endif|if|else)/ && !/^[ \t]*(\/?\*|\/\/)/ {
      print "line " private " comes before line " NR; exit }' "$1"
}

public=$(ls syclze/*.h syclze/command/*.h syclze/offload/*.h syclze/trace/*.h)
for header in $public; do
  found=$(private_before_the_end "$header")
  [ -z "$found" ]
  result $? "$header includes private headers at its end" "$found"
done

# A private header is included by private ones, or by a public one at its end; a public one never by
# its way through a private one alone: each has its name in a table of contents.
for header in $(ls syclze/*.h | grep -v 'syclze/syclze.h'); do
  name=$(basename "$header")
  grep -q "\b$name\b" syclze/syclze.h
  result $? "syclze.h names $name" "it does not"
done

# The file with the bodies of a program has them all. Those of traces install what they have.
gcc -std=c11 -I. -M -x c syclze/implementation.h | tr ' ' '\n' |
  sed -e ':a' -e 's|[^/]*/\.\./||' -e ta -e 's|^\./||' >"$work/with_bodies"
# loader_names.h has none.
for header in $(echo "$public" | grep -v '^syclze/trace/\|^syclze/loader_names.h'); do
  grep -qx "$header" "$work/with_bodies"
  result $? "implementation.h includes $header" "it does not"
done

# The compiler's view: each public function has a symbol if all functions are kept.
{
  for header in $public; do echo "#include \"$header\""; done
} >"$work/all.c"
calls=$(gcc -fcallgraph-info -E -o /dev/null -x c /dev/null 2>/dev/null && echo -fcallgraph-info)
gcc -std=c11 -O0 -I. -Dalways_inline=unused -fkeep-inline-functions -fkeep-static-functions $calls -c \
  -o "$work/all.o" "$work/all.c" || exit 1
nm "$work/all.o" | awk '$2 ~ /[tTwW]/ { print $3 }' | sed 's/_v[0-9][0-9]*[a-z]*$//' |
  grep -E '^syclze_[a-z0-9]' | sort -u >"$work/functions"
[ "$(wc -l <"$work/functions")" -gt 150 ]
result $? "the compiler sees the public functions" "only $(wc -l <"$work/functions")"

python3 tests/build/contracts.py --list $public >"$work/written"
missing=$(comm -23 "$work/functions" "$work/written" | tr '\n' ' ')
[ -z "$missing" ]
result $? "each is declared in a public header" "$missing"

if ctags --version 2>/dev/null | grep -q Universal; then
  ctags -x --languages=C --langmap=C:.h --kinds-C=fp $(find syclze -name '*.h') 2>/dev/null |
    awk '{ print $1 }' | sort -u >"$work/tags"
  missing=$(comm -23 "$work/functions" "$work/tags" | tr '\n' ' ')
  [ -z "$missing" ]
  result $? "ctags finds each of them" "$missing"
  # Definitions of the functions, which a declaration alone does not show.
  ctags -x --languages=C --langmap=C:.h --kinds-C=f $(find syclze -name '*.h') 2>/dev/null |
    awk '{ print $1 }' | sort -u >"$work/definitions"
  missing=$(comm -23 "$work/functions" "$work/definitions" | tr '\n' ' ')
  [ -z "$missing" ]
  result $? "ctags finds where each is defined" "$missing"
else
  skipped=1
  echo "skip ctags: universal-ctags is not installed"
fi

# The compilation above wrote the calls.
if [ -n "$calls" ]; then
  CALLS=$work/all.ci tests/build/reach.sh >"$work/reach"
  [ $? -eq 0 ] || grep -q '^FAIL ' "$work/reach" || echo "FAIL reach: no result" >>"$work/reach"
  grep -E '^(pass|FAIL) ' "$work/reach"
  passed=$((passed + $(grep -c '^pass ' "$work/reach")))
  failed=$((failed + $(grep -c '^FAIL ' "$work/reach")))
else
  skipped=$((skipped + 1))
  echo "skip reach: gcc writes no calls"
fi

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
