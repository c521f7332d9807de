#!/bin/bash
# library.sh LIBRARY: what libsyclze.so exports, its interface beside the record of the last release,
# callers of an earlier release, and programs in which the library and the headers share objects. LIBRARY
# is the folder of the build, as `make library` leaves it.
cd "$(dirname "$0")/../.." || exit 1
library=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
CC=${CC:-cc}
export LD_LIBRARY_PATH=$library

result() {
  if [ "$1" -eq 0 ]; then
    passed=$((passed + 1))
    echo "pass $2"
  else
    failed=$((failed + 1))
    echo "FAIL $2: $3"
  fi
}

# Functions of the headers that a compiler sees, and the library's exports.
public=$(sed -n 's/.*"\(syclze.*\)".*/\1/p' "$library/library_headers.h")
$CC -std=c11 -w -O0 -I. -I"$library" -Dalways_inline=unused -fkeep-inline-functions \
  -fkeep-static-functions -c -o "$work/all.o" -x c "$library/library_headers.h" || exit 1
{
  nm "$work/all.o" | awk '$2 ~ /[tTwW]/ { print $3 }' | grep -E '^syclze_[a-z0-9]'
  echo syclze_last_diagnostic
} | sort -u >"$work/public"
nm -D --defined-only "$library/libsyclze.so" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' |
  sort -u >"$work/exports"
difference=$(comm -3 "$work/public" "$work/exports" | tr '\n' ' ')
[ -z "$difference" ] && [ "$(wc -l <"$work/exports")" -gt 300 ]
result $? "exports_are_the_public_functions" "$difference"

wrong=$(nm -D --defined-only "$library/libsyclze.so" | awk '$2 != "A" { print $3 }' |
  grep -vE '^syclze_[a-z0-9]\w*@@SYCLZE_[0-9]+\.[0-9]+$')
[ -z "$wrong" ]
result $? "each_export_has_the_version_of_a_release" "$wrong"
readelf -dW "$library/libsyclze.so" >"$work/dynamic"
grep -q 'SONAME.*libsyclze\.so\.1\]' "$work/dynamic" && grep -q SYMBOLIC "$work/dynamic" &&
  ! grep -q STATIC_TLS "$work/dynamic"
result $? "it_is_symbolic_and_has_no_static_tls" "$(cat "$work/dynamic")"
tls=$(readelf -lW "$library/libsyclze.so" | awk '$1 == "TLS" { print $6 }')
[ $((${tls:-0})) -le 16 ]
result $? "its_threads_have_16_bytes_at_most" "$tls"
difference=$(nm "$library/libsyclze.a" 2>/dev/null | awk '$2 ~ /[TDBRVWC]/ { print $3 }' |
  grep -vE '^syclze_[a-z0-9]\w*[a-z0-9]$' | head -n 3)
[ -z "$difference" ]
result $? "the_archive_defines_nothing_else" "$difference"

# The library has a handler of its own, which is none of the program.
$CC -std=c11 -Wall -Wextra -I"$library" -o "$work/caller" tests/bindings/older.c -L"$library" -lsyclze -lze_loader
printed=$(SYCLZE_TRACE=/nonexistent/trace.html "$work/caller" 2>&1)
[[ $printed == "0 0"*"syclze_trace_write: "*"/nonexistent/trace.html" || $printed == *"syclze_trace_write: "*"0 0" ]]
result $? "a_trace_that_cannot_be_written_is_printed" "$printed"

# Layouts of the header are those of the library.
{
  echo '#include "syclze_library.h"'
  python3 syclze/bindings/c.py record "$library/syclze.json" |
    sed -n 's|^/\* \(syclze_[a-z0-9_]*\): \([0-9]*\).* \*/$|_Static_assert(sizeof(\1) == \2, "\1");|p'
} >"$work/sizes.c"
[ "$(wc -l <"$work/sizes.c")" -gt 60 ] &&
  $CC -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$library" -fsyntax-only "$work/sizes.c"
result $? "structs_of_the_header_have_the_sizes_of_the_library" "see above"
echo '#include "syclze_library.h"' >"$work/cxx.cpp"
${CXX:-c++} -std=c++11 -Wall -Wextra -Werror -I"$library" -fsyntax-only "$work/cxx.cpp"
result $? "the_header_compiles_as_cxx" "see above"

# The interface beside that of the last release. A struct that functions take by pointer only may grow.
stub() { # RECORD OUT
  mkdir -p "$work/$2"
  cp "$1" "$work/$2/syclze_library.h"
  grep -E '^[a-z].*\bsyclze_[a-z0-9_]+\(.*\);$' "$1" | grep -v '^typedef' | awk '
    { sub(/;$/, ""); head = $0; result = head; sub(/[ *]?syclze_[a-z0-9_]+\(.*/, "", result)
      if (head ~ /\*syclze_[a-z0-9_]+\(/) result = result " *"
      gsub(/const /, "", result)
      if (result ~ /^void *$/) print head " {}"
      else print head " { static " result " nothing; return nothing; }" }' >"$work/$2/body.c"
  { echo '#include "syclze_library.h"' && cat "$work/$2/body.c"; } >"$work/$2/stub.c"
  $CC -std=c11 -w -g -O0 -fno-eliminate-unused-debug-types -fPIC -shared -o "$work/$2/stub.so" \
    "$work/$2/stub.c"
}
differs() { # NEW: prints the difference to the release
  abidiff --suppressions tests/bindings/growth.abignore "$work/release/stub.so" "$work/$1/stub.so" \
    >"$work/report" 2>&1
  local code=$?
  # Additions and what the rule of growth allows change no caller.
  [ $((code & 11)) -eq 0 ] && ! grep -qE '\[D\]|Changed.*[1-9][0-9]* (Changed|Removed)' "$work/report" &&
    { [ $((code & 4)) -eq 0 ] || grep -qE '^Functions changes summary: 0 Removed, 0 Changed' "$work/report"; }
}
record=$(ls syclze/bindings/abi/*.txt | sort -V | tail -n 1)
read -r major minor <<<"$(sed -n 's/^#define SYCLZE_VERSION_M[A-Z]* //p' syclze/version.h | paste -s -d' ')"
make -s library="$library" "$library/record.txt" || exit 1
# A record without experimental functions, and without the values of experimental enumerators: what a
# later minor version must have of it.
stable_of() { sed -e '/^\/\* EXPERIMENTAL \*\/$/,/^$/d' -e 's| = .* /\* EXPERIMENTAL \*/||' "$1"; }
values_of() {
  grep -E '^(  |#define )SYCLZE_[A-Z0-9_]+ ' "$1" | grep -vE 'SYCLZE_(VERSION_|ABI )' | sed 's/,$//' |
    LC_ALL=C sort
}
functions_of() { grep -E '^[a-z].*\);$' "$1" | LC_ALL=C sort; }
# lost RECORD WHAT: values or functions of a record that are not there as they were.
lost() { LC_ALL=C comm -23 <("$2" "$1") <("$2" "$library/record.txt"); }
patch=$([ "$(basename "$record" .txt)" = "$major.$minor" ] && echo yes)
stable_of "$record" >"$work/stable.txt"
cp "$([ -n "$patch" ] && echo "$record" || echo "$work/stable.txt")" "$work/kept.txt"
difference=$(lost "$work/kept.txt" values_of)
[ -z "$difference" ]
result $? "enumerators_and_constants_have_the_values_of_the_last_release" "$difference"
sed 's/^  SYCLZE_ASPECT_FP16 = 5/  SYCLZE_ASPECT_FP16 = 6/' "$record" >"$work/other.txt"
[ "$(lost "$work/other.txt" values_of)" = "  SYCLZE_ASPECT_FP16 = 6" ]
result $? "another_value_is_found" "$(lost "$work/other.txt" values_of)"
if [ -n "$patch" ]; then
  difference=$(diff <(functions_of "$record") <(functions_of "$library/record.txt"))
  [ -z "$difference" ]
  result $? "a_patch_version_has_the_same_functions" "$difference"
fi
grep -q '\bsyclze_group_launch(' "$work/stable.txt" &&
  ! grep -qE 'syclze_ipc_memory_open\(|SYCLZE_GRAPH_NODE_KERNEL = ' "$work/stable.txt"
result $? "a_record_is_read_without_what_is_experimental" "see above"
sed "s/\"version\": \"$major\.$minor\./\"version\": \"$major.$((minor + 1))./" "$library/syclze.json" >"$work/next.json"
printed=$(python3 syclze/bindings/c.py exports "$work/next.json" syclze/bindings/abi/*.txt |
  awk '/^SYCLZE_/ { node = $1 } / syclze_graph_(create|release);$/ { graph = graph node } / syclze_make_queue;$/ { queue = queue node }
    END { print queue, graph }')
next=SYCLZE_$major.$((minor + 1))
[ "${printed#* }" = "$next$next" ] && [[ "$printed" != *"$next "* ]]
result $? "a_stable_function_keeps_its_version_and_an_experimental_one_does_not" "$printed"
if command -v abidiff >/dev/null; then
  stub "$work/kept.txt" release && stub "$library/record.txt" now
  differs now
  result $? "nothing_that_the_last_release_had_has_changed" "$(cat "$work/report")"
  sed 's/size_t syclze_buffer_byte_size/uint32_t syclze_buffer_byte_size/' "$record" >"$work/narrow.txt"
  stub "$work/narrow.txt" narrow
  ! differs narrow
  result $? "another_type_of_result_is_found" "$(cat "$work/report")"
  grep -v 'syclze_events_wait(' "$record" >"$work/fewer.txt"
  stub "$work/fewer.txt" fewer
  ! differs fewer
  result $? "a_function_that_went_is_found" "$(cat "$work/report")"
  sed 's/^  uint32_t dimensions;$/  uint64_t dimensions;/' "$record" >"$work/wider.txt"
  stub "$work/wider.txt" wider
  ! differs wider
  result $? "another_type_of_member_is_found" "$(cat "$work/report")"
else
  skipped=$((skipped + 4))
  echo "skip abidiff: abigail-tools is not installed"
fi

# A caller of this release, and a library of a later one in which an input has grown. Both libraries have
# the functions of a few headers.
tree=$work/tree
few="syclze/context.h syclze/device.h syclze/event.h syclze/library.h syclze/owner.h syclze/platform.h syclze/queue.h syclze/result.h syclze/version.h"
mkdir -p "$tree" && cp -r Makefile syclze tests examples "$tree" && rm -rf "$tree"/tests/zecl/build
later() { make -s -C "$tree" library="$1" described_headers="$few" library_optimisation=-O0 library >"$work/log" 2>&1; }
rm "$tree"/syclze/bindings/abi/*.txt
later "$work/first" && cp "$library/record.txt" "$work/whole.txt" &&
  make -s -C "$tree" library="$work/first" described_headers="$few" "$work/first/record.txt" &&
  cp "$work/first/record.txt" "$tree/syclze/bindings/abi/$major.$minor.txt"
if command -v clang >/dev/null; then
  CC=clang CFLAGS=-flto later "$work/clang" && clang -std=c11 -I"$work/clang" -o "$work/clang/caller" tests/bindings/older.c \
    -L"$work/clang" -lsyclze -lze_loader && printed=$(LD_LIBRARY_PATH=$work/clang timeout 60 "$work/clang/caller" 2>&1)
  [ $? -eq 0 ] && [ "$printed" = "0 0" ] && cmp "$work/first/syclze.json" "$work/clang/syclze.json"
  result $? "clang_makes_the_library_too" "$printed $(tail -n 2 "$work/log")"
else
  skipped=$((skipped + 1))
  echo "skip clang_makes_the_library_too: no clang is installed"
fi
sed -i "s/\(SYCLZE_VERSION_MINOR\( !=\)\?\) $minor\b/\1 $((minor + 1))/" "$tree/syclze/version.h"
sed -i '/^typedef struct syclze_event_input {/,/^} syclze_event_input;/s/^} syclze_event_input;/  uint64_t label[4];\n&/' \
  "$tree/syclze/event.h"
sed -i '0,/^#define SYCLZE__EXPORTED_AS(/s//#define syclze_make_event(input, context, event) \\\n  ((input) != NULL \&\& (input)->label[3] != 0 ? ZE_RESULT_ERROR_INVALID_ARGUMENT : (syclze_make_event)(input, context, event))\n&/' \
  "$tree/syclze/bindings/library.c"
later "$work/second"
result $? "a_library_whose_input_has_grown_is_built" "$(tail -n 5 "$work/log")"
for when in first second; do
  $CC -std=c11 -Wall -Wextra -I"$work/$when" $([ $when = first ] || echo "-DMORE=label[3]") \
    -o "$work/$when/caller" tests/bindings/older.c -L"$work/$when" -lsyclze -lze_loader
done
printed=$(LD_LIBRARY_PATH=$work/first "$work/first/caller" 2>&1)
[ "$printed" = "0 0" ]
result $? "a_caller_runs_on_its_own_library" "$printed"
printed=$(LD_LIBRARY_PATH=$work/second "$work/first/caller" 2>&1)
[ "$printed" = "0 0" ]
result $? "an_older_caller_gives_zeros_behind_its_input" "$printed"
printed=$(LD_LIBRARY_PATH=$work/second "$work/second/caller" 2>&1)
[ "$printed" = "2013265924 0" ] # ZE_RESULT_ERROR_INVALID_ARGUMENT
result $? "a_newer_caller_gives_the_new_member" "$printed"
sed -i '/^typedef struct syclze_native_modules {/,/^}/s/^} syclze_native_modules;/  size_t more;\n&/' \
  "$tree/syclze/kernel_bundle.h"
cp "$work/whole.txt" "$tree/syclze/bindings/abi/$major.$minor.txt"
(cd "$tree" && CC=$CC python3 syclze/bindings/describe.py $public) >"$work/grown.json"
printed=$(python3 syclze/bindings/c.py functions "$work/grown.json" "$work/whole.txt" 2>&1 >/dev/null)
[[ $printed == *"must not grow"* ]]
result $? "a_struct_that_is_passed_by_value_may_not_grow" "$printed"
for struct in sampler_desc diagnostic_handler symbol_cursor offload_found; do
  sed "s|^\(/\* syclze_$struct: \).*|\18 */|" "$work/whole.txt" >"$work/0.9.txt"
  printed=$(python3 syclze/bindings/c.py functions "$library/syclze.json" "$work/0.9.txt" 2>&1 >/dev/null)
  [[ $printed == *"syclze_$struct "*"must not grow"* ]]
  result $? "neither_may_${struct}_which_a_call_does_not_take_by_itself" "$printed"
done

sum="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || sum="$sum, $skipped skipped"
echo "$sum"
[ "$failed" -eq 0 ]
