/* Data of the host of a buffer on a device that cannot access them: what has not changed since the
   last copy is not copied again, and all else is. */
#include "support/failing.h"
#include "support/given.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DISCRETE", "1");
}

#include "support/spy.h"
#include "support/two_queues.h"

#include "syclze/command/graph.h"

enum { COUNT = 1000, MARK = 7 /* the element that shows a copy */ };

struct world {
  struct two_queues two;
  uint32_t data[COUNT];
  syclze_buffer buffer; /* of the data */
};

static void begin(struct world *w) {
  two_queues_begin(&w->two);
  for (uint32_t i = 0; i < COUNT; i++)
    w->data[i] = i;
  const syclze_buffer_desc desc = {
      .element_size = sizeof(uint32_t), .range = {COUNT}, .host_data = w->data};
  CHECK_EQ(syclze_buffer_create(w->two.context, &desc, &w->buffer), ZE_RESULT_SUCCESS);
}

static void end(struct world *w) {
  CHECK_EQ(syclze_buffer_release(w->buffer), ZE_RESULT_SUCCESS);
  two_queues_end(&w->two);
}

static syclze_host_accessor open_scope(const struct world *w, syclze_access_mode mode) {
  syclze_host_accessor accessor;
  CHECK_EQ(syclze_host_accessor_create(w->buffer, mode, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_get_pointer(accessor), (void *)(uintptr_t)w->data);
  return accessor;
}

/* True if a read accessor copies the buffer: only then is a number gone that the test has put into
   the data meanwhile. */
static bool copies(struct world *w) {
  const uint32_t before = w->data[MARK];
  w->data[MARK] = before + 1000000;
  const syclze_host_accessor accessor = open_scope(w, SYCLZE_ACCESS_READ);
  const bool copied = w->data[MARK] != before + 1000000;
  if (!copied) w->data[MARK] = before;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  return copied;
}

static void fill(const struct world *w, syclze_queue queue, uint32_t value) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(all), &value, sizeof value, COUNT * sizeof value, NULL),
      ZE_RESULT_SUCCESS);
}

/* A group that reads all of the buffer, to its last number on the device. */
static uint32_t read_on(const struct world *w, syclze_queue queue) {
  const size_t size = COUNT * sizeof(uint32_t);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ);
  void *memory;
  CHECK_EQ(syclze_malloc_host(size, w->two.context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(memory), syclze_mem_arg(all), size, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  const uint32_t number = ((const uint32_t *)memory)[COUNT - 1];
  CHECK_EQ(syclze_free(memory, w->two.context), ZE_RESULT_SUCCESS);
  return number;
}

TEST(data_that_nothing_has_written_are_not_copied) { // shows host_data 11
  given_needs_execution();
  struct world w;
  begin(&w);
  CHECK(!copies(&w));
  CHECK_EQ(read_on(&w, w.two.queue), COUNT - 1);
  CHECK(!copies(&w));
  CHECK_EQ(read_on(&w, w.two.other), COUNT - 1);
  CHECK(!copies(&w));
  uint32_t seen[3];
  CHECK_EQ(syclze_buffer_read(w.buffer, seen, 8, sizeof seen), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen[0], 2);
  CHECK_EQ(seen[2], 4);
  end(&w);
}

TEST(what_a_group_has_written_is_copied_once) { // shows host_data 11
  given_needs_execution();
  struct world w;
  begin(&w);
  CHECK(!copies(&w));
  for (uint32_t i = 0; i < 2; i++) {
    syclze_queue queue = i == 0 ? w.two.queue : w.two.other;
    fill(&w, queue, 10 + i);
    CHECK(copies(&w));
    CHECK_EQ(w.data[0], 10 + i);
    CHECK(!copies(&w));
    /* The queue owns the buffer after it has read it: its writes are positions. */
    read_on(&w, queue);
    fill(&w, queue, 20 + i);
    fill(&w, queue, 30 + i);
    read_on(&w, w.two.other);
    uint32_t seen;
    CHECK_EQ(syclze_buffer_read(w.buffer, &seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
    CHECK_EQ(seen, 30 + i);
    CHECK(copies(&w));
    CHECK_EQ(w.data[COUNT - 1], 30 + i);
    CHECK(!copies(&w));
  }
  end(&w);
}

TEST(what_a_deferred_group_or_a_part_of_one_has_written_is_copied) { // shows host_data 11
  given_needs_execution();
  struct world w;
  begin(&w);
  read_on(&w, w.two.queue);
  fill(&w, w.two.queue, 4);
  CHECK(copies(&w));
  const uint32_t five = 5;
  syclze_group group = syclze_group_begin(w.two.queue);
  syclze_accessor part = syclze_group_require_range(&group, w.buffer, SYCLZE_ACCESS_WRITE, MARK, 2);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(part), &five, sizeof five, 2 * sizeof five, NULL),
      ZE_RESULT_SUCCESS);
  CHECK(copies(&w));
  CHECK_EQ(w.data[MARK + 1], 5);
  CHECK_EQ(w.data[MARK + 2], 4);
  CHECK(!copies(&w));
  /* Behind a scope of the host the group is deferred. */
  const syclze_host_accessor accessor = open_scope(&w, SYCLZE_ACCESS_READ);
  fill(&w, w.two.queue, 6);
  CHECK_EQ(w.data[MARK], 5);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK(copies(&w));
  CHECK_EQ(w.data[0], 6);
  end(&w);
}

TEST(runs_of_a_graph_that_writes_are_copied) { // shows host_data 11
  given_needs_execution();
  struct world w;
  syclze_graph graph;
  syclze_executable_graph executable;
  begin(&w);
  CHECK_EQ(syclze_buffer_set_write_back(w.buffer, false), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(w.two.context, w.two.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w.two.queue), ZE_RESULT_SUCCESS);
  fill(&w, w.two.queue, 8);
  CHECK_EQ(syclze_graph_end_recording(graph, w.two.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK(!copies(&w));
  for (int i = 0; i < 3; i++) {
    const syclze_host_accessor accessor = open_scope(&w, SYCLZE_ACCESS_READ_WRITE);
    w.data[MARK] = w.data[COUNT - 1] = 1;
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
    for (int runs = 0; runs <= i; runs++)
      CHECK_EQ(syclze_queue_submit_graph(w.two.queue, executable, NULL), ZE_RESULT_SUCCESS);
    CHECK(copies(&w));
    CHECK_EQ(w.data[COUNT - 1], 8);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(what_the_host_writes_is_not_copied_back_to_it) { // shows host_data 11
  given_needs_execution();
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 9);
  syclze_host_accessor accessor = open_scope(&w, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(w.data[COUNT - 1], 9);
  w.data[COUNT - 1] = 10;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK(!copies(&w));
  CHECK_EQ(read_on(&w, w.two.queue), 10);
  accessor = open_scope(&w, SYCLZE_ACCESS_DISCARD_WRITE);
  for (uint32_t i = 0; i < COUNT; i++)
    w.data[i] = 11;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK(!copies(&w));
  CHECK_EQ(read_on(&w, w.two.other), 11);
  /* The host has no copy of other data than the buffer's. */
  const uint32_t twelve = 12;
  CHECK_EQ(syclze_buffer_write(w.buffer, &twelve, 0, sizeof twelve), ZE_RESULT_SUCCESS);
  CHECK(copies(&w));
  CHECK_EQ(w.data[0], 12);
  end(&w);
}

/* Writes the last number by an accessor of the last ten. */
static void write_part(struct world *w, uint32_t value) {
  syclze_host_accessor part;
  CHECK_EQ(
      syclze_host_accessor_create_range(w->buffer, SYCLZE_ACCESS_READ_WRITE, COUNT - 10, 10, &part),
      ZE_RESULT_SUCCESS);
  w->data[COUNT - 1] = value;
  CHECK_EQ(syclze_host_accessor_release(part), ZE_RESULT_SUCCESS);
}

TEST(a_part_of_current_data_leaves_them_current_and_of_others_not) { // shows host_data 11
  given_needs_execution();
  struct world w;
  begin(&w);
  write_part(&w, 20);
  CHECK(!copies(&w));
  CHECK_EQ(read_on(&w, w.two.queue), 20);
  fill(&w, w.two.queue, 21);
  write_part(&w, 22);
  CHECK_EQ(w.data[COUNT - 2], 21);
  CHECK_EQ(w.data[0], 0);
  CHECK(copies(&w));
  CHECK_EQ(w.data[0], 21);
  CHECK_EQ(w.data[COUNT - 1], 22);
  CHECK(!copies(&w));
  end(&w);
}

TEST(data_are_current_neither_while_they_are_written_nor_after_a_failure) { // shows host_data 11
  given_needs_execution();
  struct world w;
  begin(&w);
  CHECK(!copies(&w));
  syclze_host_accessor accessor = open_scope(&w, SYCLZE_ACCESS_READ_WRITE);
  w.data[MARK] = 30;
  spy_fail_named("zeCommandListAppendMemoryCopy", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK(copies(&w));
  CHECK_EQ(w.data[MARK], MARK);
  fill(&w, w.two.queue, 31);
  CHECK_EQ(syclze_queue_wait(w.two.queue), ZE_RESULT_SUCCESS);
  spy_fail_named("zeCommandListAppendMemoryCopy", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(syclze_host_accessor_create(w.buffer, SYCLZE_ACCESS_READ, &accessor),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK(copies(&w));
  CHECK_EQ(w.data[0], 31);
  end(&w);
}

TEST_MAIN(data_that_nothing_has_written_are_not_copied, what_a_group_has_written_is_copied_once,
    what_a_deferred_group_or_a_part_of_one_has_written_is_copied,
    runs_of_a_graph_that_writes_are_copied, what_the_host_writes_is_not_copied_back_to_it,
    a_part_of_current_data_leaves_them_current_and_of_others_not,
    data_are_current_neither_while_they_are_written_nor_after_a_failure)
