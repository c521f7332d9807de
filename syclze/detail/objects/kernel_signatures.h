/* The parameters of kernels for the debug checker, from the SPIR-V of their module. */
#ifndef SYCLZE_DETAIL_OBJECTS_KERNEL_SIGNATURES_H
#define SYCLZE_DETAIL_OBJECTS_KERNEL_SIGNATURES_H

#include "../check.h"
#include "kernel_names.h"

#if !SYCLZE__CHECKED

/* A module was built from SPIR-V. */
#define SYCLZE__CHECK_BUILT(module, spirv, size) ((void)0)
/* A bundle was made of a module; `bundle`, a pointer, is evaluated once. */
#define SYCLZE__CHECK_SIGN(bundle) ((void)(bundle))

#else

#include "../../offload/spirv.h"

#define SYCLZE__CHECK_BUILT(module, spirv, size) syclze__check_built(module, spirv, size)
#define SYCLZE__CHECK_SIGN(bundle)                                                                 \
  do {                                                                                             \
    struct syclze__kernel_bundle *signed_ = (bundle);                                              \
    signed_->names = syclze__check_sign(signed_->modules[0]);                                      \
  } while (0)

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__check_built(ze_module_handle_t module, const void *spirv, size_t size)
    SYCLZE_LINK_NAME(syclze__check_built);
/* zeModuleCreate, called by the application. */
SYCLZE_COLD ze_result_t syclze__check_module_create(ze_context_handle_t context,
    ze_device_handle_t device, const ze_module_desc_t *desc, ze_module_handle_t *module,
    ze_module_build_log_handle_t *build_log) SYCLZE_LINK_NAME(syclze__check_module_create);
/* The names of the module's kernels, with their parameters; null where these are unknown. */
SYCLZE_COLD struct syclze__kernel_names *syclze__check_sign(ze_module_handle_t module)
    SYCLZE_LINK_NAME(syclze__check_sign);

#if SYCLZE__BODIES

/* A kernel's signature, followed by its arguments and its name. */
struct syclze__signature {
  uint32_t size; /* in bytes, of all of these; 0 behind the last kernel */
  uint32_t argument_count;
};

SYCLZE_INLINE const syclze_spirv_argument *syclze__signature_arguments(
    const struct syclze__signature *signature) {
  return (const syclze_spirv_argument *)(const void *)(signature + 1);
}

SYCLZE_INLINE const char *syclze__signature_name(const struct syclze__signature *signature) {
  return (const char *)(syclze__signature_arguments(signature) + signature->argument_count);
}

SYCLZE_INLINE const struct syclze__signature *syclze__signature_next(
    const struct syclze__signature *signature) {
  return (
      const struct syclze__signature *)(const void *)((const char *)signature + signature->size);
}

SYCLZE_LOCAL size_t syclze__signature_size(const syclze_spirv_kernel *kernel) {
  const size_t size = sizeof(struct syclze__signature) +
                      kernel->argument_count * sizeof *kernel->arguments + strlen(kernel->name) + 1;
  return (size + 7) / 8 * 8;
}

/* Reads the signatures into one allocation, of `*size` bytes; null without memory, and if the code
 * is not SPIR-V. */
SYCLZE_LOCAL struct syclze__signature *syclze__signatures_read(
    const void *spirv, size_t spirv_size, size_t *size) {
  syclze_spirv_index index;
  *size = sizeof(struct syclze__signature);
  if (syclze__spirv_index_read(syclze_bytes_of(spirv, spirv_size), &index).result !=
      ZE_RESULT_SUCCESS)
    return NULL;
  for (uint32_t i = 0; i < index.kernel_count; i++)
    *size += syclze__signature_size(&index.kernels[i]);
  struct syclze__signature *all = (struct syclze__signature *)calloc(1, *size), *next = all;
  for (uint32_t i = 0; all != NULL && i < index.kernel_count; i++) {
    const syclze_spirv_kernel *kernel = &index.kernels[i];
    next->size = (uint32_t)syclze__signature_size(kernel);
    next->argument_count = kernel->argument_count;
    char *at = (char *)(next + 1);
    memcpy(at, kernel->arguments, kernel->argument_count * sizeof *kernel->arguments);
    strcpy(at + kernel->argument_count * sizeof *kernel->arguments, kernel->name);
    next = (struct syclze__signature *)(void *)((char *)next + next->size);
  }
  syclze_spirv_index_end(&index);
  return all;
}

SYCLZE_COLD void syclze__check_built(ze_module_handle_t module, const void *spirv, size_t size) {
  size_t signatures_size;
  struct syclze__signature *signatures = syclze__signatures_read(spirv, size, &signatures_size);
  if (signatures != NULL) syclze__check_keep_module(module, signatures, signatures_size);
}

SYCLZE_COLD ze_result_t syclze__check_module_create(ze_context_handle_t context,
    ze_device_handle_t device, const ze_module_desc_t *desc, ze_module_handle_t *module,
    ze_module_build_log_handle_t *build_log) {
  const ze_result_t result = SYCLZE__ZE(zeModuleCreate)(context, device, desc, module, build_log);
  if (result == ZE_RESULT_SUCCESS && desc->format == ZE_MODULE_FORMAT_IL_SPIRV)
    syclze__check_built(*module, desc->pInputModule, desc->inputSize);
  return result;
}

/* False if a signature's kernel is not among the names: the handle has become another module's.
 */
SYCLZE_LOCAL bool syclze__signatures_are_of(
    const struct syclze__signature *signature, const struct syclze__kernel_names *names) {
  for (; signature->size != 0; signature = syclze__signature_next(signature)) {
    const char *name = syclze__signature_name(signature);
    size_t i = 0;
    while (i < names->count && strcmp(names->name[i].text, name) != 0)
      i++;
    if (i == names->count) return false;
  }
  return true;
}

/* Replaces the names with one allocation of names and signatures. */
SYCLZE_LOCAL struct syclze__kernel_names *syclze__kernel_names_sign(
    struct syclze__kernel_names *names, const struct syclze__built_module *built) {
  size_t texts = sizeof *names + names->count * sizeof *names->name;
  for (size_t i = 0; i < names->count; i++)
    texts += names->name[i].size;
  texts = (texts + 7) / 8 * 8;
  char *memory = (char *)calloc(1, texts + built->size);
  struct syclze__kernel_names *joined = (struct syclze__kernel_names *)(void *)memory;
  if (memory != NULL) {
    *joined = *names;
    for (size_t i = 0; i < names->count; i++) {
      const size_t offset = (size_t)(names->name[i].text - (const char *)names);
      joined->name[i] = names->name[i];
      memcpy(memory + offset, names->name[i].text, names->name[i].size);
      joined->name[i].text = memory + offset;
    }
    memcpy(memory + texts, built->signatures, built->size);
    joined->signatures = memory + texts;
  }
  free(names);
  return joined;
}

/* The parameters of the module's kernel of this name; null if unknown. */
SYCLZE_LOCAL const struct syclze__signature *syclze__signature_in(
    const struct syclze__kernel_names *names, const char *name) {
  const struct syclze__signature *signature =
      names != NULL ? (const struct syclze__signature *)names->signatures : NULL;
  while (signature != NULL && signature->size != 0 &&
         strcmp(syclze__signature_name(signature), name) != 0)
    signature = syclze__signature_next(signature);
  return signature != NULL && signature->size != 0 ? signature : NULL;
}

SYCLZE_COLD struct syclze__kernel_names *syclze__check_sign(ze_module_handle_t module) {
  struct syclze__kernel_names *names;
  if (syclze__kernel_names_get(module, &names) != ZE_RESULT_SUCCESS) return NULL;
  struct syclze__checker *checker = syclze__checker_locked();
  if (checker == NULL) return names;
  const struct syclze__built_module *built = *syclze__check_find_module(checker, module);
  if (built != NULL &&
      syclze__signatures_are_of((const struct syclze__signature *)built->signatures, names))
    names = syclze__kernel_names_sign(names, built);
  syclze__lock_release(&checker->lock);
  return names;
}

#endif

SYCLZE_EXTERN_C_END

#endif

#endif
