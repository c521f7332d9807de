/* The generic macros in C, under their short names: each dispatches to the function of the kind. */
#define SYCLZE_SHORT_NAMES
#include "support/zoo.h"
#include "tests/check.h"

TEST(platforms_and_devices) { // shows backend 12 22
  zoo_begin();
  syclze_platform platform;
  syclze_device device;
  CHECK_OK(make_native(world.driver, &platform));
  CHECK_OK(make_native(world.sub, &device));
  ze_driver_handle_t driver = get_native(platform);
  ze_device_handle_t handle = get_native(device);
  CHECK_EQ(driver, world.driver);
  CHECK_EQ(handle, world.sub);
  CHECK_OK(syclze_retain(platform));
  CHECK_OK(syclze_release(platform));
  CHECK_OK(syclze_retain(device));
  CHECK_OK(syclze_release(device));
  zoo_end();
}

TEST(contexts) { // shows backend 13 22
  zoo_begin();
  const syclze_context_input input = {zoo.context, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_context_input changeable = input;
  syclze_context context, again;
  CHECK_OK(make_native(&input, &context));
  changeable.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_OK(make_native(&changeable, &again));
  ze_context_handle_t native = get_native(context);
  CHECK_EQ(native, zoo.context);
  CHECK_OK(syclze_release(again));
  CHECK_OK(syclze_retain(context));
  CHECK_OK(syclze_release(context));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_release(context));
  CHECK_EQ(fake_destroys(native), 1);
  zoo_end();
}

/* Makes a queue from every input type, checks it and releases it. */
#define CHECK_QUEUE(input, its_kind, member, handle)                                               \
  do {                                                                                             \
    syclze_queue made;                                                                             \
    CHECK_OK(make_native(&input, world.context, &made));                                           \
    syclze_native_queue native = get_native(made);                                                 \
    CHECK_EQ(native.kind, its_kind);                                                               \
    CHECK_EQ(native.member, handle);                                                               \
    CHECK_EQ(syclze_queue_get_device(made).rep, world.device.rep);                                 \
    CHECK_OK(syclze_retain(made));                                                                 \
    CHECK_OK(syclze_release(made));                                                                \
    CHECK_OK(syclze_release(made));                                                                \
  } while (0)

TEST(queues_of_every_version) { // shows backend 16 22
  zoo_begin();
  syclze_queue_input of_list = {
      native_queue_of(zoo.list), world.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  const syclze_queue_input of_queue = {
      native_queue_of(zoo.queue), world.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  syclze_queue_input_v3 v3 = {zoo.queue, world.device, SYCLZE_OWNERSHIP_KEEP};
  const syclze_queue_input_v3 const_v3 = v3;
  syclze_queue_input_v1 v1 = {zoo.queue, SYCLZE_OWNERSHIP_KEEP};
  const syclze_queue_input_v1 const_v1 = v1;
  CHECK_QUEUE(of_list, SYCLZE_NATIVE_QUEUE_LIST, list, zoo.list);
  CHECK_QUEUE(of_queue, SYCLZE_NATIVE_QUEUE_QUEUE, queue, zoo.queue);
  CHECK_QUEUE(v3, SYCLZE_NATIVE_QUEUE_QUEUE, queue, zoo.queue);
  CHECK_QUEUE(const_v3, SYCLZE_NATIVE_QUEUE_QUEUE, queue, zoo.queue);
  CHECK_QUEUE(v1, SYCLZE_NATIVE_QUEUE_QUEUE, queue, zoo.queue);
  CHECK_QUEUE(const_v1, SYCLZE_NATIVE_QUEUE_QUEUE, queue, zoo.queue);
  CHECK_EQ(fake_all_destroys(), 0);
  zoo_end();
}

TEST(events_kernel_bundles_and_kernels) { // shows backend 17 22
  zoo_begin();
  const syclze_event_input event_input = {zoo.event, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel_bundle_input bundle_input = {zoo.module, SYCLZE_OWNERSHIP_KEEP};
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  CHECK_OK(make_native(&event_input, world.context, &event));
  CHECK_OK(make_native(&bundle_input, world.context, &bundle));
  const syclze_kernel_input kernel_input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(make_native(&kernel_input, world.context, &kernel));
  ze_event_handle_t native_event = get_native(event);
  syclze_native_modules modules = get_native(bundle);
  ze_kernel_handle_t native_kernel = get_native(kernel);
  CHECK_EQ(native_event, zoo.event);
  CHECK_EQ(modules.count, 1);
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
  CHECK_EQ(fake_all_destroys(), 0);
  zoo_end();
}

TEST(buffers_and_images) { // shows backend 18
  zoo_begin();
  const syclze_buffer_input buffer_input = {zoo.memory, SYCLZE_OWNERSHIP_KEEP, 1, 1, {8, 0, 0}};
  syclze_buffer_input changeable_buffer = buffer_input;
  const syclze_image_input image_input = {zoo.image, SYCLZE_IMAGE_CHANNEL_ORDER_R,
      SYCLZE_IMAGE_CHANNEL_TYPE_FP32, 1, {8, 0, 0}, SYCLZE_OWNERSHIP_KEEP, 0};
  syclze_image_input changeable_image = image_input;
  syclze_event available;
  CHECK_OK(syclze_event_create(world.context, 0, &available));
  syclze_buffer buffers[4];
  syclze_image images[4];
  CHECK_OK(make_native(&buffer_input, world.context, &buffers[0]));
  CHECK_OK(make_native(&changeable_buffer, world.context, &buffers[1]));
  CHECK_OK(make_native(&buffer_input, world.context, available, &buffers[2]));
  CHECK_OK(make_native(&changeable_buffer, world.context, available, &buffers[3]));
  CHECK_OK(make_native(&image_input, world.context, &images[0]));
  CHECK_OK(make_native(&changeable_image, world.context, &images[1]));
  CHECK_OK(make_native(&image_input, world.context, available, &images[2]));
  CHECK_OK(make_native(&changeable_image, world.context, available, &images[3]));
  CHECK_OK(syclze_release(available));
  for (int i = 0; i < 4; i++) {
    CHECK_EQ(syclze_buffer_get_range(buffers[i], 0), 8);
    CHECK_EQ(syclze_image_get_range(images[i], 0), 8);
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
  syclze_sampler samplers[2];
  CHECK_OK(make_native(&input, world.context, &samplers[0]));
  CHECK_OK(make_native(&same, world.context, &samplers[1]));
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_get_native(samplers[i]), zoo.sampler);
    CHECK_OK(syclze_retain(samplers[i]));
    CHECK_OK(syclze_release(samplers[i]));
    CHECK_OK(syclze_release(samplers[i]));
  }
  CHECK_EQ(fake_all_destroys(), 0);
  zoo_end();
}

TEST(tagged_objects) { // shows backend 21
  zoo_begin();
  syclze_backend_input input = {0};
  input.kind = SYCLZE_OBJECT_EVENT;
  input.event.native_handle = zoo.event;
  const syclze_backend_input *pointer = &input;
  syclze_object object;
  CHECK_OK(make_native(pointer, world.context, &object));
  syclze_backend_return native = get_native(object);
  CHECK_EQ(native.kind, SYCLZE_OBJECT_EVENT);
  CHECK_EQ(native.event, zoo.event);
  CHECK_OK(syclze_retain(object));
  CHECK_OK(syclze_release(object));
  CHECK_OK(syclze_release(object));
  CHECK_EQ(fake_destroys(zoo.event), 1);
  zoo_end();
}

TEST(short_names_alias_the_functions) {
  zoo_begin();
  syclze_platform platform;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_context none = {0};
  CHECK_OK(make_platform(world.driver, &platform));
  CHECK_OK(make_device(world.root, &device));
  CHECK_REFUSED(make_context(NULL, &context), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_context", NULL);
  CHECK_REFUSED(make_queue(NULL, none, &queue), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_queue", NULL);
  CHECK_REFUSED(make_event(NULL, none, &event), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_event", NULL);
  CHECK_REFUSED(make_kernel_bundle(NULL, none, &bundle), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_kernel_bundle", NULL);
  CHECK_REFUSED(make_kernel(NULL, none, &kernel), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_make_kernel", NULL);
  zoo_end();
}

TEST_MAIN(platforms_and_devices, contexts, queues_of_every_version,
    events_kernel_bundles_and_kernels, buffers_and_images, samplers, tagged_objects,
    short_names_alias_the_functions)
