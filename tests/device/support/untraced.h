/* Work in a file without trace points. */
#ifndef TESTS_DEVICE_UNTRACED_H
#define TESTS_DEVICE_UNTRACED_H

#include "made.h"

/* Creates a queue, fills memory, waits and releases. */
void untraced_run(void);

#endif
