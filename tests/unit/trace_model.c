/* What the writers of a trace read, and the memory of traces. */
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
#include "syclze/trace/writer/dot.h"
#undef zeDeviceGetGlobalTimestamps
#undef zeDeviceGetProperties
#undef zeEventQueryStatus
#undef zeEventQueryKernelTimestamp

#include "tests/check.h"

#include <pthread.h>

static struct syclze__recorder recorder;

static void begin(void) {
  memset(&recorder, 0, sizeof recorder);
  recorder.rings = syclze__rings_new(1);
  CHECK(recorder.rings != NULL);
  syclze__mutex_init(&recorder.lock);
}

static void end(void) {
  syclze__rings_free(recorder.rings);
}

static void record(enum syclze__record_kind kind, const char *name, uint64_t start, uint64_t id) {
  syclze__record_add(recorder.rings, kind, name, start, 1, id, 77);
}

TEST(times_count_from_the_first_record_of_any_thread) {
  struct syclze__model model;
  begin();
  record(SYCLZE__RECORD_CALL, "second", 2000, 0);
  record(SYCLZE__RECORD_CALL, "first", 1000, 0);
  CHECK(syclze__model_make(&recorder, &model));
  CHECK_EQ(model.origin, 1000);
  syclze__model_free(&model);
  end();
}

TEST(a_trace_without_records_counts_from_0) {
  struct syclze__model model;
  begin();
  CHECK(syclze__model_make(&recorder, &model));
  CHECK_EQ(model.origin, 0);
  CHECK_EQ(model.names, 0);
  syclze__model_free(&model);
  end();
}

TEST(a_model_frees_its_memory) {
  struct syclze__model model;
  begin();
  record(SYCLZE__RECORD_COMMAND, "copy", 1, 1); /* the ring of the thread stays */
  const long before = memory_live();
  CHECK(syclze__model_make(&recorder, &model));
  CHECK(model.names == 1 && model.queues == 1 && model.command_count == 1);
  syclze__model_free(&model);
  CHECK_EQ(memory_live(), before);
  end();
}

static void record_edge(uint64_t start, uint64_t from, uint64_t to) {
  syclze__record_add(recorder.rings, SYCLZE__RECORD_EDGE, NULL, start, to, from, 0);
}

/* The others were lost, or their threads had more to record. What lies behind the last record is no
 * record. */
TEST(a_graph_has_the_commands_and_edges_of_its_records_alone) {
  const uint64_t late = (uint64_t)1 << 40;
  struct syclze__model model;
  char text[1024] = "";
  begin();
  record(SYCLZE__RECORD_COMMAND, "copy", 1, late);
  record(SYCLZE__RECORD_DEVICE, "copy", 2, late);
  record(SYCLZE__RECORD_TASK, "host task", 3, 1);
  record(SYCLZE__RECORD_COMMAND, "fill", 4, late + 2);
  record_edge(5, 1, late);
  record_edge(6, 5, late);
  record_edge(7, late, late + 1);
  record_edge(8, late, late + 2);
  record_edge(9, 1, late + 2);
  CHECK(syclze__model_make(&recorder, &model));
  CHECK_EQ(model.command_count, 3);
  CHECK_EQ(model.missed, 1);
  CHECK(model.commands[0].id == 1 && model.commands[0].appended == NULL);
  CHECK(model.commands[1].id == late && model.commands[1].ran->kind == SYCLZE__RECORD_DEVICE);
  CHECK(model.commands[2].id == late + 2 && model.commands[2].ran == NULL);
  CHECK(syclze__model_command(&model, 5) == NULL);
  model.snapshot.count--;
  FILE *file = tmpfile();
  CHECK(file != NULL);
  CHECK(syclze__dot_write(&model, file));
  rewind(file);
  CHECK(fread(text, 1, sizeof text - 1, file) > 0);
  fclose(file);
  CHECK(strstr(text, "  c1 -> c1099511627776;\n  c1099511627776 -> c1099511627778;\n}\n") != NULL);
  syclze__model_free(&model);
  end();
}

static void *record_one(void *argument) {
  (void)argument;
  record(SYCLZE__RECORD_CALL, "call", 1, 0);
  return NULL;
}

static void run_thread(void) {
  pthread_t thread;
  CHECK_EQ(pthread_create(&thread, NULL, record_one, NULL), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
}

TEST(an_ended_thread_leaves_its_ring_alone) {
  begin();
  const long before = memory_live();
  run_thread(); /* the ring and its records */
  CHECK_EQ(memory_live(), before + 2);
  run_thread();
  CHECK_EQ(memory_live(), before + 2);
  end();
}

enum { MANY = 20000 };

static void record_many(void) {
  for (uint64_t i = 2; i <= MANY; i++)
    record(SYCLZE__RECORD_CALL, "call", i, 0);
}

/* A thread fills its ring between the measure of the room and the copy. */
TEST(a_snapshot_has_the_room_that_was_measured) {
  struct syclze__snapshot snapshot;
  memset(&recorder, 0, sizeof recorder);
  recorder.rings = syclze__rings_new(2);
  CHECK(recorder.rings != NULL);
  record(SYCLZE__RECORD_CALL, "call", 1, 0);
  const size_t room = 1 + SYCLZE__RING_LEAST, capacity = recorder.rings->first->mask + 1;
  CHECK(room < capacity);
  memory_interrupt((room + 1) * sizeof *snapshot.records, record_many);
  CHECK(syclze__snapshot_take(recorder.rings, &snapshot));
  CHECK_EQ(recorder.rings->first->written, MANY);
  CHECK(snapshot.count > 0 && snapshot.count <= room);
  CHECK_EQ(snapshot.records[0].start, snapshot.lost + 1);
  CHECK_EQ(snapshot.records[snapshot.count - 1].start, snapshot.lost + snapshot.count);
  free(snapshot.records);
  end();
}

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

TEST_MAIN(times_count_from_the_first_record_of_any_thread, a_trace_without_records_counts_from_0,
    a_model_frees_its_memory, a_graph_has_the_commands_and_edges_of_its_records_alone,
    an_ended_thread_leaves_its_ring_alone, a_snapshot_has_the_room_that_was_measured,
    memory_at_an_address_that_is_in_use_replaces_the_former, newer_appends_are_commands,
    a_name_is_kept_once_among_many, a_command_whose_event_was_reset_has_no_time,
    a_command_has_its_time_however_long_ago_the_clock_was_read)
