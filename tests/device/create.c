/* Contexts, queues and events that syclze creates: creation, use and destruction on the driver. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#include <sched.h>

static syclze_context created_context(const struct given *g) {
  syclze_device device = made_device(g);
  syclze_context context;
  CHECK_EQ(syclze_context_create(&device, 1, &context), ZE_RESULT_SUCCESS);
  return context;
}

TEST(a_context_is_created_and_destroyed) {
  struct given g = given();
  syclze_context context = created_context(&g);
  ze_context_handle_t native = syclze_context_get_native(context);
  CHECK_EQ(spy_alive(SPY_CONTEXT), 2);
  CHECK(native != g.context);
  works_context(native);
  CHECK_EQ(syclze_context_get_device(context, 0).rep, made_device(&g).rep);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  given_end(&g);
}

TEST(null_arguments_of_context_create_are_refused) {
  struct given g = given();
  syclze_device device = made_device(&g), null = {0};
  syclze_context context;
  REFUSED(context, syclze_context_create(&device, 0, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_context_create", "at least one device", NULL);
  REFUSED(context, syclze_context_create(NULL, 1, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_context_create", "at least one device", NULL);
  REFUSED(context, syclze_context_create(&null, 1, &context), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_context_create", "null", NULL);
  FAILED(syclze_context_create(&device, 1, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_context_create", "null", NULL);
  given_end(&g);
}

/* Creates a queue with the properties, uses it and checks its destruction. Returns the descriptor
   that the driver received. */
static ze_command_queue_desc_t check_queue(
    struct given *g, const syclze_property_list *properties) {
  syclze_context context = made_context(g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue;
  unsigned lists = spy_alive(SPY_LIST);
  CHECK_EQ(syclze_queue_create(context, made_device(g), properties, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_LIST), lists + 1);
  ze_command_queue_desc_t desc = spy_last_queue();
  CHECK_EQ(desc.mode, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  CHECK_EQ(desc.ordinal, g->ordinal);
  syclze_native_queue native = syclze_queue_get_native(queue);
  CHECK_EQ(native.kind, SYCLZE_NATIVE_QUEUE_LIST);
  CHECK_EQ(syclze_queue_get_properties(queue).flags, properties ? properties->flags : 0);
  CHECK_EQ(syclze_queue_get_device(queue).rep, made_device(g).rep);
  works_list(g, native.list);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_LIST), lists);
  CHECK(!spy_is_alive(SPY_LIST, native.list));
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  return desc;
}

TEST(a_queue_is_out_of_order_by_default) { // shows peers 4
  struct given g = given();
  ze_command_queue_desc_t desc = check_queue(&g, NULL);
  CHECK_EQ(desc.flags, 0);
  CHECK_EQ(desc.index, 0);
  CHECK_EQ(desc.priority, ZE_COMMAND_QUEUE_PRIORITY_NORMAL);
  given_end(&g);
}

/* Whatever the driver makes of the hint: submissions, events with times and waits. */
TEST(a_queue_may_have_low_power_events) { // shows queues 12
  struct given g = given();
  const unsigned pools = spy_alive(SPY_EVENT_POOL);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  for (uint32_t more = 0; more <= SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING;
       more += SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) {
    const syclze_property_list properties = {
        .flags = SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS | SYCLZE_QUEUE_PROPERTY_IN_ORDER | more};
    const int five = 5;
    syclze_queue queue;
    syclze_event event;
    uint64_t start, end;
    int *memory;
    CHECK_EQ(syclze_queue_create(context, made_device(&g), &properties, &queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_malloc_shared(64, made_device(&g), context, (void **)&memory), ZE_RESULT_SUCCESS);
    memory[15] = 0;
    for (int i = 0; i < 3; i++) {
      syclze_group group = syclze_group_begin(queue);
      CHECK_EQ(
          syclze_group_fill(&group, syclze_mem_arg((void *)memory), &five, sizeof five, 64, &event),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
      if (more == 0)
        FAILED(syclze_event_get_profiling(event, made_device(&g), &start, &end),
            SYCLZE_RESULT_ERROR_INVALID, "syclze_event_get_profiling", "enable_profiling",
            syclze_get_native(event));
      else if (given_executes())
        CHECK_EQ(
            syclze_event_get_profiling(event, made_device(&g), &start, &end), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    if (given_executes()) CHECK_EQ(memory[15], 5);
    CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  /* Where polled events stay unsignalled a queue ends on a thread of the library. */
  while (spy_alive(SPY_EVENT_POOL) > pools)
    sched_yield();
  given_end(&g);
}

TEST(a_queue_may_have_any_priority) {
  static const struct {
    uint32_t flags;
    ze_command_queue_priority_t priority;
  } cases[] = {{SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW},
      {SYCLZE_QUEUE_PROPERTY_PRIORITY_NORMAL, ZE_COMMAND_QUEUE_PRIORITY_NORMAL},
      {SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH},
      {SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING, ZE_COMMAND_QUEUE_PRIORITY_NORMAL},
      {SYCLZE_QUEUE_PROPERTY_DISCARD_EVENTS, ZE_COMMAND_QUEUE_PRIORITY_NORMAL}};
  struct given g = given();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_property_list properties = {.flags = cases[i].flags};
    CHECK_EQ(check_queue(&g, &properties).priority, cases[i].priority);
  }
  given_end(&g);
}

/* A queue created under the environment is a command queue, which works and is owned. */
static void check_command_queue(struct given *g) {
  syclze_context context = made_context(g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(context, made_device(g), NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_native_queue native = syclze_queue_get_native(queue);
  CHECK_EQ(native.kind, SYCLZE_NATIVE_QUEUE_QUEUE);
  works_queue(g, native.queue);
  /* A driver may give the address of a destroyed queue to the next one. */
  const unsigned before = spy_destroys_of(native.queue);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native.queue), before + 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
}

/* 4.2: the environment selects command queues or command lists, by the variable of the
   specification and by that of today's runtimes, which takes precedence. */
TEST(the_environment_selects_command_queues) { // shows backend 24, promises 37
  static const char *const variables[] = {
      "SYCL_PI_LEVEL_ZERO_USE_IMMEDIATE_COMMANDLISTS", "UR_L0_USE_IMMEDIATE_COMMANDLISTS"};
  struct given g = given();
  for (int i = 0; i < 2; i++) {
    given_environment(variables[i], "0");
    check_command_queue(&g);
    given_environment(variables[i], "1");
    check_queue(&g, NULL);
    given_environment(variables[i], NULL);
  }
  for (int i = 0; i < 2; i++) {
    given_environment(variables[0], i ? "0" : "1");
    given_environment(variables[1], i ? "1" : "0");
    if (i)
      check_queue(&g, NULL);
    else
      check_command_queue(&g);
  }
  for (int i = 0; i < 2; i++)
    given_environment(variables[i], NULL);
  given_end(&g);
}

/* compute_index is an index into the queues of the group. */
TEST(compute_index_selects_a_queue_of_the_group) { // shows queues 11
  struct given g = given();
  uint32_t count = g.ordinal + 1;
  ze_command_queue_group_properties_t groups[16] = {{0}};
  groups[g.ordinal].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  CHECK_EQ(zeDeviceGetCommandQueueGroupProperties(g.device, &count, groups), ZE_RESULT_SUCCESS);
  uint32_t queues = groups[g.ordinal].numQueues;
  CHECK(queues > 0);
  for (uint32_t i = 0; i < queues; i++)
    CHECK_EQ(
        check_queue(&g, &(syclze_property_list){SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX, i, 0}).index,
        i);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue;
  syclze_property_list beyond = {SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX, queues, 0};
  REFUSED(queue, syclze_queue_create(context, made_device(&g), &beyond, &queue),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", "no queue of the index", NULL);
  beyond.flags |= SYCLZE_QUEUE_PROPERTY_ORDINAL;
  beyond.ordinal = g.ordinal;
  REFUSED(queue, syclze_queue_create(context, made_device(&g), &beyond, &queue),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", "no queue of the index", NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* On each group of the device, by either kind of queue, a copy without events. */
TEST(queues_of_every_group_and_kind_copy) { // shows queues 11
  static const uint32_t kinds[] = {SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST,
      SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
      SYCLZE_QUEUE_PROPERTY_IMMEDIATE_COMMAND_LIST | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS,
      SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS};
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  uint32_t count = 0;
  CHECK_EQ(zeDeviceGetCommandQueueGroupProperties(g.device, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK(count > 0);
  void *memory;
  CHECK_EQ(syclze_malloc_host(2 * sizeof(int), context, &memory), ZE_RESULT_SUCCESS);
  volatile int *values = (volatile int *)memory;
  for (uint32_t i = 0; i < 4 * count; i++) {
    const syclze_property_list properties = {
        kinds[i % 4] | SYCLZE_QUEUE_PROPERTY_ORDINAL, 0, i / 4};
    syclze_queue queue;
    CHECK_EQ(syclze_queue_create(context, made_device(&g), &properties, &queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_is_immediate(queue), i % 2 == 0);
    CHECK_EQ(spy_last_queue().ordinal, i / 4);
    CHECK_EQ(spy_last_queue().mode,
        i % 4 < 2 ? ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    if (given_executes()) {
      values[0] = (int)i + 1;
      syclze_group group = syclze_group_begin(queue);
      CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg((int *)memory + 1), syclze_mem_arg(memory),
                   sizeof(int), NULL),
          ZE_RESULT_SUCCESS);
      if (i % 4 < 2) CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
      CHECK_EQ(values[1], (int)i + 1);
    }
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  }
  const syclze_property_list beyond = {SYCLZE_QUEUE_PROPERTY_ORDINAL, 0, count};
  syclze_queue queue;
  REFUSED(queue, syclze_queue_create(context, made_device(&g), &beyond, &queue),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", "no queue group of the ordinal", NULL);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* Each copy reads the result of the one before it, with no event between them. */
TEST(an_in_order_queue_keeps_submission_order) {
  enum { STEPS = 100, SIZE = 4096 };
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  ze_result_t result = syclze_queue_create(context, made_device(&g), &properties, &queue);
  if (result == ZE_RESULT_ERROR_INVALID_ENUMERATION && getenv("ZE_ENABLE_PARAMETER_VALIDATION")) {
    CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
    given_end(&g);
    SKIP("the loader's validation layer is older than in-order lists");
  }
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_last_queue().flags, 1u << 1); /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER of newer headers */
  CHECK_EQ(syclze_queue_get_properties(queue).flags, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  ze_command_list_handle_t list = syclze_queue_get_native(queue).list;
  void *memory;
  CHECK_EQ(syclze_malloc_host((STEPS + 1) * SIZE, context, &memory), ZE_RESULT_SUCCESS);
  unsigned char *bytes = memory;
  memset(bytes, 0, (STEPS + 1) * SIZE);
  memset(bytes, 7, SIZE);
  for (int i = 0; i < STEPS; i++)
    CHECK_EQ(zeCommandListAppendMemoryCopy(
                 list, bytes + (i + 1) * SIZE, bytes + i * SIZE, SIZE, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
  works_wait(&g, list);
  for (int i = 0; i < (STEPS + 1) * SIZE; i++)
    CHECK_EQ(bytes[i], 7);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(null_arguments_of_queue_create_are_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = {0};
  syclze_device device = made_device(&g), no_device = {0};
  syclze_queue queue;
  REFUSED(queue, syclze_queue_create(no_context, device, NULL, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_create", "context", NULL);
  REFUSED(queue, syclze_queue_create(context, no_device, NULL, &queue),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_create", "device", NULL);
  FAILED(syclze_queue_create(context, device, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_queue_create", "null", NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(an_event_is_signalled_by_the_host_and_by_commands) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event events[2];
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_event_create(context, 0, &events[i]), ZE_RESULT_SUCCESS);
  ze_event_handle_t first = syclze_event_get_native(events[0]);
  ze_event_handle_t then = syclze_event_get_native(events[1]);
  works_event(first);
  CHECK_EQ(zeCommandListAppendBarrier(g.list, then, 1, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(then), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(then, UINT64_MAX), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_profiling_event_takes_timestamps) {
  given_needs_execution();
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event event;
  CHECK_EQ(syclze_event_create(context, SYCLZE_EVENT_FLAG_PROFILING, &event), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_event_get_native(event);
  void *memory;
  CHECK_EQ(syclze_malloc_host(1 << 20, context, &memory), ZE_RESULT_SUCCESS);
  char pattern = 3;
  CHECK_EQ(zeCommandListAppendMemoryFill(
               g.list, memory, &pattern, sizeof pattern, 1 << 20, native, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(native, UINT64_MAX), ZE_RESULT_SUCCESS);
  ze_kernel_timestamp_result_t stamps = {{0, 0}, {0, 0}};
  CHECK_EQ(zeEventQueryKernelTimestamp(native, &stamps), ZE_RESULT_SUCCESS);
  CHECK(stamps.global.kernelStart != 0);
  CHECK(stamps.global.kernelStart < stamps.global.kernelEnd);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_released_event_is_reused_unsignalled) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event event;
  CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_event_get_native(event);
  unsigned alive = spy_alive_in_all();
  for (int i = 0; i < 100; i++) {
    CHECK_EQ(syclze_event_get_native(event), native);
    CHECK_EQ(zeEventQueryStatus(native), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(spy_alive_in_all(), alive);
  CHECK_EQ(spy_destroys(), 0);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  given_end(&g);
}

/* Pools and events are syclze's, whatever the ownership of the context; the context is destroyed
 * last. */
TEST(many_events_are_destroyed_with_their_context) {
  enum { MANY = 1000 };
  struct given g = given();
  static syclze_event events[MANY];
  static ze_event_handle_t natives[MANY];
  syclze_context context = created_context(&g);
  ze_context_handle_t native = syclze_context_get_native(context);
  unsigned pools = spy_alive(SPY_EVENT_POOL);
  for (int i = 0; i < MANY; i++) {
    CHECK_EQ(syclze_event_create(context, i % 2 ? SYCLZE_EVENT_FLAG_PROFILING : 0, &events[i]),
        ZE_RESULT_SUCCESS);
    natives[i] = syclze_event_get_native(events[i]);
    works_event(natives[i]);
  }
  CHECK(spy_alive(SPY_EVENT) >= MANY);
  CHECK(spy_alive(SPY_EVENT_POOL) - pools < 20);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MANY; i++)
    CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_EVENT), 0);
  CHECK_EQ(spy_alive(SPY_EVENT_POOL), pools);
  CHECK_EQ(spy_destroys_of(native), 1);
  for (int i = 0; i < MANY; i++)
    spy_check_order(natives[i], native);
  given_end(&g);
}

TEST(created_events_are_destroyed_with_a_kept_context) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event event;
  CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_event_get_native(event);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_alive(SPY_EVENT), 0);
  CHECK_EQ(spy_alive(SPY_EVENT_POOL), 1);
  CHECK_EQ(spy_destroys_of(g.context), 0);
  works_context(g.context);
  given_end(&g);
}

TEST(null_arguments_of_event_create_are_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = {0};
  syclze_event event;
  REFUSED(event, syclze_event_create(no_context, 0, &event), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_event_create", "context", NULL);
  FAILED(syclze_event_create(context, 0, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_event_create", "null", NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_context_is_created_and_destroyed, null_arguments_of_context_create_are_refused,
    a_queue_is_out_of_order_by_default, a_queue_may_have_low_power_events,
    a_queue_may_have_any_priority, the_environment_selects_command_queues,
    compute_index_selects_a_queue_of_the_group, queues_of_every_group_and_kind_copy,
    an_in_order_queue_keeps_submission_order, null_arguments_of_queue_create_are_refused,
    an_event_is_signalled_by_the_host_and_by_commands, a_profiling_event_takes_timestamps,
    a_released_event_is_reused_unsignalled, many_events_are_destroyed_with_their_context,
    created_events_are_destroyed_with_a_kept_context, null_arguments_of_event_create_are_refused)
