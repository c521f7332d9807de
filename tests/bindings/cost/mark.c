/* Marks what callgrind counts, for programs of any language. */
#include <valgrind/callgrind.h>

void mark_begin(void);
void mark_end(const char *name);

void mark_begin(void) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
}

void mark_end(const char *name) {
  CALLGRIND_DUMP_STATS_AT(name);
  CALLGRIND_STOP_INSTRUMENTATION;
}
