/* Resets syclze's shared state to all zero, as at process start. */
#ifndef TESTS_UNIT_FORGET_H
#define TESTS_UNIT_FORGET_H

/* Waits for the work in the background as the end of the program does. Returns the number of tasks
   that ended since the last call. */
unsigned work_settle(void);

/* Frees the contents of the state. No object may be alive. */
void forget_state(void);

#endif
