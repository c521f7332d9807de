/* Queues: both kinds of handle, the three inputs, refused inputs, ownership. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

static syclze_queue_input list_input(ze_command_list_handle_t list, syclze_device device) {
  syclze_queue_input input = {0};
  input.native_handle = syclze_native_queue_of_list(list);
  input.device = device;
  return input;
}

static syclze_queue_input queue_input(ze_command_queue_handle_t queue, syclze_device device) {
  syclze_queue_input input = {0};
  input.native_handle = syclze_native_queue_of_queue(queue);
  input.device = device;
  return input;
}

/* Checks that the input is refused and the handle stays with the caller. */
static void check_refused(syclze_queue_input input, syclze_context context, ze_result_t code) {
  syclze_queue queue = {(struct syclze__queue *)&input};
  CHECK_REFUSED(syclze_make_queue(&input, context, &queue), code, "syclze_make_queue",
      input.native_handle.queue);
  CHECK_EQ(queue.rep, NULL);
  if (input.native_handle.queue != NULL) CHECK(fake_is_alive(input.native_handle.queue));
}

static ze_command_list_handle_t new_list(void) {
  return fake_list(world.native_context, world.root);
}

static ze_command_queue_handle_t new_queue(void) {
  return fake_queue(world.native_context, world.root);
}

TEST(a_list_under_transfer_is_destroyed_once) { // shows backend 39
  world_begin();
  ze_command_list_handle_t list = new_list();
  syclze_queue_input input = list_input(list, world.device);
  syclze_queue queue;
  CHECK_OK(syclze_make_queue(&input, world.context, &queue));
  CHECK_OK(syclze_queue_retain(queue));
  CHECK_OK(syclze_queue_release(queue));
  CHECK(fake_is_alive(list));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroys(list), 1);
  CHECK_EQ(fake_calls(FAKE_zeCommandListDestroy), 1);
  CHECK_EQ(fake_calls(FAKE_zeCommandQueueDestroy), 0);
  world_end();
}

TEST(a_command_queue_under_transfer_is_destroyed_once) { // shows backend 39
  world_begin();
  ze_command_queue_handle_t native = new_queue();
  syclze_queue_input input = queue_input(native, world.device);
  syclze_queue queue;
  CHECK_OK(syclze_make_queue(&input, world.context, &queue));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroys(native), 1);
  CHECK_EQ(fake_calls(FAKE_zeCommandListDestroy), 0);
  CHECK_EQ(fake_calls(FAKE_zeCommandQueueDestroy), 1);
  world_end();
}

TEST(keep_never_destroys) { // shows backend 39
  world_begin();
  ze_command_list_handle_t list = new_list();
  ze_command_queue_handle_t native = new_queue();
  for (int i = 0; i < 3; i++) {
    syclze_queue_input of_list = list_input(list, world.device);
    syclze_queue_input of_queue = queue_input(native, world.device);
    of_list.ownership = of_queue.ownership = SYCLZE_OWNERSHIP_KEEP;
    syclze_queue queue;
    CHECK_OK(syclze_make_queue(&of_list, world.context, &queue));
    CHECK_OK(syclze_queue_release(queue));
    CHECK_OK(syclze_make_queue(&of_queue, world.context, &queue));
    CHECK_OK(syclze_queue_release(queue));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  fake_destroy(list);
  fake_destroy(native);
  world_end();
}

TEST(a_queue_keeps_its_handle_kind_device_and_properties) {
  world_begin();
  ze_command_list_handle_t list = new_list();
  ze_command_queue_handle_t native = new_queue();
  syclze_queue_input of_list = list_input(list, world.device);
  syclze_queue_input of_queue = queue_input(native, world.device);
  of_list.properties.flags =
      SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING;
  syclze_queue a, b;
  CHECK_OK(syclze_make_queue(&of_list, world.context, &a));
  CHECK_OK(syclze_make_queue(&of_queue, world.context, &b));
  unsigned calls = fake_all_calls();
  for (int i = 0; i < 10; i++) {
    CHECK_EQ(syclze_queue_get_native(a).kind, SYCLZE_NATIVE_QUEUE_LIST);
    CHECK_EQ(syclze_queue_get_native(a).list, list);
    CHECK_EQ(syclze_queue_get_native(b).kind, SYCLZE_NATIVE_QUEUE_QUEUE);
    CHECK_EQ(syclze_queue_get_native(b).queue, native);
  }
  CHECK_EQ(fake_all_calls(), calls);
  CHECK_EQ(syclze_queue_get_properties(a).flags, of_list.properties.flags);
  CHECK_EQ(syclze_queue_get_properties(b).flags, 0);
  CHECK_EQ(syclze_queue_get_device(a).rep, world.device.rep);
  CHECK_EQ(syclze_queue_get_context(b).rep, world.context.rep);
  CHECK_OK(syclze_queue_release(a));
  CHECK_OK(syclze_queue_release(b));
  world_end();
}

TEST(a_queue_keeps_its_context) {
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context_input context_input = {native, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_context context;
  CHECK_OK(syclze_make_context(&context_input, &context));
  ze_command_list_handle_t list = fake_list(native, world.root);
  syclze_queue_input input = list_input(list, world.device);
  syclze_queue queue;
  CHECK_OK(syclze_make_queue(&input, context, &queue));
  CHECK_OK(syclze_context_release(context));
  CHECK(fake_is_alive(native));
  CHECK_EQ(syclze_context_get_native(syclze_queue_get_context(queue)), native);
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroyed_as(list), 1);
  CHECK_EQ(fake_destroyed_as(native), 2);
  world_end();
}

TEST(the_input_before_version_3_uses_the_first_device) { // shows backend 14
  world_begin();
  ze_context_handle_t native_context = fake_context(world.driver);
  const syclze_device devices[] = {world.device2, world.device};
  syclze_context context = world_context(native_context, devices, 2);
  ze_command_queue_handle_t native = fake_queue(native_context, world.root2);
  syclze_queue_input_v1 input = {native, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue queue;
  CHECK_OK(syclze_make_queue_v1(&input, context, &queue));
  CHECK_EQ(syclze_queue_get_device(queue).rep, world.device2.rep);
  CHECK_EQ(syclze_queue_get_native(queue).kind, SYCLZE_NATIVE_QUEUE_QUEUE);
  CHECK_EQ(syclze_queue_get_native(queue).queue, native);
  CHECK_OK(syclze_queue_release(queue));
  CHECK(fake_is_alive(native));
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  CHECK_OK(syclze_make_queue_v1(&input, context, &queue));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroys(native), 1);
  CHECK_OK(syclze_context_release(context));
  fake_destroy(native_context);
  world_end();
}

TEST(the_input_of_version_3_names_its_device) { // shows backend 15
  world_begin();
  ze_command_queue_handle_t native = fake_queue(world.native_context, world.sub);
  syclze_queue_input_v3 input = {native, world.sub_device, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue queue;
  CHECK_OK(syclze_make_queue_v3(&input, world.context, &queue));
  CHECK_EQ(syclze_queue_get_device(queue).rep, world.sub_device.rep);
  CHECK_EQ(syclze_queue_get_native(queue).queue, native);
  CHECK_EQ(syclze_queue_get_properties(queue).flags, 0);
  CHECK_OK(syclze_queue_release(queue));
  CHECK(fake_is_alive(native));
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  CHECK_OK(syclze_make_queue_v3(&input, world.context, &queue));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

TEST(the_older_inputs_are_checked_like_the_newest) {
  world_begin();
  ze_command_queue_handle_t native = new_queue();
  syclze_queue_input_v1 v1 = {native, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_queue_input_v3 v3 = {native, world.device2, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_context none = {0};
  syclze_queue queue;
  const char *function = "syclze_make_queue";
  queue.rep = (struct syclze__queue *)&v1;
  CHECK_REFUSED(syclze_make_queue_v1(&v1, none, &queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      function, native);
  CHECK_EQ(queue.rep, NULL);
  queue.rep = (struct syclze__queue *)&v1;
  CHECK_REFUSED(syclze_make_queue_v3(&v3, world.context, &queue), SYCLZE_RESULT_ERROR_INVALID,
      function, native);
  CHECK_EQ(queue.rep, NULL);
  v1.native_handle = NULL;
  CHECK_REFUSED(syclze_make_queue_v1(&v1, world.context, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, NULL);
  CHECK_REFUSED(syclze_make_queue_v1(NULL, world.context, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(syclze_make_queue_v3(NULL, world.context, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(syclze_make_queue_v1(&v1, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(syclze_make_queue_v3(&v3, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  fake_destroy(native);
  world_end();
}

TEST(null_arguments_are_refused) { // shows backend 37
  world_begin();
  ze_command_list_handle_t list = new_list();
  syclze_queue_input input = list_input(list, world.device);
  syclze_context none = {0};
  syclze_device no_device = {0};
  syclze_queue queue = {(struct syclze__queue *)&input};
  CHECK_REFUSED(syclze_make_queue(NULL, world.context, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_queue", NULL);
  CHECK_EQ(queue.rep, NULL);
  CHECK_REFUSED(syclze_make_queue(&input, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_queue", NULL);
  check_refused(input, none, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(list_input(list, no_device), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(list_input(NULL, world.device), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(
      queue_input(NULL, world.device), world.context, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  syclze_queue null = {0};
  CHECK_OK(syclze_queue_retain(null));
  CHECK_OK(syclze_queue_release(null));
  fake_destroy(list);
  world_end();
}

TEST(a_handle_without_a_kind_is_refused) { // shows backend 41
  world_begin();
  ze_command_queue_handle_t native = new_queue();
  syclze_queue_input input = queue_input(native, world.device);
  input.native_handle.kind = SYCLZE_NATIVE_QUEUE_NONE;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  input.native_handle.kind = (syclze_native_queue_kind)3;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(native);
  world_end();
}

TEST(an_invalid_ownership_is_refused) {
  world_begin();
  ze_command_list_handle_t list = new_list();
  syclze_queue_input input = list_input(list, world.device);
  syclze_queue queue;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_OK(syclze_make_queue(&input, world.context, &queue));
  CHECK_OK(syclze_queue_release(queue)); /* the next one needs no memory */
  input.ownership = (syclze_ownership)2;
  check_refused(input, world.context, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  fake_destroy(list);
  world_end();
}

TEST(a_device_outside_the_context_is_refused) { // shows backend 38
  world_begin();
  ze_command_list_handle_t list = fake_list(world.native_context, world.root2);
  check_refused(list_input(list, world.device2), world.context, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "4.3") != NULL);
  check_refused(list_input(list, world.other_device), world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(list);
  world_end();
}

TEST(a_sub_device_of_a_device_in_the_context_is_accepted) { // shows backend 38
  world_begin();
  const syclze_device devices[] = {world.sub_device, world.sub_sub_device};
  const ze_device_handle_t handles[] = {world.sub, world.sub_sub};
  for (int i = 0; i < 2; i++) {
    ze_command_list_handle_t list = fake_list(world.native_context, handles[i]);
    syclze_queue_input input = list_input(list, devices[i]);
    syclze_queue queue;
    CHECK_OK(syclze_make_queue(&input, world.context, &queue));
    CHECK_EQ(syclze_queue_get_device(queue).rep, devices[i].rep);
    CHECK_OK(syclze_queue_release(queue));
  }
  world_end();
}

TEST(the_parent_of_a_sub_device_in_the_context_is_refused) {
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context context = world_context(native, &world.sub_device, 1);
  ze_command_list_handle_t list = fake_list(native, world.root);
  check_refused(list_input(list, world.device), context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(list);
  CHECK_OK(syclze_context_release(context));
  fake_destroy(native);
  world_end();
}

/* Another linked image has its own state and device objects over the same handles. */
TEST(a_device_enumerated_by_another_linked_image_is_accepted) {
  world_begin();
  struct syclze__platform platform = *world.device.rep->platform;
  struct syclze__device root = *world.device.rep, root2 = *world.device2.rep;
  struct syclze__device sub = *world.sub_device.rep;
  root.platform = root2.platform = sub.platform = &platform;
  sub.parent = &root;
  struct syclze__device *const inside[] = {&root, &sub};
  for (int i = 0; i < 2; i++) {
    syclze_device device = {inside[i]};
    ze_command_list_handle_t list = fake_list(world.native_context, inside[i]->native);
    syclze_queue_input input = list_input(list, device);
    syclze_queue queue;
    CHECK_OK(syclze_make_queue(&input, world.context, &queue));
    CHECK_EQ(syclze_queue_get_device(queue).rep, inside[i]);
    CHECK_OK(syclze_queue_release(queue));
  }
  syclze_device outside = {&root2};
  ze_command_list_handle_t list = fake_list(world.native_context, world.root2);
  check_refused(list_input(list, outside), world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(list);
  const syclze_device mixed[] = {world.device, outside};
  ze_context_handle_t native = fake_context(world.driver);
  CHECK_OK(syclze_context_release(world_context(native, mixed, 2)));
  fake_destroy(native);
  world_end();
}

TEST(the_property_compute_index_is_refused) { // shows backend 44
  world_begin();
  ze_command_list_handle_t list = new_list();
  syclze_queue_input input = list_input(list, world.device);
  input.properties.flags = SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX | SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(notes.first.rule, "compute_index") != NULL);
  fake_destroy(list);
  world_end();
}

/* Several priorities, or times of events that are discarded. */
static int contradict(uint32_t flags) {
  int priorities = 0;
  for (uint32_t flag = SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW;
       flag <= SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH; flag *= 2)
    priorities += (flags & flag) != 0;
  return priorities > 1 || ((flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) &&
                               (flags & SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS));
}

TEST(properties_are_accepted_unless_they_contradict_each_other) { // shows backend 43, promises 46
  world_begin();
  for (uint32_t flags = 0; flags < SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX; flags++) {
    syclze_queue_input input = list_input(new_list(), world.device);
    input.properties.flags = flags;
    syclze_queue queue;
    if (contradict(flags)) {
      check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
      CHECK_REFUSED(syclze_queue_create(world.context, world.device, &input.properties, &queue),
          SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", NULL);
      fake_destroy(input.native_handle.list);
      continue;
    }
    CHECK_OK(syclze_make_queue(&input, world.context, &queue));
    CHECK_EQ(syclze_queue_get_properties(queue).flags, flags);
    CHECK_OK(syclze_queue_release(queue));
  }
  world_end();
}

static void check_of_wrapped_lists(uint32_t flags) {
  syclze_queue_input input = list_input(new_list(), world.device);
  syclze_queue queue;
  input.properties.flags = flags;
  CHECK_OK(syclze_make_queue(&input, world.context, &queue));
  CHECK_EQ(syclze_queue_get_properties(queue).flags, flags);
  CHECK_OK(syclze_queue_release(queue));
  input.native_handle = syclze_native_queue_of_queue(new_queue());
  check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(input.native_handle.queue);
}

TEST(what_a_list_was_created_as_is_a_property_of_wrapped_lists) { // shows queues 8
  world_begin();
  const syclze_property_list native = {.flags = SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER};
  syclze_queue queue;
  CHECK_REFUSED(syclze_queue_create(world.context, world.device, &native, &queue),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", NULL);
  check_of_wrapped_lists(SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER);
  check_of_wrapped_lists(SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS);
  check_of_wrapped_lists(SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS |
                         SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  world_end();
}

TEST(unknown_properties_are_refused) { // shows backend 43, promises 46, queues 13
  world_begin();
  syclze_queue_input input = list_input(new_list(), world.device);
  syclze_queue queue;
  for (uint32_t flag = 2 * SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS; flag != 0; flag *= 2) {
    input.properties.flags = flag | SYCLZE_QUEUE_PROPERTY_IN_ORDER;
    check_refused(input, world.context, SYCLZE_RESULT_ERROR_INVALID);
    CHECK_REFUSED(syclze_queue_create(world.context, world.device, &input.properties, &queue),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", NULL);
  }
  fake_destroy(input.native_handle.list);
  world_end();
}

TEST(unsuitable_lists_are_refused_on_a_newer_loader) { // shows backend 42
  world_begin();
  ze_command_list_handle_t regular = fake_regular_list(world.native_context, world.root);
  check_refused(list_input(regular, world.device), world.context, SYCLZE_RESULT_ERROR_INVALID);
  ze_context_handle_t other = fake_context(world.driver);
  ze_command_list_handle_t elsewhere = fake_list(other, world.root);
  check_refused(list_input(elsewhere, world.device), world.context, SYCLZE_RESULT_ERROR_INVALID);
  ze_command_list_handle_t on_sub = fake_list(world.native_context, world.sub);
  check_refused(list_input(on_sub, world.device), world.context, SYCLZE_RESULT_ERROR_INVALID);
  fake_destroy(regular);
  fake_destroy(elsewhere);
  fake_destroy(on_sub);
  fake_destroy(other);
  world_end();
}

/* Rules that cannot be checked pass: on an old loader, and on a driver without the query. */
TEST(inputs_that_cannot_be_checked_are_accepted) {
  for (int old = 0; old < 2; old++) {
    if (old)
      world_begin_with_old_loader();
    else
      world_begin();
    fake.no_getters = 1;
    syclze_queue_input input =
        list_input(fake_regular_list(world.native_context, world.root), world.device);
    syclze_queue queue;
    CHECK_OK(syclze_make_queue(&input, world.context, &queue));
    CHECK_OK(syclze_queue_release(queue));
    CHECK_EQ(fake_calls(FAKE_zeCommandListIsImmediate) != 0, !old);
    world_end();
  }
}

TEST(the_caller_keeps_the_handle_when_allocation_fails) {
  world_begin();
  ze_command_list_handle_t list = new_list();
  syclze_queue_input input = list_input(list, world.device);
  world_use_up(SYCLZE__POOL_QUEUE);
  check_refused(input, world.context, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  syclze_queue queue;
  CHECK_OK(syclze_make_queue(&input, world.context, &queue));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroys(list), 1);
  world_end();
}

TEST(a_failed_destroy_is_reported_and_the_memory_freed) {
  world_begin();
  ze_command_list_handle_t list = new_list();
  ze_command_queue_handle_t native = new_queue();
  syclze_queue_input of_list = list_input(list, world.device);
  syclze_queue_input of_queue = queue_input(native, world.device);
  syclze_queue queue;
  CHECK_OK(syclze_make_queue(&of_list, world.context, &queue));
  fake_fail(FAKE_zeCommandListDestroy, 1, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_FAILED(syclze_queue_release(queue), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
      "syclze_queue_release", list);
  CHECK_OK(syclze_make_queue(&of_queue, world.context, &queue));
  fake_fail(FAKE_zeCommandQueueDestroy, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(
      syclze_queue_release(queue), ZE_RESULT_ERROR_DEVICE_LOST, "syclze_queue_release", native);
  fake_destroy(list);
  fake_destroy(native);
  world_end();
}

TEST(a_queue_begins_without_a_handler) {
  static const syclze_asynchronous_handler handler = {NULL, NULL};
  world_begin();
  const ze_command_list_handle_t list = fake_list(world.native_context, world.root);
  syclze_queue_input input = {0};
  input.native_handle = syclze_native_queue_of(list);
  input.device = world.device;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (int i = 0; i < 3; i++) {
    syclze_queue queue;
    CHECK_OK(syclze_make_queue(&input, world.context, &queue));
    CHECK_EQ(syclze_queue_set_asynchronous_handler(queue, &handler), NULL);
    CHECK_EQ(syclze_queue_set_asynchronous_handler(queue, &handler), &handler);
    CHECK_OK(syclze_queue_release(queue));
  }
  fake_destroy(list);
  world_end();
}

TEST_MAIN_COLD_AND_WARM(a_queue_begins_without_a_handler, a_list_under_transfer_is_destroyed_once,
    a_command_queue_under_transfer_is_destroyed_once, keep_never_destroys,
    a_queue_keeps_its_handle_kind_device_and_properties, a_queue_keeps_its_context,
    the_input_before_version_3_uses_the_first_device, the_input_of_version_3_names_its_device,
    the_older_inputs_are_checked_like_the_newest, null_arguments_are_refused,
    a_handle_without_a_kind_is_refused, an_invalid_ownership_is_refused,
    a_device_outside_the_context_is_refused, a_sub_device_of_a_device_in_the_context_is_accepted,
    the_parent_of_a_sub_device_in_the_context_is_refused,
    a_device_enumerated_by_another_linked_image_is_accepted, the_property_compute_index_is_refused,
    properties_are_accepted_unless_they_contradict_each_other, unknown_properties_are_refused,
    what_a_list_was_created_as_is_a_property_of_wrapped_lists,
    unsuitable_lists_are_refused_on_a_newer_loader, inputs_that_cannot_be_checked_are_accepted,
    the_caller_keeps_the_handle_when_allocation_fails,
    a_failed_destroy_is_reported_and_the_memory_freed)
