/* Memory objects over one native object, such as several buffers over one allocation. They share
 * their accesses (access_list.h), which are found here by the native handle.
 *
 * Each linked image has one table, in shards with a lock each; the handle selects the shard.
 * Locks: a shard, then a memory object. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_SHARED_NATIVE_H
#define SYCLZE_COMMAND_DETAIL_ORDER_SHARED_NATIVE_H

#include "../../../detail/sync/lock.h"
#include "../../../detail/objects/memory_object.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__ALIAS_SHARDS = 64, SYCLZE__ALIAS_ROOM = 16 };

struct syclze__alias {
  struct syclze__alias *next; /* in its bucket */
  const void *native;
  ze_context_handle_t context;
  uint32_t sharers; /* memory objects */
};

struct syclze__alias_shard {
  SYCLZE__LOCK(SYCLZE__RANK_ALIASES) lock;
  uint32_t count, room; /* room: buckets, a power of two */
  struct syclze__alias **buckets;
  char apart[104]; /* keeps shards in separate cache lines, whatever the alignment */
};

struct syclze__aliases {
  struct syclze__alias_shard shards[SYCLZE__ALIAS_SHARDS];
};

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__aliases_end(void) {
  struct syclze__aliases *all = SYCLZE__STATE.aliases;
  SYCLZE__STATE.aliases = NULL;
  for (uint32_t i = 0; i < SYCLZE__ALIAS_SHARDS; i++)
    free((void *)all->shards[i].buckets);
  free(all);
}

/* Null without memory. */
SYCLZE_LOCAL struct syclze__aliases *syclze__aliases_get(void) {
  struct syclze__aliases *there = __atomic_load_n(&SYCLZE__STATE.aliases, __ATOMIC_ACQUIRE);
  if (there != NULL) return there;
  struct syclze__aliases *created = (struct syclze__aliases *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  __atomic_store_n(&SYCLZE__STATE.aliases_end, &syclze__aliases_end, __ATOMIC_RELAXED);
  if (__atomic_compare_exchange_n(
          &SYCLZE__STATE.aliases, &there, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return there;
}

SYCLZE_INLINE uint64_t syclze__alias_hash(const void *native) {
  const uint64_t mixed = (uint64_t)(uintptr_t)native * 0x9e3779b97f4a7c15u;
  return mixed ^ mixed >> 32;
}

/* The shard of the handle; null without memory. */
SYCLZE_LOCAL struct syclze__alias_shard *syclze__alias_shard_of(const void *native) {
  struct syclze__aliases *all = syclze__aliases_get();
  if (all == NULL) return NULL;
  return &all->shards[syclze__alias_hash(native) % SYCLZE__ALIAS_SHARDS];
}

SYCLZE_LOCAL struct syclze__alias **syclze__alias_bucket(
    const struct syclze__alias_shard *shard, const void *native) {
  const uint64_t hash = syclze__alias_hash(native) / SYCLZE__ALIAS_SHARDS;
  return &shard->buckets[hash & (shard->room - 1)];
}

/* Doubles the buckets; false without memory. */
SYCLZE_LOCAL bool syclze__alias_grow(struct syclze__alias_shard *shard) {
  SYCLZE__HELD(&shard->lock);
  const uint32_t before = shard->room;
  struct syclze__alias **buckets = shard->buckets;
  const uint32_t room = before != 0 ? 2 * before : (uint32_t)SYCLZE__ALIAS_ROOM;
  struct syclze__alias **larger = (struct syclze__alias **)calloc(room, sizeof *larger);
  if (larger == NULL) return before != 0;
  shard->buckets = larger;
  shard->room = room;
  for (uint32_t i = 0; i < before; i++)
    while (buckets[i] != NULL) {
      struct syclze__alias *alias = buckets[i], **bucket;
      buckets[i] = alias->next;
      bucket = syclze__alias_bucket(shard, alias->native);
      alias->next = *bucket;
      *bucket = alias;
    }
  free((void *)buckets);
  return true;
}

/* Null if there is none. */
SYCLZE_LOCAL struct syclze__alias *syclze__alias_find(
    const struct syclze__alias_shard *shard, const struct syclze__memory *memory) {
  SYCLZE__HELD(&shard->lock);
  struct syclze__alias *alias =
      shard->room != 0 ? *syclze__alias_bucket(shard, memory->native) : NULL;
  while (alias != NULL &&
         (alias->native != memory->native || alias->context != memory->context->native))
    alias = alias->next;
  return alias;
}

/* False without memory. */
SYCLZE_LOCAL bool syclze__alias_add(struct syclze__alias_shard *shard, struct syclze__alias *alias,
    const struct syclze__memory *memory) {
  SYCLZE__HELD(&shard->lock);
  if (shard->count >= shard->room && !syclze__alias_grow(shard)) return false;
  alias->native = memory->native;
  alias->context = memory->context->native;
  alias->sharers = 1;
  struct syclze__alias **bucket = syclze__alias_bucket(shard, alias->native);
  alias->next = *bucket;
  *bucket = alias;
  shard->count++;
  return true;
}

SYCLZE_LOCAL void syclze__alias_remove(
    struct syclze__alias_shard *shard, const struct syclze__alias *alias) {
  SYCLZE__HELD(&shard->lock);
  struct syclze__alias **link = syclze__alias_bucket(shard, alias->native);
  while (*link != alias)
    link = &(*link)->next;
  *link = alias->next;
  shard->count--;
}

#endif

SYCLZE_EXTERN_C_END

#endif
