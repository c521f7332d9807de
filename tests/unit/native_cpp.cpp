// The generic names in C++: overloads, by pointer and by reference.
#include "support/zoo.h"
#include "tests/check.h"

#include <type_traits>

static syclze_context_input context_input(syclze_ownership ownership) {
  syclze_context_input input = {zoo.context, &world.device, 1, ownership};
  return input;
}

static syclze_event_input event_input() {
  syclze_event_input input = {zoo.event, SYCLZE_OWNERSHIP_KEEP};
  return input;
}

TEST(platforms_and_devices) {
  zoo_begin();
  syclze_platform platform;
  syclze_device device;
  CHECK_OK(syclze_make_native(world.driver, &platform));
  CHECK_OK(syclze_make_native(world.sub, &device));
  static_assert(
      std::is_same<decltype(syclze_get_native(platform)), ze_driver_handle_t>::value, "driver");
  static_assert(
      std::is_same<decltype(syclze_get_native(device)), ze_device_handle_t>::value, "device");
  CHECK_EQ(syclze_get_native(platform), world.driver);
  CHECK_EQ(syclze_get_native(device), world.sub);
  CHECK_OK(syclze_retain(platform));
  CHECK_OK(syclze_release(platform));
  CHECK_OK(syclze_retain(device));
  CHECK_OK(syclze_release(device));
  zoo_end();
}

TEST(contexts) {
  zoo_begin();
  syclze_context_input input = context_input(SYCLZE_OWNERSHIP_KEEP);
  syclze_context context;
  CHECK_OK(syclze_make_native(&input, &context));
  ze_context_handle_t native = syclze_get_native(context);
  CHECK_EQ(native, zoo.context);
  CHECK_OK(syclze_release(context));
  CHECK_OK(syclze_make_native(context_input(SYCLZE_OWNERSHIP_TRANSFER), &context));
  CHECK_OK(syclze_retain(context));
  CHECK_OK(syclze_release(context));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_release(context));
  CHECK_EQ(fake_destroys(native), 1);
  zoo_end();
}

template <typename Input>
static void check_queue(const Input &input, syclze_native_queue_kind kind, const void *handle) {
  for (int by_reference = 0; by_reference < 2; by_reference++) {
    syclze_queue queue;
    CHECK_OK(by_reference ? syclze_make_native(input, world.context, &queue)
                          : syclze_make_native(&input, world.context, &queue));
    syclze_native_queue native = syclze_get_native(queue);
    CHECK_EQ(native.kind, kind);
    CHECK_EQ(native.kind == SYCLZE_NATIVE_QUEUE_LIST ? (const void *)native.list
                                                     : (const void *)native.queue,
        handle);
    CHECK_EQ(syclze_queue_get_device(queue).rep, world.device.rep);
    CHECK_OK(syclze_retain(queue));
    CHECK_OK(syclze_release(queue));
    CHECK_OK(syclze_release(queue));
  }
}

TEST(queues_of_every_version) {
  zoo_begin();
  syclze_queue_input input = {
      syclze_native_queue_of(zoo.list), world.device, SYCLZE_OWNERSHIP_KEEP, {0, 0, 0}};
  check_queue(input, SYCLZE_NATIVE_QUEUE_LIST, zoo.list);
  input.native_handle = syclze_native_queue_of(zoo.queue);
  check_queue(input, SYCLZE_NATIVE_QUEUE_QUEUE, zoo.queue);
  syclze_queue_input_v3 v3 = {zoo.queue, world.device, SYCLZE_OWNERSHIP_KEEP};
  check_queue(v3, SYCLZE_NATIVE_QUEUE_QUEUE, zoo.queue);
  syclze_queue_input_v1 v1 = {zoo.queue, SYCLZE_OWNERSHIP_KEEP};
  check_queue(v1, SYCLZE_NATIVE_QUEUE_QUEUE, zoo.queue);
  CHECK_EQ(fake_all_destroys(), 0);
  zoo_end();
}

TEST(events_kernel_bundles_and_kernels) {
  zoo_begin();
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_kernel_bundle_input of_bundle = {zoo.module, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(syclze_make_native(event_input(), world.context, &event));
  CHECK_OK(syclze_make_native(&of_bundle, world.context, &bundle));
  syclze_kernel_input of_kernel = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(syclze_make_native(&of_kernel, world.context, &kernel));
  ze_event_handle_t native_event = syclze_get_native(event);
  syclze_native_modules modules = syclze_get_native(bundle);
  ze_kernel_handle_t native_kernel = syclze_get_native(kernel);
  CHECK_EQ(native_event, zoo.event);
  CHECK_EQ(modules.modules[0], zoo.module);
  CHECK_EQ(native_kernel, zoo.kernel);
  CHECK_OK(syclze_retain(event));
  CHECK_OK(syclze_retain(bundle));
  CHECK_OK(syclze_retain(kernel));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(syclze_release(event));
    CHECK_OK(syclze_release(bundle));
    CHECK_OK(syclze_release(kernel));
  }
  zoo_end();
}

TEST(buffers_and_images) {
  zoo_begin();
  syclze_buffer_input buffer_input = {zoo.memory, SYCLZE_OWNERSHIP_KEEP, 1, 1, {8, 0, 0}};
  syclze_image_input image_input = {zoo.image, SYCLZE_IMAGE_CHANNEL_ORDER_R,
      SYCLZE_IMAGE_CHANNEL_TYPE_FP32, 1, {8, 0, 0}, SYCLZE_OWNERSHIP_KEEP, 0};
  syclze_event available;
  CHECK_OK(syclze_event_create(world.context, 0, &available));
  syclze_buffer buffers[4];
  syclze_image images[4];
  CHECK_OK(syclze_make_native(&buffer_input, world.context, &buffers[0]));
  CHECK_OK(syclze_make_native(buffer_input, world.context, &buffers[1]));
  CHECK_OK(syclze_make_native(&buffer_input, world.context, available, &buffers[2]));
  CHECK_OK(syclze_make_native(buffer_input, world.context, available, &buffers[3]));
  CHECK_OK(syclze_make_native(&image_input, world.context, &images[0]));
  CHECK_OK(syclze_make_native(image_input, world.context, &images[1]));
  CHECK_OK(syclze_make_native(&image_input, world.context, available, &images[2]));
  CHECK_OK(syclze_make_native(image_input, world.context, available, &images[3]));
  CHECK_OK(syclze_release(available));
  for (int i = 0; i < 4; i++) {
    CHECK_OK(syclze_retain(buffers[i]));
    CHECK_OK(syclze_retain(images[i]));
    for (int j = 0; j < 2; j++) {
      CHECK_OK(syclze_release(buffers[i]));
      CHECK_OK(syclze_release(images[i]));
    }
  }
  CHECK_EQ(fake_all_destroys(), 0);
  zoo_end();
}

TEST(samplers) {
  zoo_begin();
  syclze_sampler_input input = {zoo.sampler, SYCLZE_OWNERSHIP_KEEP};
  const syclze_sampler_input same = input;
  syclze_sampler samplers[3];
  CHECK_OK(syclze_make_native(&input, world.context, &samplers[0]));
  CHECK_OK(syclze_make_native(&same, world.context, &samplers[1]));
  CHECK_OK(syclze_make_native(input, world.context, &samplers[2]));
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(syclze_get_native(samplers[i]), zoo.sampler);
    CHECK_OK(syclze_retain(samplers[i]));
    CHECK_OK(syclze_release(samplers[i]));
    CHECK_OK(syclze_release(samplers[i]));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  zoo_end();
}

TEST(tagged_objects) {
  zoo_begin();
  syclze_backend_input input;
  memset(&input, 0, sizeof input);
  input.kind = SYCLZE_OBJECT_EVENT;
  input.event = event_input();
  syclze_object object;
  CHECK_OK(syclze_make_native(input, world.context, &object));
  CHECK_EQ(syclze_get_native(object).event, zoo.event);
  CHECK_OK(syclze_retain(object));
  CHECK_OK(syclze_release(object));
  CHECK_OK(syclze_release(object));
  zoo_end();
}

TEST_MAIN(platforms_and_devices, contexts, queues_of_every_version,
    events_kernel_bundles_and_kernels, buffers_and_images, samplers, tagged_objects)
