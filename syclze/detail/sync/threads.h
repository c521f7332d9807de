/* Threads, mutexes and thread-local keys: POSIX threads, or those of Windows for compilers without
 * pthread.h (clang-cl). */
#ifndef SYCLZE_DETAIL_SYNC_THREADS_H
#define SYCLZE_DETAIL_SYNC_THREADS_H

#include "../../config.h"

#ifdef _MSC_VER
#include <process.h>
#else
#include <pthread.h>
#include <sched.h>
#endif

SYCLZE_EXTERN_C_BEGIN

/* Functions of kernel32 by names of their own: windows.h is the application's to include. */
#ifdef _WIN32
extern int syclze__windows_close_handle(void *handle) __asm__("CloseHandle");
#endif
#ifdef _MSC_VER
extern unsigned long syclze__windows_thread_id(void) __asm__("GetCurrentThreadId");
extern unsigned long syclze__windows_wait(void *handle, unsigned long milliseconds) __asm__(
    "WaitForSingleObject");
extern int syclze__windows_yield(void) __asm__("SwitchToThread");
extern void syclze__windows_sleep(unsigned long milliseconds) __asm__("Sleep");
extern int syclze__windows_counter(int64_t *count) __asm__("QueryPerformanceCounter");
extern int syclze__windows_frequency(int64_t *count) __asm__("QueryPerformanceFrequency");
extern void syclze__windows_lock(void **lock) __asm__("AcquireSRWLockExclusive");
extern void syclze__windows_unlock(void **lock) __asm__("ReleaseSRWLockExclusive");
extern unsigned long syclze__windows_key(void (*end)(void *)) __asm__("FlsAlloc");
extern void *syclze__windows_key_get(unsigned long key) __asm__("FlsGetValue");
extern int syclze__windows_key_set(unsigned long key, void *value) __asm__("FlsSetValue");
extern int syclze__windows_key_free(unsigned long key) __asm__("FlsFree");

typedef struct syclze__thread_id {
  void *handle; /* null in syclze__thread_self's */
  unsigned number;
} syclze__thread_id;
typedef unsigned syclze__thread_result;
typedef void *syclze__mutex; /* an SRWLOCK */
typedef unsigned long syclze__thread_key;

SYCLZE_INLINE syclze__thread_id syclze__thread_self(void) {
  const syclze__thread_id self = {NULL, (unsigned)syclze__windows_thread_id()};
  return self;
}

SYCLZE_INLINE uintptr_t syclze__thread_number(void) {
  return syclze__windows_thread_id();
}

SYCLZE_INLINE bool syclze__thread_equal(syclze__thread_id left, syclze__thread_id right) {
  return left.number == right.number;
}

/* 0, or an error. */
SYCLZE_INLINE int syclze__thread_start(
    syclze__thread_id *thread, syclze__thread_result (*run)(void *), void *argument) {
  thread->handle = (void *)_beginthreadex(NULL, 0, run, argument, 0, &thread->number);
  return thread->handle == NULL;
}

SYCLZE_INLINE void syclze__thread_join(syclze__thread_id thread) {
  syclze__windows_wait(thread.handle, 0xffffffffu);
  syclze__windows_close_handle(thread.handle);
}

SYCLZE_INLINE void syclze__thread_yield(void) {
  syclze__windows_yield();
}

SYCLZE_INLINE void syclze__mutex_init(syclze__mutex *mutex) {
  *mutex = NULL;
}

SYCLZE_INLINE void syclze__mutex_destroy(syclze__mutex *mutex) {
  (void)mutex;
}

SYCLZE_INLINE void syclze__mutex_lock(syclze__mutex *mutex) {
  syclze__windows_lock(mutex);
}

SYCLZE_INLINE void syclze__mutex_unlock(syclze__mutex *mutex) {
  syclze__windows_unlock(mutex);
}

/* Deleting a key calls `end` for the values of all threads, which POSIX does not. */
SYCLZE_INLINE bool syclze__thread_key_create(syclze__thread_key *key, void (*end)(void *)) {
  *key = syclze__windows_key(end);
  return *key != 0xffffffffu;
}

SYCLZE_INLINE void syclze__thread_key_delete(syclze__thread_key key) {
  syclze__windows_key_free(key);
}

SYCLZE_INLINE void *syclze__thread_key_get(syclze__thread_key key) {
  return syclze__windows_key_get(key);
}

SYCLZE_INLINE bool syclze__thread_key_set(syclze__thread_key key, void *value) {
  return syclze__windows_key_set(key, value) != 0;
}
#else
typedef pthread_t syclze__thread_id;
typedef void *syclze__thread_result;
typedef pthread_mutex_t syclze__mutex;
typedef pthread_key_t syclze__thread_key;

#define syclze__thread_self() pthread_self()
#define syclze__thread_number() ((uintptr_t)pthread_self())
#define syclze__thread_equal(left, right) (pthread_equal(left, right) != 0)
#define syclze__thread_start(thread, run, argument) pthread_create(thread, NULL, run, argument)
#define syclze__thread_join(thread) ((void)pthread_join(thread, NULL))
#define syclze__thread_yield() ((void)sched_yield())
#define syclze__mutex_init(mutex) ((void)pthread_mutex_init(mutex, NULL))
#define syclze__mutex_destroy(mutex) ((void)pthread_mutex_destroy(mutex))
#define syclze__mutex_lock(mutex) ((void)pthread_mutex_lock(mutex))
#define syclze__mutex_unlock(mutex) ((void)pthread_mutex_unlock(mutex))
#define syclze__thread_key_create(key, end) (pthread_key_create(key, end) == 0)
#define syclze__thread_key_delete(key) ((void)pthread_key_delete(key))
#define syclze__thread_key_get(key) pthread_getspecific(key)
#define syclze__thread_key_set(key, value) (pthread_setspecific(key, value) == 0)
#endif

SYCLZE_EXTERN_C_END

#endif
