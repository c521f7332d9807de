/* Each allocation of the library and each call of the driver fails once while memory and events are
 * shared with another process, memory grows and shrinks, and external memory is exported, imported
 * and registered, commands use external semaphores, and images lie over memory of the caller: the
 * error is returned with a diagnostic, and what was made ends all the same. No thread is started
 * there. Calls that newer loaders have are those of support/newer_calls.h. */
#define _GNU_SOURCE
#include "support/failing.h"

#define calloc failing_calloc
#include "syclze/external_memory.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#undef calloc

#include "support/failing_each.h"
#include "support/made.h"
#include "support/newer_calls.h"
#include "support/refused.h"
#include "support/spy.h"
#include "syclze/bindless_image.h"
#include "syclze/command/external_semaphore.h"

#include <sys/eventfd.h>
#include <unistd.h>

#define OPAQUE ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD

enum { SIZE = 65536, CAPACITY = 1 << 20, EVENTS = 4 };

__attribute__((constructor)) static void share_memory(void) {
  given_environment("ZECL_IPC", "1");
  given_environment("ZECL_PITCHED", "1");
}

static struct {
  struct given g;
  syclze_context context;
  syclze_device device;
  ze_result_t first; /* that is no success, or success */
} world;

static unsigned failed_puts; /* of handles */

static void begin(void) {
  memset(&world, 0, sizeof world);
  world.g = given();
  given_needs_zecl(world.g.driver);
  world.device = made_device(&world.g);
  /* Made here, so that what it allocates for its objects is counted. */
  CHECK_EQ(syclze_context_create(&world.device, 1, &world.context), ZE_RESULT_SUCCESS);
}

static void end(void) {
  CHECK_EQ(syclze_context_release(world.context), ZE_RESULT_SUCCESS);
  given_end(&world.g);
}

/* True if it succeeded. */
static bool succeeded(ze_result_t result) {
  if (world.first == ZE_RESULT_SUCCESS) world.first = result;
  return result == ZE_RESULT_SUCCESS;
}

/* From here on none fails. Destroys what the failing call was to destroy, of what the spy tracks.
 * The first error is that of the failure, and was reported. */
static bool check_failure(bool of_calls) {
  const char *const call = of_calls ? spy_failed_call() : NULL;
  const bool failed = failing_nth_end(of_calls, syclze_context_get_native(world.context));
  ze_result_t code =
      of_calls ? ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (call != NULL && strcmp(call, "zeEventDestroy") == 0)
    CHECK_EQ(zeEventDestroy(spy_survivor(SPY_EVENT)), ZE_RESULT_SUCCESS);
  if (call != NULL && strcmp(call, "zeEventPoolDestroy") == 0)
    CHECK_EQ(zeEventPoolDestroy(spy_survivor(SPY_EVENT_POOL)), ZE_RESULT_SUCCESS);
  if (call != NULL && strstr(call, "PutIpcHandle") != NULL) failed_puts++;
  /* A driver that does not find a function has no such feature. */
  if (call != NULL && strcmp(call, "zeDriverGetExtensionFunctionAddress") == 0)
    code = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (world.first != ZE_RESULT_SUCCESS) {
    CHECK(failed);
    CHECK_EQ(world.first, code);
    CHECK(refused_count() >= 1);
  }
  syclze_diagnostic_set_handler(NULL);
  return failed;
}

static bool share(long nth, bool of_calls) {
  syclze_ipc_memory exported = {0}, opened = {0};
  syclze_ipc_event_pool pool = {0}, opened_pool = {0};
  syclze_event event = {0};
  syclze_ipc_handle handle;
  void *memory;
  begin();
  CHECK_EQ(syclze_malloc_device(SIZE, world.device, world.context, &memory), ZE_RESULT_SUCCESS);
  refused_begin();
  failing_nth(nth, of_calls);
  if (succeeded(syclze_ipc_memory_export(memory, 0, world.context, &exported))) {
    handle = syclze_ipc_memory_get_handle(exported);
    succeeded(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &opened));
  }
  if (succeeded(syclze_ipc_event_pool_create(world.context, EVENTS, &pool))) {
    handle = syclze_ipc_event_pool_get_handle(pool);
    if (succeeded(syclze_ipc_event_pool_open(&handle, world.context, &opened_pool)))
      succeeded(syclze_ipc_event_pool_get_event(opened_pool, 1, &event));
  }
  succeeded(syclze_event_release(event));
  succeeded(syclze_ipc_event_pool_release(opened_pool));
  succeeded(syclze_ipc_event_pool_release(pool));
  succeeded(syclze_ipc_memory_release(opened));
  succeeded(syclze_ipc_memory_release(exported));
  const bool failed = check_failure(of_calls);
  CHECK_EQ(syclze_free(memory, world.context), ZE_RESULT_SUCCESS);
  end();
  return failed;
}

/* A size that could not be reached is as before. */
static void grow_and_shrink(syclze_growable_memory memory) {
  static const size_t sizes[] = {1, SIZE, 3 * SIZE, SIZE, 2 * SIZE};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const size_t before = syclze_growable_memory_get_size(memory);
    const bool grows = sizes[i] > before;
    if (!succeeded(grows ? syclze_growable_memory_grow(memory, sizes[i])
                         : syclze_growable_memory_shrink(memory, sizes[i])) &&
        grows)
      CHECK_EQ(syclze_growable_memory_get_size(memory), before);
  }
}

static bool grow(long nth, bool of_calls) {
  syclze_growable_memory memory = {0};
  begin();
  refused_begin();
  failing_nth(nth, of_calls);
  if (succeeded(syclze_growable_memory_reserve(CAPACITY, world.device, world.context, &memory)))
    grow_and_shrink(memory);
  succeeded(syclze_growable_memory_release(memory));
  const bool failed = check_failure(of_calls);
  end();
  return failed;
}

/* After an error the descriptor is the caller's. */
static bool export_and_import(long nth, bool of_calls) {
  static char local[SIZE];
  void *memory = NULL, *imported = NULL;
  int fd = -1;
  begin();
  refused_begin();
  failing_nth(nth, of_calls);
  if (succeeded(
          syclze_external_memory_allocate(SIZE, OPAQUE, world.device, world.context, &memory)) &&
      succeeded(syclze_external_memory_get_fd(memory, OPAQUE, world.context, &fd)) &&
      !succeeded(
          syclze_external_memory_import(fd, OPAQUE, SIZE, world.device, world.context, &imported)))
    CHECK(close(fd) == 0);
  if (succeeded(syclze_host_memory_register(local, sizeof local, world.context)) &&
      !succeeded(syclze_host_memory_unregister(local, world.context)))
    CHECK_EQ(syclze_host_memory_unregister(local, world.context), ZE_RESULT_SUCCESS);
  if (imported != NULL) succeeded(syclze_free(imported, world.context));
  if (memory != NULL) succeeded(syclze_free(memory, world.context));
  const bool failed = check_failure(of_calls);
  end();
  return failed;
}

/* A signal and a wait that it satisfies; after an error the descriptor is the caller's. */
static bool use_semaphore(long nth, bool of_calls) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const int fd = eventfd(0, EFD_SEMAPHORE);
  syclze_external_semaphore semaphore = {NULL};
  syclze_queue queue;
  given_needs_execution();
  begin();
  CHECK_EQ(syclze_queue_create(world.context, world.device, &in_order, &queue), ZE_RESULT_SUCCESS);
  refused_begin();
  failing_nth(nth, of_calls);
  if (!succeeded(syclze_external_semaphore_import(
          fd, SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD, world.device, world.context, &semaphore)))
    CHECK(close(fd) == 0);
  else if (succeeded(syclze_queue_signal_external_semaphore(queue, semaphore, 0, NULL, 0, NULL)))
    succeeded(syclze_queue_wait_external_semaphore(queue, semaphore, 0, NULL, 0, NULL));
  void *const native =
      semaphore.rep != NULL ? syclze_external_semaphore_get_native(semaphore) : NULL;
  succeeded(syclze_external_semaphore_release(semaphore));
  const char *const call = spy_failed_call();
  const bool is_left = call != NULL && strcmp(call, "zeDeviceReleaseExternalSemaphoreExt") == 0;
  const bool failed = check_failure(of_calls);
  if (is_left) CHECK_EQ(newer_zeDeviceReleaseExternalSemaphoreExt(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  end();
  return failed;
}

static bool make_pitched_image(long nth, bool of_calls) {
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {8, 8}};
  syclze_image image = {NULL};
  size_t pitch;
  void *memory;
  begin();
  CHECK_EQ(syclze_malloc_device(SIZE, world.device, world.context, &memory), ZE_RESULT_SUCCESS);
  const syclze_image_extension over_memory = {.memory = memory};
  refused_begin();
  failing_nth(nth, of_calls);
  if (succeeded(syclze_image_get_row_pitch_for(world.context, world.device, 8, 8, 16, &pitch)) &&
      succeeded(
          syclze_image_create_extended(world.context, world.device, &input, &over_memory, &image)))
    succeeded(syclze_image_release(image));
  const char *const call = spy_failed_call();
  const bool is_left = call != NULL && strcmp(call, "zeImageDestroy") == 0;
  const bool failed = check_failure(of_calls);
  if (is_left) CHECK_EQ(zeImageDestroy(spy_survivor(SPY_IMAGE)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, world.context), ZE_RESULT_SUCCESS);
  end();
  return failed;
}

TEST(pitched_images) { // shows host_data 22
  CHECK(failing_each(make_pitched_image, true) >= 3);
}

TEST(external_semaphores) { // shows memory 14
  CHECK(failing_each(use_semaphore, true) >= 4);
}

TEST(sharing_between_processes) { // shows memory 21
  CHECK(failing_each(share, true) >= 12);
  CHECK_EQ(failed_puts, 2);
  CHECK(failing_each(share, false) >= 6);
}

TEST(memory_that_grows) { // shows memory 21
  CHECK(failing_each(grow, true) >= 10);
  CHECK(failing_each(grow, false) >= 3);
}

TEST(external_memory) { // shows memory 21
  CHECK(failing_each(export_and_import, true) >= 5);
  failing_each(export_and_import, false);
}

TEST_MAIN(sharing_between_processes, memory_that_grows, external_memory, pitched_images,
    external_semaphores)
