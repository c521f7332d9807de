/* The calls of the runtime interface, with their parameters printed by the interface's own printer
   and compared with what the program passed. Without SYCLZE_XPTI_PRINTER the calls are only made,
   for another subscriber. */
// shows promises 61, queues 35, memory 20, graphs 34, tracing 26
#define _POSIX_C_SOURCE 200809L
#define SYCLZE_TRACE_GET_NATIVE 1
#include "tests/device/support/traced_calls.h"

#include "syclze/trace/current.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>

__attribute__((constructor)) static void share_memory(void) {
  given_environment("ZECL_IPC", "1");
}

static const char *(*text_of)(const char *function);

/* The parameters of the last call of the function contain the text; handles are %p. */
static void check_printed(const char *function, const char *format, ...) {
  char expected[256];
  va_list arguments;
  if (text_of == NULL) return;
  va_start(arguments, format);
  vsnprintf(expected, sizeof expected, format, arguments);
  va_end(arguments);
  const char *text = text_of(function);
  if (text == NULL)
    CHECK_STR_EQ(function, "printed");
  else if (strstr(text, expected) == NULL)
    CHECK_STR_EQ(text, expected);
}

static void find_printer(void) {
  const char *path = getenv("SYCLZE_XPTI_PRINTER");
  if (path == NULL) return;
  void *library = dlopen(path, RTLD_LAZY);
  CHECK(library != NULL);
  void *symbol = dlsym(library, "printer_text");
  CHECK(symbol != NULL);
  memcpy(&text_of, &symbol, sizeof symbol);
}

static void check_objects(struct traced *t) {
  check_printed("urPlatformCreateWithNativeHandle", ".hNativePlatform = %p, ", (void *)t->g.driver);
  check_printed("urDeviceCreateWithNativeHandle", ".hNativeDevice = %p, ", (void *)t->g.device);
  check_printed("urDeviceCreateWithNativeHandle", "(%p)", (void *)t->device.rep);
  check_printed("urContextCreateWithNativeHandle", ".hNativeContext = %p, ", (void *)t->g.context);
  check_printed("urContextCreateWithNativeHandle", ".numDevices = 1, ");
  check_printed("urContextCreateWithNativeHandle", " {%p}, ", (void *)t->device.rep);
  check_printed("urContextCreateWithNativeHandle", ".isNativeHandleOwned = 0})");
  check_printed("urQueueCreate", ".hContext = %p, .hDevice = %p, ", (void *)t->context.rep,
      (void *)t->device.rep);
  check_printed("urQueueCreate", "{.stype = UR_STRUCTURE_TYPE_QUEUE_PROPERTIES, .pNext = nullptr, "
                                 ".flags = UR_QUEUE_FLAG_OUT_OF_ORDER_EXEC_MODE_ENABLE})");
  check_printed("urQueueCreate", "(%p)", (void *)t->queue.rep);
  check_printed("urProgramCreateWithNativeHandle", ".hNativeProgram = %p, .hContext = %p, ",
      (void *)t->g.module, (void *)t->context.rep);
  check_printed("urKernelCreateWithNativeHandle",
      ".hNativeKernel = %p, .hContext = %p, "
      ".hProgram = %p, ",
      (void *)t->g.kernel, (void *)t->context.rep, (void *)t->bundle.rep);
  check_printed("urMemBufferCreateWithNativeHandle", "UR_STRUCTURE_TYPE_MEM_NATIVE_PROPERTIES, "
                                                     ".pNext = nullptr, .isNativeHandleOwned = 1");
  check_printed("urMemBufferCreateWithNativeHandle", "(%p)", (void *)t->b.rep);
}

static void wrap_and_create(struct traced *t) {
  const syclze_native_queue native = syclze_get_native(t->queue);
  check_printed("urQueueGetNativeHandle", ".hQueue = %p, ", (void *)t->queue.rep);
  check_printed("urQueueGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)native.list);
  const syclze_queue_input input = {native, t->device, SYCLZE_OWNERSHIP_KEEP, {0}};
  syclze_queue queue;
  CHECK_EQ(syclze_make_queue(&input, t->context, &queue), ZE_RESULT_SUCCESS);
  check_printed("urQueueCreateWithNativeHandle",
      ".hNativeQueue = %p, .hContext = %p, .hDevice = %p", (void *)native.list,
      (void *)t->context.rep, (void *)t->device.rep);
  check_printed("urQueueCreateWithNativeHandle", ".isNativeHandleOwned = 0})");
  check_printed("urQueueCreateWithNativeHandle", "(%p)", (void *)queue.rep);
  CHECK_EQ(syclze_queue_flush(queue), ZE_RESULT_SUCCESS);
  check_printed("urQueueFlush", ".hQueue = %p", (void *)queue.rep);
  CHECK_EQ(syclze_queue_retain(queue), ZE_RESULT_SUCCESS);
  check_printed("urQueueRetain", ".hQueue = %p", (void *)queue.rep);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);

  syclze_context context;
  syclze_kernel kernel;
  CHECK_EQ(syclze_context_create(&t->device, 1, &context), ZE_RESULT_SUCCESS);
  check_printed("urContextCreate", ".DeviceCount = 1, ");
  check_printed("urContextCreate", "(%p)", (void *)context.rep);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_create(t->bundle, "graph_mix", &kernel), ZE_RESULT_SUCCESS);
  check_printed("urKernelCreate", ".hProgram = %p, ", (void *)t->bundle.rep);
  check_printed("urKernelCreate", "(graph_mix)");
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
}

static void check_getters(struct traced *t) {
  syclze_platform platform;
  ze_event_handle_t native = given_event(&t->g);
  CHECK_EQ(syclze_make_platform(t->g.driver, &platform), ZE_RESULT_SUCCESS);
  syclze_event event = made_event(t->context, native, SYCLZE_OWNERSHIP_KEEP);
  check_printed("urEventCreateWithNativeHandle", ".hNativeEvent = %p, .hContext = %p, ",
      (void *)native, (void *)t->context.rep);
  check_printed("urEventCreateWithNativeHandle", ".isNativeHandleOwned = 0})");
  check_printed("urEventCreateWithNativeHandle", "(%p)", (void *)event.rep);
  CHECK(syclze_platform_get_native(platform) == t->g.driver);
  check_printed("urPlatformGetNativeHandle", ".hPlatform = %p, ", (void *)platform.rep);
  check_printed("urPlatformGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)t->g.driver);
  CHECK(syclze_device_get_native(t->device) == t->g.device);
  check_printed("urDeviceGetNativeHandle", ".hDevice = %p, ", (void *)t->device.rep);
  check_printed("urDeviceGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)t->g.device);
  CHECK(syclze_context_get_native(t->context) == t->g.context);
  check_printed("urContextGetNativeHandle", ".hContext = %p, ", (void *)t->context.rep);
  check_printed("urContextGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)t->g.context);
  CHECK(syclze_event_get_native(event) == native);
  check_printed("urEventGetNativeHandle", ".hEvent = %p, ", (void *)event.rep);
  check_printed("urEventGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)native);
  CHECK(syclze_kernel_get_native(t->mix) == t->g.kernel);
  check_printed("urKernelGetNativeHandle", ".hKernel = %p, ", (void *)t->mix.rep);
  check_printed("urKernelGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)t->g.kernel);
  CHECK(syclze_kernel_bundle_get_native(t->bundle).modules[0] == t->g.module);
  check_printed("urProgramGetNativeHandle", ".hProgram = %p, ", (void *)t->bundle.rep);
  check_printed("urProgramGetNativeHandle", "(%llu)", (unsigned long long)(uintptr_t)t->g.module);
  CHECK_EQ(syclze_event_retain(event), ZE_RESULT_SUCCESS);
  check_printed("urEventRetain", ".hEvent = %p", (void *)event.rep);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  check_printed("urEventRelease", ".hEvent = %p", (void *)event.rep);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
}

static void check_references(struct traced *t) {
  CHECK_EQ(syclze_context_retain(t->context), ZE_RESULT_SUCCESS);
  check_printed("urContextRetain", ".hContext = %p", (void *)t->context.rep);
  CHECK_EQ(syclze_context_release(t->context), ZE_RESULT_SUCCESS);
  check_printed("urContextRelease", ".hContext = %p", (void *)t->context.rep);
  CHECK_EQ(syclze_queue_retain(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(t->queue), ZE_RESULT_SUCCESS);
  check_printed("urQueueRelease", ".hQueue = %p", (void *)t->queue.rep);
  CHECK_EQ(syclze_kernel_retain(t->mix), ZE_RESULT_SUCCESS);
  check_printed("urKernelRetain", ".hKernel = %p", (void *)t->mix.rep);
  CHECK_EQ(syclze_kernel_release(t->mix), ZE_RESULT_SUCCESS);
  check_printed("urKernelRelease", ".hKernel = %p", (void *)t->mix.rep);
  CHECK_EQ(syclze_kernel_bundle_retain(t->bundle), ZE_RESULT_SUCCESS);
  check_printed("urProgramRetain", ".hProgram = %p", (void *)t->bundle.rep);
  CHECK_EQ(syclze_kernel_bundle_release(t->bundle), ZE_RESULT_SUCCESS);
  check_printed("urProgramRelease", ".hProgram = %p", (void *)t->bundle.rep);
  CHECK_EQ(syclze_buffer_retain(t->a), ZE_RESULT_SUCCESS);
  check_printed("urMemRetain", ".hMem = %p", (void *)t->a.rep);
  CHECK_EQ(syclze_buffer_release(t->a), ZE_RESULT_SUCCESS);
  check_printed("urMemRelease", ".hMem = %p", (void *)t->a.rep);
}

static void create_bundle(struct traced *t) {
  struct given_file file = given_file("tests/kernels/graph.spv");
  const syclze_kernel_bundle_desc desc = {.spirv = file.bytes, .size = file.size};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_kernel_bundle_create(t->context, t->device, &desc, &bundle), ZE_RESULT_SUCCESS);
  check_printed("urProgramCreateWithIL", ".hContext = %p, .pIL = %p, .length = %zu, ",
      (void *)t->context.rep, (const void *)file.bytes, file.size);
  check_printed("urProgramCreateWithIL", "(%p)", (void *)bundle.rep);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  free(file.bytes);
}

static void check_launch(struct traced *t) {
  const char *const launch = "urEnqueueKernelLaunchWithArgsExp";
  check_printed(launch, ".hQueue = %p, .hKernel = %p, .workDim = 1, ", (void *)t->queue.rep,
      (void *)t->mix.rep);
  check_printed(launch, ".pGlobalWorkOffset = nullptr, .pGlobalWorkSize = ");
  check_printed(launch, "(256), .pLocalWorkSize = ");
  check_printed(launch, "(64), .numArgs = 4, ");
  check_printed(launch, ".type = UR_EXP_KERNEL_ARG_TYPE_MEM_OBJ, .index = 0, ");
  check_printed(launch, ".hMem = %p, .flags = UR_MEM_FLAG_READ_WRITE", (void *)t->b.rep);
  check_printed(launch, ".hMem = %p, .flags = UR_MEM_FLAG_READ_ONLY", (void *)t->a.rep);
  check_printed(launch, ".type = UR_EXP_KERNEL_ARG_TYPE_VALUE, .index = 2, .size = 4, ");
}

/* A pointer argument differs from eight bytes by the allocation that it is in. */
static void launch_on_pointers(struct traced *t) {
  const syclze_nd_range range = {.global = {8, 4}, .local = {2, 2}};
  const syclze_nd_range offset = {.global = {8, 4}, .local = {2, 2}, .offset = {1, 2}};
  void *memory;
  const void *bytes = &range;
  CHECK_EQ(syclze_malloc_device(1024, t->device, t->context, &memory), ZE_RESULT_SUCCESS);
  check_printed("urUSMDeviceAlloc", ".hContext = %p, .hDevice = %p, ", (void *)t->context.rep,
      (void *)t->device.rep);
  check_printed("urUSMDeviceAlloc", ".size = 1024, ");
  check_printed("urUSMDeviceAlloc", "(%p)", memory);
  const syclze_argument arguments[] = {
      syclze_arg(memory), syclze_arg(memory), syclze_arg(3u), syclze_arg(1u)};
  syclze_group group = syclze_group_begin(t->queue);
  CHECK_EQ(syclze_group_launch(&group, t->mix, &range, arguments, 4, NULL), ZE_RESULT_SUCCESS);
  const char *const launch = "urEnqueueKernelLaunchWithArgsExp";
  check_printed(launch, ".workDim = 2, ");
  check_printed(launch, ".type = UR_EXP_KERNEL_ARG_TYPE_POINTER, .index = 0, .size = 8, ");
  check_printed(launch, ".pointer = %p", memory);
  group = syclze_group_begin(t->queue);
  CHECK_EQ(syclze_group_launch(&group, t->mix, &offset, arguments, 4, NULL), ZE_RESULT_SUCCESS);
  check_printed(launch, "(1), .pGlobalWorkSize = ");
  const syclze_argument plain[] = {
      syclze_arg(memory), syclze_arg(bytes), syclze_arg(3u), syclze_arg(1u)};
  group = syclze_group_begin(t->queue);
  (void)syclze_group_launch(&group, t->mix, &range, plain, 4, NULL);
  check_printed(launch, ".type = UR_EXP_KERNEL_ARG_TYPE_VALUE, .index = 1, .size = 8, ");
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  check_printed("urQueueFinish", ".hQueue = %p", (void *)t->queue.rep);
  CHECK_EQ(syclze_free(memory, t->context), ZE_RESULT_SUCCESS);
  check_printed("urUSMFree", ".hContext = %p, .pMem = %p", (void *)t->context.rep, memory);
}

static void copy_images(struct traced *t) {
  static uint32_t pixels[32];
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 2,
      .range = {8, 4}};
  syclze_image one, other;
  if (syclze_image_create(t->context, t->device, &input, &one) != ZE_RESULT_SUCCESS) return;
  CHECK_EQ(syclze_image_create(t->context, t->device, &input, &other), ZE_RESULT_SUCCESS);
  check_printed("urMemImageCreate", ".channelOrder = UR_IMAGE_CHANNEL_ORDER_RGBA, "
                                    ".channelType = UR_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8}");
  check_printed("urMemImageCreate", ".type = UR_MEM_TYPE_IMAGE2D, .width = 8, .height = 4, ");
  const ze_image_region_t part = {2, 1, 0, 3, 2, 1};
  syclze_group group = syclze_group_begin(t->queue);
  syclze_accessor written = syclze_require(&group, one, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, written, syclze_mem_arg(pixels), &part, NULL),
      ZE_RESULT_SUCCESS);
  const char *const write = "urEnqueueMemImageWrite";
  check_printed(write, ".hQueue = %p, .hImage = %p, ", (void *)t->queue.rep, (void *)one.rep);
  check_printed(write, "{.x = 2, .y = 1, .z = 0}");
  check_printed(write, "{.width = 3, .height = 2, .depth = 1}");
  check_printed(write, ".pSrc = %p, ", (void *)pixels);
  group = syclze_group_begin(t->queue);
  syclze_accessor read = syclze_require(&group, one, SYCLZE_ACCESS_READ);
  written = syclze_require(&group, other, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_image(&group, written, read, NULL), ZE_RESULT_SUCCESS);
  check_printed("urEnqueueMemImageCopy", ".hImageSrc = %p, .hImageDst = %p, ", (void *)one.rep,
      (void *)other.rep);
  check_printed("urEnqueueMemImageCopy", ".srcOrigin = (struct ur_rect_offset_t){.x = 0, ");
  check_printed("urEnqueueMemImageCopy", ".dstOrigin = (struct ur_rect_offset_t){.x = 0, ");
  check_printed("urEnqueueMemImageCopy", "{.width = 8, .height = 4, .depth = 1}");
  group = syclze_group_begin(t->queue);
  read = syclze_require(&group, other, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(pixels), read, NULL, NULL),
      ZE_RESULT_SUCCESS);
  check_printed("urEnqueueMemImageRead", ".hImage = %p, ", (void *)other.rep);
  check_printed("urEnqueueMemImageRead", ".pDst = %p, ", (void *)pixels);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(one), ZE_RESULT_SUCCESS);
  check_printed("urMemRelease", ".hMem = %p", (void *)one.rep);
  CHECK_EQ(syclze_image_release(other), ZE_RESULT_SUCCESS);
}

static void use_memory(struct traced *t) {
  const uint32_t seven = 7;
  void *memory;
  CHECK_EQ(syclze_malloc_host(1024, t->context, &memory), ZE_RESULT_SUCCESS);
  check_printed("urUSMHostAlloc", "(%p)", memory);
  syclze_group group = syclze_group_begin(t->queue);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(memory), &seven, 4, 512, NULL), ZE_RESULT_SUCCESS);
  check_printed("urEnqueueUSMFill", ".pMem = %p, .patternSize = 4, .pPattern = %p, .size = 512, ",
      memory, (const void *)&seven);
  group = syclze_group_begin(t->queue);
  const syclze_accessor all = syclze_require(&group, t->a, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(memory), syclze_mem_arg(all), 256, NULL),
      ZE_RESULT_SUCCESS);
  check_printed("urEnqueueUSMMemcpy", ".blocking = 0, .pDst = %p, ", memory);
  check_printed("urEnqueueUSMMemcpy", ".size = 256, ");
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, t->context), ZE_RESULT_SUCCESS);
}

TEST(printed_parameters_are_those_of_the_program) {
  given_needs_execution();
  find_printer();
  struct traced t = traced_begin();
  uint32_t line;
  check_objects(&t);
  wrap_and_create(&t);
  check_getters(&t);
  check_references(&t);
  create_bundle(&t);
  traced_run(&t, &line);
  check_launch(&t);
  check_printed("urEnqueueUSMAdvise", ".advice = UR_USM_ADVICE_FLAG_SET_READ_MOSTLY, ");
  check_printed("urEnqueueUSMPrefetch", ".flags = UR_USM_MIGRATION_FLAG_HOST_TO_DEVICE, ");
  check_printed("urEnqueueNativeCommandExp", ".hQueue = %p, ", (void *)t.queue.rep);
  check_printed("urEnqueueEventsWaitWithBarrierExt", ".hQueue = %p, ", (void *)t.queue.rep);
  check_printed("urEventWait", ".numEvents = 1, ");
  launch_on_pointers(&t);
  copy_images(&t);
  use_memory(&t);
  traced_across(&t);
  traced_calls(&t, check_printed);
  traced_end(&t);
}

TEST_MAIN(printed_parameters_are_those_of_the_program)
