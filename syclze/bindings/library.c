/* libsyclze: every public function of the headers under its own name, from this one file. The build
 * makes the two files that it includes of the contracts of the headers: library_headers.h, an
 * include of each public header, and library_functions.h, the exported functions. */
#include "syclze/implementation.h"

#include "library_headers.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SYCLZE__EXPORT __attribute__((visibility("default")))
/* The name of a function that calls an inlined one of that name. It is the assembler's: to clang
 * both would be one function, which calls itself. */
#define SYCLZE__EXPORTED_AS(name)                                                                  \
  __asm__(".globl " #name "\n\t.type " #name ", %function\n\t.set " #name ", syclze__flat_" #name)

/* The last diagnostic of a thread, with copies of its texts. Its memory is the thread's, found by a
 * key: the library has no thread-local storage that a dlopen could lack. */
struct last_diagnostic {
  syclze_diagnostic diagnostic;
  struct last_diagnostic *next, *previous; /* of all threads, freed with the library */
  char *detail;
};

static pthread_key_t last_key;
static bool last_has_key;
static pthread_mutex_t last_lock = PTHREAD_MUTEX_INITIALIZER;
static struct last_diagnostic *last_all;
static const syclze_diagnostic_handler *last_next;

static void last_free(void *data) {
  struct last_diagnostic *last = (struct last_diagnostic *)data;
  pthread_mutex_lock(&last_lock);
  if (last->next != NULL) last->next->previous = last->previous;
  if (last->previous != NULL)
    last->previous->next = last->next;
  else
    last_all = last->next;
  pthread_mutex_unlock(&last_lock);
  free(last->detail);
  free(last);
}

static struct last_diagnostic *last_of_thread(void) {
  struct last_diagnostic *last = (struct last_diagnostic *)pthread_getspecific(last_key);
  if (last != NULL) return last;
  last = (struct last_diagnostic *)calloc(1, sizeof *last);
  if (last == NULL) return NULL;
  if (pthread_setspecific(last_key, last) != 0) {
    free(last);
    return NULL;
  }
  pthread_mutex_lock(&last_lock);
  last->next = last_all;
  if (last_all != NULL) last_all->previous = last;
  last_all = last;
  pthread_mutex_unlock(&last_lock);
  return last;
}

/* Keeps a diagnostic for its thread, and passes it on to the program's handler. Functions and rules
 * are static texts. */
static void last_notify(void *user, const syclze_diagnostic *diagnostic) {
  struct last_diagnostic *last = last_of_thread();
  const syclze_diagnostic_handler *next = __atomic_load_n(&last_next, __ATOMIC_ACQUIRE);
  (void)user;
  if (last != NULL) {
    const size_t size = diagnostic->detail != NULL ? strlen(diagnostic->detail) + 1 : 0;
    free(last->detail);
    last->detail = size != 0 ? (char *)malloc(size) : NULL;
    if (last->detail != NULL) memcpy(last->detail, diagnostic->detail, size);
    last->diagnostic = *diagnostic;
    last->diagnostic.detail = last->detail;
  }
  if (next != NULL) next->notify(next->user, diagnostic);
}

static const syclze_diagnostic_handler last_handler = {last_notify, NULL};

/* A trace that cannot be written is printed if the program has no handler: it is written after
 * this, since its header is included before. */
static void last_exit(void) {
  if (__atomic_load_n(&last_next, __ATOMIC_ACQUIRE) == NULL) syclze_diagnostic_set_handler(NULL);
}

static __attribute__((constructor)) void last_begin(void) {
  last_has_key = pthread_key_create(&last_key, last_free) == 0;
  if (!last_has_key) return;
  syclze_diagnostic_set_handler(&last_handler);
  atexit(last_exit);
}

static __attribute__((destructor)) void last_end(void) {
  syclze_diagnostic_set_handler(NULL);
  if (last_has_key) pthread_key_delete(last_key);
  while (last_all != NULL)
    last_free(last_all);
}

SYCLZE__EXPORT const syclze_diagnostic *syclze_last_diagnostic(void) {
  const struct last_diagnostic *last =
      (const struct last_diagnostic *)pthread_getspecific(last_key);
  return last != NULL && last->diagnostic.function != NULL ? &last->diagnostic : NULL;
}

/* The program's handler comes after the library's own. */
static const syclze_diagnostic_handler *last_set_handler(const syclze_diagnostic_handler *handler) {
  return __atomic_exchange_n(&last_next, handler, __ATOMIC_ACQ_REL);
}
#define syclze_diagnostic_set_handler(handler) last_set_handler(handler)

/* An accessor of the library has room for more members than those of today. */
#define syclze_argument_accessor(accessor, size)                                                   \
  syclze_argument_accessor(                                                                        \
      accessor, (size) < sizeof(syclze_accessor) ? (size) : sizeof(syclze_accessor))

#include "library_functions.h"
