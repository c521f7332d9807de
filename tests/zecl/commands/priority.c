#include "commands/priority.h"

#include "core/clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAP_US = 50 };

/* ZECL_PATIENCE, in milliseconds. */
static uint64_t patience_ns(void) {
  const char *text = secure_getenv("ZECL_PATIENCE");
  return (text && *text ? strtoull(text, NULL, 10) : 100) * (ZECL_NS_PER_S / 1000);
}

atomic_uint zecl_contenders_above[ZECL_PRIORITY_HIGH + 1];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zecl_contender *newest;

static void count(const struct zecl_contender *contender, unsigned by) {
  for (unsigned below = 0; below < contender->priority; below++)
    atomic_fetch_add(&zecl_contenders_above[below], by);
}

void zecl_contender_enter(struct zecl_contender *contender) {
  pthread_mutex_lock(&lock);
  contender->older = newest;
  if (newest) newest->newer = contender;
  newest = contender;
  count(contender, 1);
  pthread_mutex_unlock(&lock);
}

void zecl_contender_leave(struct zecl_contender *contender) {
  pthread_mutex_lock(&lock);
  if (contender->older) contender->older->newer = contender->newer;
  if (contender->newer)
    contender->newer->older = contender->older;
  else
    newest = contender->older;
  count(contender, -1u);
  pthread_mutex_unlock(&lock);
}

static bool can_run(const struct zecl_contender *contender) {
  if (atomic_load(contender->done) == atomic_load(contender->submitted)) return false;
  struct zecl_flag *flag = atomic_load(contender->waiting_for);
  return !flag || zecl_flag_is_set(flag);
}

bool zecl_contender_must_wait(const struct zecl_contender *contender) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (const struct zecl_contender *rival = newest; rival && !found; rival = rival->older)
    found = rival->priority > contender->priority && can_run(rival);
  pthread_mutex_unlock(&lock);
  return found;
}

void zecl_contender_wait(const struct zecl_contender *contender, const atomic_bool *cancel) {
  const uint64_t deadline = zecl_now() + patience_ns();
  while (zecl_contender_must_wait(contender) && !atomic_load(cancel) && zecl_now() < deadline)
    usleep(NAP_US);
}
