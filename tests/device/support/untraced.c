/* A file without trace points. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#define XPTI_ENABLE_INSTRUMENTATION 0
#include "untraced.h"

void untraced_run(void) {
  struct given g = given();
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  void *memory;
  CHECK_EQ(syclze_make_device(g.device, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(64, device, context, &memory), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(memory), "", 1, 64, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}
