/* Bodies of module_build.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_MODULE_BUILD_H
#define SYCLZE_OFFLOAD_DETAIL_MODULE_BUILD_H

#include "../../detail/driver/driver_function.h"
#include "../module_build.h"
#include "build_options.h"

#include <stdio.h>
#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* Modules that another was linked with. */
struct syclze__linked_modules {
  struct syclze__attachment attachment;
  uint32_t count;
  ze_module_handle_t *modules; /* behind the struct */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__linked_modules_end(struct syclze__attachment *attachment) {
  struct syclze__linked_modules *linked = (struct syclze__linked_modules *)attachment;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < linked->count && !syclze__is_forked(); i++) {
    result = syclze__first_error(result, SYCLZE__ZE(zeModuleDestroy)(linked->modules[i]));
  }
  free(linked);
  return result;
}

/* Copies the log to the order, and destroys it. */
SYCLZE_LOCAL void syclze__read_log(
    ze_module_build_log_handle_t log, const syclze_module_order *order) {
  size_t size = 0;
  if (log == NULL) return;
  if (order->log != NULL && order->log_size != 0 &&
      SYCLZE__ZE(zeModuleBuildLogGetString)(log, &size, NULL) == ZE_RESULT_SUCCESS && size != 0) {
    char *text = (char *)calloc(size + 1, 1);
    if (text != NULL &&
        SYCLZE__ZE(zeModuleBuildLogGetString)(log, &size, text) == ZE_RESULT_SUCCESS)
      snprintf(order->log, order->log_size, "%s", text);
    free(text);
  }
  SYCLZE__ZE(zeModuleBuildLogDestroy)(log);
}

/* Aligns an image, since drivers read words. An image whose address is not a multiple of 8 is
 * copied, into an allocation that the caller frees; null without memory. */
SYCLZE_INLINE const uint8_t *syclze__aligned(syclze_bytes bytes, void **copy) {
  *copy = NULL;
  if ((uintptr_t)bytes.data % 8 == 0) return (const uint8_t *)bytes.data;
  *copy = malloc(bytes.size);
  if (*copy != NULL) memcpy(*copy, bytes.data, bytes.size);
  return (const uint8_t *)*copy;
}

SYCLZE_LOCAL ze_result_t syclze__build_one(syclze_context context, syclze_device device,
    const syclze_candidate *candidate, const char *flags, const ze_module_constants_t *constants,
    const void *extension, const syclze_module_order *order, ze_module_handle_t *module) {
  void *copy;
  const uint8_t *input = syclze__aligned(candidate->module, &copy);
  *module = NULL;
  if (input == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  SYCLZE__ZE_STRUCT(ze_module_desc_t, desc, MODULE_DESC);
  desc.pNext = extension;
  desc.format = candidate->format;
  desc.inputSize = candidate->module.size;
  desc.pInputModule = input;
  desc.pBuildFlags = flags;
  desc.pConstants = constants;
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result =
      SYCLZE__ZE(zeModuleCreate)(context.rep->native, device.rep->native, &desc, module, &log);
  free(copy);
  if (result != ZE_RESULT_SUCCESS)
    syclze__read_log(log, order);
  else if (log != NULL)
    SYCLZE__ZE(zeModuleBuildLogDestroy)(log);
  return result;
}

/* True if the driver accepts several modules of SPIR-V at once. */
SYCLZE_LOCAL bool syclze__driver_accepts_programs(ze_driver_handle_t driver) {
  bool accepts;
  return syclze__driver_has_extension(driver, ZE_MODULE_PROGRAM_EXP_NAME, &accepts) ==
             ZE_RESULT_SUCCESS &&
         accepts;
}

/* The flags of a module: 0 is the candidate, from 1 on the others. */
SYCLZE_INLINE const char *syclze__order_flags(const syclze_module_order *order, size_t number) {
  return number != 0 && order->other_flags != NULL ? order->other_flags[number - 1]
                                                   : order->build_flags;
}

/* Builds all modules at once, by the driver's extension. */
SYCLZE_LOCAL ze_result_t syclze__build_program(syclze_context context, syclze_device device,
    const syclze_module_order *order, ze_module_handle_t *module) {
  size_t count = (size_t)order->other_count + 1;
  char *memory = (char *)calloc(count, sizeof(size_t) + 4 * sizeof(void *));
  *module = NULL;
  if (memory == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  size_t *sizes = (size_t *)(void *)memory;
  const uint8_t **inputs = (const uint8_t **)(void *)(sizes + count);
  const char **flags = (const char **)(void *)(inputs + count);
  const ze_module_constants_t **constants = (const ze_module_constants_t **)(void *)(flags + count);
  void **copies = (void **)(void *)(constants + count);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t i = 0; i < count; i++) {
    const syclze_candidate *candidate = i == 0 ? order->candidate : &order->others[i - 1];
    sizes[i] = candidate->module.size;
    inputs[i] = syclze__aligned(candidate->module, &copies[i]);
    flags[i] = syclze__order_flags(order, i);
    if (inputs[i] == NULL) result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  constants[0] = order->constants;
  SYCLZE__ZE_STRUCT(ze_module_program_exp_desc_t, desc, MODULE_PROGRAM_EXP_DESC);
  desc.count = (uint32_t)count;
  desc.inputSizes = sizes;
  desc.pInputModules = inputs;
  desc.pBuildFlags = flags;
  desc.pConstants = constants;
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__build_one(context, device, order->candidate, order->build_flags,
        order->constants, &desc, order, module);
  for (size_t i = 0; i < count; i++)
    free(copies[i]);
  free(memory);
  return result;
}

/* Builds one of several modules that are linked afterwards. */
SYCLZE_LOCAL ze_result_t syclze__build_library(syclze_context context, syclze_device device,
    const syclze_module_order *order, size_t number, ze_module_handle_t *module) {
  static const char library[] = " -library-compilation";
  const char *options = syclze__order_flags(order, number);
  if (options == NULL) options = "";
  size_t size = strlen(options) + sizeof library;
  char *flags = (char *)malloc(size);
  if (flags == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  snprintf(flags, size, "%s%s", options, library);
  ze_result_t result = syclze__build_one(context, device,
      number == 0 ? order->candidate : &order->others[number - 1], flags,
      number == 0 ? order->constants : NULL, NULL, order, module);
  free(flags);
  return result;
}

/* Builds one module after the other, then calls zeModuleDynamicLink. */
SYCLZE_LOCAL ze_result_t syclze__build_and_link(syclze_context context, syclze_device device,
    const syclze_module_order *order, ze_module_handle_t *module,
    struct syclze__linked_modules **linked) {
  size_t count = (size_t)order->other_count + 1;
  struct syclze__linked_modules *rep =
      (struct syclze__linked_modules *)calloc(1, sizeof *rep + count * sizeof *rep->modules);
  *module = NULL;
  *linked = NULL;
  if (rep == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  rep->attachment.end = syclze__linked_modules_end;
  rep->modules = (ze_module_handle_t *)(void *)(rep + 1);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < order->other_count && result == ZE_RESULT_SUCCESS; i++) {
    result = syclze__build_library(context, device, order, i + 1, &rep->modules[i]);
    rep->count += result == ZE_RESULT_SUCCESS;
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__build_library(context, device, order, 0, module);
  if (result == ZE_RESULT_SUCCESS) {
    ze_module_build_log_handle_t log = NULL;
    rep->modules[rep->count] = *module;
    result = SYCLZE__ZE(zeModuleDynamicLink)(rep->count + 1, rep->modules, &log);
    syclze__read_log(log, order);
  }
  if (result == ZE_RESULT_SUCCESS) {
    *linked = rep;
    return result;
  }
  if (*module != NULL) SYCLZE__ZE(zeModuleDestroy)(*module);
  *module = NULL;
  syclze__linked_modules_end(&rep->attachment);
  return result;
}

SYCLZE_COLD ze_result_t syclze_module_build(syclze_context context, syclze_device device,
    const syclze_module_order *order, syclze_kernel_bundle *bundle) {
  if (bundle != NULL) bundle->rep = NULL;
  if (bundle == NULL || order == NULL || order->candidate == NULL ||
      (order->others == NULL && order->other_count != 0))
    return syclze__fail_pointer("syclze_module_build", "a pointer is null");
  if (order->log != NULL && order->log_size != 0) order->log[0] = '\0';
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, "syclze_module_build", NULL);
  ze_module_handle_t module = NULL;
  struct syclze__linked_modules *linked = NULL;
  ze_result_t result;
  if (order->other_count == 0)
    result = syclze__build_one(context, device, order->candidate, order->build_flags,
        order->constants, NULL, order, &module);
  else if (order->candidate->format == ZE_MODULE_FORMAT_IL_SPIRV &&
           syclze__driver_accepts_programs(device.rep->platform->native))
    result = syclze__build_program(context, device, order, &module);
  else
    result = syclze__build_and_link(context, device, order, &module, &linked);
  if (result != ZE_RESULT_SUCCESS) return result;
  SYCLZE__ZEROED(syclze_kernel_bundle_input, input);
  input.native_handle = module;
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  result = syclze_make_kernel_bundle(&input, context, bundle);
  if (result == ZE_RESULT_SUCCESS) {
    if (linked != NULL) bundle->rep->attachment = &linked->attachment;
    return result;
  }
  if (order->log != NULL && order->log_size != 0 && order->log[0] == '\0')
    snprintf(order->log, order->log_size, "the driver leaves imports of the module unresolved");
  SYCLZE__ZE(zeModuleDestroy)(module);
  if (linked != NULL) syclze__linked_modules_end(&linked->attachment);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
