/* SipHash-1-3 (Aumasson, Bernstein: SipHash, a fast short-input PRF), for the keys of caches and
 * for names of files, and a faster hash of texts for tables in memory. With a random key, an
 * attacker cannot choose inputs with equal hashes. */
#ifndef SYCLZE_OFFLOAD_DETAIL_HASH_H
#define SYCLZE_OFFLOAD_DETAIL_HASH_H

#include "../device_image.h"

#include <time.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__HASH_PIECE = 16,
  SYCLZE__HASH_PIECES = 8,
  SYCLZE__HASH_WHOLE = 256,
  SYCLZE__HASH_COLLISIONS = 8
};

/* The key of hashes. The key of a table may hash only samples of texts of more than
 * SYCLZE__HASH_WHOLE bytes, until more than SYCLZE__HASH_COLLISIONS of them collide. */
struct syclze__hash_key {
  uint64_t words[2];
  bool is_sampled;
  uint8_t collisions; /* of samples */
};

#if SYCLZE__BODIES

SYCLZE_INLINE uint64_t syclze__rotate(uint64_t word, unsigned bits) {
  return word << bits | word >> (64 - bits);
}

SYCLZE_INLINE void syclze__sip_round(uint64_t v[4]) {
  v[0] += v[1];
  v[2] += v[3];
  v[1] = syclze__rotate(v[1], 13) ^ v[0];
  v[3] = syclze__rotate(v[3], 16) ^ v[2];
  v[0] = syclze__rotate(v[0], 32);
  v[2] += v[1];
  v[0] += v[3];
  v[1] = syclze__rotate(v[1], 17) ^ v[2];
  v[3] = syclze__rotate(v[3], 21) ^ v[0];
  v[2] = syclze__rotate(v[2], 32);
}

SYCLZE_LOCAL_WARM uint64_t syclze__hash(
    const struct syclze__hash_key *key, const void *data, size_t size) {
  const uint8_t *bytes = (const uint8_t *)data;
  uint64_t v[4] = {key->words[0] ^ 0x736f6d6570736575u, key->words[1] ^ 0x646f72616e646f6du,
      key->words[0] ^ 0x6c7967656e657261u, key->words[1] ^ 0x7465646279746573u};
  uint64_t word = 0;
  size_t at = 0;
  for (; size - at >= 8; at += 8) {
    word = syclze__load_u64(bytes + at);
    v[3] ^= word;
    syclze__sip_round(v);
    v[0] ^= word;
  }
  word = (uint64_t)size << 56;
  for (unsigned shift = 0; at < size; at++, shift += 8)
    word |= (uint64_t)bytes[at] << shift;
  v[3] ^= word;
  syclze__sip_round(v);
  v[0] ^= word;
  v[2] ^= 0xff;
  for (int i = 0; i < 3; i++)
    syclze__sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 syclze__product;

/* Folds the halves of a product, so that no bit of a factor is lost, unless the other factor is
 * zero. */
SYCLZE_INLINE uint64_t syclze__hash_fold(uint64_t a, uint64_t b) {
  const syclze__product both = (syclze__product)a * b;
  return (uint64_t)both ^ (uint64_t)(both >> 64);
}

/* Mixes 16 bytes into a hash, with a secret word for each factor. */
SYCLZE_INLINE uint64_t syclze__hash_mix(const uint8_t *at, uint64_t key, uint64_t mixed) {
  return syclze__hash_fold(syclze__load_u64(at) ^ mixed, syclze__load_u64(at + 8) ^ key);
}
#endif

/* The hash of all of a text with a random key: products of its words, a fraction of SipHash's work.
 */
SYCLZE_LOCAL_WARM uint64_t syclze__hash_whole(
    const struct syclze__hash_key *key, const void *data, size_t size) {
#ifdef __SIZEOF_INT128__
  const uint8_t *bytes = (const uint8_t *)data;
  const uint64_t fixed = key->words[1];
  uint64_t mixed = key->words[0] ^ size;
  uint8_t padded[16] = {0};
  if (size < sizeof padded && size != 0) memcpy(padded, data, size);
  const uint8_t *last = size < sizeof padded ? padded : bytes + (size - sizeof padded);
  for (; size > 64; size -= 64, bytes += 64) {
    mixed = syclze__hash_mix(bytes, fixed, mixed);
    mixed = syclze__hash_mix(bytes + 16, fixed, mixed);
    mixed = syclze__hash_mix(bytes + 32, fixed, mixed);
    mixed = syclze__hash_mix(bytes + 48, fixed, mixed);
  }
  for (; size > 16; size -= 16, bytes += 16)
    mixed = syclze__hash_mix(bytes, fixed, mixed);
  mixed = syclze__hash_mix(last, fixed, mixed);
  return syclze__hash_fold(mixed ^ key->words[0], fixed);
#else
  return syclze__hash(key, data, size);
#endif
}

/* The hash of a text in a table: of all of it or, if the key allows it, of a sample. */
SYCLZE_LOCAL_WARM uint64_t syclze__hash_text(
    const struct syclze__hash_key *key, const void *data, size_t size) {
  enum { PIECE = SYCLZE__HASH_PIECE, PIECES = SYCLZE__HASH_PIECES };
  uint8_t sample[PIECE * PIECES + sizeof size];
  if (!key->is_sampled || size <= SYCLZE__HASH_WHOLE) return syclze__hash_whole(key, data, size);
  const uint8_t *from = (const uint8_t *)data;
  const size_t step = (size - PIECE) / (PIECES - 1);
  for (size_t i = 0; i < PIECES - 1; i++)
    memcpy(sample + PIECE * i, from + step * i, PIECE);
  memcpy(sample + PIECE * (PIECES - 1), from + size - PIECE, PIECE);
  memcpy(sample + PIECE * PIECES, &size, sizeof size);
  return syclze__hash_whole(key, sample, sizeof sample);
}

/* Counts two texts of a table with one hash. True if samples are no longer used: then all texts of
 * the table have other hashes. */
SYCLZE_INLINE bool syclze__hash_collided(struct syclze__hash_key *key) {
  if (!key->is_sampled || ++key->collisions <= SYCLZE__HASH_COLLISIONS) return false;
  key->is_sampled = false;
  return true;
}

/* The hash of two texts: unlike that of their concatenation, it depends on where the first one
 * ends. */
SYCLZE_LOCAL_WARM uint64_t syclze__hash_pair(
    const struct syclze__hash_key *key, uint64_t hash_of_first, syclze_text second) {
  struct syclze__hash_key mixed = *key;
  mixed.words[0] ^= hash_of_first;
  return syclze__hash_text(&mixed, second.data, second.size);
}

/* A key of this process: hashes of the random bytes that the kernel passes to each program; without
 * them, of addresses and the time. */
SYCLZE_LOCAL struct syclze__hash_key syclze__hash_key_make(void) {
  static const struct syclze__hash_key constant = {{1, 2}, false, 0};
  struct {
    uint8_t random[16];
    const void *addresses[2];
    time_t now;
  } seed;
  struct syclze__hash_key key;
  memset(&seed, 0, sizeof seed);
#ifdef __linux__
  const uintptr_t address = getauxval(AT_RANDOM);
  const void *random = (const void *)address;
  if (random != NULL) memcpy(seed.random, random, sizeof seed.random);
#else
  seed.now = time(NULL);
#endif
  seed.addresses[0] = &seed;
  seed.addresses[1] = &SYCLZE__STATE;
  key.words[0] = syclze__hash(&constant, &seed, sizeof seed);
  struct syclze__hash_key second = {{key.words[0], 3}, false, 0};
  key.words[1] = syclze__hash(&second, &seed, sizeof seed);
  key.is_sampled = true;
  key.collisions = 0;
  return key;
}

#endif

SYCLZE_EXTERN_C_END

#endif
