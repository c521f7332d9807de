/* Hooks of the debug checker (check.h) in the objects. */
#ifndef SYCLZE_DETAIL_CHECK_H
#define SYCLZE_DETAIL_CHECK_H

#include "memory/pool.h"
#include "result.h"

SYCLZE_EXTERN_C_BEGIN

/* The first member of every counted object. */
struct syclze__ref {
  struct syclze__slot slot;
  uint32_t ownership;
  int32_t others; /* references besides one; -1 once the object is free */
};

/* Counts of closed and freed parents (memory/sharded_count.h). A parent without children, or with
 * thread_lock held, gets one of these. The holder of a child may still retain a closed one, which
 * counts on from there. */
enum { SYCLZE__REF_CLOSED = INT32_MIN / 4 * 2, SYCLZE__REF_FREE = INT32_MIN / 4 * 3 };

/* Result of a make out of line. Passed by value, as are the inputs, so that the caller can keep
 * them in registers. */
struct syclze__made {
  void *rep; /* null after an error */
  ze_result_t result;
};

SYCLZE_EXTERN_C_END

#ifndef SYCLZE_CHECK

/* Marks a call site of the application, before the call. */
#define SYCLZE__HERE
/* An object of a kind, such as "queue", begins or ends to wrap a handle. It ends before the handle
 * is destroyed. */
#define SYCLZE__CHECK_WRAPPED(object, kind, native, ownership) ((void)0)
/* An object of a kind was made that has no handle. */
#define SYCLZE__CHECK_MADE(object, kind) ((void)0)
#define SYCLZE__CHECK_UNWRAPPED(native) ((void)0)
/* A wrapped handle got an owner. */
#define SYCLZE__CHECK_OWNED(native) ((void)0)
/* The rule that refuses a second transfer, or null. */
#define SYCLZE__CHECK_TRANSFERRED(native) NULL
/* Returns an object to its pool. */
#define SYCLZE__CHECK_FREE(slot) syclze__pool_release(slot)
/* Returns `value` from a function that is called with a null or freed object. */
#define SYCLZE__CHECK_USE(object, function, value) ((void)0)
#define SYCLZE__CHECK_USE_OF(rep, function, value) ((void)0)
/* Fails the group that is given a freed object. */
#define SYCLZE__CHECK_IN_GROUP(group, rep, function) ((void)0)
/* A buffer has data of the host; null when it has none any more. */
#define SYCLZE__CHECK_LEND(buffer, data, size) ((void)0)
/* False at the end of a buffer if its data of the host, which are used now, do not exist. */
#define SYCLZE__CHECK_LENT_EXISTS(buffer, is_used) true
/* Returns from a function that would free memory which a buffer needs. */
#define SYCLZE__CHECK_MAY_FREE(memory, function) ((void)0)
/* A group of the application began, or ended by an action or a failure. Its record is stored as the
 * rule of a status without error. */
#define SYCLZE__CHECK_GROUP_BEGUN(group) ((void)0)
#define SYCLZE__CHECK_GROUP_ENDED(group) ((void)0)
/* False for a freed object. */
#define SYCLZE__CHECK_ALIVE(object) true
/* An event was opened, or closed, that is the end of something of a kind on the host, after open
 * events of a list. `queue` is null for none. */
#define SYCLZE__CHECK_OPENED(event, queue, kind, waits, count) ((void)0)
#define SYCLZE__CHECK_CLOSED(event) ((void)0)
/* The thread has to end what an open event stands for, or need not any more. */
#define SYCLZE__CHECK_HELD(event, is_held) ((void)0)
/* Returns `value` from a function that would wait for what its own thread has to end. */
#define SYCLZE__CHECK_WAIT(waited, function, value) ((void)0)
/* 1 if makes are checked in full. */
#define SYCLZE__CHECKED 0

#else

struct syclze__event;

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE__HERE (void)(syclze__check_here(__FILE__, __LINE__)),
#define SYCLZE__CHECK_WRAPPED(object, kind, native, ownership)                                     \
  syclze__check_wrapped(&(object)->slot, kind, native, ownership)
#define SYCLZE__CHECK_MADE(object, kind) syclze__check_made_alone(&(object)->slot, kind)
#define SYCLZE__CHECK_UNWRAPPED(native) syclze__check_unwrapped(native)
#define SYCLZE__CHECK_OWNED(native) syclze__check_owned(native)
#define SYCLZE__CHECK_TRANSFERRED(native) syclze__check_transferred(native)
#define SYCLZE__CHECK_FREE(slot) syclze__check_free(slot)
#define SYCLZE__CHECK_USE(object, function, value)                                                 \
  SYCLZE__CHECK_USE_OF((object).rep, function, value)
#define SYCLZE__CHECK_USE_OF(rep, function, value)                                                 \
  do {                                                                                             \
    if (!syclze__check_use(rep, function)) return value;                                           \
  } while (0)
#define SYCLZE__CHECK_IN_GROUP(group, rep, function)                                               \
  do {                                                                                             \
    if ((rep) != NULL && !syclze__check_use(rep, function))                                        \
      syclze__group_fail(                                                                          \
          group, syclze__invalid("an object is used after its last release: see the diagnostic")); \
  } while (0)
#define SYCLZE__CHECK_LEND(buffer, data, size) syclze__check_lend(buffer, data, size)
#define SYCLZE__CHECK_LENT_EXISTS(buffer, is_used) syclze__check_lent_exists(buffer, is_used)
#define SYCLZE__CHECK_MAY_FREE(memory, function)                                                   \
  do {                                                                                             \
    if (!syclze__check_may_destroy(memory, function)) return ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE; \
  } while (0)
#define SYCLZE__CHECK_GROUP_BEGUN(group)                                                           \
  do {                                                                                             \
    if ((group)->status.result == ZE_RESULT_SUCCESS)                                               \
      (group)->status.rule = syclze__check_group_begun();                                          \
  } while (0)
#define SYCLZE__CHECK_GROUP_ENDED(group)                                                           \
  do {                                                                                             \
    if ((group)->status.result == ZE_RESULT_SUCCESS && (group)->status.rule != NULL) {             \
      syclze__check_group_ended((group)->status.rule);                                             \
      (group)->status.rule = NULL;                                                                 \
    }                                                                                              \
  } while (0)
#define SYCLZE__CHECK_ALIVE(object) syclze__check_alive(object)
#define SYCLZE__CHECK_OPENED(event, queue, kind, waits, count)                                     \
  syclze__check_opened(event, queue, kind, (waits), count)
#define SYCLZE__CHECK_CLOSED(event) syclze__check_closed(event)
#define SYCLZE__CHECK_HELD(event, is_held) syclze__check_held(event, is_held)
#define SYCLZE__CHECK_WAIT(waited, function, value)                                                \
  do {                                                                                             \
    if (syclze__check_waits_for_itself(waited)) {                                                  \
      syclze__check_report_wait(function);                                                         \
      return value;                                                                                \
    }                                                                                              \
  } while (0)
#define SYCLZE__CHECKED 1

SYCLZE_COLD void syclze__check_here(const char *file, int line)
    SYCLZE_LINK_NAME(syclze__check_here);
SYCLZE_COLD void syclze__check_wrapped(const struct syclze__slot *object, const char *kind,
    const void *native, uint32_t ownership) SYCLZE_LINK_NAME(syclze__check_wrapped);
SYCLZE_COLD void syclze__check_made_alone(const struct syclze__slot *object, const char *kind)
    SYCLZE_LINK_NAME(syclze__check_made_alone);
SYCLZE_COLD void syclze__check_unwrapped(const void *native)
    SYCLZE_LINK_NAME(syclze__check_unwrapped);
SYCLZE_COLD void syclze__check_owned(const void *native) SYCLZE_LINK_NAME(syclze__check_owned);
SYCLZE_COLD const char *syclze__check_transferred(const void *native)
    SYCLZE_LINK_NAME(syclze__check_transferred);
SYCLZE_COLD void syclze__check_free(struct syclze__slot *slot) SYCLZE_LINK_NAME(syclze__check_free);
/* False, after a diagnostic, for an object that is null or was freed. */
SYCLZE_COLD bool syclze__check_use(const void *object, const char *function)
    SYCLZE_LINK_NAME(syclze__check_use);
SYCLZE_COLD bool syclze__check_alive(const void *object) SYCLZE_LINK_NAME(syclze__check_alive);
SYCLZE_COLD void syclze__check_lend(const void *buffer, const void *data, size_t size)
    SYCLZE_LINK_NAME(syclze__check_lend);
SYCLZE_COLD bool syclze__check_lent_exists(const void *buffer, bool is_used)
    SYCLZE_LINK_NAME(syclze__check_lent_exists);
/* False, after a diagnostic, for the host's data of a buffer. */
SYCLZE_COLD bool syclze__check_may_free(const void *memory, const char *function)
    SYCLZE_LINK_NAME(syclze__check_may_free);
SYCLZE_COLD void syclze__check_free_host(void *memory) SYCLZE_LINK_NAME(syclze__check_free_host);
/* The record of a group; null without memory. */
SYCLZE_COLD const char *syclze__check_group_begun(void) SYCLZE_LINK_NAME(syclze__check_group_begun);
SYCLZE_COLD void syclze__check_group_ended(const char *record)
    SYCLZE_LINK_NAME(syclze__check_group_ended);
SYCLZE_COLD void syclze__check_opened(const void *event, const void *queue, const char *kind,
    struct syclze__event *const *waits, uint32_t count) SYCLZE_LINK_NAME(syclze__check_opened);
SYCLZE_COLD void syclze__check_closed(const void *event) SYCLZE_LINK_NAME(syclze__check_closed);
SYCLZE_COLD void syclze__check_held(const void *event, bool is_held)
    SYCLZE_LINK_NAME(syclze__check_held);
/* True if an event, or the work of a queue, ends after what the thread itself has to end. The
 * second function reports it, without locks. */
SYCLZE_COLD bool syclze__check_waits_for_itself(const void *waited)
    SYCLZE_LINK_NAME(syclze__check_waits_for_itself);
SYCLZE_COLD void syclze__check_report_wait(const char *function)
    SYCLZE_LINK_NAME(syclze__check_report_wait);
/* Checks a handle before the application destroys it: false, after a diagnostic, while it is
 * wrapped. */
SYCLZE_COLD bool syclze__check_may_destroy(const void *native, const char *function)
    SYCLZE_LINK_NAME(syclze__check_may_destroy);
/* Begins a call of the application with a wrapped handle; true if syclze__check_leave must end
 * it. */
SYCLZE_COLD bool syclze__check_enter(const void *native, const char *function)
    SYCLZE_LINK_NAME(syclze__check_enter);
SYCLZE_COLD ze_result_t syclze__check_leave(const void *native, bool entered, ze_result_t result)
    SYCLZE_LINK_NAME(syclze__check_leave);

SYCLZE_EXTERN_C_END

#include "checker.h"

#endif

#endif
