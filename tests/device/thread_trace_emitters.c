/* Eight threads that notify the tracing framework's subscribers concurrently. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"

#include "syclze/trace/xpti.h"

#include <pthread.h>

enum { EMITTERS = 8, TIMES = 25, ITEMS = 256 };

static struct traced t;

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

static void *emit(void *argument) {
  (void)argument;
  syclze_queue queue;
  void *memory;
  CHECK_EQ(syclze_queue_create(t.context, t.device, NULL, &queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < TIMES; i++) {
    syclze_event event;
    CHECK_EQ(syclze_malloc_shared(ITEMS, t.device, t.context, &memory), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(
        syclze_group_fill(&group, syclze_mem_arg(memory), "", 1, ITEMS, &event), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, event);
    syclze_require(&group, t.a, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(memory, t.context), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(eight_threads_notify_and_nothing_is_lost) {
  given_needs_execution();
  const struct checker c = traced_subscribe("framework_2025.so");
  t = traced_begin();
  pthread_t threads[EMITTERS];
  for (int i = 0; i < EMITTERS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, emit, NULL), 0);
  for (int i = 0; i < EMITTERS; i++)
    pthread_join(threads[i], NULL);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
  /* A fill, a host task, and the barrier of the wait. Threads that reach a call site for the first
     time concurrently may each emit its node. At the end the memory of two buffers is freed. */
  const uint32_t nodes = c.count(CHECKER_SYCL, 4), tasks = EMITTERS * TIMES * 3 + 2;
  CHECK(nodes >= 3 + 2 && nodes <= EMITTERS * 3 + 2);
  CHECK_EQ(c.count(CHECKER_SYCL, 10), tasks);
  CHECK_EQ(c.count(CHECKER_SYCL, 11), tasks);
  CHECK_EQ(c.count(CHECKER_SYCL, 42), EMITTERS + 1);
  CHECK_EQ(c.count(CHECKER_SYCL, 43), EMITTERS + 1);
  CHECK_EQ(c.count(CHECKER_MEM_ALLOC, 33), EMITTERS * TIMES + 2);
  CHECK_EQ(c.seen(CHECKER_UR, 0, "urUSMFree"), EMITTERS * TIMES);
}

TEST_MAIN(eight_threads_notify_and_nothing_is_lost)
