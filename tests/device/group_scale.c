/* Large numbers of command groups: a chain, a fan and a random graph, each with the right result.
   SYCLZE_SCALE sets the number; the default passes every internal limit. */
#include "support/made.h"
#include "support/spy.h"

enum { SCALE = 5000, QUEUES = 3, BUFFERS = 10000 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_kernel_bundle bundle;
  syclze_kernel set, mix;
  syclze_queue queues[QUEUES]; /* the first in order */
};

static uint32_t scale(void) {
  const char *text = getenv("SYCLZE_SCALE");
  return text != NULL ? (uint32_t)strtoul(text, NULL, 10) : SCALE;
}

static struct world begin(void) {
  struct world w;
  memset(&w, 0, sizeof w);
  w.g = given();
  spy_count_only();
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.bundle = made_kernel_bundle(
      w.context, given_module(&w.g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_create(w.bundle, "graph_set", &w.set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(w.bundle, "graph_mix", &w.mix), ZE_RESULT_SUCCESS);
  for (int i = 0; i < QUEUES; i++) {
    syclze_property_list properties = {.flags = i == 0 ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
    CHECK_EQ(
        syclze_queue_create(w.context, w.device, &properties, &w.queues[i]), ZE_RESULT_SUCCESS);
  }
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++) {
    CHECK_EQ(syclze_queue_wait(w->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(w->queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_kernel_release(w->set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(w->mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static syclze_buffer buffer_of(const struct world *w, uint32_t items) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(items * 4, w->device, w->context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, items * 4);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {items, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

static const syclze_nd_range one = {.global = {1}, .local = {1}};

/* to = to * 3 + from + 1 */
static void mix(
    const struct world *w, syclze_group *group, syclze_buffer from, syclze_accessor to) {
  syclze_accessor in = syclze_require(group, from, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_launch(group, w->mix, &one, NULL, syclze_arg(to), syclze_arg(in), syclze_arg(3u),
               syclze_arg(1u)),
      ZE_RESULT_SUCCESS);
}

static uint32_t value_of(syclze_queue queue, syclze_buffer buffer, size_t index) {
  uint32_t value = 0;
  syclze_event done;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor from = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, index, 1);
  CHECK_EQ(syclze_group_update_host(&group, &value, from, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  syclze_event_release(done);
  return value;
}

/* Each waits for the previous one, on another queue. */
TEST(a_chain) {
  given_needs_execution();
  struct world w = begin();
  syclze_buffer x = buffer_of(&w, 1), y = buffer_of(&w, 1);
  uint32_t count = scale(), a = 0, b = 0;
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(w.queues[i % QUEUES]);
    syclze_accessor to = syclze_require(&group, i % 2 ? x : y, SYCLZE_ACCESS_READ_WRITE);
    mix(&w, &group, i % 2 ? y : x, to);
    if (i % 2)
      a = a * 3 + b + 1;
    else
      b = b * 3 + a + 1;
  }
  CHECK_EQ(value_of(w.queues[0], x, 0), a);
  CHECK_EQ(value_of(w.queues[1], y, 0), b);
  CHECK_EQ(syclze_buffer_release(x), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(y), ZE_RESULT_SUCCESS);
  end(&w);
}

/* All read the gated buffer and write a separate part; then the buffer is overwritten. */
TEST(a_fan) {
  given_needs_execution();
  struct world w = begin();
  uint32_t count = scale();
  syclze_buffer x = buffer_of(&w, 1), y = buffer_of(&w, count);
  syclze_event gate;
  CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queues[2]);
  syclze_accessor first = syclze_require(&group, x, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  uint32_t seven = 7, zero = 0;
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(first), &seven, 4, 4, NULL), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++) {
    group = syclze_group_begin(w.queues[1 + i % 2]);
    mix(&w, &group, x, syclze_group_require_range(&group, y, SYCLZE_ACCESS_READ_WRITE, i, 1));
    if (i == count / 2)
      CHECK_EQ(zeEventHostSignal(syclze_event_get_native(gate)), ZE_RESULT_SUCCESS);
  }
  group = syclze_group_begin(w.queues[2]);
  syclze_accessor last = syclze_require(&group, x, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(last), &zero, 4, 4, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(value_of(w.queues[0], x, 0), 0);
  uint32_t *values = (uint32_t *)malloc(count * sizeof *values);
  CHECK(values != NULL);
  syclze_event done;
  group = syclze_group_begin(w.queues[0]);
  syclze_accessor all = syclze_require(&group, y, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_update_host(&group, values, all, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    CHECK_EQ(values[i], 8);
  free(values);
  syclze_event_release(done);
  syclze_event_release(gate);
  CHECK_EQ(syclze_buffer_release(x), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(y), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_random_graph) {
  given_needs_execution();
  struct world w = begin();
  static syclze_buffer buffers[BUFFERS];
  static uint32_t model[BUFFERS];
  memset(model, 0, sizeof model);
  for (uint32_t i = 0; i < BUFFERS; i++)
    buffers[i] = buffer_of(&w, 1);
  uint32_t count = scale(), state = 1;
  for (uint32_t i = 0; i < count; i++) {
    state = state * 1664525 + 1013904223;
    uint32_t from = (state >> 8) % BUFFERS;
    state = state * 1664525 + 1013904223;
    uint32_t to = (from + 1 + (state >> 8) % (BUFFERS - 1)) % BUFFERS;
    uint32_t queue = state >> 30 & 1 ? 0 : 1 + (state >> 29 & 1);
    syclze_group group = syclze_group_begin(w.queues[queue]);
    mix(&w, &group, buffers[from], syclze_require(&group, buffers[to], SYCLZE_ACCESS_READ_WRITE));
    model[to] = model[to] * 3 + model[from] + 1;
  }
  for (uint32_t i = 0; i < BUFFERS; i++) {
    CHECK_EQ(value_of(w.queues[0], buffers[i], 0), model[i]);
    CHECK_EQ(syclze_buffer_release(buffers[i]), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST_MAIN(a_chain, a_fan, a_random_graph)
