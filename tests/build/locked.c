/* Operations whose locked instructions are known, in the place of the benchmark's: locked.sh. Built
   once more as the loader, and as another library. */
#include <level_zero/ze_api.h>

void other_library(void);

static int word;

#ifdef IS_LOADER
ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  (void)flags;
  __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
  return ZE_RESULT_SUCCESS;
}
#elif defined IS_LIBRARY
void other_library(void) {
  __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}
#else
#include <valgrind/callgrind.h>

#define COUNT "64"

static void nothing(void) {
}

static void addition(void) {
  __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}

static void exchange(void) {
  __atomic_exchange_n(&word, 1, __ATOMIC_SEQ_CST);
}

static void comparison(void) {
  int expected = 2;
  __atomic_compare_exchange_n(&word, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static void fence(void) {
  __asm__ volatile("mfence" ::: "memory");
}

static void store(void) {
  __atomic_store_n(&word, 1, __ATOMIC_RELEASE);
}

static void registers(void) {
  int a = 1, b = 2;
  __asm__ volatile("xchg %0, %1" : "+r"(a), "+r"(b));
}

/* As code does that finds itself on one processor. */
static void prefix_left_out(void) {
  __asm__ volatile("jmp 1f\n .byte 0xf0\n 1: incl %0" : "+m"(word)::"cc");
}

static void instruction_left_out(void) {
  __asm__ volatile("jmp 1f\n lock incl %0\n 1:" : "+m"(word)::"cc");
}

static void loader(void) {
  zeInit(0);
}

static void two(void) {
  addition();
  other_library();
}

/* `dump` is side, count, budget, budget of locked instructions, peer and operation. */
static void run(const char *dump, void (*operation)(void)) {
  CALLGRIND_DUMP_STATS;
  for (int i = 0; i < 64; i++)
    operation();
  CALLGRIND_DUMP_STATS_AT(dump);
}

#define RUN(locked, operation) run("syclze|" COUNT "|0|" #locked "|0|" #operation, operation)

int main(void) {
  other_library(); /* bound */
  RUN(0, nothing);
  RUN(1, addition);
  RUN(1, exchange);
  RUN(1, comparison);
  RUN(1, fence);
  RUN(0, store);
  RUN(0, registers);
  RUN(0, prefix_left_out);
  RUN(0, instruction_left_out);
  RUN(0, loader);
  RUN(1, other_library);
  RUN(2, two);
  run("syclze|" COUNT "|0|1|0|two beside one", two);
  run("plain|" COUNT "|0|1|0|two beside one", addition);
  run("syclze|" COUNT "|0|1|0|over", two);
  run("syclze|" COUNT "|500|1|0|within both", addition);
  run("syclze|" COUNT "|1|1|0|over in instructions", addition);
  return 0;
}
#endif
