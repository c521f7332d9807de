/* Cost of traced events on the calling thread, beside an empty loop: one record; one Level Zero
   call with its begin and end, two clock reads; one kernel that waits for an event and signals it;
   one submission; one host task, submitted and run. */
#include "bench.h"
#include "syclze/trace/writer.h"

static struct syclze__recorder trace = {.lock = PTHREAD_MUTEX_INITIALIZER};

static ze_result_t ready(void) {
  if (trace.rings != NULL) return ZE_RESULT_SUCCESS;
  trace.tracer.begin = syclze__recorder_begin;
  trace.tracer.end = syclze__recorder_end;
  trace.rings = syclze__rings_new(SYCLZE__RECORDER_MEMORY);
  return trace.rings != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

static ze_result_t nothing(const struct bench_world *world, uint32_t count) {
  (void)world;
  for (uint32_t i = 0; i < count; i++)
    BENCH_OPAQUE(i);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t record(const struct bench_world *world, uint32_t count) {
  (void)world;
  BENCH_TRY(ready());
  for (uint32_t i = 0; i < count; i++) {
    uint64_t start = i;
    BENCH_OPAQUE(start);
    syclze__record_add(trace.rings, SYCLZE__RECORD_CALL, "call", start, 1, 0, 0);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t call(const struct bench_world *world, uint32_t count) {
  (void)world;
  BENCH_TRY(ready());
  for (uint32_t i = 0; i < count; i++) {
    void *instance = NULL;
    BENCH_OPAQUE(i);
    syclze__begin_DriverGet(NULL, ZE_RESULT_SUCCESS, &trace, &instance);
    syclze__end_DriverGet(NULL, ZE_RESULT_SUCCESS, &trace, &instance);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t command(const struct bench_world *world, uint32_t count) {
  ze_command_list_handle_t list = world->list;
  ze_kernel_handle_t kernel = NULL;
  const ze_group_count_t *groups = NULL;
  ze_event_handle_t event = world->event, *waits = &event;
  uint32_t one = 1;
  ze_command_list_append_launch_kernel_params_t arguments = {
      &list, &kernel, &groups, &event, &one, &waits};
  BENCH_TRY(ready());
  for (uint32_t i = 0; i < count; i++) {
    void *instance = NULL;
    BENCH_OPAQUE(i);
    syclze__begin_CommandListAppendLaunchKernel(&arguments, ZE_RESULT_SUCCESS, &trace, &instance);
    syclze__end_CommandListAppendLaunchKernel(&arguments, ZE_RESULT_SUCCESS, &trace, &instance);
  }
  return ZE_RESULT_SUCCESS;
}

/* The trace points of a submission while the writer records and no framework is bound. */
static ze_result_t submissions(const struct bench_world *world, uint32_t count, bool host) {
  static const struct syclze__trace_call_site site = {"submissions", __FILE__, __LINE__};
  struct syclze__trace_kernel_info kernel;
  memset(&kernel, 0, sizeof kernel);
  kernel.native = world->kernel;
  ze_event_handle_t event = world->event;
  const struct syclze__trace_command_info info = {.function = "syclze_group_launch",
      .queue = &trace,
      .native = world->list,
      .device = world->device,
      .context = world->context,
      .waits = &event,
      .wait_count = 1,
      .signal = event,
      .is_host = host,
      .kernel = host ? NULL : &kernel};
  BENCH_TRY(ready());
  struct syclze__map_entry *entry = syclze__map_put(&trace.kernels, SYCLZE__WORD(world->kernel));
  if (entry != NULL) entry->name = "kernel";
  SYCLZE__STATE.recorder = &trace;
  syclze__submissions_record(true);
  for (uint32_t i = 0; i < count; i++) {
    const struct syclze__trace_call_site *here = &site;
    BENCH_OPAQUE(here);
    const struct syclze__trace_call_site *before =
        syclze__call_site_set(syclze__call_site_table(), here);
    struct syclze__trace_node *node = syclze__trace_command_begin(&info);
    if (host) {
      SYCLZE__TRACE_COMMAND(submission_end, ());
      SYCLZE__TRACE_HOST_BEGIN(node);
      SYCLZE__TRACE_HOST_END(node, true);
    } else
      node->table->command_end(node, ZE_RESULT_SUCCESS, true);
    syclze__call_site_set(syclze__call_site_table(), before);
  }
  syclze__submissions_record(false);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t submission(const struct bench_world *world, uint32_t count) {
  return submissions(world, count, false);
}

static ze_result_t host_task(const struct bench_world *world, uint32_t count) {
  return submissions(world, count, true);
}

const struct bench_op bench_trace_ops[] = {
    {"trace: one record", 40, 0, 0, record, nothing, 0, false},
    {"trace: a call, begin and end", 200, 0, 0, call, nothing, 0, false},
    {"trace: a kernel with a dependency", 650, 0, 0, command, nothing, 0, false},
    {"trace: a submission, begin and end", 900, 0, 0, submission, nothing, 0, false},
    {"trace: a host task, submitted and run", 1200, 0, 0, host_task, nothing, 0, false},
    {0},
};
