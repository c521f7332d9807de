/* A device, a context, and two queues of it with an event to hold work back. They are made by the
   including file, as made_context_here does. */
#ifndef TESTS_DEVICE_TWO_QUEUES_H
#define TESTS_DEVICE_TWO_QUEUES_H

#include "made.h"

struct two_queues {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue, other; /* in order, out of order */
  syclze_event gate;         /* not signalled */
};

static inline void two_queues_begin(struct two_queues *two) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  two->g = given();
  two->device = made_device(&two->g);
  CHECK_EQ(syclze_context_create(&two->device, 1, &two->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_queue_create(two->context, two->device, &in_order, &two->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(two->context, two->device, NULL, &two->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(two->context, 0, &two->gate), ZE_RESULT_SUCCESS);
}

/* After a wait for both queues. */
static inline void two_queues_end(struct two_queues *two) {
  CHECK_EQ(syclze_event_release(two->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(two->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(two->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(two->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(two->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(two->context), ZE_RESULT_SUCCESS);
  given_end(&two->g);
}

#endif
