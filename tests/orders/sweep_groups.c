/* Each call, allocation, thread and lock of command groups fails in turn: a group that is refused
   has no effect, one that is accepted takes effect in its place, memory is freed when its work is
   done, and all that was taken is given back. */
#include "support/plain_node.h"
#include "support/random_world.h"
#include "support/sweep.h"

#include <time.h>

enum { STEPS = 8 };

enum queue_kind { IN_ORDER, OUT_OF_ORDER, WRAPPED, COMMAND_QUEUE, QUEUE_KINDS };

static struct {
  enum queue_kind kind;
  bool is_kept, two_contexts, waits;
} given;

static struct scene {
  ze_driver_handle_t driver;
  ze_device_handle_t handle;
  syclze_device device;
  ze_context_handle_t native[2];
  syclze_context context[2];
  syclze_kernel_bundle bundle[2];
  syclze_kernel kernel[2];
  syclze_queue queue[2];
  void *memory;
  syclze_buffer buffer;
  struct node nodes[STEPS];
  syclze_accessor accessors[STEPS];
  ze_result_t results[STEPS];
  uint32_t submitted;
  unsigned kept;
  bool freed;
  uint64_t contents[SEGMENTS]; /* when it was freed */
} scene;

static void run_node_kernel(void *const *arguments) {
  uint64_t *memory = *(uint64_t **)arguments[1];
  node_run(*(struct node **)arguments[0], &memory);
}

static const struct strict_kernel kernels[] = {{"node", run_node_kernel}, {NULL, NULL}};

static void on_free(void *memory, size_t size) {
  if (memory != scene.memory || scene.freed) return;
  memcpy(scene.contents, memory, size < sizeof scene.contents ? size : sizeof scene.contents);
  scene.freed = true;
}

static void begin_context(uint32_t i) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const ze_module_desc_t module_desc = {
      .stype = ZE_STRUCTURE_TYPE_MODULE_DESC, .inputSize = 4, .pInputModule = (uint8_t *)&desc};
  CHECK_EQ(zeContextCreateEx(scene.driver, &desc, 1, &scene.handle, &scene.native[i]),
      ZE_RESULT_SUCCESS);
  syclze_context_input input = {.native_handle = scene.native[i],
      .device_list = &scene.device,
      .device_count = 1,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_context(&input, &scene.context[i]), ZE_RESULT_SUCCESS);
  syclze_kernel_bundle_input bundle = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(zeModuleCreate(scene.native[i], scene.handle, &module_desc, &bundle.native_handle, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_make_kernel_bundle(&bundle, scene.context[i], &scene.bundle[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(scene.bundle[i], "node", &scene.kernel[i]), ZE_RESULT_SUCCESS);
  scene.kept++;
}

static void begin_queue(uint32_t i) {
  const bool ordered = given.kind != OUT_OF_ORDER;
  const syclze_property_list properties = {.flags = ordered ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  if (given.kind <= OUT_OF_ORDER || i == 1) {
    CHECK_EQ(syclze_queue_create(scene.context[given.two_contexts ? i : 0], scene.device,
                 &properties, &scene.queue[i]),
        ZE_RESULT_SUCCESS);
    return;
  }
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .flags = 1u << 1,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  syclze_queue_input input = {.device = scene.device, .properties = properties};
  ze_command_list_handle_t list;
  ze_command_queue_handle_t queue;
  if (given.kind == WRAPPED) {
    CHECK_EQ(zeCommandListCreateImmediate(scene.native[0], scene.handle, &desc, &list),
        ZE_RESULT_SUCCESS);
    input.native_handle = syclze_native_queue_of(list);
  } else {
    CHECK_EQ(zeCommandQueueCreate(scene.native[0], scene.handle, &desc, &queue), ZE_RESULT_SUCCESS);
    input.native_handle = syclze_native_queue_of(queue);
  }
  CHECK_EQ(syclze_make_queue(&input, scene.context[0], &scene.queue[i]), ZE_RESULT_SUCCESS);
}

static void begin(void) {
  uint32_t count = 1;
  memset(&scene, 0, sizeof scene);
  sweep_expect_reports(); /* queues without memory for the event that marks the end of their work */
  strict_kernels = kernels;
  strict_on_free = on_free;
  CHECK_EQ(zeDriverGet(&count, &scene.driver), ZE_RESULT_SUCCESS);
  count = 1;
  CHECK_EQ(zeDeviceGet(scene.driver, &count, &scene.handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_device(scene.handle, &scene.device), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++)
    begin_context(i);
  for (uint32_t i = 0; i < 2; i++)
    begin_queue(i);
  const size_t size = SEGMENTS * sizeof(uint64_t);
  CHECK_EQ(
      syclze_malloc_shared(size, scene.device, scene.context[0], &scene.memory), ZE_RESULT_SUCCESS);
  memset(scene.memory, 0, size);
  syclze_buffer_input input = {.native_handle = scene.memory,
      .element_size = sizeof(uint64_t),
      .dimensions = 1,
      .range = {SEGMENTS},
      .ownership = given.is_kept ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_buffer(&input, scene.context[0], &scene.buffer), ZE_RESULT_SUCCESS);
  scene.kept += given.is_kept;
}

static ze_result_t on_host(syclze_interop_handle handle, void *argument) {
  const struct node *node = argument;
  uint64_t *memory;
  if (syclze_get_native_mem(handle, scene.accessors[node->number], &memory) == ZE_RESULT_SUCCESS)
    node_run(argument, &memory);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t natively(syclze_interop_handle handle, void *argument) {
  const struct node *node = argument;
  const ze_group_count_t groups = {1, 1, 1};
  const ze_kernel_handle_t kernel = syclze_get_native(scene.kernel[0]);
  syclze_native_queue queue;
  uint32_t count;
  const ze_event_handle_t *waits;
  void *memory;
  if (syclze_get_native_mem(handle, scene.accessors[node->number], &memory) != ZE_RESULT_SUCCESS ||
      syclze_interop_handle_get_native_queue(handle, &queue) != ZE_RESULT_SUCCESS ||
      syclze_interop_handle_get_wait_list(handle, &count, &waits) != ZE_RESULT_SUCCESS)
    return ZE_RESULT_ERROR_UNKNOWN;
  ze_result_t result = zeKernelSetArgumentValue(kernel, 0, sizeof node, &node);
  if (result == ZE_RESULT_SUCCESS)
    result = zeKernelSetArgumentValue(kernel, 1, sizeof memory, &memory);
  if (result != ZE_RESULT_SUCCESS) return result;
  return zeCommandListAppendLaunchKernel(
      queue.list, kernel, &groups, NULL, count, (ze_event_handle_t *)(uintptr_t)waits);
}

/* One group that mixes its number into all of the buffer. */
static void step(uint32_t on, enum action action, syclze_event before, syclze_event *event) {
  const uint32_t number = scene.submitted++;
  struct node *node = &scene.nodes[number];
  node->number = number;
  node->notes = true;
  node->action = action;
  node->queue = on;
  node->access_count = 1;
  node->accesses[0] = (struct node_access){.end = SEGMENTS, .how = NODE_READS | NODE_WRITES};
  syclze_group group = syclze_group_begin(scene.queue[on]);
  syclze_group_depends_on(&group, before);
  syclze_accessor accessor = syclze_require(&group, scene.buffer, SYCLZE_ACCESS_READ_WRITE);
  scene.accessors[number] = accessor;
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  ze_result_t result;
  if (action == ACTION_HOST)
    result = syclze_group_host_task(&group, on_host, node, event);
  else if (action == ACTION_NATIVE)
    result = syclze_group_native_command(&group, natively, node, event);
  else
    result = syclze_launch(&group, scene.kernel[given.two_contexts ? on : 0], &range, event,
        syclze_arg(node), syclze_arg(accessor));
  if (result != ZE_RESULT_SUCCESS && event != NULL) CHECK(event->rep == NULL);
  scene.results[number] = result;
  sweep_check_result(result);
}

/* Checks that nodes ran in the order of their submission, and that the accepted ones ran. */
static void check_nodes(bool broken) {
  uint64_t contents = 0;
  uint32_t last = 0;
  for (uint32_t i = 0; i < scene.submitted; i++) {
    const struct node *node = &scene.nodes[i];
    const bool accepted = scene.results[i] == ZE_RESULT_SUCCESS;
    if (accepted && !broken) CHECK_EQ(node->ran, 1);
    /* The function of a native command may have appended before the failure. */
    if (!accepted && node->action != ACTION_NATIVE) CHECK_EQ(node->ran, 0);
    CHECK(!node->failed);
    if (node->ran == 0) continue;
    if (!broken || !given.two_contexts) CHECK_EQ(node->accesses[0].before[0], contents);
    contents = node_mix(contents, node->number);
    last = node->queue;
  }
  /* They are in the buffer's own memory if its context used it last. */
  if (given.two_contexts && (broken || last != 0)) return;
  if (given.is_kept || scene.freed)
    CHECK_EQ(given.is_kept ? *(uint64_t *)scene.memory : scene.contents[0], contents);
}

/* True if only the library's own objects still use the native kernels: the native command's
   function has appended its last command, and the device has run it. Submissions that were accepted
   after a host task and failed later never run. What a native command uses is the application's to
   keep, where a wait for it failed or the device never runs it. */
static bool natives_end(syclze_event native) {
  const struct timespec pause = {.tv_nsec = 100000};
  const int most = sweep_stays() ? 200 : 20000;
  ze_result_t result = ZE_RESULT_NOT_READY;
  for (int tries = 0; result != ZE_RESULT_SUCCESS && tries < 4; tries++)
    result = native.rep != NULL ? syclze_event_wait(native) : ZE_RESULT_SUCCESS;
  for (int tries = 0; strict_pending() != 0 && sweep_failed() && tries < most; tries++)
    nanosleep(&pause, NULL);
  return result == ZE_RESULT_SUCCESS && (!sweep_failed() || strict_pending() == 0);
}

/* The first wait may be the call that fails, or return the error of a group before it. */
static void wait_again(uint32_t i) {
  ze_result_t result = ZE_RESULT_NOT_READY;
  for (int tries = 0; result != ZE_RESULT_SUCCESS && tries < 4; tries++)
    result = syclze_queue_wait(scene.queue[i]);
}

static void scenario(void) {
  syclze_event event[3] = {{NULL}}, native = {NULL};
  bool broken = false;
  begin();
  sweep_arm();
  step(0, ACTION_KERNEL, event[0], NULL);
  step(1, ACTION_KERNEL, event[0], &event[0]);
  step(0, ACTION_HOST, event[0], &event[1]);
  step(1, ACTION_KERNEL, event[0], NULL);
  if (given.kind != COMMAND_QUEUE) step(0, ACTION_NATIVE, event[1], &native);
  if (given.waits) {
    const ze_result_t waited = syclze_queue_wait(scene.queue[0]);
    sweep_check_result(waited);
    broken = waited != ZE_RESULT_SUCCESS;
  }
  step(1, ACTION_HOST, event[1], NULL);
  step(0, ACTION_KERNEL, event[0], &event[2]);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_event_release(event[i]), ZE_RESULT_SUCCESS);
  /* In half of the scenarios all is released while it runs and calls fail. */
  if (given.waits) sweep_disarm();
  for (uint32_t i = 0; i < 2; i++) {
    const ze_result_t error = given.waits ? syclze_queue_wait(scene.queue[i]) : ZE_RESULT_SUCCESS;
    if (error != ZE_RESULT_SUCCESS) broken = true;
    sweep_check_result(error);
  }
  sweep_check_result(syclze_release(scene.buffer));
  for (uint32_t i = 0; i < 2; i++) {
    if (!given.waits && (strict_pending() > 0 || sweep_failed())) wait_again(i);
    sweep_check_result(syclze_release(scene.queue[i]));
  }
  const bool ended = natives_end(native);
  CHECK_EQ(syclze_event_release(native), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++) {
    if (ended) sweep_check_result(syclze_release(scene.kernel[i]));
    sweep_check_result(syclze_release(scene.bundle[i]));
    sweep_check_result(syclze_release(scene.context[i]));
  }
  sweep_disarm();
  sweep_settle(scene.kept);
  if (strict_pending() != 0) broken = true;
  check_nodes(broken || !given.waits);
  if (sweep_failed()) return;
  if (given.is_kept) CHECK_EQ(zeMemFree(scene.native[0], scene.memory), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 2; i++)
    CHECK_EQ(zeContextDestroy(scene.native[i]), ZE_RESULT_SUCCESS);
}

/* Many kinds of queues meet many calls: each sweep tries some of them (SWEEP_STEP=1 all). */
static void sweep_queues(bool waits) {
  given.waits = waits;
  sweep_step = 19;
  for (int kind = 0; kind < QUEUE_KINDS; kind++)
    for (int kept = 0; kept < 2; kept++)
      for (int two = 0; two < 2; two++) {
        given.kind = (enum queue_kind)kind;
        given.is_kept = kept != 0;
        given.two_contexts = two != 0;
        printf("queue %d, kept %d, contexts %d\n", kind, kept, 1 + two);
        sweep_all(scenario);
      }
}

TEST(groups_that_are_waited_for) {
  sweep_queues(true);
}

TEST(groups_that_are_released_at_once) { // shows promises 4
  sweep_queues(false);
}

TEST_MAIN(groups_that_are_waited_for, groups_that_are_released_at_once)
