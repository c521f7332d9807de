/* Exit of programs under SYCLZE_TRACE: each case runs this program again, with the variable, as one
   of the cases named child_*. */
#define _DEFAULT_SOURCE
#include "../whole_file.h"
#include "syclze/command.h"
#include "syclze/syclze.h"
#include "syclze/trace/writer.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/syclze-exit-XXXXXX.json";
static char printed[1024]; /* by the last run, on stderr */

/* Runs a case in a new process and returns its exit code. The layer's variable is unchanged if
   null. */
static int run(const char *name, const char *trace, const char *layer) {
  int status = -1;
  FILE *errors = tmpfile();
  CHECK(errors != NULL);
  const pid_t child = fork();
  if (child == 0) {
    dup2(fileno(errors), STDERR_FILENO);
    setenv("SYCLZE_TEST_CHILD", path, 1);
    setenv("SYCLZE_TRACE", trace, 1);
    if (layer != NULL) setenv("ZE_ENABLE_TRACING_LAYER", layer, 1);
    if (freopen("/dev/null", "w", stdout) == NULL) _exit(1);
    execl("/proc/self/exe", "exit", name, (char *)NULL);
    _exit(1);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  rewind(errors);
  printed[fread(printed, 1, sizeof printed - 1, errors)] = 0;
  fclose(errors);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Reads and removes the written file; the caller frees the text. */
static char *written(void) {
  char *text = whole_file(path);
  unlink(path);
  CHECK(strlen(text) > 4 && strcmp(text + strlen(text) - 3, "}}\n") == 0);
  return text;
}

static void only_as_child(void) {
  if (getenv("SYCLZE_TEST_CHILD") == NULL) SKIP("of the other cases");
}

static ze_driver_handle_t driver_of(void) {
  uint32_t one = 1;
  ze_driver_handle_t driver = NULL;
  CHECK_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDriverGet(&one, &driver), ZE_RESULT_SUCCESS);
  return driver;
}

static atomic_uint calls;

static void *call_for_ever(void *driver) {
  for (;;) {
    uint32_t none = 0;
    zeDeviceGet((ze_driver_handle_t)driver, &none, NULL);
    atomic_fetch_add(&calls, 1);
  }
  return NULL;
}

/* Exit while a thread is inside its calls. */
TEST(child_in_flight) {
  only_as_child();
  ze_driver_handle_t driver = driver_of();
  pthread_t thread;
  for (int i = 0; i < 2; i++)
    CHECK_EQ(pthread_create(&thread, NULL, call_for_ever, driver), 0);
  while (atomic_load(&calls) < 100)
    usleep(100);
  exit(0);
}

TEST(child_calls) {
  only_as_child();
  driver_of();
}

static ze_result_t takes_its_time(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  usleep(20000);
  return ZE_RESULT_SUCCESS;
}

/* Exit while a host task runs. */
TEST(child_submits) {
  only_as_child();
  uint32_t one = 1;
  ze_device_handle_t native;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  CHECK_EQ(zeDeviceGet(driver_of(), &one, &native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_device(native, &device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, takes_its_time, NULL, NULL), ZE_RESULT_SUCCESS);
  exit(0);
}

static void count(void *user, const syclze_diagnostic *diagnostic) {
  (void)diagnostic;
  ++*(int *)user;
}

static int reported;

static void leave_with_the_count(void) {
  _exit(10 + reported);
}

/* Exits with 10 plus the number of diagnostics. */
TEST(child_counts_diagnostics) {
  only_as_child();
  static const syclze_diagnostic_handler handler = {count, &reported};
  syclze_diagnostic_set_handler(&handler);
  driver_of();
  exit(0);
}

static void *call_once(void *argument) {
  uint32_t none = 0;
  (void)argument;
  zeDriverGet(&none, NULL);
  return NULL;
}

static void call_and_write(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, call_once, NULL) == 0) pthread_join(thread, NULL);
  reported += syclze_trace_write(getenv("SYCLZE_TEST_CHILD")) != ZE_RESULT_SUCCESS;
}

/* Calls and writes when the trace has ended: handlers run in the reverse order. */
TEST(child_starts_a_trace) {
  only_as_child();
  driver_of();
  CHECK_EQ(atexit(call_and_write), 0);
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  call_once(NULL);
  exit(0);
}

__attribute__((constructor(101))) static void leave_last(void) {
  if (getenv("SYCLZE_TEST_CHILD") != NULL) atexit(leave_with_the_count);
}

TEST(a_program_may_end_while_threads_call) {
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(run("child_in_flight", path, NULL), 10);
    char *text = written();
    CHECK(strstr(text, "\"zeDeviceGet\"") != NULL);
    free(text);
  }
}

TEST(the_variable_enables_the_tracing_layer) {
  CHECK_EQ(run("child_calls", path, NULL), 10);
  char *text = written();
  CHECK(strstr(text, "\"zeDriverGet\"") != NULL);
  CHECK(strstr(text, "\"functions traced\":0") == NULL);
  free(text);
}

TEST(a_trace_that_the_program_started_ends_at_exit) {
  CHECK_EQ(run("child_starts_a_trace", "", "1"), 10);
  char *text = written();
  const char *first = strstr(text, "\"name\":\"zeDriverGet\"");
  CHECK(first != NULL && strstr(first + 1, "\"name\":\"zeDriverGet\"") == NULL);
  CHECK(strstr(text, "\"lost\":0,") != NULL);
  free(text);
}

TEST(without_the_layer_the_file_states_that_no_call_is_traced) {
  CHECK_EQ(run("child_calls", path, "0"), 10);
  char *text = written();
  if (strstr(text, "\"functions traced\":0") == NULL) {
    free(text);
    SKIP("a loader that turns the layer on when asked");
  }
  CHECK(strstr(text, "zeDriverGet") == NULL);
  free(text);
}

TEST(a_host_task_running_at_exit_is_complete_with_and_without_the_layer) {
  static const char *const layers[] = {"1", "0"};
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(run("child_submits", path, layers[i]), 10);
    char *text = written();
    CHECK(strstr(text, "\"name\":\"syclze_group_host_task (exit.c:") != NULL);
    const char *task = strstr(text, "\"name\":\"host task (exit.c:");
    CHECK(task != NULL);
    while (strncmp(task, "\"dur\":", 6) != 0)
      task--;
    CHECK(strtod(task + 6, NULL) >= 20000);
    free(text);
  }
}

TEST(an_unwritable_file_gives_one_diagnostic_at_exit) {
  CHECK_EQ(run("child_counts_diagnostics", "/nowhere/at/all.json", NULL), 11);
  CHECK_EQ(run("child_counts_diagnostics", "no-format", NULL), 11);
  CHECK_EQ(run("child_counts_diagnostics", path, NULL), 10);
  free(written());
}

TEST(an_unwritable_file_is_a_line_on_stderr_without_a_handler) { // shows queues 19
  CHECK_EQ(run("child_calls", "/nowhere/run.html", NULL), 10);
  CHECK_STR_EQ(printed, "syclze: syclze_trace_write: the trace's file cannot be opened "
                        "(result 0x70010001): /nowhere/run.html\n");
  CHECK_EQ(run("child_calls", "run.txt", NULL), 10);
  CHECK_STR_EQ(printed,
      "syclze: syclze_trace_write: the file's name must end in .json, .dot or .html, or "
      "be table (result 0x78000004): run.txt\n");
  CHECK_EQ(run("child_calls", "run", NULL), 10);
  CHECK(strstr(printed, "): run\n") != NULL);
  CHECK_EQ(run("child_counts_diagnostics", "run", NULL), 11);
  CHECK_STR_EQ(printed, "");
  CHECK_EQ(run("child_calls", path, NULL), 10);
  CHECK_STR_EQ(printed, "");
  free(written());
  setenv("SYCLZE_DIAGNOSTICS", "off", 1);
  CHECK_EQ(run("child_calls", "run", NULL), 10);
  unsetenv("SYCLZE_DIAGNOSTICS");
  CHECK_STR_EQ(printed, "");
}

__attribute__((constructor)) static void prepare(void) {
  if (getenv("SYCLZE_TEST_CHILD") == NULL) {
    unsetenv("SYCLZE_TRACE");
    unsetenv("SYCLZE_DIAGNOSTICS");
    unsetenv("ZE_ENABLE_TRACING_LAYER");
    close(mkstemps(path, 5));
    unlink(path);
  }
}

TEST_MAIN(child_in_flight, child_calls, child_submits, child_counts_diagnostics,
    child_starts_a_trace, a_program_may_end_while_threads_call,
    the_variable_enables_the_tracing_layer, a_trace_that_the_program_started_ends_at_exit,
    without_the_layer_the_file_states_that_no_call_is_traced,
    a_host_task_running_at_exit_is_complete_with_and_without_the_layer,
    an_unwritable_file_gives_one_diagnostic_at_exit,
    an_unwritable_file_is_a_line_on_stderr_without_a_handler)
