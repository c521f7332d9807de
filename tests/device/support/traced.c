#define _POSIX_C_SOURCE 200809L
/* Call sites are recorded, for the tracing that the program installs. */
#define SYCLZE_INSTRUMENTATION_METADATA 1
#include "traced.h"

#include "syclze/detail/call_site.h"

#include <dlfcn.h>
#include <stdlib.h>

enum { ITEMS = 256 };

const char *traced_library(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/%s", TRACE_LIBRARIES, name);
  return path;
}

struct checker traced_subscribe(const char *framework) {
  const char *real = getenv("SYCLZE_XPTI_FRAMEWORK");
  if (real != NULL && strcmp(framework, "framework_2025.so") == 0)
    given_environment("XPTI_FRAMEWORK_DISPATCHER", real);
  else
    given_environment("XPTI_FRAMEWORK_DISPATCHER", traced_library(framework));
  const char *path = traced_library("checker.so");
  given_environment("XPTI_SUBSCRIBERS", path);
  void *library = dlopen(path, RTLD_LAZY);
  CHECK(library != NULL);
  void *found[] = {dlsym(library, "checker_count"), dlsym(library, "checker_wrong"),
      dlsym(library, "checker_line"), dlsym(library, "checker_seen"),
      dlsym(library, "checker_value")};
  struct checker checker;
  memcpy(&checker, found, sizeof checker);
  return checker;
}

static syclze_buffer buffer_of(struct traced *t) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(ITEMS * 4, t->device, t->context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {ITEMS, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, t->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

struct traced traced_begin(void) {
  struct traced t;
  memset(&t, 0, sizeof t);
  t.g = given();
  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(t.g.driver, &platform), ZE_RESULT_SUCCESS);
  t.device = made_device(&t.g);
  t.context = made_context(&t.g, SYCLZE_OWNERSHIP_KEEP);
  syclze_property_list none = {0};
  CHECK_EQ(syclze_queue_create(t.context, t.device, &none, &t.queue), ZE_RESULT_SUCCESS);
  given_kernel(&t.g, "tests/kernels/graph.spv", "graph_mix");
  t.bundle = made_kernel_bundle(t.context, t.g.module, SYCLZE_OWNERSHIP_KEEP);
  t.mix = made_kernel(t.bundle, t.g.kernel, t.context, SYCLZE_OWNERSHIP_KEEP);
  t.a = buffer_of(&t);
  t.b = buffer_of(&t);
  return t;
}

void traced_end(struct traced *t) {
  CHECK_EQ(syclze_buffer_release(t->a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(t->b), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(t->mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(t->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t->context), ZE_RESULT_SUCCESS);
  given_end(&t->g);
}

static uint32_t open_gate; /* for the host task */

static ze_result_t waits_for_the_gate(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  while (!__atomic_load_n(&open_gate, __ATOMIC_ACQUIRE))
    zeEventQueryStatus(*(ze_event_handle_t *)argument);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t appends_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

static void run_memory(struct traced *t) {
  void *memory;
  const uint32_t seven = 7;
  CHECK_EQ(syclze_malloc_shared(ITEMS * 4, t->device, t->context, &memory), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(t->queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(memory), &seven, 4, ITEMS * 4, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  CHECK_EQ(
      syclze_group_prefetch(&group, syclze_mem_arg(memory), ITEMS * 4, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  CHECK_EQ(syclze_group_advise(
               &group, syclze_mem_arg(memory), ITEMS * 4, ZE_MEMORY_ADVICE_SET_READ_MOSTLY, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, t->context), ZE_RESULT_SUCCESS);
}

static bool run_image(struct traced *t) {
  syclze_image_input input = {0};
  input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
  input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8;
  input.dimensions = 2;
  input.range[0] = 8;
  input.range[1] = 4;
  syclze_image image;
  if (syclze_image_create(t->context, t->device, &input, &image) != ZE_RESULT_SUCCESS) return false;
  static uint32_t pixels[32];
  syclze_group group = syclze_group_begin(t->queue);
  syclze_accessor accessor = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, accessor, syclze_mem_arg(pixels), NULL, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  accessor = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(pixels), accessor, NULL, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  return true;
}

bool traced_run(struct traced *t, uint32_t *line) {
  const syclze_nd_range whole = {.global = {ITEMS}, .local = {64}};
  static uint32_t values[ITEMS];
  syclze_event event;
  __atomic_store_n(&open_gate, 0, __ATOMIC_RELEASE);
  syclze_group group = syclze_group_begin(t->queue);
  syclze_accessor in = syclze_require(&group, t->a, SYCLZE_ACCESS_READ);
  syclze_accessor out = syclze_require(&group, t->b, SYCLZE_ACCESS_READ_WRITE);
  const syclze_argument arguments[] = {
      syclze_arg(out), syclze_arg(in), syclze_arg(3u), syclze_arg(1u)};
  *line = __LINE__ + 1;
  ze_result_t launched = syclze_group_launch(&group, t->mix, &whole, arguments, 4, NULL);
  CHECK_EQ(launched, ZE_RESULT_SUCCESS);

  ze_event_handle_t some = given_event(&t->g);
  group = syclze_group_begin(t->queue);
  out = syclze_require(&group, t->b, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_host_task(&group, waits_for_the_gate, &some, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  in = syclze_require(&group, t->b, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_update_host(&group, values, in, &event), ZE_RESULT_SUCCESS);
  __atomic_store_n(&open_gate, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  CHECK_EQ(syclze_group_native_command(&group, appends_nothing, NULL, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);

  /* A barrier of unknown work. */
  syclze_event made = made_event(t->context, some, SYCLZE_OWNERSHIP_KEEP);
  group = syclze_group_begin(t->queue);
  syclze_group_depends_on(&group, made);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(some), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(made), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(some), ZE_RESULT_SUCCESS);
  run_memory(t);

  /* Failed calls are balanced too, and have their call sites. */
  syclze_queue refused;
  const syclze_queue_input invalid = {.native_handle = syclze_get_native(t->queue)};
  CHECK_EQ(syclze_make_queue(&invalid, t->context, &refused), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_make_native(&invalid, t->context, &refused), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  group = syclze_group_begin((syclze_queue){NULL});
  const syclze_argument four[4] = {{.size = 0}};
  CHECK_EQ(syclze_group_launch(&group, t->mix, &whole, four, 4, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  void *never;
  CHECK(syclze_malloc_shared((size_t)-1, t->device, t->context, &never) != ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  CHECK_EQ(syclze_group_host_task(&group, NULL, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_context_retain(t->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t->context), ZE_RESULT_SUCCESS);
  return run_image(t);
}

void traced_repeat(struct traced *t, uint32_t times) {
  const syclze_nd_range whole = {.global = {ITEMS}, .local = {64}};
  for (uint32_t i = 0; i < times; i++) {
    syclze_group group = syclze_group_begin(t->queue);
    syclze_accessor out = syclze_require(&group, t->b, SYCLZE_ACCESS_READ_WRITE);
    syclze_accessor in = syclze_require(&group, t->a, SYCLZE_ACCESS_READ);
    const syclze_argument arguments[] = {
        syclze_arg(out), syclze_arg(in), syclze_arg(3u), syclze_arg(1u)};
    CHECK_EQ(syclze_group_launch(&group, t->mix, &whole, arguments, 4, NULL), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(t->queue);
    out = syclze_require(&group, t->b, SYCLZE_ACCESS_READ_WRITE);
    in = syclze_require(&group, t->a, SYCLZE_ACCESS_READ);
    const syclze_argument others[] = {
        syclze_arg(out), syclze_arg(in), syclze_arg(5u), syclze_arg(2u)};
    CHECK_EQ(syclze_group_launch(&group, t->mix, &whole, others, 4, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
}

void traced_across(struct traced *t) {
  static uint32_t values[ITEMS];
  const uint32_t nine = 9;
  ze_context_handle_t native;
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  CHECK_EQ(zeContextCreate(t->g.driver, &desc, &native), ZE_RESULT_SUCCESS);
  const syclze_context_input input = {
      .native_handle = native, .device_list = &t->device, .device_count = 1};
  syclze_context context;
  syclze_queue queue;
  CHECK_EQ(syclze_make_context(&input, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, t->device, NULL, &queue), ZE_RESULT_SUCCESS);
  syclze_buffer buffer = buffer_of(t);
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor there = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(there), &nine, 4, ITEMS * 4, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(t->queue);
  there = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_update_host(&group, values, there, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(values[ITEMS - 1], nine);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
}
