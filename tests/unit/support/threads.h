/* The threads of a program, through the linker's --wrap: those that the library detaches can be
   waited for, and their start can be made to fail. */
#ifndef TESTS_UNIT_THREADS_H
#define TESTS_UNIT_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Whether threads can be started, which they can at first. */
void threads_allow(int allowed);
/* Waits for the end of every detached thread; how many there were since the last call. */
unsigned threads_join_detached(void);

enum { THREADS = 8 };
/* Runs the function on eight threads, let go at once; its argument is the thread's number. */
void threads_run(void (*body)(unsigned thread));

#ifdef __cplusplus
}
#endif

#endif
