#include "memory.h"

static unsigned callocs, fail_at;
static size_t interrupted_size;
static void (*interrupt)(void);
static int failed;
static long live;

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void __wrap_free(void *memory);

static void interrupted(size_t size) {
  void (*const meanwhile)(void) = interrupt;
  if (meanwhile == NULL || size != interrupted_size) return;
  interrupt = NULL;
  meanwhile();
}

void *__wrap_malloc(size_t size) {
  interrupted(size);
  void *memory = __real_malloc(size);
  if (memory != NULL) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return memory;
}

void *__wrap_calloc(size_t count, size_t size) {
  if (__atomic_add_fetch(&callocs, 1, __ATOMIC_RELAXED) == fail_at) {
    failed = 1;
    return NULL;
  }
  interrupted(count * size);
  void *memory = __real_calloc(count, size);
  if (memory != NULL) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return memory;
}

void *__wrap_realloc(void *memory, size_t size) {
  void *moved = __real_realloc(memory, size);
  if (memory == NULL && moved != NULL) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return moved;
}

void __wrap_free(void *memory) {
  if (memory != NULL) __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
  __real_free(memory);
}

void memory_fail(unsigned nth) {
  failed = 0;
  fail_at = nth != 0 ? callocs + nth : 0;
}

void memory_interrupt(size_t size, void (*meanwhile)(void)) {
  interrupted_size = size;
  interrupt = meanwhile;
}

int memory_failed(void) {
  return failed;
}

long memory_live(void) {
  return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

unsigned memory_callocs(void) {
  return __atomic_load_n(&callocs, __ATOMIC_RELAXED);
}
