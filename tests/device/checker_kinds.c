/* The debug checker (check.h) tracks wrapped and created handles of every kind, in any number. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/checked.h"
#include "support/spy.h"

/* Destroying a wrapped handle has no effect, and is reported with the line of its make. */
#define IN_USE(call, destroyed, kind, line)                                                        \
  do {                                                                                             \
    unsigned before = noted.count;                                                                 \
    CHECK_EQ(call, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);                                          \
    CHECK_EQ(noted.count, before + 1);                                                             \
    CHECK_EQ(strncmp(#call, noted.function, strlen(noted.function)), 0);                           \
    CHECK_EQ(noted.handle, destroyed);                                                             \
    CHECK_EQ(spy_destroys_of(destroyed), 0);                                                       \
    check_place(kind, line);                                                                       \
  } while (0)

static void check_place(const char *kind, int line) {
  char place[160];
  snprintf(place, sizeof place, "%s made at %s:%d", kind, __FILE__, line);
  CHECK_STR_EQ(noted.detail, place);
}

TEST(wrapped_handles_of_every_kind_are_tracked) { // shows backend 76
  begin();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  syclze_queue_input of_list = {.native_handle = syclze_native_queue_of(g.list), .device = device};
  syclze_queue_input_v1 of_queue = {.native_handle = g.queue};
  syclze_kernel_bundle_input of_module = {.native_handle = g.module};
  syclze_queue list, queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel, second;
  ze_kernel_handle_t handle;
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "iota"};
  CHECK_EQ(zeKernelCreate(g.module, &desc, &handle), ZE_RESULT_SUCCESS);
  const int line = __LINE__ + 1;
  CHECK_EQ(syclze_make_queue(&of_list, context, &list), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_queue_v1(&of_queue, context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(&of_module, context, &bundle), ZE_RESULT_SUCCESS);
  syclze_kernel_input of_kernel = {.kernel_bundle = bundle, .native_handle = g.kernel};
  CHECK_EQ(syclze_make_kernel(&of_kernel, context, &kernel), ZE_RESULT_SUCCESS);
  /* The bundle's kernels are known by now. */
  of_kernel.native_handle = handle;
  CHECK_EQ(syclze_make_kernel(&of_kernel, context, &second), ZE_RESULT_SUCCESS);
  IN_USE(zeCommandListDestroy(g.list), g.list, "queue", line);
  IN_USE(zeCommandQueueDestroy(g.queue), g.queue, "queue", line + 1);
  IN_USE(zeModuleDestroy(g.module), g.module, "kernel bundle", line + 2);
  IN_USE(zeKernelDestroy(g.kernel), g.kernel, "kernel", line + 4);
  IN_USE(zeKernelDestroy(handle), handle, "kernel", line + 7);
  CHECK_EQ(zeKernelSetGroupSize(g.kernel, 1, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(g.list), 1);
  CHECK_EQ(spy_destroys_of(g.queue), 1);
  CHECK_EQ(spy_destroys_of(g.module), 1);
  CHECK_EQ(spy_destroys_of(g.kernel), 1);
  CHECK_EQ(spy_destroys_of(handle), 1);
  CHECK_EQ(noted.count, 5);
  end();
}

TEST(created_handles_are_tracked) { // shows backend 76
  begin();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  syclze_context created;
  syclze_queue queue;
  const int line = __LINE__ + 1;
  CHECK_EQ(syclze_context_create(&device, 1, &created), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(created, device, NULL, &queue), ZE_RESULT_SUCCESS);
  ze_context_handle_t native = syclze_get_native(created);
  ze_command_list_handle_t list = syclze_get_native(queue).list;
  IN_USE(zeContextDestroy(native), native, "context", line);
  IN_USE(zeCommandListDestroy(list), list, "queue", line + 1);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(created), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_destroys_of(list), 1);
  end();
}

/* A kept handle that is wrapped twice is tracked until the second release. */
TEST(a_handle_is_tracked_until_its_last_wrapper_is_released) {
  begin();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_KEEP};
  syclze_event first, then;
  const int line = __LINE__ + 1;
  CHECK_EQ(syclze_make_event(&input, context, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_event(&input, context, &then), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  IN_USE(zeEventDestroy(input.native_handle), input.native_handle, "event", line);
  CHECK_EQ(syclze_release(then), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  end();
}

/* A context and a bundle without references live as long as their children. */
TEST(a_handle_is_tracked_while_children_keep_its_wrapper) { // shows backend 76
  begin();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  const syclze_context_input of_context = {g.context, &device, 1, SYCLZE_OWNERSHIP_KEEP};
  const syclze_kernel_bundle_input of_module = {g.module, SYCLZE_OWNERSHIP_KEEP};
  syclze_context other;
  const int line = __LINE__ + 1;
  CHECK_EQ(syclze_make_kernel_bundle(&of_module, context, &bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(bundle, "iota", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  IN_USE(zeModuleDestroy(g.module), g.module, "kernel bundle", line);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_context(&of_context, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(other, device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  IN_USE(zeContextDestroy(g.context), g.context, "context", line + 6);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 2);
  CHECK_EQ(syclze_make_context(&of_context, &context), ZE_RESULT_SUCCESS);
  end();
}

TEST(any_number_of_handles_is_tracked) {
  enum { EVENTS = 3000 };
  static ze_event_handle_t natives[EVENTS];
  static syclze_event events[EVENTS];
  begin();
  given_kernel(&g, "tests/kernels/basic.spv", "iota");
  ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = EVENTS};
  ze_event_pool_handle_t pool = NULL;
  CHECK_EQ(zeEventPoolCreate(g.context, &pool_desc, 1, &g.device, &pool), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < EVENTS; i++) {
    ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
    CHECK_EQ(zeEventCreate(pool, &desc, &natives[i]), ZE_RESULT_SUCCESS);
    syclze_event_input input = {natives[i], SYCLZE_OWNERSHIP_KEEP};
    CHECK_EQ(syclze_make_event(&input, context, &events[i]), ZE_RESULT_SUCCESS);
  }
  for (int i = 0; i < EVENTS; i++)
    CHECK_EQ(zeEventDestroy(natives[i]), ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  CHECK_EQ(noted.count, EVENTS);
  /* Odd handles first, so that removal is not in insertion order within a bucket. */
  for (int start = 1; start >= 0; start--)
    for (int i = start; i < EVENTS; i += 2) {
      CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
      CHECK_EQ(zeEventDestroy(natives[i]), ZE_RESULT_SUCCESS);
    }
  CHECK_EQ(noted.count, EVENTS);
  CHECK_EQ(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(wrapped_handles_of_every_kind_are_tracked, created_handles_are_tracked,
    a_handle_is_tracked_until_its_last_wrapper_is_released,
    a_handle_is_tracked_while_children_keep_its_wrapper, any_number_of_handles_is_tracked)
