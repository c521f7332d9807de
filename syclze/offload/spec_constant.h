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

#include "detail/spec_constant_reader.h"

SYCLZE_EXTERN_C_BEGIN

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

SYCLZE_COLD ze_result_t syclze_spec_constants_make(
    const syclze_offload_image *image, syclze_spec_constants *constants) {
  static const char *const function = "syclze_spec_constants_make";
  if (constants == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  constants->rep = NULL;
  if (image == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the image's pointer is null", NULL);
  struct syclze__status status = syclze__spec_make(image, &constants->rep);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, function, status.rule, image->bytes.data);
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

/* Gives `leaf_count` leaves of a constant what stands in `value`, which begins where the first
 * does. */
SYCLZE_LOCAL struct syclze__status syclze__spec_set(struct syclze__spec_constants *rep,
    const syclze_spec_constant *constant, const syclze_spec_leaf *first, uint32_t leaf_count,
    const void *value) {
  for (uint32_t i = 0; i < leaf_count; i++) {
    const syclze_spec_leaf *leaf = &first[i];
    const uint8_t *from = (const uint8_t *)value + (leaf->offset - first->offset);
    uint8_t *to = rep->blob + constant->blob_offset + leaf->offset;
    if (rep->mode == SYCLZE_SPEC_MODE_FIXED && leaf->id != SYCLZE_SPEC_PADDING &&
        memcmp(to, from, leaf->size) != 0)
      return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
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

SYCLZE_LOCAL struct syclze__status syclze__spec_give(
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

SYCLZE_LOCAL ze_result_t syclze__spec_set_checked(struct syclze__spec_constants *rep,
    const syclze_spec_value *value, const char *function, bool may_lack) {
  bool is_there = true;
  struct syclze__status status = value->data == NULL
                                     ? syclze__null_pointer("the value's pointer is null")
                                     : syclze__spec_give(rep, value, &is_there);
  if (status.result == ZE_RESULT_SUCCESS || (may_lack && !is_there)) return ZE_RESULT_SUCCESS;
  return syclze__fail_detail(status.result, function, status.rule, NULL, value->name);
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
