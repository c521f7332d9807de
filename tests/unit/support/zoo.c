#include "zoo.h"

#include "tests/check.h"

struct zoo zoo;

void zoo_begin(void) {
  world_begin();
  zoo.context = fake_context(world.driver);
  zoo.list = fake_list(world.native_context, world.root);
  zoo.queue = fake_queue(world.native_context, world.root);
  zoo.event_pool = fake_event_pool(world.native_context);
  zoo.event = fake_event(zoo.event_pool);
  zoo.module = fake_module(world.native_context, "add scale");
  zoo.kernel = fake_kernel(zoo.module, "add");
  zoo.memory = fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, 64);
  zoo.image = fake_image(world.native_context);
  zoo.sampler = fake_sampler(world.native_context);
  syclze_kernel_bundle_input input = {zoo.module, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &zoo.bundle));
}

void zoo_end(void) {
  const void *const handles[] = {zoo.memory, zoo.image, zoo.sampler, zoo.kernel, zoo.module,
      zoo.event, zoo.event_pool, zoo.queue, zoo.list, zoo.context};
  CHECK_OK(syclze_kernel_bundle_release(zoo.bundle));
  for (unsigned i = 0; i < sizeof handles / sizeof *handles; i++)
    if (fake_is_alive(handles[i])) fake_destroy(handles[i]);
  world_end();
}

syclze_backend_input zoo_input(syclze_object_kind kind, syclze_ownership ownership) {
  syclze_backend_input input;
  memset(&input, 0, sizeof input);
  input.kind = kind;
  switch (kind) {
  case SYCLZE_OBJECT_PLATFORM:
    input.platform = world.driver;
    break;
  case SYCLZE_OBJECT_DEVICE:
    input.device = world.sub;
    break;
  case SYCLZE_OBJECT_CONTEXT:
    input.context.native_handle = zoo.context;
    input.context.device_list = &world.device;
    input.context.device_count = 1;
    input.context.ownership = ownership;
    break;
  case SYCLZE_OBJECT_QUEUE:
    input.queue.native_handle = syclze_native_queue_of_list(zoo.list);
    input.queue.device = world.device;
    input.queue.ownership = ownership;
    break;
  case SYCLZE_OBJECT_EVENT:
    input.event.native_handle = zoo.event;
    input.event.ownership = ownership;
    break;
  case SYCLZE_OBJECT_KERNEL_BUNDLE:
    input.kernel_bundle.native_handle = zoo.module;
    input.kernel_bundle.ownership = ownership;
    break;
  case SYCLZE_OBJECT_KERNEL:
    input.kernel.kernel_bundle = zoo.bundle;
    input.kernel.native_handle = zoo.kernel;
    input.kernel.ownership = ownership;
    break;
  case SYCLZE_OBJECT_BUFFER:
    input.buffer.native_handle = zoo.memory;
    input.buffer.ownership = ownership;
    break;
  case SYCLZE_OBJECT_IMAGE:
    input.image.native_handle = zoo.image;
    input.image.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
    input.image.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32;
    input.image.dimensions = 1;
    input.image.range[0] = 8;
    input.image.ownership = ownership;
    break;
  case SYCLZE_OBJECT_SAMPLER:
    input.sampler.native_handle = zoo.sampler;
    input.sampler.ownership = ownership;
    break;
  case SYCLZE_OBJECT_NONE:
    break;
  }
  return input;
}
