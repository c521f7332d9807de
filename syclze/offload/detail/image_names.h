/* Names that an image's properties add to those of its kernels, or remove from them. */
#include "../property_set.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_IMAGE_NAMES_H
#define SYCLZE_OFFLOAD_DETAIL_IMAGE_NAMES_H

#include "../property_names.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__is_name_set(syclze_text name) {
  return syclze_text_is(name, SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS) ||
         syclze_text_is(name, SYCLZE_PROPERTY_SET_REGISTERED_KERNELS) ||
         syclze_text_is(name, SYCLZE_PROPERTY_SET_KERNEL_NAMES);
}

SYCLZE_LOCAL_WARM bool syclze__has_name_sets_in_file(const syclze_offload_image *image) {
  struct syclze__elf_view view = syclze__wrapped_view(image);
  const uint8_t *const raw = (const uint8_t *)image->property_sets_begin;
  const uint64_t size = syclze__wrapped_set_count(image) * SYCLZE__PROPERTY_SET_SIZE;
  syclze_text name;
  for (uint64_t at = 0; at != size; at += SYCLZE__PROPERTY_SET_SIZE)
    if (syclze__elf_view_string(&view,
            syclze__elf_view_pointer(&view, image->property_address + at, raw + at), &name) &&
        syclze__is_name_set(name))
      return true;
  return false;
}

/* True if the image may have property sets of names. Reads headings only, since few images have
 * such sets.
 */
SYCLZE_LOCAL_WARM bool syclze__has_name_sets(const syclze_offload_image *image) {
  struct syclze__property_array_set set;
  const char *at = (const char *)image->property_sets_begin;
  const char *end = (const char *)image->property_sets_end;
  if (image->property_file != NULL) return syclze__has_name_sets_in_file(image);
  if (image->property_text.size != 0) return true;
  if (at == NULL || end < at || (size_t)(end - at) % sizeof set != 0) return false;
  for (; at != end; at += sizeof set) {
    memcpy(&set, at, sizeof set);
    if (syclze__is_name_set(syclze_text_of(set.name))) return true;
  }
  return false;
}

/* The property sets of names, null if there are none or they are malformed; fails only for lack of
 * memory. */
SYCLZE_LOCAL struct syclze__status syclze__name_sets_open(
    const syclze_offload_image *image, syclze_property_sets *sets) {
  sets->rep = NULL;
  if (!syclze__has_name_sets(image)) return syclze__allowed();
  struct syclze__status status = syclze__property_sets_open(image, sets);
  return status.result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ? status : syclze__allowed();
}

/* True if a name of the image's table is a function that other images import. */
SYCLZE_INLINE bool syclze__is_exported_function(syclze_property_sets sets, syclze_text name) {
  return sets.rep != NULL &&
         syclze__property_find(sets, syclze_text_of(SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS), name) !=
             NULL;
}

/* The kernel's name in the code, if `name` may be one that the run-time compiler registered: `name`
 * itself, or a `copy` that the caller frees. Null without memory. */
SYCLZE_LOCAL const char *syclze__kernel_own_name(
    const syclze_offload_image *image, const char *name, char **copy) {
  syclze_property_sets sets;
  *copy = NULL;
  if (syclze__name_sets_open(image, &sets).result != ZE_RESULT_SUCCESS) return NULL;
  if (sets.rep == NULL) return name;
  const syclze_text own =
      syclze_property_get_text(sets, SYCLZE_PROPERTY_SET_REGISTERED_KERNELS, name);
  if (own.size != 0) {
    *copy = (char *)malloc(own.size + 1);
    if (*copy != NULL) memcpy(*copy, own.data, own.size), (*copy)[own.size] = '\0';
    name = *copy;
  }
  syclze_property_sets_close(sets);
  return name;
}

#endif

SYCLZE_EXTERN_C_END

#endif
