/* Each driver call of a submission fails once: the action returns the code and no event, the group
   ends, earlier work completes, and the same submission succeeds afterwards. */
#include "support/queue_kinds.h"
#include "support/refused.h"
#include "support/spy.h"

enum { ITEMS = 64, ROWS = 8 };

/* A code that every function passes through unchanged. */
static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

struct world {
  struct given g;
  syclze_context context;
  syclze_queue queue, other; /* of the submission, and of the work before it */
  syclze_kernel_bundle bundle;
  syclze_kernel set;
  uint32_t *memory;
  syclze_buffer buffer;
  syclze_event gate;
  int runs; /* runs of host functions */
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  given_kernel(&w.g, "tests/kernels/graph.spv", "graph_set");
  w.bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  w.set = made_kernel(w.bundle, w.g.kernel, w.context, SYCLZE_OWNERSHIP_KEEP);
  w.memory = zeros(&w.g, w.context, ITEMS * sizeof *w.memory);
  syclze_buffer_input input = {.native_handle = w.memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(uint32_t),
      .dimensions = 2,
      .range = {ROWS, ITEMS / ROWS}};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle;
  __atomic_add_fetch((int *)argument, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

typedef ze_result_t action(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event);

static ze_result_t launch(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  static const syclze_nd_range range = {.global = {ITEMS}, .local = {8}};
  uint32_t factor = 1, addend = 1;
  return syclze_launch(
      group, w->set, &range, event, syclze_arg(all), syclze_arg(factor), syclze_arg(addend));
}

static ze_result_t fill(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  static const uint32_t three = 3;
  (void)w;
  return syclze_group_fill(
      group, syclze_mem_arg(all), &three, sizeof three, ITEMS * sizeof three, event);
}

static ze_result_t copy_part(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  static const uint32_t host[ITEMS];
  static const size_t first[2] = {1, 1}, count[2] = {2, 2};
  (void)all;
  syclze_accessor part =
      syclze_group_require_range_nd(group, w->buffer, SYCLZE_ACCESS_READ_WRITE, first, count);
  return syclze_group_copy_part(group, syclze_mem_arg(part), syclze_mem_arg(host), event);
}

static ze_result_t prefetch(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  (void)w;
  return syclze_group_prefetch(group, syclze_mem_arg(all), ITEMS, event);
}

static ze_result_t barrier(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  (void)w, (void)all;
  return syclze_group_barrier(group, event);
}

static ze_result_t native_command(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  (void)all;
  return syclze_group_native_command(group, count_run, &w->runs, event);
}

static ze_result_t host_task(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *event) {
  (void)all;
  return syclze_group_host_task(group, count_run, &w->runs, event);
}

static ze_result_t submit(struct world *w, action *act, syclze_event *event) {
  syclze_group group = syclze_group_begin(w->queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
  syclze_group_depends_on(&group, w->gate);
  return act(w, &group, all, event);
}

/* One submission whose n-th driver call fails, after work of another queue that waits for a gate.
   False once there are fewer calls. */
static bool fails_at(struct world *w, enum kind kind, action *act, bool on_host, unsigned n) {
  const uint32_t nine = 9;
  syclze_event event = {NULL}, last;
  CHECK_EQ(syclze_event_create(w->context, 0, &w->gate), ZE_RESULT_SUCCESS);
  w->queue = queue_of_kind(&w->g, w->context, kind);
  w->other = queue_of_kind(&w->g, w->context, OUT_OF_ORDER);
  memset(w->memory, 0, ITEMS * sizeof *w->memory);
  w->runs = 0;
  syclze_group before = syclze_group_begin(w->other);
  syclze_accessor all = syclze_require(&before, w->buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&before, w->gate);
  CHECK_EQ(syclze_group_fill(
               &before, syclze_mem_arg(all), &nine, sizeof nine, ITEMS * sizeof nine, NULL),
      ZE_RESULT_SUCCESS);
  refused_begin();
  spy_fail_at(n, broken);
  ze_result_t result = submit(w, act, &event);
  const char *failed = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  bool refused = result != ZE_RESULT_SUCCESS;
  if (refused) {
    CHECK_EQ(result, broken);
    CHECK(failed != NULL);
    CHECK_EQ(event.rep, NULL);
    CHECK_EQ(refused_count(), 1);
  }
  CHECK_EQ(submit(w, act, &last), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(last), UINT64_MAX), ZE_RESULT_SUCCESS);
  ze_result_t waited = syclze_queue_wait(w->queue);
  CHECK_EQ(syclze_queue_wait(w->other), ZE_RESULT_SUCCESS);
  /* The failed call was a worker's, of an accepted host task. */
  bool later = waited != ZE_RESULT_SUCCESS;
  if (later) {
    CHECK(on_host);
    CHECK_EQ(waited, broken);
  }
  /* A native command's function may have run before the failure. */
  if (act == host_task || (act == native_command && !refused))
    CHECK_EQ(w->runs, refused || later ? 1 : 2);
  if (failed && !refused && !later) /* the call was optional */
    CHECK_STR_EQ(failed, "zeEventQueryStatus");
  /* The earlier work completes, then the submission. */
  uint32_t expected = act == fill ? 3 : act == launch ? w->memory[ITEMS - 1] : 9;
  CHECK_EQ(w->memory[ITEMS - 1], expected);
  CHECK(w->memory[ITEMS - 1] != 0);
  if (act == copy_part) CHECK_EQ(w->memory[ITEMS / ROWS + 1], 0);
  CHECK_EQ(spy_destroys_of(w->memory), 0);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  return failed != NULL;
}

static void fail_each_call(action *act, bool on_host) {
  for (int kind = 0; kind < KINDS; kind++) {
    struct world w = begin();
    /* The first submissions get new events, which need no call; later ones reset theirs. */
    unsigned n = 1;
    for (int none = 0; none < 3;)
      if (fails_at(&w, (enum kind)kind, act, on_host, n))
        n++;
      else
        none++;
    CHECK(n > 1);
    end(&w);
  }
}

TEST(launches) {
  fail_each_call(launch, false);
}

TEST(fills) {
  fail_each_call(fill, false);
}

TEST(copies_of_parts) {
  fail_each_call(copy_part, false);
}

TEST(hints) {
  fail_each_call(prefetch, false);
}

TEST(barriers) {
  fail_each_call(barrier, false);
}

TEST(native_commands) {
  fail_each_call(native_command, true);
}

TEST(host_tasks) {
  fail_each_call(host_task, true);
}

TEST_MAIN(launches, fills, copies_of_parts, hints, barriers, native_commands, host_tasks)
