/**
 * @file
 * Host accessors: a scope in which the host reads or writes a buffer.
 *
 *     syclze_host_accessor accessor;
 *     if (syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ_WRITE, &accessor) == 0) {
 *       float *numbers = syclze_host_accessor_get_pointer(accessor);
 *       numbers[0] = 1;
 *       syclze_host_accessor_release(accessor);
 *     }
 *
 * The scope is ordered against command groups, and other host accessors, by the rules of accessors:
 * it begins when its dependencies are complete, and later submissions that depend on it are
 * deferred, as behind a host task, until the scope ends. No submission blocks. A thread deadlocks
 * if it waits for such a group, or creates a second host accessor that depends on the first, before
 * it ends the scope.
 *
 * The pointer is to the memory itself if the host can access it, or to the data of the host that
 * the buffer was created with; else to a copy, which is written back at the end of the scope.
 * Contents written in another context are copied to the buffer's own before.
 *
 * Include it by name; command.h does not.
 *
 * Ownership: a host accessor keeps its buffer. Threads: one accessor is used by one thread at a
 * time, distinct ones by any threads.
 */
#ifndef SYCLZE_COMMAND_HOST_ACCESSOR_H
#define SYCLZE_COMMAND_HOST_ACCESSOR_H

#include "accessor.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__host_accessor;

/** A host accessor; {0} is null. @see SYCL 2020 4.7.6.10 */
typedef struct syclze_host_accessor {
  struct syclze__host_accessor *rep;
} syclze_host_accessor;

/**
 * Begins a scope in which the host uses all of a buffer, and waits until it may.
 *
 * @param[in] buffer  Null is refused.
 * @param[in] mode  The host's access. The discarding modes do not copy the old contents.
 * @param[out] accessor  Not null; set to null on failure.
 * Ownership afterwards: the accessor is the caller's, for syclze_host_accessor_release.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `accessor` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the buffer is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: `mode` is not a syclze_access_mode
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory, or no thread for a copy between contexts
 * - what the creation of an event, the wait for earlier work and the copy to the host return
 *
 * After an error there is no scope.
 * @see SYCL 2020 4.7.6.10
 */
SYCLZE_COLD ze_result_t syclze_host_accessor_create(syclze_buffer buffer, syclze_access_mode mode,
    syclze_host_accessor *accessor) SYCLZE_LINK_NAME(syclze_host_accessor_create);

/**
 * As syclze_host_accessor_create, for a part of a buffer of one dimension. Does not wait for work
 * on other parts.
 *
 * @param[in] buffer  Null is refused.
 * @param[in] mode  What the host does.
 * @param[in] offset, count  In elements.
 * @param[out] accessor  Not null; set to null on failure.
 * Ownership afterwards: as of syclze_host_accessor_create.
 * @return As syclze_host_accessor_create, and
 * - SYCLZE_RESULT_ERROR_INVALID: the part is empty or does not lie in the buffer, or the buffer has
 *   several dimensions
 * @see SYCL 2020 4.7.6.10 (ranged host accessor)
 */
SYCLZE_COLD ze_result_t syclze_host_accessor_create_range(syclze_buffer buffer,
    syclze_access_mode mode, size_t offset, size_t count, syclze_host_accessor *accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_create_range);

/**
 * Begins a scope as syclze_host_accessor_create, but does not wait: the host may use the pointer
 * once the event is signalled and syclze_host_accessor_wait has returned success.
 *
 * @param[in] buffer  Null is refused.
 * @param[in] mode  What the host does.
 * @param[out] accessor  Not null; set to null on failure. Its release waits for the event.
 * @param[out] ready  Signalled by a worker, a reference of the caller's; set to null on failure.
 * May be null: no event is returned.
 * @return As syclze_host_accessor_create, except errors of the wait and the copy, which
 * syclze_host_accessor_wait returns; and
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no thread
 * @see SYCL 2020 4.7.6.10
 */
SYCLZE_COLD ze_result_t syclze_host_accessor_begin(syclze_buffer buffer, syclze_access_mode mode,
    syclze_host_accessor *accessor, syclze_event *ready)
    SYCLZE_LINK_NAME(syclze_host_accessor_begin);

/**
 * Waits until the host may use the pointer.
 *
 * @param[in] accessor  Not null.
 * @return ZE_RESULT_SUCCESS, or what the wait for earlier work, or the copy to the host, returned:
 * then the contents are unspecified, and nothing is written back.
 * @see SYCL 2020 4.7.6.10
 */
SYCLZE_COLD ze_result_t syclze_host_accessor_wait(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_wait);

/**
 * Waits as syclze_host_accessor_wait, at most for some time.
 *
 * @param[in] accessor  Not null.
 * @param[in] nanoseconds  0 polls once; UINT64_MAX is no limit.
 * @return As syclze_host_accessor_wait, or
 * - ZE_RESULT_NOT_READY: the time is over. No diagnostic is emitted.
 * @see SYCL 2020 4.7.6.10
 */
SYCLZE_COLD ze_result_t syclze_host_accessor_wait_for(syclze_host_accessor accessor,
    uint64_t nanoseconds) SYCLZE_LINK_NAME(syclze_host_accessor_wait_for);

/**
 * The first byte of the accessor's buffer, or of the region of an accessor of an image.
 *
 * @param[in] accessor  Not null. If it is of a part, only that may be accessed, from
 * syclze_host_accessor_get_part_pointer on.
 * @return the pointer, until the accessor's release.
 * @see SYCL 2020 4.7.6.10 (host_accessor::get_pointer)
 */
SYCLZE_COLD void *syclze_host_accessor_get_pointer(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_get_pointer);

/**
 * The first byte of the accessor's part.
 *
 * @param[in] accessor  Not null.
 * @return the pointer, until the accessor's release.
 * @see SYCL 2020 4.7.6.10 (host_accessor::begin)
 */
SYCLZE_COLD void *syclze_host_accessor_get_part_pointer(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_get_part_pointer);

/**
 * The size of the accessor's part.
 *
 * @param[in] accessor  Not null.
 * @return the size, in bytes.
 * @see SYCL 2020 4.7.6.10 (host_accessor::byte_size)
 */
SYCLZE_COLD size_t syclze_host_accessor_byte_size(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_byte_size);

/**
 * Ends the scope: writes back, and lets deferred work begin. Waits first for the event of
 * syclze_host_accessor_begin.
 *
 * @param[in] accessor  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: it was released before, if detected
 * - what the copy from the host returned: the part of the buffer is unspecified
 * - what the release of the buffer returned
 *
 * The scope has ended anyway.
 * @see SYCL 2020 4.7.6.10 (destructor)
 */
SYCLZE_COLD ze_result_t syclze_host_accessor_release(syclze_host_accessor accessor)
    SYCLZE_LINK_NAME(syclze_host_accessor_release);

/**
 * Copies a part of a buffer to the host: a host accessor of that part, without a copy in between.
 *
 * @param[in] buffer  Null is refused.
 * @param[out] data  Not null; `size` bytes.
 * @param[in] offset, size  In bytes.
 * @return As syclze_host_accessor_create_range.
 * @see SYCL 2020 4.7.6.10
 */
SYCLZE_COLD ze_result_t syclze_buffer_read(syclze_buffer buffer, void *data, size_t offset,
    size_t size) SYCLZE_LINK_NAME(syclze_buffer_read);

/**
 * Copies data of the host to a part of a buffer, as syclze_buffer_read.
 *
 * @param[in] buffer  Null is refused.
 * @param[in] data  Not null; `size` bytes, read before the call returns.
 * @param[in] offset, size  In bytes.
 * @return As syclze_buffer_read. After an error of the copy the part is unspecified.
 * @see SYCL 2020 4.7.6.10
 */
SYCLZE_COLD ze_result_t syclze_buffer_write(syclze_buffer buffer, const void *data, size_t offset,
    size_t size) SYCLZE_LINK_NAME(syclze_buffer_write);

SYCLZE_EXTERN_C_END

/* The place in the list of kinds. */
#undef SYCLZE__WITH_HOST_ACCESSORS
#define SYCLZE__WITH_HOST_ACCESSORS(...) __VA_ARGS__
SYCLZE__OVERLOAD_RELEASE(host_accessor)

#include "detail/host/accessor.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_host_accessor_create(...) (SYCLZE__HERE(syclze_host_accessor_create)(__VA_ARGS__))
#define syclze_host_accessor_create_range(...)                                                     \
  (SYCLZE__HERE(syclze_host_accessor_create_range)(__VA_ARGS__))
#define syclze_host_accessor_begin(...) (SYCLZE__HERE(syclze_host_accessor_begin)(__VA_ARGS__))
#define syclze_host_accessor_release(...) (SYCLZE__HERE(syclze_host_accessor_release)(__VA_ARGS__))
#endif

/* Those of traces. */
#ifdef SYCLZE_CALL_SITE_H
#include "../detail/call_site_host.h"
#endif

#endif
