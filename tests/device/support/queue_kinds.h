/* The kinds of queues on which a case is repeated. */
#ifndef TESTS_DEVICE_QUEUE_KINDS_H
#define TESTS_DEVICE_QUEUE_KINDS_H

#include "made.h"

enum kind { IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE, COMMAND_QUEUE_IN_ORDER, KINDS };

/* Created for immediate lists; wrapped, with its ownership, for a command queue. */
static inline syclze_queue queue_of_kind(
    const struct given *g, syclze_context context, enum kind kind) {
  const bool in_order = kind == IN_ORDER || kind == COMMAND_QUEUE_IN_ORDER;
  const syclze_property_list properties = {
      .flags = in_order ? (uint32_t)SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  const syclze_device device = made_device(g);
  struct given own = *g;
  syclze_queue queue;
  if (kind < COMMAND_QUEUE) {
    CHECK_EQ(syclze_queue_create(context, device, &properties, &queue), ZE_RESULT_SUCCESS);
    return queue;
  }
  own.context = syclze_get_native(context);
  const syclze_queue_input input = {syclze_native_queue_of_queue(given_queue(&own)), device,
      SYCLZE_OWNERSHIP_TRANSFER, properties};
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

/* Shared memory of zeros. */
static inline void *zeros(const struct given *g, syclze_context context, size_t size) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(size, made_device(g), context, &memory), ZE_RESULT_SUCCESS);
  return memset(memory, 0, size);
}

#endif
