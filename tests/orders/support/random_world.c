#undef SYCLZE_DECLARATIONS
#include "random_world.h"

#include <sched.h>
#include <time.h>

uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint32_t random_below(uint64_t *state, uint32_t limit) {
  return (uint32_t)(random_next(state) % limit);
}

static void run_on(struct node *node, void *const *arguments) {
  uint64_t *memory[ACCESSES];
  for (uint32_t i = 0; i < node->access_count; i++) {
    const bool is_image = (*(uint32_t *)arguments[1] >> i & 1) != 0;
    void *argument = *(void **)arguments[2 + i];
    memory[i] = is_image ? strict_pixels(argument) : argument;
  }
  node_run(node, memory);
}

static void run_node(void *const *arguments) {
  run_on(*(struct node **)arguments[0], arguments);
}

static void run_step(void *const *arguments) {
  struct node *node = step_next(*(struct step **)arguments[0]);
  if (node != NULL) run_on(node, arguments);
}

static const struct strict_kernel kernels[] = {
    {"node", run_node}, {"step", run_step}, {"own", random_run_own}, {NULL, NULL}};

static struct random_world *current;

/* Records that the library frees memory of the graph. */
static void on_free(void *memory, size_t size) {
  for (uint32_t i = 0; i < current->object_count; i++) {
    struct object *object = &current->objects[i];
    if (object->native != memory || object->is_kept || object->is_image || object->freed) continue;
    for (uint32_t s = 0; s < size / sizeof *object->last && s < SEGMENTS; s++)
      object->last[s] = ((uint64_t *)memory)[s];
    object->freed = true;
  }
}

void random_keep(struct random_world *world) {
  __atomic_add_fetch(&world->kept, 1, __ATOMIC_RELAXED);
}

/* Every second driver has all optional functions, the others have each by chance. */
static void begin_driver(struct random_world *world) {
  uint64_t random = ~world->seed;
  world->missing = (uint32_t)random_next(&random);
  if (random_below(&random, 2) == 0) world->missing = 0;
  strict_set_missing(world->missing);
  memset(&SYCLZE__STATE.entry, 0, sizeof SYCLZE__STATE.entry);
  syclze__entry_points_find();
}

static void begin_contexts(struct random_world *world) {
  ze_driver_handle_t driver;
  ze_device_handle_t handles[2];
  uint32_t count = 1;
  CHECK_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
  count = 2;
  CHECK_EQ(zeDeviceGet(driver, &count, handles), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_make_device(handles[i], &world->devices[i]), ZE_RESULT_SUCCESS);
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const unsigned char module[4] = {3, 2, 35, 7};
  for (uint32_t i = 0; i < CONTEXTS; i++) {
    const uint32_t devices = i == 2 ? 2 : 1;
    CHECK_EQ(
        zeContextCreateEx(driver, &desc, devices, handles, &world->natives[i]), ZE_RESULT_SUCCESS);
    syclze_context_input input = {.native_handle = world->natives[i],
        .device_list = world->devices,
        .device_count = devices,
        .ownership = i < 2 ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER};
    if (i < 2) random_keep(world);
    CHECK_EQ(syclze_make_context(&input, &world->contexts[i]), ZE_RESULT_SUCCESS);
    const ze_module_desc_t module_desc = {
        .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .inputSize = sizeof module, .pInputModule = module};
    syclze_kernel_bundle_input bundle = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_EQ(
        zeModuleCreate(world->natives[i], handles[0], &module_desc, &bundle.native_handle, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_make_kernel_bundle(&bundle, world->contexts[i], &world->bundles[i]),
        ZE_RESULT_SUCCESS);
    if (i == 2) continue;
    CHECK_EQ(zeModuleCreate(world->natives[i], handles[0], &module_desc, &world->modules[i], NULL),
        ZE_RESULT_SUCCESS);
    random_keep(world);
  }
}

static bool is_synchronous(const struct random_world *world, uint64_t *random, uint32_t index) {
  if (!world->blocks) return false;
  return index == QUEUES - 1 || random_below(random, 3) == 0;
}

/* True where the library knows without the application that an in-order list is one. */
static bool answers_flags(const struct random_world *world) {
  return world->seed % 2 == 0 && (world->missing >> STRICT_LIST_FLAGS & 1) == 0;
}

/* In-order and not, on lists and command queues, created and wrapped, in three contexts. Where no
   thread waits for what it has yet to signal, some may be synchronous. */
static void begin_queue(struct random_world *world, uint64_t *random, uint32_t index) {
  static const struct {
    bool is_created, is_queue, native_order, in_order;
    uint32_t context;
  } kinds[QUEUES] = {{true, false, true, true, 0}, {true, false, false, false, 0},
      {false, false, true, true, 0}, {false, false, false, true, 0}, {false, true, false, false, 0},
      {false, true, false, true, 0}, {true, false, true, true, 1}, {true, false, false, false, 1},
      {true, false, true, true, 2}, {false, false, true, false, 0}};
  struct random_queue *queue = &world->queues[index];
  const ze_device_handle_t device = syclze_get_native(world->devices[0]);
  pthread_mutex_init(&queue->lock, NULL);
  pthread_mutex_init(&queue->task_lock, NULL);
  queue->context = kinds[index].context;
  queue->in_order = kinds[index].in_order;
  syclze_property_list properties = {
      .flags = (queue->in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0u) |
               (random_below(random, 4) == 0 ? SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING : 0u)};
  syclze_context context = world->contexts[queue->context];
  const bool synchronous = is_synchronous(world, random, index);
  if (kinds[index].is_created) {
    const uint32_t at = queue->context == 2 ? random_below(random, 2) : 0;
    queue->keeps_left = queue->in_order;
    if (synchronous) properties.flags |= SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS;
    CHECK_EQ(syclze_queue_create(context, world->devices[at], &properties, &queue->queue),
        ZE_RESULT_SUCCESS);
    return;
  }
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .flags = kinds[index].native_order ? 1u << 1 : 0,
      .mode = synchronous ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  syclze_queue_input input = {.device = world->devices[0],
      .properties = properties,
      .ownership =
          random_below(random, 2) == 0 ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER};
  if (kinds[index].is_queue) {
    ze_command_queue_handle_t handle;
    CHECK_EQ(zeCommandQueueCreate(world->natives[queue->context], device, &desc, &handle),
        ZE_RESULT_SUCCESS);
    input.native_handle = syclze_native_queue_of(handle);
    if (input.ownership == SYCLZE_OWNERSHIP_KEEP) queue->native_queue = handle;
  } else {
    ze_command_list_handle_t handle;
    CHECK_EQ(zeCommandListCreateImmediate(world->natives[queue->context], device, &desc, &handle),
        ZE_RESULT_SUCCESS);
    input.native_handle = syclze_native_queue_of(handle);
    const bool says = kinds[index].native_order && random_below(random, 2) == 0;
    if (says) input.properties.flags |= SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
    queue->keeps_left =
        queue->in_order && kinds[index].native_order && (says || answers_flags(world));
    if (input.ownership == SYCLZE_OWNERSHIP_KEEP) queue->native_list = handle;
  }
  if (input.ownership == SYCLZE_OWNERSHIP_KEEP) random_keep(world);
  CHECK_EQ(syclze_make_queue(&input, context, &queue->queue), ZE_RESULT_SUCCESS);
}

static void begin_image(struct random_world *world, struct object *object) {
  const ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_1D,
      .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_32, .type = ZE_IMAGE_FORMAT_TYPE_UINT},
      .width = SEGMENTS * 2,
      .height = 1,
      .depth = 1};
  ze_image_handle_t image;
  CHECK_EQ(zeImageCreate(world->natives[object->context], syclze_get_native(world->devices[0]),
               &desc, &image),
      ZE_RESULT_SUCCESS);
  object->native = image;
  memcpy(strict_pixels(image), object->model, sizeof object->model);
  syclze_image_input input = {.native_handle = image,
      .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 1,
      .range = {SEGMENTS * 2},
      .ownership = object->is_kept ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_image(&input, world->contexts[object->context], &object->image),
      ZE_RESULT_SUCCESS);
}

static void begin_buffer(struct random_world *world, uint64_t *random, struct object *object) {
  const size_t size = sizeof object->model;
  syclze_context context = world->contexts[object->context];
  switch (random_below(random, 3)) {
  case 0:
    CHECK_EQ(syclze_malloc_host(size, context, &object->native), ZE_RESULT_SUCCESS);
    break;
  case 1:
    CHECK_EQ(
        syclze_malloc_device(size, world->devices[0], context, &object->native), ZE_RESULT_SUCCESS);
    break;
  default:
    CHECK_EQ(
        syclze_malloc_shared(size, world->devices[0], context, &object->native), ZE_RESULT_SUCCESS);
  }
  memcpy(object->native, object->model, size);
  syclze_buffer_input input = {.native_handle = object->native,
      .element_size = sizeof *object->model,
      .dimensions = 1,
      .range = {SEGMENTS},
      .ownership = object->is_kept ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_buffer(&input, context, &object->buffer), ZE_RESULT_SUCCESS);
}

static void begin_object(struct random_world *world, uint64_t *random, uint32_t index) {
  struct object *object = &world->objects[index];
  pthread_mutex_init(&object->lock, NULL);
  object->is_image = index >= 2 && random_below(random, 4) == 0;
  object->is_kept = random_below(random, 2) == 0;
  object->is_home = true;
  object->context = object->is_image ? 0 : random_below(random, 2);
  if (world->single) object->context = 0;
  for (uint32_t s = 0; s < SEGMENTS; s++)
    object->model[s] = random_next(random);
  if (object->is_kept) random_keep(world);
  if (object->is_image)
    begin_image(world, object);
  else
    begin_buffer(world, random, object);
}

/* A reference of one more thread. */
static void retain_all(const struct random_world *world) {
  for (uint32_t i = 0; i < world->object_count; i++) {
    CHECK_EQ(syclze_buffer_retain(world->objects[i].buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_image_retain(world->objects[i].image), ZE_RESULT_SUCCESS);
  }
  for (uint32_t i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_queue_retain(world->queues[i].queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < CONTEXTS; i++) {
    CHECK_EQ(syclze_context_retain(world->contexts[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_bundle_retain(world->bundles[i]), ZE_RESULT_SUCCESS);
  }
}

void random_world_begin(struct random_world *world, uint64_t seed, uint32_t threads) {
  uint64_t random = seed;
  memset(world, 0, sizeof *world);
  world->seed = seed;
  world->threads = threads;
  world->ordered = random_below(&random, 2) == 0;
  world->object_count = 2 + random_below(&random, OBJECTS - 1);
  world->single = seed % 4 == 1;
  world->hosts = seed % 12 == 1;
  world->blocks = seed % 8 == 5 || seed % 8 == 2;
  if (world->single) world->object_count = world->hosts ? 4 : 2 + world->object_count % 2;
  strict_kernels = kernels;
  strict_on_free = on_free;
  current = world;
  pthread_mutex_init(&world->event_lock, NULL);
  for (uint32_t i = 0; i < GRAPHS; i++)
    pthread_mutex_init(&world->graphs[i].lock, NULL);
  begin_driver(world);
  begin_contexts(world);
  for (uint32_t i = 0; i < QUEUES; i++)
    begin_queue(world, &random, i);
  for (uint32_t i = 0; i < world->object_count; i++)
    begin_object(world, &random, i);
  for (uint32_t t = 1; t < threads; t++)
    retain_all(world);
}

static bool complain(const struct random_world *world, const struct node *node) {
  printf("FAIL seed %llu (%s): node %u (thread %u, queue %u, action %u) %s %u: %llx, expected "
         "%llx\n",
      (unsigned long long)world->seed, world->ordered ? "ordered" : "free", node->number,
      node->thread, node->queue, node->action, node->problem != NULL ? node->problem : "never ran",
      node->where, (unsigned long long)node->found, (unsigned long long)node->expected);
  return false;
}

static bool check_nodes(const struct random_world *world) {
  bool right = true;
  for (uint32_t t = 0; t < world->threads; t++)
    for (uint32_t i = 0; i < NODES && right; i++)
      if (world->nodes[t][i].failed || world->nodes[t][i].ran != world->nodes[t][i].runs)
        right = complain(world, &world->nodes[t][i]);
  return right;
}

static bool check_objects(struct random_world *world) {
  bool right = true;
  for (uint32_t i = 0; i < world->object_count; i++) {
    struct object *object = &world->objects[i];
    const uint64_t *is = object->last;
    if (object->is_kept)
      is = object->is_image ? strict_pixels(object->native) : object->native;
    else if (!object->freed)
      continue;
    if (!world->ordered || !object->is_home) continue;
    for (uint32_t s = 0; s < SEGMENTS && right; s++)
      if (is[s] != object->model[s]) {
        printf("FAIL seed %llu: object %u ends otherwise: %llx, expected %llx\n",
            (unsigned long long)world->seed, i, (unsigned long long)is[s],
            (unsigned long long)object->model[s]);
        right = false;
      }
  }
  return right;
}

/* The library gives back in the background what it took. */
static void wait_until_released(const struct random_world *world) {
  const struct timespec pause = {.tv_nsec = 50000};
  for (uint32_t tries = 0; strict_alive(STRICT_NONE) != world->kept; tries++) {
    if (tries < 16)
      sched_yield();
    else
      nanosleep(&pause, NULL);
    if (tries == 100000)
      printf("seed %llu: still waiting for %u handles and %u commands\n",
          (unsigned long long)world->seed, strict_alive(STRICT_NONE) - world->kept,
          strict_pending());
  }
}

static void end_own(struct random_world *world, uint32_t thread) {
  for (uint32_t i = 0; i < world->own[thread].event_count; i++)
    CHECK_EQ(zeEventDestroy(world->own[thread].events[i]), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < world->own[thread].list_count; i++)
    CHECK_EQ(zeCommandListDestroy(world->own[thread].lists[i]), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < world->own[thread].kernel_count; i++)
    CHECK_EQ(zeKernelDestroy(world->own[thread].kernels[i]), ZE_RESULT_SUCCESS);
  if (world->own[thread].pool != NULL)
    CHECK_EQ(zeEventPoolDestroy(world->own[thread].pool), ZE_RESULT_SUCCESS);
}

static void free_steps(struct random_world *world) {
  while (world->steps != NULL) {
    struct step *step = world->steps;
    world->steps = step->older;
    free(step->argument);
    free(step);
  }
}

bool random_world_end(struct random_world *world) {
  for (uint32_t i = 0; i < EVENTS; i++)
    CHECK_EQ(syclze_event_release(world->events[i].event), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < GRAPHS; i++) {
    CHECK_EQ(syclze_executable_graph_release(world->graphs[i].executable), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_kernel_release(world->graphs[i].kernel), ZE_RESULT_SUCCESS);
    for (uint32_t j = 0; j < 2; j++)
      CHECK_EQ(syclze_graph_release(world->graphs[i].both[j]), ZE_RESULT_SUCCESS);
    pthread_mutex_destroy(&world->graphs[i].lock);
  }
  wait_until_released(world);
  bool right = check_nodes(world) && check_objects(world);
  if (right && !world->ordered) right = random_is_sequential(world);
  for (uint32_t i = 0; i < world->object_count; i++) {
    struct object *object = &world->objects[i];
    pthread_mutex_destroy(&object->lock);
    if (!object->is_kept) continue;
    if (object->is_image)
      CHECK_EQ(zeImageDestroy(object->native), ZE_RESULT_SUCCESS);
    else
      CHECK_EQ(zeMemFree(world->natives[object->context], object->native), ZE_RESULT_SUCCESS);
  }
  for (uint32_t i = 0; i < QUEUES; i++) {
    struct random_queue *queue = &world->queues[i];
    pthread_mutex_destroy(&queue->lock);
    pthread_mutex_destroy(&queue->task_lock);
    if (queue->native_queue != NULL) zeCommandQueueDestroy(queue->native_queue);
    if (queue->native_list != NULL) zeCommandListDestroy(queue->native_list);
  }
  free_steps(world);
  for (uint32_t t = 0; t < world->threads; t++)
    end_own(world, t);
  for (uint32_t i = 0; i < 2; i++) {
    CHECK_EQ(zeModuleDestroy(world->modules[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeContextDestroy(world->natives[i]), ZE_RESULT_SUCCESS);
  }
  return right && strict_reports() == 0;
}
