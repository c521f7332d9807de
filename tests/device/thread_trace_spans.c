/* Threads that submit fills and host tasks while a trace is recorded and written. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/traced.h"

#include "syclze/trace/writer.h"

#include <pthread.h>

enum { EMITTERS = 4, TIMES = 25, ITEMS = 256 };

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
  CHECK_EQ(syclze_malloc_shared(ITEMS, t.device, t.context, &memory), ZE_RESULT_SUCCESS);
  for (int i = 0; i < TIMES; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(
        syclze_group_fill(&group, syclze_mem_arg(memory), "", 1, ITEMS, &event), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, event);
    CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_free(memory, t.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(threads_submit_while_the_trace_is_written) {
  given_needs_execution();
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  t = traced_begin();
  pthread_t threads[EMITTERS];
  for (int i = 0; i < EMITTERS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, emit, NULL), 0);
  struct syclze__model model;
  for (int i = 0; i < 10; i++) {
    CHECK(syclze__model_make(SYCLZE__STATE.recorder, &model));
    syclze__model_free(&model);
  }
  for (int i = 0; i < EMITTERS; i++)
    pthread_join(threads[i], NULL);
  traced_end(&t);
  CHECK(syclze__model_make(SYCLZE__STATE.recorder, &model));
  uint32_t tasks = 0, submissions = 0;
  for (size_t i = 0; i < model.snapshot.count; i++) {
    const struct syclze__record *record = &model.snapshot.records[i];
    tasks += record->kind == SYCLZE__RECORD_TASK;
    submissions += record->kind == SYCLZE__RECORD_CALL && strncmp(record->name, "syclze", 6) == 0;
  }
  syclze__model_free(&model);
  CHECK_EQ(tasks, EMITTERS * TIMES);
  /* A fill, a host task, and the barrier of the wait. */
  CHECK_EQ(submissions, EMITTERS * TIMES * 3);
}

__attribute__((constructor)) static void prepare(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
}

TEST_MAIN(threads_submit_while_the_trace_is_written)
