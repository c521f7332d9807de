/* The accesses of a memory object: made by its first, shared by memory objects over one allocation,
 * and at its release uses of it (detail/objects/memory_object.h). */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_ACCESS_LIST_H
#define SYCLZE_COMMAND_DETAIL_ORDER_ACCESS_LIST_H

#include "../../../detail/objects/memory_use.h"
#include "access.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The memory object is used until the event is signalled. Without memory for that the event is
 * waited for. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_event(
    struct syclze__memory *memory, struct syclze__event *event) {
  if (event == NULL || syclze__memory_use(memory, event) == ZE_RESULT_SUCCESS)
    return ZE_RESULT_SUCCESS;
  return syclze__event_await(event);
}

/* Has the end of every access be an event's, so that none has to be appended when they become uses.
 * May be repeated. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_cover(struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&all->lock.word);
  struct syclze__queue_state *state = all->owner != NULL ? all->owner : all->former;
  if (state != NULL) {
    const uint64_t *positions = all->positions;
    syclze__lock_acquire(&state->lock);
    if (state->marker_position < (positions[0] > positions[1] ? positions[0] : positions[1]))
      result = syclze__queue_state_mark(state);
    syclze__lock_release(&state->lock);
  }
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next)
      if (result == ZE_RESULT_SUCCESS) result = syclze__access_require_event(access);
  syclze__lock_release(&all->lock.word);
  return result;
}

/* The accesses of the former owner become uses of the memory object. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_former(
    struct syclze__memory *memory, struct syclze__accesses *all) {
  ze_result_t result = syclze__accesses_mark_former(all);
  const ze_result_t settled = syclze__accesses_settle_event(memory, all->marker);
  if (result == ZE_RESULT_SUCCESS) result = settled;
  const ze_result_t finished = syclze__accesses_settle_event(memory, all->unfinished);
  return result == ZE_RESULT_SUCCESS ? finished : result;
}

/* Every access becomes a use of the memory object too; the lists stay for others that share them.
 */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_shared(
    struct syclze__memory *memory, struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  ze_result_t result = all->owner != NULL ? syclze__accesses_revoke(all, true) : ZE_RESULT_SUCCESS;
  if (all->former != NULL && result == ZE_RESULT_SUCCESS)
    result = syclze__accesses_settle_former(memory, all);
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next) {
      ze_result_t settled = syclze__access_require_event(access);
      if (settled == ZE_RESULT_SUCCESS)
        settled = syclze__accesses_settle_event(memory, access->event);
      if (result == ZE_RESULT_SUCCESS) result = settled;
    }
  syclze__lock_release(&all->lock.word);
  return result;
}

/* True for the only memory object that has the accesses: then no other finds them any more. */
SYCLZE_LOCAL bool syclze__accesses_is_alone(
    const struct syclze__memory *memory, const struct syclze__accesses *all) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  syclze__lock_acquire(&shard->lock);
  const bool is_alone = all->alias.sharers == 1;
  if (is_alone) syclze__alias_remove(shard, &all->alias);
  syclze__lock_release(&shard->lock);
  return is_alone;
}

/* Of a memory object that is not the only one. */
SYCLZE_LOCAL bool syclze__accesses_unshare(
    const struct syclze__memory *memory, struct syclze__accesses *all) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  syclze__lock_acquire(&shard->lock);
  const bool is_last = --all->alias.sharers == 0;
  if (is_last) syclze__alias_remove(shard, &all->alias);
  syclze__lock_release(&shard->lock);
  return is_last;
}

/* After the last release of the memory object: every access becomes a use
 * (detail/objects/memory_object.h). */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle(
    struct syclze__memory *memory, ze_result_t *released) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  (void)released; /* no other memory hangs on this */
  if (!syclze__accesses_is_alone(memory, all)) {
    const ze_result_t shared = syclze__accesses_settle_shared(memory, all);
    if (!syclze__accesses_unshare(memory, all)) {
      memory->accesses = NULL;
      return shared;
    }
  }
  if (all->owner != NULL) syclze__accesses_revoke(all, false);
  ze_result_t result =
      all->former != NULL ? syclze__accesses_settle_former(memory, all) : ZE_RESULT_SUCCESS;
  syclze__accesses_drop_former(all);
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next) {
      const ze_result_t had = syclze__access_require_event(access);
      if (result == ZE_RESULT_SUCCESS) result = had;
    }
  for (uint32_t i = 0; i < 2; i++) {
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next) {
      const ze_result_t settled = syclze__accesses_settle_event(memory, access->event);
      if (result == ZE_RESULT_SUCCESS) result = settled;
    }
    syclze__access_list_end(lists[i]);
  }
  memory->accesses = NULL;
  syclze__pool_release(&all->base.slot);
  return result;
}

/* New lists of nothing; null without memory. */
SYCLZE_LOCAL struct syclze__accesses *syclze__accesses_new(void) {
  struct syclze__accesses *created = (struct syclze__accesses *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_ACCESSES], sizeof *created);
  if (created == NULL) return NULL;
  created->base.cover = syclze__accesses_cover;
  created->base.settle = syclze__accesses_settle;
  created->base.update = NULL;
  memset(&created->lock, 0, sizeof created->lock);
  created->owner = created->former = NULL;
  created->marker = created->unfinished = NULL;
  created->writers = created->readers = NULL;
  created->replicas = NULL;
  created->version = created->host_version = 0;
  created->host = NULL;
  created->is_shared = false;
  created->recordings = 0;
  return created;
}

/* Has another memory object share the accesses, unless other contexts use the memory. With the
 * shard's lock. */
SYCLZE_LOCAL ze_result_t syclze__accesses_share(struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  const bool can_share = all->replicas == NULL;
  if (can_share) __atomic_store_n(&all->is_shared, true, __ATOMIC_RELAXED);
  syclze__lock_release(&all->lock.word);
  if (!can_share) return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  all->alias.sharers++;
  return ZE_RESULT_SUCCESS;
}

/* The accesses of other memory objects over the same native object, or new ones. With the shard's
 * lock. */
SYCLZE_LOCAL ze_result_t syclze__accesses_find(
    struct syclze__alias_shard *shard, struct syclze__memory *memory) {
  SYCLZE__HELD(&shard->lock);
  struct syclze__alias *alias = syclze__alias_find(shard, memory);
  struct syclze__accesses *all;
  if (alias != NULL) {
    all = (struct syclze__accesses *)(void *)((char *)alias -
                                              offsetof(struct syclze__accesses, alias));
    const ze_result_t result = syclze__accesses_share(all);
    if (result != ZE_RESULT_SUCCESS) return result;
  } else {
    all = syclze__accesses_new();
    if (all == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    /* The buffer was created with a copy of them, and nothing has written it. */
    if (memory->origin != NULL) all->host = memory->origin->host;
    if (!syclze__alias_add(shard, &all->alias, memory)) {
      syclze__pool_release(&all->base.slot);
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  __atomic_store_n(&memory->accesses, &all->base, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

/* Creates the memory object's lists unless they are there. */
SYCLZE_LOCAL ze_result_t syclze__accesses_create(struct syclze__memory *memory) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  if (shard == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze__lock_acquire(&shard->lock);
  const ze_result_t result = syclze__accesses_of(memory) != NULL
                                 ? ZE_RESULT_SUCCESS
                                 : syclze__accesses_find(shard, memory);
  syclze__lock_release(&shard->lock);
  return result;
}

SYCLZE_INLINE ze_result_t syclze__accesses_require(struct syclze__memory *memory) {
  syclze__image_attach(&memory->ref.slot);
  return SYCLZE__LIKELY(syclze__accesses_of(memory) != NULL) ? ZE_RESULT_SUCCESS
                                                             : syclze__accesses_create(memory);
}

#endif

SYCLZE_EXTERN_C_END

#endif
