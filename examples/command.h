/* Setup of the examples of command groups: the first device, a context, and queues. */
#ifndef EXAMPLES_COMMAND_H
#define EXAMPLES_COMMAND_H

#include "common.h"
#include "syclze/command.h"
#include "syclze/syclze.h"

static inline syclze_device first_device(void) {
  uint32_t one = 1;
  ze_driver_handle_t driver;
  ze_device_handle_t native;
  syclze_device device;
  TRY(zeInit(0));
  TRY(zeDriverGet(&one, &driver));
  TRY(zeDeviceGet(driver, &one, &native));
  TRY(syclze_make_native(native, &device));
  return device;
}

static inline syclze_context context_of(syclze_device device) {
  syclze_context context;
  TRY(syclze_context_create(&device, 1, &context));
  return context;
}

static inline syclze_queue queue_of(syclze_context context, syclze_device device) {
  syclze_queue queue;
  TRY(syclze_queue_create(context, device, NULL, &queue));
  return queue;
}

/* A buffer of `count` integers in device memory, which it owns. */
static inline syclze_buffer ints_of(syclze_context context, syclze_device device, size_t count) {
  void *memory;
  syclze_buffer buffer;
  TRY(syclze_malloc_device(count * sizeof(int), device, context, &memory));
  syclze_buffer_input input = {.native_handle = memory, .element_size = sizeof(int)};
  TRY(syclze_make_native(&input, context, &buffer));
  return buffer;
}

#endif
