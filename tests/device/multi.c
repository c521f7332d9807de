/* Several drivers with several devices each: which combinations are accepted and which refused. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DRIVERS", "2");
  given_environment("ZECL_DEVICES", "2");
}

/* Two devices of the first driver and one of the second; `g` is of the first device. */
struct two_drivers {
  struct given g;
  ze_driver_handle_t other_driver;
  syclze_device near, beside, far;
};

static struct two_drivers begin(void) {
  ze_driver_handle_t drivers[2];
  ze_device_handle_t near[2], far[2];
  uint32_t count = given_drivers(drivers, 2);
  given_needs_zecl(drivers[0]);
  CHECK_EQ(count, 2);
  CHECK_EQ(given_devices(drivers[0], near, 2), 2);
  CHECK_EQ(given_devices(drivers[1], far, 2), 2);
  struct two_drivers t = {.g = given_on(drivers[0], near[0]), .other_driver = drivers[1]};
  CHECK_EQ(syclze_make_device(near[0], &t.near), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_device(near[1], &t.beside), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_device(far[0], &t.far), ZE_RESULT_SUCCESS);
  return t;
}

TEST(each_driver_is_a_platform_with_its_own_devices) {
  struct two_drivers t = begin();
  syclze_platform platforms[2], made[2];
  uint32_t count = 2;
  CHECK_EQ(syclze_platform_get(&count, platforms), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 2);
  CHECK_EQ(syclze_make_platform(t.g.driver, &made[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_platform(t.other_driver, &made[1]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_device devices[4];
    CHECK_EQ(made[i].rep, platforms[i].rep);
    count = 0;
    CHECK_EQ(syclze_device_get(platforms[i], &count, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 2);
    CHECK_EQ(syclze_device_get(platforms[i], &count, devices), ZE_RESULT_SUCCESS);
    for (uint32_t k = 0; k < count; k++)
      CHECK_EQ(syclze_device_get_platform(devices[k]).rep, platforms[i].rep);
  }
  CHECK(platforms[0].rep != platforms[1].rep);
  CHECK_EQ(syclze_device_get_platform(t.beside).rep, platforms[0].rep);
  CHECK_EQ(syclze_device_get_platform(t.far).rep, platforms[1].rep);
  given_end(&t.g);
}

TEST(a_short_array_receives_fewer_entries) {
  struct two_drivers t = begin();
  syclze_platform platforms[2] = {{0}};
  syclze_device devices[2] = {{0}};
  uint32_t count = 1;
  CHECK_EQ(syclze_platform_get(&count, platforms), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK(platforms[0].rep != NULL && platforms[1].rep == NULL);
  CHECK_EQ(syclze_device_get(platforms[0], &count, devices), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK(devices[0].rep == t.near.rep && devices[1].rep == NULL);
  given_end(&t.g);
}

TEST(a_context_may_have_several_devices_of_one_driver) {
  struct two_drivers t = begin();
  syclze_device devices[2] = {t.near, t.beside};
  syclze_context_input input = {t.g.context, devices, 2, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_get_device_count(context), 2);
  for (uint32_t i = 0; i < 2; i++)
    CHECK_EQ(syclze_context_get_device(context, i).rep, devices[i].rep);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&t.g);
}

TEST(a_context_of_devices_of_two_drivers_is_refused) { // shows backend 35
  struct two_drivers t = begin();
  syclze_device devices[3] = {t.near, t.beside, t.far};
  syclze_context_input input = {.native_handle = t.g.context, .device_list = devices};
  input.device_count = 3;
  syclze_context context;
  REFUSED(context, syclze_make_context(&input, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_context", "of one driver", t.g.context);
  REFUSED(context, syclze_context_create(devices, 3, &context), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_context_create", "of one driver", NULL);
  works_context(t.g.context);
  given_end(&t.g);
}

/* Level Zero does not say which driver a context is of. */
TEST(nothing_is_created_on_a_device_of_another_driver_than_the_context) {
  struct two_drivers t = begin();
  syclze_context_input input = {t.g.context, &t.far, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel_bundle_desc desc = {.spirv = &t, .size = sizeof t};
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  void *memory;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  const unsigned alive = spy_alive_in_all();
  REFUSED(queue, syclze_queue_create(context, t.far, NULL, &queue),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_queue_create", "failed", NULL);
  REFUSED(bundle, syclze_kernel_bundle_create(context, t.far, &desc, &bundle),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_kernel_bundle_create", "failed", NULL);
  REFUSED(memory, syclze_malloc_device(64, t.far, context, &memory),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_aligned_alloc_device", "failed", t.g.context);
  CHECK_EQ(spy_alive_in_all(), alive);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  works_context(t.g.context);
  given_end(&t.g);
}

/* The context has the first device only; the others are refused by every function. */
TEST(a_device_that_is_not_in_the_context_is_refused) { // shows backend 38
  struct two_drivers t = begin();
  syclze_context context = made_context(&t.g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device wrong[2] = {t.beside, t.far};
  for (int i = 0; i < 2; i++) {
    syclze_queue_input input = {.native_handle = syclze_native_queue_of(t.g.list)};
    syclze_queue_input_v3 v3 = {.native_handle = t.g.queue};
    syclze_kernel_bundle_desc desc = {.spirv = &t, .size = sizeof t};
    input.device = v3.device = wrong[i];
    syclze_queue queue;
    syclze_kernel_bundle bundle;
    void *memory;
    REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_queue", "in the context", t.g.list);
    REFUSED(queue, syclze_make_queue_v3(&v3, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_make_queue", "in the context", t.g.queue);
    REFUSED(queue, syclze_queue_create(context, wrong[i], NULL, &queue),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_create", "in the context", NULL);
    REFUSED(bundle, syclze_kernel_bundle_create(context, wrong[i], &desc, &bundle),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_kernel_bundle_create", "in the context", NULL);
    REFUSED(memory, syclze_malloc_device(64, wrong[i], context, &memory),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_aligned_alloc_device", "in the context", NULL);
    REFUSED(memory, syclze_malloc_shared(64, wrong[i], context, &memory),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_aligned_alloc_shared", "in the context", NULL);
  }
  works_list(&t.g, t.g.list);
  works_queue(&t.g, t.g.queue);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&t.g);
  CHECK_EQ(spy_destroys_of(t.g.list), 1);
  CHECK_EQ(spy_destroys_of(t.g.queue), 1);
}

/* Only newer loaders have zeCommandListGetDeviceHandle. */
TEST(a_list_of_another_device_of_the_context_is_refused) {
  struct two_drivers t = begin();
  if (!given_has_getter("zeCommandListGetDeviceHandle", t.g.list)) {
    given_end(&t.g);
    SKIP("this loader or driver has no zeCommandListGetDeviceHandle");
  }
  syclze_device devices[2] = {t.near, t.beside};
  syclze_context_input context_input = {t.g.context, devices, 2, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue_input input = {
      .native_handle = syclze_native_queue_of(t.g.list), .device = t.beside};
  syclze_context context;
  syclze_queue queue;
  CHECK_EQ(syclze_make_context(&context_input, &context), ZE_RESULT_SUCCESS);
  REFUSED(queue, syclze_make_queue(&input, context, &queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_queue", "of another device", t.g.list);
  works_list(&t.g, t.g.list);
  input.device = t.near;
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(t.g.list), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&t.g);
}

TEST(a_v1_queue_uses_the_first_device_of_the_context) { // shows backend 40
  struct two_drivers t = begin();
  syclze_device devices[2] = {t.near, t.beside};
  syclze_context_input input = {t.g.context, devices, 2, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue_input_v1 v1 = {t.g.queue, SYCLZE_OWNERSHIP_KEEP};
  for (int i = 0; i < 2; i++) {
    devices[0] = i == 0 ? t.near : t.beside;
    devices[1] = i == 0 ? t.beside : t.near;
    syclze_context context;
    syclze_queue queue;
    CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_make_native(&v1, context, &queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_get_device(queue).rep, devices[0].rep);
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  }
  given_end(&t.g);
}

/* A created event is valid on all devices of its context. */
TEST(one_event_synchronises_queues_on_two_devices) {
  struct two_drivers t = begin();
  syclze_device devices[2] = {t.near, t.beside};
  syclze_context context;
  CHECK_EQ(syclze_context_create(devices, 2, &context), ZE_RESULT_SUCCESS);
  syclze_queue queues[2];
  syclze_event first, then;
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_create(context, devices[i], NULL, &queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_get_device(queues[i]).rep, devices[i].rep);
  }
  CHECK_EQ(syclze_event_create(context, 0, &first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(context, 0, &then), ZE_RESULT_SUCCESS);
  ze_event_handle_t wait = syclze_get_native(first), signal = syclze_get_native(then);
  CHECK_EQ(zeCommandListAppendBarrier(syclze_get_native(queues[1]).list, signal, 1, &wait),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(signal), ZE_RESULT_NOT_READY);
  CHECK_EQ(
      zeCommandListAppendSignalEvent(syclze_get_native(queues[0]).list, wait), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(signal, UINT64_MAX), ZE_RESULT_SUCCESS);
  ze_context_handle_t native = syclze_get_native(context);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(then), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  given_end(&t.g);
}

/* Repeats the operations on the second driver. */
TEST(the_second_driver_supports_the_same_operations) {
  struct two_drivers t = begin();
  given_end(&t.g);
  struct given g = given_on(t.other_driver, syclze_device_get_native(t.far));
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_queue queue =
      made_queue(&g, context, syclze_native_queue_of(g.list), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_event event = made_event(context, given_event(&g), SYCLZE_OWNERSHIP_TRANSFER);
  ze_event_handle_t native = syclze_get_native(event);
  CHECK_EQ(
      zeCommandListAppendSignalEvent(syclze_get_native(queue).list, native), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(native, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(zeEventPoolDestroy(g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  spy_check_order(g.list, g.context);
  CHECK_EQ(spy_alive_in_all(), 0);
  given_end(&g);
}

TEST_MAIN(each_driver_is_a_platform_with_its_own_devices, a_short_array_receives_fewer_entries,
    a_context_may_have_several_devices_of_one_driver,
    a_context_of_devices_of_two_drivers_is_refused,
    nothing_is_created_on_a_device_of_another_driver_than_the_context,
    a_device_that_is_not_in_the_context_is_refused,
    a_list_of_another_device_of_the_context_is_refused,
    a_v1_queue_uses_the_first_device_of_the_context, one_event_synchronises_queues_on_two_devices,
    the_second_driver_supports_the_same_operations)
