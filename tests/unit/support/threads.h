/* The program's threads, wrapped by the linker's --wrap: thread creation can be made to fail, and
   the library's sleeps take no time. */
#ifndef TESTS_UNIT_THREADS_H
#define TESTS_UNIT_THREADS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Enables thread creation, the default. */
void threads_allow(int allowed);

/* True, the default, if the system has membarrier. */
void threads_have_barrier(int has);
/* Barriers on all threads since the start. */
unsigned threads_barriers(void);

/* The library's sleeps end at once, as if their time were over; `sleep` is called for each, with
   its nanoseconds, -1 for no limit. Null has them sleep again, the default. */
void threads_sleep_by(void (*sleep)(long nanoseconds));

/* Calls that wake sleepers, since the start. */
unsigned threads_wakes(void);

/* The signals that a thread created last began with blocked: one bit each, the first for signal 1.
 */
uint64_t threads_blocked(void);

enum { THREADS = 8 };
/* Runs the function on eight threads, started together; its argument is the thread's number. */
void threads_run(void (*body)(unsigned thread));

#ifdef __cplusplus
}
#endif

#endif
