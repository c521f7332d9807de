/* Wraps the handles of struct given; each make must succeed. The caller releases the objects. */
#ifndef TESTS_DEVICE_MADE_H
#define TESTS_DEVICE_MADE_H

#include "given.h"

#include "syclze/command.h"
#include "syclze/syclze.h"
#include "tests/check.h"

syclze_device made_device(const struct given *g);
syclze_context made_context(const struct given *g, syclze_ownership ownership);

/* The context, made by the including file: if that has no pools (failing.h), all objects of the
 * context are allocations of their own. */
static inline syclze_context made_context_here(const struct given *g, syclze_ownership ownership) {
  syclze_device device = made_device(g);
  syclze_context_input input = {g->context, &device, 1, ownership};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  return context;
}

/* Null, opaque to the compiler, which would warn about refused calls. */
syclze_context made_no_context(void);

syclze_queue made_queue(const struct given *g, syclze_context context, syclze_native_queue native,
    syclze_ownership ownership);
/* Creates `count` queues with the properties of `flags`. */
void made_queues(syclze_context context, syclze_device device, const uint32_t *flags,
    syclze_queue *queues, int count);
/* Waits for each, where commands are executed, and releases it. */
void release_queues(const syclze_queue *queues, int count);
syclze_event made_event(
    syclze_context context, ze_event_handle_t event, syclze_ownership ownership);
syclze_kernel_bundle made_kernel_bundle(
    syclze_context context, ze_module_handle_t module, syclze_ownership ownership);
syclze_kernel made_kernel(syclze_kernel_bundle bundle, ze_kernel_handle_t kernel,
    syclze_context context, syclze_ownership ownership);

#endif
