/* The bundles that a program has built, by their inputs and by the requests that they answered. */
#include "../program.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_BUNDLE_CACHE_H
#define SYCLZE_OFFLOAD_DETAIL_BUNDLE_CACHE_H

#include "shared_build.h"

SYCLZE_EXTERN_C_BEGIN

/* One cached bundle. The key is of a request (its kernel, device and values), or of a module
 * (an image, device and values). */
struct syclze__bundle_cache_entry {
  struct syclze__bundle_cache_entry *next;
  uint64_t hash;
  struct syclze__kernel_bundle *bundle;
  bool is_request;         /* invalid once images are added or removed */
  syclze_candidate chosen; /* of a request: the candidate that the bundle was made of */
  size_t key_size;
  uint8_t key[8];
};

/* The cache of a program. Zeros are an empty one. */
struct syclze__bundle_cache {
  syclze__builds_lock lock; /* of everything below */
  uint64_t generation;      /* of the set, for the entries that are requests */
  syclze_program_counts counts;
  struct syclze__hash_key hash_key;            /* set by the program */
  struct syclze__bundle_cache_entry **buckets; /* a power of two, or null for none yet */
  size_t bucket_count;
  size_t count;
  struct syclze__shared_build *builds; /* running or failed builds */
};

#if SYCLZE__BODIES

/* The bundle with that key, with a reference for the caller, or null. `chosen`, unless it is null,
 * gets the candidate that answered a request. */
SYCLZE_INLINE struct syclze__kernel_bundle *syclze__bundle_cache_lookup(
    struct syclze__bundle_cache *cache, const struct syclze__key *key, uint64_t hash,
    syclze_candidate *chosen) {
  SYCLZE__HELD(&cache->lock);
  struct syclze__bundle_cache_entry *entry =
      cache->bucket_count != 0 ? cache->buckets[hash & (cache->bucket_count - 1)] : NULL;
  for (; entry != NULL; entry = entry->next) {
    if (entry->hash != hash || entry->key_size != key->size ||
        memcmp(entry->key, key->data, key->size) != 0)
      continue;
    syclze__ref_retain(&entry->bundle->parent.ref);
    if (chosen != NULL) *chosen = entry->chosen;
    return entry->bundle;
  }
  return NULL;
}

/* Makes room for one more entry; false without memory. */
SYCLZE_LOCAL bool syclze__bundle_cache_grow(struct syclze__bundle_cache *cache) {
  SYCLZE__HELD(&cache->lock);
  if (cache->count < cache->bucket_count) return true;
  size_t count = cache->bucket_count != 0 ? cache->bucket_count * 2 : 64;
  struct syclze__bundle_cache_entry **buckets =
      (struct syclze__bundle_cache_entry **)calloc(count, sizeof *buckets);
  if (buckets == NULL) return cache->bucket_count != 0;
  for (size_t i = 0; i < cache->bucket_count; i++)
    while (cache->buckets[i] != NULL) {
      struct syclze__bundle_cache_entry *entry = cache->buckets[i];
      cache->buckets[i] = entry->next;
      entry->next = buckets[entry->hash & (count - 1)];
      buckets[entry->hash & (count - 1)] = entry;
    }
  free((void *)cache->buckets);
  cache->buckets = buckets;
  cache->bucket_count = count;
  return true;
}

/* Moves the requests from the cache to a list. */
SYCLZE_LOCAL void syclze__bundle_cache_evict(
    struct syclze__bundle_cache *cache, struct syclze__bundle_cache_entry **gone) {
  SYCLZE__HELD(&cache->lock);
  for (size_t i = 0; i < cache->bucket_count; i++) {
    struct syclze__bundle_cache_entry **link = &cache->buckets[i];
    while (*link != NULL) {
      struct syclze__bundle_cache_entry *entry = *link;
      if (!entry->is_request) {
        link = &entry->next;
        continue;
      }
      *link = entry->next;
      cache->count--;
      entry->next = *gone;
      *gone = entry;
    }
  }
}

SYCLZE_INLINE ze_result_t syclze__bundle_cache_release(struct syclze__bundle_cache_entry *gone) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (gone != NULL) {
    struct syclze__bundle_cache_entry *next = gone->next;
    result = syclze__first_error(result, syclze__kernel_bundle_drop(gone->bundle));
    free(gone);
    gone = next;
  }
  return result;
}

/* Ends a cache that no other thread uses, without its lock: a thread that the child of a fork lacks
 * may hold it. */
SYCLZE_LOCAL ze_result_t syclze__bundle_cache_end(struct syclze__bundle_cache *cache) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t i = 0; i < cache->bucket_count; i++)
    result = syclze__first_error(result, syclze__bundle_cache_release(cache->buckets[i]));
  free((void *)cache->buckets);
  syclze__shared_builds_free(cache->builds);
  return result;
}

/* Finds a bundle. Evicts the requests if `generation`, of the set, differs from that of the last
 * call: images were added or removed meanwhile. */
SYCLZE_LOCAL struct syclze__kernel_bundle *syclze__bundle_cache_find(
    struct syclze__bundle_cache *cache, const struct syclze__key *key, uint64_t generation,
    syclze_candidate *chosen) {
  uint64_t hash = syclze__hash(&cache->hash_key, key->data, key->size);
  struct syclze__bundle_cache_entry *gone = NULL;
  syclze__lock_acquire(&cache->lock);
  if (cache->generation != generation) {
    syclze__bundle_cache_evict(cache, &gone);
    cache->generation = generation;
  }
  struct syclze__kernel_bundle *bundle = syclze__bundle_cache_lookup(cache, key, hash, chosen);
  cache->counts.from_memory += bundle != NULL;
  syclze__lock_release(&cache->lock);
  syclze__bundle_cache_release(gone);
  return bundle;
}

/* Keeps a bundle by that key, unless another thread has kept one. Returns the bundle to use, with a
 * reference for the caller. `chosen` is the candidate that answered a request, and is replaced by
 * the kept bundle's; it is null if the key is of a module. Without memory nothing is kept.
 */
SYCLZE_LOCAL struct syclze__kernel_bundle *syclze__bundle_cache_insert(
    struct syclze__bundle_cache *cache, const struct syclze__key *key,
    struct syclze__kernel_bundle *bundle, syclze_candidate *chosen, uint64_t generation) {
  struct syclze__bundle_cache_entry *entry =
      (struct syclze__bundle_cache_entry *)malloc(sizeof *entry + key->size);
  if (entry == NULL) return bundle;
  uint64_t hash = syclze__hash(&cache->hash_key, key->data, key->size);
  entry->hash = hash;
  entry->bundle = bundle;
  entry->is_request = chosen != NULL;
  memset(&entry->chosen, 0, sizeof entry->chosen);
  if (chosen != NULL) entry->chosen = *chosen;
  entry->key_size = key->size;
  memcpy(entry->key, key->data, key->size);
  syclze__lock_acquire(&cache->lock);
  struct syclze__kernel_bundle *other = syclze__bundle_cache_lookup(cache, key, hash, chosen);
  bool is_kept = other == NULL && (chosen == NULL || cache->generation == generation) &&
                 syclze__bundle_cache_grow(cache);
  if (is_kept) {
    struct syclze__bundle_cache_entry **bucket = &cache->buckets[hash & (cache->bucket_count - 1)];
    cache->count++;
    entry->next = *bucket;
    *bucket = entry;
    syclze__ref_retain(&bundle->parent.ref);
  }
  syclze__lock_release(&cache->lock);
  if (!is_kept) free(entry);
  if (other == NULL) return bundle;
  syclze__kernel_bundle_drop(bundle);
  return other;
}

#endif

SYCLZE_EXTERN_C_END

#endif
