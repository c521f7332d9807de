/* How many of the library's locks a thread holds: none while a function of the application runs.
 *
 * Included before the library. */
#ifndef TESTS_ORDERS_HELD_LOCKS_H
#define TESTS_ORDERS_HELD_LOCKS_H

#include <stdint.h>

extern _Thread_local int32_t held_locks;

#define SYCLZE__LOCK_HELD(change) (void)(held_locks += (change))

#endif
