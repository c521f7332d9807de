/* Buffers in other contexts than their own (Level-Zero backend 4.3: a buffer can be accessed in
 * another context than the one it was made in).
 *
 * Each context that uses the buffer has a replica of it, made by the first requirement there: an
 * allocation of the same kind, or of the host where the context has several devices. The places,
 * the buffer's own allocation first, are current or not. A command group whose place is not has it
 * copied as a whole, by a host_wait, from one that is; one that writes makes its own place the only
 * current one. Replicas are ordinary buffers to everything else, and go with their
 * home: under keep once all work on them is done, and what they hold is not copied back (4.5).
 *
 * Who uses the list of replicas holds the lock of all dependencies. */
#ifndef SYCLZE_COMMAND_MIRROR_H
#define SYCLZE_COMMAND_MIRROR_H

#include "host_wait.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__replica {
  struct syclze__replica *next;
  struct syclze__buffer *buffer;
  bool current;
};

struct syclze__replicas {
  struct syclze__replica home; /* and with it the list of all */
};

SYCLZE_INLINE struct syclze__replicas *syclze__replicas_of(const struct syclze__memory *memory) {
  const struct syclze__accesses *all = syclze__accesses_of(memory);
  return all != NULL ? all->replicas : NULL;
}

/* When nobody refers to the home any more. */
SYCLZE_LOCAL ze_result_t syclze__replicas_settle(struct syclze__memory *memory) {
  struct syclze__replicas *replicas = syclze__replicas_of(memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  struct syclze__replica *next;
  for (struct syclze__replica *replica = replicas->home.next; replica != NULL; replica = next) {
    struct syclze__memory *there = &replica->buffer->memory;
    next = replica->next;
    ze_result_t ended = ZE_RESULT_SUCCESS;
    if (memory->ref.ownership == SYCLZE_OWNERSHIP_KEEP) {
      ended = syclze__accesses_settle(there);
      const bool settled = ended == ZE_RESULT_SUCCESS;
      if (settled) ended = syclze__memory_wait(there);
      if (!settled || there->uses != NULL) {
        syclze__memory_abandon(there, ended);
        there = NULL;
      }
    }
    ze_result_t released = there != NULL ? syclze__memory_release(there) : ended;
    if (ended == ZE_RESULT_SUCCESS) ended = released;
    if (result == ZE_RESULT_SUCCESS) result = ended;
    free(replica);
  }
  free(replicas);
  ze_result_t settled = syclze__accesses_settle(memory);
  return result != ZE_RESULT_SUCCESS ? result : settled;
}

SYCLZE_LOCAL ze_result_t syclze__replica_make(const struct syclze__buffer *home,
    struct syclze__queue *queue, struct syclze__buffer **replica) {
  static const char *const function = "syclze_require";
  struct syclze__context *context = queue->context;
  /* By member: another thread may change the reference count. */
  struct syclze__buffer shape;
  shape.element_size = home->element_size;
  shape.size = home->size;
  shape.dimensions = home->dimensions;
  for (uint32_t i = 0; i < 3; i++)
    shape.memory.range[i] = home->memory.range[i];
  shape.type = context->device_count == 1 ? home->type : ZE_MEMORY_TYPE_HOST;
  void *native;
  ze_result_t result = syclze__usm_allocate(shape.type, 0, shape.size,
      shape.type == ZE_MEMORY_TYPE_HOST ? NULL : context->devices[0], context, function, &native);
  if (result != ZE_RESULT_SUCCESS) return result;
  *replica = syclze__buffer_new(native, context, NULL, SYCLZE_OWNERSHIP_TRANSFER, &shape);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS() && *replica != NULL) {
    syclze__memory_trace_acquired(&(*replica)->memory, queue);
    syclze__buffer_trace_created(*replica);
  }
#endif
  if (*replica != NULL && syclze__accesses_make(&(*replica)->memory) != NULL) return result;
  if (*replica != NULL)
    syclze__memory_release(&(*replica)->memory);
  else
    SYCLZE__ZE(zeMemFree)(context->native, native);
  return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Sees to it that the buffer has one. */
SYCLZE_LOCAL ze_result_t syclze__replicas_create(struct syclze__buffer *home) {
  struct syclze__accesses *all = syclze__accesses_of(&home->memory);
  if (all == NULL) all = syclze__accesses_make(&home->memory);
  if (all == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (all->replicas != NULL) return ZE_RESULT_SUCCESS;
  struct syclze__replicas *replicas = (struct syclze__replicas *)calloc(1, sizeof *replicas);
  if (replicas == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  replicas->home.buffer = home;
  replicas->home.current = true;
  all->replicas = replicas;
  all->base.settle = syclze__replicas_settle;
  return ZE_RESULT_SUCCESS;
}

/* The link to the context's replica; if there is none, the last link. The buffer has a replicas. */
SYCLZE_LOCAL struct syclze__replica **syclze__replica_find(
    struct syclze__buffer *home, const struct syclze__context *context) {
  struct syclze__replica **link = &syclze__replicas_of(&home->memory)->home.next;
  while (*link != NULL && (*link)->buffer->memory.context != context)
    link = &(*link)->next;
  return link;
}

/* Makes the replica of the queue's context. Without the lock, as drivers allocate slowly, and a
 * handler may be told: another thread's may come first, and then stays. */
SYCLZE_LOCAL ze_result_t syclze__replica_add(
    struct syclze__buffer *home, struct syclze__queue *queue) {
  struct syclze__replica *created = (struct syclze__replica *)calloc(1, sizeof *created);
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__replica_make(home, queue, &created->buffer);
  if (result != ZE_RESULT_SUCCESS) {
    free(created);
    return result;
  }
  syclze__lock_acquire(&SYCLZE__STATE.dependency_lock);
  struct syclze__replica **link = syclze__replica_find(home, queue->context);
  const bool first = *link == NULL;
  if (first) {
    syclze__accesses_of(&created->buffer->memory)->replicas = syclze__replicas_of(&home->memory);
    *link = created;
  }
  syclze__lock_release(&SYCLZE__STATE.dependency_lock);
  if (first) return result;
  result = syclze__memory_release(&created->buffer->memory);
  free(created);
  return result;
}

/* The buffer as the queue's context has it, without a reference: it lives as long as the home. */
SYCLZE_LOCAL ze_result_t syclze__replica_require(
    struct syclze__buffer *home, struct syclze__queue *queue, struct syclze__buffer **here) {
  *here = NULL;
  for (;;) {
    syclze__lock_acquire(&SYCLZE__STATE.dependency_lock);
    ze_result_t result = syclze__replicas_create(home);
    const struct syclze__replica *there =
        result == ZE_RESULT_SUCCESS ? *syclze__replica_find(home, queue->context) : NULL;
    if (there != NULL) *here = there->buffer;
    syclze__lock_release(&SYCLZE__STATE.dependency_lock);
    if (result == ZE_RESULT_SUCCESS && there == NULL) result = syclze__replica_add(home, queue);
    if (result != ZE_RESULT_SUCCESS || *here != NULL) return result;
  }
}

/* Has one place copied to another, after all that each of them has to wait for. */
SYCLZE_LOCAL ze_result_t syclze__replica_copy(const struct syclze__replica *from,
    const struct syclze__replica *to, struct syclze__queue *queue) {
  const struct syclze__replica *places[2] = {from, to};
  syclze_accessor accessors[2];
  for (uint32_t i = 0; i < 2; i++)
    accessors[i] = syclze__accessor_whole(&places[i]->buffer->memory, places[i]->buffer->size,
        false, i == 0 ? SYCLZE_ACCESS_READ : SYCLZE_ACCESS_WRITE);
  struct syclze__access *accesses = NULL;
  struct syclze__host_wait *host_wait = syclze__host_wait_create(queue);
  if (host_wait == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < 2 && result == ZE_RESULT_SUCCESS; i++) {
    struct syclze__context *context = places[i]->buffer->memory.context;
    result = syclze__dependency_gather(host_wait->state, &accessors[i], NULL, &accesses);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__event_acquire(context, SYCLZE__EVENT_PLAIN, &host_wait->done[i]);
  }
  host_wait->from = from->buffer;
  host_wait->to = to->buffer;
  struct syclze__queue_state *state = host_wait->state;
  struct syclze__event *done[2] = {host_wait->done[0], host_wait->done[1]};
  if (result == ZE_RESULT_SUCCESS) {
    /* Its own references, as the host_wait may be over before the accesses are noted. */
    __atomic_fetch_add(&state->references, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < 2; i++)
      syclze__ref_retain(&done[i]->ref);
    result = syclze__host_wait_submit(host_wait);
    for (uint32_t i = 2; i > 0 && result == ZE_RESULT_SUCCESS; i--) {
      struct syclze__access *access = accesses;
      accesses = access->next;
      syclze__dependency_publish(state, &accessors[i - 1], access, done[i - 1]);
    }
    for (uint32_t i = 0; i < 2; i++)
      syclze__event_release(done[i]);
    syclze__queue_state_release(state);
  }
  if (result == ZE_RESULT_SUCCESS) return result;
  while (accesses != NULL) {
    struct syclze__access *access = accesses;
    accesses = access->next;
    syclze__access_end(access);
  }
  syclze__host_wait_destroy(host_wait);
  return result;
}

/* Before an access to a buffer that has a replicas: sees to it that its place is current. Also
 * where all of it is to be overwritten: should that fail, nothing is lost. */
SYCLZE_LOCAL ze_result_t syclze__replica_update(
    const syclze_accessor *accessor, struct syclze__queue *queue) {
  struct syclze__replica *first = &syclze__replicas_of(accessor->memory)->home, *here = first;
  while (&here->buffer->memory != accessor->memory)
    here = here->next;
  if (here->current) return ZE_RESULT_SUCCESS;
  const struct syclze__replica *from = first;
  while (!from->current)
    from = from->next;
  ze_result_t result = syclze__replica_copy(from, here, queue);
  here->current = result == ZE_RESULT_SUCCESS;
  return result;
}

/* With a write, that brought its place before. */
SYCLZE_LOCAL void syclze__replica_written(const struct syclze__memory *memory) {
  struct syclze__replica *place = &syclze__replicas_of(memory)->home;
  for (; place != NULL; place = place->next)
    place->current = &place->buffer->memory == memory;
}

SYCLZE_EXTERN_C_END

#endif
