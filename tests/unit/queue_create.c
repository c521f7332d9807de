/* Created queues: an immediate list on the first compute queue group, or what the properties say.
 */
#undef SYCLZE_DECLARATIONS
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/world.h"
#include "tests/check.h"

static syclze_queue created(const syclze_property_list *properties) {
  syclze_queue queue;
  CHECK_OK(syclze_queue_create(world.context, world.device, properties, &queue));
  return queue;
}

static void check_refused(syclze_context context, syclze_device device, ze_result_t code) {
  syclze_queue queue = {(struct syclze__queue *)&world};
  CHECK_REFUSED(
      syclze_queue_create(context, device, NULL, &queue), code, "syclze_queue_create", NULL);
  CHECK_EQ(queue.rep, NULL);
}

TEST(a_created_queue_owns_one_immediate_list) {
  world_begin();
  unsigned calls = fake_all_calls();
  syclze_queue queue = created(NULL);
  CHECK_EQ(fake_calls(FAKE_zeCommandListCreateImmediate), 1);
  CHECK_EQ(fake_all_calls() - calls, 3);
  syclze_native_queue native = syclze_queue_get_native(queue);
  CHECK_EQ(native.kind, SYCLZE_NATIVE_QUEUE_LIST);
  CHECK_EQ(fake_seen.list_desc.stype, ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC);
  CHECK_EQ(fake_seen.list_desc.mode, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  CHECK_EQ(fake_seen.list_desc.ordinal, 1);
  CHECK_EQ(fake_seen.list_desc.index, 0);
  CHECK_EQ(fake_seen.list_desc.flags, 0);
  CHECK_EQ(fake_seen.list_desc.priority, ZE_COMMAND_QUEUE_PRIORITY_NORMAL);
  CHECK_EQ(syclze_queue_get_context(queue).rep, world.context.rep);
  CHECK_EQ(syclze_queue_get_device(queue).rep, world.device.rep);
  CHECK_OK(syclze_queue_release(queue));
  CHECK_EQ(fake_destroys(native.list), 1);
  world_end();
}

TEST(properties_reach_the_driver) {
  world_begin();
  syclze_property_list wanted = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER |
                                          SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW |
                                          SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX,
      .compute_index = 3};
  syclze_queue queue = created(&wanted);
  CHECK_EQ(fake_seen.list_desc.flags, 2);
  CHECK_EQ(fake_seen.list_desc.index, 3);
  CHECK_EQ(fake_seen.list_desc.priority, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW);
  CHECK_EQ(syclze_queue_get_properties(queue).flags, wanted.flags);
  CHECK_EQ(syclze_queue_get_properties(queue).compute_index, 3);
  CHECK_OK(syclze_queue_release(queue));
  wanted.flags = SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH;
  queue = created(&wanted);
  CHECK_EQ(fake_seen.list_desc.flags, 0);
  CHECK_EQ(fake_seen.list_desc.index, 0);
  CHECK_EQ(fake_seen.list_desc.priority, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH);
  CHECK_OK(syclze_queue_release(queue));
  world_end();
}

TEST(an_ordinal_selects_any_group) { // shows queues 11
  world_begin();
  fake.group_count = 3;
  fake.group_flags[0] = fake.group_flags[2] = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY;
  fake.group_flags[1] = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
  for (uint32_t ordinal = 0; ordinal < 3; ordinal++) {
    const syclze_property_list wanted = {SYCLZE_QUEUE_PROPERTY_ORDINAL, 7, ordinal};
    syclze_queue queue = created(&wanted);
    CHECK_EQ(fake_seen.list_desc.ordinal, ordinal);
    CHECK_EQ(fake_seen.list_desc.index, 0);
    CHECK_EQ(syclze_queue_get_properties(queue).ordinal, ordinal);
    CHECK_OK(syclze_queue_release(queue));
  }
  /* Without the flag the member has no effect. */
  const syclze_property_list unset = {0, 0, 2};
  CHECK_OK(syclze_queue_release(created(&unset)));
  CHECK_EQ(fake_seen.list_desc.ordinal, 1);
  world_end();
}

static void check_properties_refused(uint32_t flags, uint32_t index, uint32_t ordinal) {
  const syclze_property_list wanted = {flags, index, ordinal};
  syclze_queue queue = {(struct syclze__queue *)&world};
  CHECK_REFUSED(syclze_queue_create(world.context, world.device, &wanted, &queue),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", NULL);
  CHECK_EQ(queue.rep, NULL);
}

TEST(groups_and_indices_that_there_are_not_are_refused) { // shows queues 13
  world_begin();
  const uint32_t both = SYCLZE_QUEUE_PROPERTY_ORDINAL | SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX;
  check_properties_refused(SYCLZE_QUEUE_PROPERTY_ORDINAL, 0, fake.group_count);
  check_properties_refused(SYCLZE_QUEUE_PROPERTY_ORDINAL, 0, UINT32_MAX);
  check_properties_refused(both, FAKE_QUEUES, 0);
  check_properties_refused(both, UINT32_MAX, 0);
  CHECK_EQ(fake_calls(FAKE_zeCommandListCreateImmediate), 0);
  const syclze_property_list last = {both, FAKE_QUEUES - 1, 0};
  CHECK_OK(syclze_queue_release(created(&last)));
  CHECK_EQ(fake_seen.list_desc.index, FAKE_QUEUES - 1);
  fake_fail(FAKE_zeDeviceGetCommandQueueGroupProperties, 2, ZE_RESULT_ERROR_DEVICE_LOST);
  syclze_queue queue;
  CHECK_REFUSED(syclze_queue_create(world.context, world.device, &last, &queue),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_queue_create", NULL);
  world_end();
}

TEST(a_queue_may_be_synchronous) { // shows queues 11
  world_begin();
  const syclze_property_list wanted = {.flags = SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS};
  CHECK_OK(syclze_queue_release(created(&wanted)));
  CHECK_EQ(fake_seen.list_desc.mode, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
  world_end();
}

TEST(the_kind_of_a_queue_is_not_both) { // shows queues 13
  world_begin();
  check_properties_refused(SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST |
                               SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
      0, 0);
  const syclze_property_list immediate = {.flags = SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST};
  CHECK_EQ(setenv("UR_L0_USE_IMMEDIATE_COMMANDLISTS", "0", 1), 0);
  syclze_queue queue = created(&immediate);
  CHECK_EQ(unsetenv("UR_L0_USE_IMMEDIATE_COMMANDLISTS"), 0);
  CHECK(syclze_queue_is_immediate(queue));
  CHECK_OK(syclze_queue_release(queue));
  world_end();
}

/* Events for waits of the host are discarded, or waited for by the submission. */
TEST(low_power_events_contradict_a_queue_without_waits) { // shows queues 12
  world_begin();
  const uint32_t low_power = SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS;
  check_properties_refused(low_power | SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS, 0, 0);
  check_properties_refused(low_power | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS, 0, 0);
  check_properties_refused(2 * low_power, 0, 0);
  CHECK_EQ(fake_calls(FAKE_zeCommandListCreateImmediate), 0);
  const syclze_property_list wanted = {.flags = low_power | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING};
  syclze_queue queue = created(&wanted);
  CHECK_EQ(syclze_queue_get_properties(queue).flags, wanted.flags);
  CHECK_OK(syclze_queue_release(queue));
  world_end();
}

/* Events of each kind stand in pools of their own, also where a thread keeps them. */
TEST(low_power_events_are_events_of_their_own) { // shows queues 12
  static const enum syclze__event_kind kinds[] = {SYCLZE__EVENT_PLAIN, SYCLZE__EVENT_LOW_POWER,
      (enum syclze__event_kind)(SYCLZE__EVENT_LOW_POWER | SYCLZE__EVENT_TIMESTAMP)};
  ze_event_handle_t natives[3];
  world_begin();
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 3; i++) {
      syclze_event event;
      const unsigned pools = fake_calls(FAKE_zeEventPoolCreate);
      CHECK_OK(syclze__event_acquire(world.context.rep, kinds[i], &event.rep));
      if (round == 0) {
        natives[i] = syclze_event_get_native(event);
        CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), pools + 1);
        CHECK_EQ(fake_seen.event_sync_mode, i == 0 ? 0 : 3);
        CHECK_EQ((fake_seen.pool_desc.flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP) != 0, i == 2);
      } else {
        CHECK_EQ(fake_calls(FAKE_zeEventPoolCreate), pools);
        CHECK(syclze_event_get_native(event) != natives[(i + 1) % 3]);
      }
      CHECK_OK(syclze_event_release(event));
    }
  world_end();
}

TEST(low_power_events_without_interrupts_wait_only) { // shows queues 12
  world_begin();
  syclze_event event;
  fake_fail(FAKE_zeEventCreate, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_OK(syclze__event_acquire(world.context.rep, SYCLZE__EVENT_LOW_POWER, &event.rep));
  CHECK_EQ(fake_failed_function(), FAKE_zeEventCreate);
  CHECK_OK(syclze_event_release(event));
  world_end();
}

/* Traits of the native queue cannot be properties of its wrapper. */
TEST(properties_of_creation_are_refused_by_makes) { // shows queues 13
  world_begin();
  syclze_queue_input input = {0};
  input.native_handle = syclze_native_queue_of_list(fake_list(world.native_context, world.root));
  input.device = world.device;
  for (uint32_t flag = SYCLZE_QUEUE_PROPERTY_ORDINAL;
       flag <= SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS; flag *= 2) {
    syclze_queue queue = {(struct syclze__queue *)&world};
    if (flag == SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS) continue; /* of what the list was created as */
    input.properties.flags = flag;
    CHECK_REFUSED(syclze_make_queue(&input, world.context, &queue), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_queue", input.native_handle.list);
    CHECK_EQ(queue.rep, NULL);
    CHECK(fake_is_alive(input.native_handle.list));
  }
  fake_destroy(input.native_handle.list);
  world_end();
}

TEST(the_first_compute_group_is_used_and_queried_once) {
  for (uint32_t ordinal = 0; ordinal < 4; ordinal++) {
    world_begin();
    fake.group_count = 4;
    for (uint32_t i = 0; i < 4; i++)
      fake.group_flags[i] = i < ordinal ? (uint32_t)ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY
                                        : (uint32_t)ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
    for (int i = 0; i < 3; i++) {
      CHECK_OK(syclze_queue_release(created(NULL)));
      CHECK_EQ(fake_seen.list_desc.ordinal, ordinal);
    }
    CHECK_EQ(fake_calls(FAKE_zeDeviceGetCommandQueueGroupProperties), 2);
    world_end();
  }
}

TEST(a_device_without_a_compute_group_is_refused) {
  world_begin();
  fake.group_count = 1;
  check_refused(world.context, world.device, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  fake.group_count = 0;
  check_refused(world.context, world.device, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_EQ(fake_calls(FAKE_zeCommandListCreateImmediate), 0);
  world_end();
}

TEST(in_order_is_refused_where_the_driver_lacks_it) {
  world_begin();
  fake.no_in_order_lists = 1;
  syclze_property_list wanted = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  CHECK_REFUSED(syclze_queue_create(world.context, world.device, &wanted, &queue),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_queue_create", NULL);
  CHECK_EQ(queue.rep, NULL);
  CHECK_OK(syclze_queue_release(created(NULL)));
  world_end();
}

TEST(wrong_arguments_are_refused) {
  world_begin();
  syclze_context no_context = {0};
  syclze_device no_device = {0};
  check_refused(no_context, world.device, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(world.context, no_device, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  check_refused(world.context, world.device2, SYCLZE_RESULT_ERROR_INVALID);
  check_refused(world.context, world.other_device, SYCLZE_RESULT_ERROR_INVALID);
  CHECK_REFUSED(syclze_queue_create(world.context, world.device, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_create", NULL);
  world_end();
}

TEST(a_queue_of_a_sub_device_has_its_list_on_the_sub_device) {
  world_begin();
  syclze_queue queue;
  CHECK_OK(syclze_queue_create(world.context, world.sub_sub_device, NULL, &queue));
  CHECK_EQ(syclze_queue_get_device(queue).rep, world.sub_sub_device.rep);
  /* The list is on that device: wrapping it with that device succeeds. */
  syclze_queue_input input = {0};
  input.native_handle = syclze_queue_get_native(queue);
  input.device = world.sub_sub_device;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  syclze_queue again;
  CHECK_OK(syclze_make_queue(&input, world.context, &again));
  CHECK_OK(syclze_queue_release(again));
  CHECK_OK(syclze_queue_release(queue));
  world_end();
}

TEST_MAIN(a_created_queue_owns_one_immediate_list, properties_reach_the_driver,
    an_ordinal_selects_any_group, groups_and_indices_that_there_are_not_are_refused,
    a_queue_may_be_synchronous, the_kind_of_a_queue_is_not_both,
    low_power_events_contradict_a_queue_without_waits, low_power_events_are_events_of_their_own,
    low_power_events_without_interrupts_wait_only, properties_of_creation_are_refused_by_makes,
    the_first_compute_group_is_used_and_queried_once, a_device_without_a_compute_group_is_refused,
    in_order_is_refused_where_the_driver_lacks_it, wrong_arguments_are_refused,
    a_queue_of_a_sub_device_has_its_list_on_the_sub_device)
