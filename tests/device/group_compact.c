/* Compacted dependency lists: one of many readers, on another queue, is delayed. No writer
   overtakes it, and no wait for the compacting queue waits for it. */
#include "support/made.h"
#include "support/spy.h"

TEST(a_compacted_dependency_list_waits_for_all_its_events) {
  given_needs_execution();
  enum { READERS = 1100, HELD = 10 };
  struct given g = given();
  syclze_device device = made_device(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue readers[2], writer;
  CHECK_EQ(syclze_queue_create(context, device, NULL, &readers[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &readers[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &writer), ZE_RESULT_SUCCESS);
  void *memory, *target;
  CHECK_EQ(syclze_malloc_shared(4, device, context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(4, device, context, &target), ZE_RESULT_SUCCESS);
  memset(memory, 0, 4);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {1, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, context, &buffer), ZE_RESULT_SUCCESS);
  syclze_event all, one, last, done;
  CHECK_EQ(syclze_event_create(context, 0, &all), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(context, 0, &one), ZE_RESULT_SUCCESS);
  for (int i = 0; i < READERS; i++) {
    syclze_group group = syclze_group_begin(readers[i == HELD]);
    syclze_group_depends_on(&group, i == HELD ? one : all);
    syclze_accessor from = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(target), syclze_mem_arg(from), 4,
                 i == READERS - 1 ? &last : NULL),
        ZE_RESULT_SUCCESS);
  }
  uint32_t seven = 7;
  syclze_group group = syclze_group_begin(writer);
  syclze_accessor to = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(to), &seven, 4, 4, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(all)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(readers[0]), ZE_RESULT_SUCCESS);
  /* Time for a writer with a missing dependency to show. */
  ze_result_t early = zeEventHostSynchronize(syclze_event_get_native(done), 200000000);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(one)), ZE_RESULT_SUCCESS);
  CHECK_EQ(early, ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(*(uint32_t *)memory, 7);
  syclze_event_release(last);
  syclze_event_release(done);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(readers[i]), ZE_RESULT_SUCCESS);
    syclze_queue_release(readers[i]);
  }
  syclze_event_release(all);
  syclze_event_release(one);
  CHECK_EQ(syclze_queue_wait(writer), ZE_RESULT_SUCCESS);
  syclze_queue_release(writer);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(target, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  /* The worker releases its references after it has signalled, the context last; one pool is that
     of struct given. */
  while (spy_alive(SPY_EVENT_POOL) > 1)
    sched_yield();
  given_end(&g);
}

TEST_MAIN(a_compacted_dependency_list_waits_for_all_its_events)
