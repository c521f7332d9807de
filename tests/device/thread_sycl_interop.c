/* Threads that take one queue of SYCL's, and its context, release them, and take them again
   (sycl_interop.h). */
#undef SYCLZE_DECLARATIONS
#include "support/fake_sycl.h"
#include "support/made.h"

#include <pthread.h>

enum { THREADS = 8 };

static struct syclze__sycl_object queue;
static syclze_queue kept;

static void *take(void *failed) {
  for (int i = 0; i < check_repeats(200); i++) {
    syclze_context context, same;
    syclze_queue one, two;
    if (syclze_context_from_sycl(&fake_of(&queue)->context, &context) != ZE_RESULT_SUCCESS ||
        syclze_context_from_sycl(&fake_of(&queue)->context, &same) != ZE_RESULT_SUCCESS ||
        context.rep != same.rep || syclze_context_release(context) != ZE_RESULT_SUCCESS ||
        syclze_context_release(same) != ZE_RESULT_SUCCESS)
      __atomic_add_fetch((int *)failed, 1, __ATOMIC_RELAXED);
    if (syclze_queue_from_sycl(&queue, &one) != ZE_RESULT_SUCCESS ||
        syclze_queue_from_sycl(&queue, &two) != ZE_RESULT_SUCCESS || one.rep != two.rep ||
        (kept.rep != NULL && one.rep != kept.rep) ||
        syclze_queue_release(one) != ZE_RESULT_SUCCESS ||
        syclze_queue_release(two) != ZE_RESULT_SUCCESS)
      __atomic_add_fetch((int *)failed, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

/* Runs the threads on a queue which is empty, or behind a pending task of SYCL's. */
static void run(bool is_pending, bool keeps) {
  struct given g = given();
  int failed = 0;
  pthread_t threads[THREADS];
  memset(&fake_sycl, 0, sizeof fake_sycl);
  given_needs_execution();
  struct syclze__sycl_object platform = fake_object(g.driver), device = fake_object(g.device),
                             context = fake_object(g.context), task = fake_object(NULL);
  fake_sycl.platform = fake_of(&platform);
  fake_sycl.platform->name = "Level-Zero V2";
  fake_of(&context)->device = fake_sycl.device = fake_of(&device);
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = g.ordinal,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      .flags = 1u << 1 /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER */};
  ze_command_list_handle_t list;
  if (zeCommandListCreateImmediate(g.context, g.device, &desc, &list) != ZE_RESULT_SUCCESS)
    check_skip("the driver has no in-order lists");
  queue = fake_object(list);
  fake_of(&queue)->is_list = 1;
  fake_of(&queue)->in_order = true;
  fake_of(&queue)->device = fake_sycl.device;
  fake_of(&queue)->context = syclze__sycl_retain(&context);
  kept.rep = NULL;
  if (keeps) CHECK_EQ(syclze_queue_from_sycl(&queue, &kept), ZE_RESULT_SUCCESS);
  if (is_pending) {
    fake_of(&task)->status = FAKE_SUBMITTED;
    fake_of(&queue)->last = syclze__sycl_retain(&task);
    fake_of(&queue)->is_empty = false;
  }
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, take, &failed), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(failed, 0);
  CHECK_EQ(fake_sycl.task_count, is_pending); /* one join, whichever thread was first */
  if (is_pending) fake_run();
  if (keeps) {
    CHECK_EQ(syclze_queue_wait(kept), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kept), ZE_RESULT_SUCCESS);
  }
  syclze__sycl_release(&queue);
  syclze__sycl_release(&task);
  syclze__sycl_release(&context);
  syclze__sycl_release(&device);
  syclze__sycl_release(&platform);
  CHECK_EQ(fake_sycl.alive, 0);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(threads_find_one_queue_while_one_keeps_it) { // shows promises 14
  run(false, true);
}

TEST(threads_make_and_end_the_queue_of_a_list) { // shows promises 14
  run(false, false);
}

TEST(threads_await_a_pending_task_once) { // shows promises 14
  run(true, true);
}

TEST_MAIN(threads_find_one_queue_while_one_keeps_it, threads_make_and_end_the_queue_of_a_list,
    threads_await_a_pending_task_once)
