/* The initial state of the typical mistakes, and their diagnostics. Included once, by mistakes.c.
 */
#ifndef TESTS_MISTAKES_H
#define TESTS_MISTAKES_H

#include "syclze/syclze.h"

#include "syclze/buffer_create.h"
#include "syclze/command.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/ipc.h"
#include "syclze/usm_query.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { COUNT = 64, SIZE = COUNT * 4 };

#define NEED(call)                                                                                 \
  do {                                                                                             \
    const ze_result_t needed = (call);                                                             \
    if (needed != ZE_RESULT_SUCCESS) {                                                             \
      fprintf(stderr, "%s:%d: %s: 0x%x\n", __FILE__, __LINE__, #call, (unsigned)needed);           \
      _exit(2);                                                                                    \
    }                                                                                              \
  } while (0)

static ze_driver_handle_t native_driver;
static ze_device_handle_t native_device;
static ze_context_handle_t native_context;
static syclze_device device;
static syclze_context context;
static syclze_queue queue;
static uint32_t data[COUNT];

static bool is_kept; /* what the mistake left is released no more */

/* The first diagnostic is the one that counts. */
static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  printf("%s%s%s%s\n", diagnostic->rule, diagnostic->detail != NULL ? " (" : "",
      diagnostic->detail != NULL ? diagnostic->detail : "", diagnostic->detail != NULL ? ")" : "");
  fflush(stdout);
}
static const syclze_diagnostic_handler handler = {note, NULL};

static ze_command_list_handle_t immediate_list(void) {
  const ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_list_handle_t list;
  NEED(zeCommandListCreateImmediate(native_context, native_device, &desc, &list));
  return list;
}

static ze_event_handle_t native_event(ze_context_handle_t in) {
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_pool_handle_t pool;
  ze_event_handle_t event;
  NEED(zeEventPoolCreate(in, &pool_desc, 1, &native_device, &pool));
  NEED(zeEventCreate(pool, &desc, &event));
  return event;
}

static ze_module_handle_t native_module(void) {
  static unsigned char code[1 << 20];
  FILE *file = fopen("tests/kernels/basic.spv", "rb");
  const size_t size = file != NULL ? fread(code, 1, sizeof code, file) : 0;
  const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = size,
      .pInputModule = code};
  ze_module_handle_t module;
  NEED(zeModuleCreate(native_context, native_device, &desc, &module, NULL));
  if (file != NULL) fclose(file);
  return module;
}

static syclze_kernel_bundle bundle_made(syclze_ownership ownership) {
  const syclze_kernel_bundle_input input = {native_module(), ownership};
  syclze_kernel_bundle bundle;
  NEED(syclze_make_kernel_bundle(&input, context, &bundle));
  return bundle;
}

static syclze_kernel kernel_made(const char *name) {
  syclze_kernel kernel;
  NEED(syclze_kernel_create(bundle_made(SYCLZE_OWNERSHIP_TRANSFER), name, &kernel));
  return kernel;
}

static syclze_queue queue_of(uint32_t flags) {
  const syclze_property_list properties = {.flags = flags};
  syclze_queue created;
  NEED(syclze_queue_create(context, device, &properties, &created));
  return created;
}

static syclze_event event_made(syclze_ownership ownership) {
  const syclze_event_input input = {native_event(native_context), ownership};
  syclze_event event;
  NEED(syclze_make_event(&input, context, &event));
  return event;
}

static void *device_memory(void) {
  void *memory;
  NEED(syclze_malloc_device(SIZE, device, context, &memory));
  return memory;
}

static syclze_buffer buffer_of(void *host_data) {
  const syclze_buffer_desc desc = {.host_data = host_data, .element_size = 4, .range = {COUNT}};
  const uint32_t value = 7;
  syclze_buffer buffer;
  NEED(syclze_buffer_create(context, &desc, &buffer));
  NEED(syclze_buffer_write(buffer, &value, 0, sizeof value));
  return buffer;
}

static void begin(void) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  uint32_t count = 1;
  NEED(zeInit(0));
  NEED(zeDriverGet(&count, &native_driver));
  count = 1;
  NEED(zeDeviceGet(native_driver, &count, &native_device));
  NEED(zeContextCreate(native_driver, &desc, &native_context));
  NEED(syclze_make_device(native_device, &device));
  const syclze_context_input input = {native_context, &device, 1, SYCLZE_OWNERSHIP_KEEP};
  NEED(syclze_make_context(&input, &context));
  queue = queue_of(0);
  syclze_diagnostic_set_handler(&handler);
}

#endif
