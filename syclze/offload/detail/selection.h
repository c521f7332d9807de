/* Bodies of selection.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SELECTION_H
#define SYCLZE_OFFLOAD_DETAIL_SELECTION_H

#include "../selection.h"
#include "image_match.h"
#include "selection_link.h"

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

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__text_buffer_is_full(const struct syclze__text_buffer *to) {
  return to->size + 1 >= to->room;
}

SYCLZE_LOCAL void syclze__text_buffer_add(struct syclze__text_buffer *to, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

SYCLZE_LOCAL void syclze__text_buffer_add(struct syclze__text_buffer *to, const char *format, ...) {
  if (syclze__text_buffer_is_full(to)) return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to->text + to->size, to->room - to->size, format, arguments);
  va_end(arguments);
  if (length > 0) to->size += (size_t)length;
  if (to->size >= to->room) to->size = to->room - 1;
}

/* Adds a line such as "image 3 (SPIR-V, spir64): REASON". */
SYCLZE_INLINE void syclze__selection_explain(struct syclze__text_buffer *to,
    const syclze_offload_found *found, const syclze_reason *reason) {
  syclze_text triple = syclze_offload_image_text(&found->image, "triple");
  syclze__text_buffer_add(to, "image %llu (%s%s%.*s): %s\n", (unsigned long long)found->serial,
      syclze_offload_format_string(syclze_offload_format_of(found->image.bytes)),
      triple.size != 0 ? ", " : "", triple.size < 64 ? (int)triple.size : 64,
      triple.size != 0 ? triple.data : "", reason->text);
}

/* Explains the images of a set that lacks the kernel, until the texts are full. Any of them may be
 * removed meanwhile, unless the set is locked. */
SYCLZE_LOCAL void syclze__selection_explain_all(
    syclze_offload_set set, struct syclze__text_buffer *own, struct syclze__text_buffer *theirs) {
  static const syclze_reason reason = {"it has no kernel of this name"};
  syclze_offload_found found;
  syclze__lock_acquire(&set.rep->lock);
  for (uint32_t i = 0; i < set.rep->entry_count; i++) {
    if (set.rep->entries[i].serial == 0) continue;
    if (syclze__text_buffer_is_full(own) && syclze__text_buffer_is_full(theirs)) break;
    syclze__offload_describe(set.rep, i, &found);
    syclze__selection_explain(own, &found, &reason);
    if (theirs->room != 0) syclze__selection_explain(theirs, &found, &reason);
  }
  syclze__lock_release(&set.rep->lock);
}

/* Inserts a candidate behind those that fit equally well. A full list loses its last candidate. */
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
    return syclze__fail_handle("syclze_selection_find", "the set of images is null");
  if (kernel == NULL || traits == NULL || count == NULL || candidates == NULL)
    return syclze__fail_pointer("syclze_selection_find", "a pointer is null");
  char own[SYCLZE__SELECTION_WHY] = "";
  struct syclze__text_buffer text = {own, sizeof own, 0}, theirs = {why, why_size, 0};
  if (why == NULL) theirs.room = 0;
  if (theirs.room != 0) why[0] = '\0';
  uint32_t room = *count, images = 0, found_count = 0;
  *count = 0;
  syclze_offload_set_find(set, kernel, &images, NULL);
  bool has_kernel = images != 0;
  if (!has_kernel) syclze__selection_explain_all(set, &text, &theirs);
  syclze_offload_found *found = (syclze_offload_found *)calloc((size_t)images + 1, sizeof *found);
  if (found == NULL)
    return syclze__fail(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_selection_find",
        "no memory for the list of images", NULL);
  found_count = images;
  syclze_offload_set_find(set, kernel, &found_count, found);
  if (found_count < images) images = found_count;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < images && result == ZE_RESULT_SUCCESS; i++) {
    syclze_candidate checked[SYCLZE_SELECTION_PER_IMAGE];
    syclze_reason reason;
    uint32_t checked_count =
        syclze__selection_check_found(set, &found[i], kernel, traits, checked, &reason, &result);
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

#endif

SYCLZE_EXTERN_C_END

#endif
