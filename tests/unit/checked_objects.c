/* Objects that wrap no handle, of headers that are included by name, with the debug checker. */
#define _POSIX_C_SOURCE 200809L /* mkstemp */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/world.h"
#include "syclze/async_memory.h"
#include "syclze/command.h"
#include "syclze/command/external_semaphore.h"
#include "syclze/command/host_accessor.h"
#include "syclze/device_global.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#include "syclze/kernel_query.h"
#include "syclze/setup.h"
#include "tests/check.h"

#include <unistd.h>

/* Under names of their own, which no header declares. */
#define NEWER(name, ...)                                                                           \
  ze_result_t ZE_APICALL newer_##name(__VA_ARGS__) __asm__(#name);                                 \
  ze_result_t ZE_APICALL newer_##name(__VA_ARGS__)

enum { SIZE = 4096 };

NEWER(zeDeviceImportExternalSemaphoreExt, ze_device_handle_t device, const void *desc,
    void **semaphore) {
  static char imported;
  (void)device, (void)desc;
  *semaphore = &imported;
  return ZE_RESULT_SUCCESS;
}

NEWER(zeDeviceReleaseExternalSemaphoreExt, void *semaphore) {
  return semaphore != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

/* The diagnostics, a line each. */
static char noted[2048];

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  snprintf(noted + strlen(noted), sizeof noted - strlen(noted), "%s: %s\n", diagnostic->function,
      diagnostic->detail != NULL ? diagnostic->detail : diagnostic->rule);
}

static const syclze_diagnostic_handler noter = {note, NULL};

/* `made` with what each case has alike: the line of the first make, which the others follow. */
static struct {
  void *memory;
  syclze_ipc_memory exported, opened;
  syclze_ipc_event_pool created, joined;
  syclze_growable_memory growable;
  syclze_external_semaphore semaphore;
  syclze_memory_pool pool;
  int made;
} all;

static void make_all(void) {
  const syclze_external_semaphore_type opaque = SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD;
  syclze_ipc_handle memory, pool;
  const syclze_context in = world.context;
  all.memory = fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, SIZE);
  all.made = __LINE__ + 1;
  CHECK_OK(syclze_ipc_memory_export(all.memory, 0, in, &all.exported));
  CHECK_OK(syclze_ipc_event_pool_create(in, 3, &all.created));
  CHECK_OK(syclze_growable_memory_reserve(SIZE, world.device, in, &all.growable));
  CHECK_OK(syclze_external_semaphore_import(42, opaque, world.device, in, &all.semaphore));
  CHECK_OK(syclze_memory_pool_create(ZE_MEMORY_TYPE_DEVICE, world.device, in, NULL, &all.pool));
  memory = syclze_ipc_memory_get_handle(all.exported);
  pool = syclze_ipc_event_pool_get_handle(all.created);
  CHECK_OK(syclze_ipc_memory_open(&memory, 0, world.device, in, &all.opened));
  CHECK_OK(syclze_ipc_event_pool_open(&pool, in, &all.joined));
}

static void check_noted(const char *function, const char *kind, int made, int released) {
  char text[300];
  int length = snprintf(text, sizeof text, "%s: %s made at %s:%d", function, kind, __FILE__, made);
  if (released != 0)
    length += snprintf(
        text + length, sizeof text - (size_t)length, ", released at %s:%d", __FILE__, released);
  snprintf(text + length, sizeof text - (size_t)length, "\n");
  CHECK(strstr(noted, text) != NULL);
}

/* Releases an object, and uses it twice. */
#define CHECK_ENDED(name, object, kind, place)                                                     \
  do {                                                                                             \
    CHECK_OK(syclze_##name##_release(object));                                                     \
    CHECK_EQ(syclze_##name##_release(object), SYCLZE_RESULT_ERROR_INVALID);                        \
    check_noted("syclze_" #name "_release", kind, all.made + (place), __LINE__);                   \
    CHECK_EQ(syclze_##name##_retain(object), SYCLZE_RESULT_ERROR_INVALID);                         \
    check_noted("syclze_" #name "_retain", kind, all.made + (place), __LINE__);                    \
  } while (0)

/* With memory and a graph that have ended. */
static void check_used_after_release(void) {
  const ze_result_t ended = SYCLZE_RESULT_ERROR_INVALID;
  const syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, 0};
  const syclze_buffer_desc desc = {.range = {SIZE}};
  const size_t begin = 0, size = SIZE / 2, all_of_it = SIZE;
  const syclze_kernel_bundle_input module = {
      fake_module(world.native_context, "add"), SYCLZE_OWNERSHIP_TRANSFER};
  const uint32_t items[3] = {1, 1, 1};
  syclze_queue queue;
  syclze_buffer buffer, part;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_kernel_properties properties;
  const char *attributes;
  uint32_t count, local[3];
  uint64_t start, stop;
  syclze_host_accessor accessor;
  syclze_graph graph;
  syclze_executable_graph executable;
  void *memory;
  CHECK_OK(syclze_queue_create(world.context, world.device, &in_order, &queue));
  CHECK_OK(syclze_buffer_create(world.context, &desc, &buffer));
  CHECK_OK(syclze_graph_create(world.context, world.device, &graph));
  CHECK_OK(syclze_event_create(world.context, SYCLZE_EVENT_FLAG_PROFILING, &event));
  CHECK_OK(syclze_make_kernel_bundle(&module, world.context, &bundle));
  CHECK_OK(syclze_kernel_create(bundle, "add", &kernel));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_OK(syclze_graph_release(graph));
  CHECK_OK(syclze_event_release(event));
  CHECK_OK(syclze_kernel_release(kernel));
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(syclze_growable_memory_grow(all.growable, SIZE), ended);
  CHECK_EQ(syclze_growable_memory_shrink(all.growable, 0), ended);
  CHECK_EQ(syclze_memory_pool_increase_threshold_to(all.pool, SIZE), ended);
  CHECK_EQ(syclze_malloc_async_from_pool(queue, SIZE, all.pool, &memory, NULL, 0, NULL), ended);
  CHECK_EQ(syclze_buffer_create_sub(buffer, &begin, &size, &part), ended);
  CHECK(part.rep == NULL);
  CHECK_EQ(syclze_buffer_reinterpret(buffer, 1, 1, &all_of_it, &part), ended);
  CHECK_EQ(syclze_event_get_profiling(event, world.device, &start, &stop), ended);
  CHECK_EQ(syclze_event_get_profiling_submit(event, world.device, &start), ended);
  CHECK_EQ(syclze_ipc_event_pool_get_event(all.created, 0, &event), ended);
  CHECK_EQ(syclze_device_global_find(bundle, "add", &memory, NULL), ended);
  CHECK_EQ(syclze_kernel_get_properties(kernel, &properties), ended);
  CHECK_EQ(syclze_kernel_get_attributes(kernel, &attributes), ended);
  CHECK_EQ(syclze_kernel_suggest_group_size(kernel, items, local), ended);
  CHECK_EQ(syclze_kernel_get_max_group_count(kernel, items, &count), ended);
  CHECK_EQ(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &accessor), ended);
  CHECK(accessor.rep == NULL);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ended);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ended);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ended);
  CHECK(executable.rep == NULL);
  CHECK_OK(syclze_queue_release(queue));
}

/* The library's bodies, which follow the macros, are no places. */
static void check_made_by_several_calls(void) {
  char path[] = "/tmp/syclze-module-XXXXXX";
  const int file = mkstemp(path);
  CHECK_EQ(write(file, "scale", 6), 6);
  close(file);
  syclze_setup setup;
  syclze_kernel_bundle bundle;
  const int made = __LINE__ + 1;
  CHECK_OK(syclze_setup_create(world.device, NULL, &setup));
  CHECK_OK(syclze_kernel_bundle_load(setup.context, setup.device, path, NULL, &bundle));
  CHECK_OK(syclze_setup_release(&setup));
  unlink(path);
  noted[0] = 0;
  syclze__check_exit();
  check_noted("exit", "kernel bundle", made + 1, 0);
  check_noted("exit", "context", made, 0);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
}

/* The checker keeps what was released, so that there is one world, and no world_end. */
TEST(objects_without_a_handle_have_their_places) { // shows promises 15
  world_begin();
  syclze_diagnostic_set_handler(&noter);
  make_all();
  CHECK_ENDED(ipc_event_pool, all.joined, "IPC event pool", 8);
  CHECK_ENDED(ipc_memory, all.opened, "IPC memory", 7);
  CHECK_ENDED(memory_pool, all.pool, "memory pool", 4);
  CHECK_ENDED(external_semaphore, all.semaphore, "external semaphore", 3);
  CHECK_ENDED(growable_memory, all.growable, "growable memory", 2);
  CHECK_ENDED(ipc_event_pool, all.created, "IPC event pool", 1);
  CHECK_ENDED(ipc_memory, all.exported, "IPC memory", 0);

  check_used_after_release();

  make_all();
  CHECK_OK(syclze_growable_memory_release(all.growable));
  noted[0] = 0;
  syclze__check_exit();
  CHECK(strstr(noted, "growable memory") == NULL);
  check_noted("exit", "IPC memory", all.made, 0);
  check_noted("exit", "IPC event pool", all.made + 1, 0);
  check_noted("exit", "external semaphore", all.made + 3, 0);
  check_noted("exit", "memory pool", all.made + 4, 0);
  check_noted("exit", "IPC memory", all.made + 7, 0);
  check_noted("exit", "IPC event pool", all.made + 8, 0);
  CHECK_OK(syclze_ipc_event_pool_release(all.joined));
  CHECK_OK(syclze_ipc_memory_release(all.opened));
  CHECK_OK(syclze_external_semaphore_release(all.semaphore));
  CHECK_OK(syclze_memory_pool_release(all.pool));
  CHECK_OK(syclze_ipc_event_pool_release(all.created));
  CHECK_OK(syclze_ipc_memory_release(all.exported));

  CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), 2);
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 2);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCloseIpcHandle), 2);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolDestroy), 2);
  CHECK_EQ(fake_calls(FAKE_zeVirtualMemFree), 2);

  check_made_by_several_calls();
  CHECK_OK(syclze_context_release(world.context));
  syclze_diagnostic_set_handler(NULL);
}

TEST_MAIN(objects_without_a_handle_have_their_places)
