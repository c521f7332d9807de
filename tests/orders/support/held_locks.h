/* The number of the library's locks that a thread holds: none while a function of the application
 * runs.
 *
 * Included before the library, which checks its other invariants too then, in each configuration.
 */
#ifndef TESTS_ORDERS_HELD_LOCKS_H
#define TESTS_ORDERS_HELD_LOCKS_H

#ifndef SYCLZE__INVARIANTS
#define SYCLZE__INVARIANTS 1
#endif

#include "syclze/detail/sync/held.h"

#define held_locks ((int32_t)syclze__held_count())

#endif
