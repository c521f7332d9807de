/* Bodies of selection.h: the images that a candidate is linked with. */
#include "../selection.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SELECTION_LINK_H
#define SYCLZE_OFFLOAD_DETAIL_SELECTION_LINK_H

#include "image_match.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* A link in progress: the candidates, and the number of imports that may still be resolved. */
struct syclze__linking {
  syclze_offload_set set;
  const syclze_device_traits *traits;
  const syclze_candidate *main;
  syclze_candidate *others;
  uint32_t room, count;
  uint32_t budget; /* of imports, and of images that export them */
};

enum { SYCLZE__LINK_BUDGET = 1 << 20 };

#if SYCLZE__BODIES

/* Ensures that an image exports the symbol. */
SYCLZE_LOCAL struct syclze__status syclze__link_import(
    struct syclze__linking *linking, syclze_text symbol) {
  uint32_t found_count = 0, images;
  if (syclze_offload_set_find_export(linking->set, symbol, &found_count, NULL) ==
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
    return syclze__out_of_memory();
  images = found_count;
  if (images >= linking->budget)
    return syclze__status_of(ZE_RESULT_ERROR_MODULE_LINK_FAILURE,
        "the imports, or the images that export them, are too many");
  linking->budget -= images + 1;
  syclze_offload_found *found = (syclze_offload_found *)calloc((size_t)images + 1, sizeof *found);
  if (found == NULL) return syclze__out_of_memory();
  syclze_offload_set_find_export(linking->set, symbol, &found_count, found);
  if (found_count < images) images = found_count;
  bool is_there = false;
  for (uint32_t i = 0; i < images && !is_there; i++) {
    is_there = found[i].serial == linking->main->serial;
    for (uint32_t k = 0; k < linking->count && !is_there; k++)
      is_there = found[i].serial == linking->others[k].serial;
  }
  struct syclze__status status = syclze__allowed();
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < images && !is_there; i++) {
    syclze_candidate checked[SYCLZE_SELECTION_PER_IMAGE];
    syclze_reason reason;
    uint32_t count = syclze__selection_check_found(
        linking->set, &found[i], NULL, linking->traits, checked, &reason, &result);
    for (uint32_t k = 0; k < count && !is_there; k++) {
      if (checked[k].format != linking->main->format) continue;
      is_there = true;
      if (linking->count < linking->room)
        linking->others[linking->count++] = checked[k];
      else
        status = syclze__status_of(
            ZE_RESULT_ERROR_MODULE_LINK_FAILURE, "the kernel's image imports from too many others");
    }
  }
  free(found);
  if (result != ZE_RESULT_SUCCESS) return syclze__out_of_memory();
  if (is_there) return status;
  return syclze__status_of(ZE_RESULT_ERROR_MODULE_LINK_FAILURE,
      "no image that fits exports what the kernel's image imports");
}

/* True if a name is one of those in a list with commas between them. */
SYCLZE_LOCAL bool syclze__is_listed(syclze_bytes list, const char *name, size_t size) {
  const char *text = (const char *)list.data;
  for (size_t begin = 0, at = 0; at <= list.size; at++) {
    if (at != list.size && text[at] != ',' && text[at] != '\0') continue;
    if (at - begin == size && size != 0 && memcmp(text + begin, name, size) == 0) return true;
    begin = at + 1;
  }
  return false;
}

/* True if two such lists have a name in common. */
SYCLZE_LOCAL bool syclze__lists_meet(syclze_bytes a, syclze_bytes b) {
  const char *text = (const char *)a.data;
  for (size_t begin = 0, at = 0; at <= a.size; at++) {
    if (at != a.size && text[at] != ',' && text[at] != '\0') continue;
    if (syclze__is_listed(b, text + begin, at - begin)) return true;
    begin = at + 1;
  }
  return false;
}

/* True if two candidates have the same code. */
SYCLZE_INLINE bool syclze__same_module(const syclze_candidate *a, const syclze_candidate *b) {
  return a->module.size == b->module.size &&
         memcmp(a->module.data, b->module.data, a->module.size) == 0;
}

/* Adds an image, unless it, or one with its code, is already linked: DPC++ writes some images
 * twice. An image that does not fit is left out: no kernel of the device calls its functions. */
SYCLZE_LOCAL struct syclze__status syclze__link_provider(
    struct syclze__linking *linking, syclze_offload_found *found) {
  syclze_candidate checked[SYCLZE_SELECTION_PER_IMAGE];
  syclze_reason reason;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (found->serial == linking->main->serial) return syclze__allowed();
  for (uint32_t k = 0; k < linking->count; k++)
    if (found->serial == linking->others[k].serial) return syclze__allowed();
  uint32_t count = syclze__selection_check_found(
      linking->set, found, NULL, linking->traits, checked, &reason, &result);
  if (result != ZE_RESULT_SUCCESS) return syclze__out_of_memory();
  for (uint32_t k = 0; k < count; k++) {
    if (checked[k].format != linking->main->format) continue;
    for (uint32_t i = 0; i < linking->count; i++)
      if (syclze__same_module(&linking->others[i], &checked[k])) return syclze__allowed();
    if (linking->count == linking->room)
      return syclze__status_of(
          ZE_RESULT_ERROR_MODULE_LINK_FAILURE, "the kernel's image imports from too many others");
    linking->others[linking->count++] = checked[k];
    break;
  }
  return syclze__allowed();
}

/* Links all images with the sets of virtual functions that an image uses, since the called function
 * depends on the object at run time. */
SYCLZE_LOCAL struct syclze__status syclze__link_virtual_functions(
    struct syclze__linking *linking, syclze_bytes used) {
  struct syclze__offload_set *set = linking->set.rep;
  struct syclze__status status = syclze__allowed();
  uint32_t count = 0;
  /* Other images may be removed once the set is not locked. */
  syclze__lock_acquire(&set->lock);
  syclze_offload_found *found =
      (syclze_offload_found *)calloc((size_t)set->image_count + 1, sizeof *found);
  if (found == NULL) status = syclze__out_of_memory();
  for (uint32_t i = 0; i < set->entry_count && status.result == ZE_RESULT_SUCCESS; i++) {
    syclze_property_sets sets;
    syclze_bytes provided;
    if (set->entries[i].serial == 0) continue;
    syclze__offload_describe(set, i, &found[count]);
    if (syclze__property_sets_open(&found[count].image, &sets).result ==
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
      status = syclze__out_of_memory();
    if (sets.rep == NULL) continue;
    count += syclze_property_get_bytes(sets, SYCLZE_PROPERTY_SET_VIRTUAL_FUNCTIONS,
                 SYCLZE_PROPERTY_VIRTUAL_FUNCTIONS_SET, &provided) &&
             syclze__lists_meet(used, provided);
    syclze_property_sets_close(sets);
  }
  syclze__lock_release(&set->lock);
  for (uint32_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i++)
    status = syclze__link_provider(linking, &found[i]);
  free(found);
  return status;
}

/* Links the imports that an image's properties name. `name` is set to the last of them. */
SYCLZE_LOCAL struct syclze__status syclze__link_property_imports(
    struct syclze__linking *linking, const syclze_offload_image *image, syclze_text *name) {
  struct syclze__status status = syclze__allowed();
  syclze_property_sets sets;
  if (syclze__property_sets_try(image, &sets) != ZE_RESULT_SUCCESS) return syclze__out_of_memory();
  if (sets.rep == NULL) return status;
  const syclze_property *property = NULL;
  while (status.result == ZE_RESULT_SUCCESS &&
         (property = syclze_property_next(sets, SYCLZE_PROPERTY_SET_IMPORTED_SYMBOLS, property)) !=
             NULL) {
    *name = property->key;
    status = syclze__link_import(linking, *name);
  }
  syclze_bytes used;
  if (status.result == ZE_RESULT_SUCCESS &&
      syclze_property_get_bytes(sets, SYCLZE_PROPERTY_SET_VIRTUAL_FUNCTIONS,
          SYCLZE_PROPERTY_USES_VIRTUAL_FUNCTIONS_SET, &used)) {
    *name = syclze_text_of_bytes(used);
    status = syclze__link_virtual_functions(linking, used);
  }
  syclze_property_sets_close(sets);
  return status;
}

/* True for a function of the device's compiler: compilers of SPIR-V import functions without an
 * instruction in SPIR-V, such as llvm.usub.sat.i32. */
SYCLZE_LOCAL bool syclze__import_is_of_compiler(const char *name) {
  static const char *const prefixes[] = {
      "llvm.", "__spirv_", "__builtin_", "__devicelib_", "__translate_sampler_initializer", NULL};
  for (int i = 0; prefixes[i] != NULL; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

/* True if an image exports a function that the device's compiler may lack: DPC++'s fall-backs of
 * __devicelib_assert_fail and others. The compiler of Intel's GPUs has them. */
SYCLZE_LOCAL bool syclze__has_fallback(const struct syclze__linking *linking, syclze_text name) {
  uint32_t count = 0;
  return !(syclze__is_intel_gpu(linking->traits) && linking->traits->ip_version != 0) &&
         syclze_offload_set_find_export(linking->set, name, &count, NULL) !=
             ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

/* Links the imports of an image. On a failure `symbol` names the import. */
SYCLZE_LOCAL struct syclze__status syclze__link_imports_of(
    struct syclze__linking *linking, const syclze_candidate *candidate, char *symbol, size_t size) {
  syclze_text name = {NULL, 0};
  struct syclze__status status = syclze__link_property_imports(linking, &candidate->image, &name);
  syclze_spirv_index index;
  if (status.result == ZE_RESULT_SUCCESS && candidate->format == ZE_MODULE_FORMAT_IL_SPIRV) {
    struct syclze__status is_read = syclze__spirv_index_read(candidate->module, &index);
    if (is_read.result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) status = is_read;
    if (is_read.result != ZE_RESULT_SUCCESS) index.import_count = 0;
    for (uint32_t i = 0; i < index.import_count && status.result == ZE_RESULT_SUCCESS; i++) {
      name = syclze_text_of(index.imports[i].name);
      if (syclze__import_is_of_compiler(name.data) && !syclze__has_fallback(linking, name))
        continue;
      status = syclze__link_import(linking, name);
    }
    if (is_read.result == ZE_RESULT_SUCCESS) syclze_spirv_index_end(&index);
  }
  if (status.result != ZE_RESULT_SUCCESS)
    snprintf(symbol, size, "%.*s", (int)(name.size < size ? name.size : size), name.data);
  return status;
}

/* syclze_selection_link without a diagnostic; `symbol` has `size` bytes, and gets the name of a
 * symbol that was not found. */
SYCLZE_LOCAL struct syclze__status syclze__selection_link(syclze_offload_set set,
    const syclze_candidate *candidate, const syclze_device_traits *traits, uint32_t *count,
    syclze_candidate *others, char *symbol, size_t size) {
  struct syclze__linking linking = {set, traits, candidate, others, *count, 0, SYCLZE__LINK_BUDGET};
  symbol[0] = '\0';
  struct syclze__status status = syclze__link_imports_of(&linking, candidate, symbol, size);
  for (uint32_t i = 0; i < linking.count && status.result == ZE_RESULT_SUCCESS; i++)
    status = syclze__link_imports_of(&linking, &others[i], symbol, size);
  *count = status.result == ZE_RESULT_SUCCESS ? linking.count : 0;
  return status;
}

SYCLZE_COLD ze_result_t syclze_selection_link(syclze_offload_set set,
    const syclze_candidate *candidate, const syclze_device_traits *traits, uint32_t *count,
    syclze_candidate *others) {
  char symbol[256];
  struct syclze__status status =
      syclze__selection_link(set, candidate, traits, count, others, symbol, sizeof symbol);
  return syclze__finish_detail(
      status, "syclze_selection_link", candidate->image.bytes.data, symbol);
}

#endif

SYCLZE_EXTERN_C_END

#endif
