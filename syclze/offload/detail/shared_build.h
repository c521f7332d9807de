/* One build at a time for each key of a module, and the failed builds. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SHARED_BUILD_H
#define SYCLZE_OFFLOAD_DETAIL_SHARED_BUILD_H

#include "../../detail/sync/lock.h"
#include "cache_key.h"

SYCLZE_EXTERN_C_BEGIN

typedef SYCLZE__LOCK(SYCLZE__RANK_PROGRAM_CACHE) syclze__builds_lock;

/* A build that runs, or that failed and would fail again. */
struct syclze__shared_build {
  struct syclze__shared_build *next;
  uint32_t is_running; /* 1 while a thread builds; the others sleep on it */
  uint32_t users;      /* threads between begin and end */
  ze_result_t failure; /* success while there is none to remember */
  char *log;           /* of the failure; null for none */
  size_t key_size;
  uint8_t key[8];
};

#if SYCLZE__BODIES

/* True for a failure that depends on the key only. */
SYCLZE_INLINE bool syclze__failure_is_permanent(ze_result_t result) {
  return result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE ||
         result == ZE_RESULT_ERROR_MODULE_LINK_FAILURE ||
         result == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY;
}

/* Waits for another thread's build of the key, and begins the next; null without memory. `lock` is
 * the lock of the list. */
SYCLZE_LOCAL struct syclze__shared_build *syclze__shared_build_begin(syclze__builds_lock *lock,
    struct syclze__shared_build **builds, const struct syclze__key *key) {
  syclze__lock_acquire(lock);
  struct syclze__shared_build *build = *builds;
  while (build != NULL &&
         (build->key_size != key->size || memcmp(build->key, key->data, key->size) != 0))
    build = build->next;
  if (build == NULL) {
    build = (struct syclze__shared_build *)calloc(1, sizeof *build + key->size);
    if (build != NULL) {
      build->key_size = key->size;
      memcpy(build->key, key->data, key->size);
      build->next = *builds;
      *builds = build;
    }
  }
  if (build != NULL) {
    build->users++;
    while (build->is_running != 0) {
      syclze__lock_release(lock);
      syclze__word_sleep(&build->is_running, 1, -1);
      syclze__lock_acquire(lock);
    }
    __atomic_store_n(&build->is_running, 1, __ATOMIC_RELAXED);
  }
  syclze__lock_release(lock);
  return build;
}

/* Ends a build: the next of the waiting threads continues. A permanent failure is kept with its
 * log. */
SYCLZE_LOCAL void syclze__shared_build_end(syclze__builds_lock *lock,
    struct syclze__shared_build **builds, struct syclze__shared_build *build, ze_result_t result,
    const char *log) {
  if (build == NULL) return;
  syclze__lock_acquire(lock);
  if (build->failure == ZE_RESULT_SUCCESS && syclze__failure_is_permanent(result)) {
    build->failure = result;
    build->log = (char *)malloc(strlen(log) + 1);
    if (build->log != NULL) memcpy(build->log, log, strlen(log) + 1);
  }
  __atomic_store_n(&build->is_running, 0, __ATOMIC_RELEASE);
  bool is_last = --build->users == 0;
  if (is_last && build->failure == ZE_RESULT_SUCCESS) {
    struct syclze__shared_build **link = builds;
    while (*link != build)
      link = &(*link)->next;
    *link = build->next;
    free(build);
  } else if (!is_last) {
    syclze__word_wake(&build->is_running, INT32_MAX);
  }
  syclze__lock_release(lock);
}

SYCLZE_LOCAL void syclze__shared_builds_free(struct syclze__shared_build *builds) {
  while (builds != NULL) {
    struct syclze__shared_build *next = builds->next;
    free(builds->log);
    free(builds);
    builds = next;
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
