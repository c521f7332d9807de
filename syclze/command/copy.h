/**
 * @file
 * Copies, fills, hints and image copies.
 *
 *     ze_result_t copied = syclze_copy(&group, buffer, pointer, 4096, &event);
 *
 * A memory argument is the memory of an accessor of the group, or a pointer: to memory that the
 * queue's device can access, or for copies also to the host's own, which must live until the work
 * is done. syclze_copy and syclze_fill convert their operands; the functions take
 * syclze_mem_arg(accessor) or syclze_mem_arg(pointer).
 *
 * Common to all submissions of this file: the group, not null, is ended by the call. `event` may be
 * null: no event is returned; else it is a reference of the caller's, set to null on failure.
 * Each returns ZE_RESULT_SUCCESS, what a requirement of the group failed with, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a memory argument is a null pointer.
 * - SYCLZE_RESULT_ERROR_ACCESSOR: an accessor does not belong to the group, is of the other kind of
 *   memory, or of written memory in read mode.
 * - SYCLZE_RESULT_ERROR_INVALID: the accessor has fewer bytes, has gaps, or the region is empty or
 *   does not lie in the image.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what Level Zero's append or the creation of an event returns.
 *
 * After an error nothing is submitted. Threads: as a group, one thread at a time.
 */
#ifndef SYCLZE_COMMAND_COPY_H
#define SYCLZE_COMMAND_COPY_H

#include "group.h"

SYCLZE_EXTERN_C_BEGIN

/** A memory argument, made by the functions below. All members are private. */
typedef struct syclze_memory_argument {
  void *pointer;            /* of an argument other than an accessor */
  syclze_accessor accessor; /* with a null memory for a pointer */
  bool is_accessor;
} syclze_memory_argument;

/**
 * The memory of an accessor.
 *
 * @param[in] accessor  Of the group.
 * @return the argument.
 * @see SYCL 2020 4.9.4.3 (explicit memory operations)
 */
SYCLZE_INLINE syclze_memory_argument syclze_memory_argument_accessor(syclze_accessor accessor);

/**
 * Memory by its address.
 *
 * @param[in] pointer  Null is an error of the submission. Writing through a pointer to const is the
 * caller's responsibility.
 * @return the argument, which borrows the memory.
 * @see SYCL 2020 4.9.4.3 (explicit memory operations)
 */
SYCLZE_INLINE syclze_memory_argument syclze_memory_argument_pointer(const void *pointer);

#ifndef __cplusplus
/** A memory argument of an accessor or a pointer. */
#define syclze_mem_arg(memory)                                                                     \
  _Generic((memory), syclze_accessor                                                               \
           : syclze_memory_argument_accessor, default                                              \
           : syclze_memory_argument_pointer)(memory)
#else
extern "C++" {
/** @copydoc syclze_memory_argument_accessor */
SYCLZE_INLINE syclze_memory_argument syclze_mem_arg(syclze_accessor accessor) {
  return syclze_memory_argument_accessor(accessor);
}
/** @copydoc syclze_memory_argument_pointer */
SYCLZE_INLINE syclze_memory_argument syclze_mem_arg(const void *pointer) {
  return syclze_memory_argument_pointer(pointer);
}
}
#endif

/**
 * Copies bytes.
 *
 * @param[in,out] group  Not null.
 * @param[in] to, from  Memory of `size` bytes each; a null pointer is an error.
 * @param[in] size  In bytes.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as ZE_RESULT_ERROR_INVALID_NULL_POINTER.
 * @see SYCL 2020 4.9.4.3 (handler::memcpy, handler::copy)
 */
SYCLZE_INLINE ze_result_t syclze_group_copy(syclze_group *group, syclze_memory_argument to,
    syclze_memory_argument from, size_t size, syclze_event *event);

/**
 * Fills memory with a pattern.
 *
 * @param[in,out] group  Not null.
 * @param[in] to  Memory of `size` bytes; a null pointer is an error.
 * @param[in] pattern  Null is an error; read by the call.
 * @param[in] pattern_size  In bytes; not 0. A power of two up to the queue group's
 * max_fill_pattern_size takes one append, others several.
 * @param[in] size  In bytes, a multiple of `pattern_size`.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as ZE_RESULT_ERROR_INVALID_NULL_POINTER.
 * @see SYCL 2020 4.9.4.3 (handler::fill)
 */
SYCLZE_INLINE ze_result_t syclze_group_fill(syclze_group *group, syclze_memory_argument to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event);

#ifndef __cplusplus
/** syclze_group_copy: each operand is an accessor, a pointer, a memory argument, or a buffer, which
 * the group then requires as a whole for reading or for writing. `group` must have no side
 * effects. */
#define syclze_copy(group, to, from, size, event)                                                  \
  syclze_group_copy(group, SYCLZE__OPERAND(group, to, SYCLZE_ACCESS_WRITE),                        \
      SYCLZE__OPERAND(group, from, SYCLZE_ACCESS_READ), size, event)

/** syclze_group_fill, with an operand as of syclze_copy. */
#define syclze_fill(group, to, pattern, pattern_size, size, event)                                 \
  syclze_group_fill(                                                                               \
      group, SYCLZE__OPERAND(group, to, SYCLZE_ACCESS_WRITE), pattern, pattern_size, size, event)

#define SYCLZE__OPERAND(group, memory, mode)                                                       \
  _Generic((memory), syclze_buffer                                                                 \
           : syclze__operand_buffer, syclze_image                                                  \
           : syclze__error_an_image_is_no_operand_of_a_copy_of_bytes, syclze_accessor              \
           : syclze__operand_accessor, syclze_memory_argument                                      \
           : syclze__operand_same, default                                                         \
           : syclze__operand_pointer)(group, memory, mode)
#else
extern "C++" {
/** @copydoc syclze_group_copy */
template <typename To, typename From>
SYCLZE_INLINE ze_result_t syclze_copy(
    syclze_group *group, const To &to, const From &from, size_t size, syclze_event *event);
/** @copydoc syclze_group_fill */
template <typename To>
SYCLZE_INLINE ze_result_t syclze_fill(syclze_group *group, const To &to, const void *pattern,
    size_t pattern_size, size_t size, syclze_event *event);
}
#endif

/**
 * Copies the part of an accessor, contiguous or not. The other argument is an accessor with rows of
 * the same number and size, or a pointer to memory without gaps. The two must not overlap.
 *
 * @param[in,out] group  Not null.
 * @param[in] to, from  At least one of them an accessor; a null pointer is an error.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, or
 * - SYCLZE_RESULT_ERROR_ACCESSOR: both are pointers.
 * - SYCLZE_RESULT_ERROR_INVALID: the rows differ in number or size.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the part has gaps, and slices 4 GiB or more apart,
 *   or is one of a sub-buffer or a reinterpreted buffer, or copied to or from one.
 * @see SYCL 2020 4.9.4.3 (handler::copy of ranged accessors)
 */
SYCLZE_COLD ze_result_t syclze_group_copy_part(syclze_group *group, syclze_memory_argument to,
    syclze_memory_argument from, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_copy_part);

/**
 * Copies rows of bytes, with any distance between rows. An accessor must be contiguous. The two
 * must not overlap.
 *
 * @param[in,out] group  Not null.
 * @param[in] to, from  Memory of the rows; a null pointer is an error.
 * @param[in] to_pitch, from_pitch  Bytes from a row to the next one.
 * @param[in] width  Bytes of a row; nothing is copied if it or `height` is 0.
 * @param[in] height  Number of rows.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, or
 * - SYCLZE_RESULT_ERROR_INVALID: a pitch is smaller than the width.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: a pitch or the height is 2^32 or more.
 * @see SYCL_EXT_ONEAPI_MEMCPY2D (handler::ext_oneapi_memcpy2d)
 */
SYCLZE_INLINE ze_result_t syclze_group_copy_2d(syclze_group *group, syclze_memory_argument to,
    size_t to_pitch, syclze_memory_argument from, size_t from_pitch, size_t width, size_t height,
    syclze_event *event);

/**
 * Fills rows of bytes with a pattern, by one append for each row if there are gaps between them:
 * Level Zero fills no regions. A failed append leaves the rows before it filled.
 *
 * @param[in,out] group  Not null.
 * @param[in] to  Memory of the rows; a null pointer is an error. An accessor must be contiguous.
 * @param[in] pitch  Bytes from a row to the next one.
 * @param[in] pattern  Null is an error; read by the call.
 * @param[in] pattern_size  In bytes; not 0.
 * @param[in] width  Bytes of a row, a multiple of `pattern_size`.
 * @param[in] height  Number of rows.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_copy_2d, or
 * - SYCLZE_RESULT_ERROR_INVALID: `width` is not a multiple of `pattern_size`, or `pattern_size` is
 *   0.
 * @see SYCL_EXT_ONEAPI_MEMCPY2D (handler::ext_oneapi_fill2d, handler::ext_oneapi_memset2d)
 */
SYCLZE_COLD ze_result_t syclze_group_fill_2d(syclze_group *group, syclze_memory_argument to,
    size_t pitch, const void *pattern, size_t pattern_size, size_t width, size_t height,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_group_fill_2d);

/**
 * Copies an accessor's part to contiguous memory of the host.
 *
 * @param[in,out] group  Not null.
 * @param[out] host  Memory of the part's bytes, valid until the work is done; null is an error.
 * @param[in] from  Of the group.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_group_copy_part.
 * @see SYCL 2020 4.9.4.3 (handler::update_host)
 */
SYCLZE_INLINE ze_result_t syclze_group_update_host(
    syclze_group *group, void *host, syclze_accessor from, syclze_event *event);

/**
 * Announces that shared memory will be needed on the queue's device.
 *
 * @param[in,out] group  Not null.
 * @param[in] memory  Of `size` bytes; a null pointer is an error.
 * @param[in] size  In bytes.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as ZE_RESULT_ERROR_INVALID_NULL_POINTER.
 * @see SYCL 2020 4.9.4.3 (handler::prefetch)
 */
SYCLZE_INLINE ze_result_t syclze_group_prefetch(
    syclze_group *group, syclze_memory_argument memory, size_t size, syclze_event *event);

/**
 * Advises the driver how the queue's device will use memory.
 *
 * @param[in,out] group  Not null.
 * @param[in] memory  Of `size` bytes; a null pointer is an error.
 * @param[in] size  In bytes.
 * @param[in] advice  Level Zero's.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as ZE_RESULT_ERROR_INVALID_NULL_POINTER.
 * @see SYCL 2020 4.9.4.3 (handler::mem_advise)
 */
SYCLZE_INLINE ze_result_t syclze_group_advise(syclze_group *group, syclze_memory_argument memory,
    size_t size, ze_memory_advice_t advice, syclze_event *event);

/**
 * Copies memory without gaps between the rows to a region of an image.
 *
 * @param[in,out] group  Not null.
 * @param[in] to  An image's.
 * @param[in] from  Memory; a null pointer is an error.
 * @param[in] region  In pixels; null for all of the image. Read by the call.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as SYCLZE_RESULT_ERROR_INVALID.
 * @see SYCL 2020 4.9.4.3 (handler::copy)
 */
SYCLZE_COLD ze_result_t syclze_group_copy_to_image(syclze_group *group, syclze_accessor to,
    syclze_memory_argument from, const ze_image_region_t *region, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_copy_to_image);

/**
 * Copies a region of an image to memory, without gaps between the rows there.
 *
 * @param[in,out] group  Not null.
 * @param[in] to  Memory; a null pointer is an error.
 * @param[in] from  An image's.
 * @param[in] region  In pixels; null for all of the image. Read by the call.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as SYCLZE_RESULT_ERROR_INVALID.
 * @see SYCL 2020 4.9.4.3 (handler::copy)
 */
SYCLZE_COLD ze_result_t syclze_group_copy_from_image(syclze_group *group, syclze_memory_argument to,
    syclze_accessor from, const ze_image_region_t *region, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_copy_from_image);

/**
 * Copies a whole image to another one of the same size and format.
 *
 * @param[in,out] group  Not null.
 * @param[in] to, from  Images'.
 * @param[out] event  May be null; the caller owns the reference.
 * @return one of the codes at the top of this file, such as SYCLZE_RESULT_ERROR_ACCESSOR.
 * @see SYCL 2020 4.9.4.3 (handler::copy)
 */
SYCLZE_COLD ze_result_t syclze_group_copy_image(syclze_group *group, syclze_accessor to,
    syclze_accessor from, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_copy_image);

SYCLZE_EXTERN_C_END

#include "detail/commands/copy.h"

#endif
