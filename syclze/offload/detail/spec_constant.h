/* Bodies of spec_constant.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SPEC_CONSTANT_H
#define SYCLZE_OFFLOAD_DETAIL_SPEC_CONSTANT_H

#include "../spec_constant.h"
#include "spec_constant_reader.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze_spec_constants_end(syclze_spec_constants constants) {
  free(constants.rep);
}

SYCLZE_INLINE syclze_spec_mode syclze_spec_constants_mode(syclze_spec_constants constants) {
  return constants.rep->mode;
}

SYCLZE_INLINE uint32_t syclze_spec_constant_count(syclze_spec_constants constants) {
  return constants.rep->count;
}

SYCLZE_INLINE const syclze_spec_constant *syclze_spec_constant_at(
    syclze_spec_constants constants, uint32_t index) {
  return index < constants.rep->count ? &constants.rep->constants[index] : NULL;
}

SYCLZE_INLINE syclze_bytes syclze_spec_constant_value(
    syclze_spec_constants constants, const syclze_spec_constant *constant) {
  return syclze_bytes_of(constants.rep->blob + constant->blob_offset, constant->size);
}

SYCLZE_INLINE syclze_bytes syclze_spec_constants_blob(syclze_spec_constants constants) {
  return syclze_bytes_of(constants.rep->blob, constants.rep->blob_size);
}

#ifndef __cplusplus
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
  SYCLZE_INLINE ze_result_t syclze__spec_constant_set_##name(                                      \
      syclze_spec_constants constants, const char *symbolic_id, type value) {                      \
    return syclze_spec_constant_set_bytes(constants, symbolic_id, &value, sizeof value);           \
  }
SYCLZE__SPEC_TYPES(SYCLZE__SPEC_SET)
#undef SYCLZE__SPEC_SET
#define SYCLZE__SPEC_BRANCH(name, type)                                                            \
  type:                                                                                            \
  syclze__spec_constant_set_##name,

/* The names appear in the compiler's message. */
struct syclze__pass_a_struct_to_syclze_spec_constant_set_bytes;
SYCLZE_INLINE ze_result_t syclze__spec_constant_of_no_scalar_type(
    struct syclze__pass_a_struct_to_syclze_spec_constant_set_bytes *value) {
  (void)value;
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
#endif

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_spec_constants_make(
    const syclze_offload_image *image, syclze_spec_constants *constants) {
  if (constants == NULL)
    return syclze__fail_pointer("syclze_spec_constants_make", "the result's pointer is null");
  constants->rep = NULL;
  if (image == NULL)
    return syclze__fail_pointer("syclze_spec_constants_make", "the image's pointer is null");
  struct syclze__status status = syclze__spec_make(image, &constants->rep);
  return syclze__finish(status, "syclze_spec_constants_make", image->bytes.data);
}

SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find(
    syclze_spec_constants constants, const char *name) {
  syclze_text text = syclze_text_of(name);
  uint32_t low = 0, high = constants.rep->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (syclze__spec_compare_text(constants.rep->by_name[middle]->name, text) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  bool is_there = text.size != 0 && low < constants.rep->count &&
                  syclze_text_equal(constants.rep->by_name[low]->name, text);
  return is_there ? constants.rep->by_name[low] : NULL;
}

/* The constant of a leaf: leaves are in the order of their constants. */
SYCLZE_INLINE const syclze_spec_constant *syclze__spec_constant_of(
    const struct syclze__spec_constants *rep, const syclze_spec_leaf *leaf) {
  uint32_t low = 0, high = rep->count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (rep->constants[middle].leaves <= leaf)
      low = middle;
    else
      high = middle;
  }
  return &rep->constants[low];
}

SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find_id(
    syclze_spec_constants constants, uint32_t id, const syclze_spec_leaf **leaf) {
  const struct syclze__spec_constants *rep = constants.rep;
  uint32_t low = 0, high = rep->leaf_count;
  if (id == SYCLZE_SPEC_PADDING) return NULL;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (rep->by_id[middle]->id < id)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == rep->leaf_count || rep->by_id[low]->id != id) return NULL;
  *leaf = rep->by_id[low];
  return syclze__spec_constant_of(rep, *leaf);
}

/* Sets `leaf_count` leaves of a constant from `value`, which begins where the first leaf does. */
SYCLZE_LOCAL struct syclze__status syclze__spec_set(struct syclze__spec_constants *rep,
    const syclze_spec_constant *constant, const syclze_spec_leaf *first, uint32_t leaf_count,
    const void *value) {
  for (uint32_t i = 0; i < leaf_count; i++) {
    const syclze_spec_leaf *leaf = &first[i];
    const uint8_t *from = (const uint8_t *)value + (leaf->offset - first->offset);
    uint8_t *to = rep->blob + constant->blob_offset + leaf->offset;
    if (rep->mode == SYCLZE_SPEC_MODE_FIXED && leaf->id != SYCLZE_SPEC_PADDING &&
        memcmp(to, from, leaf->size) != 0)
      return syclze__unsupported(
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

/* The number of leaves in a value of `size` bytes; 0 if it is not of the constant's type. Trailing
 * padding of a composite may be described by leaves, and need not be in the value. */
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

SYCLZE_LOCAL struct syclze__status syclze__spec_assign(
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
                                     : syclze__spec_assign(rep, value, &is_there);
  if (status.result == ZE_RESULT_SUCCESS || (may_lack && !is_there)) return ZE_RESULT_SUCCESS;
  return syclze__finish_detail(status, function, NULL, value->name);
}

SYCLZE_COLD ze_result_t syclze_spec_constant_set_bytes(
    syclze_spec_constants constants, const char *name, const void *value, size_t size) {
  syclze_spec_value value_of = {name != NULL ? name : "", 0, value, size};
  return syclze__spec_set_checked(
      constants.rep, &value_of, "syclze_spec_constant_set_bytes", false);
}

SYCLZE_COLD ze_result_t syclze_spec_constant_set_id(
    syclze_spec_constants constants, uint32_t id, const void *value, size_t size) {
  syclze_spec_value value_of = {NULL, id, value, size};
  return syclze__spec_set_checked(constants.rep, &value_of, "syclze_spec_constant_set_id", false);
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
  SYCLZE__ZEROED(ze_module_constants_t, native);
  for (uint32_t i = 0; i < rep->leaf_count && rep->mode == SYCLZE_SPEC_MODE_NATIVE; i++) {
    if (!rep->slots[i].is_set || !rep->slots[i].is_in_module) continue;
    rep->ids[native.numConstants] = rep->leaves[i].id;
    rep->values[native.numConstants++] = &rep->slots[i].value;
  }
  native.pConstantIds = rep->ids;
  native.pConstantValues = rep->values;
  return native;
}

#endif

SYCLZE_EXTERN_C_END

#endif
