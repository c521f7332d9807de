/* Functions of the spy that the wrappers in spy_calls.c call. */
#ifndef TESTS_DEVICE_SPY_CALLS_H
#define TESTS_DEVICE_SPY_CALLS_H

#include "spy.h"

/* Counts a call. Returns the code that it must fail with, or success. */
ze_result_t spy_call(const char *name);

void spy_created(enum spy_kind kind, const void *handle);
void spy_created_queue(enum spy_kind kind, const void *handle, const ze_command_queue_desc_t *desc);
void spy_destroyed(enum spy_kind kind, const void *handle, ze_result_t result);

#endif
