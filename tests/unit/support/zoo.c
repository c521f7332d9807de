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
  syclze_kernel_bundle_input input = {zoo.module, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(syclze_make_kernel_bundle(&input, world.context, &zoo.bundle));
}

void zoo_end(void) {
  const void *const handles[] = {zoo.memory, zoo.image, zoo.kernel, zoo.module, zoo.event,
      zoo.event_pool, zoo.queue, zoo.list, zoo.context};
  CHECK_OK(syclze_kernel_bundle_release(zoo.bundle));
  for (unsigned i = 0; i < sizeof handles / sizeof *handles; i++)
    if (fake_is_alive(handles[i])) fake_destroy(handles[i]);
  world_end();
}
