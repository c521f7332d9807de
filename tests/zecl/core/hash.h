/* FNV-1a: a quick hash of bytes, for tables and identifiers. */
#ifndef ZECL_CORE_HASH_H
#define ZECL_CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define ZECL_HASH_START 0xcbf29ce484222325u

static inline uint64_t zecl_hash(const void *bytes, size_t size, uint64_t hash) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ at[i]) * 0x100000001b3u;
  return hash;
}

#endif
