/* Objects that cross from a program that has the headers to a plugin that has the library, and
 * back. */
#ifndef TESTS_BINDINGS_SHARE_H
#define TESTS_BINDINGS_SHARE_H

#ifndef SYCLZE_FLAT_H
#include "syclze/command.h"
#include "syclze/syclze.h"
#endif

/* Fills all of the buffer with a byte, through a group of the library's. */
ze_result_t plugin_fill(syclze_queue queue, syclze_buffer buffer, int byte, syclze_event *event);
/* An event of the library's, which the caller releases. */
ze_result_t plugin_event(syclze_context context, syclze_event *event);
/* Releases the library's own reference and the caller's. */
ze_result_t plugin_release_twice(syclze_buffer buffer);
/* Result of the last call of the library that failed on this thread, and its rule. */
ze_result_t plugin_fail(const char **rule);

#endif
