/* Resets syclze's shared state to all zero, as at process start. */
#ifndef TESTS_UNIT_FORGET_H
#define TESTS_UNIT_FORGET_H

/* Frees the contents of the state. No object may be alive. */
void forget_state(void);

#endif
