/**
 * @file
 * Specialisation constants: from the symbolic ids that a SYCL compiler writes to the SpecIds of a
 * module.
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
 * SpecIds alone. A composite is one constant with a leaf for each scalar in it. For SPIR-V, values
 * are passed to the module; for native code that was compiled for it, the blob is passed to the
 * kernel as an argument. Ownership: names are views of the image's memory, everything else is
 * copied. Threads: an object is used by one thread at a time.
 */
#ifndef SYCLZE_OFFLOAD_SPEC_CONSTANT_H
#define SYCLZE_OFFLOAD_SPEC_CONSTANT_H

#include "property_set.h"
#include "spirv.h"

SYCLZE_EXTERN_C_BEGIN

/** The way of values to the code. */
typedef enum syclze_spec_mode {
  SYCLZE_SPEC_MODE_NATIVE,   /**< passed to zeModuleCreate */
  SYCLZE_SPEC_MODE_EMULATED, /**< passed to the kernel in the blob */
  SYCLZE_SPEC_MODE_FIXED     /**< not at all: the compiler replaced the constants by defaults */
} syclze_spec_mode;

/** The SpecId of a leaf that is padding. */
#define SYCLZE_SPEC_PADDING 0xffffffffu

/** The largest blob in bytes. */
enum { SYCLZE_SPEC_BLOB_LIMIT = 1 << 20 };

/** One constant, scalar or composite. */
typedef struct syclze_spec_constant {
  syclze_text name;               /**< its symbolic id; empty where the image has no properties */
  const syclze_spec_leaf *leaves; /**< in rising order of offsets; a scalar's one has offset 0 */
  uint32_t leaf_count;
  uint32_t size;        /**< of its value, in bytes */
  uint32_t blob_offset; /**< of its value in the blob */
  bool is_set;
} syclze_spec_constant;

/** A value for a constant. */
typedef struct syclze_spec_value {
  const char *name; /**< the symbolic id; null: by number */
  uint32_t id;      /**< the SpecId, where the name is null */
  const void *data; /**< not null */
  size_t size;      /**< in bytes: as for syclze_spec_constant_set_bytes */
} syclze_spec_value;

/** The constants of an image; null is none. */
typedef struct syclze_spec_constants {
  struct syclze__spec_constants *rep; /**< private */
} syclze_spec_constants;

/**
 * Lists the constants of an image, with their defaults; none is not an error.
 *
 * @param[in] image  not null; its memory must outlive the constants.
 * @param[out] constants  not null; set to null on failure. The caller ends them.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - SYCLZE_RESULT_ERROR_INVALID: properties or SPIR-V that are malformed or inconsistent
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD ze_result_t syclze_spec_constants_make(const syclze_offload_image *image,
    syclze_spec_constants *constants) SYCLZE_LINK_NAME(syclze_spec_constants_make);

/**
 * Frees constants.
 *
 * @param[in] constants  may be null, which has no effect.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_INLINE void syclze_spec_constants_end(syclze_spec_constants constants);

/** Returns the way of values to the code.
 * @param[in] constants  not null.
 * @return the mode. @see offload design, Specialization constant lowering */
SYCLZE_INLINE syclze_spec_mode syclze_spec_constants_mode(syclze_spec_constants constants);

/** The number of constants.
 * @param[in] constants  not null.
 * @return the number. @see offload design, Specialization constant lowering */
SYCLZE_INLINE uint32_t syclze_spec_constant_count(syclze_spec_constants constants);

/**
 * A constant by its index, in the order of the properties or of the SpecIds.
 *
 * @param[in] constants  not null.
 * @param[in] index  from 0.
 * @return the constant, valid as long as the object; null past the last.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_INLINE const syclze_spec_constant *syclze_spec_constant_at(
    syclze_spec_constants constants, uint32_t index);

/**
 * A constant by its symbolic id.
 *
 * @param[in] constants  not null.
 * @param[in] name  may be null, for none.
 * @return the constant, valid as long as the object; null if there is none.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find(
    syclze_spec_constants constants, const char *name) SYCLZE_LINK_NAME(syclze_spec_constant_find);

/**
 * The constant that has a leaf with a SpecId.
 *
 * @param[in] constants  not null.
 * @param[in] id  the SpecId.
 * @param[out] leaf  not null; unchanged if there is none.
 * @return the constant, valid as long as the object; null if there is none.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD const syclze_spec_constant *syclze_spec_constant_find_id(
    syclze_spec_constants constants, uint32_t id, const syclze_spec_leaf **leaf)
    SYCLZE_LINK_NAME(syclze_spec_constant_find_id);

/**
 * A constant's value: what was set, or the default.
 *
 * @param[in] constants  not null.
 * @param[in] constant  of the same object; not null.
 * @return a view of the object.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_INLINE syclze_bytes syclze_spec_constant_value(
    syclze_spec_constants constants, const syclze_spec_constant *constant);

/**
 * Sets a constant by its symbolic id.
 *
 * @param[in] constants  not null.
 * @param[in] name  the symbolic id; null is none.
 * @param[in] value  copied. A composite is laid out as in the host's struct.
 * @param[in] size  in bytes: exactly a scalar's; of a composite with or without trailing padding.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `value` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the image has no such constant, or another size
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the compiler replaced the constant by another value
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD ze_result_t syclze_spec_constant_set_bytes(
    syclze_spec_constants constants, const char *name, const void *value, size_t size)
    SYCLZE_LINK_NAME(syclze_spec_constant_set_bytes);

/**
 * Sets the one leaf with a SpecId.
 *
 * @param[in] constants  not null.
 * @param[in] id  the SpecId.
 * @param[in] value  copied.
 * @param[in] size  in bytes: the leaf's.
 * @return as syclze_spec_constant_set_bytes; ZE_RESULT_ERROR_INVALID_NULL_POINTER: `value` is null.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD ze_result_t syclze_spec_constant_set_id(syclze_spec_constants constants, uint32_t id,
    const void *value, size_t size) SYCLZE_LINK_NAME(syclze_spec_constant_set_id);

/**
 * Sets those of several values that the image has, up to the first that cannot be set.
 *
 * @param[in] constants  not null.
 * @param[in] values  an array; null if `count` is 0. Copied.
 * @param[in] count  the array's length.
 * @return as syclze_spec_constant_set_bytes, but success for a constant that the image lacks.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD ze_result_t syclze_spec_constants_apply(syclze_spec_constants constants,
    const syclze_spec_value *values, uint32_t count) SYCLZE_LINK_NAME(syclze_spec_constants_apply);

/**
 * The constants for zeModuleCreate: those that are set and occur in the module, since a driver
 * refuses others.
 *
 * @param[in] constants  not null.
 * @return views of the object, valid until the next call on it.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_COLD ze_module_constants_t syclze_spec_constants_native(syclze_spec_constants constants)
    SYCLZE_LINK_NAME(syclze_spec_constants_native);

/**
 * The values of all constants, for the argument that emulates them: in the order of the properties,
 * each at its blob_offset.
 *
 * @param[in] constants  not null.
 * @return a view of the object.
 * @see offload design, Specialization constant lowering
 */
SYCLZE_INLINE syclze_bytes syclze_spec_constants_blob(syclze_spec_constants constants);

/** Sets a scalar from a value of its C type: int for a 32-bit integer, float, bool and so on; as
 * syclze_spec_constant_set_bytes. A struct does not compile in C. */
/* clang-format off */
#ifndef __cplusplus
#define syclze_spec_constant_set(constants, name, value)                                           \
  _Generic((value), SYCLZE__SPEC_TYPES(SYCLZE__SPEC_BRANCH)                                        \
      default: syclze__spec_constant_of_no_scalar_type)(constants, name, value)
#endif
/* clang-format on */

SYCLZE_EXTERN_C_END

#ifdef __cplusplus
/** @copydoc syclze_spec_constant_set_bytes */
template <typename T>
SYCLZE_INLINE ze_result_t syclze_spec_constant_set(
    syclze_spec_constants constants, const char *name, const T &value) {
  return syclze_spec_constant_set_bytes(constants, name, &value, sizeof value);
}
#endif

#include "detail/spec_constant.h"

#endif
