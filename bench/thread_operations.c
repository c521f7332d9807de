#include "thread_operations.h"

static syclze_device device;
static syclze_context common;
static const syclze_nd_range one = {.global = {1}, .local = {1}};

void malloc_and_free(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    void *volatile memory = malloc(64);
    free(memory);
  }
  (void)worker;
}

static void event_keep(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    const syclze_event_input input = {worker->native_event, SYCLZE_OWNERSHIP_KEEP};
    syclze_event event;
    TRY(syclze_make_event(&input, worker->context, &event));
    TRY(syclze_event_release(event));
  }
}

static void event_own(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_event event;
    TRY(syclze_event_create(worker->context, 0, &event));
    TRY(syclze_event_release(event));
  }
}

static void event_retain(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    TRY(syclze_event_retain(worker->event));
    TRY(syclze_event_release(worker->event));
  }
}

static void queue_keep(struct worker *worker, long count) {
  syclze_queue_input input = {0};
  input.native_handle = syclze_queue_get_native(worker->queue);
  input.device = device;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  for (long i = 0; i < count; i++) {
    syclze_queue queue;
    TRY(syclze_make_queue(&input, worker->context, &queue));
    TRY(syclze_queue_release(queue));
  }
}

static void kernel_keep(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    const syclze_kernel_input input = {
        worker->bundle, worker->native_kernel, SYCLZE_OWNERSHIP_KEEP};
    syclze_kernel kernel;
    TRY(syclze_make_kernel(&input, worker->context, &kernel));
    TRY(syclze_kernel_release(kernel));
  }
}

static void buffer_keep(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    const syclze_buffer_input input = {worker->memory[0], SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    syclze_buffer buffer;
    TRY(syclze_make_buffer(&input, worker->context, &buffer));
    TRY(syclze_buffer_release(buffer));
  }
}

static void launch(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(worker->queue);
    TRY(syclze_group_launch(&group, worker->empty_kernel, &one, NULL, 0, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

/* Launches by the same Level Zero calls. */
static void launch_by_hand(struct worker *worker, long count) {
  const ze_command_list_handle_t list = syclze_queue_get_native(worker->queue).list;
  const ze_group_count_t groups = {1, 1, 1};
  for (long i = 0; i < count; i++) {
    TRY(zeKernelSetGroupSize(worker->native_kernel, 1, 1, 1));
    TRY(zeCommandListAppendLaunchKernel(list, worker->native_kernel, &groups, NULL, 0, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void launch_with_event_by_hand(struct worker *worker, long count) {
  const ze_command_list_handle_t list = syclze_queue_get_native(worker->queue).list;
  const ze_group_count_t groups = {1, 1, 1};
  for (long i = 0; i < count; i++) {
    if (i % 1024 != 0) TRY(zeEventHostSynchronize(worker->native_event, UINT64_MAX));
    TRY(zeEventHostReset(worker->native_event));
    TRY(zeKernelSetGroupSize(worker->native_kernel, 1, 1, 1));
    TRY(zeCommandListAppendLaunchKernel(
        list, worker->native_kernel, &groups, worker->native_event, 0, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void copy(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(worker->queue);
    TRY(syclze_group_copy(
        &group, syclze_mem_arg(worker->memory[0]), syclze_mem_arg(worker->memory[1]), 64, NULL));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void launch_with_event(struct worker *worker, long count) {
  for (long i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(worker->queue);
    TRY(syclze_group_launch(&group, worker->empty_kernel, &one, NULL, 0, &event));
    TRY(syclze_event_release(event));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

static void launch_with_accessors(struct worker *worker, long count) {
  const float factor = 0;
  for (long i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(worker->queue);
    const syclze_accessor in = syclze_require(&group, worker->in, SYCLZE_ACCESS_READ);
    const syclze_accessor out = syclze_require(&group, worker->out, SYCLZE_ACCESS_READ_WRITE);
    TRY(syclze_launch(
        &group, worker->kernel, &one, NULL, syclze_arg(factor), syclze_arg(in), syclze_arg(out)));
    if (i % 1024 == 1023) TRY(syclze_queue_wait(worker->queue));
  }
}

const struct operation operations[] = {{"malloc + free", malloc_and_free, false},
    {"make + release, event (keep)", event_keep, false},
    {"event_create + release", event_own, false}, {"retain + release, event", event_retain, false},
    {"make + release, queue (keep)", queue_keep, false},
    {"make + release, kernel (keep)", kernel_keep, false},
    {"make + release, buffer (keep)", buffer_keep, false},
    {"submit a kernel, no event", launch, false}, {"the same calls by hand", launch_by_hand, true},
    {"submit a USM copy, no event", copy, false},
    {"submit a kernel, with an event", launch_with_event, false},
    {"the same calls by hand, and a wait", launch_with_event_by_hand, true},
    {"submit a kernel, two accessors", launch_with_accessors, false}, {NULL, NULL, false}};

static ze_module_handle_t build(const char *path, ze_context_handle_t context) {
  static uint8_t spirv[1 << 20];
  ze_module_desc_t desc;
  ze_module_handle_t module;
  FILE *file = fopen(path, "rb");
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = file != NULL ? fread(spirv, 1, sizeof spirv, file) : 0;
  desc.pInputModule = spirv;
  if (file != NULL) fclose(file);
  TRY(zeModuleCreate(context, syclze_device_get_native(device), &desc, &module, NULL));
  return module;
}

static void find_device(void) {
  uint32_t count = 1;
  syclze_platform platform;
  TRY(syclze_platform_get(&count, &platform));
  count = 1;
  TRY(syclze_device_get(platform, &count, &device));
  TRY(syclze_context_create(&device, 1, &common));
}

void worker_prepare(struct worker *worker, const char *spirv, bool shares) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  if (device.rep == NULL) find_device();
  worker->context = common;
  if (!shares) TRY(syclze_context_create(&device, 1, &worker->context));
  TRY(syclze_queue_create(worker->context, device, &in_order, &worker->queue));
  for (int i = 0; i < 2; i++) {
    syclze_buffer_input input = {NULL, SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    TRY(syclze_malloc_device(64, device, worker->context, &worker->memory[i]));
    input.native_handle = worker->memory[i];
    TRY(syclze_make_buffer(&input, worker->context, i == 0 ? &worker->in : &worker->out));
  }
  const ze_context_handle_t native = syclze_context_get_native(worker->context);
  const syclze_kernel_bundle_input bundle = {build(spirv, native), SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_kernel_bundle(&bundle, worker->context, &worker->bundle));
  TRY(syclze_kernel_create(worker->bundle, "axpy", &worker->kernel));
  TRY(syclze_kernel_create(worker->bundle, "nothing", &worker->empty_kernel));
  worker->native_kernel = syclze_kernel_get_native(worker->empty_kernel);
  TRY(syclze_event_create(worker->context, 0, &worker->event));
  worker->native_event = syclze_event_get_native(worker->event);
}
