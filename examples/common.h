/* What the examples have in common: a check of every call, and a module from a file. */
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
