/* Queries of modules: names, properties, addresses. */
#include "modules/module.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "spirv/global.h"

#include <string.h>

bool zecl_module_is_linked(struct zecl_module *module) {
  if (module->program)
    return module->program->spirv.import_count == 0 || atomic_load(&module->linked);
  for (uint32_t i = 0; i < module->native->import_count; i++)
    if (!module->native->imports[i].is_bound) return false;
  return true;
}

uint32_t zecl_module_kernel_count(const struct zecl_module *module) {
  return module->program ? module->program->function_count : module->native->function_count;
}

const char *zecl_module_kernel_name(const struct zecl_module *module, uint32_t index) {
  return module->program ? module->program->functions[index].name
                         : module->native->functions[index].name;
}

static struct zecl_function *find(
    struct zecl_function *functions, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(functions[i].name, name) == 0) return &functions[i];
  return NULL;
}

struct zecl_function *zecl_module_function(struct zecl_module *module, const char *name) {
  if (module->native) return find(module->native->functions, module->native->function_count, name);
  struct zecl_function *own =
      find(module->program->functions, module->program->function_count, name);
  struct zecl_program *linked = atomic_load(&module->linked);
  return own && linked ? find(linked->functions, linked->function_count, name) : own;
}

const char *zecl_module_import(const struct zecl_module *module, uint32_t index) {
  if (module->native)
    return index < module->native->import_count ? module->native->imports[index].name : NULL;
  const struct zecl_spirv *spirv = &module->program->spirv;
  return index < spirv->import_count ? spirv->imports[index].name : NULL;
}

const char *zecl_module_export(const struct zecl_module *module, uint32_t index) {
  if (module->native)
    return index < module->native->export_count ? module->native->exports[index] : NULL;
  const struct zecl_spirv *spirv = &module->program->spirv;
  return index < spirv->export_count ? spirv->exports[index].name : NULL;
}

ze_result_t zecl_zeModuleGetKernelNames(
    ze_module_handle_t handle, uint32_t *count, const char **names) {
  ZECL_ENTER(zeModuleGetKernelNames);
  ZECL_CHECK_HANDLE(handle, ZECL_MODULE);
  ZECL_CHECK_POINTER(count);
  const struct zecl_module *module = zecl_module_of(handle);
  const uint32_t wanted = zecl_count_out(count, zecl_module_kernel_count(module));
  for (uint32_t i = 0; names && i < wanted; i++)
    names[i] = zecl_module_kernel_name(module, i);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeModuleGetProperties(
    ze_module_handle_t handle, ze_module_properties_t *properties) {
  ZECL_ENTER(zeModuleGetProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_MODULE);
  ZECL_CHECK_POINTER(properties);
  /* Linking does not clear the flag, as on Intel's driver. */
  properties->flags =
      zecl_module_import(zecl_module_of(handle), 0) ? ZE_MODULE_PROPERTY_FLAG_IMPORTS : 0;
  return ZE_RESULT_SUCCESS;
}

static const struct zecl_spirv_symbol *exported(
    const struct zecl_module *module, const char *name, bool is_function) {
  const struct zecl_spirv *spirv = &module->program->spirv;
  for (uint32_t i = 0; i < spirv->export_count; i++)
    if (spirv->exports[i].is_function == is_function && strcmp(spirv->exports[i].name, name) == 0)
      return &spirv->exports[i];
  return NULL;
}

/* The address of the variable `id`, or, if that is 0, of the object exported under the name. */
static void *program_address(const struct zecl_program *program, const char *name, uint32_t id,
    bool is_function, size_t *size) {
  for (uint32_t i = 0; program->globals && i < program->spirv.global_count; i++) {
    const struct zecl_spirv_global *global = &program->spirv.globals[i];
    const bool is_it = id ? global->id == id : global->name && strcmp(global->name, name) == 0;
    if (global->is_function != is_function || !is_it) continue;
    if (size) *size = global->size;
    return program->globals[i]->bytes;
  }
  return NULL;
}

/* Functions have addresses if a kernel could call through them: in a program of SPIR-V that has
 * such calls, itself or linked. OpenCL gives no addresses of kernels. */
static ze_result_t spirv_function(struct zecl_module *module, const char *name, void **pointer) {
  ZECL_REQUIRE(!zecl_module_function(module, name), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_REQUIRE(exported(module, name, true), ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
  const struct zecl_program *linked = atomic_load(&module->linked);
  *pointer = program_address(linked ? linked : module->program, name, 0, true, NULL);
  return *pointer ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t zecl_zeModuleGetFunctionPointer(
    ze_module_handle_t handle, const char *name, void **pointer) {
  ZECL_ENTER(zeModuleGetFunctionPointer);
  ZECL_CHECK_HANDLE(handle, ZECL_MODULE);
  ZECL_CHECK_POINTER(name);
  ZECL_CHECK_POINTER(pointer);
  struct zecl_module *module = zecl_module_of(handle);
  *pointer = NULL;
  if (module->program) return spirv_function(module, name, pointer);
  const struct zecl_function *kernel = zecl_module_function(module, name);
  if (kernel && kernel->native)
    memcpy(pointer, &kernel->native, sizeof *pointer);
  else
    *pointer = zecl_native_symbol(module->native, name, true, NULL);
  return *pointer ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_FUNCTION_NAME;
}

/* The address of a variable on the device, if the engine keeps variables there; else null. */
static void *engine_address(const struct zecl_module *module, const char *name, size_t *size) {
  const struct zecl_engine *engine = zecl_engine();
  const struct zecl_program *linked = atomic_load(&module->linked);
  struct zecl_engine_program *program = module->native ? module->native->program
                                        : linked       ? linked->program
                                                       : module->program->program;
  return engine->program_variable && program
             ? engine->program_variable(program, module->device->engine_index, name, size)
             : NULL;
}

/* A variable whose first value refers to an address is left to the engine, which does not report
 * where it is. */
ze_result_t zecl_zeModuleGetGlobalPointer(
    ze_module_handle_t handle, const char *name, size_t *size, void **pointer) {
  ZECL_ENTER(zeModuleGetGlobalPointer);
  ZECL_CHECK_HANDLE(handle, ZECL_MODULE);
  ZECL_CHECK_POINTER(name);
  const struct zecl_module *module = zecl_module_of(handle);
  const uint32_t id =
      module->program ? zecl_spirv_host_variable(&module->program->spirv, &name) : 0;
  void *address = engine_address(module, name, size);
  if (!address)
    address = module->program ? program_address(module->program, name, id, false, size)
                              : zecl_native_symbol(module->native, name, false, size);
  ZECL_REQUIRE(address || !module->program || (!id && !exported(module, name, false)),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  if (pointer) *pointer = address;
  return address ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
}
