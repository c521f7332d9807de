/* Watches the driver calls of a program: the linker puts the spy before the loader (wrap.txt).
   Handles that the calls create are known until they are destroyed, so a handle that is destroyed
   twice, or by nobody, is noticed. A chosen call can be made to fail. */
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
  SPY_KINDS
};

/* Forgets everything: nothing is alive, nothing was called. */
void spy_begin(void);

/* From here to the next spy_begin single handles are not followed, only created and destroyed ones
   are counted: for threads, which the spy's lock would keep apart. */
void spy_count_only(void);

/* Checks that all that was created is destroyed, once each, and that the driver refused no destroy.
 */
void spy_end(void);

/* Calls of the driver, failed ones included. */
unsigned spy_calls(void);

/* Handles of the kind that are created and not destroyed, and those of every kind. */
unsigned spy_alive(enum spy_kind kind);
unsigned spy_alive_in_all(void);

/* How often a destroy succeeded: in all, and of one handle. */
unsigned spy_destroys(void);
unsigned spy_destroys_of(const void *handle);

/* Marks what is alive, and tells how much of it was destroyed since. */
void spy_mark(void);
unsigned spy_destroys_of_marked(void);

/* Checks that both handles are destroyed, `first` before `then`. */
void spy_check_order(const void *first, const void *then);

bool spy_is_alive(enum spy_kind kind, const void *handle);

/* The youngest living handle of the kind; null for none. */
void *spy_survivor(enum spy_kind kind);

/* What the last command queue or immediate list was created with; not while only counting. */
ze_command_queue_desc_t spy_last_queue(void);

/* Makes the n-th call from now, counted from 1, return `code` without reaching the driver; 0 for
   none. */
void spy_fail_at(unsigned n, ze_result_t code);

/* The same for the n-th call and all that follow, until the next spy_fail_at. */
void spy_fail_from(unsigned n, ze_result_t code);

/* The same for every call of that name, which lives on, until the next spy_fail_at; of two names at
   most. */
void spy_fail_named(const char *name, ze_result_t code);

/* The name of the last call that failed so; null where there were fewer calls. */
const char *spy_failed_call(void);

#endif
