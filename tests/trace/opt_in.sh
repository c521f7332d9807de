#!/bin/sh
# tests/trace/opt_in.sh: a program that includes no trace header has no trace code beyond the points,
# 8 bytes of thread-local data, which the objects need, and no file names; trace headers together bring
# another 8 at most, in one file or in several, and never of the initial-exec model.
set -eu
cd "$(dirname "$0")/../.."
. tests/checks.sh
begin_checks

cat >"$work/program.h" <<'END'
#include "syclze/command.h"
#include "syclze/syclze.h"

ze_result_t work(syclze_context context, syclze_device device, syclze_kernel kernel);
ze_result_t work(syclze_context context, syclze_device device, syclze_kernel kernel) {
  syclze_queue queue;
  syclze_event event;
  const syclze_nd_range range = {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1};
  const syclze_event_input input = {NULL, SYCLZE_OWNERSHIP_KEEP};
  void *memory;
  ze_result_t result = syclze_queue_create(context, device, NULL, &queue);
  if (result == ZE_RESULT_SUCCESS) result = syclze_malloc_host(64, context, &memory);
  if (result == ZE_RESULT_SUCCESS) result = syclze_make_event(&input, context, &event);
  syclze_group group = syclze_group_begin(queue);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze_group_launch(&group, kernel, &range, NULL, 0, &event);
  if (result == ZE_RESULT_SUCCESS) result = syclze_event_wait(event);
  if (result == ZE_RESULT_SUCCESS) result = syclze_queue_wait(queue);
  return result;
}
END
echo '#include "program.h"' >"$work/none.c"
for header in xpti writer; do
  printf '#include "syclze/trace/%s.h"\n#include "program.h"\n' "$header" >"$work/$header.c"
done
printf '#include "program.h"\n#include "syclze/trace/xpti.h"\n#include "syclze/trace/writer.h"\n' \
  >"$work/both.c"
printf '#define SYCLZE_INSTRUMENTATION_METADATA 0\n#include "syclze/trace/xpti.h"\n%s\n' \
  '#include "program.h"' >"$work/nameless.c"
for name in none xpti writer both nameless; do
  # Position-independent, as of a plugin; assertions and debugging information name files too.
  ${CC:-cc} -std=c11 -O0 -fPIC -DNDEBUG -I. -I"$work" -c -o "$work/$name.o" "$work/$name.c"
  ${CC:-cc} -shared -o "$work/$name.so" "$work/$name.o"
done
# Each header in two files of one image, in C and in C++.
for name in xpti writer; do
  ${CC:-cc} -std=c11 -O0 -fPIC -DNDEBUG -I. -I"$work" -Dwork=other_$name -c -o "$work/other_$name.o" \
    "$work/$name.c"
  ${CXX:-c++} -std=c++11 -O0 -fPIC -DNDEBUG -I. -I"$work" -Dwork=cpp_$name -x c++ -c \
    -o "$work/cpp_$name.o" "$work/$name.c"
done
${CXX:-c++} -shared -o "$work/several.so" "$work/none.o" "$work"/other_*.o "$work"/cpp_*.o

emitter='syclze__(xpti|traced_(make|queue|event)|ur_|recorded|ring|fan_out|trace_(submit|node|notify))'
file_names='program\.h|\.c$|/syclze/'
has_code() { nm "$work/$1.o" | grep -qE "$emitter"; }
has_names() { strings "$work/$1.o" | grep -v "^$1\.c$" | grep -qE "$file_names"; }
has_texts() { strings "$work/$1.o" | grep -qE 'XPTI_|SYCLZE_TRACE|^ur[A-Z][a-z]{3}'; }
lacks() { ! "$@"; }
# In bytes; 0 without a segment.
tls() {
  readelf -lW "$work/$1.so" | awk '$1 == "TLS" {size = $6} END {print size == "" ? 0 : size}'
}
tls_at_most() { [ $(($(tls "$1"))) -le "$2" ]; }
static_tls() { readelf -dW "$work/$1.so" | grep -q STATIC_TLS; }

check a_program_without_trace_headers_has_no_trace_code lacks has_code none
check a_program_without_trace_headers_has_no_trace_text lacks has_texts none
check a_program_without_trace_headers_has_no_file_names lacks has_names none
check a_program_without_trace_headers_has_8_bytes_of_thread_local_data_at_most tls_at_most none 8
check the_emitter_is_found_where_it_is_included has_code xpti
check its_texts_are_found_where_it_is_included has_texts xpti
check call_sites_are_named_where_the_emitter_is_included has_names xpti
check call_sites_are_named_where_the_writer_is_included has_names writer
check no_file_is_named_without_call_sites lacks has_names nameless
check with_the_emitter_it_has_16_bytes_at_most tls_at_most xpti 16
check with_the_writer_it_has_16_bytes_at_most tls_at_most writer 16
check with_both_it_has_16_bytes_at_most tls_at_most both 16
check with_each_in_several_files_it_has_16_bytes_at_most tls_at_most several 16
check thread_local_data_is_seen lacks tls_at_most both 8
check none_is_of_the_initial_exec_model lacks static_tls both
check none_of_several_files_is_either lacks static_tls several
end_checks
