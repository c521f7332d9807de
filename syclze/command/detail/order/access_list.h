/* The accesses of a memory object: created by the first access, shared by memory objects over one
 * allocation, and converted to uses (detail/objects/memory_object.h) by the object's release. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_ACCESS_LIST_H
#define SYCLZE_COMMAND_DETAIL_ORDER_ACCESS_LIST_H

#include "../../../detail/objects/memory_use.h"
#include "access.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Adds a use of the memory object until the event is signalled. Without host memory it waits for
 * the event. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_event(
    struct syclze__memory *memory, struct syclze__event *event) {
  if (event == NULL || syclze__memory_use(memory, event) == ZE_RESULT_SUCCESS)
    return ZE_RESULT_SUCCESS;
  return syclze__event_await(event);
}

/* Gives every access an event, so that converting them to uses appends nothing. May be repeated. */
SYCLZE_LOCAL_WARM ze_result_t syclze__accesses_cover(struct syclze__memory *memory) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&all->lock.word);
  struct syclze__queue_state *state = all->owner != NULL ? all->owner : all->former;
  if (state != NULL) {
    syclze__lock_acquire(&state->lock);
    syclze__accesses_meet_runs(all, state);
    result = syclze__accesses_mark(all, state);
    syclze__lock_release(&state->lock);
  }
  struct syclze__access *lists[2] = {all->writers, all->readers};
  for (uint32_t i = 0; i < 2; i++)
    for (struct syclze__access *access = lists[i]; access != NULL; access = access->next)
      if (result == ZE_RESULT_SUCCESS) result = syclze__access_require_event(access);
  syclze__lock_release(&all->lock.word);
  return result;
}

/* Converts the accesses of the former owner to uses of the memory object. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle_former(
    struct syclze__memory *memory, struct syclze__accesses *all) {
  ze_result_t result = syclze__accesses_mark_former(all);
  const ze_result_t settled = syclze__accesses_settle_event(memory, all->marker);
  if (result == ZE_RESULT_SUCCESS) result = settled;
  const ze_result_t finished = syclze__accesses_settle_event(memory, all->unfinished);
  return result == ZE_RESULT_SUCCESS ? finished : result;
}

/* Adds a use of the memory object for every access. The lists stay for the objects that share them.
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

/* True if no other memory object shares the accesses; then no later one will. */
SYCLZE_LOCAL bool syclze__accesses_is_alone(
    const struct syclze__memory *memory, const struct syclze__accesses *all) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  syclze__lock_acquire(&shard->lock);
  const bool is_alone = all->alias.sharers == 1;
  if (is_alone) syclze__alias_remove(shard, &all->alias);
  syclze__lock_release(&shard->lock);
  return is_alone;
}

/* Drops a memory object's share of the accesses; true if it was the last. */
SYCLZE_LOCAL bool syclze__accesses_unshare(
    const struct syclze__memory *memory, struct syclze__accesses *all) {
  struct syclze__alias_shard *shard = syclze__alias_shard_of(memory->native);
  syclze__lock_acquire(&shard->lock);
  const bool is_last = --all->alias.sharers == 0;
  if (is_last) syclze__alias_remove(shard, &all->alias);
  syclze__lock_release(&shard->lock);
  return is_last;
}

/* Converts every access to a use (detail/objects/memory_object.h), after the last release of the
 * memory object. */
SYCLZE_LOCAL ze_result_t syclze__accesses_settle(
    struct syclze__memory *memory, ze_result_t *released) {
  struct syclze__accesses *all = syclze__accesses_of(memory);
  (void)released; /* no other memory depends on this */
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

/* Creates empty lists; null without memory. */
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
  created->in_runs = 0;
  created->writers = created->readers = NULL;
  created->room[0] = created->room[1] = SYCLZE__ACCESSES_FEW;
  created->replicas = NULL;
  created->version = created->host_version = 0;
  created->host = NULL;
  created->is_shared = false;
  created->recordings = 0;
  return created;
}

/* Shares the accesses with another memory object, unless other contexts use the memory. The shard's
 * lock is held. */
SYCLZE_LOCAL ze_result_t syclze__accesses_share(struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  const bool can_share = all->replicas == NULL;
  if (can_share) __atomic_store_n(&all->is_shared, true, __ATOMIC_RELAXED);
  syclze__lock_release(&all->lock.word);
  if (!can_share) return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  all->alias.sharers++;
  return ZE_RESULT_SUCCESS;
}

/* Finds the accesses of other memory objects over the same native object, or creates them. */
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
    /* The buffer still has the contents that it was created with. */
    if (memory->origin != NULL) all->host = memory->origin->host;
    if (!syclze__alias_add(shard, &all->alias, memory)) {
      syclze__pool_release(&all->base.slot);
      return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  __atomic_store_n(&memory->accesses, &all->base, __ATOMIC_RELEASE);
  return ZE_RESULT_SUCCESS;
}

/* Creates the memory object's lists if missing. */
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
