#include "spy_calls.h"

#include "tests/soon.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MOST = 1 << 14 };

struct record {
  enum spy_kind kind;
  const void *handle;
  bool is_marked;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record alive[MOST], destroyed[MOST]; /* destroyed: in order of destruction */
static unsigned alive_count, destroyed_count, marked_destroys;
static bool count_only;
static _Thread_local ze_command_queue_desc_t last_queue;

/* Relaxed counters, so that the spy adds no ordering that would hide a race. */
static atomic_uint calls, created_of[SPY_KINDS], destroyed_of[SPY_KINDS];
static atomic_uint twice,
    refused; /* destructions of dead handles, and destructions that the driver refused */

static atomic_uint fail_in; /* calls until one fails; 0 for none */
static bool fail_again;
static ze_result_t fail_code;
static const char *failed_call;
enum { NAMES = 2 };
static _Atomic(const char *) fail_names[NAMES]; /* null for none */

static void add(atomic_uint *counter) {
  atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

static unsigned count_of(atomic_uint *counter) {
  return atomic_load_explicit(counter, memory_order_relaxed);
}

void spy_begin(void) {
  alive_count = destroyed_count = 0;
  count_only = false;
  for (int kind = 0; kind < SPY_KINDS; kind++)
    created_of[kind] = destroyed_of[kind] = 0;
  calls = twice = refused = 0;
  spy_fail_at(0, ZE_RESULT_SUCCESS);
}

void spy_count_only(void) {
  count_only = true;
}

void spy_await_workers(unsigned left) {
  CHECK_SOON(spy_alive_in_all() <= left);
}

void spy_end(void) {
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  spy_await_workers(0);
  CHECK_EQ(count_of(&twice), 0);
  CHECK_EQ(count_of(&refused), 0);
  CHECK_EQ(spy_alive(SPY_KERNEL), 0);
  CHECK_EQ(spy_alive(SPY_MODULE), 0);
  CHECK_EQ(spy_alive(SPY_BUILD_LOG), 0);
  CHECK_EQ(spy_alive(SPY_EVENT), 0);
  CHECK_EQ(spy_alive(SPY_EVENT_POOL), 0);
  CHECK_EQ(spy_alive(SPY_LIST), 0);
  CHECK_EQ(spy_alive(SPY_QUEUE), 0);
  CHECK_EQ(spy_alive(SPY_MEMORY), 0);
  CHECK_EQ(spy_alive(SPY_IMAGE), 0);
  CHECK_EQ(spy_alive(SPY_SAMPLER), 0);
  CHECK_EQ(spy_alive(SPY_CONTEXT), 0);
}

unsigned spy_calls(void) {
  return count_of(&calls);
}

unsigned spy_alive(enum spy_kind kind) {
  return count_of(&created_of[kind]) - count_of(&destroyed_of[kind]);
}

unsigned spy_alive_in_all(void) {
  unsigned sum = 0;
  for (int kind = 0; kind < SPY_KINDS; kind++)
    sum += spy_alive((enum spy_kind)kind);
  return sum;
}

unsigned spy_creations(enum spy_kind kind) {
  return count_of(&created_of[kind]);
}

unsigned spy_destroys(void) {
  unsigned sum = 0;
  for (int kind = 0; kind < SPY_KINDS; kind++)
    sum += count_of(&destroyed_of[kind]);
  return sum;
}

unsigned spy_destroys_of(const void *handle) {
  unsigned times = 0;
  pthread_mutex_lock(&lock);
  for (unsigned i = 0; i < destroyed_count; i++)
    times += destroyed[i].handle == handle;
  pthread_mutex_unlock(&lock);
  return times;
}

void spy_mark(void) {
  pthread_mutex_lock(&lock);
  marked_destroys = 0;
  for (unsigned i = 0; i < alive_count; i++)
    alive[i].is_marked = true;
  pthread_mutex_unlock(&lock);
}

unsigned spy_destroys_of_marked(void) {
  pthread_mutex_lock(&lock);
  const unsigned destroys = marked_destroys;
  pthread_mutex_unlock(&lock);
  return destroys;
}

/* Counted from 1; 0 for none. */
static unsigned last_destroy_of(const void *handle) {
  unsigned at = destroyed_count;
  while (at > 0 && destroyed[at - 1].handle != handle)
    at--;
  return at;
}

void spy_check_order(const void *first, const void *then) {
  pthread_mutex_lock(&lock);
  const unsigned at = last_destroy_of(first), later = last_destroy_of(then);
  pthread_mutex_unlock(&lock);
  CHECK(at > 0 && at < later);
}

/* One after the last record of a living handle; 0 for none. With the lock held. */
static unsigned find_alive(enum spy_kind kind, const void *handle) {
  unsigned at = alive_count;
  while (at > 0 && (alive[at - 1].handle != handle || alive[at - 1].kind != kind))
    at--;
  return at;
}

bool spy_is_alive(enum spy_kind kind, const void *handle) {
  pthread_mutex_lock(&lock);
  const bool is_alive = find_alive(kind, handle) > 0;
  pthread_mutex_unlock(&lock);
  return is_alive;
}

void *spy_survivor(enum spy_kind kind) {
  pthread_mutex_lock(&lock);
  unsigned at = alive_count;
  while (at > 0 && alive[at - 1].kind != kind)
    at--;
  void *survivor = at > 0 ? (void *)alive[at - 1].handle : NULL;
  pthread_mutex_unlock(&lock);
  return survivor;
}

void spy_fail_at(unsigned n, ze_result_t code) {
  fail_code = code;
  fail_again = false;
  failed_call = NULL;
  for (int i = 0; i < NAMES; i++)
    fail_names[i] = NULL;
  fail_in = n;
}

void spy_fail_from(unsigned n, ze_result_t code) {
  spy_fail_at(n, code);
  fail_again = true;
}

void spy_fail_named(const char *name, ze_result_t code) {
  int i = 0;
  while (i < NAMES && fail_names[i] != NULL)
    i++;
  CHECK(i < NAMES);
  fail_code = code;
  fail_names[i] = name;
}

const char *spy_failed_call(void) {
  return failed_call;
}

ze_result_t spy_call(const char *name) {
  add(&calls);
  for (int i = 0; i < NAMES; i++) {
    const char *named = atomic_load_explicit(&fail_names[i], memory_order_relaxed);
    if (named != NULL && strcmp(named, name) == 0) return fail_code;
  }
  if (count_of(&fail_in) == 0 || atomic_fetch_sub(&fail_in, 1) != 1) return ZE_RESULT_SUCCESS;
  failed_call = name;
  if (fail_again) fail_in = 1;
  return fail_code;
}

void spy_created(enum spy_kind kind, const void *handle) {
  add(&created_of[kind]);
  if (count_only) return;
  pthread_mutex_lock(&lock);
  const bool has_room = alive_count < MOST;
  if (has_room) alive[alive_count++] = (struct record){kind, handle, false};
  pthread_mutex_unlock(&lock);
  CHECK(has_room);
}

void spy_created_queue(
    enum spy_kind kind, const void *handle, const ze_command_queue_desc_t *desc) {
  spy_created(kind, handle);
  if (!count_only) last_queue = *desc;
}

ze_command_queue_desc_t spy_last_queue(void) {
  return last_queue;
}

static void forget(enum spy_kind kind, const void *handle) {
  const unsigned at = find_alive(kind, handle);
  if (at == 0) {
    add(&twice);
    return;
  }
  marked_destroys += alive[at - 1].is_marked;
  alive[at - 1] = alive[--alive_count];
}

void spy_destroyed(enum spy_kind kind, const void *handle, ze_result_t result) {
  if (result != ZE_RESULT_SUCCESS) {
    add(&refused);
    return;
  }
  if (count_only) {
    add(&destroyed_of[kind]);
    return;
  }
  pthread_mutex_lock(&lock);
  const bool has_room = destroyed_count < MOST;
  forget(kind, handle);
  if (has_room) destroyed[destroyed_count++] = (struct record){kind, handle, false};
  add(&destroyed_of[kind]);
  pthread_mutex_unlock(&lock);
  CHECK(has_room);
}
