#include "world.h"

#include "memory.h"
#include "tests/check.h"

struct world world;

void world_begin_bare(void) {
  fake_begin();
  memset(&world, 0, sizeof world);
  world.driver = fake_driver();
  world.other_driver = fake_driver();
  world.root = fake_device(world.driver);
  world.root2 = fake_device(world.driver);
  world.sub = fake_sub_device(world.root);
  world.sub_sub = fake_sub_device(world.sub);
  world.other_root = fake_device(world.other_driver);
}

static void wrap_world(void) {
  CHECK_OK(syclze_make_device(world.root, &world.device));
  CHECK_OK(syclze_make_device(world.root2, &world.device2));
  CHECK_OK(syclze_make_device(world.sub, &world.sub_device));
  CHECK_OK(syclze_make_device(world.sub_sub, &world.sub_sub_device));
  CHECK_OK(syclze_make_device(world.other_root, &world.other_device));
  world.native_context = fake_context(world.driver);
  world.context = world_context(world.native_context, &world.device, 1);
}

void world_begin(void) {
  world_begin_bare();
  wrap_world();
}

void world_begin_with_old_loader(void) {
  world_begin_bare();
  fake.old_loader = 1;
  wrap_world();
}

syclze_context world_context(
    ze_context_handle_t native, const syclze_device *devices, uint32_t count) {
  syclze_context_input input = {0};
  input.native_handle = native;
  input.device_list = devices;
  input.device_count = count;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  syclze_context context = {0};
  CHECK_OK(syclze_make_context(&input, &context));
  return context;
}

void world_use_up(enum syclze__pool_kind kind) {
  static const size_t sizes[SYCLZE__POOL_KINDS] = {sizeof(struct syclze__context),
      sizeof(struct syclze__queue), sizeof(struct syclze__event),
      sizeof(struct syclze__native_event), sizeof(struct syclze__kernel_bundle),
      sizeof(struct syclze__kernel), sizeof(struct syclze__buffer), sizeof(struct syclze__image),
      sizeof(struct syclze__use)};
  memory_fail(1);
  while (syclze__pool_acquire(&SYCLZE__STATE.pools[kind], sizes[kind]) != NULL)
    continue;
  memory_fail(1);
}

void world_end_at(const char *file, int line) {
  if (world.context.rep != NULL) {
    CHECK_OK(syclze_context_release(world.context));
    fake_destroy(world.native_context);
  }
  fake_end_at(file, line);
}
