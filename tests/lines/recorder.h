/* Records the cache lines that instrumented code writes, by thread. Replaces ThreadSanitizer's
 * run-time library, whose calls the compiler inserts. */
#ifndef TESTS_LINES_RECORDER_H
#define TESTS_LINES_RECORDER_H

#include <stddef.h>
#include <stdint.h>

enum { LINES = 1 << 12, LINE_BYTES = 64 };

struct record {
  struct {
    uintptr_t line;   /* 0 for none */
    const void *site; /* of the first write */
  } lines[LINES];     /* by hash */
};

/* The calling thread's writes go to the record from here on; null for nowhere. */
void record_to(struct record *record);

/* The first line that both records have; 0 for none. */
uintptr_t record_common(const struct record *a, const struct record *b, const void **site);

#endif
