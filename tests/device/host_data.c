/* Buffers of the library's own memory and of data of the host (SYCL 2020 4.7.2), on a device that
   can access all memory of the host; host_data_discrete.c is the same on one that cannot. */
#include "support/failing.h"

#include "support/failing_each.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/two_queues.h"

#include <sched.h>

enum { COUNT = 1000 };

__attribute__((constructor)) static void simulate_two(void) {
  given_environment("ZECL_DEVICES", "2");
}

struct world {
  struct two_queues two;
  uint32_t data[COUNT];
};

static syclze_context context_of(syclze_device device) {
  syclze_context context;
  CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
  return context;
}

static void begin(struct world *w) {
  two_queues_begin(&w->two);
  for (uint32_t i = 0; i < COUNT; i++)
    w->data[i] = i;
}

static void end(struct world *w) {
  two_queues_end(&w->two);
}

static syclze_buffer_desc numbers(void *data) {
  const syclze_buffer_desc desc = {
      .element_size = sizeof(uint32_t), .range = {COUNT}, .host_data = data};
  return desc;
}

static syclze_buffer created(const struct world *w, const syclze_buffer_desc *desc) {
  syclze_buffer buffer;
  CHECK_EQ(syclze_buffer_create(w->two.context, desc, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

/* Sets the second half to `value`, behind an event that is signalled later; null for none. */
static void fill_half(syclze_queue queue, syclze_buffer buffer, uint32_t value, syclze_event gate) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor half =
      syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_WRITE, COUNT / 2, COUNT - COUNT / 2);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(half), &value, sizeof value,
               (COUNT - COUNT / 2) * sizeof value, NULL),
      ZE_RESULT_SUCCESS);
}

static void check_data(const uint32_t *data, uint32_t value) {
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(data[i], i < COUNT / 2 ? i : value);
}

static void check_unchanged(const uint32_t *data) {
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(data[i], i);
}

/* Reads all of the buffer by a command. */
static void read_all(const struct world *w, syclze_buffer buffer, uint32_t *seen) {
  const size_t size = COUNT * sizeof *seen;
  void *host;
  CHECK_EQ(syclze_malloc_host(size, w->two.context, &host), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w->two.queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(host), syclze_mem_arg(all), size, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->two.queue), ZE_RESULT_SUCCESS);
  memcpy(seen, host, size);
  CHECK_EQ(syclze_free(host, w->two.context), ZE_RESULT_SUCCESS);
}

TEST(the_last_release_writes_the_contents_back) { // shows host_data 3
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w;
  begin(&w);
  const syclze_buffer_desc desc = numbers(w.data);
  syclze_buffer buffer = created(&w, &desc);
  fill_half(w.two.queue, buffer, 7, none);
  CHECK_EQ(syclze_buffer_retain(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_data(w.data, 7);
  end(&w);
}

static ze_result_t signal_event(syclze_interop_handle handle, void *event) {
  (void)handle;
  return zeEventHostSignal((ze_event_handle_t)event);
}

TEST(the_last_release_waits_for_work_that_is_deferred) { // shows host_data 3
  given_needs_execution();
  struct world w;
  begin(&w);
  syclze_event done;
  const syclze_buffer_desc desc = numbers(w.data);
  syclze_buffer buffer = created(&w, &desc);
  syclze_group group = syclze_group_begin(w.two.other);
  CHECK_EQ(syclze_group_host_task(&group, signal_event, syclze_event_get_native(w.two.gate), &done),
      ZE_RESULT_SUCCESS);
  fill_half(w.two.queue, buffer, 8, w.two.gate);
  fill_half(w.two.queue, buffer, 9, done);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_data(w.data, 9);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(final_data_are_written_instead) { // shows host_data 4
  given_needs_execution();
  const syclze_event none = {NULL};
  uint32_t final_data[COUNT] = {1};
  struct world w;
  begin(&w);
  const syclze_buffer_desc desc = numbers(w.data);
  syclze_buffer buffer = created(&w, &desc);
  CHECK_EQ(syclze_buffer_set_final_data(buffer, final_data), ZE_RESULT_SUCCESS);
  fill_half(w.two.queue, buffer, 5, none);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_data(final_data, 5);
  end(&w);
}

TEST(a_buffer_without_data_of_the_host_may_have_final_data) { // shows host_data 4
  given_needs_execution();
  uint32_t final_data[COUNT] = {1};
  struct world w;
  begin(&w);
  const syclze_buffer_desc desc = numbers(NULL);
  const uint32_t value = 3;
  syclze_buffer buffer = created(&w, &desc);
  syclze_group group = syclze_group_begin(w.two.queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_DISCARD_WRITE);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(all), &value, sizeof value, sizeof final_data, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_set_final_data(buffer, final_data), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(final_data[i], value);
  end(&w);
}

/* Buffers that no group wrote, without write-back, and without a destination. */
TEST(nothing_is_written_back_where_nothing_is_to_be) { // shows host_data 4
  given_needs_execution();
  const syclze_event none = {NULL};
  uint32_t final_data[COUNT], seen[COUNT];
  struct world w;
  begin(&w);
  for (int i = 0; i < 3; i++) {
    memset(final_data, 0xff, sizeof final_data);
    const syclze_buffer_desc desc = numbers(w.data);
    syclze_buffer buffer = created(&w, &desc);
    read_all(&w, buffer, seen);
    check_unchanged(seen);
    if (i < 2) CHECK_EQ(syclze_buffer_set_final_data(buffer, final_data), ZE_RESULT_SUCCESS);
    if (i == 1) CHECK_EQ(syclze_buffer_set_write_back(buffer, false), ZE_RESULT_SUCCESS);
    if (i == 2) CHECK_EQ(syclze_buffer_set_final_data(buffer, NULL), ZE_RESULT_SUCCESS);
    if (i > 0) fill_half(w.two.queue, buffer, 1, none);
    CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
    for (uint32_t k = 0; k < COUNT; k++) {
      CHECK_EQ(final_data[k], UINT32_MAX);
      w.data[k] = k;
    }
  }
  end(&w);
}

TEST(const_data_are_read_once_and_never_written) { // shows host_data 4
  given_needs_execution();
  const syclze_event none = {NULL};
  uint32_t seen[COUNT];
  struct world w;
  begin(&w);
  syclze_buffer_desc desc = numbers(NULL);
  desc.const_host_data = w.data;
  syclze_buffer buffer = created(&w, &desc);
  memset(w.data, 0xee, sizeof w.data);
  fill_half(w.two.queue, buffer, 4, none);
  read_all(&w, buffer, seen);
  check_data(seen, 4);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < COUNT; i++)
    CHECK_EQ(w.data[i], 0xeeeeeeeeu);
  end(&w);
}

/* The newest contents are those of a replica. */
TEST(contents_of_another_context_are_written_back) { // shows host_data 3
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w;
  begin(&w);
  syclze_context context = context_of(w.two.device);
  syclze_queue other;
  CHECK_EQ(syclze_queue_create(context, w.two.device, NULL, &other), ZE_RESULT_SUCCESS);
  const syclze_buffer_desc desc = numbers(w.data);
  syclze_buffer buffer = created(&w, &desc);
  fill_half(w.two.queue, buffer, 1, none);
  fill_half(other, buffer, 6, none);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_data(w.data, 6);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(memory_of_the_driver_is_used_in_place) { // shows host_data 2
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w;
  begin(&w);
  for (int i = 0; i < 2; i++) {
    void *memory;
    CHECK_EQ(i == 0 ? syclze_malloc_host(sizeof w.data, w.two.context, &memory)
                    : syclze_malloc_shared(sizeof w.data, w.two.device, w.two.context, &memory),
        ZE_RESULT_SUCCESS);
    memcpy(memory, w.data, sizeof w.data);
    const syclze_buffer_desc desc = numbers(memory);
    syclze_buffer buffer = created(&w, &desc);
    syclze_group group = syclze_group_begin(w.two.queue);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_accessor_get_pointer(all), memory);
    syclze_group_end(&group);
    fill_half(w.two.queue, buffer, 2, none);
    CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
    check_data(memory, 2);
    CHECK(spy_is_alive(SPY_MEMORY, memory));
    CHECK_EQ(syclze_free(memory, w.two.context), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(a_buffer_is_created_in_a_context_of_several_devices) { // shows host_data 1
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w;
  begin(&w);
  ze_device_handle_t handles[2];
  given_needs_two(w.two.g.driver, given_devices(w.two.g.driver, handles, 2));
  syclze_device devices[2];
  syclze_context context;
  syclze_queue queue;
  syclze_buffer buffer;
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_make_device(handles[i], &devices[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_create(devices, 2, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, devices[1], NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_buffer_desc desc = numbers(w.data);
  desc.properties = SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR;
  if (getenv("ZECL_DISCRETE") != NULL)
    REFUSED(buffer, syclze_buffer_create(context, &desc, &buffer),
        SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_buffer_create", "use_host_ptr", w.data);
  else {
    CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  }
  desc.properties = 0;
  CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
  fill_half(queue, buffer, 11, none);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_data(w.data, 11);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Begins the next cases: a buffer in a context of its own, which the buffer keeps. */
struct alone {
  syclze_context context;
  syclze_queue queue;
  syclze_event gate; /* not signalled */
  syclze_buffer buffer;
};

static struct alone alone_begin(struct world *w) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const syclze_buffer_desc desc = numbers(w->data);
  struct alone a = {.context = context_of(w->two.device)};
  CHECK_EQ(syclze_queue_create(a.context, w->two.device, &in_order, &a.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(a.context, 0, &a.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create(a.context, &desc, &a.buffer), ZE_RESULT_SUCCESS);
  return a;
}

/* All is destroyed, by a worker too. */
static void alone_end(const struct alone *a) {
  const void *const native = syclze_context_get_native(a->context);
  CHECK_EQ(syclze_queue_wait(a->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(a->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(a->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(a->context), ZE_RESULT_SUCCESS);
  while (spy_destroys_of(native) == 0)
    sched_yield();
}

/* The memory is freed once the work is done; nothing is written back. */
TEST(a_last_release_whose_wait_fails_leaves_the_memory_to_a_worker) { // shows host_data 5
  given_needs_execution();
  struct world w;
  begin(&w);
  struct alone a = alone_begin(&w);
  void *const native = a.buffer.rep->memory.native;
  const bool in_place = native == w.data;
  fill_half(a.queue, a.buffer, 5, a.gate);
  failing.wait = ZE_RESULT_ERROR_DEVICE_LOST;
  FAILED(syclze_buffer_release(a.buffer), ZE_RESULT_ERROR_DEVICE_LOST, "syclze_buffer_release",
      "nothing is written back", native);
  check_unchanged(w.data);
  CHECK(in_place || spy_is_alive(SPY_MEMORY, native));
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(a.gate)), ZE_RESULT_SUCCESS);
  alone_end(&a);
  CHECK(!spy_is_alive(SPY_MEMORY, native));
  if (in_place)
    check_data(w.data, 5);
  else
    check_unchanged(w.data);
  end(&w);
}

TEST(a_last_release_whose_wait_fails_after_the_work_writes_back) { // shows host_data 5
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w;
  begin(&w);
  struct alone a = alone_begin(&w);
  void *const native = a.buffer.rep->memory.native;
  fill_half(a.queue, a.buffer, 6, none);
  CHECK_EQ(syclze_queue_wait(a.queue), ZE_RESULT_SUCCESS);
  failing.wait = ZE_RESULT_ERROR_UNKNOWN;
  CHECK_EQ(syclze_buffer_release(a.buffer), ZE_RESULT_ERROR_UNKNOWN);
  CHECK(!spy_is_alive(SPY_MEMORY, native));
  check_data(w.data, 6);
  alone_end(&a);
  end(&w);
}

/* The end of the work is an event's only once the release has appended a marker. */
TEST(a_last_release_tries_its_marker_again) { // shows host_data 6
  given_needs_execution();
  const syclze_event none = {NULL};
  struct world w;
  begin(&w);
  struct alone a = alone_begin(&w);
  void *const native = a.buffer.rep->memory.native;
  fill_half(a.queue, a.buffer, 8, none);
  spy_fail_at(1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_EQ(syclze_buffer_release(a.buffer), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(spy_failed_call(), "zeCommandListAppendBarrier");
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  check_data(w.data, 8);
  CHECK(!spy_is_alive(SPY_MEMORY, native));
  alone_end(&a);
  end(&w);
}

TEST(what_is_refused_changes_nothing) { // shows host_data 7
  struct world w;
  given_needs_execution();
  begin(&w);
  const syclze_context no_context = {NULL};
  const char *const create = "syclze_buffer_create";
  const syclze_buffer null = {NULL};
  syclze_buffer buffer;
  syclze_buffer_desc desc = numbers(w.data), empty = desc, large = desc, both = desc,
                     nothing = numbers(NULL), four = desc, unknown = desc, of_device = desc;
  void *memory;
  CHECK_EQ(
      syclze_malloc_device(sizeof w.data, w.two.device, w.two.context, &memory), ZE_RESULT_SUCCESS);
  empty.range[0] = 0;
  large.dimensions = 3;
  large.range[0] = large.range[1] = large.range[2] = (size_t)1 << 31;
  both.const_host_data = w.data;
  nothing.properties = SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR;
  four.dimensions = 4;
  unknown.properties = 64;
  of_device.host_data = memory;
  REFUSED(buffer, syclze_buffer_create(no_context, &desc, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, create, "context", w.data);
  REFUSED(buffer, syclze_buffer_create(w.two.context, NULL, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, create, "null", NULL);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &empty, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      create, "at least one element", w.data);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &large, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      create, "too large", w.data);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &both, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      create, "one pointer", w.data);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &nothing, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, create, "use_host_ptr", NULL);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &four, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      create, "dimensions", w.data);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &unknown, &buffer),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, create, "property", w.data);
  REFUSED(buffer, syclze_buffer_create(w.two.context, &of_device, &buffer),
      SYCLZE_RESULT_ERROR_INVALID, create, "memory of a device", memory);
  CHECK_EQ(syclze_buffer_set_final_data(null, w.data), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  const syclze_buffer_input input = {.native_handle = memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  const syclze_owner owner = {NULL, NULL};
  CHECK_EQ(syclze_make_buffer(&input, w.two.context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_set_final_data(buffer, w.data), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_buffer_set_write_back(buffer, false), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  buffer = created(&w, &desc);
  CHECK_EQ(syclze_buffer_set_owner(buffer, owner), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w.two.context), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Each allocation of a creation and of a submission fails once. */
static bool fail_allocation(long nth, bool of_calls) {
  struct world w;
  given_needs_execution();
  begin(&w);
  const syclze_buffer_desc desc = numbers(w.data);
  const ze_context_handle_t context = syclze_get_native(w.two.context);
  const uint32_t value = 1;
  syclze_buffer buffer;
  failing_nth(nth, of_calls);
  ze_result_t result = syclze_buffer_create(w.two.context, &desc, &buffer);
  CHECK_EQ(buffer.rep != NULL, result == ZE_RESULT_SUCCESS);
  if (result == ZE_RESULT_SUCCESS) {
    syclze_group group = syclze_group_begin(w.two.queue);
    syclze_accessor half = syclze_group_require_range(
        &group, buffer, SYCLZE_ACCESS_WRITE, COUNT / 2, COUNT - COUNT / 2);
    result = syclze_group_fill(&group, syclze_mem_arg(half), &value, sizeof value,
        (COUNT - COUNT / 2) * sizeof value, NULL);
  }
  const bool failed = failing_nth_end(of_calls, context);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  if (result == ZE_RESULT_SUCCESS) check_data(w.data, value);
  end(&w);
  return failed;
}

TEST(every_failed_allocation_is_returned_and_leaves_nothing) { // shows host_data 7
  CHECK(failing_each(fail_allocation, false) >= 3);
}

/* Each call of a creation fails once. */
static bool fail_call(long nth, bool of_calls) {
  struct world w;
  given_needs_execution();
  begin(&w);
  const syclze_buffer_desc desc = numbers(w.data);
  syclze_buffer buffer;
  failing_nth(nth, of_calls);
  const ze_result_t result = syclze_buffer_create(w.two.context, &desc, &buffer);
  const bool failed = failing_nth_end(of_calls, syclze_get_native(w.two.context));
  CHECK_EQ(result, failed ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_unchanged(w.data);
  end(&w);
  return failed;
}

TEST(every_failed_call_is_returned_and_leaves_nothing) { // shows host_data 7
  CHECK(failing_each(fail_call, true) >= 1);
}

TEST_MAIN(the_last_release_writes_the_contents_back,
    the_last_release_waits_for_work_that_is_deferred, final_data_are_written_instead,
    a_buffer_without_data_of_the_host_may_have_final_data,
    nothing_is_written_back_where_nothing_is_to_be, const_data_are_read_once_and_never_written,
    contents_of_another_context_are_written_back, memory_of_the_driver_is_used_in_place,
    a_buffer_is_created_in_a_context_of_several_devices, what_is_refused_changes_nothing,
    a_last_release_whose_wait_fails_leaves_the_memory_to_a_worker,
    a_last_release_whose_wait_fails_after_the_work_writes_back,
    a_last_release_tries_its_marker_again, every_failed_allocation_is_returned_and_leaves_nothing,
    every_failed_call_is_returned_and_leaves_nothing)
