/* The recorder of a trace: commands of calls, their times, memory and names. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/memory.h"

#include <level_zero/ze_api.h>
#include <time.h>

/* A device with a tick of 50 ns, whose events take 32 bits of it. */
enum { TICK = 50 };

static uint64_t ticks_of(uint64_t time) {
  return time / TICK;
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static ze_kernel_timestamp_result_t ticks_of_event;

static ze_result_t device_time(ze_device_handle_t device, uint64_t *host, uint64_t *ticks) {
  (void)device;
  *host = now();
  *ticks = ticks_of(*host);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t device_properties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  (void)device;
  properties->timerResolution = 1000000000 / TICK;
  properties->kernelTimestampValidBits = 32;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t status_of_event;

static ze_result_t event_status(ze_event_handle_t event) {
  (void)event;
  return status_of_event;
}

static ze_result_t event_times(ze_event_handle_t event, ze_kernel_timestamp_result_t *result) {
  (void)event;
  *result = ticks_of_event;
  return ZE_RESULT_SUCCESS;
}

#define zeDeviceGetGlobalTimestamps device_time
#define zeDeviceGetProperties device_properties
#define zeEventQueryStatus event_status
#define zeEventQueryKernelTimestamp event_times
#include "support/recorder.h"
#undef zeDeviceGetGlobalTimestamps
#undef zeDeviceGetProperties
#undef zeEventQueryStatus
#undef zeEventQueryKernelTimestamp

TEST(memory_at_an_address_that_is_in_use_replaces_the_former) {
  begin();
  syclze__recorder_allocated(&recorder, &recorder.allocations, 64, 100);
  syclze__recorder_allocated(&recorder, &recorder.allocations, 64, 1000);
  CHECK_EQ(recorder.memory, 1000);
  syclze__recorder_freed(&recorder, &recorder.allocations, 64, true);
  CHECK_EQ(recorder.memory, 1000); /* the end of a free that began before */
  syclze__recorder_freeing(&recorder.allocations, 64);
  syclze__recorder_freed(&recorder, &recorder.allocations, 64, true);
  CHECK_EQ(recorder.memory, 0);
  free(recorder.allocations.entries);
  end();
}

TEST(a_name_is_kept_once_among_many) {
  enum { NAMES = 100000 };
  static const char *kept[NAMES];
  begin();
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < NAMES; i++) {
      char name[32];
      snprintf(name, sizeof name, "step %d", i);
      const char *found = syclze__recorder_intern(&recorder, name);
      CHECK_STR_EQ(found, name);
      CHECK(round == 0 || found == kept[i]);
      kept[i] = found;
    }
  for (int i = 0; i < NAMES; i++)
    free((void *)(uintptr_t)kept[i]);
  free(recorder.names.entries);
  end();
}

/* The functions that older loaders lack, with the place of the signal event. */
TEST(newer_appends_are_commands) {
  static const struct {
    uint32_t function;
    const char *name;
    int signal;
    bool is_launch;
  } appends[] = {
#define ROW(name, signal, is_launch)                                                               \
  {SYCLZE__CALL_CommandListAppend##name, "zeCommandListAppend" #name, signal, is_launch}
      ROW(LaunchKernelWithParameters, 4, true), ROW(LaunchKernelWithArguments, 6, true),
      ROW(MemoryCopyWithParameters, 5, false), ROW(MemoryFillWithParameters, 6, false),
      ROW(HostFunction, 4, false), ROW(SignalExternalSemaphoreExt, 4, false),
      ROW(WaitExternalSemaphoreExt, 4, false)
#undef ROW
  };
  const ze_result_t success = ZE_RESULT_SUCCESS;
  const ze_event_handle_t waits[1] = {NULL};
  begin();
  syclze__map_put(&recorder.kernels, 101)->name = "kernel";
  for (size_t i = 0; i < sizeof appends / sizeof *appends; i++) {
    uintptr_t values[9];
    void *arguments[9], *instance = NULL;
    for (size_t k = 0; k < 9; k++) {
      values[k] = 100 + k;
      arguments[k] = &values[k];
    }
    values[appends[i].signal + 1] = 1;
    values[appends[i].signal + 2] = (uintptr_t)waits;
    const syclze_tracer_call call = {
        appends[i].function, appends[i].name, arguments, &success, &instance};
    struct syclze__recorded_append command;
    CHECK(syclze__recorder_inspects(call.function));
    CHECK(syclze__recorder_append_of(&recorder, &call, &command));
    CHECK_STR_EQ(command.name, appends[i].is_launch ? "kernel" : appends[i].name + 19);
    CHECK_EQ(command.list, 100);
    CHECK_EQ(command.signal, (uint64_t)(100 + appends[i].signal));
    CHECK_EQ(command.wait_count, 1);
    CHECK(command.waits == waits);
  }
  free(recorder.kernels.entries);
  end();
}

/* Its list is never executed; the program signals the event for another use. */
TEST(a_command_whose_event_was_reset_has_no_time) {
  enum { DEVICE = 16, LIST = 32, EVENT = 48 };
  const ze_result_t success = ZE_RESULT_SUCCESS;
  struct syclze__snapshot snapshot;
  uintptr_t event = EVENT;
  void *arguments[] = {&event}, *instance = NULL;
  syclze_tracer_call reset = {
      SYCLZE__CALL_EventHostReset, "zeEventHostReset", arguments, NULL, &instance};
  begin();
  syclze__recorder_list(&recorder, LIST, DEVICE, false);
  syclze__map_put(&recorder.events, EVENT)->flags = SYCLZE__HANDLE_TIMESTAMPS;
  const struct syclze__recorded_append barrier = {"Barrier", LIST, EVENT, 0, NULL};
  syclze__recorder_append(&recorder, &barrier, now());
  status_of_event = ZE_RESULT_NOT_READY;
  syclze__recorder_before(&recorder, &reset);
  reset.result = &success;
  syclze__recorder_after(&recorder, &reset);
  status_of_event = ZE_RESULT_SUCCESS;
  syclze__recorder_collect_event(&recorder, EVENT);
  CHECK(syclze__snapshot_take(recorder.rings, &snapshot));
  CHECK_EQ(snapshot.count, 1);
  CHECK_EQ(snapshot.records[0].kind, SYCLZE__RECORD_COMMAND);
  free(snapshot.records);
  free((void *)(uintptr_t)syclze__map_find(&recorder.devices, DEVICE)->value);
  free(recorder.devices.entries);
  free(recorder.lists.entries);
  free(recorder.events.entries);
  end();
}

/* The device's clock was read when its first list was made; events take fewer of its bits. */
TEST(a_command_has_its_time_however_long_ago_the_clock_was_read) {
  enum { DEVICE = 16, LIST = 32, EVENT = 48 };
  const uint64_t second = 1000000000, ages[] = {0, 60 * second, 200 * second, 100000 * second};
  for (size_t i = 0; i < sizeof ages / sizeof *ages; i++) {
    struct syclze__snapshot snapshot;
    begin();
    syclze__recorder_list(&recorder, LIST, DEVICE, false);
    struct syclze__device_clock *clock =
        (struct syclze__device_clock *)(uintptr_t)syclze__map_find(&recorder.devices, DEVICE)
            ->value;
    clock->host -= ages[i];
    clock->device -= ages[i] / TICK;
    const uint64_t before = now();
    ticks_of_event.global.kernelStart = ticks_of(before) & UINT32_MAX;
    ticks_of_event.global.kernelEnd = (ticks_of(before) + 20) & UINT32_MAX;
    syclze__map_put(&recorder.events, EVENT)->flags = SYCLZE__HANDLE_TIMESTAMPS;
    const struct syclze__recorded_append barrier = {"Barrier", LIST, EVENT, 0, NULL};
    syclze__recorder_append(&recorder, &barrier, before);
    syclze__recorder_collect_event(&recorder, EVENT);
    CHECK(syclze__snapshot_take(recorder.rings, &snapshot));
    CHECK_EQ(snapshot.count, 2);
    const struct syclze__record *ran =
        &snapshot.records[snapshot.records[0].kind != SYCLZE__RECORD_DEVICE];
    CHECK_EQ(ran->value, 20 * TICK);
    CHECK(ran->start + second > before && ran->start < before + second);
    free(snapshot.records);
    free(clock);
    free(recorder.devices.entries);
    free(recorder.lists.entries);
    free(recorder.events.entries);
    end();
  }
}

TEST(without_memory_for_the_clock_of_a_device_its_commands_have_no_times) {
  enum { DEVICE = 16, LIST = 32, EVENT = 48 };
  struct syclze__snapshot snapshot;
  for (unsigned nth = 1; nth <= 2; nth++) {
    begin();
    memory_fail(nth);
    syclze__recorder_list(&recorder, LIST, DEVICE, false);
    CHECK(memory_failed());
    memory_fail(0);
    syclze__map_put(&recorder.events, EVENT)->flags = SYCLZE__HANDLE_TIMESTAMPS;
    const struct syclze__recorded_append barrier = {"Barrier", LIST, EVENT, 0, NULL};
    syclze__recorder_append(&recorder, &barrier, now());
    syclze__recorder_collect_event(&recorder, EVENT);
    CHECK(syclze__snapshot_take(recorder.rings, &snapshot));
    CHECK_EQ(snapshot.count, 1);
    free(snapshot.records);
    free(recorder.devices.entries);
    free(recorder.lists.entries);
    free(recorder.events.entries);
    end();
  }
}

TEST_MAIN(memory_at_an_address_that_is_in_use_replaces_the_former, newer_appends_are_commands,
    a_name_is_kept_once_among_many, a_command_whose_event_was_reset_has_no_time,
    a_command_has_its_time_however_long_ago_the_clock_was_read,
    without_memory_for_the_clock_of_a_device_its_commands_have_no_times)
