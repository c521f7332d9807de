/* Bodies of async_memory.h: commands that allocate and free. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_ASYNC_MEMORY_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_ASYNC_MEMORY_H

#include "../graph/allocation.h"
#include "../submit/submit.h"
#include "memory_pool_object.h"
#include "transfer.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Only waits and signals. An out-of-order queue without events has nothing to wait for. */
SYCLZE_LOCAL ze_result_t syclze__async_memory_append(
    const struct syclze__command *command, struct syclze__append *at) {
  (void)command;
  if (at->wait_count == 0 && at->signal == NULL) return ZE_RESULT_SUCCESS;
  if (at->wait_count == 0 && !at->state->in_order)
    return SYCLZE__ZE(zeCommandListAppendSignalEvent)(at->list, at->signal);
  return syclze__list_append_barrier(at->list, at->signal, at->wait_count, at->waits);
}

/* Refuses a queue that another thread has begun to record: the memory would belong to a pool, not
 * to a node. */
SYCLZE_LOCAL struct syclze__status syclze__async_memory_keep(const struct syclze__command *command,
    struct syclze__command *copy, const struct syclze_group *group, char *kept) {
  (void)kept;
  *copy = *command;
  return group != NULL && syclze__queue_records(group->queue)
             ? syclze__invalid("the queue began to record while memory was allocated or freed")
             : syclze__allowed();
}

SYCLZE_INLINE struct syclze__command syclze__async_memory_command(const char *function) {
  static const struct syclze__command_table table = SYCLZE__COMMAND_TABLE(struct syclze__command,
      SYCLZE__SUBMISSION_COMMAND, "zeCommandListAppendBarrier failed", NULL, NULL, NULL,
      syclze__async_memory_append, NULL, syclze__async_memory_keep, NULL);
  const struct syclze__command command = {&table, function, NULL};
  return command;
}

/* The state of the group's queue; null after an error, which the group keeps. */
SYCLZE_LOCAL struct syclze__queue_state *syclze__async_memory_state(syclze_group *group) {
  struct syclze__status status = syclze__check_fork();
  if (group->queue == NULL) status = syclze__null_handle("the queue is null");
  struct syclze__queue_state *state = NULL;
  if (status.result == ZE_RESULT_SUCCESS && group->status.result == ZE_RESULT_SUCCESS) {
    state = syclze__queue_state_require(group->queue);
    if (state == NULL) status = syclze__out_of_memory();
  }
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  return state;
}

/* Submits the command of a taken piece: a fill, if the memory must be zero. */
SYCLZE_LOCAL ze_result_t syclze__piece_submit(syclze_group *group,
    const struct syclze__memory_piece *piece, const char *function, syclze_event *event) {
  static const char zero = 0;
  const struct syclze__command command = syclze__async_memory_command(function);
  struct syclze__transfer fill;
  if (piece->event != NULL || (piece->pool->flags & SYCLZE_MEMORY_POOL_ZERO_INIT) == 0)
    return syclze__command_submit(group, &command, event);
  syclze__fill_init(&fill, function, &zero, sizeof zero, piece->size);
  fill.to = piece->memory;
  return syclze__command_submit(group, &fill.command, event);
}

/* Adds the piece to the allocations in use. */
SYCLZE_LOCAL void syclze__piece_begin(struct syclze__memory_piece *piece) {
  struct syclze__event *event = piece->event;
  struct syclze__queue_state *state = piece->state;
  piece->event = NULL;
  piece->state = NULL;
  piece->is_free = false;
  syclze__ref_retain(&piece->pool->ref);
  syclze__piece_list(piece);
  if (event != NULL) syclze__event_release(event);
  if (state != NULL) syclze__queue_state_release(state);
}

/* Allocates from a pool. Null for a size of 0. */
SYCLZE_LOCAL ze_result_t syclze__malloc_async(syclze_group *group, size_t size,
    struct syclze__memory_pool *pool, void **memory, const char *function, syclze_event *event) {
  const struct syclze__command command = syclze__async_memory_command(function);
  struct syclze__queue_state *state = syclze__async_memory_state(group);
  struct syclze__memory_piece *piece = NULL;
  struct syclze__status status = syclze__allowed();
  if (state != NULL && size != 0) {
    if (!syclze__queue_keep_pool(state, pool))
      status = syclze__out_of_memory();
    else
      status = syclze__memory_pool_take(pool, state, size, &piece);
  }
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  if (piece == NULL) return syclze__command_submit(group, &command, event);
  const ze_result_t result = syclze__piece_submit(group, piece, function, event);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__memory_pool_untake(piece);
    return result;
  }
  syclze__piece_begin(piece);
  *memory = piece->memory;
  return result;
}

/* Begins an allocation, without a result yet. */
SYCLZE_LOCAL void syclze__malloc_async_begin(
    syclze_group *group, void **memory, syclze_event *event) {
  if (event != NULL) event->rep = NULL;
  if (memory != NULL)
    *memory = NULL;
  else
    syclze__group_fail(group, syclze__null_pointer("the memory's pointer is null"));
}

SYCLZE_LOCAL ze_result_t syclze__malloc_async_of_kind(syclze_group *group, ze_memory_type_t kind,
    size_t size, void **memory, const char *function, syclze_event *event) {
  struct syclze__memory_pool *pool = NULL;
  struct syclze__allocation allocation = {kind, size, false, memory, NULL};
  syclze__malloc_async_begin(group, memory, event);
  ze_result_t result = syclze__allocation_record(group, &allocation, function, event);
  if (result != SYCLZE__SUBMISSION_RECORDS) return result;
  if (syclze__async_memory_state(group) != NULL) {
    struct syclze__device *device = group->queue->device;
    struct syclze__status status = syclze__check_pool_kind(kind, group->queue->context, &device);
    if (status.result == ZE_RESULT_SUCCESS) {
      pool = syclze__memory_pool_default(kind, device, group->queue->context);
      if (pool == NULL) status = syclze__out_of_memory();
    }
    if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  }
  result = syclze__malloc_async(group, size, pool, memory, function, event);
  if (pool != NULL) syclze__memory_pool_drop(pool);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__malloc_async_of_pool(syclze_group *group, size_t size,
    syclze_memory_pool pool, void **memory, const char *function, syclze_event *event) {
  syclze__malloc_async_begin(group, memory, event);
  SYCLZE__CHECK_IN_GROUP(group, pool.rep, function);
  if (pool.rep == NULL)
    syclze__group_fail(group, syclze__null_handle("the pool is null"));
  else if (group->queue != NULL &&
           (pool.rep->context != group->queue->context ||
               (pool.rep->kind != ZE_MEMORY_TYPE_HOST &&
                   pool.rep->device->native != group->queue->device->native)))
    syclze__group_fail(
        group, syclze__invalid("sycl_ext_oneapi_async_memory_alloc: the pool must be of the "
                               "queue's context and device"));
  if (pool.rep != NULL) {
    struct syclze__allocation allocation = {
        pool.rep->kind, size, (pool.rep->flags & SYCLZE_MEMORY_POOL_ZERO_INIT) != 0, memory, NULL};
    const ze_result_t result = syclze__allocation_record(group, &allocation, function, event);
    if (result != SYCLZE__SUBMISSION_RECORDS) return result;
  }
  return syclze__malloc_async(group, size, pool.rep, memory, function, event);
}

/* Returns a piece whose free was submitted to its pool, and drops the piece's reference to the
 * pool. */
SYCLZE_LOCAL void syclze__piece_end(struct syclze__memory_piece *piece, struct syclze__event *event,
    struct syclze__queue_state *state) {
  struct syclze__memory_pool *pool = piece->pool;
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool);
  syclze__queue_state_retain(state);
  piece->event = event;
  piece->state = state;
  syclze__lock_acquire(&pools->lock);
  syclze__memory_pool_poll(pool);
  struct syclze__memory_piece *gone = syclze__memory_pool_trim(pool, pool->threshold);
  piece->next = pool->pieces;
  pool->pieces = piece;
  syclze__lock_release(&pools->lock);
  syclze__pieces_free(gone);
  syclze__memory_pool_drop(pool);
}

SYCLZE_LOCAL ze_result_t syclze__free_async(
    syclze_group *group, void *memory, const char *function, syclze_event *event) {
  const struct syclze__command command = syclze__async_memory_command(function);
  struct syclze__allocation allocation = {ZE_MEMORY_TYPE_UNKNOWN, 0, false, NULL, memory};
  struct syclze__memory_piece *piece = NULL;
  syclze_event done = {NULL};
  if (event != NULL) event->rep = NULL;
  const ze_result_t recorded = syclze__allocation_record(group, &allocation, function, event);
  if (recorded != SYCLZE__SUBMISSION_RECORDS) return recorded;
  struct syclze__queue_state *state = syclze__async_memory_state(group);
  if (memory == NULL) return syclze__command_submit(group, &command, event);
  if (state != NULL) {
    struct syclze__status status = syclze__allowed();
    piece = syclze__piece_unlist(group->queue->context, memory);
    if (piece == NULL)
      status = syclze__invalid("sycl_ext_oneapi_async_memory_alloc: the memory is not allocated by "
                               "a command in the queue's context, or was freed");
    else if (!syclze__queue_keep_pool(state, piece->pool))
      status = syclze__out_of_memory();
    if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  }
  const ze_result_t result = syclze__command_submit(group, &command, &done);
  if (result != ZE_RESULT_SUCCESS) {
    if (piece != NULL) syclze__piece_list(piece);
    return result;
  }
  if (event != NULL) {
    syclze__ref_retain(&done.rep->ref);
    *event = done;
  }
  syclze__piece_end(piece, done.rep, state);
  return result;
}

SYCLZE_COLD ze_result_t syclze_group_malloc_async(
    syclze_group *group, ze_memory_type_t kind, size_t size, void **memory, syclze_event *event) {
  return syclze__malloc_async_of_kind(
      group, kind, size, memory, "syclze_group_malloc_async", event);
}

SYCLZE_COLD ze_result_t syclze_group_malloc_async_from_pool(
    syclze_group *group, size_t size, syclze_memory_pool pool, void **memory, syclze_event *event) {
  return syclze__malloc_async_of_pool(
      group, size, pool, memory, "syclze_group_malloc_async_from_pool", event);
}

SYCLZE_COLD ze_result_t syclze_group_free_async(
    syclze_group *group, void *memory, syclze_event *event) {
  return syclze__free_async(group, memory, "syclze_group_free_async", event);
}

SYCLZE_COLD ze_result_t syclze_malloc_async(syclze_queue queue, ze_memory_type_t kind, size_t size,
    void **memory, const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze__malloc_async_of_kind(&group, kind, size, memory, "syclze_malloc_async", event);
}

SYCLZE_COLD ze_result_t syclze_malloc_async_from_pool(syclze_queue queue, size_t size,
    syclze_memory_pool pool, void **memory, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze__malloc_async_of_pool(
      &group, size, pool, memory, "syclze_malloc_async_from_pool", event);
}

SYCLZE_COLD ze_result_t syclze_free_async(syclze_queue queue, void *memory,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze__group_begin(queue);
  if (wait_count != 0) syclze__group_depends_on_all(&group, waits, wait_count);
  return syclze__free_async(&group, memory, "syclze_free_async", event);
}

SYCLZE_COLD size_t syclze_executable_graph_get_required_memory_size(
    syclze_executable_graph executable) {
  const struct syclze__graph_pool *pool = executable.rep->pool;
  const struct syclze__graph_piece *piece =
      pool != NULL ? __atomic_load_n(&pool->pieces, __ATOMIC_ACQUIRE) : NULL;
  size_t size = 0;
  for (; piece != NULL; piece = piece->next)
    if (piece->first < executable.rep->nodes.count) size += piece->size;
  return size;
}

#endif

SYCLZE_EXTERN_C_END

#endif
