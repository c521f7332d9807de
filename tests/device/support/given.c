/* For setenv. */
#define _POSIX_C_SOURCE 200809L

#include "given.h"

#include "spy.h"
#include "tests/check.h"

#include <dlfcn.h>

uint32_t given_drivers(ze_driver_handle_t *drivers, uint32_t room) {
  uint32_t count = 0;
  CHECK_EQ(zeInit(0), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeDriverGet(&count, NULL), ZE_RESULT_SUCCESS);
  CHECK(count > 0);
  if (room > count) room = count;
  if (room > 0) CHECK_EQ(zeDriverGet(&room, drivers), ZE_RESULT_SUCCESS);
  return count;
}

uint32_t given_devices(ze_driver_handle_t driver, ze_device_handle_t *devices, uint32_t room) {
  uint32_t count = 0;
  CHECK_EQ(zeDeviceGet(driver, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK(count > 0);
  if (room > count) room = count;
  if (room > 0) CHECK_EQ(zeDeviceGet(driver, &room, devices), ZE_RESULT_SUCCESS);
  return count;
}

uint32_t given_sub_devices(ze_device_handle_t device, ze_device_handle_t *devices, uint32_t room) {
  uint32_t count = 0;
  CHECK_EQ(zeDeviceGetSubDevices(device, &count, NULL), ZE_RESULT_SUCCESS);
  if (room > count) room = count;
  if (room > 0) CHECK_EQ(zeDeviceGetSubDevices(device, &room, devices), ZE_RESULT_SUCCESS);
  return count;
}

void given_environment(const char *variable, const char *value) {
  if (value)
    setenv(variable, value, 1);
  else
    unsetenv(variable);
}

bool given_executes(void) {
  const char *none = getenv("SYCLZE_NO_EXECUTION");
  return !none || strcmp(none, "1") != 0;
}

void given_needs_execution(void) {
  if (!given_executes()) SKIP("commands are not carried out here");
}

bool given_is_zecl(ze_driver_handle_t driver) {
  ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
  CHECK_EQ(zeDriverGetProperties(driver, &properties), ZE_RESULT_SUCCESS);
  return strncmp((const char *)properties.uuid.id, "zecl", 4) == 0;
}

void given_needs_two(ze_driver_handle_t driver, uint32_t count) {
  if (given_is_zecl(driver))
    CHECK(count >= 2);
  else if (count < 2)
    SKIP("there are fewer than two of them");
}

void given_needs_zecl(ze_driver_handle_t driver) {
  if (!given_is_zecl(driver)) SKIP("only the embedded device does this");
}

bool given_has_getter(const char *getter, void *handle) {
  uint64_t answer = 0; /* large enough for a handle or a boolean */
  ze_result_t(ZE_APICALL * function)(void *, void *);
  void *address = dlsym(NULL, getter);
  memcpy(&function, &address, sizeof function);
  return function && function(handle, &answer) == ZE_RESULT_SUCCESS;
}

static uint32_t compute_ordinal(ze_device_handle_t device) {
  enum { GROUPS = 16 };
  ze_command_queue_group_properties_t groups[GROUPS] = {{0}};
  for (int i = 0; i < GROUPS; i++)
    groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
  uint32_t count = GROUPS, ordinal = 0;
  CHECK_EQ(zeDeviceGetCommandQueueGroupProperties(device, &count, groups), ZE_RESULT_SUCCESS);
  while (ordinal < count && !(groups[ordinal].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE))
    ordinal++;
  CHECK(ordinal < count);
  return ordinal;
}

static ze_command_queue_desc_t queue_desc(const struct given *g) {
  return (ze_command_queue_desc_t){.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = g->ordinal,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
}

ze_context_handle_t given_context(const struct given *g) {
  ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_context_handle_t context = NULL;
  CHECK_EQ(zeContextCreate(g->driver, &desc, &context), ZE_RESULT_SUCCESS);
  return context;
}

ze_command_list_handle_t given_list(const struct given *g) {
  ze_command_queue_desc_t desc = queue_desc(g);
  ze_command_list_handle_t list = NULL;
  CHECK_EQ(zeCommandListCreateImmediate(g->context, g->device, &desc, &list), ZE_RESULT_SUCCESS);
  return list;
}

ze_command_list_handle_t given_regular_list(const struct given *g) {
  ze_command_list_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .commandQueueGroupOrdinal = g->ordinal};
  ze_command_list_handle_t list = NULL;
  CHECK_EQ(zeCommandListCreate(g->context, g->device, &desc, &list), ZE_RESULT_SUCCESS);
  return list;
}

ze_command_queue_handle_t given_queue(const struct given *g) {
  ze_command_queue_desc_t desc = queue_desc(g);
  ze_command_queue_handle_t queue = NULL;
  CHECK_EQ(zeCommandQueueCreate(g->context, g->device, &desc, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

ze_event_handle_t given_event(struct given *g) {
  ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
      .index = g->events++,
      .signal = ZE_EVENT_SCOPE_FLAG_HOST,
      .wait = ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t event = NULL;
  CHECK_EQ(zeEventCreate(g->pool, &desc, &event), ZE_RESULT_SUCCESS);
  return event;
}

struct given given_on(ze_driver_handle_t driver, ze_device_handle_t device) {
  spy_begin();
  struct given g = {.driver = driver, .device = device, .ordinal = compute_ordinal(device)};
  g.context = given_context(&g);
  g.list = given_list(&g);
  g.queue = given_queue(&g);
  ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = GIVEN_EVENTS};
  CHECK_EQ(zeEventPoolCreate(g.context, &desc, 1, &device, &g.pool), ZE_RESULT_SUCCESS);
  return g;
}

struct given given(void) {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  given_drivers(&driver, 1);
  given_devices(driver, &device, 1);
  return given_on(driver, device);
}

/* The number of live handles among those that given_end destroys. */
static unsigned alive_of(const struct given *g) {
  return 0u + spy_is_alive(SPY_KERNEL, g->kernel) + spy_is_alive(SPY_MODULE, g->module) +
         spy_is_alive(SPY_EVENT_POOL, g->pool) + spy_is_alive(SPY_LIST, g->list) +
         spy_is_alive(SPY_QUEUE, g->queue) + spy_is_alive(SPY_CONTEXT, g->context);
}

void given_end(struct given *g) {
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  spy_await_workers(alive_of(g));
  if (spy_is_alive(SPY_KERNEL, g->kernel)) CHECK_EQ(zeKernelDestroy(g->kernel), ZE_RESULT_SUCCESS);
  if (spy_is_alive(SPY_MODULE, g->module)) CHECK_EQ(zeModuleDestroy(g->module), ZE_RESULT_SUCCESS);
  if (spy_is_alive(SPY_EVENT_POOL, g->pool))
    CHECK_EQ(zeEventPoolDestroy(g->pool), ZE_RESULT_SUCCESS);
  if (spy_is_alive(SPY_LIST, g->list)) CHECK_EQ(zeCommandListDestroy(g->list), ZE_RESULT_SUCCESS);
  if (spy_is_alive(SPY_QUEUE, g->queue))
    CHECK_EQ(zeCommandQueueDestroy(g->queue), ZE_RESULT_SUCCESS);
  if (spy_is_alive(SPY_CONTEXT, g->context))
    CHECK_EQ(zeContextDestroy(g->context), ZE_RESULT_SUCCESS);
  spy_end();
}

struct given_file given_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) check_fail(__FILE__, __LINE__, "%s: not found", path);
  struct given_file read = {NULL, 0};
  fseek(file, 0, SEEK_END);
  read.size = (size_t)ftell(file);
  rewind(file);
  read.bytes = malloc(read.size + 1);
  CHECK(read.bytes && fread(read.bytes, 1, read.size, file) == read.size);
  fclose(file);
  return read;
}

/* True if the build failed on a built-in function that PoCL lacks. */
static bool lacks_a_function(const struct given *g, const ze_module_desc_t *desc) {
  ze_module_handle_t module;
  ze_module_build_log_handle_t log;
  char text[4096] = "";
  size_t size = sizeof text - 1;
  if (zeModuleCreate(g->context, g->device, desc, &module, &log) == ZE_RESULT_SUCCESS) return false;
  CHECK_EQ(zeModuleBuildLogGetString(log, &size, text), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleBuildLogDestroy(log), ZE_RESULT_SUCCESS);
  return strstr(text, "Cannot find symbol") != NULL;
}

ze_module_handle_t given_module(const struct given *g, const char *path) {
  struct given_file file = given_file(path);
  ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = file.size,
      .pInputModule = file.bytes,
      .pBuildFlags = "-library-compilation"};
  ze_module_handle_t module = NULL;
  ze_result_t result = zeModuleCreate(g->context, g->device, &desc, &module, NULL);
  const bool lacks = result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE && lacks_a_function(g, &desc);
  free(file.bytes);
  if (lacks) SKIP("the embedded device's engine lacks a function");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return module;
}

ze_kernel_handle_t given_kernel_of(ze_module_handle_t module, const char *name) {
  ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  CHECK_EQ(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_SUCCESS);
  return kernel;
}

void given_kernel(struct given *g, const char *path, const char *name) {
  g->module = given_module(g, path);
  g->kernel = given_kernel_of(g->module, name);
}
