/* syclze's spans in a recorded trace: submissions and host tasks, their call sites and
   dependencies. */
#define _DEFAULT_SOURCE
#undef SYCLZE_DECLARATIONS
#include "support/traced.h"

#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"
#include "syclze/trace/writer.h"
#include "tests/whole_file.h"

#include <unistd.h>

static char path[] = "/tmp/syclze-spans-XXXXXX.json";

/* The written file, in the format of the suffix, zero-terminated. The caller frees it. */
static char *written(const char *end) {
  memcpy(strrchr(path, '.') + 1, end, strlen(end) + 1);
  CHECK_EQ(syclze_trace_write(path), ZE_RESULT_SUCCESS);
  char *text = whole_file(path);
  unlink(path);
  return text;
}

static int count_of(const char *text, const char *part) {
  int count = 0;
  for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
    count++;
  return count;
}

struct span {
  unsigned long thread;
  double start, end;
};

/* The line of the first host span after `from` whose name has the prefix. */
static const char *span_of(const char *from, const char *name, struct span *span) {
  char part[128];
  snprintf(part, sizeof part, "\"name\":\"%s", name);
  const char *at = from;
  while ((at = strstr(at, part)) != NULL) {
    const char *line = at;
    while (*line != '\n')
      line--;
    double start, duration;
    if (sscanf(line, "\n{\"ph\":\"X\",\"pid\":1,\"tid\":%lu,\"ts\":%lf,\"dur\":%lf", &span->thread,
            &start, &duration) == 3) {
      span->start = start;
      span->end = start + duration;
      return at + 1;
    }
    at++;
  }
  return NULL;
}

/* True if a span of the name lies within the other, on the same thread. */
static bool lies_within(const char *text, const char *name, const struct span *outer) {
  struct span span;
  while ((text = span_of(text, name, &span)) != NULL)
    if (span.thread == outer->thread && span.start >= outer->start && span.end <= outer->end)
      return true;
  return false;
}

/* The number of the command whose graph node has the label. */
static unsigned long node_of(const char *text, const char *label) {
  const char *at = strstr(text, label);
  CHECK(at != NULL);
  while (*at != '\n')
    at--;
  return strtoul(at + 4, NULL, 10);
}

/* The traces of everything recorded so far. */
static struct recorded {
  uint32_t line;
  char *json, *dot;
} run(void) {
  static struct recorded all;
  if (all.json != NULL) return all;
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  struct traced t = traced_begin();
  traced_run(&t, &all.line);
  traced_end(&t);
  all.json = written("json");
  all.dot = written("dot");
  return all;
}

TEST(a_submission_is_a_span_with_its_calls_in_it) {
  given_needs_execution();
  const struct recorded all = run();
  char name[128];
  struct span span;
  snprintf(name, sizeof name, "syclze_group_launch graph_mix (traced.c:%u)\"", all.line);
  CHECK_EQ(count_of(all.json, name), 1);
  CHECK(span_of(all.json, name, &span) != NULL);
  CHECK(lies_within(all.json, "zeKernelSetArgumentValue\"", &span));
  CHECK(lies_within(all.json, "zeCommandListAppendLaunchKernel\"", &span));
  CHECK(!lies_within(all.json, "zeKernelCreate\"", &span));
}

TEST(every_action_has_its_span) {
  given_needs_execution();
  const struct recorded all = run();
  static const char *const names[] = {"syclze_group_fill", "syclze_group_prefetch",
      "syclze_group_advise", "syclze_group_copy_part", "syclze_group_native_command",
      "syclze_group_barrier", "syclze_group_host_task", "host task"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[128];
    snprintf(name, sizeof name, "\"name\":\"%s (traced.c:", names[i]);
    if (count_of(all.json, name) == 0) CHECK_STR_EQ(names[i], "in the trace");
  }
  /* The refused submission has none. */
  CHECK_EQ(count_of(all.json, "\"name\":\"syclze_group_host_task"), 1);
  CHECK_EQ(count_of(all.json, "\"name\":\"host task"), 1);
}

TEST(a_host_task_runs_on_another_thread_after_its_submission_began) {
  given_needs_execution();
  const struct recorded all = run();
  struct span task, submission;
  CHECK(span_of(all.json, "host task", &task) != NULL);
  CHECK(span_of(all.json, "syclze_group_host_task", &submission) != NULL);
  CHECK(task.thread != submission.thread);
  CHECK(task.start > submission.start);
}

TEST(host_task_dependencies_are_edges_of_the_graph) {
  given_needs_execution();
  const struct recorded all = run();
  char edge[64];
  const unsigned long kernel = node_of(all.dot, "graph_mix"), task = node_of(all.dot, "host task");
  snprintf(edge, sizeof edge, "c%lu -> c%lu;", kernel, task);
  CHECK_EQ(count_of(all.dot, edge), 1);
  snprintf(edge, sizeof edge, "  c%lu -> ", task);
  CHECK(count_of(all.dot, edge) >= 1);
}

/* A worker copies for the group that requires the buffer in another context. */
TEST(a_copy_between_contexts_is_a_task_and_no_submission) {
  given_needs_execution();
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  struct traced t = traced_begin();
  syclze_context other;
  syclze_queue queue;
  const uint32_t seven = 7;
  CHECK_EQ(syclze_context_create(&t.device, 1, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(other, t.device, NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(t.queue);
  syclze_accessor all = syclze_require(&group, t.a, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(all), &seven, 4, 1024, NULL), ZE_RESULT_SUCCESS);
  char *before = written("json");
  group = syclze_group_begin(queue);
  all = syclze_require(&group, t.a, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(all), &seven, 4, 1024, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  char *after = written("json");
  static const char *const copy = "\"name\":\"copy between contexts\"";
  static const char *const submission = "\"name\":\"syclze_";
  CHECK_EQ(count_of(after, copy) - count_of(before, copy), 1);
  CHECK_EQ(count_of(after, submission) - count_of(before, submission), 2);
  free(before);
  free(after);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(other), ZE_RESULT_SUCCESS);
  traced_end(&t);
}

/* Two runs of a graph, of which the second waits for a scope behind the first. */
static void record_scope_and_graph(struct traced *t) {
  const uint32_t one = 1;
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  syclze_host_accessor accessor;
  syclze_graph graph;
  syclze_executable_graph executable;
  CHECK_EQ(syclze_queue_create(t->context, t->device, &in_order, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(t->context, t->device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, t->a, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &one, 4, 1024, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_host_accessor_create(t->a, SYCLZE_ACCESS_READ_WRITE, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_graph(queue, executable, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
}

TEST(host_accessors_and_runs_of_graphs_are_commands) { // shows host_data 29, graphs 34
  given_needs_execution();
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  struct traced t = traced_begin();
  record_scope_and_graph(&t);
  traced_end(&t);
  char *json = written("json"), *dot = written("dot"), *page = written("html"), edge[64];
  struct span span;
  CHECK(span_of(json, "host accessor (trace_spans.c:", &span) != NULL);
  CHECK_EQ(count_of(json, "\"args\":{\"name\":\"host accessors\"}"), 1);
  CHECK_EQ(count_of(json, "\"name\":\"syclze_group_execute_graph (trace_spans.c:"), 2);
  CHECK_EQ(count_of(dot, "label=\"graph\\n#"), 2);
  CHECK_EQ(count_of(page, "\"host\":-1"), 0);
  snprintf(edge, sizeof edge, "  c%lu -> ", node_of(dot, "host accessor ("));
  CHECK(count_of(dot, edge) >= 1);
  free(json);
  free(dot);
  free(page);
}

static ze_result_t submit_barrier(syclze_interop_handle handle, void *argument) {
  (void)handle;
  return syclze_queue_submit_barrier(*(const syclze_queue *)argument, NULL);
}

/* Both have a span, which the native command's ends where that of the other begins. */
TEST(a_submission_by_a_native_command_has_a_span) {
  given_needs_execution();
  CHECK_EQ(syclze_trace_start(), ZE_RESULT_SUCCESS);
  struct traced t = traced_begin();
  char *before = written("json");
  syclze_group group = syclze_group_begin(t.queue);
  CHECK_EQ(syclze_group_native_command(&group, submit_barrier, &t.queue, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t.queue), ZE_RESULT_SUCCESS);
  char *after = written("json");
  static const char *const native = "\"name\":\"syclze_group_native_command (";
  static const char *const barrier = "\"name\":\"syclze_queue_submit_barrier";
  CHECK_EQ(count_of(after, native) - count_of(before, native), 1);
  CHECK(count_of(after, barrier) - count_of(before, barrier) >= 1);
  free(before);
  free(after);
  traced_end(&t);
}

TEST(trace_points_are_off_after_the_last_consumer_stops) {
  given_needs_execution();
  run();
  CHECK(SYCLZE__STATE.trace_commands != NULL);
  syclze__submissions_record(false);
  CHECK(SYCLZE__STATE.trace_commands == NULL);
  struct traced t = traced_begin();
  uint32_t line;
  traced_run(&t, &line);
  CHECK(SYCLZE__STATE.trace_commands == NULL);
  traced_end(&t);
  char *json = written("json");
  CHECK_EQ(count_of(json, "\"name\":\"syclze_group_launch"), 1);
  CHECK_EQ(count_of(json, "\"name\":\"zeCommandListAppendLaunchKernel"), 2);
  free(json);
}

__attribute__((constructor)) static void prepare(void) {
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  unsetenv("XPTI_FRAMEWORK_DISPATCHER");
  close(mkstemps(path, 5));
  unlink(path);
}

TEST_MAIN(a_submission_by_a_native_command_has_a_span, a_submission_is_a_span_with_its_calls_in_it,
    every_action_has_its_span, a_host_task_runs_on_another_thread_after_its_submission_began,
    host_task_dependencies_are_edges_of_the_graph,
    a_copy_between_contexts_is_a_task_and_no_submission,
    host_accessors_and_runs_of_graphs_are_commands,
    trace_points_are_off_after_the_last_consumer_stops)
