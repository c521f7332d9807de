/**
 * @file
 * Buffers in memory that the library allocates, over data of the host, and over parts of other
 * buffers.
 *
 *     float numbers[1000] = {0};
 *     syclze_buffer_desc desc = {0};
 *     desc.host_data = numbers;
 *     desc.element_size = sizeof numbers[0];
 *     desc.range[0] = 1000;
 *     syclze_buffer buffer;
 *     if (syclze_buffer_create(context, &desc, &buffer) == ZE_RESULT_SUCCESS)
 *       syclze_buffer_release(buffer);
 *
 * command.h includes this file; syclze.h does not.
 *
 * Threads: as of buffer.h.
 */
#ifndef SYCLZE_BUFFER_CREATE_H
#define SYCLZE_BUFFER_CREATE_H

#include "buffer.h"

SYCLZE_EXTERN_C_BEGIN

/** Properties of a buffer, to be combined. @see SYCL 2020 4.7.2.2 */
enum {
  /** Uses no other host memory: host accessors return the pointer to the data. */
  SYCLZE_BUFFER_PROPERTY_USE_HOST_PTR = 1 << 0
};

/** The buffer that syclze_buffer_create creates. @see SYCL 2020 4.7.2.1 */
typedef struct syclze_buffer_desc {
  size_t element_size;         /* in bytes; default: 1 */
  uint32_t dimensions;         /* 1 to 3; default: 1 */
  size_t range[3];             /* in elements, at least 1 in each dimension */
  void *host_data;             /* the contents, written back by the last release; default: none */
  const void *const_host_data; /* the contents, not written back; default: none */
  uint32_t properties;         /* SYCLZE_BUFFER_PROPERTY_*; default: none */
} syclze_buffer_desc;

/**
 * Creates a buffer of memory that the library allocates, or of data of the host.
 *
 * Data of the host are the buffer's until its last release, which waits for all work on the buffer,
 * and writes them back if the buffer was required for writing. If every device of the context can
 * access them they are the buffer's memory, and nothing is copied: they are the driver's memory, or
 * the devices have ZE_MEMORY_ACCESS_CAP_FLAG_RW for memory of the system. Const data are copied by
 * this call, and not needed after it.
 *
 * If the wait of the last release fails and the work is not done, the release returns the error and
 * the object is released: nothing is written back, and a worker frees what the library allocated
 * once the work is done. Until then the work may use data of the host that are the buffer's memory.
 *
 * @param[in] context  Of any devices; null is refused. The buffer keeps it.
 * @param[in] desc  Not null.
 * @param[out] buffer  Not null; set to null on failure.
 * Ownership afterwards: allocated memory is the library's. Data of the host stay the caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `desc` or `buffer` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: a property is unknown
 * - SYCLZE_RESULT_ERROR_INVALID: an empty or too large range, not 1 to 3 dimensions; two pointers
 *   to data; data that are memory of a device; use_host_ptr without data that may be written
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: use_host_ptr in a context of several devices, not
 *   all of which can access the data
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what the queries of the devices and of the data, the allocation and the copy return
 * @see SYCL 2020 4.7.2.1, 4.7.2.3
 */
SYCLZE_COLD ze_result_t syclze_buffer_create(syclze_context context, const syclze_buffer_desc *desc,
    syclze_buffer *buffer) SYCLZE_LINK_NAME(syclze_buffer_create);

/**
 * Sets where the last release writes the contents, if the buffer was required for writing; the
 * release then waits for all work on the buffer. No other thread may use the buffer meanwhile.
 *
 * @param[in] buffer  Of syclze_buffer_create; null is refused.
 * @param[in] final_data  As large as the buffer, until the last release; null: nothing is written.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the buffer is null
 * - SYCLZE_RESULT_ERROR_INVALID: another function created the buffer
 * @see SYCL 2020 4.7.2.1, set_final_data
 */
SYCLZE_COLD ze_result_t syclze_buffer_set_final_data(syclze_buffer buffer, void *final_data)
    SYCLZE_LINK_NAME(syclze_buffer_set_final_data);

/**
 * Sets whether the last release writes the contents to the data of the host, or to the final data.
 * No other thread may use the buffer meanwhile.
 *
 * @param[in] buffer  Of syclze_buffer_create; null is refused.
 * @param[in] writes_back  Default: true.
 * @return As syclze_buffer_set_final_data.
 * @see SYCL 2020 4.7.2.1, set_write_back
 */
SYCLZE_COLD ze_result_t syclze_buffer_set_write_back(syclze_buffer buffer, bool writes_back)
    SYCLZE_LINK_NAME(syclze_buffer_set_write_back);

/**
 * Makes a buffer of a contiguous part of another. Work on one of them waits for work on the other,
 * and on other sub-buffers, if the accessed parts overlap; parts count in whole rows of the first
 * dimension of the buffer that has the memory.
 *
 * @param[in] parent  Not a sub-buffer; null is refused. The sub-buffer keeps it.
 * @param[in] offset, count  In elements, one value for each dimension of the parent; not null.
 * @param[out] buffer  Not null; set to null on failure.
 * Ownership afterwards: the memory stays the parent's, which ends with the last release of all its
 * sub-buffers.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the parent is null
 * - SYCLZE_RESULT_ERROR_INVALID: the part is empty, has gaps or does not lie in the parent; the
 *   parent is a sub-buffer
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * @see SYCL 2020 4.7.2.1
 */
SYCLZE_WARM ze_result_t syclze_buffer_create_sub(syclze_buffer parent, const size_t *offset,
    const size_t *count, syclze_buffer *buffer) SYCLZE_LINK_NAME(syclze_buffer_create_sub);

/**
 * Makes a buffer of the memory of another, with other elements and dimensions. Both are ordered as
 * a sub-buffer and its parent.
 *
 * @param[in] parent  Null is refused; may be a sub-buffer. The buffer keeps it.
 * @param[in] element_size  In bytes; 0 for 1.
 * @param[in] dimensions  1 to 3; 0 for 1.
 * @param[in] range  In elements, as large as the parent in all; not null.
 * @param[out] buffer  Not null; set to null on failure.
 * Ownership afterwards: as of syclze_buffer_create_sub.
 * @return As syclze_buffer_create_sub, and
 * - SYCLZE_RESULT_ERROR_INVALID: the parent has another size; not 1 to 3 dimensions
 * @see SYCL 2020 4.7.2.1, reinterpret
 */
SYCLZE_COLD ze_result_t syclze_buffer_reinterpret(syclze_buffer parent, size_t element_size,
    uint32_t dimensions, const size_t *range, syclze_buffer *buffer)
    SYCLZE_LINK_NAME(syclze_buffer_reinterpret);

/**
 * Returns whether the buffer is a sub-buffer, or a reinterpretation of one.
 *
 * @param[in] buffer  Not null.
 * @return True for a sub-buffer.
 * @see SYCL 2020 4.7.2.1, is_sub_buffer
 */
SYCLZE_INLINE bool syclze_buffer_is_sub_buffer(syclze_buffer buffer);

SYCLZE_EXTERN_C_END

#include "detail/objects/buffer_create.h"
#include "detail/objects/buffer_view.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_buffer_create(...) (SYCLZE__HERE(syclze_buffer_create)(__VA_ARGS__))
#define syclze_buffer_create_sub(...) (SYCLZE__HERE(syclze_buffer_create_sub)(__VA_ARGS__))
#define syclze_buffer_reinterpret(...) (SYCLZE__HERE(syclze_buffer_reinterpret)(__VA_ARGS__))
#endif

#endif
