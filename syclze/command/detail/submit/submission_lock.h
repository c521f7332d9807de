/* The locks of the memory objects of a submission in progress. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMISSION_LOCK_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMISSION_LOCK_H

#include "../plain/submission.h"
#include "../order/dependency.h"
#include "../group.h"
#include "../plain/lock_await.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The lock that protects the accesses. */
SYCLZE_INLINE struct syclze__accesses_lock *syclze__accesses_lock_of(struct syclze__accesses *all) {
  const struct syclze__replicas *replicas = __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE);
  return SYCLZE__LIKELY(replicas == NULL) ? &all->lock : replicas->lock;
}

/* Releases the memory object's lock if it is held for this accessor: the first of several accessors
 * of one object holds it. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN void syclze__accessor_unlock(
    const syclze_accessor *accessor, struct syclze__accesses_lock *lock) {
  if (SYCLZE__UNLIKELY(__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) != accessor)) return;
  __atomic_store_n(&lock->holder, NULL, __ATOMIC_RELAXED);
  syclze__lock_release(&lock->word);
}

/* Ends the gathered accesses, and releases the locks of memory objects that are held for these
 * accessors. */
SYCLZE_INLINE void syclze__submission_unlock_accesses(
    struct syclze__submission *submission, const syclze_accessor *accessors, uint32_t count) {
  while (count > 0) {
    const syclze_accessor *accessor = &accessors[--count];
    syclze__accessor_unlock(
        accessor, syclze__accesses_lock_of(syclze__accesses_of(accessor->memory)));
  }
  syclze__access_list_end(submission->accesses);
  submission->accesses = NULL;
}

/* Tries the lock of the accessor's memory object; false if another thread holds it. An accessor
 * from `first`, the group's first one, on may hold the lock already. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN bool syclze__accessor_try(const syclze_accessor *accessor,
    const syclze_accessor *first, struct syclze__accesses_lock *lock) {
  if (SYCLZE__LIKELY(syclze__lock_try(&lock->word))) {
    __atomic_store_n(&lock->holder, accessor, __ATOMIC_RELAXED);
    return true;
  }
  const uintptr_t holder = (uintptr_t)__atomic_load_n(&lock->holder, __ATOMIC_RELAXED);
  return holder >= (uintptr_t)first && holder < (uintptr_t)accessor;
}

/* Releases the runs' lock if the submission holds it. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN void syclze__submission_unlock_runs(
    struct syclze__submission *submission) {
  if (submission->follows_run) syclze__lock_release(&submission->group->runs->lock);
  submission->follows_run = false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
