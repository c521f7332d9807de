/* An application whose handles are all wrapped and used through get_native only: the results are
   right and nothing leaks. */
#include "support/made.h"
#include "support/spy.h"

enum { ITEMS = 10000, GROUP = 100, ROUNDS = 5 };

/* The wrapped objects and the kernel's memory. All handles but the event pool are transferred; the
   pool needs the context until it is destroyed. */
struct adopted {
  struct given g;
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_event event;
  void *x, *y;
};

static struct adopted adopt(syclze_native_queue_kind kind) {
  struct adopted a = {.g = given()};
  given_kernel(&a.g, "tests/kernels/basic.spv", "axpy");
  syclze_native_queue native = kind == SYCLZE_NATIVE_QUEUE_LIST ? syclze_native_queue_of(a.g.list)
                                                                : syclze_native_queue_of(a.g.queue);
  a.context = made_context(&a.g, SYCLZE_OWNERSHIP_TRANSFER);
  a.queue = made_queue(&a.g, a.context, native, SYCLZE_OWNERSHIP_TRANSFER);
  a.bundle = made_kernel_bundle(a.context, a.g.module, SYCLZE_OWNERSHIP_TRANSFER);
  a.kernel = made_kernel(a.bundle, a.g.kernel, a.context, SYCLZE_OWNERSHIP_TRANSFER);
  a.event = made_event(a.context, given_event(&a.g), SYCLZE_OWNERSHIP_TRANSFER);
  if (kind == SYCLZE_NATIVE_QUEUE_LIST)
    CHECK_EQ(zeCommandQueueDestroy(a.g.queue), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(zeCommandListDestroy(a.g.list), ZE_RESULT_SUCCESS);
  syclze_device device = syclze_queue_get_device(a.queue);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(float), device, a.context, &a.x), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(float), device, a.context, &a.y), ZE_RESULT_SUCCESS);
  return a;
}

/* Appends the kernel to the list, and the queue's event after it. */
static void append(const struct adopted *a, ze_command_list_handle_t list) {
  ze_kernel_handle_t kernel = syclze_get_native(a->kernel);
  ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
  float factor = 2.5f;
  CHECK_EQ(zeKernelSetGroupSize(kernel, GROUP, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof factor, &factor), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 1, sizeof a->x, &a->x), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 2, sizeof a->y, &a->y), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListAppendLaunchKernel(list, kernel, &groups, syclze_get_native(a->event), 0, NULL),
      ZE_RESULT_SUCCESS);
}

static void execute(const struct adopted *a) {
  syclze_native_queue native = syclze_get_native(a->queue);
  if (native.kind == SYCLZE_NATIVE_QUEUE_LIST) {
    append(a, native.list);
    return;
  }
  struct given g = {.context = syclze_get_native(a->context),
      .device = syclze_get_native(syclze_queue_get_device(a->queue)),
      .ordinal = a->g.ordinal};
  ze_command_list_handle_t list = given_regular_list(&g);
  append(a, list);
  CHECK_EQ(zeCommandListClose(list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueExecuteCommandLists(native.queue, 1, &list, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueSynchronize(native.queue, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
}

static void run(const struct adopted *a) {
  float *x = a->x, *y = a->y;
  for (int i = 0; i < ITEMS; i++) {
    x[i] = (float)i;
    y[i] = 0.5f;
  }
  for (int round = 1; round <= ROUNDS; round++) {
    execute(a);
    CHECK_EQ(zeEventHostSynchronize(syclze_get_native(a->event), UINT64_MAX), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostReset(syclze_get_native(a->event)), ZE_RESULT_SUCCESS);
    for (int i = 0; i < ITEMS && given_executes(); i++)
      CHECK(y[i] == (float)round * 2.5f * (float)i + 0.5f);
  }
}

/* Releases the event, then the context that its pool needs. */
static void release_event(struct adopted *a) {
  CHECK_EQ(syclze_retain(a->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a->event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_EVENT), 0);
  CHECK_EQ(zeEventPoolDestroy(a->g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a->context), ZE_RESULT_SUCCESS);
}

static void free_memory(struct adopted *a) {
  CHECK_EQ(syclze_free(a->x, a->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(a->y, a->context), ZE_RESULT_SUCCESS);
}

static void run_and_release_in_the_order_of_making(syclze_native_queue_kind kind) {
  struct adopted a = adopt(kind);
  run(&a);
  free_memory(&a);
  CHECK_EQ(syclze_release(a.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(a.g.context), 0);
  release_event(&a);
  CHECK_EQ(spy_alive_in_all(), 0);
  CHECK_EQ(spy_destroys_of(a.g.context), 1);
  given_end(&a.g);
}

static void run_and_release_in_reverse(syclze_native_queue_kind kind) {
  struct adopted a = adopt(kind);
  run(&a);
  free_memory(&a);
  release_event(&a);
  CHECK_EQ(syclze_release(a.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(a.g.context), 0);
  CHECK_EQ(syclze_release(a.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive_in_all(), 0);
  CHECK_EQ(spy_destroys_of(a.g.context), 1);
  given_end(&a.g);
}

TEST(a_wrapped_list_runs_and_is_released_in_creation_order) {
  run_and_release_in_the_order_of_making(SYCLZE_NATIVE_QUEUE_LIST);
}

TEST(a_wrapped_list_runs_and_is_released_in_reverse_order) {
  run_and_release_in_reverse(SYCLZE_NATIVE_QUEUE_LIST);
}

TEST(a_wrapped_command_queue_runs_and_is_released_in_creation_order) {
  run_and_release_in_the_order_of_making(SYCLZE_NATIVE_QUEUE_QUEUE);
}

TEST(a_wrapped_command_queue_runs_and_is_released_in_reverse_order) {
  run_and_release_in_reverse(SYCLZE_NATIVE_QUEUE_QUEUE);
}

/* A program whose objects are all created by syclze. */
TEST(a_program_of_created_objects_only_runs) {
  struct given g = given();
  struct given_file file = given_file("tests/kernels/basic.spv");
  struct adopted a = {.g = g};
  syclze_device device = made_device(&g);
  syclze_kernel_bundle_desc desc = {.spirv = file.bytes, .size = file.size};
  CHECK_EQ(syclze_context_create(&device, 1, &a.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(a.context, device, NULL, &a.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_create(a.context, device, &desc, &a.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(a.bundle, "axpy", &a.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(a.context, 0, &a.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(float), device, a.context, &a.x), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(float), device, a.context, &a.y), ZE_RESULT_SUCCESS);
  free(file.bytes);
  run(&a);
  ze_context_handle_t native = syclze_get_native(a.context);
  free_memory(&a);
  CHECK_EQ(syclze_release(a.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 0);
  CHECK_EQ(syclze_release(a.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  given_end(&g);
}

TEST_MAIN(a_wrapped_list_runs_and_is_released_in_creation_order,
    a_wrapped_list_runs_and_is_released_in_reverse_order,
    a_wrapped_command_queue_runs_and_is_released_in_creation_order,
    a_wrapped_command_queue_runs_and_is_released_in_reverse_order,
    a_program_of_created_objects_only_runs)
