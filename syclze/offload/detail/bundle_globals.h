/* Device globals of a program's bundles, and the variables in the bundles' modules. */
#include "../program.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_BUNDLE_GLOBALS_H
#define SYCLZE_OFFLOAD_DETAIL_BUNDLE_GLOBALS_H

#include "program_globals.h"

SYCLZE_EXTERN_C_BEGIN

/* Device globals of a bundle: the memory that its variables point to, and the images that the
 * bundle's image was linked with, which may also have variables. */
struct syclze__bundle_globals {
  struct syclze__attachment attachment;
  struct syclze__attachment *other; /* the bundle's previous one; null for none */
  struct syclze__program_globals *globals;
  const ze_module_handle_t *modules; /* of the images below; null: all are in the bundle's module */
  uint32_t image_count;
  syclze_offload_image *images; /* behind the struct */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__bundle_globals_end(struct syclze__attachment *attachment) {
  struct syclze__bundle_globals *kept = (struct syclze__bundle_globals *)(void *)attachment;
  ze_result_t result = syclze__program_globals_release(kept->globals);
  ze_result_t ended = kept->other != NULL ? kept->other->end(kept->other) : ZE_RESULT_SUCCESS;
  free(kept);
  return result != ZE_RESULT_SUCCESS ? result : ended;
}

/* The module of an image that a bundle was made of: 0 is the bundle's own. */
SYCLZE_LOCAL ze_module_handle_t syclze__bundle_module(
    const struct syclze__kernel_bundle *bundle, uint32_t image) {
  const struct syclze__bundle_globals *kept =
      (const struct syclze__bundle_globals *)(const void *)bundle->attachment;
  return image == 0 || kept->modules == NULL ? bundle->modules[0] : kept->modules[image - 1];
}

/* Attaches the device globals to a new bundle; null without memory. */
SYCLZE_LOCAL struct syclze__bundle_globals *syclze__bundle_globals_attach(
    struct syclze__program_globals *globals, const syclze_module_order *order,
    struct syclze__kernel_bundle *bundle) {
  struct syclze__bundle_globals *kept = (struct syclze__bundle_globals *)calloc(
      1, sizeof *kept + order->other_count * sizeof *kept->images);
  if (kept == NULL) return NULL;
  kept->attachment.end = syclze__bundle_globals_end;
  kept->other = bundle->attachment;
  /* The previous attachment of a bundle is the modules that it was linked with. */
  if (kept->other != NULL)
    kept->modules = ((const struct syclze__linked_modules *)(const void *)kept->other)->modules;
  kept->globals = globals;
  kept->image_count = order->other_count;
  kept->images = (syclze_offload_image *)(void *)(kept + 1);
  for (uint32_t i = 0; i < order->other_count; i++)
    kept->images[i] = order->others[i].image;
  __atomic_fetch_add(&kept->globals->count, 1, __ATOMIC_RELAXED);
  bundle->attachment = &kept->attachment;
  return kept;
}

/* Attaches the device globals to a bundle, and stores the pointers in its modules. */
SYCLZE_LOCAL ze_result_t syclze__bundle_globals_store(struct syclze__program_globals *globals,
    struct syclze__device *device, const syclze_module_order *order,
    struct syclze__kernel_bundle *bundle) {
  const struct syclze__bundle_globals *kept = syclze__bundle_globals_attach(globals, order, bundle);
  ze_command_list_handle_t list = NULL;
  if (kept == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i <= kept->image_count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__globals_store(globals, device,
        i == 0 ? &order->candidate->image : &kept->images[i - 1], syclze__bundle_module(bundle, i),
        &list);
  if (list == NULL) return result;
  return syclze__first_error(result, SYCLZE__ZE(zeCommandListDestroy)(list));
}

/* Finds a variable that no image describes, in the first of a bundle's modules that exports it. */
SYCLZE_LOCAL ze_result_t syclze__bundle_exported_global(
    const struct syclze__kernel_bundle *bundle, const char *name, size_t *size, void **pointer) {
  const struct syclze__bundle_globals *kept =
      (const struct syclze__bundle_globals *)(const void *)bundle->attachment;
  uint32_t count = kept->modules != NULL ? kept->image_count : 0;
  ze_result_t result = ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
  for (uint32_t i = 0; i <= count && result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME; i++)
    result =
        SYCLZE__ZE(zeModuleGetGlobalPointer)(syclze__bundle_module(bundle, i), name, size, pointer);
  return result;
}

/* Finds a variable of a bundle's image, or of the images that it was linked with. */
SYCLZE_LOCAL struct syclze__status syclze__bundle_global(const struct syclze__kernel_bundle *bundle,
    const syclze_offload_image *own, const struct syclze__device *device, const char *name,
    size_t *size, void **pointer) {
  const struct syclze__bundle_globals *kept =
      (const struct syclze__bundle_globals *)(const void *)bundle->attachment;
  const char *rule = "zeModuleGetGlobalPointer does not find the variable";
  struct syclze__image_global global;
  bool is_described = false;
  uint32_t image = 0;
  ze_result_t result = syclze__image_global_find(own, name, &global, &is_described);
  while (result == ZE_RESULT_SUCCESS && !is_described && image < kept->image_count)
    result = syclze__image_global_find(&kept->images[image++], name, &global, &is_described);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "no memory for the image's properties");
  if (!is_described)
    return syclze__status_of(syclze__bundle_exported_global(bundle, name, size, pointer), rule);
  if (!global.is_pointer)
    return syclze__status_of(
        syclze__module_global(syclze__bundle_module(bundle, image), &global, size, pointer), rule);
  if (syclze__global_memory_of(kept->globals, device, global.id, pointer, size))
    return syclze__allowed();
  return syclze__unsupported(
      "the variable has no device_image_scope, and the module no pointer for it");
}

#endif

SYCLZE_EXTERN_C_END

#endif
