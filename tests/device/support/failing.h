/* Allocations and threads of the host, and waits, that fail on purpose. To be included first: what
   the library allocates and starts is counted, nothing else. Every object is an allocation of its
   own here, so that pools which are warm hide none.

     failing_at(3);
     ... the library's third allocation or thread from here fails ...
     bool failed = failing_end(); */
#ifndef TESTS_DEVICE_FAILING_H
#define TESTS_DEVICE_FAILING_H

#define SYCLZE_HAS_POOLS 0

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <level_zero/ze_api.h>

extern struct failing {
  atomic_long countdown; /* until one fails; 0 for none */
  atomic_bool all;       /* the one that fails is followed by others */
  atomic_uint failed;
  _Atomic(void (*)(void *)) when; /* called with `argument` as the first one fails; may be null */
  _Atomic(void *) argument;
  atomic_size_t size;  /* not 0: the next allocation of this size calls `when`, and succeeds */
  atomic_bool threads; /* none starts */
  atomic_uint threads_failed;
  _Atomic(ze_result_t) wait; /* the next wait for an event returns this; success for none */
} failing;

/* The n-th from now fails, counted from 1; 0 for none. */
static inline void failing_at(long n) {
  atomic_store(&failing.failed, 0);
  atomic_store(&failing.all, false);
  atomic_store(&failing.countdown, n);
}

/* Makes the n-th and all that follow fail. */
static inline void failing_from(long n) {
  failing_at(0);
  atomic_store(&failing.all, true);
  atomic_store(&failing.countdown, n);
}

/* From here on none fails. Whether one did. */
static inline bool failing_end(void) {
  atomic_store(&failing.countdown, 0);
  failing.when = NULL;
  failing.size = 0;
  return atomic_load(&failing.failed) != 0;
}

/* Makes all threads fail from here on, or not, regardless of other failures; failing_notify sees
 * the first. */
static inline void failing_threads(bool all) {
  atomic_store(&failing.threads, all);
}

/* The number of these failures. */
static inline unsigned failing_threads_failed(void) {
  return atomic_load(&failing.threads_failed);
}

static inline void failing_call(void) {
  void (*when)(void *) = atomic_exchange(&failing.when, NULL);
  if (when) when(failing.argument);
}

/* Calls `when` on the thread of the first failure. */
static inline void failing_notify(void (*when)(void *), void *argument) {
  failing.argument = argument;
  failing.when = when;
}

/* In the middle of the next allocation of so many bytes `when` is called: what another thread may
   do there. */
static inline void failing_interrupt(size_t size, void (*when)(void *), void *argument) {
  failing_notify(when, argument);
  failing.size = size;
}

static inline bool failing_now(void) {
  if (atomic_load(&failing.countdown) == 0 || atomic_fetch_sub(&failing.countdown, 1) != 1)
    return false;
  if (atomic_load(&failing.all)) atomic_store(&failing.countdown, 1);
  if (atomic_fetch_add(&failing.failed, 1) == 0) failing_call();
  return true;
}

static inline void *failing_malloc(size_t size) {
  return failing_now() ? NULL : malloc(size);
}

static inline void *failing_calloc(size_t count, size_t size) {
  size_t wanted = count * size;
  if (atomic_compare_exchange_strong(&failing.size, &wanted, 0)) failing_call();
  return failing_now() ? NULL : calloc(count, size);
}

static inline void *failing_realloc(void *memory, size_t size) {
  return failing_now() ? NULL : realloc(memory, size);
}

static inline int failing_thread(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  if (atomic_load(&failing.threads)) {
    atomic_fetch_add(&failing.threads_failed, 1);
    failing_call();
    return EAGAIN;
  }
  return failing_now() ? EAGAIN : pthread_create(thread, attributes, body, argument);
}

static inline ze_result_t failing_wait(ze_event_handle_t event, uint64_t nanoseconds) {
  const ze_result_t code = atomic_exchange(&failing.wait, ZE_RESULT_SUCCESS);
  return code != ZE_RESULT_SUCCESS ? code : zeEventHostSynchronize(event, nanoseconds);
}

#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#define pthread_create failing_thread
#define zeEventHostSynchronize failing_wait
#ifdef FAILING_BODIES
#include "syclze/implementation.h"
#else
#include "syclze/command.h"
#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"
#include "syclze/syclze.h"
#endif
#undef malloc
#undef calloc
#undef realloc
#undef pthread_create
#undef zeEventHostSynchronize

#endif
