/* External semaphores (command/external_semaphore.h) on the fake: what reaches the driver, who owns
   the descriptor and the semaphore, and what is refused or fails. The embedded device runs them in
   device/external_memory.c, where the loader has them. */
#include "support/forget.h"
#include "support/memory.h"
#include "support/world.h"
#include "syclze/command/external_semaphore.h"
#include "tests/check.h"

#include "graph_driver.h"

#define OPAQUE SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD
#define TIMELINE SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_FD
#define IMPORT "syclze_external_semaphore_import"
#define WAIT "syclze_group_wait_external_semaphore"
#define SIGNAL "syclze_group_signal_external_semaphore"
#define RELEASE "syclze_external_semaphore_release"

enum { FD = 42 };

/* Last passed to the driver. */
static struct {
  uint32_t flags;
  int fd;
  void *handle;
  uint64_t value;
  uint32_t wait_count;
} seen;

/* ze_external_semaphore_ext_desc_t, and the descriptor that it is extended by. */
struct semaphore_desc {
  uint32_t stype;
  const struct semaphore_desc *next;
  uint32_t last;
};

struct semaphore_handle {
  uint32_t stype;
  const void *next;
  void *handle;
  const char *name;
};

struct semaphore_params {
  uint32_t stype;
  const void *next;
  uint64_t value;
};

NEWER(zeDeviceImportExternalSemaphoreExt, ze_device_handle_t device,
    const struct semaphore_desc *desc, void **semaphore) {
  *semaphore = &seen; /* where that fails, too */
  FAKE_ENTER(zeDeviceImportExternalSemaphoreExt);
  FAKE_OBJECT(parent, device, FAKE_DEVICE);
  if (desc->stype != 0x00020022 || desc->next == NULL || desc->next->next != NULL ||
      (desc->next->stype != 0x00020023 && desc->next->stype != 0x00020024))
    fake_misuse("zeDeviceImportExternalSemaphoreExt: another descriptor");
  const bool is_handle = desc->next->stype == 0x00020023;
  seen.flags = desc->last;
  seen.fd = is_handle ? -1 : (int)desc->next->last;
  seen.handle =
      is_handle ? ((const struct semaphore_handle *)(const void *)desc->next)->handle : NULL;
  *semaphore = fake_new(FAKE_SEMAPHORE, parent);
  return ZE_RESULT_SUCCESS;
}

NEWER(zeDeviceReleaseExternalSemaphoreExt, void *semaphore) {
  FAKE_ENTER(zeDeviceReleaseExternalSemaphoreExt);
  return fake_end_object(semaphore, FAKE_SEMAPHORE, "zeDeviceReleaseExternalSemaphoreExt");
}

static ze_result_t append_semaphore(ze_command_list_handle_t list, void **semaphores,
    const struct semaphore_params *params, bool signals, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_OBJECT(semaphore, semaphores[0], FAKE_SEMAPHORE);
  FAKE_OBJECT(object, list, FAKE_LIST);
  if (params->stype != (signals ? 0x00020025 : 0x00020026) || params->next != NULL)
    fake_misuse("parameters of a semaphore: another type");
  if (semaphore->parent != object->device) fake_misuse("a semaphore of another device");
  seen.value = params->value;
  seen.wait_count = wait_count;
  return append(list, signals ? "signal" : "await", signal, wait_count, waits);
}

NEWER(zeCommandListAppendSignalExternalSemaphoreExt, ze_command_list_handle_t list, uint32_t count,
    void **semaphores, struct semaphore_params *params, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListAppendSignalExternalSemaphoreExt);
  CHECK_EQ(count, 1);
  return append_semaphore(list, semaphores, params, true, signal, wait_count, waits);
}

NEWER(zeCommandListAppendWaitExternalSemaphoreExt, ze_command_list_handle_t list, uint32_t count,
    void **semaphores, struct semaphore_params *params, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  FAKE_ENTER(zeCommandListAppendWaitExternalSemaphoreExt);
  CHECK_EQ(count, 1);
  return append_semaphore(list, semaphores, params, false, signal, wait_count, waits);
}

static syclze_queue queue_of(syclze_context context, syclze_device device, bool in_order) {
  const syclze_property_list properties = {.flags = in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
  syclze_queue queue;
  CHECK_OK(syclze_queue_create(context, device, &properties, &queue));
  return queue;
}

static syclze_external_semaphore imported(syclze_external_semaphore_type type) {
  syclze_external_semaphore semaphore;
  CHECK_OK(syclze_external_semaphore_import(FD, type, world.device, world.context, &semaphore));
  return semaphore;
}

static void begin(void) {
  world_begin();
  memset(&seen, 0, sizeof seen);
  driver.text[0] = 0;
}

static void end(void) {
  work_settle();
  world_end();
}

/* The group forms, or those of a queue. */
static ze_result_t use(syclze_queue queue, syclze_external_semaphore semaphore, bool signals,
    bool by_group, uint64_t value, syclze_event after, syclze_event *event) {
  if (!by_group && signals)
    return syclze_queue_signal_external_semaphore(queue, semaphore, value, &after, 1, event);
  if (!by_group)
    return syclze_queue_wait_external_semaphore(queue, semaphore, value, &after, 1, event);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, after);
  return signals ? syclze_group_signal_external_semaphore(&group, semaphore, value, event)
                 : syclze_group_wait_external_semaphore(&group, semaphore, value, event);
}

static const syclze_event no_event = {NULL};

TEST(a_descriptor_is_imported_and_the_semaphore_released_once) { // shows memory 12
  begin();
  for (int i = 0; i < 2; i++) {
    const syclze_external_semaphore semaphore = imported(i ? TIMELINE : OPAQUE);
    const void *native = syclze_external_semaphore_get_native(semaphore);
    CHECK_EQ(seen.fd, FD);
    CHECK_EQ(seen.flags, i ? 128 : 1);
    CHECK(fake_is_alive(native));
    CHECK_OK(syclze_external_semaphore_retain(semaphore));
    CHECK_OK(syclze_external_semaphore_release(semaphore));
    CHECK(fake_is_alive(native));
    CHECK_OK(syclze_external_semaphore_release(semaphore));
    CHECK_EQ(fake_destroys(native), 1);
#if SYCLZE_HAS_POOLS
    CHECK_REFUSED(
        syclze_external_semaphore_release(semaphore), SYCLZE_RESULT_ERROR_INVALID, RELEASE, NULL);
    CHECK_EQ(fake_calls(FAKE_zeDeviceReleaseExternalSemaphoreExt), i + 1);
#endif
  }
  end();
}

TEST(a_semaphore_keeps_its_context) { // shows memory 13
  begin();
  syclze_context context;
  syclze_external_semaphore semaphore;
  CHECK_OK(syclze_context_create(&world.device, 1, &context));
  const void *native = syclze_context_get_native(context);
  CHECK_OK(syclze_external_semaphore_import(FD, OPAQUE, world.device, context, &semaphore));
  const void *native_semaphore = syclze_external_semaphore_get_native(semaphore);
  CHECK_OK(syclze_context_release(context));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_external_semaphore_release(semaphore));
  CHECK_EQ(fake_destroyed_as(native_semaphore), 1);
  CHECK_EQ(fake_destroyed_as(native), 2);
  end();
}

TEST(commands_pass_the_value_and_the_events) { // shows memory 12
  for (int way = 0; way < 4; way++) {
    const bool by_group = way & 1, in_order = way & 2;
    begin();
    const syclze_external_semaphore semaphore = imported(TIMELINE);
    const syclze_queue queue = queue_of(world.context, world.device, in_order);
    const syclze_queue other = queue_of(world.context, world.device, in_order);
    syclze_event event, signalled;
    CHECK_OK(use(queue, semaphore, false, by_group, 7, no_event, &event));
    CHECK_STR_EQ(noted(), "await");
    CHECK_EQ(seen.value, 7);
    CHECK_EQ(seen.wait_count, 0);
    CHECK_OK(use(other, semaphore, true, by_group, UINT64_MAX, event, &signalled));
    CHECK_STR_EQ(noted(), "signal");
    CHECK(seen.value == UINT64_MAX);
    CHECK_EQ(seen.wait_count, 1);
    CHECK(fake_is_signalled(syclze_event_get_native(signalled)));
    CHECK_OK(use(queue, semaphore, true, by_group, 1, no_event, NULL));
    CHECK_EQ(seen.value, 1);
    CHECK_OK(syclze_event_release(event));
    CHECK_OK(syclze_event_release(signalled));
    CHECK_OK(syclze_queue_wait(queue));
    CHECK_OK(syclze_queue_release(queue));
    CHECK_OK(syclze_queue_release(other));
    CHECK_OK(syclze_external_semaphore_release(semaphore));
    end();
  }
}

TEST(a_handle_of_windows_is_imported) { // shows memory 11
  static const syclze_external_semaphore_type types[] = {SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_WIN32,
      SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_WIN32_KMT, SYCLZE_EXTERNAL_SEMAPHORE_D3D12_FENCE,
      SYCLZE_EXTERNAL_SEMAPHORE_D3D11_FENCE, SYCLZE_EXTERNAL_SEMAPHORE_KEYED_MUTEX,
      SYCLZE_EXTERNAL_SEMAPHORE_KEYED_MUTEX_KMT, SYCLZE_EXTERNAL_SEMAPHORE_TIMELINE_WIN32};
  const char *function = "syclze_external_semaphore_import_win32";
  int handle;
  begin();
  syclze_external_semaphore semaphore;
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    CHECK_OK(syclze_external_semaphore_import_win32(
        &handle, types[i], world.device, world.context, &semaphore));
    CHECK_EQ(seen.flags, types[i]);
    CHECK_EQ(seen.fd, -1);
    CHECK(seen.handle == &handle);
    const void *native = syclze_external_semaphore_get_native(semaphore);
    CHECK_OK(syclze_external_semaphore_release(semaphore));
    CHECK(!fake_is_alive(native));
    CHECK_REFUSED(
        syclze_external_semaphore_import(FD, types[i], world.device, world.context, &semaphore),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, IMPORT, NULL);
  }
  const unsigned before = fake_calls(FAKE_zeDeviceImportExternalSemaphoreExt);
  CHECK_REFUSED(syclze_external_semaphore_import_win32(
                    NULL, types[0], world.device, world.context, &semaphore),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(
      syclze_external_semaphore_import_win32(&handle, types[0], world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(syclze_external_semaphore_import_win32(
                    &handle, TIMELINE, world.device, world.context, &semaphore),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, function, NULL);
  CHECK_REFUSED(syclze_external_semaphore_import_win32(
                    &handle, types[0], world.device2, world.context, &semaphore),
      SYCLZE_RESULT_ERROR_INVALID, function, NULL);
  CHECK_EQ(semaphore.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeDeviceImportExternalSemaphoreExt), before);
  end();
}

/* After an error the descriptor is the caller's: nothing was passed to the driver. */
TEST(wrong_imports_are_refused) { // shows memory 13
  begin();
  const syclze_context no_context = {0};
  const syclze_device no_device = {0};
  syclze_external_semaphore made = {(struct syclze__semaphore *)(void *)&seen}, null = {0};
  CHECK_REFUSED(syclze_external_semaphore_import(FD, OPAQUE, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, IMPORT, NULL);
  CHECK_REFUSED(syclze_external_semaphore_import(FD, OPAQUE, no_device, world.context, &made),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, IMPORT, NULL);
  CHECK_EQ(made.rep, NULL);
  CHECK_REFUSED(syclze_external_semaphore_import(FD, OPAQUE, world.device, no_context, &made),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, IMPORT, NULL);
  CHECK_REFUSED(syclze_external_semaphore_import(FD, OPAQUE, world.device2, world.context, &made),
      SYCLZE_RESULT_ERROR_INVALID, IMPORT, NULL);
  CHECK_REFUSED(syclze_external_semaphore_import(-1, OPAQUE, world.device, world.context, &made),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, IMPORT, NULL);
  static const unsigned types[] = {0, 2, OPAQUE | TIMELINE};
  for (int i = 0; i < 3; i++)
    CHECK_REFUSED(syclze_external_semaphore_import(FD, (syclze_external_semaphore_type)types[i],
                      world.device, world.context, &made),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, IMPORT, NULL);
  CHECK_EQ(fake_calls(FAKE_zeDeviceImportExternalSemaphoreExt), 0);
  CHECK_OK(syclze_external_semaphore_retain(null));
  CHECK_OK(syclze_external_semaphore_release(null));
  end();
}

/* Covers both forms; the queue and the semaphore are unchanged. */
TEST(wrong_uses_are_refused) { // shows memory 13
  begin();
  const syclze_device devices[] = {world.device, world.device2};
  const syclze_context both = world_context(world.native_context, devices, 2);
  const syclze_queue queue = queue_of(world.context, world.device, true),
                     other = queue_of(both, world.device2, true), no_queue = {NULL};
  const syclze_external_semaphore semaphore = imported(OPAQUE), null = {NULL};
  for (int way = 0; way < 4; way++) {
    const bool by_group = way & 1, signals = way & 2;
    const char *const function = signals ? SIGNAL : WAIT;
    syclze_event event = {(struct syclze__event *)(void *)&seen};
    CHECK_REFUSED(use(queue, null, signals, by_group, 0, no_event, &event),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, syclze_queue_get_native(queue).list);
    CHECK_EQ(event.rep, NULL);
    CHECK_REFUSED(use(other, semaphore, signals, by_group, 0, no_event, &event),
        SYCLZE_RESULT_ERROR_INVALID, function, syclze_queue_get_native(other).list);
    CHECK(strstr(notes.first.rule, "another device") != NULL);
    CHECK_EQ(event.rep, NULL);
    CHECK_REFUSED(use(no_queue, semaphore, signals, by_group, 0, no_event, &event),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, NULL);
  }
  CHECK_REFUSED(syclze_queue_wait_external_semaphore(queue, semaphore, 0, NULL, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, WAIT, syclze_queue_get_native(queue).list);
  CHECK_REFUSED(syclze_queue_signal_external_semaphore(queue, semaphore, 0, NULL, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, SIGNAL, syclze_queue_get_native(queue).list);
  CHECK_STR_EQ(noted(), "");
  CHECK_OK(use(queue, semaphore, true, true, 0, no_event, NULL));
  CHECK_STR_EQ(noted(), "signal");
  CHECK_OK(syclze_queue_wait(queue));
  CHECK_OK(syclze_external_semaphore_release(semaphore));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_OK(syclze_queue_release(other));
  CHECK_OK(syclze_context_release(both));
  end();
}

/* A semaphore is the device's, whatever the context. */
TEST(a_queue_of_another_context_on_the_device_uses_a_semaphore) { // shows memory 13
  begin();
  const ze_context_handle_t native = fake_context(world.driver);
  const syclze_context context = world_context(native, &world.device, 1);
  const syclze_queue queue = queue_of(context, world.device, true);
  const syclze_external_semaphore semaphore = imported(OPAQUE);
  CHECK_OK(use(queue, semaphore, true, false, 0, no_event, NULL));
  CHECK_STR_EQ(noted(), "signal");
  CHECK_OK(syclze_queue_wait(queue));
  CHECK_OK(syclze_external_semaphore_release(semaphore));
  CHECK_OK(syclze_queue_release(queue));
  CHECK_OK(syclze_context_release(context));
  fake_destroy(native);
  end();
}

TEST(what_an_older_loader_lacks_is_refused_with_its_version) { // shows memory 12
  begin();
  const syclze_external_semaphore semaphore = imported(OPAQUE);
  const syclze_queue queue = queue_of(world.context, world.device, true);
  syclze_external_semaphore made = semaphore;
  fake.old_loader = 1;
  CHECK_REFUSED(syclze_external_semaphore_import(FD, OPAQUE, world.device, world.context, &made),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, IMPORT, world.root);
  CHECK(strstr(notes.first.rule, "Level Zero 1.12") != NULL);
  CHECK_EQ(made.rep, NULL);
  for (int signals = 0; signals < 2; signals++)
    CHECK_REFUSED(use(queue, semaphore, signals != 0, true, 0, no_event, NULL),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, signals ? SIGNAL : WAIT,
        syclze_queue_get_native(queue).list);
  fake.old_loader = 0;
  CHECK_STR_EQ(noted(), "");
  CHECK_OK(syclze_external_semaphore_release(semaphore));
  CHECK_OK(syclze_queue_wait(queue));
  CHECK_OK(syclze_queue_release(queue));
  end();
}

TEST(a_failed_release_is_reported_and_ends_the_object) { // shows memory 14
  begin();
  const syclze_external_semaphore semaphore = imported(OPAQUE);
  const void *native = syclze_external_semaphore_get_native(semaphore);
  fake_fail(FAKE_zeDeviceReleaseExternalSemaphoreExt, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(
      syclze_external_semaphore_release(semaphore), ZE_RESULT_ERROR_DEVICE_LOST, RELEASE, native);
  fake_destroy(native);
  end();
}

/* Imports, waits and signals; what succeeded is released, which does not fail. */
static ze_result_t live(syclze_queue queue, enum fake_function *failed, bool *lacked) {
  syclze_external_semaphore semaphore;
  syclze_event event = {NULL};
  ze_result_t result =
      syclze_external_semaphore_import(FD, TIMELINE, world.device, world.context, &semaphore);
  CHECK_EQ(semaphore.rep != NULL, result == ZE_RESULT_SUCCESS);
  if (result == ZE_RESULT_SUCCESS)
    result = use(queue, semaphore, false, false, 1, no_event, &event);
  if (result == ZE_RESULT_SUCCESS) result = use(queue, semaphore, true, false, 2, event, NULL);
  *failed = fake_failed_function();
  *lacked = memory_failed() != 0;
  fake_fail_nth_call(0, ZE_RESULT_SUCCESS);
  memory_fail(0);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_external_semaphore_release(semaphore), ZE_RESULT_SUCCESS);
  return result;
}

static void sweep(bool of_calls) {
  bool ended = false;
  for (unsigned n = 1; !ended; n++) {
    enum fake_function failed;
    bool lacked;
    begin();
    const syclze_queue queue = queue_of(world.context, world.device, false);
    notes_start();
    if (of_calls)
      fake_fail_nth_call(n, ZE_RESULT_ERROR_DEVICE_LOST);
    else
      memory_fail(n);
    const ze_result_t result = live(queue, &failed, &lacked);
    ended = of_calls ? failed == FAKE_FUNCTION_COUNT : !lacked;
    if (ended) CHECK_EQ(result, ZE_RESULT_SUCCESS);
    if (result != ZE_RESULT_SUCCESS) {
      CHECK_EQ(result, of_calls ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      CHECK_EQ(notes.count, 1);
    }
    CHECK_OK(syclze_queue_wait(queue));
    CHECK_OK(syclze_queue_release(queue));
    end();
    CHECK(!ended || n > 2);
  }
}

TEST(every_call_fails_in_turn) { // shows memory 14
  sweep(true);
}

TEST(every_allocation_fails_in_turn) { // shows memory 14
  sweep(false);
}

TEST_MAIN(a_descriptor_is_imported_and_the_semaphore_released_once, a_semaphore_keeps_its_context,
    commands_pass_the_value_and_the_events, a_handle_of_windows_is_imported,
    wrong_imports_are_refused, wrong_uses_are_refused,
    a_queue_of_another_context_on_the_device_uses_a_semaphore,
    what_an_older_loader_lacks_is_refused_with_its_version,
    a_failed_release_is_reported_and_ends_the_object, every_call_fails_in_turn,
    every_allocation_fails_in_turn)
