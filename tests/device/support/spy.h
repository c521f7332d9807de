/* Interposes on the driver calls of a program through the linker (wrap.txt). Handles are tracked
   from creation to destruction, so that double destruction and leaks are detected. A chosen call
   can be made to fail. */
#ifndef TESTS_DEVICE_SPY_H
#define TESTS_DEVICE_SPY_H

#include <stdbool.h>
#include <level_zero/ze_api.h>

enum spy_kind {
  SPY_CONTEXT,
  SPY_QUEUE,
  SPY_LIST,
  SPY_EVENT_POOL,
  SPY_EVENT,
  SPY_MODULE,
  SPY_BUILD_LOG,
  SPY_KERNEL,
  SPY_MEMORY,
  SPY_IMAGE,
  SPY_SAMPLER,
  SPY_KINDS
};

/* Resets the records and counters. */
void spy_begin(void);

/* Until the next spy_begin only counts creations and destructions instead of tracking handles: for
   threads, which the spy's lock would serialise. */
void spy_count_only(void);

/* Waits until only so many handles are alive: what is released while its work is under way is
   destroyed by a worker once the work is done. */
void spy_await_workers(unsigned left);

/* Checks that each created handle was destroyed once and that the driver refused no destruction. */
void spy_end(void);

/* Calls of the driver, failed ones included. */
unsigned spy_calls(void);

/* Living handles of one kind, and of all kinds. */
unsigned spy_alive(enum spy_kind kind);
unsigned spy_alive_in_all(void);

/* Handles of one kind that were created, destroyed ones included. */
unsigned spy_creations(enum spy_kind kind);

/* Successful destructions: in total, and of one handle. */
unsigned spy_destroys(void);
unsigned spy_destroys_of(const void *handle);

/* Marks the living handles; returns how many of them were destroyed since. */
void spy_mark(void);
unsigned spy_destroys_of_marked(void);

/* Checks that both handles are destroyed, `first` before `then`. */
void spy_check_order(const void *first, const void *then);

bool spy_is_alive(enum spy_kind kind, const void *handle);

/* The most recently created living handle of the kind; null if none. */
void *spy_survivor(enum spy_kind kind);

/* Descriptor of the last created command queue or immediate list; not while only counting. */
ze_command_queue_desc_t spy_last_queue(void);

/* Makes the n-th call from now, counted from 1, return `code` without reaching the driver; 0 for
   none. */
void spy_fail_at(unsigned n, ze_result_t code);

/* Fails the n-th and all following calls, until the next spy_fail_at. */
void spy_fail_from(unsigned n, ze_result_t code);

/* Fails every call of the named function, until the next spy_fail_at; up to two names. The
   name is not copied. */
void spy_fail_named(const char *name, ze_result_t code);

/* Name of the last call that was made to fail; null if there were fewer calls. */
const char *spy_failed_call(void);

#endif
