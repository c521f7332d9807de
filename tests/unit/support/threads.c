#include "threads.h"

#include "tests/check.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

static int forbidden, without_barrier;
static void (*sleep_instead)(long nanoseconds);
static unsigned wakes, barriers;
static uint64_t blocked;

#ifdef __linux__
/* Passes the six arguments that any call may have. */
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
#endif

int __real_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);

int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
#ifdef __linux__
  __real_syscall(SYS_rt_sigprocmask, 0, 0, (long)&blocked, sizeof blocked, 0, 0);
#endif
  return forbidden ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

void threads_allow(int allowed) {
  forbidden = !allowed;
}

void threads_have_barrier(int has) {
  without_barrier = !has;
}

unsigned threads_barriers(void) {
  return barriers;
}

void threads_sleep_by(void (*sleep)(long nanoseconds)) {
  sleep_instead = sleep;
}

unsigned threads_wakes(void) {
  return __atomic_load_n(&wakes, __ATOMIC_RELAXED);
}

uint64_t threads_blocked(void) {
  return blocked;
}

#ifdef __linux__
/* The system's function, but without its time. */
static long sleep_on(const uint32_t *word, uint32_t value, const struct timespec *limit) {
  errno = __atomic_load_n(word, __ATOMIC_RELAXED) == value ? ETIMEDOUT : EAGAIN;
  if (errno == EAGAIN) return -1;
  sleep_instead(limit != NULL ? limit->tv_sec * 1000000000 + limit->tv_nsec : -1);
  errno = ETIMEDOUT;
  return -1;
}

long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (number == SYS_membarrier && without_barrier) {
    errno = ENOSYS;
    return -1;
  }
  if (number == SYS_membarrier && a == 8 /* PRIVATE_EXPEDITED */)
    __atomic_add_fetch(&barriers, 1, __ATOMIC_RELAXED);
  if (number == SYS_futex && (b & 1) != 0) __atomic_add_fetch(&wakes, 1, __ATOMIC_RELAXED);
  if (number == SYS_futex && (b & 1) == 0 && sleep_instead != NULL)
    return sleep_on((const uint32_t *)a, (uint32_t)c, (const struct timespec *)d);
  return __real_syscall(number, a, b, c, d, e, f);
}
#endif

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
