/* A submission in progress, and the locks that it holds. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMISSION_LOCK_H
#define SYCLZE_COMMAND_DETAIL_SUBMISSION_LOCK_H

#include "dependency.h"
#include "group.h"
#include "lock_await.h"

SYCLZE_EXTERN_C_BEGIN

enum syclze__submission_kind {
  SYCLZE__SUBMISSION_COMMAND, /* is appended to submission.list */
  SYCLZE__SUBMISSION_BARRIER, /* the same. Without requirements it waits for all earlier work of the
                                 queue, and all later work waits for it */
  SYCLZE__SUBMISSION_HOST,    /* runs on the host, which signals submission.event */
  SYCLZE__SUBMISSION_NATIVE,  /* a function appends it, and is called with no lock held */
  SYCLZE__SUBMISSION_LISTS    /* a command that executes its lists on a command queue itself */
};

struct syclze__submission {
  syclze_group *group;
  const syclze_accessor *accessors;  /* the group's */
  const char *function;              /* of the application's call */
  struct syclze__queue_state *state; /* with its lock held; null before */
  ze_command_list_handle_t list;     /* null for the host */
  ze_event_handle_t signal;          /* null for none, and for the host */
  uint32_t wait_count; /* of `waits.natives`, whose events live until this one is signalled */
  enum syclze__submission_kind kind;
  struct syclze__event *event;       /* with what is kept until it is signalled; null for none */
  struct syclze__access *accesses;   /* to be recorded, in reverse order of the accessors */
  struct syclze__wait_list waits;    /* until `event` takes the events; the handles stay */
  struct syclze__trace_node *traced; /* null unless it is traced */
  struct syclze__kernel *kernel;     /* what is launched; null for none */
  bool without_event;                /* the application wants no event */
  bool is_deferred;                  /* appended later (deferred.h) */
  bool recorded;                     /* other work may wait for the submission */
  bool begun; /* the device was given what waits for the wait list, if not all of the command */
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
