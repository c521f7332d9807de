#include "memory.h"

static unsigned callocs, fail_at;
static int failed;
static long live;

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t size) {
  void *memory = __real_malloc(size);
  if (memory != NULL) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return memory;
}

void *__wrap_calloc(size_t count, size_t size) {
  if (__atomic_add_fetch(&callocs, 1, __ATOMIC_RELAXED) == fail_at) {
    failed = 1;
    return NULL;
  }
  void *memory = __real_calloc(count, size);
  if (memory != NULL) __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  return memory;
}

void __wrap_free(void *memory) {
  if (memory != NULL) __atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
  __real_free(memory);
}

void memory_fail(unsigned nth) {
  failed = 0;
  fail_at = nth != 0 ? callocs + nth : 0;
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
