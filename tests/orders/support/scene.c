#include "scene.h"

#include <time.h>

static void run_one_node(void *const *arguments) {
  uint64_t *memory = *(uint64_t **)arguments[1];
  node_run(*(struct node **)arguments[0], &memory);
}

static void run_nothing(void *const *arguments) {
  (void)arguments;
}

static const struct strict_kernel kernels[] = {
    {"node", run_one_node}, {"iota", run_nothing}, {"axpy", run_nothing}, {NULL, NULL}};

static uint32_t node_count;

void scene_begin(struct scene_base *scene) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const ze_module_desc_t module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .inputSize = 4,
      .pInputModule = (const uint8_t *)&desc};
  uint32_t count = 1;
  memset(scene, 0, sizeof *scene);
  node_count = 0;
  strict_kernels = kernels;
  strict_on_free = NULL;
  CHECK_EQ(zeDriverGet(&count, &scene->driver), ZE_RESULT_SUCCESS);
  count = 1;
  CHECK_EQ(zeDeviceGet(scene->driver, &count, &scene->handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_device(scene->handle, &scene->device), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextCreateEx(scene->driver, &desc, 1, &scene->handle, &scene->native),
      ZE_RESULT_SUCCESS);
  syclze_context_input input = {.native_handle = scene->native,
      .device_list = &scene->device,
      .device_count = 1,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_context(&input, &scene->context), ZE_RESULT_SUCCESS);
  syclze_kernel_bundle_input bundle = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(zeModuleCreate(scene->native, scene->handle, &module, &bundle.native_handle, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_kernel_bundle(&bundle, scene->context, &scene->bundle), ZE_RESULT_SUCCESS);
}

syclze_kernel scene_begin_held(struct scene_base *scene) {
  strict_begin(1, STRICT_NEWEST);
  scene_begin(scene);
  strict_hold(true);
  return scene_kernel(scene, "node");
}

void scene_release(struct scene_base *scene) {
  CHECK_EQ(syclze_release(scene->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(scene->context), ZE_RESULT_SUCCESS);
}

void scene_end(struct scene_base *scene) {
  const struct timespec pause = {.tv_nsec = 100000};
  scene_release(scene);
  while (strict_alive(STRICT_NONE) != 1) {
    strict_step(1);
    nanosleep(&pause, NULL);
  }
  CHECK_EQ(zeContextDestroy(scene->native), ZE_RESULT_SUCCESS);
  strict_end();
}

void scene_end_with(struct scene_base *scene, syclze_kernel kernel) {
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  scene_end(scene);
}

void scene_run_all(void) {
  while (strict_pending() != 0)
    strict_step(1);
}

void scene_end_queue(syclze_queue queue) {
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
}

struct node *node_after(struct node *before) {
  struct node *node = calloc(1, sizeof *node);
  CHECK(node != NULL);
  node->number = node_count++;
  node->runs = 1;
  node->notes = true;
  if (before != NULL) node->before[node->before_count++] = before;
  return node;
}

void node_end(struct node *node) {
  CHECK_EQ(node->ran, 1);
  CHECK(!node->failed);
  free(node);
}

syclze_queue scene_queue(const struct scene_base *scene, uint32_t flags) {
  const syclze_property_list properties = {.flags = flags};
  syclze_queue queue;
  CHECK_EQ(
      syclze_queue_create(scene->context, scene->device, &properties, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

syclze_kernel scene_kernel(const struct scene_base *scene, const char *name) {
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(scene->bundle, name, &kernel), ZE_RESULT_SUCCESS);
  return kernel;
}

syclze_buffer scene_buffer(
    const struct scene_base *scene, syclze_ownership ownership, uint64_t **memory) {
  const size_t size = SEGMENTS * sizeof(uint64_t);
  void *native;
  CHECK_EQ(syclze_malloc_shared(size, scene->device, scene->context, &native), ZE_RESULT_SUCCESS);
  memset(native, 0, size);
  syclze_buffer_input input = {.native_handle = native,
      .element_size = sizeof(uint64_t),
      .dimensions = 1,
      .range = {SEGMENTS},
      .ownership = ownership};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, scene->context, &buffer), ZE_RESULT_SUCCESS);
  if (memory != NULL) *memory = native;
  return buffer;
}

void scene_fill(syclze_queue queue, syclze_buffer buffer, uint64_t value) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(accessor), &value, sizeof value,
               SEGMENTS * sizeof value, NULL),
      ZE_RESULT_SUCCESS);
}
