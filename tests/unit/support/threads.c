#include "threads.h"

#include "tests/check.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>

static int forbidden, without_barrier;

int __real_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  return forbidden ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

void threads_allow(int allowed) {
  forbidden = !allowed;
}

void threads_have_barrier(int has) {
  without_barrier = !has;
}

/* With the six arguments that any call may have. */
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (number == SYS_membarrier && without_barrier) {
    errno = ENOSYS;
    return -1;
  }
  return __real_syscall(number, a, b, c, d, e, f);
}

struct thread {
  pthread_t id;
  unsigned number;
  void (*body)(unsigned thread);
  int *go;
};

static void *run(void *argument) {
  const struct thread *thread = (const struct thread *)argument;
  while (!__atomic_load_n(thread->go, __ATOMIC_RELAXED))
    continue;
  thread->body(thread->number);
  return NULL;
}

void threads_run(void (*body)(unsigned thread)) {
  struct thread threads[THREADS];
  int go = 0;
  for (unsigned i = 0; i < THREADS; i++) {
    threads[i].number = i;
    threads[i].body = body;
    threads[i].go = &go;
    CHECK_EQ(pthread_create(&threads[i].id, NULL, run, &threads[i]), 0);
  }
  __atomic_store_n(&go, 1, __ATOMIC_RELAXED);
  for (unsigned i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i].id, NULL), 0);
}
