/* Bodies of selection.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SELECTION_H
#define SYCLZE_OFFLOAD_DETAIL_SELECTION_H

#include "../selection.h"
#include "image_match.h"

#include <stdarg.h>
#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* Text that is cut off at its room, and terminated. */
struct syclze__text_buffer {
  char *text;
  size_t room;
  size_t size;
};

enum { SYCLZE__SELECTION_WHY = 4096 };

/* A link in progress: the candidates, and how many imports remain to be resolved. */
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

SYCLZE_LOCAL void syclze__text_buffer_add(struct syclze__text_buffer *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

SYCLZE_LOCAL void syclze__text_buffer_add(struct syclze__text_buffer *to, const char *format, ...) {
  if (to->size + 1 >= to->room) return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to->text + to->size, to->room - to->size, format, arguments);
  va_end(arguments);
  if (length > 0) to->size += (size_t)length;
  if (to->size >= to->room) to->size = to->room - 1;
}

/* "image 3 (SPIR-V, spir64): why not" */
SYCLZE_INLINE void syclze__selection_explain(struct syclze__text_buffer *to,
    const syclze_offload_found *found, const syclze_reason *reason) {
  syclze_text triple = syclze_offload_image_text(&found->image, "triple");
  syclze__text_buffer_add(to, "image %llu (%s%s%.*s): %s\n", (unsigned long long)found->serial,
      syclze_offload_format_string(syclze_offload_format_of(found->image.bytes)),
      triple.size != 0 ? ", " : "", triple.size < 64 ? (int)triple.size : 64,
      triple.size != 0 ? triple.data : "", reason->text);
}

/* Puts a candidate behind those that fit as well. A full list loses its last. */
SYCLZE_INLINE void syclze__selection_insert(
    syclze_candidate *list, uint32_t room, uint32_t count, const syclze_candidate *candidate) {
  uint32_t at = count < room ? count : room;
  while (at > 0 && list[at - 1].fit < candidate->fit) {
    if (at < room) list[at] = list[at - 1];
    at--;
  }
  if (at < room) list[at] = *candidate;
}

SYCLZE_COLD ze_result_t syclze_selection_find(syclze_offload_set set, const char *kernel,
    const syclze_device_traits *traits, uint32_t *count, syclze_candidate *candidates, char *why,
    size_t why_size) {
  if (set.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_selection_find",
        "the set of images is null", NULL);
  if (kernel == NULL || traits == NULL || count == NULL || candidates == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_selection_find", "a pointer is null", NULL);
  char own[SYCLZE__SELECTION_WHY] = "";
  struct syclze__text_buffer text = {own, sizeof own, 0}, theirs = {why, why_size, 0};
  if (why == NULL) theirs.room = 0;
  if (theirs.room != 0) why[0] = '\0';
  uint32_t room = *count, images = 0, found_count = 0;
  *count = 0;
  syclze_offload_set_find(set, kernel, &images, NULL);
  bool has_kernel = images != 0;
  if (!has_kernel) syclze_offload_set_list(set, &images, NULL);
  syclze_offload_found *found = (syclze_offload_found *)calloc((size_t)images + 1, sizeof *found);
  if (found == NULL)
    return syclze__fail(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_selection_find",
        "no memory for the list of images", NULL);
  found_count = images;
  if (has_kernel)
    syclze_offload_set_find(set, kernel, &found_count, found);
  else
    syclze_offload_set_list(set, &found_count, found);
  if (found_count < images) images = found_count;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < images && result == ZE_RESULT_SUCCESS; i++) {
    syclze_candidate checked[SYCLZE_SELECTION_PER_IMAGE];
    syclze_reason reason = {"it has no kernel of this name"};
    uint32_t checked_count = has_kernel ? syclze__selection_check_found(set, &found[i], kernel,
                                              traits, checked, &reason, &result)
                                        : 0;
    for (uint32_t k = 0; k < checked_count; k++)
      syclze__selection_insert(candidates, room, (*count)++, &checked[k]);
    if (checked_count != 0) continue;
    syclze__selection_explain(&text, &found[i], &reason);
    if (theirs.room != 0) syclze__selection_explain(&theirs, &found[i], &reason);
  }
  free(found);
  if (result != ZE_RESULT_SUCCESS) {
    *count = 0;
    return syclze__fail(
        result, "syclze_selection_find", "no memory to read an image of the set", NULL);
  }
  if (*count != 0) return ZE_RESULT_SUCCESS;
  return syclze__fail_detail(
      has_kernel ? SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED : ZE_RESULT_ERROR_INVALID_KERNEL_NAME,
      "syclze_selection_find",
      has_kernel ? "no image with the kernel fits the device"
                 : "no image has a kernel of this name",
      NULL, own);
}

/* Makes sure that some image exports the symbol. */
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
  if (is_there) return status;
  if (result != ZE_RESULT_SUCCESS) return syclze__out_of_memory();
  return syclze__status_of(ZE_RESULT_ERROR_MODULE_LINK_FAILURE,
      "no image that fits exports what the kernel's image imports");
}

/* The imports that an image's properties name. `name` is the last of them. */
SYCLZE_LOCAL struct syclze__status syclze__link_property_imports(
    struct syclze__linking *linking, const syclze_offload_image *image, syclze_text *name) {
  struct syclze__status status = syclze__allowed();
  syclze_property_sets sets = {NULL};
  if (image->property_sets_begin == NULL && image->property_text.size == 0) return status;
  ze_result_t result = syclze_property_sets_open(image, &sets);
  if (result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) return syclze__out_of_memory();
  if (result != ZE_RESULT_SUCCESS) return status;
  const syclze_property *property = NULL;
  while (status.result == ZE_RESULT_SUCCESS &&
         (property = syclze_property_next(sets, SYCLZE_PROPERTY_SET_IMPORTED_SYMBOLS, property)) !=
             NULL) {
    *name = property->key;
    status = syclze__link_import(linking, *name);
  }
  syclze_property_sets_close(sets);
  return status;
}

/* Functions that the compiler of the device has: compilers of SPIR-V leave those that SPIR-V has no
 * instruction for, such as llvm.usub.sat.i32, as imports. */
SYCLZE_LOCAL bool syclze__import_is_of_compiler(const char *name) {
  static const char *const prefixes[] = {
      "llvm.", "__spirv_", "__builtin_", "__devicelib_", "__translate_sampler_initializer", NULL};
  for (int i = 0; prefixes[i] != NULL; i++)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
  return false;
}

/* On a failure `symbol` names the import. */
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
      if (syclze__import_is_of_compiler(index.imports[i].name)) continue;
      name = syclze_text_of(index.imports[i].name);
      status = syclze__link_import(linking, name);
    }
    if (is_read.result == ZE_RESULT_SUCCESS) syclze_spirv_index_end(&index);
  }
  if (status.result != ZE_RESULT_SUCCESS)
    snprintf(symbol, size, "%.*s", name.size < size ? (int)name.size : (int)size, name.data);
  return status;
}

SYCLZE_COLD ze_result_t syclze_selection_link(syclze_offload_set set,
    const syclze_candidate *candidate, const syclze_device_traits *traits, uint32_t *count,
    syclze_candidate *others) {
  struct syclze__linking linking = {set, traits, candidate, others, *count, 0, SYCLZE__LINK_BUDGET};
  char symbol[256] = "";
  struct syclze__status status =
      syclze__link_imports_of(&linking, candidate, symbol, sizeof symbol);
  for (uint32_t i = 0; i < linking.count && status.result == ZE_RESULT_SUCCESS; i++)
    status = syclze__link_imports_of(&linking, &others[i], symbol, sizeof symbol);
  *count = linking.count;
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  *count = 0;
  return syclze__fail_detail(
      status.result, "syclze_selection_link", status.rule, candidate->image.bytes.data, symbol);
}

#endif

SYCLZE_EXTERN_C_END

#endif
