/* Sweeps of failures: a scenario runs in a process of its own for each n, in which the n-th call of
 * a kind fails, once or with all that follow, until fewer calls are made.
 *
 *     static void scenario(void) {
 *       ... objects are made ...
 *       sweep_arm();
 *       ... what is swept: a result may be the code that sweep_code gives, or success ...
 *       sweep_disarm();
 *       ... what must hold after all ...
 *     }
 *     sweep(scenario, SWEEP_CALLS, ZE_RESULT_ERROR_DEVICE_LOST, false);
 *
 * A process that crashes, hangs, fails a check or leaks under a sanitizer fails the case, with n
 * and the name of the call. What the strict device reports does so too: handles destroyed twice or
 * under their work, memory freed too early. */
#ifndef TESTS_ORDERS_SWEEP_H
#define TESTS_ORDERS_SWEEP_H

#include "strict.h"

enum sweep_kind {
  SWEEP_CALLS,       /* of Level Zero */
  SWEEP_ALLOCATIONS, /* malloc, calloc, realloc */
  SWEEP_THREADS,     /* pthread_create */
  SWEEP_LOCKS,       /* pthread_mutex_init, pthread_cond_init */
  SWEEP_KINDS
};

/* Each call, allocation and so on fails in turn; with a larger number only each so many-th one,
 * from another one on in each sweep. SWEEP_STEP in the environment replaces it. */
extern unsigned sweep_step;

void sweep(void (*scenario)(void), enum sweep_kind kind, ze_result_t code, bool stays);

/* Every kind, once and staying; calls with several codes. */
void sweep_all(void (*scenario)(void));

/* Outside of a sweep: the n-th of that kind from now on fails, until it is disarmed. */
void sweep_fail_nth(enum sweep_kind kind, unsigned n);

void sweep_arm(void);
void sweep_disarm(void);

/* True once the failure has occurred. */
bool sweep_failed(void);

/* True if all calls fail from the n-th on. */
bool sweep_stays(void);

/* The failing call of Level Zero; null for none. */
const char *sweep_failed_call(void);

/* Checks that a result is success, or what the failure explains. */
#define sweep_check_result(result) sweep_check_result_at(result, __FILE__, __LINE__)
void sweep_check_result_at(ze_result_t result, const char *file, int line);

/* Waits until so many handles are alive that the library has given back all else, unless the
   failure was of a call that destroys or waits, or stays: then some may stay alive. */
void sweep_settle(unsigned kept);

/* Checks as sweep_check_result; true unless the result is success. */
#define sweep_fails(result) sweep_fails_at(result, __FILE__, __LINE__)
bool sweep_fails_at(ze_result_t result, const char *file, int line);

/* For the rest of the scenario: handles may stay alive once the library has reported that it cannot
   find out whether the work of a queue has ended. */
void sweep_expect_reports(void);

/* True if a report since then names memory that is not freed, as work may still use it. */
bool sweep_abandons_memory(void);

#endif
