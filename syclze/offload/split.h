/**
 * @file
 * Division of a SPIR-V module: an image for each kernel, or for all kernels with the same
 * requirements, so that a kernel with fp64 does not exclude the others from a device without.
 *
 *     syclze_split split;
 *     syclze_bytes spirv = syclze_bytes_of(file, file_size);
 *     if (syclze_split_make(spirv, SYCLZE_SPLIT_BY_REQUIREMENT, &split) == ZE_RESULT_SUCCESS) {
 *       for (uint32_t part = 0; part < split.part_count; part++) {
 *         size_t size = 0;
 *         if (syclze_split_write(&split, part, NULL, &size) == ZE_RESULT_SUCCESS)
 *           printf("part %u: %zu bytes\n", part, size);
 *       }
 *       syclze_split_end(&split);
 *     }
 *
 * A part is a module of its own: what its kernels reach, with names, decorations and debug
 * information, and only the capabilities that it needs. Ids are unchanged. Kernels that reach one
 * variable of the program stay together. Exports other than kernels stand in parts of their own, by
 * requirement, and other parts have copies that they do not export. Parts are in the order of their
 * first kernels.
 *
 * Bytes may have any content. Making takes time for the module, and for each kernel with all that
 * it reaches; writing takes time for the part. Ownership: the caller's bytes must outlive the
 * split. Threads: a split is used by one thread at a time.
 */
#ifndef SYCLZE_OFFLOAD_SPLIT_H
#define SYCLZE_OFFLOAD_SPLIT_H

#include "spirv.h"

SYCLZE_EXTERN_C_BEGIN

/** The contents of one part. */
typedef enum syclze_split_by {
  SYCLZE_SPLIT_BY_SOURCE,      /**< everything: one part, the module unchanged */
  SYCLZE_SPLIT_BY_KERNEL,      /**< one kernel */
  SYCLZE_SPLIT_BY_REQUIREMENT, /**< kernels with one set of aspects and required sizes */
  /** One kernel, for a module of at least 64 KiB whose parts are together at most twice as long, so
   * that a device compiles only the kernels that a program uses; otherwise by requirement. */
  SYCLZE_SPLIT_AUTO
} syclze_split_by;

/* Private: the module, and the last walk through it. */
struct syclze__split_reach {
  syclze_spirv spirv;
  struct syclze__split_id *ids;
  uint32_t id_count;
  uint32_t *queue;  /* ids outside of functions, in the order they were reached */
  uint32_t *always; /* ids of every part */
  uint32_t always_count;
  uint64_t visits; /* instructions visited since, for tests */
  uint32_t reached;
  uint32_t walk;
  uint32_t facts;
};

/* Private: the pieces of a module. `chosen` has room for all of them. */
struct syclze__split_pieces {
  struct syclze__split_piece *list;
  const struct syclze__split_piece **chosen;
  uint32_t count;
};

/** A divided module. */
typedef struct syclze_split {
  uint32_t part_count;
  syclze_bytes bytes;                 /**< private */
  struct syclze__split_reach reach;   /**< private: its ids are the allocation */
  struct syclze__split_pieces pieces; /**< private: an allocation of its own */
  struct syclze__split_unit *units;   /**< private */
  uint32_t *firsts;                   /**< private: of each part, the first unit */
  uint32_t unit_count;                /**< private */
} syclze_split;

/**
 * Divides a module.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive the split.
 * @param[in] by  the contents of one part.
 * @param[out] split  not null; empty on failure. The caller ends it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `split` is null
 * - the errors of syclze_spirv_index_make
 * - SYCLZE_RESULT_ERROR_INVALID: ids that are inconsistent
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: instructions that cannot be divided; use it whole
 * @see offload design, Device code splitting
 */
SYCLZE_COLD ze_result_t syclze_split_make(syclze_bytes bytes, syclze_split_by by,
    syclze_split *split) SYCLZE_LINK_NAME(syclze_split_make);

/**
 * Writes a part.
 *
 * @param[in,out] split  not null.
 * @param[in] part  below split->part_count.
 * @param[out] buffer  of `*size` bytes; null queries the size.
 * @param[in,out] size  not null; in bytes. Set to the part's size.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `split` or `size` is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the buffer is too small
 * - SYCLZE_RESULT_ERROR_INVALID: there is no such part
 * @see offload design, Device code splitting
 */
SYCLZE_COLD ze_result_t syclze_split_write(syclze_split *split, uint32_t part, void *buffer,
    size_t *size) SYCLZE_LINK_NAME(syclze_split_write);

/**
 * Frees a split and leaves it empty.
 *
 * @param[in,out] split  may be null or empty, which has no effect.
 * @see offload design, Device code splitting
 */
SYCLZE_INLINE void syclze_split_end(syclze_split *split);

SYCLZE_EXTERN_C_END

#include "detail/split.h"

#endif
