/* Two devices of one driver, or two sub-devices of one device: handles of one are refused for the
   other, where the loader has the getters, and a context may have both. */
#include "tests/device/support/made.h"
#include "tests/device/support/refused.h"
#include "tests/device/support/spy.h"
#include "tests/device/support/works.h"

/* `g` is of the first device. */
struct two {
  struct given g;
  ze_device_handle_t natives[2];
  syclze_device devices[2];
};

static struct two begin(void) {
  struct two t = {.natives = {NULL, NULL}};
  ze_driver_handle_t driver;
  given_drivers(&driver, 1);
  uint32_t count = given_devices(driver, t.natives, 2);
  if (count < 2) count = given_sub_devices(t.natives[0], t.natives, 2);
  given_needs_two(driver, count);
  t.g = given_on(driver, t.natives[0]);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_make_device(t.natives[i], &t.devices[i]), ZE_RESULT_SUCCESS);
  return t;
}

/* A kept context of both, or of the first `count`. */
static syclze_context context_of(const struct two *t, uint32_t count) {
  syclze_context_input input = {t->g.context, t->devices, count, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  return context;
}

TEST(each_device_is_the_same_object_from_every_source) {
  struct two t = begin();
  CHECK(t.devices[0].rep != t.devices[1].rep);
  for (int i = 0; i < 2; i++) {
    syclze_device again, listed[2], parent = syclze_device_get_parent(t.devices[i]);
    uint32_t count = 2;
    CHECK_EQ(syclze_make_native(t.natives[i], &again), ZE_RESULT_SUCCESS);
    CHECK_EQ(again.rep, t.devices[i].rep);
    CHECK_EQ(syclze_get_native(again), t.natives[i]);
    if (parent.rep)
      CHECK_EQ(syclze_device_get_sub_devices(parent, &count, listed), ZE_RESULT_SUCCESS);
    else
      CHECK_EQ(
          syclze_device_get(syclze_device_get_platform(again), &count, listed), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(listed[i].rep, t.devices[i].rep);
  }
  given_end(&t.g);
}

TEST(a_list_of_one_device_is_refused_for_the_other) {
  struct two t = begin();
  CHECK(given_has_getter("zeCommandListGetDeviceHandle", t.g.list));
  syclze_context context = context_of(&t, 2);
  syclze_queue_input input = {
      .native_handle = syclze_native_queue_of(t.g.list), .device = t.devices[1]};
  syclze_queue queue;
  REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_queue", "of another device", t.g.list);
  works_list(&t.g, t.g.list);
  input.device = t.devices[0];
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(t.g.list), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&t.g);
}

TEST(a_device_that_is_not_in_the_context_is_refused) {
  struct two t = begin();
  syclze_context context = context_of(&t, 1);
  syclze_queue_input input = {
      .native_handle = syclze_native_queue_of(t.g.list), .device = t.devices[1]};
  syclze_queue queue;
  void *memory;
  REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_queue", "in the context", t.g.list);
  REFUSED(queue, syclze_queue_create(context, t.devices[1], NULL, &queue),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", "in the context", NULL);
  REFUSED(memory, syclze_malloc_device(64, t.devices[1], context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_aligned_alloc_device", "in the context", NULL);
  works_list(&t.g, t.g.list);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&t.g);
}

TEST(memory_of_the_other_device_is_refused_for_a_buffer) {
  struct two t = begin();
  syclze_context both = context_of(&t, 2), one = context_of(&t, 1);
  ze_result_t (*const allocate[2])(size_t, syclze_device, syclze_context, void **) = {
      syclze_malloc_device, syclze_malloc_shared};
  for (int i = 0; i < 2; i++) {
    syclze_buffer_input near = {0}, far = {0};
    CHECK_EQ(allocate[i](64, t.devices[0], both, &near.native_handle), ZE_RESULT_SUCCESS);
    CHECK_EQ(allocate[i](64, t.devices[1], both, &far.native_handle), ZE_RESULT_SUCCESS);
    syclze_buffer buffer;
    REFUSED(buffer, syclze_make_buffer(&far, one, &buffer), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_buffer", "of another device", far.native_handle);
    REFUSED(buffer, syclze_make_buffer(&near, both, &buffer), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_buffer", "a single device", near.native_handle);
    CHECK_EQ(syclze_make_buffer(&near, one, &buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
    CHECK(!spy_is_alive(SPY_MEMORY, near.native_handle));
    CHECK_EQ(syclze_free(far.native_handle, both), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_context_release(one), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(both), ZE_RESULT_SUCCESS);
  given_end(&t.g);
}

/* One context; a queue, a module and a kernel per device; and an event that both wait for. */
TEST(both_devices_have_queues_kernels_and_events_in_one_context) {
  struct two t = begin();
  syclze_context context;
  CHECK_EQ(syclze_context_create(t.devices, 2, &context), ZE_RESULT_SUCCESS);
  ze_context_handle_t native = syclze_get_native(context);
  struct given_file spirv = given_file("tests/kernels/basic.spv");
  syclze_kernel_bundle_desc desc = {.spirv = spirv.bytes, .size = spirv.size};
  syclze_queue queues[2];
  syclze_kernel kernels[2];
  syclze_event event;
  CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_kernel_bundle bundle;
    CHECK_EQ(syclze_queue_create(context, t.devices[i], NULL, &queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_bundle_create(context, t.devices[i], &desc, &bundle), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_create(bundle, "nothing", &kernels[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  }
  free(spirv.bytes);
  ze_event_handle_t signal = syclze_get_native(event);
  ze_group_count_t groups = {1, 1, 1};
  CHECK_EQ(zeCommandListAppendLaunchKernel(syclze_get_native(queues[0]).list,
               syclze_get_native(kernels[0]), &groups, signal, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendLaunchKernel(syclze_get_native(queues[1]).list,
               syclze_get_native(kernels[1]), &groups, NULL, 1, &signal),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(signal, UINT64_MAX), ZE_RESULT_SUCCESS);
  works_wait(&t.g, t.g.list);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_release(kernels[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(spy_destroys_of(native), 0);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  given_end(&t.g);
}

TEST_MAIN(each_device_is_the_same_object_from_every_source,
    a_list_of_one_device_is_refused_for_the_other, a_device_that_is_not_in_the_context_is_refused,
    memory_of_the_other_device_is_refused_for_a_buffer,
    both_devices_have_queues_kernels_and_events_in_one_context)
