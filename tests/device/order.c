/* Every order of releasing a kernel, its bundle, a queue, an event, a buffer and their context:
   each handle is destroyed once, children before parents. */
#include "support/made.h"
#include "support/spy.h"

enum { KERNEL, BUNDLE, QUEUE, EVENT, BUFFER, CONTEXT, OBJECTS };

/* One object of each kind over separate handles, all with the same ownership. */
struct family {
  struct given g;
  syclze_context context;
  syclze_object objects[OBJECTS];
  ze_event_handle_t event;
  void *memory;
};

static struct family family_of(syclze_ownership ownership) {
  struct family f = {.g = given()};
  given_kernel(&f.g, "tests/kernels/basic.spv", "iota");
  f.event = given_event(&f.g);
  f.context = made_context(&f.g, ownership);
  syclze_kernel_bundle bundle = made_kernel_bundle(f.context, f.g.module, ownership);
  f.objects[KERNEL].kind = SYCLZE_OBJECT_KERNEL;
  f.objects[KERNEL].kernel = made_kernel(bundle, f.g.kernel, f.context, ownership);
  f.objects[BUNDLE].kind = SYCLZE_OBJECT_KERNEL_BUNDLE;
  f.objects[BUNDLE].kernel_bundle = bundle;
  f.objects[QUEUE].kind = SYCLZE_OBJECT_QUEUE;
  f.objects[QUEUE].queue = made_queue(&f.g, f.context, syclze_native_queue_of(f.g.list), ownership);
  f.objects[EVENT].kind = SYCLZE_OBJECT_EVENT;
  f.objects[EVENT].event = made_event(f.context, f.event, ownership);
  CHECK_EQ(syclze_malloc_host(64, f.context, &f.memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = f.memory, .ownership = ownership};
  f.objects[BUFFER].kind = SYCLZE_OBJECT_BUFFER;
  CHECK_EQ(syclze_make_buffer(&input, f.context, &f.objects[BUFFER].buffer), ZE_RESULT_SUCCESS);
  f.objects[CONTEXT].kind = SYCLZE_OBJECT_CONTEXT;
  f.objects[CONTEXT].context = f.context;
  return f;
}

/* The permutation of that number, of 6! = 720. */
static void order_of(int number, int order[OBJECTS]) {
  int left[OBJECTS] = {KERNEL, BUNDLE, QUEUE, EVENT, BUFFER, CONTEXT};
  for (int count = OBJECTS; count > 0; count--) {
    int chosen = number % count;
    number /= count;
    order[OBJECTS - count] = left[chosen];
    for (int i = chosen; i + 1 < count; i++)
      left[i] = left[i + 1];
  }
}

enum { ORDERS = 720 };

TEST(transferred_handles_are_destroyed_children_first) { // shows backend 19 74, peers 7
  for (int number = 0; number < ORDERS; number++) {
    int order[OBJECTS];
    order_of(number, order);
    struct family f = family_of(SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_EQ(zeCommandQueueDestroy(f.g.queue), ZE_RESULT_SUCCESS);
    /* The application owns the pool, which needs the context until it is destroyed. */
    CHECK_EQ(syclze_context_retain(f.context), ZE_RESULT_SUCCESS);
    for (int i = 0; i < OBJECTS; i++) {
      CHECK_EQ(spy_destroys_of(f.g.context), 0);
      CHECK_EQ(syclze_object_release(f.objects[order[i]]), ZE_RESULT_SUCCESS);
      if (order[i] != EVENT) continue;
      CHECK_EQ(zeEventPoolDestroy(f.g.pool), ZE_RESULT_SUCCESS);
      CHECK_EQ(spy_destroys_of(f.g.context), 0);
      CHECK_EQ(syclze_context_release(f.context), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(spy_destroys_of(f.g.kernel), 1);
    CHECK_EQ(spy_destroys_of(f.g.module), 1);
    CHECK_EQ(spy_destroys_of(f.g.list), 1);
    CHECK_EQ(spy_destroys_of(f.event), 1);
    CHECK_EQ(spy_destroys_of(f.memory), 1);
    CHECK_EQ(spy_destroys_of(f.g.context), 1);
    spy_check_order(f.g.kernel, f.g.module);
    spy_check_order(f.g.module, f.g.context);
    spy_check_order(f.g.list, f.g.context);
    spy_check_order(f.event, f.g.context);
    spy_check_order(f.memory, f.g.context);
    given_end(&f.g);
  }
}

TEST(kept_handles_survive_any_release_order) { // shows backend 75
  for (int number = 0; number < ORDERS; number++) {
    int order[OBJECTS];
    order_of(number, order);
    struct family f = family_of(SYCLZE_OWNERSHIP_KEEP);
    for (int i = 0; i < OBJECTS; i++)
      CHECK_EQ(syclze_object_release(f.objects[order[i]]), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys(), 0);
    CHECK_EQ(zeEventDestroy(f.event), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeMemFree(f.g.context, f.memory), ZE_RESULT_SUCCESS);
    given_end(&f.g);
  }
}

/* The tagged union returns the same handle. */
TEST(each_object_returns_its_handle_until_released) { // shows backend 21
  struct family f = family_of(SYCLZE_OWNERSHIP_KEEP);
  unsigned calls = spy_calls();
  for (int i = 0; i < 10; i++) {
    CHECK_EQ(syclze_get_native(f.objects[KERNEL]).kernel, f.g.kernel);
    CHECK_EQ(syclze_get_native(f.objects[BUNDLE]).kernel_bundle.modules[0], f.g.module);
    CHECK_EQ(syclze_get_native(f.objects[QUEUE]).queue.list, f.g.list);
    CHECK_EQ(syclze_get_native(f.objects[EVENT]).event, f.event);
    CHECK_EQ(syclze_get_native(f.objects[CONTEXT]).context, f.g.context);
  }
  CHECK_EQ(spy_calls(), calls);
  for (int i = 0; i < OBJECTS; i++)
    CHECK_EQ(syclze_object_release(f.objects[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(f.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(f.g.context, f.memory), ZE_RESULT_SUCCESS);
  given_end(&f.g);
}

TEST_MAIN(transferred_handles_are_destroyed_children_first, kept_handles_survive_any_release_order,
    each_object_returns_its_handle_until_released)
