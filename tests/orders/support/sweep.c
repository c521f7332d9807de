#define _GNU_SOURCE
#include "sweep.h"

#include "held_locks.h"

#include "syclze/result.h"
#include "tests/check.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Exit codes of a process that ran the scenario. */
enum { RIGHT = 0, WRONG = 1, TOO_FEW = 3 };
enum { LIMIT = 600 /* seconds of a process, which takes milliseconds of a processor */ };

static enum sweep_kind swept;
static ze_result_t swept_code;
static unsigned swept_n;
static bool swept_stays, armed, came, reported, left; /* left: handles stay alive */
static bool expects_reports, abandons;
static uint32_t counter;

/* True if the call of that kind fails. */
static bool fails(enum sweep_kind kind) {
  if (!__atomic_load_n(&armed, __ATOMIC_RELAXED) || kind != swept) return false;
  const uint32_t n = __atomic_add_fetch(&counter, 1, __ATOMIC_RELAXED);
  if (n != swept_n && !(swept_stays && n > swept_n)) return false;
  __atomic_store_n(&came, true, __ATOMIC_RELAXED);
  return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
int __real_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __real_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __real_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);

void *__wrap_malloc(size_t size) {
  return fails(SWEEP_ALLOCATIONS) ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails(SWEEP_ALLOCATIONS) ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size) {
  return fails(SWEEP_ALLOCATIONS) ? NULL : __real_realloc(memory, size);
}

int __wrap_pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
  return fails(SWEEP_THREADS) ? EAGAIN : __real_pthread_create(thread, attributes, run, argument);
}

int __wrap_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes) {
  return fails(SWEEP_LOCKS) ? ENOMEM : __real_pthread_mutex_init(mutex, attributes);
}

int __wrap_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes) {
  return fails(SWEEP_LOCKS) ? ENOMEM : __real_pthread_cond_init(condition, attributes);
}

void sweep_arm(void) {
  if (swept == SWEEP_CALLS) strict_fail(swept_n, swept_code, swept_stays);
  __atomic_store_n(&armed, true, __ATOMIC_RELAXED);
}

void sweep_fail_nth(enum sweep_kind kind, unsigned n) {
  swept = kind;
  swept_n = n;
  counter = 0;
  came = false;
  sweep_arm();
}

void sweep_disarm(void) {
  if (strict_failed() != NULL) came = true;
  __atomic_store_n(&armed, false, __ATOMIC_RELAXED);
  if (swept == SWEEP_CALLS) strict_fail_stop();
}

bool sweep_failed(void) {
  return __atomic_load_n(&came, __ATOMIC_RELAXED) || strict_failed() != NULL;
}

bool sweep_stays(void) {
  return swept_stays;
}

const char *sweep_failed_call(void) {
  return swept == SWEEP_CALLS ? strict_failed() : NULL;
}

void sweep_check_result_at(ze_result_t result, const char *file, int line) {
  const ze_result_t code = swept == SWEEP_CALLS ? swept_code : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (result == ZE_RESULT_SUCCESS) return;
  if (!sweep_failed() || result != code)
    check_fail(file, line, "0x%x, which no failure explains", (unsigned)result);
}

/* True if a handle may outlive the failure. */
static bool may_leave(void) {
  const char *call = sweep_failed_call();
  if (!sweep_failed()) return false;
  if (swept_stays || __atomic_load_n(&reported, __ATOMIC_RELAXED)) return true;
  return call != NULL && (strstr(call, "Destroy") != NULL || strcmp(call, "zeMemFree") == 0 ||
                             strcmp(call, "zeEventHostSynchronize") == 0);
}

bool sweep_fails_at(ze_result_t result, const char *file, int line) {
  sweep_check_result_at(result, file, line);
  return result != ZE_RESULT_SUCCESS;
}

void sweep_expect_reports(void) {
  expects_reports = true;
}

bool sweep_abandons_memory(void) {
  return __atomic_load_n(&abandons, __ATOMIC_RELAXED);
}

void sweep_settle(unsigned kept) {
  const struct timespec pause = {.tv_nsec = 100000};
  for (unsigned tries = 0; strict_alive(STRICT_NONE) != kept; tries++) {
    if (may_leave() && tries >= 20) {
      left = true;
      return;
    }
    if (tries == 100000) {
      printf("%u handles more than %u are alive\n", strict_alive(STRICT_NONE) - kept, kept);
      CHECK_EQ(strict_alive(STRICT_NONE), kept);
    }
    nanosleep(&pause, NULL);
  }
}

/* A handler is called without locks. */
static void check_handler(void *data, const syclze_diagnostic *diagnostic) {
  (void)data;
  CHECK_EQ(held_locks, 0);
  if (!expects_reports) return;
  if (strstr(diagnostic->rule, "memory is not freed") != NULL)
    __atomic_store_n(&abandons, true, __ATOMIC_RELAXED);
  if (strstr(diagnostic->rule, "completion of its work is unknown") != NULL)
    __atomic_store_n(&reported, true, __ATOMIC_RELAXED);
}

static int run_scenario(void (*scenario)(void)) {
  const syclze_diagnostic_handler handler = {check_handler, NULL};
  jmp_buf end;
  check_case_end = &end;
  check_program.case_failed = 0;
  armed = came = reported = abandons = expects_reports = false;
  counter = 0;
  strict_begin(swept_n, STRICT_RANDOM);
  syclze_diagnostic_set_handler(&handler);
  if (setjmp(end) == 0) scenario();
  check_case_end = NULL;
  const bool failed = sweep_failed();
  if (!failed) strict_end();
  if (check_program.case_failed && strict_failed() != NULL)
    printf("%s failed, of %u calls\n", strict_failed(), strict_calls());
  fflush(stdout);
  if (__atomic_load_n(&check_program.case_failed, __ATOMIC_RELAXED)) return WRONG;
  return failed ? RIGHT : TOO_FEW;
}

/* At exit the library waits long for what will never end; otherwise its end is part of the sweep.
 */
static void end_process(int code) {
  if (swept_stays && (strict_pending() != 0 || left)) _exit(code);
  exit(code);
}

/* Interrupts the wait. */
static void give_up(int number) {
  (void)number;
}

/* The exit code of the process, or -1 for a signal or a hang. */
static int wait_for(pid_t process) {
  const struct sigaction action = {.sa_handler = give_up};
  int status;
  CHECK_EQ(sigaction(SIGALRM, &action, NULL), 0);
  alarm(LIMIT);
  const bool ended = waitpid(process, &status, 0) == process;
  alarm(0);
  if (ended) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  printf("the process hangs\n");
  kill(process, SIGABRT);
  waitpid(process, &status, 0);
  return -1;
}

/* The library enrols the process for barriers of all threads (thread_cache.h), for which the kernel
 * makes a process with threads wait. Each process of a sweep inherits it from this one. */
static void enrol(void) {
#ifdef SYS_membarrier
  enum { REGISTER_PRIVATE_EXPEDITED = 16 };
  syscall(SYS_membarrier, REGISTER_PRIVATE_EXPEDITED, 0, 0);
#endif
}

unsigned sweep_step = 1;

void sweep(void (*scenario)(void), enum sweep_kind kind, ze_result_t code, bool stays) {
  static const char *const names[SWEEP_KINDS] = {"call", "allocation", "thread", "lock"};
  swept = kind;
  swept_code = code;
  swept_stays = stays;
  int ended = RIGHT;
  const char *from = getenv("SWEEP_FROM"), *all = getenv("SWEEP_STEP");
  const unsigned step = all != NULL ? (unsigned)atoi(all) : sweep_step;
  /* Each sweep begins at another call. */
  static unsigned number;
  const unsigned first = from != NULL ? (unsigned)atoi(from) : 1 + number++ % step;
  enrol();
  for (swept_n = first; ended == RIGHT; swept_n += step) {
    fflush(stdout);
    const pid_t process = fork();
    CHECK(process >= 0);
    if (process == 0) end_process(run_scenario(scenario));
    ended = wait_for(process);
    if (ended != RIGHT && ended != TOO_FEW)
      check_fail(__FILE__, __LINE__, "%s %u failing %s with 0x%x", names[kind], swept_n,
          stays ? "from then on" : "once", (unsigned)code);
  }
}

void sweep_all(void (*scenario)(void)) {
  static const ze_result_t codes[] = {
      ZE_RESULT_ERROR_DEVICE_LOST, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, ZE_RESULT_ERROR_UNKNOWN};
  for (int stays = 0; stays < 2; stays++) {
    /* A failure that stays takes longer, and depends less on the code. */
    for (unsigned i = 0; i < (stays ? 1 : sizeof codes / sizeof *codes); i++)
      sweep(scenario, SWEEP_CALLS, codes[i], stays);
    sweep(scenario, SWEEP_ALLOCATIONS, ZE_RESULT_SUCCESS, stays);
    sweep(scenario, SWEEP_THREADS, ZE_RESULT_SUCCESS, stays);
    sweep(scenario, SWEEP_LOCKS, ZE_RESULT_SUCCESS, stays);
  }
}
