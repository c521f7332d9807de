/* Submissions without a group object, on every kind of queue: copies, fills, rows, hints, kernels
   and barriers that wait for events. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

enum { ROWS = 6, PITCH = 40, WIDTH = 24, BYTES = ROWS * PITCH, QUEUES = 4 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES]; /* in order, out of order, on a command queue, the same in order */
  unsigned char *memory, *other;
};

static struct world begin(void) {
  static const uint32_t flags[QUEUES] = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0,
      SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
      SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST | SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  struct world w = {.g = given()};
  void *memory[2];
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  for (int i = 0; i < QUEUES; i++) {
    const syclze_property_list properties = {.flags = flags[i]};
    CHECK_EQ(
        syclze_queue_create(w.context, w.device, &properties, &w.queues[i]), ZE_RESULT_SUCCESS);
  }
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_malloc_shared(2 * BYTES, w.device, w.context, &memory[i]), ZE_RESULT_SUCCESS);
  w.memory = memset(memory[0], 0, 2 * BYTES);
  w.other = memset(memory[1], 0, 2 * BYTES);
  return w;
}

static struct world begin_to_run(void) {
  given_needs_execution();
  return begin();
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->other, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static void check_bytes(const unsigned char *memory, size_t size, unsigned char value) {
  for (size_t i = 0; i < size; i++)
    CHECK_EQ(memory[i], value);
}

/* The rows have the value, and what is between them another one. */
static void check_rows(const unsigned char *memory, unsigned char value, unsigned char between) {
  for (size_t row = 0; row < ROWS; row++) {
    check_bytes(memory + row * PITCH, WIDTH, value);
    check_bytes(memory + row * PITCH + WIDTH, PITCH - WIDTH, between);
  }
}

TEST(copies_and_fills_wait_for_events) { // shows queues 14
  struct world w = begin_to_run();
  const syclze_event none = {0};
  for (int i = 0; i < QUEUES; i++) {
    const unsigned char value = (unsigned char)(i + 1);
    syclze_event filled[2] = {none, none}, copied;
    CHECK_EQ(syclze_queue_fill(w.queues[i], w.memory, &value, 1, BYTES, NULL, 0, &filled[1]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_queue_copy(w.queues[(i + 1) % QUEUES], w.other, w.memory, BYTES, filled, 2, &copied),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(copied), ZE_RESULT_SUCCESS);
    check_bytes(w.other, BYTES, value);
    CHECK_EQ(syclze_release(filled[1]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(copied), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(copies_without_events_keep_the_order_of_their_queue) { // shows queues 14
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i += 3) {
    for (unsigned char value = 1; value <= 50; value++) {
      CHECK_EQ(syclze_queue_fill(w.queues[i], w.memory, &value, 1, BYTES, NULL, 0, NULL),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_queue_copy(w.queues[i], w.other, w.memory, BYTES, NULL, 0, NULL),
          ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    check_bytes(w.other, BYTES, 50);
    memset(w.other, 0, BYTES);
  }
  end(&w);
}

TEST(rows_are_copied_and_filled_and_nothing_between_them) { // shows queues 16
  struct world w = begin_to_run();
  const uint32_t pattern = 0x07070707;
  for (int i = 0; i < QUEUES; i++) {
    syclze_event filled, copied;
    memset(w.memory, 1, 2 * BYTES);
    memset(w.other, 2, 2 * BYTES);
    CHECK_EQ(syclze_queue_fill_2d(w.queues[i], w.memory, PITCH, &pattern, sizeof pattern, WIDTH,
                 ROWS, NULL, 0, &filled),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_copy_2d(
                 w.queues[i], w.other, PITCH, w.memory, PITCH, WIDTH, ROWS, &filled, 1, &copied),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(copied), ZE_RESULT_SUCCESS);
    check_rows(w.memory, 7, 1);
    check_rows(w.other, 7, 2);
    check_bytes(w.memory + BYTES, BYTES, 1);
    check_bytes(w.other + BYTES, BYTES, 2);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(copied), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Rows with two pitches, without gaps, and none. */
TEST(rows_of_any_shape_are_copied) { // shows queues 16
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    syclze_event event;
    memset(w.memory, 3, BYTES);
    memset(w.other, 0, BYTES);
    CHECK_EQ(syclze_queue_copy_2d(
                 w.queues[i], w.other, WIDTH, w.memory, PITCH, WIDTH, ROWS, NULL, 0, &event),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    check_bytes(w.other, WIDTH * ROWS, 3);
    check_bytes(w.other + WIDTH * ROWS, BYTES - WIDTH * ROWS, 0);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    const unsigned char four = 4;
    CHECK_EQ(
        syclze_queue_fill_2d(w.queues[i], w.memory, PITCH, &four, 1, PITCH, ROWS, NULL, 0, &event),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    check_bytes(w.memory, BYTES, 4);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_copy_2d(
                 w.queues[i], w.other, WIDTH, w.memory, PITCH, WIDTH, 0, NULL, 0, &event),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    check_bytes(w.other, WIDTH * ROWS, 3);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

static ze_result_t set_to_5(syclze_interop_handle handle, void *argument) {
  (void)handle;
  memset(argument, 5, BYTES);
  return ZE_RESULT_SUCCESS;
}

/* Held back until the task has run, with copies of what the call was given by pointers. */
TEST(rows_wait_for_a_host_task) { // shows queues 16
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    syclze_event task, copied, filled;
    syclze_group group = syclze_group_begin(w.queues[1]);
    CHECK_EQ(syclze_group_host_task(&group, set_to_5, w.memory, &task), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_copy_2d(
                 w.queues[i], w.other, WIDTH, w.memory, PITCH, WIDTH, ROWS, &task, 1, &copied),
        ZE_RESULT_SUCCESS);
    unsigned char pattern = 6;
    CHECK_EQ(syclze_queue_fill_2d(
                 w.queues[i], w.memory, PITCH, &pattern, 1, WIDTH, ROWS, &copied, 1, &filled),
        ZE_RESULT_SUCCESS);
    pattern = 0;
    CHECK_EQ(syclze_event_wait(filled), ZE_RESULT_SUCCESS);
    check_bytes(w.other, WIDTH * ROWS, 5);
    check_rows(w.memory, 6, 5);
    CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(copied), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(a_kernel_runs_on_pointers_after_events) { // shows queues 14
  struct world w = begin_to_run();
  static const syclze_nd_range range = {.global = {8}, .local = {8}};
  given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
  syclze_kernel_bundle bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel kernel = made_kernel(bundle, w.g.kernel, w.context, SYCLZE_OWNERSHIP_KEEP);
  for (int i = 0; i < QUEUES; i++) {
    const unsigned char ones = 0xff;
    syclze_event filled, ran;
    CHECK_EQ(syclze_queue_fill(w.queues[1], w.memory, &ones, 1, BYTES, NULL, 0, &filled),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_launch(w.queues[i], kernel, &range, &filled, 1, &ran,
                 syclze_arg(w.memory), syclze_arg(i)),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(ran), ZE_RESULT_SUCCESS);
    for (uint32_t item = 0; item < 8; item++)
      CHECK_EQ(((const uint32_t *)(const void *)w.memory)[item], item + (uint32_t)i);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(ran), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(hints_and_barriers_wait_and_signal) { // shows queues 14
  struct world w = begin_to_run();
  const unsigned char nine = 9;
  for (int i = 0; i < QUEUES; i++) {
    syclze_event events[4];
    CHECK_EQ(syclze_queue_fill(w.queues[1], w.memory, &nine, 1, BYTES, NULL, 0, &events[0]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_prefetch(w.queues[i], w.memory, BYTES, events, 1, &events[1]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_advise(w.queues[i], w.memory, BYTES, ZE_MEMORY_ADVICE_SET_READ_MOSTLY,
                 events, 2, &events[2]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_queue_submit_barrier_after(w.queues[i], events, 3, &events[3]), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_queue_copy(w.queues[i], w.other, w.memory, BYTES, NULL, 0, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    check_bytes(w.other, BYTES, 9);
    CHECK_EQ(syclze_events_wait(events, 4), ZE_RESULT_SUCCESS);
    for (int event = 0; event < 4; event++)
      CHECK_EQ(syclze_release(events[event]), ZE_RESULT_SUCCESS);
    memset(w.other, 0, BYTES);
  }
  end(&w);
}

/* All earlier work of the queue, as for a barrier without a list. */
TEST(a_barrier_after_null_events_is_one_after_all_work) { // shows queues 14
  struct world w = begin_to_run();
  const syclze_event none[2] = {{0}, {0}};
  const unsigned char value = 8;
  for (int i = 0; i < QUEUES; i++)
    for (uint32_t count = 0; count <= 2; count += 2) {
      syclze_event barrier;
      memset(w.memory, 0, BYTES);
      CHECK_EQ(syclze_queue_fill(w.queues[i], w.memory, &value, 1, BYTES, NULL, 0, NULL),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(
          syclze_queue_submit_barrier_after(w.queues[i], none, count, &barrier), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_event_wait(barrier), ZE_RESULT_SUCCESS);
      check_bytes(w.memory, BYTES, 8);
      CHECK_EQ(syclze_release(barrier), ZE_RESULT_SUCCESS);
    }
  end(&w);
}

TEST(wrong_arguments_are_refused) { // shows promises 26, queues 17
  struct world w = begin();
  const syclze_queue no_queue = {0};
  const void *native = syclze_queue_get_native(w.queues[0]).list;
  const unsigned char one[3] = {1, 1, 1};
  const syclze_kernel no_kernel = {0};
  static const syclze_nd_range range = {.global = {1}};
  syclze_event event;
  REFUSED(event, syclze_queue_copy(no_queue, w.other, w.memory, 1, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_copy", "queue", NULL);
  REFUSED(event, syclze_queue_copy(w.queues[0], NULL, w.memory, 1, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_copy", "null", native);
  REFUSED(event, syclze_queue_copy(w.queues[0], w.other, w.memory, 1, NULL, 1, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_copy", "list of events", native);
  REFUSED(event, syclze_queue_fill(w.queues[0], NULL, one, 1, 1, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_fill", "null", native);
  REFUSED(event,
      syclze_queue_launch_arguments(w.queues[0], no_kernel, &range, NULL, 0, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_launch", "kernel", native);
  REFUSED(event,
      syclze_queue_copy_2d(
          w.queues[0], w.other, WIDTH - 1, w.memory, PITCH, WIDTH, ROWS, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_copy_2d", "pitch", native);
  REFUSED(event,
      syclze_queue_copy_2d(
          w.queues[0], w.other, (size_t)1 << 32, w.memory, PITCH, WIDTH, ROWS, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_queue_copy_2d", "4 GiB", native);
  REFUSED(event,
      syclze_queue_fill_2d(w.queues[0], w.memory, PITCH, one, 3, WIDTH + 1, ROWS, NULL, 0, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_fill_2d", "pattern", native);
  REFUSED(event,
      syclze_queue_fill_2d(w.queues[0], w.memory, PITCH, NULL, 1, WIDTH, ROWS, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_fill_2d", "pattern", native);
  end(&w);
}

/* Where an event of an earlier command cannot be used again, or a counter-based one cannot be found
   or created, another is taken. */
static bool was_of_reuse(void) {
  const char *call = spy_failed_call();
  return call != NULL &&
         (strcmp(call, "zeEventQueryStatus") == 0 || strcmp(call, "zeEventHostReset") == 0 ||
             strcmp(call, "zexCounterBasedEventCreate2") == 0 ||
             strcmp(call, "zeDriverGetExtensionFunctionAddress") == 0);
}

static ze_result_t hint(syclze_queue queue, void *memory, bool advises) {
  return advises ? syclze_queue_advise(
                       queue, memory, BYTES, ZE_MEMORY_ADVICE_SET_READ_MOSTLY, NULL, 0, NULL)
                 : syclze_queue_prefetch(queue, memory, BYTES, NULL, 0, NULL);
}

/* A way of its own, which leaves the queue as it was where the append fails. */
TEST(hints_without_events_are_one_append) { // shows queues 17
  static const char *const calls[] = {
      "zeCommandListAppendMemoryPrefetch", "zeCommandListAppendMemAdvise"};
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++)
    for (int advises = 0; advises < 2; advises++) {
      CHECK_EQ(hint(w.queues[i], w.memory, advises != 0), ZE_RESULT_SUCCESS);
      refused_begin();
      CHECK_EQ(hint(w.queues[i], NULL, advises != 0), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
      spy_fail_named(calls[advises], ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
      CHECK_EQ(hint(w.queues[i], w.memory, advises != 0), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
      spy_fail_at(0, ZE_RESULT_SUCCESS);
      CHECK_EQ(refused_count(), 2);
      CHECK_EQ(hint(w.queues[i], w.memory, advises != 0), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    }
  end(&w);
}

/* Rows of a fill that are under way when an append fails end before what comes after them. */
TEST(a_fill_of_rows_that_fails_on_its_way_is_passed) { // shows queues 17
  struct world w = begin_to_run();
  const unsigned char one = 1, two = 2;
  for (int i = 0; i < QUEUES; i++) {
    memset(w.memory, 0, BYTES);
    syclze_event event;
    /* More appends than the first one with a fast way of its own, and those of events. */
    for (unsigned n = 1; n <= ROWS; n++) {
      refused_begin();
      spy_fail_at(n, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      const ze_result_t result =
          syclze_queue_fill_2d(w.queues[i], w.memory, PITCH, &one, 1, WIDTH, ROWS, NULL, 0, NULL);
      const bool is_spared = was_of_reuse() && result == ZE_RESULT_SUCCESS;
      spy_fail_at(0, ZE_RESULT_SUCCESS);
      if (is_spared) continue;
      CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      CHECK_EQ(refused_count(), 1);
    }
    CHECK_EQ(syclze_queue_submit_barrier(w.queues[i], NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_fill(w.queues[i], w.memory, &two, 1, BYTES, NULL, 0, &event),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    check_bytes(w.memory, BYTES, 2);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Bytes that are all different within 251 of them. */
static unsigned char pattern_at(size_t i) {
  return (unsigned char)(1 + i % 251);
}

/* Patterns of any size, on each queue, with an event and without one, in one row and in several. */
TEST(a_pattern_has_any_size) { // shows promises 20
  struct world w = begin_to_run();
  static const size_t sizes[] = {1, 2, 3, 4, 6, 7, 8, 12, 24};
  unsigned char pattern[BYTES];
  for (size_t i = 0; i < BYTES; i++)
    pattern[i] = pattern_at(i);
  for (int q = 0; q < 2 * QUEUES; q++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const size_t of = sizes[s], size = BYTES / of * of;
      syclze_queue queue = w.queues[q % QUEUES];
      syclze_event done = {0}, *const event = q < QUEUES ? NULL : &done;
      memset(w.memory, 0, BYTES);
      CHECK_EQ(syclze_queue_fill(queue, w.memory, pattern, of, size, NULL, 0, event), 0);
      CHECK_EQ(event != NULL ? syclze_event_wait(done) : syclze_queue_wait(queue), 0);
      for (size_t i = 0; i < BYTES; i++)
        CHECK_EQ(w.memory[i], i < size ? pattern_at(i % of) : 0);
      CHECK_EQ(syclze_event_release(done), 0);
      if (WIDTH % of != 0) continue;
      memset(w.memory, 0, BYTES);
      CHECK_EQ(
          syclze_queue_fill_2d(queue, w.memory, PITCH, pattern, of, WIDTH, ROWS, NULL, 0, event),
          0);
      CHECK_EQ(event != NULL ? syclze_event_wait(done) : syclze_queue_wait(queue), 0);
      for (size_t i = 0; i < BYTES; i++)
        CHECK_EQ(w.memory[i], i % PITCH < WIDTH ? pattern_at(i % PITCH % of) : 0);
      if (event != NULL) CHECK_EQ(syclze_event_release(done), 0);
    }
  end(&w);
}

/* More than the queue groups take at once. */
TEST(a_pattern_is_larger_than_the_driver_takes) { // shows promises 20
  struct world w = begin_to_run();
  enum { PATTERN = 1 << 17, SIZE = 3 * PATTERN };
  void *memory, *pattern = malloc(PATTERN);
  CHECK_EQ(syclze_malloc_shared(SIZE, w.device, w.context, &memory), 0);
  for (size_t i = 0; i < PATTERN; i++)
    ((unsigned char *)pattern)[i] = pattern_at(i);
  for (int q = 0; q < QUEUES; q++) {
    memset(memory, 0, SIZE);
    CHECK_EQ(syclze_queue_fill(w.queues[q], memory, pattern, PATTERN, SIZE, NULL, 0, NULL), 0);
    CHECK_EQ(syclze_queue_wait(w.queues[q]), 0);
    for (size_t i = 0; i < SIZE; i++)
      CHECK_EQ(((unsigned char *)memory)[i], pattern_at(i % PATTERN));
    memset(memory, 0, SIZE);
    CHECK_EQ(syclze_queue_fill_2d(
                 w.queues[q], memory, PATTERN + 64, pattern, PATTERN, PATTERN, 2, NULL, 0, NULL),
        0);
    CHECK_EQ(syclze_queue_wait(w.queues[q]), 0);
    CHECK_EQ(memcmp(memory, pattern, PATTERN), 0);
    CHECK_EQ(memcmp((char *)memory + PATTERN + 64, pattern, PATTERN), 0);
    check_bytes((unsigned char *)memory + PATTERN, 64, 0);
  }
  free(pattern);
  CHECK_EQ(syclze_free(memory, w.context), 0);
  end(&w);
}

/* In one row as in some. */
TEST(a_size_is_a_multiple_of_the_pattern_s) { // shows promises 20
  struct world w = begin();
  const void *native = syclze_queue_get_native(w.queues[0]).list;
  const unsigned char three[3] = {1, 1, 1};
  static const size_t sizes[][2] = {{6, 4}, {7, 3}, {1, 2}, {8, 0}};
  syclze_event event;
  for (int i = 0; i < 4; i++) {
    REFUSED(event,
        syclze_queue_fill(w.queues[0], w.other, three, sizes[i][1], sizes[i][0], NULL, 0, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_fill", "multiple of the pattern", native);
    REFUSED(event,
        syclze_queue_fill_2d(
            w.queues[0], w.other, PITCH, three, sizes[i][1], sizes[i][0], 2, NULL, 0, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_fill_2d", "multiple of the pattern", native);
    syclze_group group = syclze_group_begin(w.queues[0]);
    REFUSED(event,
        syclze_group_fill(&group, syclze_mem_arg(w.other), three, sizes[i][1], sizes[i][0], &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_group_fill", "multiple of the pattern", native);
  }
  REFUSED(event, syclze_queue_fill(w.queues[0], w.other, NULL, 1, 1, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_fill", "pattern", native);
  end(&w);
}

/* The first case: no other has entered the engine, which takes over what is not ready. */
TEST(a_driver_that_is_not_ready_fails_the_call) { // shows promises 24
  struct world w = begin();
  const ze_result_t code = ZE_RESULT_NOT_READY;
  syclze_event filled;
  CHECK_EQ(syclze_queue_fill(w.queues[0], w.memory, "", 1, BYTES, NULL, 0, &filled), 0);
  spy_fail_named("zeCommandListAppendMemoryCopy", code);
  const syclze_event none = {NULL}, waits[] = {filled, none};
  for (uint32_t i = 0; i < 3;
       i++) /* without a wait list; with one and an event; with an empty one */
    FAILED(syclze_queue_copy(
               w.queues[0], w.other, w.memory, BYTES, i == 0 ? NULL : &waits[i - 1], i != 0, NULL),
        code, "syclze_queue_copy", "zeCommandListAppendMemoryCopy",
        syclze_queue_get_native(w.queues[0]).list);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy(w.queues[0], w.other, w.memory, BYTES, &filled, 1, NULL), 0);
  CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(a_driver_that_is_not_ready_fails_the_call, copies_and_fills_wait_for_events,
    copies_without_events_keep_the_order_of_their_queue,
    rows_are_copied_and_filled_and_nothing_between_them, rows_of_any_shape_are_copied,
    rows_wait_for_a_host_task, a_kernel_runs_on_pointers_after_events,
    hints_and_barriers_wait_and_signal, a_barrier_after_null_events_is_one_after_all_work,
    wrong_arguments_are_refused, hints_without_events_are_one_append,
    a_fill_of_rows_that_fails_on_its_way_is_passed, a_pattern_has_any_size,
    a_pattern_is_larger_than_the_driver_takes, a_size_is_a_multiple_of_the_pattern_s)
