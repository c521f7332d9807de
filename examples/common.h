/* Shared by the examples: checks of calls and of claims, the first device, and a module from a
   file. */
#ifndef EXAMPLES_COMMON_H
#define EXAMPLES_COMMON_H

#include <level_zero/ze_api.h>

#include <stdio.h>
#include <stdlib.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    ze_result_t result_ = (call);                                                                  \
    if (result_ != ZE_RESULT_SUCCESS) {                                                            \
      fprintf(stderr, "%s: 0x%x\n", #call, (unsigned)result_);                                     \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* Checks a claim of an example. */
#define CLAIM(claim)                                                                               \
  do {                                                                                             \
    if (!(claim)) {                                                                                \
      fprintf(stderr, "not so: %s\n", #claim);                                                     \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* The first device of the first driver, and a context owned by the application. */
static inline ze_context_handle_t open_device(ze_device_handle_t *device) {
  uint32_t one = 1;
  ze_driver_handle_t driver;
  ze_context_handle_t context;
  TRY(zeInit(0));
  TRY(zeDriverGet(&one, &driver));
  TRY(zeDeviceGet(driver, &one, device));
  TRY(zeContextCreate(
      driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC}, &context));
  return context;
}

static inline ze_module_handle_t load_module(
    ze_context_handle_t context, ze_device_handle_t device, const char *path) {
  static unsigned char words[1 << 16];
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(1);
  }
  ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = fread(words, 1, sizeof words, file),
      .pInputModule = words};
  fclose(file);
  ze_module_handle_t module;
  TRY(zeModuleCreate(context, device, &desc, &module, NULL));
  return module;
}

#endif
