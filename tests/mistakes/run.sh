#!/bin/sh
# The table of typical mistakes, syclze/manual/mistakes.md: the mistakes of mistakes.c are made without and
# with the debug checker, those of tests/fail are tried there. With --write the file is written.
# shows promises 13
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks mistakes
table=syclze/manual/mistakes.md

# Mistakes that do not compile: the program of tests/fail, and words.
compile_rows() {
  cat <<'ROWS'
arg_of_a_buffer	a buffer as an argument of a kernel, in place of its accessor
arg_of_an_image	an image as an argument of a kernel
arg_of_a_queue	a queue as an argument of a kernel
arg_of_an_event	an event as an argument of a kernel
arg_of_a_kernel	a kernel as an argument of a kernel
arg_of_a_pointer_to_an_accessor	a pointer to an accessor as an argument of a kernel
get_native_of_a_buffer	the native handle of a buffer outside of an interop handle
get_native_of_an_image	the native handle of an image outside of an interop handle
get_native_of_a_native_handle	the native handle of a native handle
get_native_of_a_pointer_to_an_object	the native handle of a pointer to an object
get_native_into_another_handle	a native handle for one of another kind
make_platform_of_a_device_handle	a platform of a device's handle
make_device_of_a_driver	a device of a driver's handle
make_context_of_a_context_handle	a context of a bare handle
make_queue_of_a_list_handle	a queue of a bare handle
make_queue_of_an_event_input	a queue of the input of an event
make_event_of_an_event_handle	an event of a bare handle
make_kernel_of_a_kernel_handle	a kernel of a bare handle
make_kernel_bundle_of_a_module_handle	a kernel bundle of a bare handle
make_buffer_of_a_void_pointer	a buffer of a bare pointer
make_buffer_of_an_image_input	a buffer of the input of an image
make_in_a_context_handle	a native context in place of the context
make_into_a_value	the result's value in place of its pointer
make_with_one_argument	make_native without a result
make_with_two_arguments_a_queue	make_native of a queue without its context
native_queue_of_a_device	a native queue of a device's handle
queue_input_of_a_bare_handle	a handle where a native queue belongs
queue_input_v3_has_no_properties	properties in an input of version 3
one_object_for_another	an object of one kind for one of another
release_of_a_native_handle	the release of a native handle
release_of_a_pointer_to_an_object	the release of a pointer to an object
retain_of_a_host_accessor	a second reference to a host accessor
set_owner_of_a_device	an owner of a device
scoped_platform	a guard of a platform, which is not counted
ROWS
}

# The message that tests/fail looks for, of both compilers or of gcc.
message() {
  sed -n 's|^// expect\(-gcc\)\{0,1\}: *||p' "tests/fail/$1.c" | head -n 1
}

# The first thing that the mistake is answered with.
said() {
  "$1" "$2" >"$work/said" 2>&1
  status=$?
  if [ "$status" -eq 142 ]; then
    echo "nothing: it waits for ever"
  elif [ -s "$work/said" ]; then
    sed -n '1s|tests/mistakes/mistakes\.[ch]:[0-9]*|FILE:LINE|gp;1t;1p' "$work/said"
  elif [ "$status" -ne 0 ]; then
    echo "nothing: it ends with status $status"
  else
    echo "nothing"
  fi
}

write_table() {
  cat <<'TEXT'
# Typical mistakes

In C programs: the message of the compiler, or the library's [diagnostic](diagnostics.md), without the
checker and with it. FILE:LINE is the place in the program. `tests/mistakes/run.sh --write` writes
this page; the tests make each mistake and compare.

## Before the program runs

| mistake | the compiler's message has |
|---|---|
TEXT
  compile_rows | while IFS='	' read -r name words; do
    echo "| $words | \`$(message "$name")\` |"
  done
  cat <<'TEXT'

## When it runs

| mistake | without the checker | with it |
|---|---|---|
TEXT
  "$work/unchecked" | while IFS='	' read -r name how words; do
    unchecked="undefined behaviour"
    [ "$how" = undefined ] || unchecked=$(said "$work/unchecked" "$name")
    checked=$(said "$work/checked" "$name")
    [ "$checked" != "$unchecked" ] || checked="the same"
    echo "| $words | $unchecked | $checked |"
  done
}

build() {
  cc -std=c11 -D_DEFAULT_SOURCE -O1 -g -Wall -Wextra -Wno-stringop-overflow -Werror -pthread -I. \
    "$@" tests/mistakes/mistakes.c -lze_loader -ldl
}

check "programs without the checker" build -o "$work/unchecked"
check "programs with the checker" build -DSYCLZE_CHECK -o "$work/checked"
[ "$failed" -eq 0 ] && write_table >"$work/table"
[ "${1:-}" != --write ] || cp "$work/table" "$table"
check "no row without an answer" sh -c '! grep -E "\| *\|" "$1"' sh "$work/table"
check "every mistake that is not undefined or refused is reported by the checker" sh -c \
  '! sed -n "/^## When/,\$p" "$1" | grep -E "\| nothing[^|]* \|$|\| nothing[^|]*\| the same \|"' sh "$work/table"
check "sixty mistakes or more" sh -c '[ "$(grep "^| [^-]" "$1" | grep -cv "^| mistake |")" -ge 60 ]' sh "$work/table"
check "$table is what is said" diff "$table" "$work/table"
end_checks
