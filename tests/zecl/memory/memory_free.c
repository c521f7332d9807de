/* zeMemFreeExt. Which commands use an allocation is not known, since kernels follow pointers: all
 * work that was submitted before counts as if it did. Command lists that synchronous calls run on
 * other threads at the same time are not among it. */
#include "commands/worker.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "memory/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { POLL_US = 50 };

struct deferred {
  struct deferred *next;
  struct zecl_allocation allocation;
  struct zecl_worker_marks *marks;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct deferred *waiting;
static atomic_size_t waiting_count;

void zecl_memory_free_deferred(void) {
  if (atomic_load_explicit(&waiting_count, memory_order_relaxed) == 0) return;
  pthread_mutex_lock(&lock);
  for (struct deferred **link = &waiting; *link;) {
    struct deferred *deferred = *link;
    if (!zecl_worker_marks_passed(deferred->marks)) {
      link = &deferred->next;
      continue;
    }
    *link = deferred->next;
    atomic_fetch_sub(&waiting_count, 1);
    zecl_memory_give(&deferred->allocation);
    free(deferred->marks);
    free(deferred);
  }
  pthread_mutex_unlock(&lock);
}

static void defer(struct deferred *deferred) {
  pthread_mutex_lock(&lock);
  deferred->next = waiting;
  waiting = deferred;
  pthread_mutex_unlock(&lock);
  atomic_fetch_add(&waiting_count, 1);
  zecl_memory_free_deferred();
}

static void free_blocking(struct deferred *deferred) {
  while (!zecl_worker_marks_passed(deferred->marks))
    usleep(POLL_US);
  zecl_memory_give(&deferred->allocation);
  free(deferred->marks);
  free(deferred);
}

/* Memory without a policy is freed at once, as by zeMemFree. */
ze_result_t zecl_zeMemFreeExt(
    ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc, void *pointer) {
  ZECL_ENTER(zeMemFreeExt);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(desc->freePolicy <= ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  struct deferred *deferred = malloc(sizeof *deferred);
  struct zecl_worker_marks *marks = deferred ? zecl_worker_marks_take() : NULL;
  ze_result_t result = marks ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (marks && !zecl_memory_take(zecl_context_of(context), pointer, false, &deferred->allocation))
    result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (result != ZE_RESULT_SUCCESS) {
    free(marks);
    free(deferred);
    return result;
  }
  deferred->marks = marks;
  if (desc->freePolicy == ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE) {
    defer(deferred);
  } else if (desc->freePolicy == ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE) {
    free_blocking(deferred);
  } else {
    zecl_memory_give(&deferred->allocation);
    free(marks);
    free(deferred);
  }
  return ZE_RESULT_SUCCESS;
}
