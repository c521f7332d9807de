/* Which image a device runs a kernel from.
 *
 *     syclze_offload_set set = syclze_offload_registered();
 *     syclze_device_traits traits;
 *     syclze_candidate best;
 *     uint32_t count = 1;
 *     char why[1024];
 *     if (syclze_device_get_traits(device, &traits) == ZE_RESULT_SUCCESS &&
 *         syclze_selection_find(set, "saxpy", &traits, &count, &best, why, sizeof why) !=
 *             ZE_RESULT_SUCCESS)
 *       fputs(why, stderr);
 *
 * An image is judged by its bytes: tags and the endings of file names are not trusted. It must be
 * for Level Zero (its triple), be code that the driver takes, for this device (the versions in
 * native code), and require nothing that the device lacks. Native code comes before SPIR-V, and
 * SPIR-V inside native code for other devices is SPIR-V. What is found are views, as in the set.
 * Any thread may ask. */
#ifndef SYCLZE_OFFLOAD_SELECTION_H
#define SYCLZE_OFFLOAD_SELECTION_H

#include "detail/image_match.h"

SYCLZE_EXTERN_C_BEGIN

/* The candidates for a kernel, best first; those that fit alike in the order in which their images
 * were added. `count` is on entry the room in `candidates`, on return how many there are. `why`,
 * which may be null, gets one line for every image that was looked at and did not fit; it is cut
 * off at `why_size` bytes, and terminated. Errors: ZE_RESULT_ERROR_INVALID_KERNEL_NAME where no
 * image has the kernel; SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED where none fits, with the same
 * text as the diagnostic's detail; ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_selection_find(syclze_offload_set set, const char *kernel,
    const syclze_device_traits *traits, uint32_t *count, syclze_candidate *candidates, char *why,
    size_t why_size) SYCLZE_LINK_NAME(syclze_selection_find);

/* The images that a candidate must be linked with: for each symbol that it, or one of those,
 * imports and none of them exports, the first image of the set that exports it and fits. `count` is
 * on entry the room in `others`, on return how many there are. Errors:
 * ZE_RESULT_ERROR_MODULE_LINK_FAILURE for an import that no image exports, which the diagnostic's
 * detail names, or for more images than there is room; ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_selection_link(syclze_offload_set set,
    const syclze_candidate *candidate, const syclze_device_traits *traits, uint32_t *count,
    syclze_candidate *others) SYCLZE_LINK_NAME(syclze_selection_link);

/* Text that is cut off at its room, and terminated. */
struct syclze__cut_text {
  char *text;
  size_t room;
  size_t size;
};

SYCLZE_COLD void syclze__cut_text_add(struct syclze__cut_text *to, const char *format, ...)
    SYCLZE_LINK_NAME(syclze__cut_text_add) __attribute__((format(printf, 2, 3)));

SYCLZE_COLD void syclze__cut_text_add(struct syclze__cut_text *to, const char *format, ...) {
  if (to->size + 1 >= to->room) return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to->text + to->size, to->room - to->size, format, arguments);
  va_end(arguments);
  if (length > 0) to->size += (size_t)length;
  if (to->size >= to->room) to->size = to->room - 1;
}

/* "image 3 (SPIR-V, spir64): why not" */
SYCLZE_INLINE void syclze__selection_explain(
    struct syclze__cut_text *to, const syclze_offload_found *found, const syclze_reason *reason) {
  syclze_text triple = syclze_offload_image_text(&found->image, "triple");
  syclze__cut_text_add(to, "image %llu (%s%s%.*s): %s\n", (unsigned long long)found->serial,
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

enum { SYCLZE__SELECTION_WHY = 4096 };

SYCLZE_COLD ze_result_t syclze_selection_find(syclze_offload_set set, const char *kernel,
    const syclze_device_traits *traits, uint32_t *count, syclze_candidate *candidates, char *why,
    size_t why_size) {
  static const char *const function = "syclze_selection_find";
  if (set.rep == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the set of images is null", NULL);
  if (kernel == NULL || traits == NULL || count == NULL || candidates == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "a pointer is null", NULL);
  char own[SYCLZE__SELECTION_WHY] = "";
  struct syclze__cut_text text = {own, sizeof own, 0}, theirs = {why, why_size, 0};
  if (why == NULL) theirs.room = 0;
  if (theirs.room != 0) why[0] = '\0';
  uint32_t room = *count, images = 0, found_count = 0;
  *count = 0;
  syclze_offload_set_find(set, kernel, &images, NULL);
  bool has_kernel = images != 0;
  if (!has_kernel) syclze_offload_set_list(set, &images, NULL);
  syclze_offload_found *found = (syclze_offload_found *)calloc((size_t)images + 1, sizeof *found);
  if (found == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the list of images", NULL);
  found_count = images;
  if (has_kernel)
    syclze_offload_set_find(set, kernel, &found_count, found);
  else
    syclze_offload_set_list(set, &found_count, found);
  if (found_count < images) images = found_count;
  for (uint32_t i = 0; i < images; i++) {
    syclze_candidate judged[SYCLZE_SELECTION_PER_IMAGE];
    syclze_reason reason = {"it has no kernel of this name"};
    uint32_t checked_count =
        has_kernel ? syclze__selection_check_found(set, &found[i], kernel, traits, judged, &reason)
                   : 0;
    for (uint32_t k = 0; k < checked_count; k++)
      syclze__selection_insert(candidates, room, (*count)++, &judged[k]);
    if (checked_count != 0) continue;
    syclze__selection_explain(&text, &found[i], &reason);
    if (theirs.room != 0) syclze__selection_explain(&theirs, &found[i], &reason);
  }
  free(found);
  if (*count != 0) return ZE_RESULT_SUCCESS;
  return syclze__fail_detail(
      has_kernel ? SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED : ZE_RESULT_ERROR_INVALID_KERNEL_NAME,
      function,
      has_kernel ? "no image with the kernel fits the device"
                 : "no image has a kernel of this name",
      NULL, own);
}

/* What is being linked: the candidates, and how far their imports are looked at. */
struct syclze__linking {
  syclze_offload_set set;
  const syclze_device_traits *traits;
  const syclze_candidate *main;
  syclze_candidate *others;
  uint32_t room, count;
  uint32_t budget; /* of imports, and of images that export them, to look at */
};

enum { SYCLZE__LINK_BUDGET = 1 << 20 };

/* Makes sure that some image exports the symbol. */
SYCLZE_LOCAL struct syclze__status syclze__link_import(
    struct syclze__linking *linking, syclze_text symbol) {
  uint32_t found_count = 0, images;
  syclze_offload_set_find_export(linking->set, symbol, &found_count, NULL);
  images = found_count;
  if (images >= linking->budget)
    return syclze__status_of(ZE_RESULT_ERROR_MODULE_LINK_FAILURE,
        "the imports, or the images that export them, are absurdly many");
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
  for (uint32_t i = 0; i < images && !is_there; i++) {
    syclze_candidate judged[SYCLZE_SELECTION_PER_IMAGE];
    syclze_reason reason;
    uint32_t count = syclze__selection_check_found(
        linking->set, &found[i], NULL, linking->traits, judged, &reason);
    for (uint32_t k = 0; k < count && !is_there; k++) {
      if (judged[k].format != linking->main->format) continue;
      is_there = true;
      if (linking->count < linking->room)
        linking->others[linking->count++] = judged[k];
      else
        status = syclze__status_of(
            ZE_RESULT_ERROR_MODULE_LINK_FAILURE, "the kernel's image imports from too many others");
    }
  }
  free(found);
  if (is_there) return status;
  return syclze__status_of(ZE_RESULT_ERROR_MODULE_LINK_FAILURE,
      "no image that fits exports what the kernel's image imports");
}

/* On a failure `symbol` names the import. */
SYCLZE_LOCAL struct syclze__status syclze__link_imports_of(
    struct syclze__linking *linking, const syclze_candidate *candidate, char *symbol, size_t size) {
  struct syclze__status status = syclze__allowed();
  const syclze_offload_image *image = &candidate->image;
  syclze_text name = {NULL, 0};
  syclze_property_sets sets = {NULL};
  if ((image->property_sets_begin != NULL || image->property_text.size != 0) &&
      syclze_property_sets_open(image, &sets) == ZE_RESULT_SUCCESS) {
    const syclze_property *property = NULL;
    while (status.result == ZE_RESULT_SUCCESS &&
           (property = syclze_property_next(
                sets, SYCLZE_PROPERTY_SET_IMPORTED_SYMBOLS, property)) != NULL) {
      name = property->key;
      status = syclze__link_import(linking, name);
    }
    syclze_property_sets_close(sets);
  }
  syclze_spirv_index index;
  if (status.result == ZE_RESULT_SUCCESS && candidate->format == ZE_MODULE_FORMAT_IL_SPIRV &&
      syclze__spirv_index_read(candidate->module, &index).result == ZE_RESULT_SUCCESS) {
    for (uint32_t i = 0; i < index.import_count && status.result == ZE_RESULT_SUCCESS; i++) {
      name = syclze_text_of(index.imports[i].name);
      status = syclze__link_import(linking, name);
    }
    syclze_spirv_index_end(&index);
  }
  if (status.result != ZE_RESULT_SUCCESS)
    snprintf(symbol, size, "%.*s", name.size < size ? (int)name.size : (int)size, name.data);
  return status;
}

SYCLZE_COLD ze_result_t syclze_selection_link(syclze_offload_set set,
    const syclze_candidate *candidate, const syclze_device_traits *traits, uint32_t *count,
    syclze_candidate *others) {
  static const char *const function = "syclze_selection_link";
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
      status.result, function, status.rule, candidate->image.bytes.data, symbol);
}

SYCLZE_EXTERN_C_END

#endif
