/* Entries of a table of commands for launches, which are one append or take the general path: equal
 * for both, with an end for each begin, regardless of failures. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

enum { ITEMS = 64 };

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

/* The last command, and how often each member of the table was called. */
static struct {
  struct syclze__trace_command_info command;
  struct syclze__trace_kernel_info kernel;
  size_t items, value_size;
  uint32_t value;
  ze_result_t result;
  bool over, refuses;
  unsigned began, ended, discarded, submissions, accesses;
} seen;

static const struct syclze__trace_commands table;
static struct syclze__trace_node node = {&table};

static struct syclze__trace_node *command_begin(const struct syclze__trace_command_info *command) {
  seen.command = *command;
  seen.kernel = *command->kernel;
  seen.items = seen.kernel.range->global[0];
  seen.value_size = seen.kernel.arguments[1].size;
  memcpy(&seen.value, seen.kernel.arguments[1].of.bytes, sizeof seen.value);
  seen.began++;
  return seen.refuses ? NULL : &node;
}

static void command_end(struct syclze__trace_node *ended, ze_result_t result, bool over) {
  CHECK(ended == &node);
  seen.ended++;
  seen.result = result;
  seen.over = over;
}

static void command_discard(void) {
  seen.discarded++;
}

static void submission_end(void) {
  seen.submissions++;
}

static bool accesses_wanted(void) {
  return true;
}

static void access_seen(
    const void *object, const void *accessor, uint32_t mode, size_t pixel_size) {
  CHECK(object != NULL && accessor != NULL);
  CHECK_EQ(mode, (uint32_t)SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(pixel_size, 0);
  seen.accesses++;
}

static const struct syclze__trace_commands table = {
    .accesses_wanted = accesses_wanted,
    .access = access_seen,
    .command_begin = command_begin,
    .command_end = command_end,
    .command_discard = command_discard,
    .submission_end = submission_end,
};

struct world {
  struct given g;
  syclze_context context;
  syclze_queue queue;
  syclze_kernel kernel;
  uint32_t *memory;
  syclze_buffer buffer;
};

static void trace(bool on) {
  memset(&seen, 0, sizeof seen);
  __atomic_store_n(&SYCLZE__STATE.trace_commands, on ? &table : NULL, __ATOMIC_RELAXED);
}

static struct world begin(void) {
  given_needs_execution();
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  struct world w = {.g = given()};
  void *memory;
  syclze_device device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(w.context, device, &in_order, &w.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(uint32_t), device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, ITEMS * sizeof(uint32_t));
  const syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(uint32_t)};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  given_kernel(&w.g, "tests/kernels/graph.spv", "graph_set");
  syclze_kernel_bundle bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  w.kernel = made_kernel(bundle, w.g.kernel, w.context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  trace(false);
  CHECK_EQ(syclze_queue_wait(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static ze_result_t launch(const struct world *w, uint32_t factor, syclze_event *event) {
  static const syclze_nd_range range = {.global = {ITEMS}, .local = {8}};
  const uint32_t addend = 1;
  syclze_group group = syclze_group_begin(w->queue);
  const syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
  return syclze_launch(
      &group, w->kernel, &range, event, syclze_arg(all), syclze_arg(factor), syclze_arg(addend));
}

static void check_launched(const struct world *w, uint32_t factor, bool has_event) {
  CHECK_EQ(seen.began, 1);
  CHECK_EQ(seen.ended, 1);
  CHECK_EQ(seen.result, ZE_RESULT_SUCCESS);
  CHECK_EQ(seen.over, !has_event);
  CHECK_EQ(seen.submissions, has_event);
  CHECK_EQ(seen.discarded, 0);
  CHECK_EQ(seen.accesses, 1);
  CHECK_STR_EQ(seen.command.function, "syclze_group_launch");
  CHECK(seen.command.queue == w->queue.rep);
  CHECK(seen.command.native == (const void *)syclze_queue_get_native(w->queue).list);
  CHECK(seen.command.device == w->g.device && seen.command.context == w->g.context);
  CHECK(seen.command.type == NULL && seen.command.transfer == NULL);
  CHECK_EQ(seen.command.wait_count, 0);
  CHECK_EQ(seen.command.signal != NULL, has_event);
  CHECK(!seen.command.is_host && !seen.command.is_barrier);
  CHECK(seen.kernel.native == w->g.kernel && seen.kernel.object == w->kernel.rep);
  CHECK_EQ(seen.kernel.count, 3);
  CHECK_EQ(seen.items, ITEMS);
  CHECK_EQ(seen.value_size, sizeof factor);
  CHECK_EQ(seen.value, factor);
}

TEST(each_launch_is_traced_alike) {
  struct world w = begin();
  syclze_event event;
  /* The first one binds the kernel and the buffer to the queue, the others find both bound. */
  for (uint32_t i = 0; i < 4; i++) {
    trace(true);
    const unsigned before = spy_calls();
    CHECK_EQ(launch(&w, i, NULL), ZE_RESULT_SUCCESS);
    CHECK(spy_calls() > before);
    check_launched(&w, i, false);
  }
  trace(true);
  CHECK_EQ(launch(&w, 5, &event), ZE_RESULT_SUCCESS);
  check_launched(&w, 5, true);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(w.memory[i], 5 * i + 1);
  end(&w);
}

TEST(a_command_that_is_not_wanted_has_no_end) {
  struct world w = begin();
  for (uint32_t i = 0; i < 2; i++) {
    trace(true);
    seen.refuses = true;
    CHECK_EQ(launch(&w, 1, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(seen.began, 1);
    CHECK_EQ(seen.ended + seen.discarded + seen.submissions, 0);
  }
  end(&w);
}

/* The n-th driver call of a launch fails. False once there are fewer calls. */
static bool fails_at(const struct world *w, unsigned n, bool refuses) {
  trace(true);
  seen.refuses = refuses;
  refused_begin();
  spy_fail_at(n, broken);
  const ze_result_t result = launch(w, 1, NULL);
  const char *failed = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  if (failed == NULL) {
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    return false;
  }
  CHECK_EQ(result, broken);
  CHECK_EQ(refused_count(), 1);
  const bool at_append = strcmp(failed, "zeCommandListAppendLaunchKernel") == 0;
  const bool ends = at_append && !refuses;
  CHECK_EQ(seen.began, at_append);
  CHECK_EQ(seen.ended, ends);
  if (ends) CHECK(seen.over && seen.result == broken);
  CHECK_EQ(seen.discarded, !ends);
  CHECK_EQ(seen.submissions, !ends);
  return true;
}

TEST(a_launch_that_fails_ends_or_is_discarded) {
  struct world w = begin();
  unsigned n = 0;
  CHECK_EQ(launch(&w, 1, NULL), ZE_RESULT_SUCCESS);
  for (int refuses = 0; refuses < 2; refuses++) {
    for (n = 1; fails_at(&w, n, refuses != 0); n++)
      ;
    /* Three arguments, the group size and the append. */
    CHECK_EQ(n, 6);
  }
  end(&w);
}

TEST_MAIN(each_launch_is_traced_alike, a_command_that_is_not_wanted_has_no_end,
    a_launch_that_fails_ends_or_is_discarded)
