/* The function tables, as a loader requests them: filled to their end in the requested
 * version, with no slot left null, and not beyond. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <level_zero/ze_ddi.h>
#include <level_zero/zes_ddi.h>
#include <level_zero/zet_ddi.h>

typedef ze_result_t get_table(ze_api_version_t version, void *table);

enum { ROOM = 128 };

static get_table *getter(const char *name) {
  static void *driver;
  if (!driver) driver = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW | RTLD_LOCAL);
  CHECK(driver != NULL);
  void *symbol = dlsym(driver, name);
  if (!symbol) CHECK_STR_EQ(name, "is exported");
  get_table *function;
  memcpy(&function, &symbol, sizeof function);
  return function;
}

/* The number of slots that are written, from the first on. The others must be unchanged. */
static size_t written(const char *name, ze_api_version_t version) {
  static char untouched;
  void *table[ROOM];
  for (size_t i = 0; i < ROOM; i++)
    table[i] = &untouched;
  OK(getter(name)(version, table));
  size_t slots = 0;
  while (slots < ROOM && table[slots] != &untouched)
    CHECK(table[slots++] != NULL);
  for (size_t i = slots; i < ROOM; i++)
    CHECK(table[i] == &untouched);
  return slots;
}

/* The table of the headers' version is that of the headers. */
static void check_table(const char *name, size_t size) {
#ifdef ZE_API_VERSION_CURRENT_M
  const ze_api_version_t newest = ZE_API_VERSION_CURRENT_M;
#else
  const ze_api_version_t newest = ZE_API_VERSION_CURRENT;
#endif
  void *table[ROOM];
  const size_t slots = written(name, newest);
  if (slots != size / sizeof(void *)) CHECK_STR_EQ(name, "has another number of slots");
  CHECK(written(name, ZE_API_VERSION_1_0) <= slots);
  RETURNS(ERROR_UNSUPPORTED_VERSION, getter(name)((ze_api_version_t)ZE_MAKE_VERSION(2, 0), table));
  RETURNS(ERROR_INVALID_NULL_POINTER, getter(name)(newest, NULL));
}

#define TABLE(prefix, Name, name)                                                                  \
  check_table(#prefix "Get" #Name "ProcAddrTable", sizeof(prefix##_##name##_dditable_t))

TEST(core) {
  TABLE(ze, Global, global);
  TABLE(ze, Driver, driver);
  TABLE(ze, Device, device);
  TABLE(ze, DeviceExp, device_exp);
  TABLE(ze, Context, context);
  TABLE(ze, CommandQueue, command_queue);
  TABLE(ze, CommandList, command_list);
  TABLE(ze, Image, image);
  TABLE(ze, ImageExp, image_exp);
  TABLE(ze, Fence, fence);
  TABLE(ze, EventPool, event_pool);
  TABLE(ze, Event, event);
  TABLE(ze, EventExp, event_exp);
  TABLE(ze, Module, module);
  TABLE(ze, ModuleBuildLog, module_build_log);
  TABLE(ze, Kernel, kernel);
  TABLE(ze, KernelExp, kernel_exp);
  TABLE(ze, Sampler, sampler);
  TABLE(ze, PhysicalMem, physical_mem);
  TABLE(ze, Mem, mem);
  TABLE(ze, VirtualMem, virtual_mem);
  TABLE(ze, FabricVertexExp, fabric_vertex_exp);
  TABLE(ze, FabricEdgeExp, fabric_edge_exp);
}

TEST(tools) {
  TABLE(zet, Device, device);
  TABLE(zet, Context, context);
  TABLE(zet, CommandList, command_list);
  TABLE(zet, Module, module);
  TABLE(zet, Kernel, kernel);
  TABLE(zet, MetricGroup, metric_group);
  TABLE(zet, MetricGroupExp, metric_group_exp);
  TABLE(zet, Metric, metric);
  TABLE(zet, MetricStreamer, metric_streamer);
  TABLE(zet, MetricQueryPool, metric_query_pool);
  TABLE(zet, MetricQuery, metric_query);
  TABLE(zet, TracerExp, tracer_exp);
  TABLE(zet, Debug, debug);
}

TEST(sysman) {
  TABLE(zes, Driver, driver);
  TABLE(zes, Device, device);
  TABLE(zes, Scheduler, scheduler);
  TABLE(zes, PerformanceFactor, performance_factor);
  TABLE(zes, Power, power);
  TABLE(zes, Frequency, frequency);
  TABLE(zes, Engine, engine);
  TABLE(zes, Standby, standby);
  TABLE(zes, Firmware, firmware);
  TABLE(zes, Memory, memory);
  TABLE(zes, FabricPort, fabric_port);
  TABLE(zes, Temperature, temperature);
  TABLE(zes, Psu, psu);
  TABLE(zes, Fan, fan);
  TABLE(zes, Led, led);
  TABLE(zes, Ras, ras);
  TABLE(zes, Diagnostics, diagnostics);
}

/* Calls each function of a table of the newest version with nulls. Lists those that are not
 * supported, as places behind the table's name. */
static void call_all(const char *name, char *unsupported, size_t room) {
  const ze_api_version_t newest = (ze_api_version_t)ZE_MAKE_VERSION(1, 17);
  void *table[ROOM] = {0};
  OK(getter(name)(newest, table));
  size_t length = strlen(unsupported);
  bool is_named = false;
  for (size_t i = 0; i < ROOM && table[i]; i++) {
    ze_result_t (*function)(void *, void *, void *, void *, void *, void *, void *, void *, void *,
        void *, void *, void *);
    memcpy(&function, &table[i], sizeof function);
    if (function(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) != ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
      continue;
    if (!is_named)
      length += (size_t)snprintf(unsupported + length, room - length, "%s%.*s", length ? "; " : "",
          (int)(strlen(name) - strlen("ProcAddrTable")), name);
    is_named = true;
    length += (size_t)snprintf(unsupported + length, room - length, " %zu", i);
  }
}

/* The limits in doc/behaviour.md, function by function. */
TEST(each_core_function_answers) {
  static const char *const names[] = {"Global", "Driver", "Device", "Context", "CommandQueue",
      "CommandList", "CommandListExp", "Image", "ImageExp", "Fence", "EventPool", "Event",
      "EventExp", "Module", "ModuleBuildLog", "Kernel", "KernelExp", "Sampler", "PhysicalMem",
      "Mem", "MemExp", "VirtualMem", "Graph", "ExecutableGraph"};
  char unsupported[2048] = "", name[64];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(name, sizeof name, "zeGet%sProcAddrTable", names[i]);
    call_all(name, unsupported, sizeof unsupported);
  }
  CHECK_STR_EQ(unsupported,
      "zeGetDriver 7; zeGetDevice 15 16 23 27; zeGetImage 4; zeGetImageExp 1 2; zeGetEvent 15; "
      "zeGetKernelExp 2; zeGetMem 11; zeGetMemExp 2 3");
}

TEST_MAIN(core, tools, sysman, each_core_function_answers)
