/* Checks of what another thread or process does. */
#ifndef TESTS_SOON_H
#define TESTS_SOON_H

#include "check.h"

#include <poll.h>

/* Waits until the condition holds, and tries it each millisecond. It fails after minutes, so that
 * no busy machine makes it fail. */
#define CHECK_SOON(condition)                                                                      \
  do {                                                                                             \
    for (int check_naps = 0; !(condition); check_naps++) {                                         \
      if (check_naps == 120000) check_fail(__FILE__, __LINE__, "%s, at last", #condition);         \
      if (check_naps > 120000) break;                                                              \
      poll(NULL, 0, 1);                                                                            \
    }                                                                                              \
  } while (0)

#endif
