/* Modules, build logs and kernels of the fake. zeModuleCreate accepts kernel names separated by
   spaces in place of SPIR-V; a text that begins with '!' fails to build, and the rest is the
   log. */
#include "fake_object.h"

#include "memory.h"

#include <string.h>

static char *copy_text(const char *text, size_t length) {
  char *copy = (char *)__real_malloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static struct fake_object *new_module(
    struct fake_object *context, const char *names, size_t length) {
  struct fake_object *module = fake_new(FAKE_MODULE, context);
  module->text = copy_text(names, length);
  char *rest = module->text;
  for (;;) {
    rest += strspn(rest, " ");
    if (*rest == '\0') return module;
    module->names[module->name_count++] = rest;
    rest += strcspn(rest, " ");
    if (*rest != '\0') *rest++ = '\0';
  }
}

ze_module_handle_t fake_module(ze_context_handle_t context, const char *names) {
  return (ze_module_handle_t)(void *)new_module(
      fake_check(context, FAKE_CONTEXT, __func__), names, strlen(names));
}

void fake_module_import(ze_module_handle_t module, int linked) {
  struct fake_object *object = fake_check(module, FAKE_MODULE, __func__);
  object->imports = 1;
  object->unlinked = !linked;
}

static struct fake_object *new_kernel(struct fake_object *module, const char *name) {
  struct fake_object *kernel = fake_new(FAKE_KERNEL, module);
  kernel->text = copy_text(name, strlen(name));
  return kernel;
}

ze_kernel_handle_t fake_kernel(ze_module_handle_t module, const char *name) {
  return (ze_kernel_handle_t)(void *)new_kernel(fake_check(module, FAKE_MODULE, __func__), name);
}

ze_result_t ZE_APICALL zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module,
    ze_module_build_log_handle_t *build_log) {
  FAKE_ENTER(zeModuleCreate);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  FAKE_OBJECT(on, device, FAKE_DEVICE);
  (void)on;
  if (desc->stype != ZE_STRUCTURE_TYPE_MODULE_DESC) fake_misuse("zeModuleCreate: no stype");
  fake_seen.module_format = desc->format;
  fake_seen.build_flags = desc->pBuildFlags;
  fake_seen.constants = desc->pConstants;
  const char *text = (const char *)desc->pInputModule;
  int failed = desc->inputSize != 0 && text[0] == '!';
  if (build_log != NULL && !fake.silent_build) {
    struct fake_object *log = fake_new(FAKE_BUILD_LOG, parent);
    log->text = copy_text(text + failed, desc->inputSize - (size_t)failed);
    *build_log = (ze_module_build_log_handle_t)(void *)log;
  }
  if (failed) return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  struct fake_object *object = new_module(parent, text, desc->inputSize);
  object->imports = object->unlinked = fake.build_imports != NULL;
  *module = (ze_module_handle_t)(void *)object;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleDestroy(ze_module_handle_t module) {
  FAKE_ENTER(zeModuleDestroy);
  return fake_end_object(module, FAKE_MODULE, __func__);
}

ze_result_t ZE_APICALL zeModuleGetProperties(
    ze_module_handle_t module, ze_module_properties_t *properties) {
  FAKE_ENTER(zeModuleGetProperties);
  FAKE_OBJECT(object, module, FAKE_MODULE);
  if (properties->stype != ZE_STRUCTURE_TYPE_MODULE_PROPERTIES || properties->pNext != NULL)
    fake_misuse("zeModuleGetProperties: no stype, or a pNext");
  properties->flags = object->imports ? ZE_MODULE_PROPERTY_FLAG_IMPORTS : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetKernelNames(
    ze_module_handle_t module, uint32_t *count, const char **names) {
  FAKE_ENTER(zeModuleGetKernelNames);
  FAKE_OBJECT(object, module, FAKE_MODULE);
  if (*count == 0 || *count > object->name_count) *count = object->name_count;
  for (uint32_t i = 0; names != NULL && i < *count; i++)
    names[i] = object->names[i];
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleBuildLogGetString(
    ze_module_build_log_handle_t build_log, size_t *size, char *text) {
  if (text != NULL) text[0] = '?'; /* where that fails, too */
  FAKE_ENTER(zeModuleBuildLogGetString);
  FAKE_OBJECT(object, build_log, FAKE_BUILD_LOG);
  size_t needed = fake.empty_log ? 0 : strlen(object->text) + 1;
  if (text != NULL && *size < needed) return ZE_RESULT_ERROR_INVALID_SIZE;
  *size = needed;
  if (text != NULL) memcpy(text, object->text, needed);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleBuildLogDestroy(ze_module_build_log_handle_t build_log) {
  FAKE_ENTER(zeModuleBuildLogDestroy);
  return fake_end_object(build_log, FAKE_BUILD_LOG, __func__);
}

ze_result_t ZE_APICALL zeKernelCreate(
    ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel) {
  FAKE_ENTER(zeKernelCreate);
  FAKE_OBJECT(object, module, FAKE_MODULE);
  if (desc->stype != ZE_STRUCTURE_TYPE_KERNEL_DESC) fake_misuse("zeKernelCreate: no stype");
  if (object->unlinked) return ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED;
  for (uint32_t i = 0; i < object->name_count; i++)
    if (strcmp(object->names[i], desc->pKernelName) == 0) {
      *kernel = (ze_kernel_handle_t)(void *)new_kernel(object, desc->pKernelName);
      return ZE_RESULT_SUCCESS;
    }
  return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

ze_result_t ZE_APICALL zeKernelDestroy(ze_kernel_handle_t kernel) {
  FAKE_ENTER(zeKernelDestroy);
  return fake_end_object(kernel, FAKE_KERNEL, __func__);
}

ze_result_t ZE_APICALL zeKernelSetIndirectAccess(
    ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t flags) {
  FAKE_ENTER(zeKernelSetIndirectAccess);
  FAKE_OBJECT(object, kernel, FAKE_KERNEL);
  (void)object;
  fake_seen.indirect_access = flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name) {
  FAKE_ENTER(zeKernelGetName);
  FAKE_OBJECT(object, kernel, FAKE_KERNEL);
  size_t needed = strlen(object->text) + 1;
  if (name != NULL && *size < needed) {
    memcpy(name, object->text, *size);
    return ZE_RESULT_SUCCESS;
  }
  if (name == NULL || !fake.name_size_unchanged) *size = needed;
  if (name != NULL) memcpy(name, object->text, needed);
  return ZE_RESULT_SUCCESS;
}

/* A module's names are those of its variables, too: each has eight bytes. */
ze_result_t ZE_APICALL zeModuleGetGlobalPointer(
    ze_module_handle_t module, const char *name, size_t *size, void **pointer) {
  *pointer = &fake; /* where that fails, too */
  FAKE_ENTER(zeModuleGetGlobalPointer);
  FAKE_OBJECT(object, module, FAKE_MODULE);
  for (uint32_t i = 0; i < object->name_count; i++)
    if (strcmp(object->names[i], name) == 0) {
      *size = 8;
      *pointer = object->text;
      return ZE_RESULT_SUCCESS;
    }
  return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
}
