/* Every order of dropping the last references of a context and its children, under every mixture of
   ownerships: children are destroyed before their parents, each transferred handle once, kept ones
   never. */
#include "support/zoo.h"
#include "tests/check.h"

enum { CONTEXT, QUEUE, EVENT, BUNDLE, KERNEL, BUFFER, COUNT };

static const void *handles[COUNT];
static syclze_object objects[COUNT];

static void make(int which, const syclze_backend_input *input, syclze_context context) {
  CHECK_OK(syclze_make_object(input, context, &objects[which]));
}

/* One object of each kind. `kept` is the bit set of kinds made under keep. */
static void make_all(unsigned kept) {
  ze_context_handle_t native = fake_context(world.driver);
  ze_event_pool_handle_t pool = zoo.event_pool;
  handles[CONTEXT] = native;
  handles[QUEUE] = fake_list(native, world.root);
  handles[EVENT] = fake_event(pool);
  handles[BUNDLE] = fake_module(native, "add");
  handles[KERNEL] = fake_kernel((ze_module_handle_t)(uintptr_t)handles[BUNDLE], "add");
  handles[BUFFER] = fake_allocation(native, ZE_MEMORY_TYPE_SHARED, world.root, 8);
  syclze_ownership ownership[COUNT];
  for (int i = 0; i < COUNT; i++)
    ownership[i] = kept >> i & 1 ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER;
  syclze_backend_input input;
  syclze_context context = {0};

  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_CONTEXT;
  input.context.native_handle = native;
  input.context.device_list = &world.device;
  input.context.device_count = 1;
  input.context.ownership = ownership[CONTEXT];
  make(CONTEXT, &input, context);
  context = objects[CONTEXT].context;

  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_QUEUE;
  input.queue.native_handle.kind = SYCLZE_NATIVE_QUEUE_LIST;
  input.queue.native_handle.list = (ze_command_list_handle_t)(uintptr_t)handles[QUEUE];
  input.queue.device = world.device;
  input.queue.ownership = ownership[QUEUE];
  make(QUEUE, &input, context);

  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_EVENT;
  input.event.native_handle = (ze_event_handle_t)(uintptr_t)handles[EVENT];
  input.event.ownership = ownership[EVENT];
  fake.no_getters = 1; /* the event's pool is the application's, in a context that outlives it */
  make(EVENT, &input, context);

  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_KERNEL_BUNDLE;
  input.kernel_bundle.native_handle = (ze_module_handle_t)(uintptr_t)handles[BUNDLE];
  input.kernel_bundle.ownership = ownership[BUNDLE];
  make(BUNDLE, &input, context);

  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_KERNEL;
  input.kernel.kernel_bundle = objects[BUNDLE].kernel_bundle;
  input.kernel.native_handle = (ze_kernel_handle_t)(uintptr_t)handles[KERNEL];
  input.kernel.ownership = ownership[KERNEL];
  make(KERNEL, &input, context);

  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_BUFFER;
  input.buffer.native_handle = (void *)(uintptr_t)handles[BUFFER];
  input.buffer.ownership = ownership[BUFFER];
  make(BUFFER, &input, context);
}

/* The next permutation in lexicographic order; 0 after the last. */
static int next_order(int *order) {
  int i = COUNT - 2, j = COUNT - 1;
  while (i >= 0 && order[i] > order[i + 1])
    i--;
  if (i < 0) return 0;
  while (order[j] < order[i])
    j--;
  int swapped = order[i];
  order[i] = order[j];
  order[j] = swapped;
  for (int low = i + 1, high = COUNT - 1; low < high; low++, high--) {
    swapped = order[low];
    order[low] = order[high];
    order[high] = swapped;
  }
  return 1;
}

/* Expected destructions after the releases so far. */
static void check_destroyed(const int *released) {
  int kernel = released[KERNEL], bundle = kernel && released[BUNDLE];
  int expected[COUNT];
  expected[KERNEL] = kernel;
  expected[BUNDLE] = bundle;
  expected[QUEUE] = released[QUEUE];
  expected[EVENT] = released[EVENT];
  expected[BUFFER] = released[BUFFER];
  expected[CONTEXT] =
      released[CONTEXT] && released[QUEUE] && released[EVENT] && bundle && released[BUFFER];
  for (int i = 0; i < COUNT; i++)
    CHECK_EQ(fake_destroys(handles[i]), expected[i]);
}

TEST(every_order_under_transfer) { // shows backend 19 72
  int order[COUNT] = {0, 1, 2, 3, 4, 5}, orders = 0;
  do {
    zoo_begin();
    make_all(0);
    int released[COUNT] = {0};
    for (int i = 0; i < COUNT; i++) {
      CHECK_OK(syclze_object_release(objects[order[i]]));
      released[order[i]] = 1;
      check_destroyed(released);
    }
    /* The fake reports parents that are destroyed before their children. */
    CHECK(fake_destroyed_as(handles[KERNEL]) < fake_destroyed_as(handles[BUNDLE]));
    CHECK_EQ(fake_destroyed_as(handles[CONTEXT]), COUNT);
    zoo_end();
    orders++;
  } while (next_order(order));
  CHECK_EQ(orders, 720);
}

/* The application destroys the kept handles, children first, after the last reference; the parents
   of a kept child must be kept too. */
TEST(every_mixture_of_ownerships) { // shows backend 72, peers 7
  for (unsigned kept = 0; kept < 1u << COUNT; kept++) {
    int kernel_alone = (kept >> KERNEL & 1) && !(kept >> BUNDLE & 1);
    unsigned in_context = kept & (1u << QUEUE | 1u << BUNDLE | 1u << BUFFER);
    if (kernel_alone || (in_context != 0 && !(kept >> CONTEXT & 1))) continue;
    zoo_begin();
    make_all(kept);
    for (int i = 0; i < COUNT; i++)
      CHECK_OK(syclze_object_release(objects[i]));
    for (int i = 0; i < COUNT; i++)
      CHECK_EQ(fake_destroys(handles[i]), !(kept >> i & 1));
    for (int i = COUNT - 1; i >= 0; i--)
      if (kept >> i & 1) fake_destroy(handles[i]);
    zoo_end();
  }
}

TEST(extra_references_do_not_change_the_order) { // shows backend 74
  zoo_begin();
  make_all(0);
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < COUNT; i++)
      CHECK_OK(syclze_object_retain(objects[i]));
  for (int round = 0; round < 3; round++)
    for (int i = 0; i < COUNT; i++)
      CHECK_OK(syclze_object_release(objects[i]));
  CHECK_EQ(fake_all_destroys(), 0);
  for (int i = 0; i < COUNT; i++)
    CHECK_OK(syclze_object_release(objects[i]));
  CHECK_EQ(fake_all_destroys(), COUNT);
  zoo_end();
}

/* Detected until the object's memory is reused. */
TEST(a_second_release_is_refused) { // shows promises 5
  static const char *const functions[COUNT] = {"syclze_context_release", "syclze_queue_release",
      "syclze_event_release", "syclze_kernel_bundle_release", "syclze_kernel_release",
      "syclze_buffer_release"};
  if (!SYCLZE_HAS_POOLS) SKIP("the memory of a released object is given back");
  for (unsigned kept = 0; kept < 2; kept++) {
    zoo_begin();
    make_all(kept != 0 ? (1u << COUNT) - 1 : 0);
    for (int i = COUNT - 1; i >= 0; i--) {
      CHECK_OK(syclze_object_release(objects[i]));
      const unsigned destroys = fake_all_destroys();
      notes_start();
      const ze_result_t again = syclze_object_release(objects[i]);
      notes_check_refused(again, SYCLZE_RESULT_ERROR_INVALID, functions[i], notes.first.handle, 1,
          __FILE__, __LINE__, functions[i]);
      CHECK_EQ(fake_all_destroys(), destroys);
    }
    for (int i = COUNT - 1; i >= 0; i--)
      if (kept != 0) fake_destroy(handles[i]);
    zoo_end();
  }
}

/* A child whose destruction fails does not keep its parents alive; the first failure is
   returned. */
TEST(a_failed_destroy_does_not_stop_the_parents) {
  zoo_begin();
  make_all(0);
  for (int i = 0; i < COUNT; i++)
    if (i != KERNEL) CHECK_OK(syclze_object_release(objects[i]));
  fake_fail(FAKE_zeKernelDestroy, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(syclze_object_release(objects[KERNEL]), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_kernel_release", handles[KERNEL]);
  CHECK_EQ(fake_calls(FAKE_zeModuleDestroy), 1);
  CHECK_EQ(fake_calls(FAKE_zeContextDestroy), 1);
  fake_destroy(handles[KERNEL]);
  fake_forgive();
  zoo_end();
}

TEST(a_failed_destroy_of_a_parent_is_returned_by_the_child_release) {
  zoo_begin();
  make_all(0);
  for (int i = 0; i < COUNT; i++)
    if (i != KERNEL) CHECK_OK(syclze_object_release(objects[i]));
  fake_fail(FAKE_zeContextDestroy, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(syclze_object_release(objects[KERNEL]), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_context_release", handles[CONTEXT]);
  CHECK_EQ(fake_destroys(handles[KERNEL]), 1);
  CHECK_EQ(fake_destroys(handles[BUNDLE]), 1);
  fake_destroy(handles[CONTEXT]);
  zoo_end();
}

/* The kernel's, the module's and the context's destruction fail in every combination. */
TEST(the_first_of_several_failures_is_returned) { // shows promises 31
  static const struct {
    enum fake_function function;
    ze_result_t code;
    int object;
  } destroys[] = {{FAKE_zeKernelDestroy, ZE_RESULT_ERROR_DEVICE_LOST, KERNEL},
      {FAKE_zeModuleDestroy, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, BUNDLE},
      {FAKE_zeContextDestroy, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, CONTEXT}};
  for (unsigned failing = 1; failing < 8; failing++) {
    ze_result_t first = ZE_RESULT_SUCCESS;
    unsigned reports = 0;
    zoo_begin();
    make_all(0);
    for (int i = 0; i < COUNT; i++)
      if (i != KERNEL) CHECK_OK(syclze_object_release(objects[i]));
    for (int i = 0; i < 3; i++)
      if ((failing >> i & 1) != 0) {
        fake_fail(destroys[i].function, 1, destroys[i].code);
        if (first == ZE_RESULT_SUCCESS) first = destroys[i].code;
        reports++;
      }
    notes_begin();
    CHECK_EQ(syclze_object_release(objects[KERNEL]), first);
    CHECK_EQ(notes.count, reports);
    CHECK_EQ(notes.first.result, first);
    for (int i = 0; i < 3; i++)
      if ((failing >> i & 1) != 0) fake_destroy(handles[destroys[i].object]);
    fake_forgive();
    zoo_end();
  }
}

TEST_MAIN(every_order_under_transfer, every_mixture_of_ownerships,
    extra_references_do_not_change_the_order, a_second_release_is_refused,
    a_failed_destroy_does_not_stop_the_parents,
    a_failed_destroy_of_a_parent_is_returned_by_the_child_release,
    the_first_of_several_failures_is_returned)
