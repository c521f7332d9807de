/* Shared parts of both programs of this folder: phases, and names of the compared objects
 * (collector.cpp).
 */
#ifndef TESTS_SYCL_STREAMS_PROGRAM_H
#define TESTS_SYCL_STREAMS_PROGRAM_H

#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1024, GROUP = 64, BYTES = 4096 };

static inline void *program_function(const char *name) {
  void *collector = dlopen(getenv("XPTI_SUBSCRIBERS"), RTLD_LAZY | RTLD_NOLOAD);
  return collector != NULL ? dlsym(collector, name) : NULL;
}

/* Begins a phase. Before the runtime loads the collector nothing happens. */
static inline void program_phase(const char *name) {
  void (*phase)(const char *);
  void *found = program_function("collector_phase");
  memcpy(&phase, &found, sizeof found);
  if (phase != NULL) phase(name);
}

/* The address or handle is called so in both streams, or no longer so with null: another object may
   have it. */
static inline void program_name(const void *object, const char *name) {
  void (*rename)(const void *, const char *);
  void *found = program_function("collector_name");
  memcpy(&rename, &found, sizeof found);
  if (rename != NULL) rename(object, name);
}

static inline void program_check(ze_result_t result, const char *call) {
  if (result == ZE_RESULT_SUCCESS) return;
  fprintf(stderr, "%s: 0x%x\n", call, (unsigned)result);
  exit(1);
}
#define TRY(call) program_check((call), #call)

static inline ze_module_handle_t program_module(
    ze_context_handle_t context, ze_device_handle_t device) {
  static uint8_t bytes[1 << 16];
  FILE *file = fopen("tests/kernels/basic.spv", "rb");
  ze_module_desc_t desc;
  ze_module_handle_t module;
  memset(&desc, 0, sizeof desc);
  if (file == NULL) exit(1);
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = fread(bytes, 1, sizeof bytes, file);
  desc.pInputModule = bytes;
  fclose(file);
  TRY(zeModuleCreate(context, device, &desc, &module, NULL));
  program_name(module, "module");
  return module;
}

static inline ze_kernel_handle_t program_kernel(ze_module_handle_t module) {
  ze_kernel_desc_t desc;
  ze_kernel_handle_t kernel;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = "axpy";
  TRY(zeKernelCreate(module, &desc, &kernel));
  program_name(kernel, "kernel");
  return kernel;
}

/* The embedded device's memory of a buffer, which the buffer frees. */
static inline void *program_memory(
    ze_context_handle_t context, ze_device_handle_t device, const char *name) {
  ze_device_mem_alloc_desc_t desc;
  void *memory;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  TRY(zeMemAllocDevice(context, &desc, BYTES, 64, device, &memory));
  program_name(memory, name);
  return memory;
}

/* An image of 8 times 4 texels of four floats. */
static inline ze_image_handle_t program_image(
    ze_context_handle_t context, ze_device_handle_t device) {
  ze_image_desc_t desc;
  ze_image_handle_t image;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC;
  desc.type = ZE_IMAGE_TYPE_2D;
  desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32;
  desc.format.type = ZE_IMAGE_FORMAT_TYPE_FLOAT;
  desc.format.y = ZE_IMAGE_FORMAT_SWIZZLE_G;
  desc.format.z = ZE_IMAGE_FORMAT_SWIZZLE_B;
  desc.format.w = ZE_IMAGE_FORMAT_SWIZZLE_A;
  desc.width = 8;
  desc.height = 4;
  desc.depth = 1;
  TRY(zeImageCreate(context, device, &desc, &image));
  program_name(image, "image");
  return image;
}

#endif
