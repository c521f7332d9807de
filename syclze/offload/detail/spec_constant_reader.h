/* The reader of an image's specialisation constants: of its property sets or of its SPIR-V, with
 * their leaves and defaults. */
#include "../spec_constant.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SPEC_CONSTANT_READER_H
#define SYCLZE_OFFLOAD_DETAIL_SPEC_CONSTANT_READER_H

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* One leaf's value for the module. Drivers copy as many bytes as the module's constant has. */
struct syclze__spec_slot {
  uint64_t value; /* low bytes first */
  bool is_set;
  bool is_in_module;
};

struct syclze__spec_constants {
  syclze_spec_mode mode;
  uint32_t count;
  uint32_t leaf_count;
  uint32_t blob_size;
  syclze_spec_constant *constants;
  struct syclze__spec_slot *slots;      /* of each leaf */
  const void **values;                  /* for the driver: room for each leaf */
  const syclze_spec_constant **by_name; /* in the order of their names */
  const syclze_spec_leaf **by_id;       /* in the order of their SpecIds */
  syclze_spec_leaf *leaves;             /* of all constants */
  uint32_t *ids;                        /* for the driver: room for each leaf */
  uint8_t *blob;
};

/* The sources of the constants, and counts of their parts before an allocation. */
struct syclze__spec_source {
  syclze_spirv_index index; /* empty where the image is not SPIR-V */
  syclze_property_sets sets;
  bool has_properties;
  syclze_bytes defaults; /* empty: those of the module */
  uint64_t constant_count;
  uint64_t leaf_count;
  uint64_t blob_size;
};

#if SYCLZE__BODIES

/* Allocates the constants; null without memory. */
SYCLZE_LOCAL struct syclze__spec_constants *syclze__spec_allocate(
    uint64_t constants, uint64_t leaves, uint64_t blob) {
  struct syclze__spec_constants *rep;
  uint64_t size = sizeof *rep + constants * (sizeof *rep->constants + sizeof *rep->by_name) +
                  leaves * (sizeof *rep->slots + sizeof *rep->values + sizeof *rep->by_id +
                               sizeof *rep->leaves + sizeof *rep->ids) +
                  blob;
  if (size > SIZE_MAX) return NULL;
  rep = (struct syclze__spec_constants *)calloc(1, (size_t)size);
  if (rep == NULL) return NULL;
  /* The arrays with the widest alignment are first. */
  rep->slots = (struct syclze__spec_slot *)(void *)(rep + 1);
  rep->constants = (syclze_spec_constant *)(void *)(rep->slots + leaves);
  rep->values = (const void **)(void *)(rep->constants + constants);
  rep->by_name = (const syclze_spec_constant **)(void *)(rep->values + leaves);
  rep->by_id = (const syclze_spec_leaf **)(void *)(rep->by_name + constants);
  rep->leaves = (syclze_spec_leaf *)(void *)(rep->by_id + leaves);
  rep->ids = (uint32_t *)(void *)(rep->leaves + leaves);
  rep->blob = (uint8_t *)(rep->ids + leaves);
  return rep;
}

SYCLZE_LOCAL int syclze__spec_compare_text(syclze_text a, syclze_text b) {
  size_t size = a.size < b.size ? a.size : b.size;
  int order = size != 0 ? memcmp(a.data, b.data, size) : 0;
  return order != 0 ? order : a.size < b.size ? -1 : a.size > b.size;
}

/* Makes a constant of the next `leaf_count` leaves of the array. */
SYCLZE_LOCAL struct syclze__status syclze__spec_add(struct syclze__spec_constants *rep,
    const struct syclze__spec_source *source, syclze_text name, uint32_t leaf_count) {
  syclze_spec_constant *constant = &rep->constants[rep->count];
  uint64_t end = 0;
  constant->name = name;
  constant->leaves = rep->leaves + rep->leaf_count;
  constant->leaf_count = leaf_count;
  constant->blob_offset = rep->blob_size;
  for (uint32_t i = 0; i < leaf_count; i++) {
    const syclze_spec_leaf *leaf = &constant->leaves[i];
    if (leaf->offset < end)
      return syclze__invalid("specialization constants: the leaves of a composite overlap");
    end = (uint64_t)leaf->offset + leaf->size;
    if (leaf->id == SYCLZE_SPEC_PADDING) continue;
    const syclze_spirv_constant *in_module = syclze_spirv_index_constant(&source->index, leaf->id);
    if (leaf->size == 0 || leaf->size > 8 || (in_module != NULL && in_module->size != leaf->size))
      return syclze__invalid(
          "specialization constants: a leaf's size is none, or not that of the module's constant");
    rep->slots[rep->leaf_count + i].is_in_module = in_module != NULL;
  }
  constant->size = (uint32_t)end;
  rep->blob_size += constant->size;
  rep->leaf_count += leaf_count;
  rep->count++;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__spec_read(
    struct syclze__spec_constants *rep, const struct syclze__spec_source *source) {
  struct syclze__status status = syclze__allowed();
  if (!source->has_properties) {
    for (uint32_t i = 0; i < source->index.constant_count; i++) {
      syclze_spec_leaf leaf = {source->index.constants[i].id, 0, source->index.constants[i].size};
      rep->leaves[rep->leaf_count] = leaf;
      status = syclze__spec_add(rep, source, syclze_text_of(NULL), 1);
      if (status.result != ZE_RESULT_SUCCESS) return status;
    }
    return status;
  }
  const syclze_property *property = NULL;
  while ((property = syclze_property_next(
              source->sets, SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, property)) != NULL) {
    memcpy(rep->leaves + rep->leaf_count, property->bytes.data, property->bytes.size);
    status = syclze__spec_add(
        rep, source, property->key, (uint32_t)(property->bytes.size / sizeof(syclze_spec_leaf)));
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  return status;
}

/* Fills in the defaults: from the image's payload, or from the module's constants. */
SYCLZE_INLINE struct syclze__status syclze__spec_fill(
    struct syclze__spec_constants *rep, const struct syclze__spec_source *source) {
  if (source->defaults.size != 0) {
    if (source->defaults.size != rep->blob_size)
      return syclze__invalid(
          "specialization constants: the default values are not as long as the constants");
    memcpy(rep->blob, source->defaults.data, rep->blob_size);
    return syclze__allowed();
  }
  for (uint32_t i = 0; i < rep->count; i++) {
    const syclze_spec_constant *constant = &rep->constants[i];
    for (uint32_t k = 0; k < constant->leaf_count; k++) {
      const syclze_spec_leaf *leaf = &constant->leaves[k];
      const syclze_spirv_constant *in_module =
          leaf->id != SYCLZE_SPEC_PADDING ? syclze_spirv_index_constant(&source->index, leaf->id)
                                          : NULL;
      if (in_module != NULL)
        memcpy(rep->blob + constant->blob_offset + leaf->offset, &in_module->default_value,
            leaf->size);
    }
  }
  return syclze__allowed();
}

/* Opens the sources of an image, and counts. */
SYCLZE_LOCAL struct syclze__status syclze__spec_open(
    const syclze_offload_image *image, struct syclze__spec_source *source) {
  if (syclze_offload_format_of(image->bytes) == SYCLZE_OFFLOAD_FORMAT_SPIRV) {
    struct syclze__status status = syclze__spirv_index_read(image->bytes, &source->index);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  ze_result_t result = syclze_property_sets_open(image, &source->sets);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "specialization constants: the properties cannot be read");
  const syclze_property *property = NULL;
  while ((property = syclze_property_next(
              source->sets, SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, property)) != NULL) {
    size_t count = property->bytes.size / sizeof(syclze_spec_leaf);
    if (property->type != SYCLZE_PROPERTY_TYPE_BYTES || count == 0 ||
        property->bytes.size % sizeof(syclze_spec_leaf) != 0 || count > SYCLZE_SPIRV_LEAF_LIMIT)
      return syclze__invalid(
          "specialization constants: a property must be an array of id, offset and size");
    syclze_spec_leaf last;
    memcpy(&last, (const uint8_t *)property->bytes.data + (count - 1) * sizeof last, sizeof last);
    source->has_properties = true;
    source->constant_count++;
    source->leaf_count += count;
    source->blob_size += (uint64_t)last.offset + last.size;
  }
  for (uint32_t i = 0; i < source->index.constant_count && !source->has_properties; i++) {
    source->constant_count++;
    source->leaf_count++;
    source->blob_size += source->index.constants[i].size;
  }
  property = syclze_property_next(source->sets, SYCLZE_PROPERTY_SET_SPEC_DEFAULTS, NULL);
  if (property != NULL && source->has_properties) source->defaults = property->bytes;
  if (source->blob_size > SYCLZE_SPEC_BLOB_LIMIT)
    return syclze__invalid("specialization constants: the values exceed the limit");
  return syclze__allowed();
}

/* Compares names; equal names, and equal SpecIds, stay in their order. */
SYCLZE_LOCAL int syclze__spec_compare_names(const void *a, const void *b) {
  const syclze_spec_constant *left = *(const syclze_spec_constant *const *)a;
  const syclze_spec_constant *right = *(const syclze_spec_constant *const *)b;
  int order = syclze__spec_compare_text(left->name, right->name);
  return order != 0 ? order : left < right ? -1 : left > right;
}

SYCLZE_LOCAL int syclze__spec_compare_ids(const void *a, const void *b) {
  const syclze_spec_leaf *left = *(const syclze_spec_leaf *const *)a;
  const syclze_spec_leaf *right = *(const syclze_spec_leaf *const *)b;
  if (left->id != right->id) return left->id < right->id ? -1 : 1;
  return left < right ? -1 : left > right;
}

SYCLZE_LOCAL void syclze__spec_sort(struct syclze__spec_constants *rep) {
  for (uint32_t i = 0; i < rep->count; i++)
    rep->by_name[i] = &rep->constants[i];
  for (uint32_t i = 0; i < rep->leaf_count; i++)
    rep->by_id[i] = &rep->leaves[i];
  if (rep->count > 1)
    qsort((void *)rep->by_name, rep->count, sizeof *rep->by_name, syclze__spec_compare_names);
  if (rep->leaf_count > 1)
    qsort((void *)rep->by_id, rep->leaf_count, sizeof *rep->by_id, syclze__spec_compare_ids);
}

/* Allocates the constants of an image, with their defaults, or null. The caller frees them. */
SYCLZE_LOCAL struct syclze__status syclze__spec_make(
    const syclze_offload_image *image, struct syclze__spec_constants **made) {
  SYCLZE__ZEROED(struct syclze__spec_source, source);
  struct syclze__spec_constants *rep = NULL;
  struct syclze__status status = syclze__spec_open(image, &source);
  if (status.result == ZE_RESULT_SUCCESS) {
    rep = syclze__spec_allocate(source.constant_count, source.leaf_count, source.blob_size);
    status = rep != NULL ? syclze__spec_read(rep, &source) : syclze__out_of_memory();
  }
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__spec_fill(rep, &source);
  if (status.result == ZE_RESULT_SUCCESS) {
    uint32_t replaced = 0;
    syclze__spec_sort(rep);
    bool is_spirv = source.index.ids != NULL;
    rep->mode = is_spirv ? SYCLZE_SPEC_MODE_NATIVE : SYCLZE_SPEC_MODE_EMULATED;
    if (syclze_property_get_u32(
            source.sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_SPEC_REPLACED, &replaced) &&
        replaced != 0)
      rep->mode = SYCLZE_SPEC_MODE_FIXED;
    *made = rep;
  } else
    free(rep);
  if (source.sets.rep != NULL) syclze_property_sets_close(source.sets);
  syclze_spirv_index_end(&source.index);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
