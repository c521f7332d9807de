/* Buffers in other contexts than their own (Level-Zero backend 4.3: a buffer can be accessed in
 * another context than the one it was made in).
 *
 * Each context that uses the buffer has a replica of it, made by the first requirement there: an
 * allocation of the same kind, or of the host where the context has several devices. The places,
 * the buffer's own allocation first, are current or not. A command group whose place is not has it
 * copied as a whole, by a bridge, from one that is; one that writes makes its own place the only
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

struct syclze__mirror {
  struct syclze__replica home; /* and with it the list of all */
};

SYCLZE_INLINE struct syclze__mirror *syclze__mirror_of(const struct syclze__memory *memory) {
  const struct syclze__accesses *all = syclze__accesses_of(memory);
  return all != NULL ? all->mirror : NULL;
}

SYCLZE_COLD ze_result_t syclze__mirror_settle(struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__mirror_settle);

/* When nobody refers to the home any more. */
SYCLZE_COLD ze_result_t syclze__mirror_settle(struct syclze__memory *memory) {
  struct syclze__mirror *mirror = syclze__mirror_of(memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  struct syclze__replica *next;
  for (struct syclze__replica *replica = mirror->home.next; replica != NULL; replica = next) {
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
  free(mirror);
  ze_result_t settled = syclze__accesses_settle(memory);
  return result != ZE_RESULT_SUCCESS ? result : settled;
}

SYCLZE_COLD ze_result_t syclze__replica_make(
    const struct syclze__buffer *home, struct syclze__queue *queue, struct syclze__buffer **replica)
    SYCLZE_LINK_NAME(syclze__replica_make);

SYCLZE_COLD ze_result_t syclze__replica_make(const struct syclze__buffer *home,
    struct syclze__queue *queue, struct syclze__buffer **replica) {
  static const char *const function = "syclze_require";
  struct syclze__context *context = queue->context;
  struct syclze__buffer shape = *home;
  if (context->device_count != 1) shape.type = ZE_MEMORY_TYPE_HOST;
  void *native;
  ze_result_t result = syclze__usm_allocate(shape.type, 0, shape.size,
      shape.type == ZE_MEMORY_TYPE_HOST ? NULL : context->devices[0], context, function, &native);
  if (result != ZE_RESULT_SUCCESS) return result;
  *replica = syclze__buffer_new(native, context, NULL, SYCLZE_OWNERSHIP_TRANSFER, &shape);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING() && *replica != NULL) {
    syclze__memory_told_taken(&(*replica)->memory, queue);
    syclze__buffer_told(*replica);
  }
#endif
  if (*replica != NULL && syclze__accesses_make(&(*replica)->memory) != NULL) return result;
  if (*replica != NULL)
    syclze__memory_release(&(*replica)->memory);
  else
    zeMemFree(context->native, native);
  return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

SYCLZE_COLD ze_result_t syclze__mirror_make(struct syclze__buffer *home)
    SYCLZE_LINK_NAME(syclze__mirror_make);

/* Sees to it that the buffer has one. */
SYCLZE_COLD ze_result_t syclze__mirror_make(struct syclze__buffer *home) {
  struct syclze__accesses *all = syclze__accesses_of(&home->memory);
  if (all == NULL) all = syclze__accesses_make(&home->memory);
  if (all == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (all->mirror != NULL) return ZE_RESULT_SUCCESS;
  struct syclze__mirror *mirror = (struct syclze__mirror *)calloc(1, sizeof *mirror);
  if (mirror == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  mirror->home.buffer = home;
  mirror->home.current = true;
  all->mirror = mirror;
  all->base.settle = syclze__mirror_settle;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD struct syclze__replica **syclze__mirror_find(struct syclze__buffer *home,
    const struct syclze__context *context) SYCLZE_LINK_NAME(syclze__mirror_find);

/* The link to the context's replica; if there is none, the last link. The buffer has a mirror. */
SYCLZE_COLD struct syclze__replica **syclze__mirror_find(
    struct syclze__buffer *home, const struct syclze__context *context) {
  struct syclze__replica **link = &syclze__mirror_of(&home->memory)->home.next;
  while (*link != NULL && (*link)->buffer->memory.context != context)
    link = &(*link)->next;
  return link;
}

SYCLZE_COLD ze_result_t syclze__mirror_add(struct syclze__buffer *home, struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__mirror_add);

/* Makes the replica of the queue's context. Without the lock, as drivers allocate slowly, and a
 * handler may be told: another thread's may come first, and then stays. */
SYCLZE_COLD ze_result_t syclze__mirror_add(
    struct syclze__buffer *home, struct syclze__queue *queue) {
  struct syclze__replica *fresh = (struct syclze__replica *)calloc(1, sizeof *fresh);
  if (fresh == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__replica_make(home, queue, &fresh->buffer);
  if (result != ZE_RESULT_SUCCESS) {
    free(fresh);
    return result;
  }
  syclze__lock_take(&SYCLZE__STATE.dependency_lock);
  struct syclze__replica **link = syclze__mirror_find(home, queue->context);
  const bool first = *link == NULL;
  if (first) {
    syclze__accesses_of(&fresh->buffer->memory)->mirror = syclze__mirror_of(&home->memory);
    *link = fresh;
  }
  syclze__lock_give(&SYCLZE__STATE.dependency_lock);
  if (first) return result;
  result = syclze__memory_release(&fresh->buffer->memory);
  free(fresh);
  return result;
}

SYCLZE_COLD ze_result_t syclze__mirror_require(
    struct syclze__buffer *home, struct syclze__queue *queue, struct syclze__buffer **here)
    SYCLZE_LINK_NAME(syclze__mirror_require);

/* The buffer as the queue's context has it, without a reference: it lives as long as the home. */
SYCLZE_COLD ze_result_t syclze__mirror_require(
    struct syclze__buffer *home, struct syclze__queue *queue, struct syclze__buffer **here) {
  *here = NULL;
  for (;;) {
    syclze__lock_take(&SYCLZE__STATE.dependency_lock);
    ze_result_t result = syclze__mirror_make(home);
    const struct syclze__replica *there =
        result == ZE_RESULT_SUCCESS ? *syclze__mirror_find(home, queue->context) : NULL;
    if (there != NULL) *here = there->buffer;
    syclze__lock_give(&SYCLZE__STATE.dependency_lock);
    if (result == ZE_RESULT_SUCCESS && there == NULL) result = syclze__mirror_add(home, queue);
    if (result != ZE_RESULT_SUCCESS || *here != NULL) return result;
  }
}

SYCLZE_COLD ze_result_t syclze__mirror_copy(const struct syclze__replica *from,
    const struct syclze__replica *to, struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__mirror_copy);

/* Has one place copied to another, after all that each of them has to wait for. */
SYCLZE_COLD ze_result_t syclze__mirror_copy(const struct syclze__replica *from,
    const struct syclze__replica *to, struct syclze__queue *queue) {
  const struct syclze__replica *places[2] = {from, to};
  syclze_accessor accessors[2];
  for (uint32_t i = 0; i < 2; i++)
    accessors[i] = syclze__accessor_whole(&places[i]->buffer->memory, places[i]->buffer->size,
        false, i == 0 ? SYCLZE_ACCESS_READ : SYCLZE_ACCESS_WRITE);
  struct syclze__access *accesses = NULL;
  struct syclze__bridge *bridge = syclze__bridge_make(queue);
  if (bridge == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < 2 && result == ZE_RESULT_SUCCESS; i++) {
    struct syclze__context *context = places[i]->buffer->memory.context;
    result = syclze__depend(bridge->stream, &accessors[i], NULL, &accesses);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__event_take(context, SYCLZE__EVENT_PLAIN, &bridge->done[i]);
  }
  bridge->from = from->buffer;
  bridge->to = to->buffer;
  struct syclze__stream *stream = bridge->stream;
  struct syclze__event *done[2] = {bridge->done[0], bridge->done[1]};
  if (result == ZE_RESULT_SUCCESS) {
    /* Its own references, as the bridge may be over before the accesses are noted. */
    __atomic_fetch_add(&stream->references, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < 2; i++)
      syclze__ref_retain(&done[i]->ref);
    result = syclze__bridge_submit(bridge);
    for (uint32_t i = 2; i > 0 && result == ZE_RESULT_SUCCESS; i--) {
      struct syclze__access *access = accesses;
      accesses = access->next;
      syclze__depend_done(stream, &accessors[i - 1], access, done[i - 1]);
    }
    for (uint32_t i = 0; i < 2; i++)
      syclze__event_drop(done[i]);
    syclze__stream_release(stream);
  }
  if (result == ZE_RESULT_SUCCESS) return result;
  while (accesses != NULL) {
    struct syclze__access *access = accesses;
    accesses = access->next;
    syclze__access_end(access);
  }
  syclze__bridge_end(bridge);
  return result;
}

SYCLZE_COLD ze_result_t syclze__mirror_bring(const syclze_accessor *accessor,
    struct syclze__queue *queue) SYCLZE_LINK_NAME(syclze__mirror_bring);

/* Before an access to a buffer that has a mirror: sees to it that its place is current. Also where
 * all of it is to be overwritten: should that fail, nothing is lost. */
SYCLZE_COLD ze_result_t syclze__mirror_bring(
    const syclze_accessor *accessor, struct syclze__queue *queue) {
  struct syclze__replica *first = &syclze__mirror_of(accessor->memory)->home, *here = first;
  while (&here->buffer->memory != accessor->memory)
    here = here->next;
  if (here->current) return ZE_RESULT_SUCCESS;
  const struct syclze__replica *from = first;
  while (!from->current)
    from = from->next;
  ze_result_t result = syclze__mirror_copy(from, here, queue);
  here->current = result == ZE_RESULT_SUCCESS;
  return result;
}

SYCLZE_COLD void syclze__mirror_written(const struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__mirror_written);

/* With a write, that brought its place before. */
SYCLZE_COLD void syclze__mirror_written(const struct syclze__memory *memory) {
  struct syclze__replica *place = &syclze__mirror_of(memory)->home;
  for (; place != NULL; place = place->next)
    place->current = &place->buffer->memory == memory;
}

SYCLZE_EXTERN_C_END

#endif
