/* The available event gates the first command group on the memory (Level-Zero backend 4.3),
   whatever the group does and whatever the event's context is. */
#include "support/queue_kinds.h"

enum { WIDTH = 8, ITEMS = 64 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context, other;
  uint32_t *memory;
  syclze_event gate;
};

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_context_create(&w.device, 1, &w.other), ZE_RESULT_SUCCESS);
  w.memory = zeros(&w.g, w.context, ITEMS * sizeof *w.memory);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* Available once the gate, an event of the given context, is signalled. */
static syclze_buffer gated_buffer(struct world *w, syclze_context of_gate) {
  syclze_buffer_input input = {.native_handle = w->memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof *w->memory};
  syclze_buffer buffer;
  CHECK_EQ(syclze_event_create(of_gate, 0, &w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_buffer_after(&input, w->context, w->gate, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

static void check_gated(struct world *w, syclze_event done) {
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(done), 2000000), ZE_RESULT_NOT_READY);
  CHECK_EQ(w->memory[ITEMS - 1], 0);
  /* The application's work before the memory becomes available. */
  w->memory[0] = 70;
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
}

static ze_result_t look(syclze_interop_handle handle, void *argument) {
  struct world *w = argument;
  (void)handle;
  w->memory[ITEMS - 1] = w->memory[0] + 1;
  return ZE_RESULT_SUCCESS;
}

/* Each sets the last item to one more than the first. */
typedef ze_result_t action(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *done);

static ze_result_t host_task(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *done) {
  (void)all;
  return syclze_group_host_task(group, look, w, done);
}

static ze_result_t fill(
    struct world *w, syclze_group *group, syclze_accessor all, syclze_event *done) {
  static const uint32_t next = 71;
  (void)w;
  return syclze_group_fill(
      group, syclze_mem_arg(all), &next, sizeof next, ITEMS * sizeof next, done);
}

static void check_first_group(action *act) {
  for (int kind = 0; kind < KINDS; kind++)
    for (int foreign = 0; foreign < 2; foreign++) {
      struct world w = begin();
      syclze_queue queue = queue_of_kind(&w.g, w.context, (enum kind)kind);
      syclze_buffer buffer = gated_buffer(&w, foreign ? w.other : w.context);
      syclze_event done;
      syclze_group group = syclze_group_begin(queue);
      syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
      CHECK_EQ(act(&w, &group, all, &done), ZE_RESULT_SUCCESS);
      check_gated(&w, done);
      CHECK_EQ(w.memory[ITEMS - 1], 71);
      CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(w.gate), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
      end(&w);
    }
}

TEST(the_first_command_waits_until_a_buffer_is_available) { // shows backend 63
  check_first_group(fill);
}

TEST(the_first_host_task_waits_until_a_buffer_is_available) { // shows backend 63
  check_first_group(host_task);
}

TEST(a_first_group_in_another_context_waits_until_a_buffer_is_available) { // shows backend 63
  for (int kind = 0; kind < KINDS; kind++) {
    struct world w = begin();
    syclze_queue queue = queue_of_kind(&w.g, w.other, (enum kind)kind);
    syclze_buffer buffer = gated_buffer(&w, w.context);
    uint32_t seen = 0;
    syclze_event done;
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor first = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, 0, 1);
    CHECK_EQ(syclze_group_update_host(&group, &seen, first, &done), ZE_RESULT_SUCCESS);
    check_gated(&w, done);
    CHECK_EQ(seen, 70);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

/* A native command's wait list, of eight events at most. */
struct list {
  uint32_t count;
  ze_event_handle_t events[8];
};

static ze_result_t copy_list(syclze_interop_handle handle, void *argument) {
  struct list *list = argument;
  const ze_event_handle_t *events;
  ze_result_t result = syclze_interop_handle_get_wait_list(handle, &list->count, &events);
  if (result == ZE_RESULT_SUCCESS) memcpy(list->events, events, list->count * sizeof *events);
  return result;
}

static struct list wait_list(syclze_queue queue, syclze_buffer buffer) {
  struct list list = {0};
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_native_command(&group, copy_list, &list, NULL), ZE_RESULT_SUCCESS);
  return list;
}

/* Level Zero's lists wait for events of their own context only. */
TEST(lists_do_not_wait_for_events_of_another_context) {
  for (int foreign = 0; foreign < 2; foreign++) {
    struct world w = begin();
    syclze_queue queue = queue_of_kind(&w.g, w.context, OUT_OF_ORDER);
    syclze_buffer buffer = gated_buffer(&w, foreign ? w.other : w.context);
    struct list list = wait_list(queue, buffer);
    CHECK_EQ(list.count, 1);
    CHECK_EQ(list.events[0] == syclze_get_native(w.gate), !foreign);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST(available_memory_is_not_waited_for) {
  struct world w = begin();
  syclze_queue queue = queue_of_kind(&w.g, w.context, OUT_OF_ORDER);
  syclze_buffer buffer = gated_buffer(&w, w.context);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(wait_list(queue, buffer).count, 0);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end(&w);
}

static ze_image_handle_t native_image(const struct world *w, const syclze_image_input *input) {
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_1D,
      .width = WIDTH,
      .height = 1,
      .depth = 1};
  ze_image_handle_t native = NULL;
  CHECK_EQ(
      syclze_image_format(input->chan_order, input->chan_type, &desc.format), ZE_RESULT_SUCCESS);
  ze_result_t result = zeImageCreate(w->g.context, w->g.device, &desc, &native);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return native;
}

TEST(the_first_command_waits_until_an_image_is_available) { // shows backend 71
  for (int kind = 0; kind < KINDS; kind++) {
    struct world w = begin();
    syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
        .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
        .dimensions = 1,
        .range = {WIDTH}};
    input.native_handle = native_image(&w, &input);
    syclze_queue queue = queue_of_kind(&w.g, w.context, (enum kind)kind);
    syclze_image image;
    syclze_event done;
    CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_make_image_after(&input, w.context, w.gate, &image), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor to = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_group_copy_to_image(&group, to, syclze_mem_arg(w.memory), NULL, NULL),
        ZE_RESULT_SUCCESS);
    group = syclze_group_begin(queue);
    syclze_accessor from = syclze_require(&group, image, SYCLZE_ACCESS_READ);
    uint32_t *out = w.memory + ITEMS - WIDTH;
    CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(out), from, NULL, &done),
        ZE_RESULT_SUCCESS);
    check_gated(&w, done);
    CHECK_EQ(out[0], 70);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST_MAIN(the_first_command_waits_until_a_buffer_is_available,
    the_first_host_task_waits_until_a_buffer_is_available,
    a_first_group_in_another_context_waits_until_a_buffer_is_available,
    lists_do_not_wait_for_events_of_another_context, available_memory_is_not_waited_for,
    the_first_command_waits_until_an_image_is_available)
