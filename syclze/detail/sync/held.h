/* Invariants that are checked at run time with SYCLZE__INVARIANTS: the locks that a thread holds,
 * their order, and a state's conditions. Neither layouts nor locks change for files without it.
 *
 * A lock's upper half is its holder; 0 if a file without invariants acquired it. A table has each
 * thread's number of locks of each rank, by the thread's address. All accesses are relaxed, so that
 * ThreadSanitizer sees no order that the library lacks without them. */
#ifndef SYCLZE_DETAIL_SYNC_HELD_H
#define SYCLZE_DETAIL_SYNC_HELD_H

#include "rank.h"
#include "threads.h"

#include <string.h>
#if SYCLZE__INVARIANTS
#include <stdio.h>
#include <stdlib.h>
#endif

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__INVARIANTS

/* Asserts that the lock is held. */
#define SYCLZE__HELD(lock) syclze__held_check(&(lock)->any, #lock, __FILE__, __LINE__)
/* Asserts that no lock is held, before the library waits for others or calls the application. */
#define SYCLZE__HELD_NONE()                                                                        \
  SYCLZE__ASSERT(syclze__held_count() == 0 && "a lock of the library is held")
#define SYCLZE__ASSERT(condition)                                                                  \
  ((condition) ? (void)0 : syclze__invariant_fail(#condition, __FILE__, __LINE__))

#define SYCLZE__CHECK_RANK(rank) syclze__held_check_rank(rank)
#define SYCLZE__NOTE_ACQUIRED(lock, rank) syclze__held_add(lock, rank)
#define SYCLZE__NOTE_RELEASED(lock, rank) syclze__held_remove(lock, rank)

SYCLZE_COLD void syclze__invariant_fail(const char *what, const char *file, int line)
    SYCLZE_LINK_NAME(syclze__invariant_fail);
SYCLZE_COLD void syclze__held_check(const struct syclze__lock *lock, const char *name,
    const char *file, int line) SYCLZE_LINK_NAME(syclze__held_check);
/* A separate function: clang sees no parameters behind a function's other name. */
SYCLZE_COLD void syclze__held_check(const struct syclze__lock *lock, const char *name,
    const char *file, int line) SYCLZE__ASSERTS(*lock);
SYCLZE_COLD void syclze__held_check_rank(uint32_t rank) SYCLZE_LINK_NAME(syclze__held_check_rank);
SYCLZE_COLD void syclze__held_add(struct syclze__lock *lock, uint32_t rank)
    SYCLZE_LINK_NAME(syclze__held_add);
SYCLZE_COLD void syclze__held_remove(struct syclze__lock *lock, uint32_t rank)
    SYCLZE_LINK_NAME(syclze__held_remove);
/* The number of locks that the calling thread holds. */
SYCLZE_COLD uint32_t syclze__held_count(void) SYCLZE_LINK_NAME(syclze__held_count);

/* A thread that has held a lock. A later thread at the same address reuses it. */
struct syclze__holder {
  uintptr_t thread; /* 0 for none */
  uint16_t held[SYCLZE__RANKS];
};

enum { SYCLZE__HOLDERS = 1024 }; /* locks of further threads are not counted */

SYCLZE_EXTERN_C_END

/* The holders of a linked image, defined like its state (state.h). */
#define SYCLZE__ALL_HOLDERS SYCLZE__ALL_HOLDERS_(SYCLZE_ABI)
#define SYCLZE__ALL_HOLDERS_(abi) SYCLZE__ALL_HOLDERS__(abi)
#define SYCLZE__ALL_HOLDERS__(abi) syclze__holders_v##abi
#if defined(_WIN32)
__attribute__((selectany)) struct syclze__holder SYCLZE__ALL_HOLDERS[SYCLZE__HOLDERS] = {{0}};
#elif defined(__cplusplus)
extern "C" {
extern __attribute__((
    visibility("hidden"))) struct syclze__holder SYCLZE__ALL_HOLDERS[SYCLZE__HOLDERS];
}
#define SYCLZE__HOLDERS_BYTES 65536
#define SYCLZE__HOLDERS_ASM(symbol, bytes) SYCLZE__HOLDERS_ASM_(symbol, bytes)
#define SYCLZE__HOLDERS_ASM_(symbol, bytes)                                                        \
  __asm__(".hidden " #symbol "\n.comm " #symbol ", " #bytes ", 64\n")
SYCLZE__HOLDERS_ASM(SYCLZE__ALL_HOLDERS, SYCLZE__HOLDERS_BYTES);
static_assert(sizeof(struct syclze__holder) * SYCLZE__HOLDERS <= SYCLZE__HOLDERS_BYTES,
    "the common symbol is too small");
#else
__attribute__((common, visibility("hidden"),
    aligned(64))) struct syclze__holder SYCLZE__ALL_HOLDERS[SYCLZE__HOLDERS];
#endif

SYCLZE_EXTERN_C_BEGIN

#else
#define SYCLZE__HELD(lock) ((void)0)
#define SYCLZE__HELD_NONE() ((void)0)
#define SYCLZE__ASSERT(condition) ((void)0)
#define SYCLZE__CHECK_RANK(rank) ((void)0)
#define SYCLZE__NOTE_ACQUIRED(lock, rank) ((void)0)
#define SYCLZE__NOTE_RELEASED(lock, rank) ((void)0)
#endif

#if SYCLZE__BODIES

/* The value of a held lock with sleepers. */
SYCLZE_INLINE uint32_t syclze__lock_contended(const struct syclze__lock *lock) {
  uint8_t bytes[sizeof lock->word] = {1, 1, 0, 0};
  uint32_t word;
#if SYCLZE__INVARIANTS
  const uint16_t holder = __atomic_load_n((const uint16_t *)lock + 1, __ATOMIC_RELAXED);
  memcpy(&bytes[2], &holder, sizeof holder);
#else
  (void)lock;
#endif
  memcpy(&word, bytes, sizeof word);
  return word;
}

#if SYCLZE__INVARIANTS

SYCLZE_COLD void syclze__invariant_fail(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: the library's invariant does not hold: %s\n", file, line, what);
  abort();
}

SYCLZE_LOCAL uint64_t syclze__holder_hash(uintptr_t thread) {
  return (uint64_t)thread * 0x9e3779b97f4a7c15u;
}

/* The calling thread's mark as a holder; not 0. */
SYCLZE_LOCAL uint16_t syclze__holder_mark(void) {
  return (uint16_t)(syclze__holder_hash(syclze__thread_number()) >> 48 | 1);
}

/* The calling thread's holder; null if the table is full. */
SYCLZE_LOCAL struct syclze__holder *syclze__holder_self(void) {
  struct syclze__holder *all = SYCLZE__ALL_HOLDERS;
  const uintptr_t self = syclze__thread_number();
  uint32_t i = (uint32_t)(syclze__holder_hash(self) >> 32) % SYCLZE__HOLDERS;
  for (uint32_t looks = 0; looks < SYCLZE__HOLDERS; looks++, i = (i + 1) % SYCLZE__HOLDERS) {
    uintptr_t thread = __atomic_load_n(&all[i].thread, __ATOMIC_RELAXED);
    if (thread == self) return &all[i];
    if (thread == 0 && __atomic_compare_exchange_n(&all[i].thread, &thread, self, false,
                           __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return &all[i];
  }
  return NULL;
}

SYCLZE_LOCAL uint16_t syclze__holder_count(const struct syclze__holder *holder, uint32_t rank) {
  return __atomic_load_n(&holder->held[rank], __ATOMIC_RELAXED);
}

SYCLZE_COLD uint32_t syclze__held_count(void) {
  const struct syclze__holder *self = syclze__holder_self();
  uint32_t count = 0;
  for (uint32_t rank = 0; self != NULL && rank < SYCLZE__RANKS; rank++)
    count += syclze__holder_count(self, rank);
  return count;
}

SYCLZE_COLD void syclze__held_check(
    const struct syclze__lock *lock, const char *name, const char *file, int line) {
  const uint16_t holder = __atomic_load_n((const uint16_t *)lock + 1, __ATOMIC_RELAXED);
  if (__atomic_load_n((const uint8_t *)lock, __ATOMIC_RELAXED) == 0)
    syclze__invariant_fail(name, file, line);
  if (holder != 0 && holder != syclze__holder_mark()) syclze__invariant_fail(name, file, line);
}

SYCLZE_COLD void syclze__held_check_rank(uint32_t rank) {
  const struct syclze__holder *self = syclze__holder_self();
  for (uint32_t later = rank; self != NULL && later < SYCLZE__RANKS; later++)
    if (syclze__holder_count(self, later) != 0) {
      fprintf(stderr, "a lock of rank %u is acquired while one of rank %u is held\n",
          (unsigned)rank, (unsigned)later);
      syclze__invariant_fail("the order of locks (rank.h)", __FILE__, __LINE__);
    }
}

SYCLZE_COLD void syclze__held_add(struct syclze__lock *lock, uint32_t rank) {
  struct syclze__holder *self = syclze__holder_self();
  __atomic_store_n((uint16_t *)lock + 1, syclze__holder_mark(), __ATOMIC_RELAXED);
  if (self != NULL)
    __atomic_store_n(
        &self->held[rank], (uint16_t)(syclze__holder_count(self, rank) + 1), __ATOMIC_RELAXED);
}

SYCLZE_COLD void syclze__held_remove(struct syclze__lock *lock, uint32_t rank) {
  struct syclze__holder *self = syclze__holder_self();
  syclze__held_check(lock, "the lock that is released", __FILE__, __LINE__);
  __atomic_store_n((uint16_t *)lock + 1, 0, __ATOMIC_RELAXED);
  if (self != NULL)
    __atomic_store_n(
        &self->held[rank], (uint16_t)(syclze__holder_count(self, rank) - 1), __ATOMIC_RELAXED);
}

#endif

#endif

SYCLZE_EXTERN_C_END

#endif
