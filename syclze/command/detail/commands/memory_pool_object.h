/* Bodies of async_memory.h: pools as objects, from their creation to their end. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_MEMORY_POOL_OBJECT_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_MEMORY_POOL_OBJECT_H

#include "memory_pool.h"

SYCLZE_EXTERN_C_BEGIN

/* A reference of a queue to a default pool. */
struct syclze__queue_pool {
  struct syclze__attachment attachment; /* first */
  struct syclze__queue_pool *next;
  struct syclze__memory_pool *pool;
};

#if SYCLZE__BODIES

/* Checks the kind of memory and its device. */
SYCLZE_LOCAL struct syclze__status syclze__check_pool_kind(
    ze_memory_type_t kind, const struct syclze__context *context, struct syclze__device **device) {
  if (kind == ZE_MEMORY_TYPE_HOST) {
    const struct syclze__status status = syclze__check_in(context);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    *device = context->devices[0];
    return syclze__check_fork();
  }
  if (kind != ZE_MEMORY_TYPE_DEVICE && kind != ZE_MEMORY_TYPE_SHARED)
    return syclze__invalid("sycl_ext_oneapi_async_memory_alloc: memory is of the device, shared or "
                           "of the host");
  return syclze__check_device_in(context, *device);
}

/* Null without memory. */
SYCLZE_LOCAL struct syclze__memory_pool *syclze__memory_pool_new(ze_memory_type_t kind,
    struct syclze__device *device, struct syclze__context *context,
    const syclze_memory_pool_properties *properties) {
  struct syclze__memory_pool *created = NULL;
  if (syclze__memory_pools_get(context) != NULL)
    created = (struct syclze__memory_pool *)syclze__child_acquire(
        &context->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (created == NULL) return NULL;
  memset((char *)created + sizeof created->ref, 0, sizeof *created - sizeof created->ref);
  syclze__ref_init(&created->ref, SYCLZE__TRANSFERRED | SYCLZE__WEAK);
  SYCLZE__CHECK_MADE(&created->ref, "memory pool");
  created->context = context;
  created->device = device;
  created->kind = kind;
  created->maximum = SIZE_MAX;
  if (properties == NULL) return created;
  created->flags = properties->flags;
  created->threshold = properties->initial_threshold;
  if (properties->maximum_size != 0) created->maximum = properties->maximum_size;
  return created;
}

/* The default pool, with a reference; created by the first call. Null without memory. */
SYCLZE_LOCAL struct syclze__memory_pool *syclze__memory_pool_default(
    ze_memory_type_t kind, struct syclze__device *device, struct syclze__context *context) {
  struct syclze__memory_pools *pools = syclze__memory_pools_get(context);
  if (pools == NULL) return NULL;
  syclze__lock_acquire(&pools->lock);
  struct syclze__memory_pool *pool = pools->defaults;
  while (pool != NULL && !(pool->kind == kind && pool->device->native == device->native &&
                             syclze__ref_try_retain(&pool->ref)))
    pool = pool->next;
  if (pool == NULL) {
    pool = syclze__memory_pool_new(kind, device, context, NULL);
    if (pool != NULL) {
      pool->next = pools->defaults;
      pools->defaults = pool;
    }
  }
  syclze__lock_release(&pools->lock);
  return pool;
}

/* Waits for the frees of a released pool. */
SYCLZE_LOCAL ze_result_t syclze__memory_pool_task_wait(
    struct syclze__task *task, uint64_t nanoseconds) {
  const struct syclze__memory_pool *pool =
      (const struct syclze__memory_pool *)(void *)((char *)task -
                                                   offsetof(struct syclze__memory_pool, task));
  struct syclze__memory_piece *piece = pool->pieces;
  for (; piece != NULL; piece = piece->next) {
    if (piece->is_free) continue;
    const ze_result_t result =
        syclze__task_await(task, piece->event->native, pool->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
    piece->is_free = true;
  }
  return ZE_RESULT_SUCCESS;
}

/* Frees a pool whose frees are all done. */
SYCLZE_LOCAL ze_result_t syclze__memory_pool_finish(struct syclze__memory_pool *pool) {
  const ze_result_t result = syclze__pieces_free(pool->pieces);
  const ze_result_t released =
      syclze__child_release(&pool->context->parent, SYCLZE__POOL_BUFFER, &pool->ref.slot);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_LOCAL void syclze__memory_pool_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__memory_pool *pool =
      (struct syclze__memory_pool *)(void *)((char *)task -
                                             offsetof(struct syclze__memory_pool, task));
  if (result == ZE_RESULT_SUCCESS)
    syclze__memory_pool_finish(pool);
  else
    syclze__fail(result, "syclze_memory_pool_release",
        "the memory is not freed: completion of its work is unknown", pool->context->native);
}

/* Ends a pool after its last release, when no piece is in use. */
SYCLZE_LOCAL ze_result_t syclze__memory_pool_end(struct syclze__memory_pool *pool) {
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool);
  if (syclze__is_forked()) return syclze__memory_pool_finish(pool);
  syclze__lock_acquire(&pools->lock);
  struct syclze__memory_pool **at = &pools->defaults;
  while (*at != NULL && *at != pool)
    at = &(*at)->next;
  if (*at != NULL) *at = pool->next;
  syclze__memory_pool_poll(pool);
  const bool is_done = pool->used == 0;
  syclze__lock_release(&pools->lock);
  if (is_done) return syclze__memory_pool_finish(pool);
  pool->task.wait = syclze__memory_pool_task_wait;
  pool->task.run = syclze__memory_pool_task_run;
  pool->task.is_application = false;
  syclze__workers_leave(&pool->task);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL ze_result_t syclze__memory_pool_drop(struct syclze__memory_pool *pool) {
  return syclze__ref_release(&pool->ref) ? ZE_RESULT_SUCCESS : syclze__memory_pool_end(pool);
}

/* Drops a queue's references to pools, once its work is done. */
SYCLZE_LOCAL ze_result_t syclze__queue_pools_end(struct syclze__attachment *attachment) {
  struct syclze__queue_pool *first = (struct syclze__queue_pool *)(void *)attachment;
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (first != NULL) {
    struct syclze__queue_pool *kept = first;
    first = kept->next;
    const ze_result_t dropped = syclze__memory_pool_drop(kept->pool);
    if (result == ZE_RESULT_SUCCESS) result = dropped;
    free(kept);
  }
  return result;
}

/* Gives the queue a reference to a default pool; false without memory. */
SYCLZE_LOCAL bool syclze__queue_keep_pool(
    struct syclze__queue_state *state, struct syclze__memory_pool *pool) {
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool);
  syclze__lock_acquire(&pools->lock);
  const struct syclze__memory_pool *is_default = pools->defaults;
  while (is_default != NULL && is_default != pool)
    is_default = is_default->next;
  struct syclze__queue_pool *kept = (struct syclze__queue_pool *)(void *)state->attached;
  while (kept != NULL && kept->pool != pool)
    kept = kept->next;
  bool keeps = is_default == NULL || kept != NULL;
  if (!keeps && (kept = (struct syclze__queue_pool *)calloc(1, sizeof *kept)) != NULL) {
    kept->attachment.end = syclze__queue_pools_end;
    kept->next = (struct syclze__queue_pool *)(void *)state->attached;
    kept->pool = pool;
    syclze__ref_retain(&pool->ref);
    state->attached = &kept->attachment;
    keeps = true;
  }
  syclze__lock_release(&pools->lock);
  return keeps;
}

SYCLZE_COLD ze_result_t syclze_memory_pool_create(ze_memory_type_t kind, syclze_device device,
    syclze_context context, const syclze_memory_pool_properties *properties,
    syclze_memory_pool *pool) {
  const char *const function = "syclze_memory_pool_create";
  const uint32_t known = SYCLZE_MEMORY_POOL_READ_ONLY | SYCLZE_MEMORY_POOL_ZERO_INIT;
  if (pool == NULL) return syclze__fail_null(function, NULL);
  pool->rep = NULL;
  struct syclze__status status = syclze__check_pool_kind(kind, context.rep, &device.rep);
  if (status.result == ZE_RESULT_SUCCESS && properties != NULL && (properties->flags & ~known) != 0)
    status = syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "the pool's properties have unknown flags");
  if (status.result == ZE_RESULT_SUCCESS) {
    pool->rep = syclze__memory_pool_new(kind, device.rep, context.rep, properties);
    if (pool->rep == NULL) status = syclze__out_of_memory();
  }
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, function, status.rule, NULL);
}

SYCLZE_COLD ze_result_t syclze_memory_pool_get_default(
    ze_memory_type_t kind, syclze_device device, syclze_context context, syclze_memory_pool *pool) {
  const char *const function = "syclze_memory_pool_get_default";
  if (pool == NULL) return syclze__fail_null(function, NULL);
  pool->rep = NULL;
  struct syclze__status status = syclze__check_pool_kind(kind, context.rep, &device.rep);
  if (status.result == ZE_RESULT_SUCCESS) {
    pool->rep = syclze__memory_pool_default(kind, device.rep, context.rep);
    if (pool->rep == NULL) status = syclze__out_of_memory();
  }
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, function, status.rule, NULL);
}

SYCLZE_COLD syclze_context syclze_memory_pool_get_context(syclze_memory_pool pool) {
  const syclze_context context = {pool.rep->context};
  return context;
}

SYCLZE_COLD syclze_device syclze_memory_pool_get_device(syclze_memory_pool pool) {
  const syclze_device device = {pool.rep->device};
  return device;
}

SYCLZE_COLD ze_memory_type_t syclze_memory_pool_get_kind(syclze_memory_pool pool) {
  return pool.rep->kind;
}

/* The size of the pool in bytes, after it was trimmed; or with `used` the bytes in use. In the
 * child of a fork those of the parent. */
SYCLZE_LOCAL size_t syclze__memory_pool_size(struct syclze__memory_pool *pool, bool used) {
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool);
  if (syclze__is_forked()) return used ? pool->used : pool->reserved;
  syclze__lock_acquire(&pools->lock);
  syclze__memory_pool_poll(pool);
  struct syclze__memory_piece *gone = syclze__memory_pool_trim(pool, pool->threshold);
  const size_t size = used ? pool->used : pool->reserved;
  syclze__lock_release(&pools->lock);
  syclze__pieces_free(gone);
  return size;
}

SYCLZE_COLD size_t syclze_memory_pool_get_reserved_size(syclze_memory_pool pool) {
  return syclze__memory_pool_size(pool.rep, false);
}

SYCLZE_COLD size_t syclze_memory_pool_get_used_size(syclze_memory_pool pool) {
  return syclze__memory_pool_size(pool.rep, true);
}

SYCLZE_COLD size_t syclze_memory_pool_get_threshold(syclze_memory_pool pool) {
  return __atomic_load_n(&pool.rep->threshold, __ATOMIC_RELAXED);
}

SYCLZE_COLD ze_result_t syclze_memory_pool_increase_threshold_to(
    syclze_memory_pool pool, size_t threshold) {
  const struct syclze__status status =
      pool.rep == NULL ? syclze__null_handle("the pool is null") : syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        status.result, "syclze_memory_pool_increase_threshold_to", status.rule, NULL);
  SYCLZE__CHECK_USE(pool, "syclze_memory_pool_increase_threshold_to", SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__memory_pools *pools = syclze__memory_pools_of(pool.rep);
  syclze__lock_acquire(&pools->lock);
  if (pool.rep->threshold < threshold)
    __atomic_store_n(&pool.rep->threshold, threshold, __ATOMIC_RELAXED);
  syclze__lock_release(&pools->lock);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_memory_pool_retain(syclze_memory_pool pool) {
  if (pool.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(pool, "syclze_memory_pool_retain", SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_retain(&pool.rep->ref);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_memory_pool_release(syclze_memory_pool pool) {
  const char *const function = "syclze_memory_pool_release";
  if (pool.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(pool, function, SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__ref_release(&pool.rep->ref)) return ZE_RESULT_SUCCESS;
  return syclze__ref_is_missing(&pool.rep->ref) ? syclze__ref_underflow(&pool.rep->ref, function)
                                                : syclze__memory_pool_end(pool.rep);
}

#endif

SYCLZE_EXTERN_C_END

#include "async_memory.h"

#endif
