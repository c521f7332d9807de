#include "fake_object.h"

#include "forget.h"
#include "memory.h"
#include "notes.h"
#include "tests/check.h"

struct fake_settings fake;
__thread struct fake_seen fake_seen;

static struct fake_object *newest;
static unsigned calls[FAKE_FUNCTION_COUNT], all_calls, all_destroys;
static unsigned fail_at[FAKE_FUNCTION_COUNT], fail_any_at;
static ze_result_t fail_code[FAKE_FUNCTION_COUNT], fail_any_code;
static enum fake_function failed_function;
static unsigned misuses;
static int forgiving;
static char first_misuse[256];
static long live_before;

static void forget_objects(void) {
  while (newest != NULL) {
    struct fake_object *object = newest;
    newest = object->previous;
    __real_free(object->text);
    __real_free(object->places);
    __real_free(object);
  }
}

void fake_begin(void) {
  forget_objects();
  forget_state();
  memset(calls, 0, sizeof calls);
  memset(fail_at, 0, sizeof fail_at);
  all_calls = all_destroys = fail_any_at = misuses = 0;
  forgiving = 0;
  failed_function = FAKE_FUNCTION_COUNT;
  memory_fail(0);
  memset(&fake_seen, 0, sizeof fake_seen);
  memset(&fake, 0, sizeof fake);
  fake.initialised = 1;
  fake.group_count = 2;
  fake.group_flags[0] = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
  fake.group_flags[1] =
      ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE | ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
  live_before = memory_live();
  notes_begin();
}

void fake_end_at(const char *file, int line) {
  if (misuses != 0 && !forgiving)
    check_fail(file, line, "%u misuses, the first: %s", misuses, first_misuse);
  for (struct fake_object *object = newest; object != NULL; object = object->previous)
    if (object->kind != FAKE_DRIVER && object->kind != FAKE_DEVICE && object->destroys == 0 &&
        !forgiving)
      check_fail(file, line, "%p of kind %x is still alive", (void *)object, object->kind);
  forget_state();
  forget_objects();
  if (memory_live() != live_before)
    check_fail(file, line, "%ld allocations are still there", memory_live() - live_before);
}

void fake_forgive(void) {
  forgiving = 1;
}

struct fake_object *fake_new(enum fake_kind kind, struct fake_object *parent) {
  struct fake_object *object = (struct fake_object *)__real_calloc(1, sizeof *object);
  if (object == NULL) abort();
  object->kind = kind;
  object->parent = parent;
  if (parent != NULL) __atomic_fetch_add(&parent->children, 1, __ATOMIC_RELAXED);
  object->previous = __atomic_load_n(&newest, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      &newest, &object->previous, object, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
  return object;
}

struct fake_object *fake_newest(void) {
  return newest;
}

void fake_misuse(const char *format, ...) {
  if (__atomic_fetch_add(&misuses, 1, __ATOMIC_RELAXED) != 0) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(first_misuse, sizeof first_misuse, format, arguments);
  va_end(arguments);
}

struct fake_object *fake_check(const void *handle, enum fake_kind kind, const char *function) {
  struct fake_object *object = (struct fake_object *)(uintptr_t)handle;
  if (object == NULL)
    fake_misuse("%s: null", function);
  else if (object->kind != kind)
    fake_misuse("%s: kind %x and not %x", function, object->kind, kind);
  else if (__atomic_load_n(&object->destroys, __ATOMIC_RELAXED) != 0)
    fake_misuse("%s: of a destroyed handle of kind %x", function, kind);
  else
    return object;
  return NULL;
}

static void (*interrupts[FAKE_FUNCTION_COUNT])(void);

void fake_interrupt(enum fake_function function, void (*meanwhile)(void)) {
  interrupts[function] = meanwhile;
}

ze_result_t fake_enter(enum fake_function function) {
  void (*const meanwhile)(void) = interrupts[function];
  if (meanwhile != NULL) {
    interrupts[function] = NULL;
    meanwhile();
  }
  unsigned call = __atomic_add_fetch(&calls[function], 1, __ATOMIC_RELAXED);
  unsigned any = __atomic_add_fetch(&all_calls, 1, __ATOMIC_RELAXED);
  ze_result_t code = ZE_RESULT_SUCCESS;
  if (call == fail_at[function]) code = fail_code[function];
  if (any == fail_any_at) code = fail_any_code;
  if (code != ZE_RESULT_SUCCESS) failed_function = function;
  return code;
}

ze_result_t fake_end_object(const void *handle, enum fake_kind kind, const char *function) {
  struct fake_object *object = fake_check(handle, kind, function);
  if (object == NULL) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  int children = __atomic_load_n(&object->children, __ATOMIC_RELAXED);
  if (children != 0) fake_misuse("%s: before %d children", function, children);
  if (object->parent != NULL) __atomic_fetch_sub(&object->parent->children, 1, __ATOMIC_RELAXED);
  object->destroyed_as = __atomic_add_fetch(&all_destroys, 1, __ATOMIC_RELAXED);
  if (__atomic_add_fetch(&object->destroys, 1, __ATOMIC_RELAXED) != 1)
    fake_misuse("%s: twice", function);
  return ZE_RESULT_SUCCESS;
}

void fake_alone(struct fake_object *object, const char *function) {
  if (__atomic_exchange_n(&object->busy, 1, __ATOMIC_RELAXED))
    fake_misuse("%s: from two threads at once with one handle", function);
}

void fake_not_alone(struct fake_object *object) {
  __atomic_store_n(&object->busy, 0, __ATOMIC_RELAXED);
}

int fake_is_alive(const void *handle) {
  return fake_destroys(handle) == 0;
}

unsigned fake_destroys(const void *handle) {
  return __atomic_load_n(&((const struct fake_object *)handle)->destroys, __ATOMIC_RELAXED);
}

unsigned fake_destroyed_as(const void *handle) {
  return ((const struct fake_object *)handle)->destroyed_as;
}

unsigned fake_all_destroys(void) {
  return __atomic_load_n(&all_destroys, __ATOMIC_RELAXED);
}

void fake_destroy(const void *handle) {
  fake_end_object(handle, ((const struct fake_object *)handle)->kind, "fake_destroy");
}

unsigned fake_calls(enum fake_function function) {
  return __atomic_load_n(&calls[function], __ATOMIC_RELAXED);
}

unsigned fake_all_calls(void) {
  return __atomic_load_n(&all_calls, __ATOMIC_RELAXED);
}

void fake_fail(enum fake_function function, unsigned nth, ze_result_t code) {
  fail_at[function] = calls[function] + nth;
  fail_code[function] = code;
  failed_function = FAKE_FUNCTION_COUNT;
}

void fake_fail_nth_call(unsigned nth, ze_result_t code) {
  fail_any_at = all_calls + nth;
  fail_any_code = code;
  failed_function = FAKE_FUNCTION_COUNT;
}

enum fake_function fake_failed_function(void) {
  return failed_function;
}
