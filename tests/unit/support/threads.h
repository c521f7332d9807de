/* The program's threads, wrapped by the linker's --wrap: thread creation can be made to fail. */
#ifndef TESTS_UNIT_THREADS_H
#define TESTS_UNIT_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Enables thread creation, the default. */
void threads_allow(int allowed);

/* Whether the system has membarrier, the default. */
void threads_have_barrier(int has);

enum { THREADS = 8 };
/* Runs the function on eight threads, started together; its argument is the thread's number. */
void threads_run(void (*body)(unsigned thread));

#ifdef __cplusplus
}
#endif

#endif
