/* A submission in progress, and the locks that it holds. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMISSION_LOCK_H
#define SYCLZE_COMMAND_DETAIL_SUBMISSION_LOCK_H

#include "append.h"
#include "dependency.h"
#include "group.h"
#include "lock_await.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__submission {
  struct syclze__append at; /* `at.waits` are the handles of `waits` once these are complete */
  syclze_group *group;
  const syclze_accessor *accessors; /* the group's */
  const char *function;             /* of the application's call */
  enum syclze__submission_kind kind;
  struct syclze__access *accesses;   /* to be recorded, in reverse order of the accessors */
  struct syclze__wait_list waits;    /* until `at.event` takes the events; the handles stay */
  struct syclze__trace_node *traced; /* null unless it is traced */
  struct syclze__kernel *kernel;     /* what is launched; null for none */
  bool without_event;                /* the application wants no event */
  bool is_deferred;                  /* appended later (deferred.h) */
  bool recorded;                     /* other work may wait for the submission */
};

#if SYCLZE__BODIES

/* Releases the memory object, if its lock is held for this accessor: of several accessors of one
 * object the first holds it. */
SYCLZE_INLINE void syclze__accessor_unlock(const syclze_accessor *accessor) {
  struct syclze__accesses_lock *lock = syclze__memory_lock(accessor->memory);
  if (__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) != accessor) return;
  __atomic_store_n(&lock->holder, NULL, __ATOMIC_RELAXED);
  syclze__lock_release(&lock->word);
}

SYCLZE_LOCAL void syclze__accessors_unlock(const syclze_accessor *accessors, uint32_t count) {
  while (count > 0)
    syclze__accessor_unlock(&accessors[--count]);
}

/* Tries the locks of all memory objects; false, and none of them is held, after waiting for one
 * that was not to be had. `*replicas` is set if one of them has replicas. The objects have lists of
 * accesses. */
SYCLZE_INLINE bool syclze__accessors_try(
    const syclze_accessor *accessors, uint32_t count, bool *replicas) {
  for (uint32_t i = 0; i < count; i++) {
    struct syclze__accesses *all = syclze__accesses_of(accessors[i].memory);
    struct syclze__accesses_lock *lock = &all->lock;
    const struct syclze__replicas *its_replicas = __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE);
    if (SYCLZE__UNLIKELY(its_replicas != NULL)) {
      *replicas = true;
      lock = its_replicas->lock;
    }
    if (SYCLZE__LIKELY(syclze__lock_try(&lock->word))) {
      __atomic_store_n(&lock->holder, &accessors[i], __ATOMIC_RELAXED);
      continue;
    }
    const uintptr_t holder = (uintptr_t)__atomic_load_n(&lock->holder, __ATOMIC_RELAXED);
    if (holder >= (uintptr_t)accessors && holder < (uintptr_t)&accessors[i]) continue;
    syclze__accessors_unlock(accessors, i);
    syclze__lock_await(&lock->word);
    return false;
  }
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
