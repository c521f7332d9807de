#!/bin/sh
# tests/bindings/pages.sh LIBRARY: the snippets of the bindings' pages compile, and their commands run.
# In Python's, each name of the module exists. Names that a snippet does not define itself are declared
# here. LIBRARY is the folder of the build, as `make library` leaves it.
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks pages
library=$1
mkdir "$work/snippets" "$work/build" && ln -s "$library" "$work/build/library" || exit 1
awk -v folder="$work/snippets" -f tests/snippets.awk syclze/bindings/manual/*.md

includes() { grep '^#' "$1"; }
body() { grep -v '^#' "$1"; }

compile_c() {
  {
    includes "$1"
    echo 'ze_result_t example(syclze_queue queue, syclze_buffer buffer, int zero, size_t size);'
    echo 'ze_result_t example(syclze_queue queue, syclze_buffer buffer, int zero, size_t size) {'
    body "$1"
    echo 'return result; }'
  } >"$work/example.c"
  "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -I"$library" -fsyntax-only "$work/example.c"
}

compile_cpp() {
  {
    includes "$1"
    echo 'void use(syclze::span<const int> numbers);'
    echo 'void example(const syclze::kernel &kernel, const syclze_nd_range &range);'
    echo 'void example(const syclze::kernel &kernel, const syclze_nd_range &range) {'
    body "$1"
    echo '}'
  } >"$work/example.cpp"
  "${CXX:-c++}" -std=c++17 -Wall -Wextra -Werror -I. -fsyntax-only "$work/example.cpp"
}

compile_python() {
  PYTHONPATH=$library python3 - "$1" <<'PYTHON'
import ast, sys, syclze
tree = ast.parse(open(sys.argv[1]).read())
names = {node.attr for node in ast.walk(tree)
         if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "syclze"}
sys.exit(not names or any(not hasattr(syclze, name) for name in names))
PYTHON
}

allowed='#![allow(dead_code, non_camel_case_types, non_snake_case, non_upper_case_globals, improper_ctypes)]'
compile_rust() {
  {
    echo "$allowed"
    echo 'include!("syclze.rs");'
    echo 'pub unsafe fn example(native: ze_event_handle_t, context: syclze_context) -> ze_result_t {'
    cat "$1"
    echo 'made }'
  } >"$work/example.rs"
  (cd "$work" && rustc --edition 2021 --crate-type lib --emit metadata example.rs)
}

compile_fortran() {
  {
    sed '1q' "$1"
    echo 'use, intrinsic :: iso_c_binding'
    echo 'implicit none'
    echo 'type(c_ptr) :: native = c_null_ptr'
    echo 'type(syclze_context) :: context'
    echo 'type(syclze_event) :: event'
    echo 'integer(c_int) :: code'
    sed 1d "$1"
    echo end
  } >"$work/example.f90"
  (cd "$work" && gfortran -std=f2018 -fsyntax-only build/library/syclze.f90 example.f90)
}

# The library is there already. Rust's program is one that bindgen's output of the page is enough for.
commands() {
  sed '/^make library$/d' "$1" >"$work/commands" && cp tests/bindings/programs.f90 "$work/program.f90" &&
    {
      echo "$allowed"
      echo 'include!("syclze.rs");'
      echo 'fn main() { unsafe { syclze_last_diagnostic(); } }'
    } >"$work/program.rs" && (cd "$work" && sh -e commands)
}

# try COMMAND LANGUAGE FUNCTION: of each snippet of the language, if there is the command.
try() {
  for snippet in "$work"/snippets/*."$2"; do
    if command -v "$1" >/dev/null; then
      check "$(basename "$snippet")" "$3" "$snippet"
    else
      skip "$(basename "$snippet"): no $1"
    fi
  done
}

try "${CC:-cc}" c compile_c
try "${CXX:-c++}" cpp compile_cpp
try python3 python compile_python
for snippet in "$work"/snippets/*.sh; do
  tool=$(sed -n 's/^\(gfortran\|bindgen\) .*/\1/p' "$snippet")
  if command -v "$tool" >/dev/null; then
    check "$(basename "$snippet")" commands "$snippet"
  else
    skip "$(basename "$snippet"): no $tool"
  fi
done
try bindgen rust compile_rust
try gfortran fortran compile_fortran
end_checks
