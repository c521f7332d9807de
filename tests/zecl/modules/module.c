#include "modules/module.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "modules/build_log.h"

#include <string.h>

/* A module of SPIR-V as zeModuleGetNativeBinary gives it: this, the build flags with their
 * terminator, zeros up to a word, the words with their constants. */
struct binary_head {
  char magic[8];
  uint32_t flags_size; /* with terminator and zeros: a multiple of 4 */
  uint32_t words_size; /* bytes */
};

static const char binary_magic[8] = {'Z', 'E', 'C', 'L', 'S', 'P', 'V', '1'};

static bool is_binary(const void *bytes, size_t size) {
  return size >= sizeof(struct binary_head) &&
         memcmp(bytes, binary_magic, sizeof binary_magic) == 0;
}

static ze_result_t load_binary(
    struct zecl_module *module, const uint8_t *bytes, size_t size, struct zecl_text *log) {
  struct binary_head head;
  memcpy(&head, bytes, sizeof head);
  const char *flags = (const char *)bytes + sizeof head;
  if (head.flags_size == 0 || (uint64_t)head.flags_size + head.words_size != size - sizeof head ||
      flags[head.flags_size - 1] != 0) {
    zecl_text_add(log, "a native binary of this driver, cut short or changed\n");
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
  return zecl_program_get(
      flags + head.flags_size, head.words_size, NULL, flags, NULL, log, &module->program);
}

struct extension { /* how every extension of a descriptor begins */
  ze_structure_type_t stype;
  const void *pNext;
};

/* Several modules for one take the place of the descriptor's own. */
static const ze_module_program_exp_desc_t *several_of(const ze_module_desc_t *desc) {
  for (const struct extension *e = desc->pNext; e; e = e->pNext)
    if (e->stype == ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC)
      return (const ze_module_program_exp_desc_t *)(const void *)e;
  return NULL;
}

static ze_result_t load(
    struct zecl_module *module, const ze_module_desc_t *desc, struct zecl_text *log) {
  const ze_module_program_exp_desc_t *several = several_of(desc);
  if (several) return zecl_program_get_joined(several, log, &module->program);
  if (desc->format == ZE_MODULE_FORMAT_IL_SPIRV)
    return zecl_program_get(desc->pInputModule, desc->inputSize, desc->pConstants,
        desc->pBuildFlags, NULL, log, &module->program);
  if (is_binary(desc->pInputModule, desc->inputSize))
    return load_binary(module, desc->pInputModule, desc->inputSize, log);
  if (zecl_engine()->program_load)
    return zecl_native_load_binary(desc->pInputModule, desc->inputSize, log, &module->native);
  if (zecl_native_is_elf(desc->pInputModule, desc->inputSize))
    return zecl_native_load(desc->pInputModule, desc->inputSize, log, &module->native);
  zecl_text_add(log, "neither a shared object nor a native binary of this driver\n");
  return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
}

static void finish(void *object) {
  struct zecl_module *module = object;
  struct zecl_program *linked = atomic_load(&module->linked);
  if (linked) zecl_program_release(linked);
  if (module->program) zecl_program_release(module->program);
  if (module->native) zecl_native_free(module->native);
  if (module->context) zecl_context_release(module->context);
}

void zecl_module_release(struct zecl_module *module) {
  zecl_object_release(module, sizeof *module, finish);
}

static ze_result_t check_constants(const ze_module_constants_t *constants) {
  if (constants && constants->numConstants) {
    ZECL_CHECK_POINTER(constants->pConstantIds);
    ZECL_CHECK_POINTER(constants->pConstantValues);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_several(const ze_module_program_exp_desc_t *several) {
  ZECL_CHECK_POINTER(several->inputSizes);
  ZECL_CHECK_POINTER(several->pInputModules);
  ZECL_REQUIRE(several->count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  for (uint32_t i = 0; i < several->count; i++) {
    ZECL_CHECK_POINTER(several->pInputModules[i]);
    ZECL_REQUIRE(several->inputSizes[i] != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    if (several->pConstants) ZECL_TRY(check_constants(several->pConstants[i]));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t check_desc(
    struct zecl_context *context, struct zecl_device *device, const ze_module_desc_t *desc) {
  ZECL_CHECK_POINTER(desc);
  ZECL_REQUIRE(context->driver == device->driver, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(desc->format == ZE_MODULE_FORMAT_IL_SPIRV || desc->format == ZE_MODULE_FORMAT_NATIVE,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  const ze_module_program_exp_desc_t *several = several_of(desc);
  if (several) {
    ZECL_REQUIRE(desc->format == ZE_MODULE_FORMAT_IL_SPIRV, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return check_several(several);
  }
  ZECL_CHECK_POINTER(desc->pInputModule);
  ZECL_REQUIRE(desc->inputSize != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  return check_constants(desc->pConstants);
}

ze_result_t zecl_zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *handle,
    ze_module_build_log_handle_t *log_handle) {
  ZECL_ENTER(zeModuleCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  if (log_handle) *log_handle = NULL;
  ZECL_TRY(check_desc(zecl_context_of(context), zecl_device_of(device), desc));
  struct zecl_module *module = zecl_object_create(ZECL_MODULE, sizeof *module);
  if (!module) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct zecl_text log = {0};
  ze_result_t result = load(module, desc, &log);
  if (!zecl_build_log_create(&log, log_handle) && result == ZE_RESULT_SUCCESS)
    result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (result != ZE_RESULT_SUCCESS) {
    zecl_object_kill(module, ZECL_MODULE);
    zecl_module_release(module);
    return result;
  }
  module->context = zecl_context_of(context);
  zecl_object_retain(module->context);
  module->device = zecl_device_of(device);
  *handle = (ze_module_handle_t)(void *)module;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeModuleDestroy(ze_module_handle_t handle) {
  ZECL_ENTER(zeModuleDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_MODULE);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_MODULE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_module_release(zecl_module_of(handle));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeModuleGetNativeBinary(ze_module_handle_t handle, size_t *size, uint8_t *binary) {
  ZECL_ENTER(zeModuleGetNativeBinary);
  ZECL_CHECK_HANDLE(handle, ZECL_MODULE);
  ZECL_CHECK_POINTER(size);
  const struct zecl_module *module = zecl_module_of(handle);
  const struct zecl_program *program = module->program;
  struct binary_head head = {{0}, 0, 0};
  if (program) {
    memcpy(head.magic, binary_magic, sizeof binary_magic);
    head.flags_size = (uint32_t)(strlen(program->flags) / 4 + 1) * 4;
    head.words_size = (uint32_t)(program->spirv.word_count * sizeof *program->spirv.words);
  }
  const size_t whole =
      program ? sizeof head + head.flags_size + head.words_size : module->native->size;
  if (binary) {
    ZECL_REQUIRE(*size >= whole, ZE_RESULT_ERROR_INVALID_SIZE);
    if (program) {
      memcpy(binary, &head, sizeof head);
      memset(binary + sizeof head, 0, head.flags_size);
      memcpy(binary + sizeof head, program->flags, strlen(program->flags));
      memcpy(binary + sizeof head + head.flags_size, program->spirv.words, head.words_size);
    } else {
      memcpy(binary, module->native->bytes, whole);
    }
  }
  *size = whole;
  return ZE_RESULT_SUCCESS;
}
