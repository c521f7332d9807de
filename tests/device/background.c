/* Work in the background: a bounded number of threads, which block signals, and which the end of
   the program waits for. RUNS=1000 repeats the ends of programs that often. */
#define _DEFAULT_SOURCE
#include "support/child.h"
#include "support/made.h"
#include "support/spy.h"
#include "tests/soon.h"

#include <dirent.h>
#include <signal.h>
#include <unistd.h>

enum { TEMPORARIES = 400, BYTES = 64, LEFT = 99 };

static struct {
  syclze_context context;
  syclze_device device;
  syclze_queue queue;
  syclze_event gate;
} work;

/* Threads that block SIGUSR1, which the driver's do not but while they start. */
static unsigned blocking_threads(void) {
  unsigned count = 0;
  DIR *tasks = opendir("/proc/self/task");
  CHECK(tasks != NULL);
  for (const struct dirent *task; (task = readdir(tasks)) != NULL;) {
    char path[300], line[200];
    unsigned long long blocked = 0;
    snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
    FILE *status = task->d_name[0] != '.' ? fopen(path, "r") : NULL;
    if (status == NULL) continue;
    while (fgets(line, sizeof line, status) != NULL)
      if (sscanf(line, "SigBlk: %llx", &blocked) == 1) break;
    fclose(status);
    count += (blocked >> (SIGUSR1 - 1)) & 1;
  }
  closedir(tasks);
  return count;
}

/* At most `limit`, if one of many counts says so. */
static unsigned thread_count(unsigned limit) {
  unsigned count = blocking_threads();
  for (int i = 0; i < 1000 && count > limit; i++) {
    usleep(1000);
    count = blocking_threads();
  }
  return count;
}

static void begin(const struct given *g, bool in_order) {
  const syclze_property_list properties = {.flags = in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  work.device = made_device(g);
  CHECK_EQ(syclze_context_create(&work.device, 1, &work.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_queue_create(work.context, work.device, &properties, &work.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(work.context, 0, &work.gate), ZE_RESULT_SUCCESS);
}

/* A buffer whose memory is freed once a fill that waits for the gate is done. */
static void temporary(void) {
  const unsigned char value = 7;
  void *memory;
  syclze_buffer buffer;
  CHECK_EQ(syclze_malloc_shared(BYTES, work.device, work.context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = memory};
  CHECK_EQ(syclze_make_buffer(&input, work.context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(work.queue);
  syclze_group_depends_on(&group, work.gate);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(all), &value, 1, BYTES, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
}

static void open_gate(void) {
  CHECK_EQ(zeEventHostSignal(syclze_get_native(work.gate)), ZE_RESULT_SUCCESS);
}

TEST(temporaries_in_flight_take_eight_threads_at_most) { // shows promises 58
  given_needs_execution();
  struct given g = given();
  begin(&g, true);
  for (int i = 0; i < TEMPORARIES; i++)
    temporary();
  CHECK(blocking_threads() >= 1);
  CHECK(thread_count(8) <= 8);
  CHECK(spy_alive(SPY_MEMORY) >= TEMPORARIES);
  open_gate();
  CHECK_EQ(syclze_queue_wait(work.queue), ZE_RESULT_SUCCESS);
  CHECK_SOON(spy_alive(SPY_MEMORY) == 0);
  CHECK_EQ(syclze_release(work.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(work.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(work.context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

static ze_result_t look_at_signals(syclze_interop_handle handle, void *argument) {
  (void)handle;
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, (sigset_t *)argument), 0);
  return ZE_RESULT_SUCCESS;
}

/* A handler of the application's runs on its own threads; faults are the thread's. */
TEST(threads_of_the_library_block_signals) { // shows promises 58
  given_needs_execution();
  struct given g = given();
  sigset_t blocked, here;
  begin(&g, false);
  syclze_group group = syclze_group_begin(work.queue);
  CHECK_EQ(syclze_group_host_task(&group, look_at_signals, &blocked, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(work.queue), ZE_RESULT_SUCCESS);
  static const int others[] = {SIGINT, SIGTERM, SIGALRM, SIGUSR1, SIGCHLD, SIGPROF};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CHECK_EQ(sigismember(&blocked, others[i]), 1);
  CHECK_EQ(sigismember(&blocked, SIGSEGV), 0);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &here), 0);
  CHECK_EQ(sigismember(&here, SIGUSR1), 0);
  CHECK_EQ(syclze_release(work.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(work.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(work.context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

static unsigned kept;

/* Registered before the library's handler, so that it runs after it. */
static void check_nothing_is_left(void) {
  if (spy_alive_in_all() == kept) return;
  printf("%u handles are left\n", spy_alive_in_all() - kept);
  fflush(stdout);
  _exit(LEFT);
}

static struct given g_at_exit; /* reachable, so that LeakSanitizer does not report it */

/* Ends right after its last releases, while the work is under way. */
static int release_and_leave(int run) {
  atexit(check_nothing_is_left);
  g_at_exit = given();
  kept = spy_alive_in_all();
  begin(&g_at_exit, run % 2 == 0);
  for (int i = 0; i < 4; i++)
    temporary();
  const syclze_event gate = work.gate;
  CHECK_EQ(syclze_release(work.queue), ZE_RESULT_SUCCESS);
  open_gate();
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(work.context), ZE_RESULT_SUCCESS);
  return 0;
}

TEST(a_program_that_ends_after_its_last_releases_leaves_no_handle) { // shows promises 59
  const char *runs = getenv("RUNS");
  const int count = runs != NULL ? atoi(runs) : check_repeats(20);
  given_needs_execution();
  for (int i = 0; i < count; i++)
    CHECK_EQ(in_child(release_and_leave, i), 0);
}

TEST_MAIN(a_program_that_ends_after_its_last_releases_leaves_no_handle,
    temporaries_in_flight_take_eight_threads_at_most, threads_of_the_library_block_signals)
