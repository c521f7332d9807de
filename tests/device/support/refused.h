/* Checks a refused call: its code, its null result, its single diagnostic, and that nothing was
   destroyed or leaked.

     syclze_queue queue;
     REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
         "syclze_make_queue", "in the context", list); */
#ifndef TESTS_DEVICE_REFUSED_H
#define TESTS_DEVICE_REFUSED_H

#include "syclze/syclze.h"
#include "tests/check.h"

/* `object` is filled with garbage first. The diagnostic must name `function` and `handle`, and its
   rule must contain `text`. */
#define REFUSED(object, call, code, function, text, handle)                                        \
  do {                                                                                             \
    memset(&(object), 0x5a, sizeof(object));                                                       \
    refused_begin();                                                                               \
    CHECK_EQ(call, code);                                                                          \
    refused_check(code, function, text, handle, __FILE__, __LINE__);                               \
    CHECK(refused_is_null(&(object), sizeof(object)));                                             \
  } while (0)

/* For calls without a result object. */
#define FAILED(call, code, function, text, handle)                                                 \
  do {                                                                                             \
    refused_begin();                                                                               \
    CHECK_EQ(call, code);                                                                          \
    refused_check(code, function, text, handle, __FILE__, __LINE__);                               \
  } while (0)

void refused_begin(void);
void refused_check(ze_result_t code, const char *function, const char *text, const void *handle,
    const char *file, int line);
bool refused_is_null(const void *object, size_t size);

/* Detail of the last diagnostic; empty if none. */
const char *refused_detail(void);

/* Diagnostics since refused_begin. */
unsigned refused_count(void);

#endif
