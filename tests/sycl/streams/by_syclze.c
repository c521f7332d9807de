/* The program on syclze; by_sycl.cpp is the same on SYCL's runtime, phase by phase. */
#define SYCLZE_TRACE_GET_NATIVE 1
#include "syclze/command.h"
#include "syclze/syclze.h"
#include "syclze/trace/current.h"

#include "program.h"

static syclze_device first_device(void) {
  uint32_t one = 1;
  syclze_device device;
  TRY(syclze_device_get_selected(&one, &device));
  return device;
}

static void launch(syclze_queue queue, syclze_kernel kernel, syclze_buffer x, syclze_buffer y) {
  const syclze_nd_range range = {.global = {ITEMS}, .local = {GROUP}};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor in = syclze_require(&group, x, SYCLZE_ACCESS_READ);
  syclze_accessor out = syclze_require(&group, y, SYCLZE_ACCESS_READ_WRITE);
  const syclze_argument arguments[] = {syclze_arg(2.f), syclze_arg(in), syclze_arg(out)};
  TRY(syclze_group_launch(&group, kernel, &range, arguments, 3, NULL));
}

static syclze_accessor accessor_of_task;

static ze_result_t get_memory(syclze_interop_handle handle, void *nothing) {
  void *memory;
  (void)nothing;
  return syclze_get_native_mem(handle, accessor_of_task, &memory);
}

static syclze_buffer buffer_of(syclze_context context, void *memory) {
  const syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {ITEMS, 0, 0}};
  syclze_buffer buffer;
  TRY(syclze_make_buffer(&input, context, &buffer));
  return buffer;
}

static void with_buffers(
    syclze_context context, syclze_device device, syclze_queue queue, syclze_kernel kernel) {
  static float values[ITEMS];
  const ze_context_handle_t native_context = syclze_get_native(context);
  const ze_device_handle_t native_device = syclze_get_native(device);
  program_name(values, "values");
  void *memory[] = {program_memory(native_context, native_device, "x"),
      program_memory(native_context, native_device, "y")};
  program_phase("make buffers");
  syclze_buffer x = buffer_of(context, memory[0]), y = buffer_of(context, memory[1]);
  program_phase("first kernel");
  launch(queue, kernel, x, y);
  program_phase("second kernel");
  launch(queue, kernel, x, y);
  program_phase("host task");
  syclze_group group = syclze_group_begin(queue);
  accessor_of_task = syclze_require(&group, y, SYCLZE_ACCESS_READ_WRITE);
  TRY(syclze_group_host_task(&group, get_memory, NULL, NULL));
  TRY(syclze_queue_wait(queue));
  program_phase("copy from buffer");
  group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, y, SYCLZE_ACCESS_READ);
  TRY(syclze_group_copy(&group, syclze_mem_arg(values), syclze_mem_arg(all), BYTES, NULL));
  TRY(syclze_queue_wait(queue));
  program_phase("release buffers");
  TRY(syclze_buffer_release(y));
  TRY(syclze_buffer_release(x));
  for (int i = 0; i < 2; i++)
    program_name(memory[i], NULL);
}

static void with_image(syclze_context context, syclze_device device) {
  const ze_image_handle_t native =
      program_image(syclze_get_native(context), syclze_get_native(device));
  const syclze_image_input input = {.native_handle = native,
      .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {8, 4},
      .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  syclze_image image;
  program_phase("make image");
  TRY(syclze_make_image(&input, context, &image));
  program_phase("release image");
  TRY(syclze_image_release(image));
  program_name(native, NULL);
}

/* On an in-order queue. */
static void with_usm(syclze_context context, syclze_device device, syclze_kernel kernel) {
  const syclze_nd_range range = {.global = {ITEMS}, .local = {GROUP}};
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const uint8_t zero = 0;
  void *shared, *memory;
  syclze_queue queue;
  syclze_event filled, copied;
  program_phase("create other queue");
  TRY(syclze_queue_create(context, device, &in_order, &queue));
  program_phase("allocate");
  TRY(syclze_malloc_shared(BYTES, device, context, &shared));
  TRY(syclze_malloc_device(BYTES, device, context, &memory));
  program_name(shared, "shared");
  program_name(memory, "device memory");
  program_phase("fill");
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_group_fill(&group, syclze_mem_arg(shared), &zero, 1, BYTES, &filled));
  program_phase("wait for fill");
  TRY(syclze_event_wait(filled));
  program_phase("copy");
  group = syclze_group_begin(queue);
  TRY(syclze_group_copy(&group, syclze_mem_arg(memory), syclze_mem_arg(shared), BYTES, &copied));
  program_phase("kernel on pointers");
  group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, copied);
  const syclze_argument arguments[] = {syclze_arg(2.f), syclze_arg(shared), syclze_arg(memory)};
  TRY(syclze_group_launch(&group, kernel, &range, arguments, 3, NULL));
  program_phase("barrier");
  group = syclze_group_begin(queue);
  TRY(syclze_group_barrier(&group, NULL));
  program_phase("wait for queue");
  TRY(syclze_queue_wait(queue));
  program_phase("prefetch");
  group = syclze_group_begin(queue);
  TRY(syclze_group_prefetch(&group, syclze_mem_arg(shared), BYTES, NULL));
  TRY(syclze_queue_wait(queue));
  program_phase("advise");
  group = syclze_group_begin(queue);
  TRY(syclze_group_advise(
      &group, syclze_mem_arg(shared), BYTES, ZE_MEMORY_ADVICE_SET_READ_MOSTLY, NULL));
  TRY(syclze_queue_wait(queue));
  program_phase("release events");
  TRY(syclze_event_release(filled));
  TRY(syclze_event_release(copied));
  program_phase("free");
  TRY(syclze_free(shared, context));
  TRY(syclze_free(memory, context));
  program_phase("release other queue");
  TRY(syclze_queue_release(queue));
}

static void with_queue(syclze_context context, syclze_device device) {
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  program_phase("create queue");
  TRY(syclze_queue_create(context, device, NULL, &queue));
  const ze_context_handle_t native_context = syclze_get_native(context);
  const ze_device_handle_t native_device = syclze_get_native(device);
  const ze_module_handle_t module = program_module(native_context, native_device);
  program_phase("make kernel");
  const syclze_kernel_bundle_input bundle_input = {module, SYCLZE_OWNERSHIP_TRANSFER};
  TRY(syclze_make_kernel_bundle(&bundle_input, context, &bundle));
  const syclze_kernel_input input = {bundle, program_kernel(module), SYCLZE_OWNERSHIP_TRANSFER};
  TRY(syclze_make_kernel(&input, context, &kernel));
  program_phase("natives");
  syclze_context_get_native(context);
  syclze_queue_get_native(queue);
  syclze_kernel_get_native(kernel);
  program_phase("memory of buffers");
  with_buffers(context, device, queue, kernel);
  with_image(context, device);
  with_usm(context, device, kernel);
  program_phase("release queue and kernel");
  TRY(syclze_kernel_release(kernel));
  TRY(syclze_kernel_bundle_release(bundle));
  TRY(syclze_queue_release(queue));
}

int main(void) {
  syclze_device device = first_device();
  syclze_context context;
  program_name(syclze_device_get_native(device), "device");
  program_phase("create context");
  TRY(syclze_context_create(&device, 1, &context));
  program_name(syclze_context_get_native(context), "context");
  with_queue(context, device);
  program_phase("release context");
  TRY(syclze_context_release(context));
  program_phase("end");
  return 0;
}
