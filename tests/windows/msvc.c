/* The library as clang-cl compiles it, with Windows' own threads: host tasks on the library's
   worker threads, and a trace that several threads record. C and C++; MinGW's C library stands in
   for Microsoft's. */
#include "syclze/command.h"
#include "syclze/syclze.h"
#include "syclze/trace/writer.h"

#include <stdio.h>
#include <string.h>

#define TRY(call)                                                                                  \
  if ((result = (call)) != ZE_RESULT_SUCCESS)                                                      \
  return printf("FAIL %s: %s\n", #call, syclze_result_string(result)), 1

enum { TASKS = 200 };

static ze_result_t count_one(syclze_interop_handle handle, void *counter) {
  (void)handle;
  __atomic_add_fetch((int *)counter, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t run_tasks(syclze_queue queue, int *done) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (int i = 0; i < TASKS && result == ZE_RESULT_SUCCESS; i++) {
    syclze_group group = syclze_group_begin(queue);
    result = syclze_group_host_task(&group, count_one, done, NULL);
  }
  return result == ZE_RESULT_SUCCESS ? syclze_queue_wait(queue) : result;
}

/* The number of threads in the trace. */
static int threads_of(const char *path) {
  char line[4096], thread[32];
  int threads = 0;
  FILE *file = fopen(path, "r");
  snprintf(thread, sizeof thread, "\"tid\":1");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strstr(line, thread) != NULL) snprintf(thread, sizeof thread, "\"tid\":%d", ++threads + 1);
  if (file != NULL) fclose(file);
  return threads;
}

int main(void) {
  static int done;
  uint32_t count = 1;
  syclze_device gpu;
  syclze_context context;
  syclze_queue queue;
  ze_result_t result;
  const uint64_t before = syclze__clock_now();
  /* The bench's loader has no tracing layer; the library's own calls are recorded all the same. */
  result = syclze_trace_start();
  if (result != ZE_RESULT_SUCCESS && result != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    return puts("FAIL syclze_trace_start"), 1;
  TRY(syclze_device_get_selected(&count, &gpu));
  TRY(syclze_context_create(&gpu, 1, &context));
  TRY(syclze_queue_create(context, gpu, NULL, &queue));
  TRY(run_tasks(queue, &done));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
  TRY(syclze_trace_write("build/windows/msvc_trace.json"));
  if (threads_of("build/windows/msvc_trace.json") < 2) return puts("FAIL the trace's threads"), 1;
  if (done != TASKS) return printf("FAIL %d of %d tasks have run\n", done, (int)TASKS), 1;
  const uint64_t time = syclze__clock_now() - before;
  if (time == 0 || time > 600000000000u) return puts("FAIL the clock"), 1;
  puts("pass tasks_run_and_are_traced");
  puts("1 passed, 0 failed");
  return 0;
}
