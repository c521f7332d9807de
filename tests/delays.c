/* Delays at atomic operations and calls, so that threads meet in orders that are seldom else: the
 * run time of config=delays, whose programs are compiled for ThreadSanitizer and linked with this
 * instead.
 *
 * TEST_DELAYS=SEED chooses a part of the places in the program, and before and after what is done
 * there threads sleep for a millisecond or two, a few times each: by the seed in all threads, in
 * all but the first, or in the first alone. Without it nothing is delayed. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
  PLACES = 4096,
  PART = 12,    /* one place of so many is chosen */
  TIMES = 12,   /* that a place sleeps */
  NAP = 1500000 /* nanoseconds */
};

enum threads { ALL, OTHERS, FIRST, THREAD_KINDS };

static uint32_t seed;
static uint8_t times[PLACES];
static _Thread_local int is_first; /* 0 if not known yet, else 1 or -1 */

static void nap(void) {
  const struct timespec time = {.tv_nsec = NAP};
#ifdef __x86_64__
  /* Tests have a syscall() and a nanosleep() of their own. */
  long result = SYS_nanosleep;
  __asm__ volatile("syscall" : "+a"(result) : "D"(&time), "S"(NULL) : "rcx", "r11", "memory");
#else
  const int error = errno;
  nanosleep(&time, NULL);
  errno = error;
#endif
}

static int of_first(void) {
  if (is_first == 0) is_first = gettid() == getpid() ? 1 : -1;
  return is_first > 0;
}

/* `after` is 1 after an operation, else 0. */
static void delay(const void *site, uint32_t after) {
  static const char base;
  if (__builtin_expect(seed == 0, 1)) return;
  const uint64_t place = (uint64_t)((uintptr_t)site - (uintptr_t)&base) * 2 + after;
  const uint32_t mixed =
      (uint32_t)((place * 0x9e3779b97f4a7c15u ^ (uint64_t)seed << 32) * 0xd6e8feb86659fd93u >> 32);
  if (mixed % PART != 0) return;
  uint8_t *count = &times[mixed / PART % PLACES];
  if (__atomic_load_n(count, __ATOMIC_RELAXED) >= TIMES) return;
  const enum threads threads = (enum threads)(seed % THREAD_KINDS);
  if (threads != ALL && of_first() != (threads == FIRST)) return;
  __atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
  nap();
}

__attribute__((constructor)) static void begin(void) {
  const char *wanted = getenv("TEST_DELAYS");
  seed = wanted != NULL ? (uint32_t)strtoul(wanted, NULL, 10) : 0;
}

#define SITE __builtin_return_address(0)

void __tsan_init(void);
void __tsan_func_entry(void *caller);
void __tsan_func_exit(void);
void __tsan_read_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size);
void __tsan_vptr_read(void *address);
void __tsan_vptr_update(void *address, void *value);
void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_signal_fence(int order);

void __tsan_init(void) {
}
void __tsan_func_entry(void *caller) {
  (void)caller;
  delay(SITE, 0);
}
void __tsan_func_exit(void) {
  delay(SITE, 1);
}
void __tsan_read_range(void *address, size_t size) {
  (void)address, (void)size;
}
void __tsan_write_range(void *address, size_t size) {
  (void)address, (void)size;
}
void __tsan_vptr_read(void *address) {
  (void)address;
}
void __tsan_vptr_update(void *address, void *value) {
  (void)address, (void)value;
}
void __tsan_atomic_thread_fence(int order) {
  (void)order;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void __tsan_atomic_signal_fence(int order) {
  (void)order;
}

#define PLAIN(name)                                                                                \
  void __tsan_##name(void *address);                                                               \
  void __tsan_##name(void *address) {                                                              \
    (void)address;                                                                                 \
  }
#define PLAINS(size)                                                                               \
  PLAIN(read##size)                                                                                \
  PLAIN(write##size)                                                                               \
  PLAIN(unaligned_read##size)                                                                      \
  PLAIN(unaligned_write##size)                                                                     \
  PLAIN(volatile_read##size)                                                                       \
  PLAIN(volatile_write##size)
PLAINS(1)
PLAINS(2)
PLAINS(4)
PLAINS(8)
PLAINS(16)

#define UPDATE(bits, name, function)                                                               \
  uint##bits##_t __tsan_atomic##bits##_##name(                                                     \
      volatile uint##bits##_t *address, uint##bits##_t value, int order);                          \
  uint##bits##_t __tsan_atomic##bits##_##name(                                                     \
      volatile uint##bits##_t *address, uint##bits##_t value, int order) {                         \
    (void)order;                                                                                   \
    delay(SITE, 0);                                                                                \
    const uint##bits##_t before = function(address, value, __ATOMIC_SEQ_CST);                      \
    delay(SITE, 1);                                                                                \
    return before;                                                                                 \
  }

#define COMPARE(bits, strength)                                                                    \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile uint##bits##_t *address,          \
      uint##bits##_t *expected, uint##bits##_t value, int order, int failed);                      \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile uint##bits##_t *address,          \
      uint##bits##_t *expected, uint##bits##_t value, int order, int failed) {                     \
    (void)order, (void)failed;                                                                     \
    delay(SITE, 0);                                                                                \
    const int is_equal = __atomic_compare_exchange_n(                                              \
        address, expected, value, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                          \
    delay(SITE, 1);                                                                                \
    return is_equal;                                                                               \
  }

#define ATOMIC(bits)                                                                               \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *address, int order);    \
  void __tsan_atomic##bits##_store(                                                                \
      volatile uint##bits##_t *address, uint##bits##_t value, int order);                          \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *address, int order) {   \
    (void)order;                                                                                   \
    delay(SITE, 0);                                                                                \
    const uint##bits##_t value = __atomic_load_n(address, __ATOMIC_SEQ_CST);                       \
    delay(SITE, 1);                                                                                \
    return value;                                                                                  \
  }                                                                                                \
  void __tsan_atomic##bits##_store(                                                                \
      volatile uint##bits##_t *address, uint##bits##_t value, int order) {                         \
    (void)order;                                                                                   \
    delay(SITE, 0);                                                                                \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                            \
    delay(SITE, 1);                                                                                \
  }                                                                                                \
  UPDATE(bits, exchange, __atomic_exchange_n)                                                      \
  UPDATE(bits, fetch_add, __atomic_fetch_add)                                                      \
  UPDATE(bits, fetch_sub, __atomic_fetch_sub)                                                      \
  UPDATE(bits, fetch_or, __atomic_fetch_or)                                                        \
  UPDATE(bits, fetch_and, __atomic_fetch_and)                                                      \
  UPDATE(bits, fetch_xor, __atomic_fetch_xor)                                                      \
  COMPARE(bits, strong)                                                                            \
  COMPARE(bits, weak)
ATOMIC(8)
ATOMIC(16)
ATOMIC(32)
ATOMIC(64)
