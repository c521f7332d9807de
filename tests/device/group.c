/* Dependencies of command groups, on every kind of queue. */
#include "support/given.h"
#include "syclze/command.h"
#include "syclze/syclze.h"
#include "tests/check.h"

enum { ITEMS = 256, ROUNDS = 50 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_kernel_bundle bundle;
  syclze_kernel set, mix;
};

static struct world begin(void) {
  struct world w;
  memset(&w, 0, sizeof w);
  w.g = given();
  CHECK_EQ(syclze_make_device(w.g.device, &w.device), ZE_RESULT_SUCCESS);
  syclze_context_input context = {w.g.context, &w.device, 1, SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_context(&context, &w.context), ZE_RESULT_SUCCESS);
  given_kernel(&w.g, "tests/kernels/graph.spv", "graph_set");
  syclze_kernel_bundle_input bundle = {0};
  bundle.native_handle = w.g.module;
  bundle.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_EQ(syclze_make_kernel_bundle(&bundle, w.context, &w.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(w.bundle, "graph_set", &w.set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(w.bundle, "graph_mix", &w.mix), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_kernel_release(w->set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(w->mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static syclze_buffer buffer_of(struct world *w) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(ITEMS * 4, w->device, w->context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, ITEMS * 4);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {ITEMS, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

enum kind {
  IN_ORDER,
  OUT_OF_ORDER,
  WRAPPED_IN_ORDER,
  COMMAND_QUEUE,
  COMMAND_QUEUE_IN_ORDER,
  KINDS
};

static syclze_queue queue_of(struct world *w, enum kind kind) {
  syclze_queue queue;
  bool in_order = kind != OUT_OF_ORDER && kind != COMMAND_QUEUE;
  syclze_property_list properties = {.flags = in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  if (kind <= OUT_OF_ORDER) {
    CHECK_EQ(syclze_queue_create(w->context, w->device, &properties, &queue), ZE_RESULT_SUCCESS);
    return queue;
  }
  syclze_queue_input input = {kind == WRAPPED_IN_ORDER
                                  ? syclze_native_queue_of_list(given_list(&w->g))
                                  : syclze_native_queue_of_queue(given_queue(&w->g)),
      w->device, SYCLZE_OWNERSHIP_TRANSFER, properties};
  CHECK_EQ(syclze_make_queue(&input, w->context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

static const syclze_nd_range whole = {.global = {ITEMS}, .local = {64}};

/* b = b * 3 + a + 1 */
static void mix(struct world *w, syclze_queue queue, syclze_buffer a, syclze_buffer b) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor in = syclze_require(&group, a, SYCLZE_ACCESS_READ);
  syclze_accessor out = syclze_require(&group, b, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_launch(&group, w->mix, &whole, NULL, syclze_arg(out), syclze_arg(in),
               syclze_arg(3u), syclze_arg(1u)),
      ZE_RESULT_SUCCESS);
}

static uint32_t item(syclze_queue queue, syclze_buffer buffer, size_t index) {
  uint32_t value = 0;
  syclze_event event;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor from = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, index, 1);
  CHECK_EQ(syclze_group_update_host(&group, &value, from, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  syclze_event_release(event);
  return value;
}

/* Two buffers alternately, on two queues of any kinds: a sequence whose result a missing edge
   changes. */
static void by_turns(struct world *w, enum kind one, enum kind other) {
  syclze_queue queues[2] = {queue_of(w, one), queue_of(w, other)};
  syclze_buffer a = buffer_of(w), b = buffer_of(w);
  uint32_t x = 0, y = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    mix(w, queues[i % 2], a, b);
    y = y * 3 + x + 1;
    mix(w, queues[i / 2 % 2], b, a);
    x = x * 3 + y + 1;
  }
  CHECK_EQ(item(queues[0], a, 7), x);
  CHECK_EQ(item(queues[1], b, ITEMS - 1), y);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_buffer_release(a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(b), ZE_RESULT_SUCCESS);
}

TEST(buffers_are_ordered_between_queues_of_all_kinds) {
  given_needs_execution();
  struct world w = begin();
  for (int one = 0; one < KINDS; one++)
    for (int other = 0; other < KINDS; other++)
      by_turns(&w, (enum kind)one, (enum kind)other);
  end(&w);
}

/* A fill of a part waits for the gated part and not for other parts. */
TEST(disjoint_parts_do_not_wait_for_each_other) {
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = queue_of(&w, OUT_OF_ORDER);
  syclze_buffer buffer = buffer_of(&w);
  syclze_event gate, done;
  CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
  uint32_t value = 5;
  syclze_event gated[2];
  for (size_t i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor part =
        syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ_WRITE, i * 64, 65);
    syclze_group_depends_on(&group, gate);
    CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(part), &value, 4, 65 * 4, &gated[i]),
        ZE_RESULT_SUCCESS);
  }
  syclze_queue other = queue_of(&w, OUT_OF_ORDER);
  value = 6;
  syclze_group group = syclze_group_begin(other);
  syclze_accessor part = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_WRITE, 129, 10);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(part), &value, 4, 40, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  syclze_event_release(done);
  group = syclze_group_begin(other);
  part = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_WRITE, 128, 1);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(part), &value, 4, 4, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(done.rep->native), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(gate.rep->native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(item(queue, buffer, 127), 5);
  CHECK_EQ(item(queue, buffer, 128), 6);
  for (int i = 0; i < 2; i++)
    syclze_event_release(gated[i]);
  syclze_event_release(done);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  syclze_event_release(gate);
  syclze_queue_release(queue);
  syclze_queue_release(other);
  syclze_buffer_release(buffer);
  end(&w);
}

/* An early error is returned by the action, and nothing is submitted. */
TEST(errors_of_a_group_are_returned_by_its_action) {
  struct world w = begin();
  syclze_queue queue = queue_of(&w, OUT_OF_ORDER), none = {NULL};
  syclze_buffer buffer = buffer_of(&w), no_buffer = {NULL};
  syclze_event event;
  uint32_t value = 1;
  syclze_group group = syclze_group_begin(none);
  CHECK_EQ(syclze_group_barrier(&group, &event), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(event.rep, NULL);
  group = syclze_group_begin(queue);
  syclze_accessor bad = syclze_require(&group, no_buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(bad.memory, NULL);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  group = syclze_group_begin(queue);
  syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, ITEMS - 1, 2);
  CHECK_EQ(syclze_group_barrier(&group, NULL), SYCLZE_RESULT_ERROR_INVALID);
  group = syclze_group_begin(queue);
  bad = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(bad), &value, 4, 4, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(&value), syclze_mem_arg(bad), 4, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR);
  group = syclze_group_begin(queue);
  syclze_nd_range odd = {.global = {100}, .local = {64}};
  CHECK_EQ(
      syclze_launch(&group, w.set, &odd, &event, syclze_arg(value)), SYCLZE_RESULT_ERROR_ND_RANGE);
  CHECK_EQ(event.rep, NULL);
  CHECK(syclze_queue_is_immediate(queue));
  CHECK_EQ(syclze_queue_flush(queue), ZE_RESULT_SUCCESS);
  syclze_queue_release(queue);
  syclze_buffer_release(buffer);
  end(&w);
}

/* More dependencies than a group's inline arrays hold: all of them count, and none leaks when there
   is no action. */
TEST(a_group_accepts_any_number_of_dependencies) {
  enum { MANY = 40 };
  given_needs_execution();
  struct world w = begin();
  syclze_queue queue = queue_of(&w, OUT_OF_ORDER), other = queue_of(&w, IN_ORDER);
  syclze_buffer buffer = buffer_of(&w);
  syclze_event gates[MANY], done;
  uint32_t value = 3;
  syclze_group given_up = syclze_group_begin(queue), group = syclze_group_begin(queue);
  for (int i = 0; i < MANY; i++) {
    CHECK_EQ(syclze_event_create(w.context, 0, &gates[i]), ZE_RESULT_SUCCESS);
    syclze_group_depends_on(&given_up, gates[i]);
    syclze_group_depends_on(&group, gates[i]);
    syclze_group_require_range(&given_up, buffer, SYCLZE_ACCESS_WRITE, (size_t)i, 1);
    syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_WRITE, (size_t)i, 1);
  }
  syclze_group_end(&given_up);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(other);
  syclze_accessor last =
      syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_WRITE, MANY - 1, 1);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(last), &value, 4, 4, &done), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MANY; i++) {
    CHECK_EQ(zeEventQueryStatus(done.rep->native), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventHostSignal(gates[i].rep->native), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(item(queue, buffer, MANY - 1), 3);
  syclze_event_release(done);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MANY; i++)
    syclze_event_release(gates[i]);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  syclze_queue_release(queue);
  syclze_queue_release(other);
  syclze_buffer_release(buffer);
  end(&w);
}

static ze_result_t append_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* Holds whether or not the function appends waiting commands. */
TEST(a_native_command_completes_after_its_dependencies) {
  given_needs_execution();
  static const enum kind kinds[] = {IN_ORDER, OUT_OF_ORDER, WRAPPED_IN_ORDER};
  const uint32_t three = 3;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct world w = begin();
    syclze_queue queue = queue_of(&w, kinds[i]), other = queue_of(&w, OUT_OF_ORDER);
    syclze_buffer buffer = buffer_of(&w);
    syclze_event gate, native, after;
    CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(other);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
    syclze_group_depends_on(&group, gate);
    CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(all), &three, 4, ITEMS * 4, NULL),
        ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(syclze_group_native_command(&group, append_nothing, NULL, &native), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    syclze_group_depends_on(&group, native);
    CHECK_EQ(syclze_group_barrier(&group, &after), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSynchronize(after.rep->native, 5000000), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventQueryStatus(native.rep->native), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventHostSignal(gate.rep->native), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(after), ZE_RESULT_SUCCESS);
    CHECK_EQ(item(queue, buffer, ITEMS - 1), 3);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
    syclze_event_release(gate);
    syclze_event_release(native);
    syclze_event_release(after);
    syclze_queue_release(queue);
    syclze_queue_release(other);
    syclze_buffer_release(buffer);
    end(&w);
  }
}

TEST_MAIN(buffers_are_ordered_between_queues_of_all_kinds,
    disjoint_parts_do_not_wait_for_each_other, errors_of_a_group_are_returned_by_its_action,
    a_group_accepts_any_number_of_dependencies, a_native_command_completes_after_its_dependencies)
