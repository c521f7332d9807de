/* Keys of caches: all inputs of a result, concatenated and compared in full. */
#ifndef SYCLZE_OFFLOAD_DETAIL_CACHE_KEY_H
#define SYCLZE_OFFLOAD_DETAIL_CACHE_KEY_H

#include "hash.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* A growing buffer of bytes. `data` is null after a lack of memory. */
struct syclze__key {
  uint8_t *data;
  size_t size, room;
  bool failed;
};

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__key_add(struct syclze__key *key, const void *data, size_t size) {
  if (key->failed) return;
  if (size > key->room - key->size) {
    size_t room = (key->size + size) * 2 + 64;
    uint8_t *bigger = room > size ? (uint8_t *)realloc(key->data, room) : NULL;
    key->failed = bigger == NULL;
    if (key->failed) return;
    key->data = bigger;
    key->room = room;
  }
  if (size != 0) memcpy(key->data + key->size, data, size);
  key->size += size;
}

/* Adds text or bytes with their length, so that no two lists of them are equal. */
SYCLZE_INLINE void syclze__key_add_sized(struct syclze__key *key, const void *data, size_t size) {
  uint64_t length = size;
  syclze__key_add(key, &length, sizeof length);
  syclze__key_add(key, data, size);
}

SYCLZE_INLINE void syclze__key_add_number(struct syclze__key *key, uint64_t number) {
  syclze__key_add(key, &number, sizeof number);
}

#endif

SYCLZE_EXTERN_C_END

#endif
