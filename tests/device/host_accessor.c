/* Host accessors (SYCL 2020 4.7.6.10): orders against command groups both ways, contents, what is
   refused and what fails. host_accessor_discrete.c is the same on a device whose memory the host
   cannot access. */
#include "support/failing_each.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/two_queues.h"

enum { COUNT = 1000 };

struct world {
  struct two_queues two;
  void *memory;         /* that the host can access, or not */
  syclze_buffer buffer; /* of COUNT numbers, kept: its release waits */
};

static void begin(struct world *w) {
  const size_t size = COUNT * sizeof(uint32_t);
  two_queues_begin(&w->two);
  CHECK_EQ(getenv("ZECL_DISCRETE") != NULL
               ? syclze_malloc_device(size, w->two.device, w->two.context, &w->memory)
               : syclze_malloc_shared(size, w->two.device, w->two.context, &w->memory),
      ZE_RESULT_SUCCESS);
  const syclze_buffer_input input = {.native_handle = w->memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof(uint32_t)};
  CHECK_EQ(syclze_make_buffer(&input, w->two.context, &w->buffer), ZE_RESULT_SUCCESS);
}

static void end(struct world *w) {
  CHECK_EQ(syclze_buffer_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->two.context), ZE_RESULT_SUCCESS);
  two_queues_end(&w->two);
}

/* Sets numbers, after the gate if it is not null. */
static void fill(const struct world *w, syclze_queue queue, uint32_t value, size_t first,
    size_t count, syclze_event gate) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor part =
      syclze_group_require_range(&group, w->buffer, SYCLZE_ACCESS_WRITE, first, count);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(part), &value, sizeof value, count * sizeof value, NULL),
      ZE_RESULT_SUCCESS);
}

static uint32_t *open_scope(
    const struct world *w, syclze_access_mode mode, syclze_host_accessor *accessor) {
  CHECK_EQ(syclze_host_accessor_create(w->buffer, mode, accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_byte_size(*accessor), COUNT * sizeof(uint32_t));
  return syclze_host_accessor_get_pointer(*accessor);
}

static void check_all(const struct world *w, uint32_t value) {
  uint32_t seen[COUNT];
  CHECK_EQ(syclze_buffer_read(w->buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(seen[i], value);
}

static const syclze_event none;

TEST(the_host_sees_what_groups_wrote_and_groups_what_the_host_wrote) { // shows host_data 8
  given_needs_execution();
  struct world w;
  begin(&w);
  for (uint32_t round = 1; round < 50; round++) {
    syclze_host_accessor accessor;
    fill(&w, round % 2 ? w.two.queue : w.two.other, round, 0, COUNT, none);
    uint32_t *numbers = open_scope(&w, SYCLZE_ACCESS_READ_WRITE, &accessor);
    for (uint32_t i = 0; i < COUNT; i++) {
      CHECK_EQ(numbers[i], round);
      numbers[i] = round + 1000;
    }
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
    check_all(&w, round + 1000);
  }
  end(&w);
}

/* Neither submission blocks, nor does the group run before the scope has ended. */
TEST(groups_that_depend_on_an_open_scope_are_deferred) { // shows host_data 8
  given_needs_execution();
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 1, 0, COUNT, none);
  syclze_host_accessor accessor;
  uint32_t *numbers = open_scope(&w, SYCLZE_ACCESS_READ, &accessor);
  fill(&w, w.two.queue, 2, 0, COUNT, none);
  fill(&w, w.two.other, 3, 0, COUNT / 2, none);
  fill(&w, w.two.other, 3, COUNT / 2, COUNT - COUNT / 2, none);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(numbers[i], 1);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  check_all(&w, 3);
  CHECK_EQ(syclze_queue_wait(w.two.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.two.other), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(readers_share_a_scope) { // shows host_data 8
  given_needs_execution();
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 5, 0, COUNT, none);
  syclze_host_accessor first, second;
  const uint32_t *a = open_scope(&w, SYCLZE_ACCESS_READ, &first);
  const uint32_t *b = open_scope(&w, SYCLZE_ACCESS_READ, &second);
  check_all(&w, 5);
  CHECK_EQ(a[COUNT - 1], b[COUNT - 1]);
  CHECK_EQ(syclze_host_accessor_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(second), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_part_waits_for_no_other_part) { // shows host_data 9
  given_needs_execution();
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 1, 0, COUNT, none);
  fill(&w, w.two.other, 2, 0, 10, w.two.gate); /* does not run yet */
  syclze_host_accessor accessor;
  CHECK_EQ(syclze_host_accessor_create_range(w.buffer, SYCLZE_ACCESS_READ_WRITE, 10, 20, &accessor),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_byte_size(accessor), 20 * sizeof(uint32_t));
  uint32_t *part = syclze_host_accessor_get_part_pointer(accessor);
  CHECK_EQ(
      (uintptr_t)syclze_host_accessor_get_pointer(accessor), (uintptr_t)part - 10 * sizeof *part);
  for (int i = 0; i < 20; i++) {
    CHECK_EQ(part[i], 1);
    part[i] = 9;
  }
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.two.gate)), ZE_RESULT_SUCCESS);
  uint32_t seen[COUNT];
  CHECK_EQ(syclze_buffer_read(w.buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(seen[i], i < 10 ? 2u : i < 30 ? 9u : 1u);
  end(&w);
}

/* Its memory is not used again before. */
TEST(a_second_release_is_refused) { // shows host_data 12
  struct world w;
  begin(&w);
  syclze_host_accessor accessor;
  CHECK_EQ(syclze_host_accessor_create(w.buffer, SYCLZE_ACCESS_READ, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  if (SYCLZE_HAS_POOLS)
    CHECK_EQ(syclze_host_accessor_release(accessor), SYCLZE_RESULT_ERROR_INVALID);
  end(&w);
}

TEST(an_event_says_when_the_host_may) { // shows host_data 9
  given_needs_execution();
  struct world w;
  begin(&w);
  fill(&w, w.two.other, 7, 0, COUNT, w.two.gate);
  syclze_host_accessor accessor;
  syclze_event ready;
  CHECK_EQ(syclze_host_accessor_begin(w.buffer, SYCLZE_ACCESS_READ_WRITE, &accessor, &ready),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(ready)), ZE_RESULT_NOT_READY);
  fill(&w, w.two.queue, 8, 0, COUNT, none);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.two.gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(ready), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait(accessor), ZE_RESULT_SUCCESS);
  const uint32_t *numbers = syclze_host_accessor_get_pointer(accessor);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(numbers[i], 7);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(ready), ZE_RESULT_SUCCESS);
  check_all(&w, 8);
  /* Without the event, behind one that waits, released at once. */
  for (int i = 0; i < 20; i++) {
    fill(&w, w.two.other, 9, 0, COUNT, none);
    CHECK_EQ(syclze_host_accessor_begin(w.buffer, SYCLZE_ACCESS_READ, &accessor, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  }
  check_all(&w, 9);
  end(&w);
}

struct scope {
  syclze_host_accessor accessor;
  const struct world *w;
  bool ended;
};

static ze_result_t end_scope(syclze_interop_handle handle, void *argument) {
  struct scope *scope = argument;
  (void)handle;
  __atomic_store_n(&scope->ended, true, __ATOMIC_RELAXED);
  return syclze_host_accessor_release(scope->accessor);
}

/* Two scopes, the second begun while the first is open: its event is open too. */
TEST(a_group_that_depends_on_a_scope_that_waits_is_deferred) { // shows host_data 9
  given_needs_execution();
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 1, 0, COUNT, none);
  struct scope scope = {.w = &w};
  syclze_host_accessor second;
  syclze_event ready;
  uint32_t *numbers = open_scope(&w, SYCLZE_ACCESS_WRITE, &scope.accessor);
  for (uint32_t i = 0; i < COUNT; i++)
    numbers[i] = 2;
  CHECK_EQ(
      syclze_host_accessor_begin(w.buffer, SYCLZE_ACCESS_READ, &second, &ready), ZE_RESULT_SUCCESS);
  fill(&w, w.two.other, 3, 0, COUNT, ready);
  syclze_group group = syclze_group_begin(w.two.queue);
  CHECK_EQ(syclze_group_host_task(&group, end_scope, &scope, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait(second), ZE_RESULT_SUCCESS);
  CHECK(__atomic_load_n(&scope.ended, __ATOMIC_RELAXED));
  CHECK_EQ(((const uint32_t *)syclze_host_accessor_get_pointer(second))[COUNT - 1], 2);
  CHECK_EQ(syclze_host_accessor_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(ready), ZE_RESULT_SUCCESS);
  check_all(&w, 3);
  CHECK_EQ(syclze_queue_wait(w.two.queue), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(contents_come_from_another_context_and_go_there) { // shows host_data 9
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_context context;
  syclze_queue queue;
  CHECK_EQ(syclze_context_create(&w.two.device, 1, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, w.two.device, NULL, &queue), ZE_RESULT_SUCCESS);
  for (uint32_t round = 0; round < 10; round++) {
    syclze_host_accessor accessor;
    fill(&w, queue, round, 0, COUNT, none);
    uint32_t *numbers = open_scope(&w, SYCLZE_ACCESS_READ_WRITE, &accessor);
    for (uint32_t i = 0; i < COUNT; i++) {
      CHECK_EQ(numbers[i], round);
      numbers[i] = round + 100;
    }
    fill(&w, queue, round + 200, 0, 1, none);
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
    uint32_t seen[2];
    CHECK_EQ(syclze_buffer_read(w.buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
    CHECK_EQ(seen[0], round + 200);
    CHECK_EQ(seen[1], round + 100);
  }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(the_pointer_is_that_of_the_data_of_the_host) { // shows host_data 10
  given_needs_execution();
  struct world w;
  begin(&w);
  uint32_t data[COUNT] = {0};
  const syclze_buffer_desc desc = {.element_size = sizeof(uint32_t),
      .range = {COUNT},
      .host_data = data,
      .properties = SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR};
  syclze_buffer mine = w.buffer;
  CHECK_EQ(syclze_buffer_create(w.two.context, &desc, &w.buffer), ZE_RESULT_SUCCESS);
  fill(&w, w.two.queue, 4, 0, COUNT, none);
  syclze_host_accessor accessor;
  CHECK_EQ(open_scope(&w, SYCLZE_ACCESS_READ_WRITE, &accessor), (void *)data);
  CHECK_EQ(data[COUNT - 1], 4);
  data[3] = 5;
  /* The accessor keeps the buffer. */
  CHECK_EQ(syclze_buffer_release(w.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(data[3], 5);
  CHECK_EQ(data[4], 4);
  w.buffer = mine;
  end(&w);
}

TEST(what_copies_take_is_kept_until_the_context_ends) {
  struct world w;
  begin(&w);
  syclze_host_accessor accessor;
  uint32_t seen[COUNT];
  for (int i = 0; i < 3; i++) {
    const unsigned destroys = spy_destroys();
    const unsigned alive = spy_alive(SPY_LIST) + spy_alive(SPY_MEMORY);
    open_scope(&w, SYCLZE_ACCESS_READ_WRITE, &accessor);
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_read(w.buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys(), destroys);
    if (i > 0) CHECK_EQ(spy_alive(SPY_LIST) + spy_alive(SPY_MEMORY), alive);
  }
  end(&w);
}

TEST(what_the_host_discards_is_not_copied) { // shows host_data 8
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_host_accessor accessor;
  uint32_t *numbers = open_scope(&w, SYCLZE_ACCESS_DISCARD_WRITE, &accessor);
  const unsigned before = spy_calls();
  for (uint32_t i = 0; i < COUNT; i++)
    numbers[i] = 6;
  CHECK_EQ(spy_calls(), before);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  check_all(&w, 6);
  numbers = open_scope(&w, SYCLZE_ACCESS_DISCARD_READ_WRITE, &accessor);
  for (uint32_t i = 0; i < COUNT; i++)
    numbers[i] = 6;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  check_all(&w, 6);
  const uint32_t four[4] = {7, 7, 7, 7};
  CHECK_EQ(syclze_buffer_write(w.buffer, four, sizeof four, sizeof four), ZE_RESULT_SUCCESS);
  uint32_t seen[9];
  CHECK_EQ(syclze_buffer_read(w.buffer, seen, 0, sizeof seen), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 9; i++)
    CHECK_EQ(seen[i], i >= 4 && i < 8 ? 7u : 6u);
  end(&w);
}

TEST(what_is_refused_changes_nothing) { // shows host_data 12
  struct world w;
  given_needs_execution();
  begin(&w);
  const syclze_buffer null = {NULL};
  const syclze_host_accessor no_accessor = {NULL};
  const char *const create = "syclze_host_accessor_create", *const range =
                                                                "syclze_host_accessor_create_range";
  const void *native = w.memory;
  syclze_host_accessor accessor;
  syclze_event ready;
  uint32_t data[2];
  REFUSED(accessor, syclze_host_accessor_create(null, SYCLZE_ACCESS_READ, &accessor),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, create, "null", NULL);
  REFUSED(accessor, syclze_host_accessor_create(w.buffer, (syclze_access_mode)9, &accessor),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, create, "access mode", native);
  REFUSED(accessor,
      syclze_host_accessor_create_range(w.buffer, SYCLZE_ACCESS_READ, 1, 0, &accessor),
      SYCLZE_RESULT_ERROR_INVALID, range, "empty", native);
  REFUSED(accessor,
      syclze_host_accessor_create_range(w.buffer, SYCLZE_ACCESS_READ, 1, COUNT, &accessor),
      SYCLZE_RESULT_ERROR_INVALID, range, "must lie in", native);
  REFUSED(accessor, syclze_host_accessor_begin(w.buffer, (syclze_access_mode)-1, &accessor, &ready),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_host_accessor_begin", "access mode", native);
  CHECK_EQ(ready.rep, NULL);
  CHECK_EQ(syclze_host_accessor_create(w.buffer, SYCLZE_ACCESS_READ, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_buffer_read(w.buffer, NULL, 0, 4), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_buffer_read(w.buffer, data, COUNT * 4 - 4, 8), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_buffer_write(null, data, 0, 4), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_host_accessor_release(no_accessor), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Each allocation, or each call, of three scopes fails once: an error is returned, and what was
   submitted behind a scope goes on. */
static bool live(struct world *w, long nth, bool of_calls) {
  syclze_host_accessor accessor;
  uint32_t value = 1, expected = 1;
  fill(w, w->two.queue, 1, 0, COUNT, none);
  failing_nth(nth, of_calls);
  ze_result_t result = syclze_host_accessor_create(w->buffer, SYCLZE_ACCESS_READ_WRITE, &accessor);
  if (result == ZE_RESULT_SUCCESS) {
    *(uint32_t *)syclze_host_accessor_get_pointer(accessor) = 2;
    result = syclze_host_accessor_release(accessor);
    if (result == ZE_RESULT_SUCCESS) expected = 2;
  } else
    CHECK_EQ(accessor.rep, NULL);
  const bool is_known = result == ZE_RESULT_SUCCESS;
  ze_result_t read = syclze_buffer_read(w->buffer, &value, 0, sizeof value);
  if (read == ZE_RESULT_SUCCESS && is_known) CHECK_EQ(value, expected);
  result = syclze_host_accessor_begin(w->buffer, SYCLZE_ACCESS_READ, &accessor, NULL);
  if (result == ZE_RESULT_SUCCESS) {
    (void)syclze_host_accessor_wait(accessor);
    (void)syclze_host_accessor_release(accessor);
  }
  const bool failed = failing_nth_end(of_calls, syclze_get_native(w->two.context));
  fill(w, w->two.other, 3, 0, COUNT, none);
  check_all(w, 3);
  return failed;
}

static bool attempt(long nth, bool of_calls) {
  struct world w;
  given_needs_execution();
  begin(&w);
  const bool failed = live(&w, nth, of_calls);
  end(&w);
  return failed;
}

TEST(every_failed_allocation_is_returned_and_leaves_nothing) { // shows host_data 12
  CHECK(failing_each(attempt, false) >= 3);
}

TEST(every_failed_call_is_returned_and_leaves_nothing) { // shows host_data 12
  CHECK(failing_each(attempt, true) >= 3);
}

TEST_MAIN(the_host_sees_what_groups_wrote_and_groups_what_the_host_wrote,
    groups_that_depend_on_an_open_scope_are_deferred, readers_share_a_scope,
    a_part_waits_for_no_other_part, a_second_release_is_refused, an_event_says_when_the_host_may,
    a_group_that_depends_on_a_scope_that_waits_is_deferred,
    contents_come_from_another_context_and_go_there, the_pointer_is_that_of_the_data_of_the_host,
    what_copies_take_is_kept_until_the_context_ends, what_the_host_discards_is_not_copied,
    what_is_refused_changes_nothing, every_failed_allocation_is_returned_and_leaves_nothing,
    every_failed_call_is_returned_and_leaves_nothing)
