/* Copies of non-contiguous parts, host copies, hints, and refused ones, on every kind of queue. */
#undef SYCLZE_DECLARATIONS
#include "support/made.h"
#include "support/refused.h"

enum { SLICES = 4, ROWS = 5, COLUMNS = 6, ITEMS = SLICES * ROWS * COLUMNS };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[3]; /* in order, out of order, on a command queue */
  int *memory[2];
  syclze_buffer buffers[2]; /* of three dimensions, and of two with as many elements */
};

enum { QUEUES = 3 };

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(w.context, w.device, &in_order, &w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &w.queues[1]), ZE_RESULT_SUCCESS);
  w.queues[2] =
      made_queue(&w.g, w.context, syclze_native_queue_of(w.g.queue), SYCLZE_OWNERSHIP_KEEP);
  syclze_buffer_input inputs[2] = {{.dimensions = 3, .range = {SLICES, ROWS, COLUMNS}},
      {.dimensions = 2, .range = {SLICES * ROWS, COLUMNS}}};
  for (int i = 0; i < 2; i++) {
    void *memory;
    CHECK_EQ(
        syclze_malloc_shared(ITEMS * sizeof(int), w.device, w.context, &memory), ZE_RESULT_SUCCESS);
    w.memory[i] = memory;
    inputs[i].native_handle = memory;
    inputs[i].element_size = sizeof(int);
    inputs[i].ownership = SYCLZE_OWNERSHIP_KEEP;
    CHECK_EQ(syclze_make_buffer(&inputs[i], w.context, &w.buffers[i]), ZE_RESULT_SUCCESS);
  }
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_release(w->buffers[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(w->memory[i], w->context), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static void number(struct world *w) {
  for (int i = 0; i < ITEMS; i++)
    w->memory[0][i] = i + 1, w->memory[1][i] = -1;
}

static int at(size_t slice, size_t row, size_t column) {
  return (int)((slice * ROWS + row) * COLUMNS + column);
}

static const size_t first[3] = {1, 2, 3}, count[3] = {3, 2, 2};

/* Each element of the box in buffer 0 comes from `packed`; no other changes. */
static void check_box(const struct world *w, const int *packed, int factor) {
  for (size_t slice = 0; slice < SLICES; slice++)
    for (size_t row = 0; row < ROWS; row++)
      for (size_t column = 0; column < COLUMNS; column++) {
        size_t in[3] = {slice - first[0], row - first[1], column - first[2]};
        bool inside = in[0] < count[0] && in[1] < count[1] && in[2] < count[2];
        size_t place = (in[0] * count[1] + in[1]) * count[2] + in[2];
        int expected = at(slice, row, column) + 1;
        if (inside) {
          CHECK_EQ(packed[place], factor * expected);
          expected = packed[place];
        }
        CHECK_EQ(w->memory[0][at(slice, row, column)], expected);
      }
}

TEST(a_part_is_copied_to_contiguous_host_memory_and_back) {
  struct world w = begin();
  for (int i = 0; i < QUEUES; i++) {
    int packed[12] = {0};
    number(&w);
    syclze_group group = syclze_group_begin(w.queues[i]);
    syclze_accessor part =
        syclze_group_require_range_nd(&group, w.buffers[0], SYCLZE_ACCESS_READ, first, count);
    CHECK_EQ(part.size, 0);
    CHECK_EQ(syclze_group_update_host(&group, packed, part, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    check_box(&w, packed, 1);
    for (int k = 0; k < 12; k++)
      packed[k] *= -7;
    group = syclze_group_begin(w.queues[i]);
    part = syclze_group_require_range_nd(&group, w.buffers[0], SYCLZE_ACCESS_WRITE, first, count);
    CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(part), syclze_mem_arg(packed), NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    check_box(&w, packed, -7);
  }
  end(&w);
}

TEST(a_whole_buffer_is_copied_to_the_host) {
  struct world w = begin();
  for (int i = 0; i < QUEUES; i++) {
    int all[ITEMS] = {0};
    number(&w);
    syclze_group group = syclze_group_begin(w.queues[i]);
    syclze_accessor whole = syclze_require(&group, w.buffers[1], SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(
        syclze_group_copy_part(&group, syclze_mem_arg(whole), syclze_mem_arg(w.memory[0]), NULL),
        ZE_RESULT_SUCCESS);
    group = syclze_group_begin(w.queues[i]);
    whole = syclze_require(&group, w.buffers[1], SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_update_host(&group, all, whole, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (int k = 0; k < ITEMS; k++)
      CHECK_EQ(all[k], k + 1);
  }
  end(&w);
}

/* Buffers, accessors, pointers and memory arguments, in all pairs. */
TEST(operands_of_a_copy_are_taken_as_they_are) { // shows promises 7
  struct world w = begin();
  enum { BYTES = ITEMS * sizeof(int) };
  const int one = 1, two = 2;
  for (int i = 0; i < QUEUES; i++) {
    int all[ITEMS] = {0};
    syclze_event done;
    number(&w);
    syclze_group group = syclze_group_begin(w.queues[i]);
    CHECK_EQ(syclze_copy(&group, w.buffers[1], w.buffers[0], BYTES, NULL), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(w.queues[i]); /* ordered by the buffer */
    CHECK_EQ(syclze_copy(&group, all, w.buffers[1], sizeof all, &done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    for (int k = 0; k < ITEMS; k++)
      CHECK_EQ(all[k], k + 1);
    group = syclze_group_begin(w.queues[i]);
    CHECK_EQ(syclze_fill(&group, w.buffers[1], &two, sizeof two, BYTES, NULL), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(w.queues[i]);
    syclze_accessor whole = syclze_require(&group, w.buffers[1], SYCLZE_ACCESS_READ);
    CHECK_EQ(
        syclze_copy(&group, syclze_mem_arg(&all[0]), whole, sizeof all, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (int k = 0; k < ITEMS; k++)
      CHECK_EQ(all[k], 2);
    group = syclze_group_begin(w.queues[i]);
    CHECK_EQ(syclze_fill(&group, w.memory[1], &one, sizeof one, BYTES, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[1][ITEMS - 1], 1);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(operands_of_a_copy_that_are_wrong_are_refused) { // shows promises 7
  struct world w = begin();
  const void *native = syclze_get_native(w.queues[0]).list;
  const syclze_buffer none = {NULL};
  int numbers[2] = {0, 0};
  syclze_group group = syclze_group_begin(w.queues[0]);
  FAILED(syclze_copy(&group, none, numbers, 8, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_group_copy", "null", native);
  group = syclze_group_begin(w.queues[0]);
  syclze_accessor read = syclze_require(&group, w.buffers[0], SYCLZE_ACCESS_READ);
  FAILED(syclze_copy(&group, read, numbers, 8, NULL), SYCLZE_RESULT_ERROR_ACCESSOR,
      "syclze_group_copy", "read", native);
  group = syclze_group_begin(w.queues[0]);
  FAILED(syclze_fill(&group, w.buffers[0], numbers, 4, ITEMS * sizeof(int) + 4, NULL),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_fill", "smaller than the access", native);
  end(&w);
}

/* Three rows of a slice, to rows of a two-dimensional buffer. */
TEST(a_part_is_copied_to_a_part_of_a_buffer_of_another_shape) {
  struct world w = begin();
  static const size_t from_first[3] = {2, 1, 1}, from_count[3] = {1, 3, 4};
  static const size_t to_first[2] = {7, 0}, to_count[2] = {3, 4};
  for (int i = 0; i < QUEUES; i++) {
    number(&w);
    syclze_group group = syclze_group_begin(w.queues[i]);
    syclze_accessor from = syclze_group_require_range_nd(
        &group, w.buffers[0], SYCLZE_ACCESS_READ, from_first, from_count);
    syclze_accessor to = syclze_group_require_range_nd(
        &group, w.buffers[1], SYCLZE_ACCESS_WRITE, to_first, to_count);
    CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(to), syclze_mem_arg(from), NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (size_t row = 0; row < SLICES * ROWS; row++)
      for (size_t column = 0; column < COLUMNS; column++) {
        bool inside = row - to_first[0] < to_count[0] && column < to_count[1];
        CHECK_EQ(w.memory[1][row * COLUMNS + column],
            inside ? at(2, row - to_first[0] + 1, column + 1) + 1 : -1);
      }
  }
  end(&w);
}

TEST(invalid_copies_are_refused_by_name) {
  struct world w = begin();
  static const char *const function = "syclze_group_copy_part";
  static const size_t other[3] = {3, 2, 1};
  const ze_command_queue_handle_t native = w.queues[1].rep->native.queue;
  int packed[12];
  syclze_group group = syclze_group_begin(w.queues[1]);
  FAILED(syclze_group_copy_part(&group, syclze_mem_arg(packed), syclze_mem_arg(packed), NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, function, "neither argument is an accessor", native);
  group = syclze_group_begin(w.queues[1]);
  syclze_accessor to =
      syclze_group_require_range_nd(&group, w.buffers[0], SYCLZE_ACCESS_WRITE, first, other);
  syclze_accessor from =
      syclze_group_require_range_nd(&group, w.buffers[0], SYCLZE_ACCESS_READ, first, count);
  FAILED(syclze_group_copy_part(&group, syclze_mem_arg(to), syclze_mem_arg(from), NULL),
      SYCLZE_RESULT_ERROR_INVALID, function, "must have the same rows", native);
  group = syclze_group_begin(w.queues[1]);
  to = syclze_require(&group, w.buffers[0], SYCLZE_ACCESS_WRITE);
  from = syclze_group_require_range(&group, w.buffers[1], SYCLZE_ACCESS_READ, 0, 1);
  FAILED(syclze_group_copy_part(&group, syclze_mem_arg(to), syclze_mem_arg(from), NULL),
      SYCLZE_RESULT_ERROR_INVALID, function, "", native);
  group = syclze_group_begin(w.queues[1]);
  from = syclze_group_require_range_nd(&group, w.buffers[0], SYCLZE_ACCESS_READ, first, count);
  FAILED(syclze_group_copy_part(&group, syclze_mem_arg(from), syclze_mem_arg(packed), NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, function, "only reads", native);
  group = syclze_group_begin(w.queues[1]);
  from =
      syclze_group_require_range_nd(&group, w.buffers[0], SYCLZE_ACCESS_READ_WRITE, first, count);
  FAILED(syclze_group_fill(&group, syclze_mem_arg(from), packed, 4, 8, NULL),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_fill", "must be contiguous", native);
  group = syclze_group_begin(w.queues[1]);
  from = syclze_require(&group, w.buffers[0], SYCLZE_ACCESS_READ);
  FAILED(syclze_group_update_host(&group, NULL, from, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      function, "null", native);
  end(&w);
}

/* Slices of 4 GiB: refused before any access. */
TEST(slices_beyond_the_limit_of_a_region_are_refused_by_name) {
  const size_t huge = (size_t)UINT32_MAX + 1;
  struct syclze__rows rows = {{huge / 2, 2, 2}, {huge / 2, huge}};
  struct syclze__status status = syclze__check_rows(&rows, &rows);
  CHECK_EQ(status.result, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK(strstr(status.rule, "4 GiB") != NULL);
  rows.pitch[1] = huge - 2;
  rows.extent[0] = rows.pitch[0] = huge / 2 - 1;
  CHECK_EQ(syclze__check_rows(&rows, &rows).result, ZE_RESULT_SUCCESS);
}

static bool is_signalled(syclze_event event) {
  return zeEventQueryStatus(syclze_get_native(event)) == ZE_RESULT_SUCCESS;
}

/* Hints take no events in Level Zero; their groups wait and are waited for all the same. */
TEST(hints_wait_and_are_waited_for) {
  struct world w = begin();
  for (int i = 0; i < QUEUES; i++)
    for (int advise = 0; advise < 2; advise++) {
      syclze_event gate, hinted, after;
      CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
      syclze_group group = syclze_group_begin(w.queues[i]);
      syclze_group_depends_on(&group, gate);
      syclze_accessor part = syclze_require(&group, w.buffers[0], SYCLZE_ACCESS_READ_WRITE);
      CHECK_EQ(advise ? syclze_group_advise(&group, syclze_mem_arg(part), 64,
                            ZE_MEMORY_ADVICE_SET_READ_MOSTLY, &hinted)
                      : syclze_group_prefetch(&group, syclze_mem_arg(part), 64, &hinted),
          ZE_RESULT_SUCCESS);
      int five = 5;
      group = syclze_group_begin(w.queues[i]);
      part = syclze_require(&group, w.buffers[0], SYCLZE_ACCESS_WRITE);
      CHECK_EQ(syclze_group_fill(
                   &group, syclze_mem_arg(part), &five, sizeof five, ITEMS * sizeof five, &after),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(zeEventHostSynchronize(syclze_get_native(after), 5000000), ZE_RESULT_NOT_READY);
      CHECK(!is_signalled(hinted));
      CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
      CHECK(is_signalled(hinted));
      CHECK(is_signalled(after));
      CHECK_EQ(w.memory[0][ITEMS - 1], 5);
      CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(hinted), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(after), ZE_RESULT_SUCCESS);
    }
  end(&w);
}

TEST_MAIN(operands_of_a_copy_are_taken_as_they_are, operands_of_a_copy_that_are_wrong_are_refused,
    a_part_is_copied_to_contiguous_host_memory_and_back, a_whole_buffer_is_copied_to_the_host,
    a_part_is_copied_to_a_part_of_a_buffer_of_another_shape, invalid_copies_are_refused_by_name,
    slices_beyond_the_limit_of_a_region_are_refused_by_name, hints_wait_and_are_waited_for)
