/**
 * @file
 * Buffers: a Level Zero allocation as an array of one to three dimensions.
 *
 *     syclze_buffer_input input = {0};
 *     input.native_handle = memory;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_buffer buffer;
 *     if (syclze_make_buffer(&input, context, &buffer) == ZE_RESULT_SUCCESS)
 *       syclze_buffer_release(buffer);
 *
 * The buffer uses the allocation in place for its whole life, also host memory; the contents are
 * the buffer's meanwhile (Level-Zero backend 4.5). The native allocation is available from an
 * interop handle only.
 *
 * Ownership: a buffer keeps its context. Under keep the last release waits for all work on the
 * buffer, and copies nothing. Under transfer it does not wait: the memory is freed when no queue
 * uses it any more. Several buffers may be made of one allocation, at most one of them under
 * transfer: work on any of them is ordered with work on the others, like work on a whole buffer.
 * Such buffers can be used in their own context only.
 *
 * Buffers of memory that the library allocates, of data of the host, and of parts of other buffers
 * are in buffer_create.h.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference.
 */
#ifndef SYCLZE_BUFFER_H
#define SYCLZE_BUFFER_H

#include "event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__buffer;

/** A buffer; {0} is null. @see SYCL 2020 4.7.2 */
typedef struct syclze_buffer {
  struct syclze__buffer *rep;
} syclze_buffer;

/** Input of syclze_make_buffer. @see Level-Zero backend 4.1 */
typedef struct syclze_buffer_input {
  void *native_handle;        /* of zeMemAllocDevice, zeMemAllocShared or zeMemAllocHost */
  syclze_ownership ownership; /* default: transfer */
  size_t element_size;        /* in bytes; default: 1 */
  uint32_t dimensions;        /* 1 to 3; default: 1 */
  size_t range[3];            /* in elements; default, of one dimension: the whole allocation */
} syclze_buffer_input;

/**
 * Makes a buffer of an allocation.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the allocation, of one device; null is refused. The buffer keeps it.
 * @param[out] buffer  Not null; set to null on failure.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `buffer` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the memory or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep
 * - SYCLZE_RESULT_ERROR_INVALID: the context has several devices; the memory is not an allocation
 * of the context, is that of another device, or the pointer is not its first; the range does not
 * fit
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeMemGetAllocProperties and zeMemGetAddressRange return
 * @see Level-Zero backend 4.3
 */
SYCLZE_WARM ze_result_t syclze_make_buffer(const syclze_buffer_input *input, syclze_context context,
    syclze_buffer *buffer) SYCLZE_LINK_NAME(syclze_make_buffer);

/**
 * Makes a buffer of an allocation that is ready once an event is signalled. The first use waits for
 * it.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the allocation, of one device; null is refused. The buffer keeps it.
 * @param[in] available  Null is refused. The buffer keeps it.
 * @param[out] buffer  Not null; set to null on failure.
 * Ownership afterwards: as after syclze_make_buffer.
 * @return As syclze_make_buffer, and
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `available` is null
 * @see Level-Zero backend 4.3
 */
SYCLZE_WARM ze_result_t syclze_make_buffer_after(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer)
    SYCLZE_LINK_NAME(syclze_make_buffer_after);

/**
 * Returns the context.
 *
 * @param[in] buffer  Not null.
 * @return The context, without a reference of its own.
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE syclze_context syclze_buffer_get_context(syclze_buffer buffer);

/**
 * Returns the number of dimensions.
 *
 * @param[in] buffer  Not null.
 * @return 1 to 3.
 * @see SYCL 2020 4.7.2
 */
SYCLZE_INLINE uint32_t syclze_buffer_get_dimensions(syclze_buffer buffer);

/**
 * Returns the number of elements in a dimension.
 *
 * @param[in] buffer  Not null.
 * @param[in] dimension  0 to 2.
 * @return The number; 1 beyond the buffer's dimensions.
 * @see SYCL 2020 4.7.2.1, get_range
 */
SYCLZE_INLINE size_t syclze_buffer_get_range(syclze_buffer buffer, uint32_t dimension);

/**
 * Returns the size of an element.
 *
 * @param[in] buffer  Not null.
 * @return The size, in bytes.
 * @see SYCL 2020 4.7.2.1
 */
SYCLZE_INLINE size_t syclze_buffer_get_element_size(syclze_buffer buffer);

/**
 * Returns the size of all elements.
 *
 * @param[in] buffer  Not null.
 * @return The size, in bytes.
 * @see SYCL 2020 4.7.2.1, byte_size
 */
SYCLZE_INLINE size_t syclze_buffer_byte_size(syclze_buffer buffer);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_buffer_retain(syclze_buffer object);

/**
 * Drops a reference. The last release, under keep, waits for all work on the buffer; under transfer
 * the memory is freed when the work is done. For a buffer that was created with data of the host,
 * or has final data, it waits and writes back.
 *
 * @param[in] buffer  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, or the error of a lost context: work may still use the
 *   memory. Under transfer it is not freed
 * - what the copy to data of the host returns: these are unspecified
 * - what zeEventHostSynchronize, zeMemFree and the release of the context return; the object is
 *   released anyway
 * @see Level-Zero backend 4.4.2, 4.5
 */
SYCLZE_INLINE ze_result_t syclze_buffer_release(syclze_buffer buffer);

/**
 * @copydoc syclze_context_set_owner
 * - SYCLZE_RESULT_ERROR_INVALID, too: the buffer was created by the library, or of another buffer
 */
SYCLZE_COLD ze_result_t syclze_buffer_set_owner(syclze_buffer object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_buffer_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_buffer_get_owner(syclze_buffer object)
    SYCLZE_LINK_NAME(syclze_buffer_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/buffer.h"

#endif
