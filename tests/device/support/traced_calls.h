/* Calls of every public function that is reported on ur.call by detail/trace_call.h, and of graphs
   and host accessors. */
#ifndef TESTS_DEVICE_TRACED_CALLS_H
#define TESTS_DEVICE_TRACED_CALLS_H

#include "traced.h"

/* The last call of the function of the runtime interface was reported, and its parameters contain
   the text; handles are %p. */
typedef void traced_check(const char *function, const char *format, ...);

void traced_calls(struct traced *t, traced_check *check);

#endif
