/* Specialisation constants: from the symbolic ids that a SYCL compiler writes to the numbers that a
 * module has.
 *
 *     syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file, file_size));
 *     syclze_spec_constants constants;
 *     if (syclze_spec_constants_make(&image, &constants) == ZE_RESULT_SUCCESS) {
 *       int width = 8;
 *       syclze_spec_constant_set(constants, "width", width);
 *       ze_module_constants_t native = syclze_spec_constants_native(constants);
 *       printf("%u constants are set\n", native.numConstants);
 *       syclze_spec_constants_end(constants);
 *     }
 *
 * The constants are those of the image's property sets; without any, those of its SPIR-V, by their
 * numbers alone. A composite is one constant with a leaf for each scalar in it. Where the image is
 * SPIR-V, values go to the module; where it is native code that was compiled for it, the blob goes
 * to the kernel as an argument. Names are views of the image's memory, everything else is copied.
 * An object belongs to one thread at a time. */
#ifndef SYCLZE_OFFLOAD_SPEC_CONSTANT_H
#define SYCLZE_OFFLOAD_SPEC_CONSTANT_H

#include "property_set.h"
#include "spirv.h"

SYCLZE_EXTERN_C_BEGIN

typedef enum syclze_spec_mode {
  SYCLZE_SPEC_MODE_NATIVE,   /* values go to zeModuleCreate */
  SYCLZE_SPEC_MODE_EMULATED, /* values go to the kernel in the blob */
  SYCLZE_SPEC_MODE_FIXED     /* the compiler replaced the constants by their defaults */
} syclze_spec_mode;

/* The SpecId of a leaf that is padding. */
#define SYCLZE_SPEC_PADDING 0xffffffffu

/* One constant, scalar or composite. */
typedef struct syclze_spec_constant {
  syclze_text name; /* its symbolic id; empty where the image has no properties */
  const syclze_spec_leaf
      *leaves; /* in rising order of their offsets; one with offset 0 if scalar */
  uint32_t leaf_count;
  uint32_t size;        /* of its value, in bytes */
  uint32_t blob_offset; /* of its value in the blob */
  bool is_set;
} syclze_spec_constant;

/* A value that a program gives a constant. */
typedef struct syclze_spec_value {
  const char *name; /* the symbolic id; null: by number */
  uint32_t id;      /* the SpecId, where the name is null */
  const void *data;
  size_t size; /* in bytes: as for syclze_spec_constant_set_bytes */
} syclze_spec_value;

typedef struct syclze_spec_constants {
  struct syclze__spec_constants *rep;
} syclze_spec_constants;

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
  struct syclze__spec_slot *slots; /* of each leaf */
  const void **values;             /* for the driver: room for each leaf */
  syclze_spec_leaf *leaves;        /* of all constants */
  uint32_t *ids;                   /* for the driver: room for each leaf */
  uint8_t *blob;
};

enum { SYCLZE_SPEC_BLOB_LIMIT = 1 << 20 };

/* The constants of an image, with their defaults; none is no error. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER; SYCLZE_RESULT_ERROR_INVALID for properties or SPIR-V that
 * are malformed or contradict each other; ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_spec_constants_make(const syclze_offload_image *image,
    syclze_spec_constants *constants) SYCLZE_LINK_NAME(syclze_spec_constants_make);

/* Frees them. Null is allowed and has no effect. */
SYCLZE_INLINE void syclze_spec_constants_end(syclze_spec_constants constants) {
  free(constants.rep);
}

/* In none of the following is `constants` null. */

SYCLZE_INLINE syclze_spec_mode syclze_spec_constants_mode(syclze_spec_constants constants) {
  return constants.rep->mode;
}

SYCLZE_INLINE uint32_t syclze_spec_constant_count(syclze_spec_constants constants) {
  return constants.rep->count;
}

/* The constant with this number, in the order of the properties or of the SpecIds; null past the
 * last. */
SYCLZE_INLINE const syclze_spec_constant *syclze_spec_constant_at(
    syclze_spec_constants constants, uint32_t index) {
  return index < constants.rep->count ? &constants.rep->constants[index] : NULL;
}

/* The constant of that symbolic id; null where there is none. */
SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find(
    syclze_spec_constants constants, const char *name) SYCLZE_LINK_NAME(syclze_spec_constant_find);

/* The constant that has a leaf with that SpecId, and the leaf; null where there is none. */
SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find_id(
    syclze_spec_constants constants, uint32_t id, const syclze_spec_leaf **leaf)
    SYCLZE_LINK_NAME(syclze_spec_constant_find_id);

/* The value that a constant has: what was set, or the default. */
SYCLZE_INLINE syclze_bytes syclze_spec_constant_value(
    syclze_spec_constants constants, const syclze_spec_constant *constant) {
  return syclze_bytes_of(constants.rep->blob + constant->blob_offset, constant->size);
}

/* Sets a constant. A scalar takes exactly its bytes; a composite is laid out as in the host's
 * struct, whose trailing padding may be missing or be there. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER; SYCLZE_RESULT_ERROR_INVALID for a name that the image does
 * not have or a size that is not the constant's; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED where
 * the compiler replaced the constants by other values than this. */
SYCLZE_COLD ze_result_t syclze_spec_constant_set_bytes(
    syclze_spec_constants constants, const char *name, const void *value, size_t size)
    SYCLZE_LINK_NAME(syclze_spec_constant_set_bytes);

/* The same for the one leaf with that SpecId. */
SYCLZE_COLD ze_result_t syclze_spec_constant_set_id(syclze_spec_constants constants, uint32_t id,
    const void *value, size_t size) SYCLZE_LINK_NAME(syclze_spec_constant_set_id);

/* Sets those of the values that the image has. Errors: as above, but for what is not there. */
SYCLZE_COLD ze_result_t syclze_spec_constants_apply(syclze_spec_constants constants,
    const syclze_spec_value *values, uint32_t count) SYCLZE_LINK_NAME(syclze_spec_constants_apply);

/* The constants to give zeModuleCreate: those that are set and occur in the module, since a driver
 * refuses others. Valid until the next call on the same object. */
SYCLZE_COLD ze_module_constants_t syclze_spec_constants_native(syclze_spec_constants constants)
    SYCLZE_LINK_NAME(syclze_spec_constants_native);

/* The values of all constants, for the argument that emulates them: in the order of the properties,
 * each at its blob_offset. Valid as long as the object. */
SYCLZE_INLINE syclze_bytes syclze_spec_constants_blob(syclze_spec_constants constants) {
  return syclze_bytes_of(constants.rep->blob, constants.rep->blob_size);
}

/* Sets a scalar from a variable of its C type. */
#define SYCLZE__SPEC_TYPES(X)                                                                      \
  X(bool, bool)                                                                                    \
  X(char, char)                                                                                    \
  X(schar, signed char)                                                                            \
  X(uchar, unsigned char)                                                                          \
  X(short, short)                                                                                  \
  X(ushort, unsigned short)                                                                        \
  X(int, int)                                                                                      \
  X(uint, unsigned)                                                                                \
  X(long, long)                                                                                    \
  X(ulong, unsigned long)                                                                          \
  X(llong, long long)                                                                              \
  X(ullong, unsigned long long)                                                                    \
  X(float, float)                                                                                  \
  X(double, double)

#define SYCLZE__SPEC_SET(name, type)                                                               \
  SYCLZE_INLINE ze_result_t syclze_spec_constant_set_##name(                                       \
      syclze_spec_constants constants, const char *symbolic_id, type value) {                      \
    return syclze_spec_constant_set_bytes(constants, symbolic_id, &value, sizeof value);           \
  }
SYCLZE__SPEC_TYPES(SYCLZE__SPEC_SET)
#undef SYCLZE__SPEC_SET

#ifndef __cplusplus
#define SYCLZE__SPEC_BRANCH(name, type)                                                            \
  type:                                                                                            \
  syclze_spec_constant_set_##name,
struct syclze__give_bytes_of_a_struct_to_syclze_spec_constant_set_bytes;
SYCLZE_INLINE ze_result_t syclze__spec_constant_of_no_scalar_type(
    struct syclze__give_bytes_of_a_struct_to_syclze_spec_constant_set_bytes *value) {
  (void)value;
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
/* The type of `value` is the constant's: int for a 32-bit integer, float, bool and so on. */
/* clang-format off */
#define syclze_spec_constant_set(constants, name, value)                                           \
  _Generic((value), SYCLZE__SPEC_TYPES(SYCLZE__SPEC_BRANCH)                                        \
      default: syclze__spec_constant_of_no_scalar_type)(constants, name, value)
/* clang-format on */
#endif

/* What is counted before anything is kept. */
struct syclze__spec_source {
  syclze_spirv_index index; /* empty where the image is not SPIR-V */
  syclze_property_sets sets;
  bool has_properties;
  syclze_bytes defaults; /* empty: those of the module */
  uint64_t constant_count;
  uint64_t leaf_count;
  uint64_t blob_size;
};

SYCLZE_COLD struct syclze__spec_constants *syclze__spec_allocate(
    uint64_t constants, uint64_t leaves, uint64_t blob) SYCLZE_LINK_NAME(syclze__spec_allocate);

/* Null without memory. */
SYCLZE_COLD struct syclze__spec_constants *syclze__spec_allocate(
    uint64_t constants, uint64_t leaves, uint64_t blob) {
  struct syclze__spec_constants *rep;
  uint64_t size =
      sizeof *rep + constants * sizeof *rep->constants +
      leaves * (sizeof *rep->slots + sizeof *rep->values + sizeof *rep->leaves + sizeof *rep->ids) +
      blob;
  if (size > SIZE_MAX) return NULL;
  rep = (struct syclze__spec_constants *)calloc(1, (size_t)size);
  if (rep == NULL) return NULL;
  /* What needs the widest alignment stands first. */
  rep->slots = (struct syclze__spec_slot *)(void *)(rep + 1);
  rep->constants = (syclze_spec_constant *)(void *)(rep->slots + leaves);
  rep->values = (const void **)(void *)(rep->constants + constants);
  rep->leaves = (syclze_spec_leaf *)(void *)(rep->values + leaves);
  rep->ids = (uint32_t *)(void *)(rep->leaves + leaves);
  rep->blob = (uint8_t *)(rep->ids + leaves);
  return rep;
}

SYCLZE_COLD struct syclze__verdict syclze__spec_add(struct syclze__spec_constants *rep,
    const struct syclze__spec_source *source, syclze_text name, uint32_t leaf_count)
    SYCLZE_LINK_NAME(syclze__spec_add);

/* Makes a constant of the next `leaf_count` leaves of the array. */
SYCLZE_COLD struct syclze__verdict syclze__spec_add(struct syclze__spec_constants *rep,
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

SYCLZE_COLD struct syclze__verdict syclze__spec_read(struct syclze__spec_constants *rep,
    const struct syclze__spec_source *source) SYCLZE_LINK_NAME(syclze__spec_read);

SYCLZE_COLD struct syclze__verdict syclze__spec_read(
    struct syclze__spec_constants *rep, const struct syclze__spec_source *source) {
  struct syclze__verdict verdict = syclze__allowed();
  if (!source->has_properties) {
    for (uint32_t i = 0; i < source->index.constant_count; i++) {
      syclze_spec_leaf leaf = {source->index.constants[i].id, 0, source->index.constants[i].size};
      rep->leaves[rep->leaf_count] = leaf;
      verdict = syclze__spec_add(rep, source, syclze_text_of(NULL), 1);
      if (verdict.result != ZE_RESULT_SUCCESS) return verdict;
    }
    return verdict;
  }
  const syclze_property *property = NULL;
  while ((property = syclze_property_next(
              source->sets, SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, property)) != NULL) {
    memcpy(rep->leaves + rep->leaf_count, property->bytes.data, property->bytes.size);
    verdict = syclze__spec_add(
        rep, source, property->key, (uint32_t)(property->bytes.size / sizeof(syclze_spec_leaf)));
    if (verdict.result != ZE_RESULT_SUCCESS) return verdict;
  }
  return verdict;
}

/* The defaults: the image's payload, or those of the module's constants. */
SYCLZE_INLINE struct syclze__verdict syclze__spec_fill(
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

SYCLZE_COLD struct syclze__verdict syclze__spec_open(const syclze_offload_image *image,
    struct syclze__spec_source *source) SYCLZE_LINK_NAME(syclze__spec_open);

/* Opens what an image has, and counts. */
SYCLZE_COLD struct syclze__verdict syclze__spec_open(
    const syclze_offload_image *image, struct syclze__spec_source *source) {
  if (syclze_offload_format_of(image->bytes) == SYCLZE_OFFLOAD_FORMAT_SPIRV) {
    struct syclze__verdict verdict = syclze__spirv_index_read(image->bytes, &source->index);
    if (verdict.result != ZE_RESULT_SUCCESS) return verdict;
  }
  ze_result_t result = syclze_property_sets_open(image, &source->sets);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__verdict_of(result, "specialization constants: the properties cannot be read");
  const syclze_property *property = NULL;
  while ((property = syclze_property_next(
              source->sets, SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, property)) != NULL) {
    size_t count = property->bytes.size / sizeof(syclze_spec_leaf);
    if (property->type != SYCLZE_PROPERTY_TYPE_BYTES || count == 0 ||
        property->bytes.size % sizeof(syclze_spec_leaf) != 0 || count > SYCLZE_SPIRV_LEAF_LIMIT)
      return syclze__invalid(
          "specialization constants: a property is no array of id, offset and size");
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
    return syclze__invalid("specialization constants: the values are absurdly large");
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_spec_constants_make(
    const syclze_offload_image *image, syclze_spec_constants *constants) {
  static const char *const function = "syclze_spec_constants_make";
  if (constants == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  constants->rep = NULL;
  if (image == NULL)
    return syclze__refuse(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the image's pointer is null", NULL);
  struct syclze__spec_source source;
  memset(&source, 0, sizeof source);
  struct syclze__spec_constants *rep = NULL;
  struct syclze__verdict verdict = syclze__spec_open(image, &source);
  if (verdict.result == ZE_RESULT_SUCCESS) {
    rep = syclze__spec_allocate(source.constant_count, source.leaf_count, source.blob_size);
    verdict = rep != NULL ? syclze__spec_read(rep, &source) : syclze__out_of_memory();
  }
  if (verdict.result == ZE_RESULT_SUCCESS) verdict = syclze__spec_fill(rep, &source);
  if (verdict.result == ZE_RESULT_SUCCESS) {
    uint32_t replaced = 0;
    bool is_spirv = source.index.ids != NULL;
    rep->mode = is_spirv ? SYCLZE_SPEC_MODE_NATIVE : SYCLZE_SPEC_MODE_EMULATED;
    if (syclze_property_get_u32(
            source.sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_SPEC_REPLACED, &replaced) &&
        replaced != 0)
      rep->mode = SYCLZE_SPEC_MODE_FIXED;
    constants->rep = rep;
  } else
    free(rep);
  if (source.sets.rep != NULL) syclze_property_sets_close(source.sets);
  syclze_spirv_index_end(&source.index);
  if (verdict.result == ZE_RESULT_SUCCESS) return verdict.result;
  return syclze__refuse(verdict.result, function, verdict.rule, image->bytes.data);
}

SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find(
    syclze_spec_constants constants, const char *name) {
  syclze_text wanted = syclze_text_of(name);
  for (uint32_t i = 0; i < constants.rep->count; i++)
    if (syclze_text_equal(constants.rep->constants[i].name, wanted) && wanted.size != 0)
      return &constants.rep->constants[i];
  return NULL;
}

SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find_id(
    syclze_spec_constants constants, uint32_t id, const syclze_spec_leaf **leaf) {
  if (id == SYCLZE_SPEC_PADDING) return NULL;
  for (uint32_t i = 0; i < constants.rep->count; i++) {
    const syclze_spec_constant *constant = &constants.rep->constants[i];
    for (uint32_t k = 0; k < constant->leaf_count; k++) {
      if (constant->leaves[k].id != id) continue;
      *leaf = &constant->leaves[k];
      return constant;
    }
  }
  return NULL;
}

SYCLZE_COLD struct syclze__verdict syclze__spec_set(struct syclze__spec_constants *rep,
    const syclze_spec_constant *constant, const syclze_spec_leaf *first, uint32_t leaf_count,
    const void *value) SYCLZE_LINK_NAME(syclze__spec_set);

/* Gives `leaf_count` leaves of a constant what stands in `value`, which begins where the first
 * does. */
SYCLZE_COLD struct syclze__verdict syclze__spec_set(struct syclze__spec_constants *rep,
    const syclze_spec_constant *constant, const syclze_spec_leaf *first, uint32_t leaf_count,
    const void *value) {
  for (uint32_t i = 0; i < leaf_count; i++) {
    const syclze_spec_leaf *leaf = &first[i];
    const uint8_t *from = (const uint8_t *)value + (leaf->offset - first->offset);
    uint8_t *to = rep->blob + constant->blob_offset + leaf->offset;
    if (rep->mode == SYCLZE_SPEC_MODE_FIXED && leaf->id != SYCLZE_SPEC_PADDING &&
        memcmp(to, from, leaf->size) != 0)
      return syclze__verdict_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
          "the image was compiled with the specialization constants' default values");
  }
  for (uint32_t i = 0; i < leaf_count; i++) {
    const syclze_spec_leaf *leaf = &first[i];
    const uint8_t *from = (const uint8_t *)value + (leaf->offset - first->offset);
    memcpy(rep->blob + constant->blob_offset + leaf->offset, from, leaf->size);
    if (leaf->id == SYCLZE_SPEC_PADDING) continue;
    struct syclze__spec_slot *slot = &rep->slots[leaf - rep->leaves];
    slot->value = 0;
    memcpy(&slot->value, from, leaf->size);
    slot->is_set = true;
  }
  rep->constants[constant - rep->constants].is_set = true;
  return syclze__allowed();
}

/* Whether a value of `size` bytes is one of the constant's type: trailing padding of a composite
 * may be described by leaves, and need not be. */
SYCLZE_INLINE uint32_t syclze__spec_leaves_in(const syclze_spec_constant *constant, size_t size) {
  uint32_t count = constant->leaf_count;
  uint64_t end = constant->size;
  while (count > 1 && constant->leaves[count - 1].id == SYCLZE_SPEC_PADDING && size < end) {
    count--;
    end = (uint64_t)constant->leaves[count - 1].offset + constant->leaves[count - 1].size;
  }
  bool is_scalar = constant->leaf_count == 1;
  return size < end || size > (is_scalar ? end : (end + 15) / 16 * 16) ? 0 : count;
}

SYCLZE_COLD struct syclze__verdict syclze__spec_give(struct syclze__spec_constants *rep,
    const syclze_spec_value *value, bool *is_there) SYCLZE_LINK_NAME(syclze__spec_give);

SYCLZE_COLD struct syclze__verdict syclze__spec_give(
    struct syclze__spec_constants *rep, const syclze_spec_value *value, bool *is_there) {
  syclze_spec_constants constants = {rep};
  const syclze_spec_leaf *leaf = NULL;
  const syclze_spec_constant *constant =
      value->name != NULL ? syclze_spec_constant_find(constants, value->name)
                          : syclze_spec_constant_find_id(constants, value->id, &leaf);
  *is_there = constant != NULL;
  if (constant == NULL)
    return syclze__invalid("the image has no specialization constant of this name or number");
  uint32_t count = 1;
  if (leaf == NULL) {
    leaf = constant->leaves;
    count = syclze__spec_leaves_in(constant, value->size);
  } else if (leaf->size != value->size)
    count = 0;
  if (count == 0) return syclze__invalid("the value's size is not the specialization constant's");
  return syclze__spec_set(rep, constant, leaf, count, value->data);
}

SYCLZE_COLD ze_result_t syclze__spec_set_checked(struct syclze__spec_constants *rep,
    const syclze_spec_value *value, const char *function, bool may_lack)
    SYCLZE_LINK_NAME(syclze__spec_set_checked);

SYCLZE_COLD ze_result_t syclze__spec_set_checked(struct syclze__spec_constants *rep,
    const syclze_spec_value *value, const char *function, bool may_lack) {
  bool is_there = true;
  struct syclze__verdict verdict = value->data == NULL
                                       ? syclze__null_pointer("the value's pointer is null")
                                       : syclze__spec_give(rep, value, &is_there);
  if (verdict.result == ZE_RESULT_SUCCESS || (may_lack && !is_there)) return ZE_RESULT_SUCCESS;
  return syclze__fail(verdict.result, function, verdict.rule, NULL, value->name);
}

SYCLZE_COLD ze_result_t syclze_spec_constant_set_bytes(
    syclze_spec_constants constants, const char *name, const void *value, size_t size) {
  syclze_spec_value given = {name != NULL ? name : "", 0, value, size};
  return syclze__spec_set_checked(constants.rep, &given, "syclze_spec_constant_set_bytes", false);
}

SYCLZE_COLD ze_result_t syclze_spec_constant_set_id(
    syclze_spec_constants constants, uint32_t id, const void *value, size_t size) {
  syclze_spec_value given = {NULL, id, value, size};
  return syclze__spec_set_checked(constants.rep, &given, "syclze_spec_constant_set_id", false);
}

SYCLZE_COLD ze_result_t syclze_spec_constants_apply(
    syclze_spec_constants constants, const syclze_spec_value *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_result_t result =
        syclze__spec_set_checked(constants.rep, &values[i], "syclze_spec_constants_apply", true);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_module_constants_t syclze_spec_constants_native(syclze_spec_constants constants) {
  struct syclze__spec_constants *rep = constants.rep;
  ze_module_constants_t native;
  memset(&native, 0, sizeof native);
  for (uint32_t i = 0; i < rep->leaf_count && rep->mode == SYCLZE_SPEC_MODE_NATIVE; i++) {
    if (!rep->slots[i].is_set || !rep->slots[i].is_in_module) continue;
    rep->ids[native.numConstants] = rep->leaves[i].id;
    rep->values[native.numConstants++] = &rep->slots[i].value;
  }
  native.pConstantIds = rep->ids;
  native.pConstantValues = rep->values;
  return native;
}

SYCLZE_EXTERN_C_END

#ifdef __cplusplus
/* The same macro of C as a template. */
template <typename T>
inline ze_result_t syclze_spec_constant_set(
    syclze_spec_constants constants, const char *name, const T &value) {
  return syclze_spec_constant_set_bytes(constants, name, &value, sizeof value);
}
#endif

#endif
