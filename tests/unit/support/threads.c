#include "threads.h"

#include "tests/check.h"

#include <errno.h>
#include <pthread.h>

static int forbidden;

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
