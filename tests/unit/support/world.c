#undef SYCLZE_DECLARATIONS
#include "world.h"

#include "memory.h"
#include "tests/check.h"

struct world world;
bool world_is_warm;

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

static void warm_contexts(void) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[SYCLZE__POOL_CONTEXT];
  void *slot = syclze__pool_acquire(pool, sizeof(struct syclze__context));
  CHECK(slot != NULL);
  syclze__pool_release_to(pool, (struct syclze__slot *)slot);
}

static void warm_children(struct syclze__parent *parent) {
  static const struct {
    enum syclze__pool_kind kind;
    size_t size;
  } kinds[] = {{SYCLZE__POOL_QUEUE, sizeof(struct syclze__queue)},
      {SYCLZE__POOL_EVENT, sizeof(struct syclze__event)},
      {SYCLZE__POOL_KERNEL_BUNDLE, sizeof(struct syclze__kernel_bundle)},
      {SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer)},
      {SYCLZE__POOL_IMAGE, sizeof(struct syclze__image)}};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    void *slot = syclze__child_acquire(parent, kinds[i].kind, kinds[i].size);
    CHECK(slot != NULL);
    CHECK_OK(syclze__child_release(parent, kinds[i].kind, (struct syclze__slot *)slot));
  }
}

static void wrap_world(void) {
  CHECK_OK(syclze_make_device(world.root, &world.device));
  CHECK_OK(syclze_make_device(world.root2, &world.device2));
  CHECK_OK(syclze_make_device(world.sub, &world.sub_device));
  CHECK_OK(syclze_make_device(world.sub_sub, &world.sub_sub_device));
  CHECK_OK(syclze_make_device(world.other_root, &world.other_device));
  world.native_context = fake_context(world.driver);
  world.context = world_context(world.native_context, &world.device, 1);
  if (world_is_warm && SYCLZE_HAS_POOLS) {
    warm_contexts();
    warm_children(&world.context.rep->parent);
  }
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

#if SYCLZE_HAS_THREAD_CACHE
/* The free objects are lost until the state is forgotten. */
static void lose(struct syclze__cache *cache, int64_t *base) {
  *base -= (int32_t)(SYCLZE__BATCH - cache->room);
  cache->free = cache->full = NULL;
  cache->room = SYCLZE__BATCH;
}

static void lose_free_objects(enum syclze__pool_kind kind) {
  struct syclze__thread *thread = SYCLZE__STATE.threads;
  int64_t unused = 0;
  for (; thread != NULL; thread = thread->next) {
    lose(&thread->caches[kind], &unused);
    for (int i = 0; i < SYCLZE__ENTRIES; i++)
      if (thread->entries[i].base != 0)
        lose(&thread->entries[i].caches[kind % SYCLZE__CHILD_LISTS], &thread->entries[i].base);
  }
}
#endif

void world_use_up(enum syclze__pool_kind kind) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[kind];
#if SYCLZE_HAS_THREAD_CACHE
  syclze__thread_require(); /* its allocation is not the one to fail */
  lose_free_objects(kind);
#endif
  pool->free = pool->batches = NULL;
  pool->unused = pool->unused_end;
  memory_fail(1);
}

void world_end_at(const char *file, int line) {
  if (world.context.rep != NULL) {
    CHECK_OK(syclze_context_release(world.context));
    fake_destroy(world.native_context);
  }
  fake_end_at(file, line);
}
