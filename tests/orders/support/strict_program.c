/* Modules and kernels. Any input is a module that has every kernel of the table. */
#include "strict_object.h"

const struct strict_kernel *strict_kernels;
const struct strict_variable *strict_variables;
void (*strict_on_build)(const ze_module_desc_t *desc);

enum { VARIABLES = 8 };

struct strict_module {
  struct strict_object object;
  struct strict_memory *variables[VARIABLES]; /* from the first query on */
};

ze_result_t ZE_APICALL zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module, ze_module_build_log_handle_t *log) {
  STRICT_ENTER();
  (void)device;
  if (strict_on_build != NULL) strict_on_build(desc);
  strict_lock();
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, __func__);
  *module = strict_object_new(sizeof(struct strict_module), STRICT_MODULE, parent);
  if (log != NULL) *log = strict_object_new(sizeof *parent, STRICT_BUILD_LOG, NULL);
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleDestroy(ze_module_handle_t module) {
  STRICT_ENTER();
  strict_lock();
  struct strict_object *object = strict_object(module, STRICT_MODULE, __func__);
  if (object != NULL) strict_memory_free_of(object, __func__);
  ze_result_t result = strict_object_destroy(module, STRICT_MODULE, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeModuleBuildLogDestroy(ze_module_build_log_handle_t log) {
  STRICT_ENTER();
  strict_lock();
  ze_result_t result = strict_object_destroy(log, STRICT_BUILD_LOG, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeModuleBuildLogGetString(
    ze_module_build_log_handle_t log, size_t *size, char *text) {
  STRICT_ENTER();
  (void)log;
  if (text != NULL && *size > 0) text[0] = 0;
  *size = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetProperties(
    ze_module_handle_t module, ze_module_properties_t *properties) {
  STRICT_ENTER();
  (void)module;
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleDynamicLink(
    uint32_t count, ze_module_handle_t *modules, ze_module_build_log_handle_t *log) {
  STRICT_ENTER();
  (void)count;
  (void)modules;
  strict_lock();
  if (log != NULL) *log = strict_object_new(sizeof(struct strict_object), STRICT_BUILD_LOG, NULL);
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetGlobalPointer(
    ze_module_handle_t module, const char *name, size_t *size, void **pointer) {
  STRICT_ENTER();
  uint32_t n = 0;
  while (strict_variables != NULL && strict_variables[n].name != NULL &&
         strcmp(strict_variables[n].name, name) != 0)
    n++;
  if (strict_variables == NULL || strict_variables[n].name == NULL)
    return ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
  strict_lock();
  struct strict_module *object = strict_object(module, STRICT_MODULE, __func__);
  if (object->variables[n] == NULL)
    object->variables[n] =
        strict_memory_new(&object->object, NULL, ZE_MEMORY_TYPE_DEVICE, strict_variables[n].size);
  if (size != NULL) *size = strict_variables[n].size;
  if (pointer != NULL) *pointer = object->variables[n]->bytes;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetNativeBinary(
    ze_module_handle_t module, size_t *size, uint8_t *binary) {
  STRICT_ENTER();
  (void)module;
  if (binary != NULL && *size >= 4) memcpy(binary, "bin", 4);
  *size = 4;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeModuleGetKernelNames(
    ze_module_handle_t module, uint32_t *count, const char **names) {
  STRICT_ENTER();
  (void)module;
  uint32_t n = 0;
  while (strict_kernels != NULL && strict_kernels[n].name != NULL)
    n++;
  for (uint32_t i = 0; names != NULL && i < *count && i < n; i++)
    names[i] = strict_kernels[i].name;
  if (names == NULL || *count > n) *count = n;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelCreate(
    ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel) {
  STRICT_ENTER();
  const struct strict_kernel *entry = strict_kernels;
  while (entry != NULL && entry->name != NULL && strcmp(entry->name, desc->pKernelName) != 0)
    entry++;
  if (entry == NULL || entry->name == NULL) return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  strict_lock();
  struct strict_object *parent = strict_object(module, STRICT_MODULE, __func__);
  struct strict_program_kernel *made = strict_object_new(sizeof *made, STRICT_KERNEL, parent);
  made->entry = entry;
  *kernel = (ze_kernel_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelDestroy(ze_kernel_handle_t kernel) {
  STRICT_ENTER();
  strict_lock();
  ze_result_t result = strict_object_destroy(kernel, STRICT_KERNEL, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeKernelGetName(ze_kernel_handle_t kernel, size_t *size, char *name) {
  STRICT_ENTER();
  const char *of = ((struct strict_program_kernel *)(void *)kernel)->entry->name;
  const size_t needed = strlen(of) + 1;
  if (name != NULL && *size >= needed) memcpy(name, of, needed);
  *size = needed;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelGetProperties(
    ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  STRICT_ENTER();
  (void)kernel;
  (void)properties;
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t ZE_APICALL zeKernelSetArgumentValue(
    ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  STRICT_ENTER();
  strict_alone_begin(kernel, __func__);
  strict_lock();
  struct strict_program_kernel *object = strict_object(kernel, STRICT_KERNEL, __func__);
  if (object != NULL && index < STRICT_ARGUMENTS && size <= STRICT_ARGUMENT_SIZE) {
    memset(object->values.bytes[index], 0, STRICT_ARGUMENT_SIZE);
    if (value != NULL) memcpy(object->values.bytes[index], value, size);
    if (object->values.count <= index) object->values.count = index + 1;
  }
  strict_unlock();
  strict_alone_end(kernel);
  return ZE_RESULT_SUCCESS;
}

static void set_triple(uint32_t *triple, uint32_t x, uint32_t y, uint32_t z) {
  triple[0] = x;
  triple[1] = y;
  triple[2] = z;
}

ze_result_t ZE_APICALL zeKernelSetGroupSize(
    ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  STRICT_ENTER();
  strict_alone_begin(kernel, __func__);
  strict_lock();
  struct strict_program_kernel *object = strict_object(kernel, STRICT_KERNEL, __func__);
  if (object != NULL) set_triple(object->shape.local, x, y, z);
  strict_unlock();
  strict_alone_end(kernel);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetGlobalOffsetExp(
    ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  STRICT_ENTER();
  strict_alone_begin(kernel, __func__);
  strict_lock();
  struct strict_program_kernel *object = strict_object(kernel, STRICT_KERNEL, __func__);
  if (object != NULL) set_triple(object->shape.offset, x, y, z);
  strict_unlock();
  strict_alone_end(kernel);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetIndirectAccess(
    ze_kernel_handle_t kernel, ze_kernel_indirect_access_flags_t flags) {
  STRICT_ENTER();
  (void)kernel;
  (void)flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t gx, uint32_t gy,
    uint32_t gz, uint32_t *x, uint32_t *y, uint32_t *z) {
  STRICT_ENTER();
  (void)kernel;
  /* Two where that divides the range. */
  *x = gx % 2 == 0 ? 2 : 1;
  *y = gy % 2 == 0 ? 2 : 1;
  *z = gz % 2 == 0 ? 2 : 1;
  return ZE_RESULT_SUCCESS;
}
