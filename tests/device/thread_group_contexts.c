/* Buffers and events used in another context than their own. */
#include "support/made.h"
#include "support/spy.h"

#include "syclze/command/host_accessor.h"

enum { ITEMS = 256, ROUNDS = 40, SIDES = 2, OPERATIONS = 400, BUFFERS = 4 };

/* A context, with a queue and the kernels. */
struct side {
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel set, mix;
};

struct world {
  struct given g;
  syclze_device device;
  struct side sides[SIDES];
};

static struct side side_of(const struct given *g, syclze_device device, bool in_order) {
  struct side side;
  memset(&side, 0, sizeof side);
  syclze_context_input context = {g->context, &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_context(&context, &side.context), ZE_RESULT_SUCCESS);
  side.bundle = made_kernel_bundle(
      side.context, given_module(g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_create(side.bundle, "graph_set", &side.set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(side.bundle, "graph_mix", &side.mix), ZE_RESULT_SUCCESS);
  syclze_property_list properties = {.flags = in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  CHECK_EQ(syclze_queue_create(side.context, device, &properties, &side.queue), ZE_RESULT_SUCCESS);
  return side;
}

static struct world begin(void) {
  struct world w;
  memset(&w, 0, sizeof w);
  w.g = given();
  w.device = made_device(&w.g);
  for (int i = 0; i < SIDES; i++) {
    struct given own = w.g;
    own.context = given_context(&w.g);
    w.sides[i] = side_of(&own, w.device, i == 0);
  }
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < SIDES; i++) {
    struct side *side = &w->sides[i];
    if (given_executes()) CHECK_EQ(syclze_queue_wait(side->queue), ZE_RESULT_SUCCESS);
  }
  for (int i = 0; i < SIDES; i++) {
    struct side *side = &w->sides[i];
    CHECK_EQ(syclze_queue_release(side->queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_release(side->set), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_release(side->mix), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_bundle_release(side->bundle), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(side->context), ZE_RESULT_SUCCESS);
  }
  given_end(&w->g);
}

static const ze_memory_type_t types[] = {
    ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED};

static void *memory_of(const struct world *w, const struct side *side, ze_memory_type_t type) {
  void *memory = NULL;
  ze_result_t result = type == ZE_MEMORY_TYPE_HOST
                           ? syclze_malloc_host(ITEMS * 4, side->context, &memory)
                       : type == ZE_MEMORY_TYPE_DEVICE
                           ? syclze_malloc_device(ITEMS * 4, w->device, side->context, &memory)
                           : syclze_malloc_shared(ITEMS * 4, w->device, side->context, &memory);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return memory;
}

static syclze_buffer buffer_of(const struct side *side, void *memory, syclze_ownership ownership) {
  syclze_buffer_input input = {memory, ownership, 4, 1, {ITEMS, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, side->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

static const syclze_nd_range whole = {.global = {ITEMS}, .local = {64}};

/* b[i] = i * factor + addend */
static void set(
    const struct side *side, syclze_buffer b, syclze_access_mode mode, uint32_t f, uint32_t a) {
  syclze_group group = syclze_group_begin(side->queue);
  syclze_accessor out = syclze_require(&group, b, mode);
  CHECK_EQ(
      syclze_launch(&group, side->set, &whole, NULL, syclze_arg(out), syclze_arg(f), syclze_arg(a)),
      ZE_RESULT_SUCCESS);
}

/* b = b * 3 + a + 1 */
static void mix(const struct side *side, syclze_buffer a, syclze_buffer b) {
  syclze_group group = syclze_group_begin(side->queue);
  syclze_accessor in = syclze_require(&group, a, SYCLZE_ACCESS_READ);
  syclze_accessor out = syclze_require(&group, b, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_launch(&group, side->mix, &whole, NULL, syclze_arg(out), syclze_arg(in),
               syclze_arg(3u), syclze_arg(1u)),
      ZE_RESULT_SUCCESS);
}

static uint32_t item(const struct side *side, syclze_buffer buffer, size_t index) {
  uint32_t value = 0;
  syclze_event event;
  syclze_group group = syclze_group_begin(side->queue);
  syclze_accessor from = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, index, 1);
  CHECK_EQ(syclze_group_update_host(&group, &value, from, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  syclze_event_release(event);
  return value;
}

TEST(memory_of_every_kind_is_ordered_between_two_contexts) { // shows backend 59
  given_needs_execution();
  struct world w = begin();
  for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
    syclze_buffer a =
        buffer_of(&w.sides[0], memory_of(&w, &w.sides[0], types[type]), SYCLZE_OWNERSHIP_TRANSFER);
    syclze_buffer b = buffer_of(
        &w.sides[1], memory_of(&w, &w.sides[1], types[2 - type]), SYCLZE_OWNERSHIP_TRANSFER);
    uint32_t x[ITEMS], y[ITEMS];
    set(&w.sides[1], a, SYCLZE_ACCESS_WRITE, 1, 5);
    set(&w.sides[0], b, SYCLZE_ACCESS_DISCARD_WRITE, 2, 7);
    for (uint32_t i = 0; i < ITEMS; i++) {
      x[i] = i + 5;
      y[i] = 2 * i + 7;
    }
    for (uint32_t round = 0; round < ROUNDS; round++) {
      mix(&w.sides[round % 2], a, b);
      mix(&w.sides[round / 2 % 2], b, a);
      for (uint32_t i = 0; i < ITEMS; i++) {
        y[i] = y[i] * 3 + x[i] + 1;
        x[i] = x[i] * 3 + y[i] + 1;
      }
    }
    for (uint32_t i = 0; i < ITEMS; i += 85) {
      CHECK_EQ(item(&w.sides[i % 2], a, i), x[i]);
      CHECK_EQ(item(&w.sides[(i + 1) % 2], b, i), y[i]);
    }
    CHECK_EQ(syclze_buffer_release(a), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Partial writes: parts that one side does not write keep the other's contents. */
TEST(parts_written_in_two_contexts_are_merged) { // shows backend 59
  given_needs_execution();
  struct world w = begin();
  syclze_buffer b = buffer_of(
      &w.sides[0], memory_of(&w, &w.sides[0], ZE_MEMORY_TYPE_DEVICE), SYCLZE_OWNERSHIP_TRANSFER);
  set(&w.sides[0], b, SYCLZE_ACCESS_WRITE, 0, 9);
  static const syclze_access_mode modes[] = {SYCLZE_ACCESS_WRITE, SYCLZE_ACCESS_DISCARD_WRITE};
  for (uint32_t i = 0; i < 8; i++) {
    uint32_t value = 100 + i;
    syclze_group group = syclze_group_begin(w.sides[i % 2].queue);
    syclze_accessor part = syclze_group_require_range(&group, b, modes[i / 2 % 2], 10 * i, 10);
    CHECK_EQ(
        syclze_group_fill(&group, syclze_mem_arg(part), &value, 4, 40, NULL), ZE_RESULT_SUCCESS);
  }
  for (uint32_t i = 0; i < 8; i++)
    CHECK_EQ(item(&w.sides[i / 3 % 2], b, 10 * i + i), 100 + i);
  CHECK_EQ(item(&w.sides[1], b, ITEMS - 1), 9);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Random operations, against a model on the host. */
TEST(random_work_in_two_contexts_agrees_with_the_model) { // shows backend 59
  given_needs_execution();
  struct world w = begin();
  syclze_buffer buffers[BUFFERS];
  uint32_t model[BUFFERS][ITEMS], state = 12345;
  for (uint32_t b = 0; b < BUFFERS; b++) {
    const struct side *side = &w.sides[b % 2];
    buffers[b] = buffer_of(side, memory_of(&w, side, types[b % 3]), SYCLZE_OWNERSHIP_TRANSFER);
    set(side, buffers[b], SYCLZE_ACCESS_WRITE, 1, b);
    for (uint32_t i = 0; i < ITEMS; i++)
      model[b][i] = i + b;
  }
  for (uint32_t n = 0; n < OPERATIONS; n++) {
    state = state * 1103515245 + 12345;
    const struct side *side = &w.sides[state >> 30 & 1];
    uint32_t a = state >> 16 & 3, b = (a + 1 + (state >> 18) % 3) % BUFFERS;
    if ((state >> 20 & 7) == 0) {
      set(side, buffers[a], SYCLZE_ACCESS_DISCARD_WRITE, n, a);
      for (uint32_t i = 0; i < ITEMS; i++)
        model[a][i] = i * n + a;
    } else if ((state >> 20 & 31) == 1)
      CHECK_EQ(item(side, buffers[a], state >> 24), model[a][state >> 24]);
    else {
      mix(side, buffers[a], buffers[b]);
      for (uint32_t i = 0; i < ITEMS; i++)
        model[b][i] = model[b][i] * 3 + model[a][i] + 1;
    }
  }
  for (uint32_t b = 0; b < BUFFERS; b++) {
    for (uint32_t i = 0; i < ITEMS; i += 51)
      CHECK_EQ(item(&w.sides[i % 2], buffers[b], i), model[b][i]);
    CHECK_EQ(syclze_buffer_release(buffers[b]), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

struct seen {
  const struct side *side;
  syclze_accessor accessor;
  void *native;
  ze_memory_type_t type;
};

static ze_result_t look(syclze_interop_handle handle, void *argument) {
  struct seen *seen = (struct seen *)argument;
  ze_result_t result = syclze_get_native_mem(handle, seen->accessor, &seen->native);
  if (result != ZE_RESULT_SUCCESS) return result;
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  result = zeMemGetAllocProperties(
      syclze_context_get_native(seen->side->context), seen->native, &properties, NULL);
  seen->type = properties.type;
  return result;
}

/* 4.3 and the interop handle: memory of the queue's context, of the same type. */
TEST(native_memory_belongs_to_the_queues_context) { // shows backend 59, interop 8
  given_needs_execution();
  struct world w = begin();
  for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
    void *memory = memory_of(&w, &w.sides[0], types[type]);
    syclze_buffer b = buffer_of(&w.sides[0], memory, SYCLZE_OWNERSHIP_TRANSFER);
    for (int i = 0; i < SIDES; i++) {
      struct seen seen;
      memset(&seen, 0, sizeof seen);
      seen.side = &w.sides[i];
      syclze_group group = syclze_group_begin(w.sides[i].queue);
      seen.accessor = syclze_require(&group, b, SYCLZE_ACCESS_READ);
      CHECK_EQ(syclze_group_host_task(&group, look, &seen, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_queue_wait(w.sides[i].queue), ZE_RESULT_SUCCESS);
      CHECK_EQ(seen.native == memory, i == 0);
      CHECK_EQ(seen.type, types[type]);
    }
    CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* 4.5, under keep: the release waits for the work in the other context too, and copies nothing
   back: the allocation is as the work in its own context left it. */
TEST(keep_waits_for_work_in_another_context) { // shows backend 85 86
  given_needs_execution();
  struct world w = begin();
  uint32_t *memory = (uint32_t *)memory_of(&w, &w.sides[0], ZE_MEMORY_TYPE_SHARED);
  unsigned alive = spy_alive(SPY_MEMORY);
  syclze_buffer b = buffer_of(&w.sides[0], memory, SYCLZE_OWNERSHIP_KEEP);
  set(&w.sides[0], b, SYCLZE_ACCESS_WRITE, 0, 3);
  syclze_event done;
  uint32_t value = 4;
  for (int i = 0; i < 200; i++)
    mix(&w.sides[1], b, b);
  syclze_group group = syclze_group_begin(w.sides[1].queue);
  syclze_accessor out = syclze_require(&group, b, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(out), &value, 4, ITEMS * 4, &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(done)), ZE_RESULT_SUCCESS);
  CHECK_EQ(memory[0], 3);
  CHECK_EQ(memory[ITEMS - 1], 3);
  CHECK_EQ(spy_alive(SPY_MEMORY), alive);
  CHECK_EQ(spy_destroys_of(memory), 0);
  syclze_event_release(done);
  CHECK_EQ(syclze_free(memory, w.sides[0].context), ZE_RESULT_SUCCESS);
  end(&w);
}

/* 4.5, under transfer: the release does not wait, and both allocations are freed after the work. */
TEST(transfer_frees_every_replica_once) { // shows backend 88
  given_needs_execution();
  struct world w = begin();
  void *memory = memory_of(&w, &w.sides[0], ZE_MEMORY_TYPE_DEVICE);
  syclze_buffer b = buffer_of(&w.sides[0], memory, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_event gate, done;
  CHECK_EQ(syclze_event_create(w.sides[0].context, 0, &gate), ZE_RESULT_SUCCESS);
  uint32_t value = 4;
  syclze_group group = syclze_group_begin(w.sides[1].queue);
  syclze_accessor out = syclze_require(&group, b, SYCLZE_ACCESS_READ_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(out), &value, 4, ITEMS * 4, &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(done)), ZE_RESULT_NOT_READY);
  CHECK(spy_alive(SPY_MEMORY) > 0);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  while (spy_alive(SPY_MEMORY) > 0)
    sched_yield();
  CHECK_EQ(spy_destroys_of(memory), 1);
  syclze_event_release(gate);
  syclze_event_release(done);
  end(&w);
}

/* depends_on with an event of the other context, for commands and for host tasks. */
static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

TEST(events_of_another_context_are_waited_for) {
  given_needs_execution();
  struct world w = begin();
  for (int i = 0; i < 2 * SIDES; i++) {
    syclze_event gate, done;
    CHECK_EQ(syclze_event_create(w.sides[i % 2].context, 0, &gate), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(w.sides[(i + 1) % 2].queue);
    syclze_group_depends_on(&group, gate);
    CHECK_EQ(i < SIDES ? syclze_group_barrier(&group, &done)
                       : syclze_group_host_task(&group, nothing, NULL, &done),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSynchronize(syclze_event_get_native(done), 2000000), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventHostSignal(syclze_event_get_native(gate)), ZE_RESULT_SUCCESS);
    syclze_event_release(gate);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    syclze_event_release(done);
  }
  end(&w);
}

/* A failed allocation is the action's error, and the buffer is unchanged. */
TEST(a_replica_that_cannot_be_allocated_is_refused) {
  struct world w = begin();
  void *memory = memory_of(&w, &w.sides[0], ZE_MEMORY_TYPE_HOST);
  syclze_buffer b = buffer_of(&w.sides[0], memory, SYCLZE_OWNERSHIP_KEEP);
  syclze_group group = syclze_group_begin(w.sides[1].queue);
  spy_fail_at(1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  syclze_accessor none = syclze_require(&group, b, SYCLZE_ACCESS_READ);
  CHECK_STR_EQ(spy_failed_call(), "zeMemAllocHost");
  CHECK_EQ(none.memory, NULL);
  syclze_event event;
  CHECK_EQ(syclze_group_barrier(&group, &event), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(event.rep, NULL);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(memory), 0);
  CHECK_EQ(syclze_free(memory, w.sides[0].context), ZE_RESULT_SUCCESS);
  end(&w);
}

/* The library has memory for copies to the host already, but none for one between the contexts. */
TEST(a_failed_copy_from_another_context_is_the_error_of_the_host_accessor) {
  given_needs_execution();
  struct world w = begin();
  void *memory = memory_of(&w, &w.sides[0], ZE_MEMORY_TYPE_DEVICE);
  syclze_buffer b = buffer_of(&w.sides[0], memory, SYCLZE_OWNERSHIP_KEEP);
  syclze_host_accessor accessor;
  set(&w.sides[0], b, SYCLZE_ACCESS_WRITE, 0, 3);
  CHECK_EQ(syclze_host_accessor_create(b, SYCLZE_ACCESS_READ, &accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(*(const uint32_t *)syclze_host_accessor_get_pointer(accessor), 3);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  set(&w.sides[1], b, SYCLZE_ACCESS_WRITE, 0, 4);
  CHECK_EQ(syclze_queue_wait(w.sides[1].queue), ZE_RESULT_SUCCESS);
  spy_fail_named("zeMemAllocHost", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(syclze_host_accessor_create(b, SYCLZE_ACCESS_READ, &accessor),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(accessor.rep, NULL);
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w.sides[0].context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(images_of_another_context_are_refused) {
  struct world w = begin();
  syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 2,
      .range = {8, 8}};
  syclze_image image;
  ze_result_t made = syclze_image_create(w.sides[0].context, w.device, &input, &image);
  if (made == ZE_RESULT_SUCCESS) {
    syclze_group group = syclze_group_begin(w.sides[1].queue);
    syclze_accessor none = syclze_require(&group, image, SYCLZE_ACCESS_READ);
    CHECK_EQ(none.memory, NULL);
    CHECK_EQ(syclze_group_barrier(&group, NULL), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
    CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  }
  end(&w);
  if (made != ZE_RESULT_SUCCESS) SKIP("the device has no images");
}

TEST_MAIN(memory_of_every_kind_is_ordered_between_two_contexts,
    parts_written_in_two_contexts_are_merged, random_work_in_two_contexts_agrees_with_the_model,
    native_memory_belongs_to_the_queues_context, keep_waits_for_work_in_another_context,
    transfer_frees_every_replica_once, events_of_another_context_are_waited_for,
    a_replica_that_cannot_be_allocated_is_refused,
    a_failed_copy_from_another_context_is_the_error_of_the_host_accessor,
    images_of_another_context_are_refused)
