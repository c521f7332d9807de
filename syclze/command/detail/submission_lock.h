/* A submission in progress, and the locks that it holds. */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMISSION_LOCK_H
#define SYCLZE_COMMAND_DETAIL_SUBMISSION_LOCK_H

#include "dependency.h"
#include "group.h"

SYCLZE_EXTERN_C_BEGIN

enum syclze__submission_kind {
  SYCLZE__SUBMISSION_COMMAND, /* is appended to submission.list */
  SYCLZE__SUBMISSION_BARRIER, /* the same. Without requirements it waits for all earlier work of the
                                 queue, and all later work waits for it */
  SYCLZE__SUBMISSION_HOST     /* runs on the host, which signals submission.event */
};

struct syclze__submission {
  syclze_group *group;
  enum syclze__submission_kind kind;
  const char *function;              /* of the application's call */
  struct syclze__queue_state *state; /* with its lock held; null before */
  ze_command_list_handle_t list;     /* null for the host */
  ze_event_handle_t signal;          /* null for none, and for the host */
  uint32_t wait_count;
  ze_event_handle_t *waits;        /* their events live until the submission's own is signalled */
  struct syclze__event *event;     /* null for none */
  struct syclze__pending *pending; /* what is kept until the event is signalled; null without */
  struct syclze__access *accesses; /* to be recorded, in reverse order of the accessors */
  bool repeats;                    /* the group's accesses are recorded already, by position */
  bool recorded;                   /* other work may wait for the submission */
  bool begun; /* the device was given what waits for the wait list, if not all of the command */
  struct syclze__trace_node *traced; /* null unless it is traced */
};

#if SYCLZE__BODIES

/* Unlocks what this submission holds of the first `count` accessors' memory objects. */
SYCLZE_INLINE void syclze__submission_unlock_memory(
    const struct syclze__submission *submission, uint32_t count) {
  const syclze_accessor *accessors = syclze__group_accessors(submission->group);
  for (uint32_t i = 0; i < count; i++) {
    struct syclze__accesses_lock *lock = syclze__memory_lock(accessors[i].memory);
    if (__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) != submission) continue;
    __atomic_store_n(&lock->holder, NULL, __ATOMIC_RELAXED);
    syclze__lock_release(&lock->word);
  }
}

/* Tries the locks of all memory objects of the group; an object may be named more than once. */
SYCLZE_INLINE bool syclze__submission_try_memory(const struct syclze__submission *submission) {
  const syclze_accessor *accessors = syclze__group_accessors(submission->group);
  const uint32_t count = submission->group->accessor_count;
  for (uint32_t i = 0; i < count; i++) {
    struct syclze__accesses_lock *lock = syclze__memory_lock(accessors[i].memory);
    if (SYCLZE__LIKELY(syclze__lock_try(&lock->word)))
      __atomic_store_n(&lock->holder, submission, __ATOMIC_RELAXED);
    else if (__atomic_load_n(&lock->holder, __ATOMIC_RELAXED) != submission) {
      syclze__submission_unlock_memory(submission, i);
      return false;
    }
  }
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
