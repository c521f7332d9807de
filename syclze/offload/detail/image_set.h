/* Bodies of image_set.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_IMAGE_SET_H
#define SYCLZE_OFFLOAD_DETAIL_IMAGE_SET_H

#include "../image_set.h"
#include "image_table.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze_offload_set_retain(syclze_offload_set set) {
  if (set.rep != NULL) __atomic_fetch_add(&set.rep->count, 1, __ATOMIC_RELAXED);
}

enum { SYCLZE__OFFLOAD_NESTING = 4 };

/* What is being added of one file. */
struct syclze__offload_adding {
  struct syclze__offload_set *set;
  const void *owner;
  uint64_t budget; /* of bytes to read: images may overlap, and each be as long as the file */
};

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_offload_set_add_bytes(
    syclze_offload_set set, syclze_bytes bytes, const void *owner) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  return syclze_offload_set_add_file(set, &cursor, owner);
}

SYCLZE_COLD void syclze_offload_set_release(syclze_offload_set set) {
  if (set.rep == NULL || __atomic_fetch_sub(&set.rep->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  for (uint32_t i = 0; i < set.rep->entry_count; i++)
    syclze__shared_index_release(set.rep->entries[i].index);
  free(set.rep->entries);
  free(set.rep->symbols);
  free(set.rep->slots);
  free(set.rep);
}

SYCLZE_COLD ze_result_t syclze_offload_set_find(
    syclze_offload_set set, const char *name, uint32_t *count, syclze_offload_found *found) {
  return syclze__offload_find(set.rep, syclze_text_of(name), SYCLZE__SYMBOL_KERNEL, count, found);
}

SYCLZE_COLD ze_result_t syclze_offload_set_create(syclze_offload_set *set) {
  if (set == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_offload_set_create",
        "the result's pointer is null", NULL);
  set->rep = (struct syclze__offload_set *)calloc(1, sizeof *set->rep);
  if (set->rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_offload_set_create",
        "no memory for the object", NULL);
  set->rep->count = 1;
  /* Addresses are random where it matters. */
  set->rep->seed = syclze__offload_mix((uint64_t)(uintptr_t)set->rep) ^
                   syclze__offload_mix((uint64_t)(uintptr_t)&set);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD syclze_offload_set syclze_offload_registered(void) {
  syclze_offload_set set = {__atomic_load_n(&SYCLZE__STATE.offload_set, __ATOMIC_ACQUIRE)};
  if (set.rep != NULL || syclze_offload_set_create(&set) != ZE_RESULT_SUCCESS) return set;
  struct syclze__offload_set *none = NULL;
  if (__atomic_compare_exchange_n(
          &SYCLZE__STATE.offload_set, &none, set.rep, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return set;
  syclze_offload_set_release(set);
  set.rep = none;
  return set;
}

SYCLZE_COLD ze_result_t syclze_offload_set_add(syclze_offload_set set,
    const syclze_offload_image *image, const void *owner, uint64_t *serial) {
  uint32_t number = 0;
  if (set.rep == NULL || image == NULL)
    return syclze__fail(set.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                        : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        "syclze_offload_set_add", "the set or the image's pointer is null", NULL);
  syclze__lock_acquire(&set.rep->lock);
  struct syclze__status status = syclze__offload_add(set.rep, image, owner, &number);
  if (status.result == ZE_RESULT_SUCCESS && serial != NULL)
    *serial = set.rep->entries[number].serial;
  syclze__lock_release(&set.rep->lock);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_offload_set_add", status.rule, image->bytes.data);
}

/* Adds an image, or what the container that it is holds. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add_nested(
    struct syclze__offload_adding *adding, const syclze_offload_image *image, int depth) {
  uint32_t number;
  uint64_t cost = image->bytes.size + syclze_offload_image_text(image, "symbols").size +
                  syclze_offload_image_text(image, "SYMBOL_TABLE").size;
  if (cost > adding->budget)
    return syclze__invalid("Offload Binary: the images overlap again and again");
  adding->budget -= cost;
  if (syclze_offload_format_of(image->bytes) != SYCLZE_OFFLOAD_FORMAT_CONTAINER)
    return syclze__offload_add(adding->set, image, adding->owner, &number);
  if (depth == SYCLZE__OFFLOAD_NESTING)
    return syclze__invalid("Offload Binary: containers in containers are nested too deeply");
  syclze_container_cursor cursor = syclze_container_begin(image->bytes);
  syclze_offload_image inner;
  while (syclze_container_next(&cursor, &inner)) {
    if (inner.bytes.size == 0) continue;
    struct syclze__status status = syclze__offload_add_nested(adding, &inner, depth + 1);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  return syclze__status_of(cursor.result, cursor.rule);
}

/* With the lock held. */
SYCLZE_LOCAL uint32_t syclze__offload_remove(struct syclze__offload_set *set, const void *owner) {
  uint32_t removed = 0;
  for (uint32_t i = 0; i < set->entry_count; i++) {
    if (set->entries[i].serial == 0 || set->entries[i].owner != owner) continue;
    syclze__offload_remove_entry(set, i);
    removed++;
  }
  return removed;
}

SYCLZE_COLD ze_result_t syclze_offload_set_add_file(
    syclze_offload_set set, syclze_offload_file_cursor *cursor, const void *owner) {
  if (set.rep == NULL || cursor == NULL)
    return syclze__fail(set.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                        : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        "syclze_offload_set_add_file", "the set or the cursor's pointer is null", NULL);
  const void *data = cursor->bytes.data;
  struct syclze__offload_adding adding = {
      set.rep, owner, 2 * SYCLZE__OFFLOAD_NESTING * (uint64_t)cursor->bytes.size};
  struct syclze__status status = syclze__allowed();
  syclze_offload_image image;
  uint32_t images = 0;
  syclze__lock_acquire(&set.rep->lock);
  while (status.result == ZE_RESULT_SUCCESS && syclze_offload_file_next(cursor, &image)) {
    images++;
    if (image.bytes.size != 0) status = syclze__offload_add_nested(&adding, &image, 0);
  }
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__status_of(cursor->result, cursor->rule);
  /* What holds no image may be one: native code of a device that is a host. */
  image = syclze_offload_image_of(cursor->bytes);
  if (status.result == ZE_RESULT_SUCCESS && images == 0 &&
      syclze_offload_format_of(cursor->bytes) == SYCLZE_OFFLOAD_FORMAT_ELF)
    status = syclze__offload_add_nested(&adding, &image, 0);
  if (status.result != ZE_RESULT_SUCCESS) syclze__offload_remove(set.rep, owner);
  syclze__lock_release(&set.rep->lock);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_offload_set_add_file", status.rule, data);
}

SYCLZE_COLD uint32_t syclze_offload_set_remove(syclze_offload_set set, const void *owner) {
  if (set.rep == NULL) return 0;
  syclze__lock_acquire(&set.rep->lock);
  uint32_t removed = syclze__offload_remove(set.rep, owner);
  syclze__lock_release(&set.rep->lock);
  return removed;
}

SYCLZE_COLD ze_result_t syclze_offload_set_find_export(
    syclze_offload_set set, syclze_text name, uint32_t *count, syclze_offload_found *found) {
  syclze__lock_acquire(&set.rep->lock);
  for (uint32_t i = 0; i < set.rep->entry_count && set.rep->without_exports != 0; i++) {
    struct syclze__offload_entry *entry = &set.rep->entries[i];
    if (entry->serial == 0 || entry->has_exports) continue;
    entry->has_exports = true;
    set.rep->without_exports--;
    syclze__offload_add_exports(set.rep, i);
  }
  syclze__lock_release(&set.rep->lock);
  return syclze__offload_find(set.rep, name, SYCLZE__SYMBOL_EXPORT, count, found);
}

SYCLZE_COLD void syclze_offload_set_list(
    syclze_offload_set set, uint32_t *count, syclze_offload_found *found) {
  uint32_t room = found != NULL ? *count : 0, there = 0;
  syclze__lock_acquire(&set.rep->lock);
  for (uint32_t i = 0; i < set.rep->entry_count; i++) {
    if (set.rep->entries[i].serial == 0) continue;
    if (there < room) syclze__offload_describe(set.rep, i, &found[there]);
    there++;
  }
  syclze__lock_release(&set.rep->lock);
  *count = there;
}

#endif

SYCLZE_EXTERN_C_END

#endif
