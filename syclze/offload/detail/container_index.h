/* Offload Binaries opened for look-ups. */
#ifndef SYCLZE_OFFLOAD_DETAIL_CONTAINER_INDEX_H
#define SYCLZE_OFFLOAD_DETAIL_CONTAINER_INDEX_H

#include "../container.h"
#include "hash.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* One string of one image, in the chain of its bucket. */
struct syclze__container_node {
  uint32_t image;
  uint32_t string;
  uint32_t next; /* plus one; 0 at the end */
  uint32_t hash;
};

struct syclze__container {
  size_t count;
  syclze_offload_image *images;
  struct syclze__container_node *nodes;
  uint32_t *buckets; /* the first node, plus one */
  uint32_t bucket_mask;
  struct syclze__hash_key hash_key;
};

SYCLZE_INLINE void syclze_container_close(syclze_container container) {
  free(container.rep);
}

SYCLZE_INLINE size_t syclze_container_image_count(syclze_container container) {
  return container.rep->count;
}

SYCLZE_INLINE const syclze_offload_image *syclze_container_image_at(
    syclze_container container, size_t index) {
  return index < container.rep->count ? &container.rep->images[index] : NULL;
}

#if SYCLZE__BODIES

SYCLZE_LOCAL_WARM uint32_t syclze__container_hash(
    const struct syclze__hash_key *hash_key, syclze_text key, syclze_text value) {
  const uint64_t hash_of_key = syclze__hash_text(hash_key, key.data, key.size);
  return (uint32_t)syclze__hash_pair(hash_key, hash_of_key, value);
}

/* One allocation: the struct, the images, the nodes and the buckets. */
SYCLZE_LOCAL struct syclze__container *syclze__container_new(size_t images, size_t strings) {
  size_t buckets = 1;
  while (buckets < strings)
    buckets *= 2;
  if (images >= UINT32_MAX || strings >= UINT32_MAX) return NULL;
  struct syclze__container *container = (struct syclze__container *)malloc(
      sizeof *container + images * sizeof *container->images + strings * sizeof *container->nodes +
      buckets * sizeof *container->buckets);
  if (container == NULL) return NULL;
  container->count = images;
  container->images = (syclze_offload_image *)(void *)(container + 1);
  container->nodes = (struct syclze__container_node *)(void *)(container->images + images);
  container->buckets = (uint32_t *)(void *)(container->nodes + strings);
  container->bucket_mask = (uint32_t)(buckets - 1);
  container->hash_key = syclze__hash_key_make();
  return container;
}

/* Counts a long value with the hash of an earlier one. True if all hashes change. */
SYCLZE_LOCAL bool syclze__container_is_crowded(
    struct syclze__container *container, uint32_t before, uint32_t hash, syclze_text value) {
  const struct syclze__container_node *node = &container->nodes[before - 1];
  const struct syclze__strings *strings = &container->images[node->image].strings;
  return node->hash == hash &&
         !syclze_text_equal(value,
             syclze__container_record_value(syclze__container_record_at(strings, node->string))) &&
         syclze__hash_collided(&container->hash_key);
}

/* Inserts the strings from the last to the first, so that chains are in the order of the images.
 * False if hashes changed meanwhile. */
SYCLZE_LOCAL bool syclze__container_fill(struct syclze__container *container) {
  uint32_t node = 0;
  memset(container->buckets, 0, ((size_t)container->bucket_mask + 1) * sizeof *container->buckets);
  for (size_t i = container->count; i-- > 0;) {
    const struct syclze__strings *strings = &container->images[i].strings;
    for (size_t s = strings->count; s-- > 0; node++) {
      const struct syclze__container_record record = syclze__container_record_at(strings, s);
      const syclze_text value = syclze__container_record_value(record);
      const uint32_t hash =
          syclze__container_hash(&container->hash_key, syclze_text_of(record.key), value);
      uint32_t *bucket = &container->buckets[hash & container->bucket_mask];
      if (*bucket != 0 && value.size > SYCLZE__HASH_WHOLE &&
          syclze__container_is_crowded(container, *bucket, hash, value))
        return false;
      container->nodes[node].hash = hash;
      container->nodes[node].image = (uint32_t)i;
      container->nodes[node].string = (uint32_t)s;
      container->nodes[node].next = *bucket;
      *bucket = node + 1;
    }
  }
  return true;
}

SYCLZE_COLD ze_result_t syclze_container_open(syclze_bytes bytes, syclze_container *container) {
  if (container == NULL)
    return syclze__fail_pointer("syclze_container_open", "the result's pointer is null");
  container->rep = NULL;
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  syclze_offload_image image;
  size_t images = 0, strings = 0;
  while (syclze_container_next(&cursor, &image)) {
    images++;
    strings += image.strings.count;
  }
  if (cursor.result != ZE_RESULT_SUCCESS) return cursor.result;
  container->rep = syclze__container_new(images, strings);
  if (container->rep == NULL) {
    struct syclze__status status = syclze__out_of_memory();
    return syclze__finish(status, "syclze_container_open", NULL);
  }
  cursor = syclze_container_begin(bytes);
  for (size_t i = 0; i < images; i++)
    syclze_container_next(&cursor, &container->rep->images[i]);
  while (!syclze__container_fill(container->rep))
    continue; /* once more, with all of the texts hashed */
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD syclze_container_search syclze_container_search_begin(
    syclze_container container, const char *key, syclze_text value) {
  syclze_container_search search;
  uint32_t hash = syclze__container_hash(&container.rep->hash_key, syclze_text_of(key), value);
  search.container = container.rep;
  search.key = syclze_text_of(key);
  search.value = value;
  search.hash = hash;
  search.next = container.rep->buckets[hash & container.rep->bucket_mask];
  return search;
}

SYCLZE_COLD const syclze_offload_image *syclze_container_search_next(
    syclze_container_search *search) {
  while (search->next != 0) {
    const struct syclze__container_node *node = &search->container->nodes[search->next - 1];
    search->next = node->next;
    if (node->hash != search->hash) continue;
    const syclze_offload_image *image = &search->container->images[node->image];
    struct syclze__container_record record =
        syclze__container_record_at(&image->strings, node->string);
    if (strcmp(record.key, search->key.data) != 0) continue;
    if (record.value_size == SIZE_MAX)
      record.value_size = syclze__length(record.value, search->value.size + 1);
    if (syclze_text_equal(syclze__container_record_value(record), search->value)) return image;
  }
  return NULL;
}

SYCLZE_COLD const syclze_offload_image *syclze_container_find(
    syclze_container container, const char *key, syclze_text value) {
  syclze_container_search search = syclze_container_search_begin(container, key, value);
  return syclze_container_search_next(&search);
}

#endif

SYCLZE_EXTERN_C_END

#endif
