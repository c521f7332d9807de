/* The library's shared state, back to what it is when a process starts. */
#ifndef TESTS_UNIT_FORGET_H
#define TESTS_UNIT_FORGET_H

/* Frees what the state holds. No object may be alive. */
void forget_state(void);

#endif
