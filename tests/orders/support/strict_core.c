#include "strict_object.h"

#include "tests/check.h"

#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

long syscall(long number, ...);

enum { PAST = 4096, NAMES = 128 };

static uint32_t lock; /* 0 free, 1 held, 2 held and waited for */
static uint64_t random_state;
static struct strict_object *past[PAST];
static uint32_t past_at;
static uint32_t begun;
static unsigned alive[STRICT_KINDS], destroys[STRICT_KINDS], reports, calls;
static uint32_t fail_in;
static bool fail_stays;
static ze_result_t fail_code;
static const char *failed, *fail_name;
static bool destroy_failed; /* since strict_fail */
static struct {
  const char *name;
  unsigned count;
} counted[NAMES];

/* Functions of ThreadSanitizer's run time; absent elsewhere. */
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
extern void AnnotateIgnoreReadsBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreReadsEnd(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreWritesBegin(const char *file, int line) __attribute__((weak));
extern void AnnotateIgnoreWritesEnd(const char *file, int line) __attribute__((weak));

/* Hides code that runs with the lock held from ThreadSanitizer, which does not see the lock. */
static void ignore(bool begin) {
  if (AnnotateIgnoreReadsBegin == NULL) return;
  (begin ? AnnotateIgnoreReadsBegin : AnnotateIgnoreReadsEnd)(__FILE__, __LINE__);
  (begin ? AnnotateIgnoreWritesBegin : AnnotateIgnoreWritesEnd)(__FILE__, __LINE__);
}

void strict_acquire(const void *address) {
  if (__tsan_acquire != NULL) __tsan_acquire((void *)address);
}

void strict_release(const void *address) {
  if (__tsan_release != NULL) __tsan_release((void *)address);
}

void strict_lock(void) {
  uint32_t none = 0;
  ignore(true);
  if (__atomic_compare_exchange_n(&lock, &none, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return;
  while (__atomic_exchange_n(&lock, 2, __ATOMIC_ACQUIRE) != 0)
    syscall(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

void strict_unlock(void) {
  if (__atomic_exchange_n(&lock, 0, __ATOMIC_RELEASE) == 2)
    syscall(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  ignore(false);
}

void strict_report(const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  __atomic_add_fetch(&reports, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&check_program.case_failed, 1, __ATOMIC_RELAXED);
  printf("FAIL %.*s: device: %s\n", check_program.name_length, check_program.name, text);
}

unsigned strict_reports(void) {
  return __atomic_load_n(&reports, __ATOMIC_RELAXED);
}

/* splitmix64. */
uint64_t strict_random(void) {
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void *__libc_calloc(size_t count, size_t size);
void __libc_free(void *memory);

void *strict_allocate(size_t size) {
  return __libc_calloc(1, size);
}

void strict_free(void *memory) {
  __libc_free(memory);
}

static void count_call(const char *name) {
  uint32_t i = (uint32_t)((uintptr_t)name >> 3) % NAMES;
  while (counted[i].name != NULL && counted[i].name != name)
    i = (i + 1) % NAMES;
  counted[i].name = name;
  counted[i].count++;
}

ze_result_t strict_enter(const char *name) {
  strict_lock();
  calls++;
  count_call(name);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (fail_name != NULL && strcmp(fail_name, name) == 0) result = fail_code;
  if (fail_in > 0 && --fail_in == 0) {
    result = fail_code;
    if (failed == NULL) failed = name;
    if (strstr(name, "Destroy") != NULL) destroy_failed = true;
    if (fail_stays) fail_in = 1;
  }
  strict_unlock();
  return result;
}

unsigned strict_calls(void) {
  return __atomic_load_n(&calls, __ATOMIC_RELAXED);
}

unsigned strict_calls_of(const char *name) {
  unsigned sum = 0;
  strict_lock();
  for (int i = 0; i < NAMES; i++)
    if (counted[i].name != NULL && strcmp(counted[i].name, name) == 0) sum += counted[i].count;
  strict_unlock();
  return sum;
}

void strict_fail(unsigned n, ze_result_t code, bool stays) {
  strict_lock();
  fail_in = n;
  fail_code = code;
  fail_stays = stays;
  failed = NULL;
  destroy_failed = false;
  strict_unlock();
}

void strict_fail_stop(void) {
  strict_lock();
  fail_in = 0;
  strict_unlock();
}

void strict_fail_named(const char *name, ze_result_t code) {
  strict_lock();
  fail_name = name;
  fail_code = code;
  strict_unlock();
}

const char *strict_failed(void) {
  return failed;
}

static const char *const kind_names[STRICT_KINDS] = {"nothing", "driver", "device", "context",
    "command queue", "command list", "event pool", "event", "module", "kernel", "allocation",
    "image", "build log", "graph", "executable graph"};

void *strict_object(const void *handle, enum strict_kind kind, const char *function) {
  struct strict_object *object = (struct strict_object *)(uintptr_t)handle;
  if (object == NULL) return NULL;
  if (object->kind == (uint32_t)kind) return object;
  strict_report("%s: the %s %p is a %s", function, kind_names[kind], handle,
      object->kind < STRICT_KINDS ? kind_names[object->kind] : "wild pointer");
  return NULL;
}

void *strict_object_new(size_t size, enum strict_kind kind, struct strict_object *parent) {
  struct strict_object *object = strict_allocate(size);
  object->kind = kind;
  object->parent = parent;
  if (parent != NULL) parent->children++;
  alive[kind]++;
  return object;
}

ze_result_t strict_object_destroy(const void *handle, enum strict_kind kind, const char *function) {
  struct strict_object *object = strict_object(handle, kind, function);
  if (object == NULL) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (object->uses != 0)
    strict_report("%s: commands that did not run refer to the %s", function, kind_names[kind]);
  /* A child whose destroy was made to fail stays. */
  if (object->children != 0 && !destroy_failed)
    strict_report("%s: the %s has %u children", function, kind_names[kind], object->children);
  if (__atomic_load_n(&object->busy, __ATOMIC_RELAXED) != 0)
    strict_report("%s: another thread uses the %s", function, kind_names[kind]);
  object->kind = STRICT_NONE;
  if (object->parent != NULL) object->parent->children--;
  strict_release(alive);
  alive[kind]--;
  destroys[kind]++;
  strict_free(past[past_at]);
  past[past_at] = object;
  past_at = (past_at + 1) % PAST;
  return ZE_RESULT_SUCCESS;
}

void strict_alone_begin(const void *handle, const char *function) {
  struct strict_object *object = (struct strict_object *)(uintptr_t)handle;
  if (object == NULL) return;
  if (__atomic_exchange_n(&object->busy, 1, __ATOMIC_ACQ_REL) != 0 && object->kind != STRICT_NONE)
    strict_report("%s: two threads use one %s", function, kind_names[object->kind % STRICT_KINDS]);
  /* Now and then the call takes long, so that another one meets it. */
  if ((__atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED) & 15) == 0) sched_yield();
}

void strict_alone_end(const void *handle) {
  struct strict_object *object = (struct strict_object *)(uintptr_t)handle;
  if (object != NULL) __atomic_store_n(&object->busy, 0, __ATOMIC_RELEASE);
}

unsigned strict_alive(enum strict_kind kind) {
  unsigned sum = 0;
  strict_lock();
  for (int i = STRICT_CONTEXT; i < STRICT_KINDS; i++)
    sum += alive[i];
  if (kind != STRICT_NONE) sum = alive[kind];
  strict_acquire(alive);
  strict_unlock();
  return sum;
}

unsigned strict_destroys(enum strict_kind kind) {
  return __atomic_load_n(&destroys[kind], __ATOMIC_RELAXED);
}

bool strict_is_alive(const void *handle) {
  const struct strict_memory *memory = strict_memory_of(handle);
  return memory != NULL || ((const struct strict_object *)handle)->kind != STRICT_NONE;
}

void strict_begin(uint64_t seed, enum strict_policy policy) {
  random_state = seed;
  reports = calls = 0;
  memset(alive, 0, sizeof alive);
  memset(destroys, 0, sizeof destroys);
  memset(counted, 0, sizeof counted);
  strict_fail(0, ZE_RESULT_SUCCESS, false);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  strict_set_missing(UINT32_MAX << STRICT_APPENDS_LISTS);
  strict_engine_begin(policy);
}

void strict_end(void) {
  strict_fail(0, ZE_RESULT_SUCCESS, false);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  strict_hold(false);
  strict_engine_end();
  if (strict_pending() != 0) strict_report("%u commands never run", strict_pending());
  for (int kind = STRICT_CONTEXT; kind < STRICT_KINDS; kind++)
    if (alive[kind] != 0)
      strict_report("%u times a %s is alive at the end", alive[kind], kind_names[kind]);
  strict_memory_free_all();
  for (int i = 0; i < PAST; i++) {
    strict_free(past[i]);
    past[i] = NULL;
  }
}
