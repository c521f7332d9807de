/* The debug checker: with SYCLZE_CHECK defined before the first include, the library knows each
 * handle that it wraps for the file, and reports to the diagnostic handler, with the file and line
 * of the make,
 *   a handle that is given twice with transfer: the second make is refused;
 *   a handle that the application destroys while it is wrapped: the call does nothing and returns
 *     ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE;
 *   a command list or a kernel that two threads use at once (4.4.4);
 *   what is still wrapped when the program exits.
 * Define it in every file of a program: what another file wraps or releases is not seen. The calls
 * of the application are seen by macros in the names of Level Zero's functions, where syclze.h is
 * included. Not defined, nothing of it is compiled. Any thread. */
#ifndef SYCLZE_DETAIL_CHECK_H
#define SYCLZE_DETAIL_CHECK_H

#include "result.h"

#ifndef SYCLZE_CHECK

/* Stands before a make. */
#define SYCLZE__HERE
#define SYCLZE__CHECK_WRAPPED(native, ownership) ((void)0)
#define SYCLZE__CHECK_UNWRAPPED(native) ((void)0)
#define SYCLZE__CHECK_TRANSFERRED(native) NULL

#else

#include <pthread.h>
#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* Where the make stands that runs on this thread, and why the checker refuses it. */
struct syclze__site {
  const char *file;
  int line;
  char rule[256];
};

#define SYCLZE__SITE SYCLZE__SITE_(SYCLZE_ABI)
#define SYCLZE__SITE_(abi) SYCLZE__SITE__(abi)
#define SYCLZE__SITE__(abi) syclze__site_v##abi
__attribute__((weak, visibility("hidden"))) __thread struct syclze__site SYCLZE__SITE;

#define SYCLZE__HERE (void)(SYCLZE__SITE.file = __FILE__, SYCLZE__SITE.line = __LINE__),
#define SYCLZE__CHECK_WRAPPED(native, ownership) syclze__check_wrapped(native, ownership)
#define SYCLZE__CHECK_UNWRAPPED(native) syclze__check_unwrapped(native)
#define SYCLZE__CHECK_TRANSFERRED(native) syclze__check_transferred(native)

struct syclze__wrapped {
  const void *native;
  uint32_t wraps;   /* objects of this handle */
  bool transferred; /* to one of them */
  bool in_use;      /* by a call of this thread: */
  pthread_t thread;
  const char *file; /* of the first make */
  int line;
  struct syclze__wrapped *next; /* in its bucket */
};

enum { SYCLZE__BUCKETS = 4096 };

struct syclze__checker {
  pthread_mutex_t lock;
  struct syclze__wrapped *buckets[SYCLZE__BUCKETS];
};

SYCLZE_LOCAL void syclze__check_exit(void);

/* Null without memory: then nothing is checked. */
SYCLZE_LOCAL struct syclze__checker *syclze__checker_locked(void) {
  struct syclze__checker *checker =
      (struct syclze__checker *)__atomic_load_n(&SYCLZE__STATE.checker, __ATOMIC_ACQUIRE);
  if (checker == NULL) {
    struct syclze__checker *created = (struct syclze__checker *)calloc(1, sizeof *created);
    if (created == NULL) return NULL;
    pthread_mutex_init(&created->lock, NULL);
    void *none = NULL;
    if (__atomic_compare_exchange_n(&SYCLZE__STATE.checker, &none, (void *)created, false,
            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      checker = created;
      atexit(syclze__check_exit);
    } else {
      free(created);
      checker = (struct syclze__checker *)none;
    }
  }
  pthread_mutex_lock(&checker->lock);
  return checker;
}

SYCLZE_INLINE struct syclze__wrapped **syclze__wrapped_find(
    struct syclze__checker *checker, const void *native) {
  uint64_t hash = (uint64_t)(uintptr_t)native * 0x9e3779b97f4a7c15u;
  struct syclze__wrapped **link = &checker->buckets[hash >> 52];
  while (*link != NULL && (*link)->native != native)
    link = &(*link)->next;
  return link;
}

SYCLZE_LOCAL ze_result_t syclze__check_report(ze_result_t result, const char *function,
    const char *rule, const struct syclze__wrapped *wrapped) {
  char detail[512];
  snprintf(detail, sizeof detail, "made at %s:%d", wrapped->file != NULL ? wrapped->file : "?",
      wrapped->line);
  return syclze__fail_detail(result, function, rule, wrapped->native, detail);
}

SYCLZE_COLD void syclze__check_wrapped(const void *native, uint32_t ownership)
    SYCLZE_LINK_NAME(syclze__check_wrapped);

SYCLZE_COLD void syclze__check_wrapped(const void *native, uint32_t ownership) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  struct syclze__wrapped **link = syclze__wrapped_find(checker, native);
  if (*link == NULL) {
    *link = (struct syclze__wrapped *)calloc(1, sizeof **link);
    if (*link != NULL) {
      (*link)->native = native;
      (*link)->file = SYCLZE__SITE.file;
      (*link)->line = SYCLZE__SITE.line;
    }
  }
  if (*link != NULL) {
    (*link)->wraps++;
    if (ownership == 0) (*link)->transferred = true;
  }
  pthread_mutex_unlock(&checker->lock);
}

SYCLZE_COLD void syclze__check_unwrapped(const void *native)
    SYCLZE_LINK_NAME(syclze__check_unwrapped);

SYCLZE_COLD void syclze__check_unwrapped(const void *native) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  struct syclze__wrapped **link = syclze__wrapped_find(checker, native);
  struct syclze__wrapped *wrapped = *link;
  if (wrapped != NULL && --wrapped->wraps == 0) {
    *link = wrapped->next;
    free(wrapped);
  }
  pthread_mutex_unlock(&checker->lock);
}

SYCLZE_COLD const char *syclze__check_transferred(const void *native)
    SYCLZE_LINK_NAME(syclze__check_transferred);

/* Null, or the rule by which a second transfer is refused: this thread's until the next one. */
SYCLZE_COLD const char *syclze__check_transferred(const void *native) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return NULL;
  const struct syclze__wrapped *wrapped = *syclze__wrapped_find(checker, native);
  char *rule = NULL;
  if (wrapped != NULL && wrapped->transferred) {
    rule = SYCLZE__SITE.rule;
    snprintf(rule, sizeof SYCLZE__SITE.rule,
        "the handle has been given with transfer before, made at %s:%d",
        wrapped->file != NULL ? wrapped->file : "?", wrapped->line);
  }
  pthread_mutex_unlock(&checker->lock);
  return rule;
}

/* Before a destroy by the application: may it? */
SYCLZE_COLD bool syclze__check_may_destroy(const void *native, const char *function)
    SYCLZE_LINK_NAME(syclze__check_may_destroy);

SYCLZE_COLD bool syclze__check_may_destroy(const void *native, const char *function) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return true;
  struct syclze__wrapped *wrapped = *syclze__wrapped_find(checker, native);
  struct syclze__wrapped seen;
  bool found = wrapped != NULL;
  if (found) seen = *wrapped;
  pthread_mutex_unlock(&checker->lock);
  if (found)
    syclze__check_report(ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, function,
        "Level-Zero backend 4.4: the handle is destroyed while it is wrapped", &seen);
  return !found;
}

SYCLZE_COLD bool syclze__check_enter(const void *native, const char *function)
    SYCLZE_LINK_NAME(syclze__check_enter);

/* Around a call of the application on a wrapped handle; true if this call is the one to leave. */
SYCLZE_COLD bool syclze__check_enter(const void *native, const char *function) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return false;
  struct syclze__wrapped *wrapped = *syclze__wrapped_find(checker, native);
  struct syclze__wrapped seen;
  bool clash =
      wrapped != NULL && wrapped->in_use && !pthread_equal(wrapped->thread, pthread_self());
  bool entered = wrapped != NULL && !wrapped->in_use;
  if (entered) {
    wrapped->in_use = true;
    wrapped->thread = pthread_self();
  }
  if (clash) seen = *wrapped;
  pthread_mutex_unlock(&checker->lock);
  if (clash)
    syclze__check_report(SYCLZE_RESULT_ERROR_INVALID, function,
        "Level-Zero backend 4.4.4: two threads use the handle at once", &seen);
  return entered;
}

SYCLZE_COLD ze_result_t syclze__check_leave(const void *native, bool entered, ze_result_t result)
    SYCLZE_LINK_NAME(syclze__check_leave);

SYCLZE_COLD ze_result_t syclze__check_leave(const void *native, bool entered, ze_result_t result) {
  struct syclze__checker *checker = entered ? syclze__checker_locked() : NULL;
  if (checker == NULL) return result;
  struct syclze__wrapped *wrapped = *syclze__wrapped_find(checker, native);
  if (wrapped != NULL) wrapped->in_use = false;
  pthread_mutex_unlock(&checker->lock);
  return result;
}

SYCLZE_LOCAL void syclze__check_exit(void) {
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return;
  for (uint32_t i = 0; i < SYCLZE__BUCKETS; i++)
    for (struct syclze__wrapped *w = checker->buckets[i]; w != NULL; w = w->next)
      syclze__check_report(
          SYCLZE_RESULT_ERROR_INVALID, "exit", "the handle is still wrapped at exit", w);
  pthread_mutex_unlock(&checker->lock);
}

SYCLZE_EXTERN_C_END

#endif

#endif
