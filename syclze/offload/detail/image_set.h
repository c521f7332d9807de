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

/* A file that is being added. */
struct syclze__offload_adding {
  struct syclze__offload_set *set;
  const void *owner;
  uint64_t read; /* bytes so far: images may overlap, and each be as long as the file */
};

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_offload_set_add_bytes(
    syclze_offload_set set, syclze_bytes bytes, const void *owner) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  ze_result_t result = syclze_offload_set_add_file(set, &cursor, owner);
  syclze_offload_file_end(&cursor);
  return result;
}

SYCLZE_COLD void syclze_offload_set_release(syclze_offload_set set) {
  if (set.rep == NULL || __atomic_fetch_sub(&set.rep->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  for (uint32_t i = 0; i < set.rep->entry_count; i++) {
    syclze__shared_index_release(set.rep->entries[i].index);
    syclze__file_memory_release(set.rep->entries[i].memory);
  }
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
    return syclze__fail_pointer("syclze_offload_set_create", "the result's pointer is null");
  set->rep = (struct syclze__offload_set *)calloc(1, sizeof *set->rep);
  if (set->rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_offload_set_create",
        "no memory for the object", NULL);
  set->rep->count = 1;
  for (int kind = 0; kind < 3; kind++) {
    set->rep->hash_key[kind] = syclze__hash_key_make();
    set->rep->hash_key[kind].words[1] += (uint64_t)kind;
  }
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
  return syclze__finish(status, "syclze_offload_set_add", image->bytes.data);
}

SYCLZE_LOCAL struct syclze__status syclze__offload_add_all(
    struct syclze__offload_adding *adding, syclze_offload_file_cursor *cursor, int depth);

/* Adds an image of a file, or the images in it if it is a container. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add_nested(struct syclze__offload_adding *adding,
    syclze_offload_file_cursor *cursor, const syclze_offload_image *image, int depth) {
  uint32_t number = 0;
  syclze_bytes table;
  adding->read += image->bytes.size + (syclze__symbols_find(image, &table) ? table.size : 0);
  if (adding->read / (2 * SYCLZE__OFFLOAD_NESTING) >
      (uint64_t)cursor->bytes.size + cursor->inflated)
    return syclze__invalid("Offload Binary: the images overlap again and again");
  /* A container whose only image is itself is compressed, and is kept unchanged. */
  if (image->property_sets_begin != NULL || /* of a descriptor, which never has containers */
      syclze_offload_format_of(image->bytes) != SYCLZE_OFFLOAD_FORMAT_CONTAINER ||
      image->bytes.data == cursor->bytes.data) {
    struct syclze__status status = syclze__offload_add(adding->set, image, adding->owner, &number);
    if (status.result != ZE_RESULT_SUCCESS || cursor->memory == NULL) return status;
    __atomic_fetch_add(&cursor->memory->count, 1, __ATOMIC_RELAXED);
    adding->set->entries[number].memory = cursor->memory;
    return status;
  }
  if (depth == SYCLZE__OFFLOAD_NESTING)
    return syclze__invalid("Offload Binary: containers in containers are nested too deeply");
  syclze_offload_file_cursor inner = syclze_offload_file_begin(image->bytes);
  /* The container may be inflated: its images need the file's memory, and share its limit. */
  inner.memory = cursor->memory;
  if (inner.memory != NULL) __atomic_fetch_add(&inner.memory->count, 1, __ATOMIC_RELAXED);
  inner.inflate_limit = syclze__file_inflate_limit(cursor);
  inner.inflated = cursor->inflated;
  struct syclze__offload_adding own = {adding->set, adding->owner, 0};
  struct syclze__status status = syclze__offload_add_all(&own, &inner, depth + 1);
  adding->read += own.read;
  cursor->inflated = inner.inflated;
  syclze_offload_file_end(&inner);
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__offload_add_all(
    struct syclze__offload_adding *adding, syclze_offload_file_cursor *cursor, int depth) {
  struct syclze__status status = syclze__allowed();
  syclze_offload_image image;
  while (status.result == ZE_RESULT_SUCCESS && syclze__offload_file_read(cursor, &image))
    if (image.bytes.size != 0) status = syclze__offload_add_nested(adding, cursor, &image, depth);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__status_of(cursor->result, cursor->rule);
  /* A file without images may itself be one: native code of a device that is a host. */
  image = syclze_offload_image_of(cursor->bytes);
  if (status.result == ZE_RESULT_SUCCESS && !cursor->has_images &&
      syclze_offload_format_of(cursor->bytes) == SYCLZE_OFFLOAD_FORMAT_ELF)
    status = syclze__offload_add_nested(adding, cursor, &image, depth);
  return status;
}

/* Adds a file; after an error the set is unchanged. */
SYCLZE_LOCAL struct syclze__status syclze__offload_add_file(
    struct syclze__offload_set *set, syclze_offload_file_cursor *cursor, const void *owner) {
  struct syclze__offload_adding adding = {set, owner, 0};
  uint64_t before = set->last_serial;
  struct syclze__status status = syclze__offload_add_all(&adding, cursor, 0);
  if (status.result != ZE_RESULT_SUCCESS) syclze__offload_remove(set, owner, before);
  return status;
}

SYCLZE_COLD ze_result_t syclze_offload_set_add_file(
    syclze_offload_set set, syclze_offload_file_cursor *cursor, const void *owner) {
  if (set.rep == NULL || cursor == NULL)
    return syclze__fail(set.rep == NULL ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                        : ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        "syclze_offload_set_add_file", "the set or the cursor's pointer is null", NULL);
  const void *data = cursor->bytes.data;
  syclze__lock_acquire(&set.rep->lock);
  struct syclze__status status = syclze__offload_add_file(set.rep, cursor, owner);
  syclze__lock_release(&set.rep->lock);
  return syclze__finish(status, "syclze_offload_set_add_file", data);
}

SYCLZE_COLD uint32_t syclze_offload_set_remove(syclze_offload_set set, const void *owner) {
  if (set.rep == NULL) return 0;
  syclze__lock_acquire(&set.rep->lock);
  uint32_t removed = syclze__offload_remove(set.rep, owner, 0);
  syclze__lock_release(&set.rep->lock);
  return removed;
}

SYCLZE_COLD ze_result_t syclze_offload_set_find_export(
    syclze_offload_set set, syclze_text name, uint32_t *count, syclze_offload_found *found) {
  struct syclze__status status = syclze__allowed();
  syclze__lock_acquire(&set.rep->lock);
  for (uint32_t i = 0; i < set.rep->entry_count && set.rep->without_exports != 0; i++) {
    struct syclze__offload_entry *entry = &set.rep->entries[i];
    if (entry->serial == 0 || entry->has_exports) continue;
    status = syclze__offload_add_exports(set.rep, i);
    if (status.result != ZE_RESULT_SUCCESS) break;
    entry->has_exports = true;
    set.rep->without_exports--;
  }
  syclze__lock_release(&set.rep->lock);
  if (status.result != ZE_RESULT_SUCCESS) {
    *count = 0;
    return status.result;
  }
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
