/* Replicas: buffers in other contexts than their own (Level-Zero backend 4.3: a buffer can be
 * accessed in another context than the one it was made in).
 *
 * Each context that uses the buffer has a replica of it, made by the first requirement there: an
 * allocation of the same kind, or of the host where the context has several devices. The buffer's
 * own allocation is the first replica. Each replica is current or not: before a command group uses
 * one that is not, a worker copies a current one to it as a whole. A group that writes makes its
 * own replica the only current one. Replicas are ordinary buffers to everything else and are
 * released with the buffer: under keep once all work on them is done, and their contents are not
 * copied back (4.5).
 *
 * The list of replicas is protected by the buffer's lock (access.h). */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_REPLICA_H
#define SYCLZE_COMMAND_DETAIL_HOST_REPLICA_H

#include "wait.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__replica {
  struct syclze__replica *next;
  struct syclze__buffer *buffer;
  bool current;
  /* Result of the copy to it, with a reference; null once that is known, and if it was written. */
  struct syclze__outcome *copied;
};

#if SYCLZE__BODIES

struct syclze__replica_home {
  struct syclze__replicas all;
  struct syclze__replica home;
};

SYCLZE_LOCAL ze_result_t syclze__replica_end(
    struct syclze__replica *replica, syclze_ownership ownership) {
  struct syclze__memory *memory = &replica->buffer->memory;
  ze_result_t ended = ZE_RESULT_SUCCESS, others = ZE_RESULT_SUCCESS;
  if (ownership == SYCLZE_OWNERSHIP_KEEP) {
    ended = syclze__accesses_settle(memory, &others);
    const bool settled = ended == ZE_RESULT_SUCCESS;
    if (settled) ended = syclze__memory_wait(memory);
    if (!settled || memory->uses != NULL) {
      syclze__memory_abandon(memory, ended);
      memory = NULL;
    }
  }
  ze_result_t released = memory != NULL ? syclze__memory_release(memory) : ended;
  syclze__outcome_drop(replica->copied);
  free(replica);
  return ended != ZE_RESULT_SUCCESS ? ended : released;
}

SYCLZE_LOCAL ze_result_t syclze__replica_update(const struct syclze__memory *memory,
    struct syclze__queue *queue, struct syclze__outcome **outcome);

/* Copies the contents to the buffer's own memory, after its last release. */
SYCLZE_LOCAL ze_result_t syclze__replicas_update_home(
    struct syclze__memory *memory, struct syclze__outcome **outcome) {
  struct syclze__accesses_lock *lock = syclze__memory_lock(memory);
  syclze__lock_acquire(&lock->word);
  const ze_result_t result = syclze__replica_update(memory, NULL, outcome);
  syclze__lock_release(&lock->word);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__replicas_cover(struct syclze__memory *memory) {
  ze_result_t result = syclze__accesses_cover(memory);
  struct syclze__replica *replica = syclze__replicas_existing(memory)->first->next;
  for (; replica != NULL && result == ZE_RESULT_SUCCESS; replica = replica->next)
    result = syclze__accesses_cover(&replica->buffer->memory);
  return result;
}

/* Releases the replicas after the buffer's last release. A replica that cannot be freed does not
 * keep the buffer's own memory. */
SYCLZE_LOCAL ze_result_t syclze__replicas_settle(
    struct syclze__memory *memory, ze_result_t *released) {
  struct syclze__replicas *replicas = syclze__replicas_existing(memory);
  struct syclze__replica *next;
  for (struct syclze__replica *replica = replicas->first->next; replica != NULL; replica = next) {
    next = replica->next;
    ze_result_t ended = syclze__replica_end(replica, (syclze_ownership)memory->ref.ownership);
    if (*released == ZE_RESULT_SUCCESS) *released = ended;
  }
  syclze__outcome_drop(replicas->first->copied);
  free(replicas);
  return syclze__accesses_settle(memory, released);
}

SYCLZE_LOCAL ze_result_t syclze__replica_make(const struct syclze__buffer *home,
    struct syclze__queue *queue, struct syclze__buffer **replica) {
  struct syclze__context *context = queue->context;
  /* Copies single members: another thread may change the reference count. */
  struct syclze__buffer shape;
  shape.element_size = home->element_size;
  shape.size = home->size;
  shape.dimensions = home->dimensions;
  for (uint32_t i = 0; i < 3; i++)
    shape.memory.range[i] = home->memory.range[i];
  shape.type = context->device_count == 1 ? home->type : ZE_MEMORY_TYPE_HOST;
  void *native;
  ze_result_t result = syclze__usm_allocate(shape.type, 0, shape.size,
      shape.type == ZE_MEMORY_TYPE_HOST ? NULL : context->devices[0], context, "syclze_require",
      &native);
  if (result != ZE_RESULT_SUCCESS) return result;
  *replica = syclze__buffer_new(native, context, NULL, SYCLZE_OWNERSHIP_TRANSFER, &shape);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS() && *replica != NULL) {
    syclze__memory_trace_acquired(&(*replica)->memory, queue);
    syclze__buffer_trace_created(*replica);
  }
#endif
  if (*replica != NULL && syclze__accesses_create(&(*replica)->memory) == ZE_RESULT_SUCCESS)
    return result;
  if (*replica != NULL)
    syclze__memory_release(&(*replica)->memory);
  else
    SYCLZE__ZE(zeMemFree)(context->native, native);
  return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Creates the buffer's list of replicas if missing. */
SYCLZE_LOCAL ze_result_t syclze__replicas_create(struct syclze__buffer *home) {
  SYCLZE__HELD(&syclze__memory_lock(&home->memory)->word);
  struct syclze__accesses *all = syclze__accesses_of(&home->memory);
  if (all->replicas != NULL) return ZE_RESULT_SUCCESS;
  if (all->is_shared) return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  struct syclze__replica_home *created = (struct syclze__replica_home *)calloc(1, sizeof *created);
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const ze_result_t result =
      all->owner != NULL ? syclze__accesses_revoke(all, false) : ZE_RESULT_SUCCESS;
  if (result != ZE_RESULT_SUCCESS) {
    free(created);
    return result;
  }
  /* Each run of a graph brings the buffer up to date from here on. */
  syclze__access_list_leave_runs(all->writers);
  syclze__access_list_leave_runs(all->readers);
  created->all.lock = &all->lock;
  created->all.first = &created->home;
  created->home.buffer = home;
  created->home.current = true;
  all->base.cover = syclze__replicas_cover;
  all->base.settle = syclze__replicas_settle;
  all->base.update = syclze__replicas_update_home;
  __atomic_store_n(&all->replicas, &created->all, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

/* The link to the context's replica; if there is none, the last link. */
SYCLZE_LOCAL struct syclze__replica **syclze__replica_find(
    struct syclze__buffer *home, const struct syclze__context *context) {
  SYCLZE__HELD(&syclze__memory_lock(&home->memory)->word);
  struct syclze__replica **link = &syclze__replicas_existing(&home->memory)->first->next;
  while (*link != NULL && !syclze__contexts_are_one((*link)->buffer->memory.context, context))
    link = &(*link)->next;
  return link;
}

/* Makes the replica of the queue's context. The lock is not held, since drivers allocate slowly and
 * handlers may be called. A replica that another thread adds meanwhile stays. */
SYCLZE_LOCAL ze_result_t syclze__replica_add(
    struct syclze__buffer *home, struct syclze__queue *queue) {
  struct syclze__replica *created = (struct syclze__replica *)calloc(1, sizeof *created);
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__replica_make(home, queue, &created->buffer);
  if (result != ZE_RESULT_SUCCESS) {
    free(created);
    return result;
  }
  struct syclze__accesses_lock *lock = syclze__memory_lock(&home->memory);
  syclze__lock_acquire(&lock->word);
  struct syclze__replica **link = syclze__replica_find(home, queue->context);
  const bool first = *link == NULL;
  if (first) {
    __atomic_store_n(&syclze__accesses_of(&created->buffer->memory)->replicas,
        syclze__replicas_of(&home->memory), __ATOMIC_RELEASE);
    *link = created;
  }
  syclze__lock_release(&lock->word);
  if (first) return result;
  result = syclze__memory_release(&created->buffer->memory);
  free(created);
  return result;
}

/* The buffer's replica in the queue's context, without a reference: it lives as long as the
 * home. */
SYCLZE_LOCAL ze_result_t syclze__replica_require(
    struct syclze__buffer *home, struct syclze__queue *queue, struct syclze__buffer **buffer) {
  *buffer = NULL;
  const ze_result_t required = syclze__accesses_require(&home->memory);
  if (required != ZE_RESULT_SUCCESS) return required;
  struct syclze__accesses_lock *lock = syclze__memory_lock(&home->memory);
  for (;;) {
    syclze__lock_acquire(&lock->word);
    ze_result_t result = syclze__replicas_create(home);
    const struct syclze__replica *replica =
        result == ZE_RESULT_SUCCESS ? *syclze__replica_find(home, queue->context) : NULL;
    if (replica != NULL) *buffer = replica->buffer;
    syclze__lock_release(&lock->word);
    if (result == ZE_RESULT_SUCCESS && replica == NULL) result = syclze__replica_add(home, queue);
    if (result != ZE_RESULT_SUCCESS || *buffer != NULL) return result;
  }
}

/* Submits a copy of one replica to another, behind the accesses of both. Its failure is an error of
 * the queue, if there is one, and the outcome in `to`. */
SYCLZE_LOCAL ze_result_t syclze__replica_copy(
    const struct syclze__replica *from, struct syclze__replica *to, struct syclze__queue *queue) {
  const struct syclze__replica *replicas[2] = {from, to};
  struct syclze__access *accesses = NULL;
  syclze_accessor accessors[2];
  struct syclze__host_wait *host_wait = syclze__host_wait_create(queue);
  if (host_wait == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct syclze__outcome *outcome = (struct syclze__outcome *)calloc(1, sizeof *outcome);
  ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (outcome != NULL) {
    outcome->references = 2;
    outcome->busy = queue == NULL;
    outcome->result = ZE_RESULT_NOT_READY;
    host_wait->outcome = outcome;
    result = ZE_RESULT_SUCCESS;
  }
  for (uint32_t i = 0; i < 2; i++) {
    struct syclze__buffer *buffer = replicas[i]->buffer;
    accessors[i] = syclze__accessor_whole(
        &buffer->memory, buffer->size, false, i == 0 ? SYCLZE_ACCESS_READ : SYCLZE_ACCESS_WRITE);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__dependency_gather(&accessors[i], NULL, &host_wait->waits, &accesses);
    if (result == ZE_RESULT_SUCCESS)
      result =
          syclze__event_acquire(buffer->memory.context, SYCLZE__EVENT_PLAIN, &host_wait->done[i]);
  }
  host_wait->from = syclze__host_wait_memory_of(from->buffer);
  host_wait->to = syclze__host_wait_memory_of(to->buffer);
  host_wait->size = from->buffer->size;
  if (result == ZE_RESULT_SUCCESS) {
    /* The host wait may end before the accesses are recorded, so these need references. */
    struct syclze__event *done[2] = {host_wait->done[0], host_wait->done[1]};
    for (uint32_t i = 0; i < 2; i++)
      syclze__ref_retain(&done[i]->ref);
    result = syclze__host_wait_submit(host_wait);
    for (uint32_t i = 2; i > 0 && result == ZE_RESULT_SUCCESS; i--) {
      struct syclze__access *access = accesses;
      accesses = access->next;
      syclze__dependency_record(&accessors[i - 1], access, done[i - 1]);
    }
    for (uint32_t i = 0; i < 2; i++)
      syclze__event_release(done[i]);
  }
  if (result == ZE_RESULT_SUCCESS) {
    to->copied = outcome;
    return result;
  }
  syclze__access_list_end(accesses);
  syclze__host_wait_destroy(host_wait);
  syclze__outcome_drop(outcome);
  return result;
}

/* A replica that is current even if pending copies fail: the one written last, or a copy of it. */
SYCLZE_LOCAL struct syclze__replica *syclze__replica_last(const struct syclze__memory *memory) {
  SYCLZE__HELD(&syclze__memory_lock(memory)->word);
  struct syclze__replica *last = syclze__replicas_existing(memory)->first;
  while (!last->current || last->copied != NULL)
    last = last->next;
  return last;
}

/* Makes the memory's replica current, even if all of it will be overwritten: nothing is lost should
 * that fail. No queue's lock is held. Fails as syclze__replica_copy; the caller drops the outcome,
 * unless `outcome` is null. */
SYCLZE_LOCAL ze_result_t syclze__replica_update(const struct syclze__memory *memory,
    struct syclze__queue *queue, struct syclze__outcome **outcome) {
  SYCLZE__HELD(&syclze__memory_lock(memory)->word);
  struct syclze__replica *own = syclze__replicas_existing(memory)->first;
  while (&own->buffer->memory != memory)
    own = own->next;
  const ze_result_t copied = own->copied != NULL
                                 ? __atomic_load_n(&own->copied->result, __ATOMIC_ACQUIRE)
                                 : ZE_RESULT_NOT_READY;
  if (copied != ZE_RESULT_NOT_READY) {
    own->current = copied == ZE_RESULT_SUCCESS;
    syclze__outcome_drop(own->copied);
    own->copied = NULL;
  }
  if (!own->current) {
    const ze_result_t result = syclze__replica_copy(syclze__replica_last(memory), own, queue);
    if (result != ZE_RESULT_SUCCESS) return result;
    own->current = true;
  }
  if (outcome == NULL || own->copied == NULL) return ZE_RESULT_SUCCESS;
  __atomic_add_fetch(&own->copied->references, 1, __ATOMIC_RELAXED);
  *outcome = own->copied;
  return ZE_RESULT_SUCCESS;
}

/* Marks this replica as the only current one. syclze__replica_update() must have succeeded. */
SYCLZE_LOCAL void syclze__replica_written(const struct syclze__memory *memory) {
  SYCLZE__HELD(&syclze__memory_lock(memory)->word);
  struct syclze__replica *replica = syclze__replicas_existing(memory)->first;
  for (; replica != NULL; replica = replica->next) {
    replica->current = &replica->buffer->memory == memory;
    syclze__outcome_drop(replica->copied);
    replica->copied = NULL;
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
