#include "recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread struct record *current;

void record_to(struct record *record) {
  current = record;
}

static size_t slot_of(const struct record *record, uintptr_t line) {
  size_t at = (size_t)(line * 0x9e3779b97f4a7c15u >> 52) % LINES;
  size_t looks = 0;
  while (record->lines[at].line != 0 && record->lines[at].line != line) {
    at = (at + 1) % LINES;
    if (++looks == LINES) {
      fputs("FAIL a record has no room for more lines\n", stderr);
      exit(1);
    }
  }
  return at;
}

static void written(const void *address, size_t size, const void *site) {
  if (current == NULL) return;
  const uintptr_t first = (uintptr_t)address / LINE_BYTES;
  const uintptr_t last = ((uintptr_t)address + size - 1) / LINE_BYTES;
  for (uintptr_t line = first; line <= last; line++) {
    const size_t at = slot_of(current, line);
    if (current->lines[at].line != 0) continue;
    current->lines[at].line = line;
    current->lines[at].site = site;
  }
}

uintptr_t record_common(const struct record *a, const struct record *b, const void **site) {
  for (size_t i = 0; i < LINES; i++) {
    const uintptr_t line = a->lines[i].line;
    if (line == 0 || b->lines[slot_of(b, line)].line == 0) continue;
    *site = a->lines[i].site;
    return line * LINE_BYTES;
  }
  return 0;
}

#define SITE __builtin_return_address(0)
#define ENTRY __attribute__((visibility("default")))

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size);
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

ENTRY void __tsan_init(void) {
}
ENTRY void __tsan_func_entry(void *caller) {
  (void)caller;
}
ENTRY void __tsan_func_exit(void) {
}
ENTRY void __tsan_read_range(void *address, size_t size) {
  (void)address, (void)size;
}
ENTRY void __tsan_write_range(void *address, size_t size) {
  written(address, size, SITE);
}
ENTRY void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
ENTRY void __tsan_atomic_signal_fence(int order) {
  (void)order;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void *__tsan_memcpy(void *to, const void *from, size_t size);
void *__tsan_memset(void *to, int value, size_t size);
void *__tsan_memmove(void *to, const void *from, size_t size);

ENTRY void *__tsan_memcpy(void *to, const void *from, size_t size) {
  written(to, size, SITE);
  return memcpy(to, from, size);
}
ENTRY void *__tsan_memset(void *to, int value, size_t size) {
  written(to, size, SITE);
  return memset(to, value, size);
}
ENTRY void *__tsan_memmove(void *to, const void *from, size_t size) {
  written(to, size, SITE);
  return memmove(to, from, size);
}

#define PLAIN(size)                                                                                \
  void __tsan_read##size(void *address);                                                           \
  void __tsan_write##size(void *address);                                                          \
  void __tsan_unaligned_read##size(void *address);                                                 \
  void __tsan_unaligned_write##size(void *address);                                                \
  void __tsan_volatile_read##size(void *address);                                                  \
  void __tsan_volatile_write##size(void *address);                                                 \
  ENTRY void __tsan_read##size(void *address) {                                                    \
    (void)address;                                                                                 \
  }                                                                                                \
  ENTRY void __tsan_unaligned_read##size(void *address) {                                          \
    (void)address;                                                                                 \
  }                                                                                                \
  ENTRY void __tsan_volatile_read##size(void *address) {                                           \
    (void)address;                                                                                 \
  }                                                                                                \
  ENTRY void __tsan_write##size(void *address) {                                                   \
    written(address, size, SITE);                                                                  \
  }                                                                                                \
  ENTRY void __tsan_unaligned_write##size(void *address) {                                         \
    written(address, size, SITE);                                                                  \
  }                                                                                                \
  ENTRY void __tsan_volatile_write##size(void *address) {                                          \
    written(address, size, SITE);                                                                  \
  }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

#define UPDATE(bits, name)                                                                         \
  uint##bits##_t __tsan_atomic##bits##_##name(                                                     \
      volatile uint##bits##_t *address, uint##bits##_t value, int order);                          \
  ENTRY uint##bits##_t __tsan_atomic##bits##_##name(                                               \
      volatile uint##bits##_t *address, uint##bits##_t value, int order) {                         \
    (void)order;                                                                                   \
    written((const void *)address, sizeof *address, SITE);                                         \
    return UPDATE_##name(address, value);                                                          \
  }
#define UPDATE_exchange(address, value) __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST)
#define UPDATE_fetch_add(address, value) __atomic_fetch_add(address, value, __ATOMIC_SEQ_CST)
#define UPDATE_fetch_sub(address, value) __atomic_fetch_sub(address, value, __ATOMIC_SEQ_CST)
#define UPDATE_fetch_or(address, value) __atomic_fetch_or(address, value, __ATOMIC_SEQ_CST)
#define UPDATE_fetch_and(address, value) __atomic_fetch_and(address, value, __ATOMIC_SEQ_CST)
#define UPDATE_fetch_xor(address, value) __atomic_fetch_xor(address, value, __ATOMIC_SEQ_CST)

/* A failed comparison writes too, as far as the cache is concerned. */
#define COMPARE(bits, strength)                                                                    \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile uint##bits##_t *address,          \
      uint##bits##_t *expected, uint##bits##_t value, int order, int failed);                      \
  ENTRY int __tsan_atomic##bits##_compare_exchange_##strength(volatile uint##bits##_t *address,    \
      uint##bits##_t *expected, uint##bits##_t value, int order, int failed) {                     \
    (void)order, (void)failed;                                                                     \
    written((const void *)address, sizeof *address, SITE);                                         \
    return __atomic_compare_exchange_n(                                                            \
        address, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                          \
  }

#define COMPARE_VALUE(bits)                                                                        \
  uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(volatile uint##bits##_t *address,      \
      uint##bits##_t expected, uint##bits##_t value, int order, int failed);                       \
  ENTRY uint##bits##_t __tsan_atomic##bits##_compare_exchange_val(                                 \
      volatile uint##bits##_t *address, uint##bits##_t expected, uint##bits##_t value, int order,  \
      int failed) {                                                                                \
    (void)order, (void)failed;                                                                     \
    written((const void *)address, sizeof *address, SITE);                                         \
    __atomic_compare_exchange_n(address, &expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }

#define ATOMIC(bits)                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *address, int order);    \
  void __tsan_atomic##bits##_store(                                                                \
      volatile uint##bits##_t *address, uint##bits##_t value, int order);                          \
  ENTRY uint##bits##_t __tsan_atomic##bits##_load(                                                 \
      const volatile uint##bits##_t *address, int order) {                                         \
    (void)order;                                                                                   \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  ENTRY void __tsan_atomic##bits##_store(                                                          \
      volatile uint##bits##_t *address, uint##bits##_t value, int order) {                         \
    (void)order;                                                                                   \
    written((const void *)address, sizeof *address, SITE);                                         \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                \
  UPDATE(bits, exchange)                                                                           \
  UPDATE(bits, fetch_add)                                                                          \
  UPDATE(bits, fetch_sub)                                                                          \
  UPDATE(bits, fetch_or)                                                                           \
  UPDATE(bits, fetch_and)                                                                          \
  UPDATE(bits, fetch_xor)                                                                          \
  COMPARE(bits, strong)                                                                            \
  COMPARE(bits, weak)                                                                              \
  COMPARE_VALUE(bits)
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)
