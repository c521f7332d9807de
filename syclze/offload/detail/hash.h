/* A hash of bytes, for tables and for names of files. */
#ifndef SYCLZE_OFFLOAD_DETAIL_HASH_H
#define SYCLZE_OFFLOAD_DETAIL_HASH_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE uint64_t syclze__offload_mix(uint64_t a) {
  a = (a ^ a >> 32) * 0x9e3779b97f4a7c15u;
  return a ^ a >> 29;
}

SYCLZE_INLINE uint64_t syclze__offload_hash(uint64_t seed, syclze_text name) {
  uint64_t hash = seed ^ name.size, word;
  size_t at = 0;
  for (; at + 8 <= name.size; at += 8) {
    memcpy(&word, name.data + at, 8);
    hash = syclze__offload_mix(hash ^ word) + seed;
  }
  word = 0;
  if (at < name.size) memcpy(&word, name.data + at, name.size - at);
  return syclze__offload_mix(syclze__offload_mix(hash ^ word) + seed);
}

#endif

SYCLZE_EXTERN_C_END

#endif
