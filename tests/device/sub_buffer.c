/* Sub-buffers and reinterpreted buffers (SYCL 2020 4.7.2.1): contents, orders with the parent and
   with each other, lifetimes. */
#include "support/failing_each.h"
#include "support/refused.h"
#include "support/two_queues.h"

enum { COUNT = 64 };

struct world {
  struct two_queues two;
  uint32_t data[COUNT];
  syclze_buffer buffer; /* of the data, written back */
};

static void begin(struct world *w) {
  const syclze_buffer_desc desc = {
      .element_size = sizeof(uint32_t), .range = {COUNT}, .host_data = w->data};
  two_queues_begin(&w->two);
  for (uint32_t i = 0; i < COUNT; i++)
    w->data[i] = i;
  CHECK_EQ(syclze_buffer_create(w->two.context, &desc, &w->buffer), ZE_RESULT_SUCCESS);
}

/* The parent may have been released. */
static void end(struct world *w) {
  CHECK_EQ(syclze_buffer_release(w->buffer), ZE_RESULT_SUCCESS);
  two_queues_end(&w->two);
}

static syclze_buffer sub_of(syclze_buffer parent, size_t offset, size_t count) {
  syclze_buffer sub;
  CHECK_EQ(syclze_buffer_create_sub(parent, &offset, &count, &sub), ZE_RESULT_SUCCESS);
  CHECK(syclze_buffer_is_sub_buffer(sub));
  CHECK_EQ(syclze_buffer_get_range(sub, 0), count);
  return sub;
}

/* Fills all of a buffer of numbers, after the gate if it is not null. */
static void fill(syclze_queue queue, syclze_buffer buffer, uint32_t value, syclze_event gate) {
  const size_t size = syclze_buffer_byte_size(buffer);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &value, sizeof value, size, NULL),
      ZE_RESULT_SUCCESS);
}

static const syclze_event none;

TEST(a_sub_buffer_is_a_part_of_its_parent) { // shows host_data 23
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_buffer sub = sub_of(w.buffer, 10, 20);
  uint32_t seen[COUNT];
  CHECK_EQ(syclze_buffer_read(sub, seen, 4, 8), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen[0], 11);
  CHECK_EQ(seen[1], 12);
  fill(w.two.queue, sub, 100, none);
  syclze_group group = syclze_group_begin(w.two.other);
  syclze_accessor part = syclze_group_require_range(&group, sub, SYCLZE_ACCESS_WRITE, 5, 2);
  const uint32_t value = 200;
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(part), &value, sizeof value, 8, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_read(w.buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(seen[i], i == 15 || i == 16 ? 200u : i >= 10 && i < 30 ? 100u : i);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(an_accessor_has_the_starts_of_its_buffer_and_of_its_part) { // shows promises 19
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_buffer sub = sub_of(w.buffer, 10, 20);
  syclze_group group = syclze_group_begin(w.two.queue);
  uint32_t *const all =
      syclze_accessor_get_pointer(syclze_require(&group, w.buffer, SYCLZE_ACCESS_READ));
  CHECK(all != NULL);
  syclze_accessor part = syclze_group_require_range(&group, w.buffer, SYCLZE_ACCESS_READ, 3, 2);
  CHECK_EQ(syclze_accessor_get_pointer(part), all);
  CHECK_EQ(syclze_accessor_get_part_pointer(part), all + 3);
  part = syclze_require(&group, sub, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_accessor_get_pointer(part), all + 10);
  CHECK_EQ(syclze_accessor_get_part_pointer(part), all + 10);
  part = syclze_group_require_range(&group, sub, SYCLZE_ACCESS_READ, 5, 2);
  CHECK_EQ(syclze_accessor_get_pointer(part), all + 10);
  CHECK_EQ(syclze_accessor_get_part_pointer(part), all + 15);
  syclze_group_end(&group);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Work on parts that overlap waits, in whatever queue and by whatever buffer; on others it does
   not. */
TEST(parts_are_ordered_where_they_overlap) { // shows host_data 23
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_buffer left = sub_of(w.buffer, 0, COUNT / 2),
                right = sub_of(w.buffer, COUNT / 2, COUNT / 2);
  syclze_buffer middle = sub_of(w.buffer, COUNT / 4, COUNT / 2);
  fill(w.two.other, left, 1, w.two.gate); /* does not run yet */
  fill(w.two.other, middle, 2, none);
  fill(w.two.queue, left, 3, none);
  uint32_t seen[COUNT];
  CHECK_EQ(syclze_buffer_read(right, seen, COUNT, COUNT), ZE_RESULT_SUCCESS);
  CHECK_EQ(seen[0], COUNT / 2 + COUNT / 4);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.two.gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_read(w.buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(seen[i], i < COUNT / 2 ? 3u : i < 3 * COUNT / 4 ? 2u : i);
  CHECK_EQ(syclze_buffer_release(left), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(middle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(right), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(the_parent_ends_with_its_last_sub_buffer) { // shows host_data 23
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_buffer sub = sub_of(w.buffer, 0, 8);
  CHECK_EQ(syclze_buffer_release(w.buffer), ZE_RESULT_SUCCESS);
  w.buffer.rep = NULL;
  fill(w.two.queue, sub, 7, none);
  CHECK_EQ(syclze_buffer_retain(sub), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(w.data[i], i < 8 ? 7u : i);
  end(&w);
}

TEST(a_reinterpreted_buffer_has_other_elements_and_dimensions) { // shows host_data 23
  given_needs_execution();
  struct world w;
  begin(&w);
  const size_t table[2] = {8, 2 * COUNT / 8}; /* of 16-bit numbers: rows of 4 numbers */
  syclze_buffer view, bytes;
  CHECK_EQ(syclze_buffer_reinterpret(w.buffer, 2, 2, table, &view), ZE_RESULT_SUCCESS);
  CHECK(!syclze_buffer_is_sub_buffer(view));
  CHECK_EQ(syclze_buffer_get_element_size(view), 2);
  CHECK_EQ(syclze_buffer_get_dimensions(view), 2);
  CHECK_EQ(syclze_buffer_byte_size(view), sizeof w.data);
  /* Two whole rows, by a part of the view and by a sub-buffer of it. */
  const size_t row = table[1] * 2, offset[2] = {3, 0}, count[2] = {2, table[1]};
  const uint32_t value = 50;
  syclze_group group = syclze_group_begin(w.two.queue);
  syclze_accessor part =
      syclze_group_require_range_nd(&group, view, SYCLZE_ACCESS_WRITE, offset, count);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(part), &value, sizeof value, 2 * row, NULL),
      ZE_RESULT_SUCCESS);
  const size_t below[2] = {4, 0}, one[2] = {1, table[1]}, as_bytes = row;
  syclze_buffer sub;
  CHECK_EQ(syclze_buffer_create_sub(view, below, one, &sub), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_reinterpret(sub, 1, 1, &as_bytes, &bytes), ZE_RESULT_SUCCESS);
  CHECK(syclze_buffer_is_sub_buffer(bytes));
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  fill(w.two.other, bytes, 60, none);
  CHECK_EQ(syclze_buffer_release(bytes), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(view), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(w.buffer), ZE_RESULT_SUCCESS);
  w.buffer.rep = NULL;
  const uint32_t in_row = (uint32_t)row / 4;
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(w.data[i], i / in_row == 3 ? 50u : i / in_row == 4 ? 60u : i);
  end(&w);
}

TEST(a_sub_buffer_is_used_in_another_context) { // shows host_data 23
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_context context;
  syclze_queue queue;
  CHECK_EQ(syclze_context_create(&w.two.device, 1, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, w.two.device, NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_buffer sub = sub_of(w.buffer, 40, 4);
  fill(queue, sub, 5, none);
  syclze_host_accessor accessor;
  CHECK_EQ(
      syclze_host_accessor_create(sub, SYCLZE_ACCESS_READ_WRITE, &accessor), ZE_RESULT_SUCCESS);
  uint32_t *numbers = syclze_host_accessor_get_pointer(accessor);
  CHECK_EQ(syclze_host_accessor_byte_size(accessor), 4 * sizeof *numbers);
  CHECK_EQ(numbers[0], 5);
  CHECK_EQ(numbers[3], 5);
  numbers[1] = 6;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(w.buffer), ZE_RESULT_SUCCESS);
  w.buffer.rep = NULL;
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(w.data[i], i == 41 ? 6u : i >= 40 && i < 44 ? 5u : i);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Two live buffers over one allocation, one of them by a sub-buffer. */
TEST(buffers_of_one_allocation_are_ordered_by_their_parts_too) { // shows host_data 24
  given_needs_execution();
  struct world w;
  begin(&w);
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(sizeof w.data, w.two.device, w.two.context, &memory), ZE_RESULT_SUCCESS);
  const syclze_buffer_input input = {
      .native_handle = memory, .ownership = SYCLZE_OWNERSHIP_KEEP, .element_size = 4};
  syclze_buffer a, b;
  CHECK_EQ(syclze_make_buffer(&input, w.two.context, &a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_buffer(&input, w.two.context, &b), ZE_RESULT_SUCCESS);
  syclze_buffer sub = sub_of(a, 0, 8);
  fill(w.two.other, sub, 1, w.two.gate);
  fill(w.two.other, b, 2, none);
  fill(w.two.queue, sub, 3, none);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.two.gate)), ZE_RESULT_SUCCESS);
  uint32_t seen[COUNT];
  CHECK_EQ(syclze_buffer_read(b, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(seen[i], i < 8 ? 3u : 2u);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w.two.context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(what_is_refused_changes_nothing) { // shows host_data 25
  struct world w;
  given_needs_execution();
  begin(&w);
  const char *const create = "syclze_buffer_create_sub", *const other = "syclze_buffer_reinterpret";
  const syclze_buffer null = {NULL};
  const void *native = w.buffer.rep->memory.native;
  const size_t zero = 0, one = 1, last = COUNT, most = COUNT + 1, table[2] = {8, 8},
               gaps[2] = {2, 4}, corner[2] = {0, 0};
  syclze_buffer buffer, view, sub = sub_of(w.buffer, 1, 2);
  CHECK_EQ(syclze_buffer_reinterpret(w.buffer, 4, 2, table, &view), ZE_RESULT_SUCCESS);
  REFUSED(buffer, syclze_buffer_create_sub(null, &zero, &one, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, create, "null", NULL);
  REFUSED(buffer, syclze_buffer_create_sub(w.buffer, NULL, &one, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, create, "null", native);
  REFUSED(buffer, syclze_buffer_create_sub(w.buffer, &zero, &zero, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, create, "empty", native);
  REFUSED(buffer, syclze_buffer_create_sub(w.buffer, &last, &one, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, create, "does not lie", native);
  REFUSED(buffer, syclze_buffer_create_sub(w.buffer, &zero, &most, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, create, "does not lie", native);
  REFUSED(buffer, syclze_buffer_create_sub(view, corner, gaps, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, create, "contiguous", native);
  REFUSED(buffer, syclze_buffer_create_sub(sub, &zero, &one, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      create, "must not have sub-buffers", (const char *)native + 4);
  REFUSED(buffer, syclze_buffer_reinterpret(w.buffer, 4, 1, &most, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, other, "as large", native);
  REFUSED(buffer, syclze_buffer_reinterpret(w.buffer, 4, 4, table, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, other, "dimensions", native);
  REFUSED(buffer, syclze_buffer_reinterpret(w.buffer, 4, 1, NULL, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, other, "null", native);
  CHECK_EQ(syclze_buffer_set_final_data(sub, w.data), SYCLZE_RESULT_ERROR_INVALID);
  /* A copy of parts with gaps. */
  syclze_group group = syclze_group_begin(w.two.queue);
  syclze_accessor to =
      syclze_group_require_range_nd(&group, view, SYCLZE_ACCESS_WRITE, corner, gaps);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(to), syclze_mem_arg((void *)w.data), NULL),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_buffer_release(view), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  end(&w);
}

static bool attempt(long nth, bool of_calls) {
  const size_t offset = 4, count = 8;
  const uint32_t value = 9;
  struct world w;
  given_needs_execution();
  begin(&w);
  syclze_buffer sub;
  failing_nth(nth, of_calls);
  ze_result_t result = syclze_buffer_create_sub(w.buffer, &offset, &count, &sub);
  CHECK_EQ(sub.rep != NULL, result == ZE_RESULT_SUCCESS);
  if (result == ZE_RESULT_SUCCESS) {
    syclze_group group = syclze_group_begin(w.two.queue);
    syclze_accessor all = syclze_require(&group, sub, SYCLZE_ACCESS_WRITE);
    result = syclze_group_fill(&group, syclze_mem_arg(all), &value, sizeof value, 32, NULL);
  }
  const bool failed = failing_nth_end(of_calls, syclze_get_native(w.two.context));
  CHECK_EQ(syclze_buffer_release(sub), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(w.buffer), ZE_RESULT_SUCCESS);
  w.buffer.rep = NULL;
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(w.data[i], result == ZE_RESULT_SUCCESS && i >= 4 && i < 12 ? value : i);
  end(&w);
  return failed;
}

TEST(every_failed_allocation_is_returned_and_leaves_nothing) { // shows host_data 25
  CHECK(failing_each(attempt, false) >= 3);
}

TEST_MAIN(a_sub_buffer_is_a_part_of_its_parent,
    an_accessor_has_the_starts_of_its_buffer_and_of_its_part, parts_are_ordered_where_they_overlap,
    the_parent_ends_with_its_last_sub_buffer,
    a_reinterpreted_buffer_has_other_elements_and_dimensions,
    a_sub_buffer_is_used_in_another_context,
    buffers_of_one_allocation_are_ordered_by_their_parts_too, what_is_refused_changes_nothing,
    every_failed_allocation_is_returned_and_leaves_nothing)
