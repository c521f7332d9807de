/**
 * @file
 * Command groups: the requirements of one submission to a queue, and the submission.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor x = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
 *     syclze_group_depends_on(&group, before);
 *     ze_result_t result = syclze_group_fill(&group, syclze_mem_arg(x), &zero, 1, 4096, &event);
 *
 * A group is a value. Nothing is submitted before its one submission (launch.h, copy.h,
 * host_task.h, queue_sync.h), which ends the group: a second one is refused with
 * SYCLZE_RESULT_ERROR_INVALID. The first error of a requirement is kept in the group and returned
 * by the submission, which then has no effect.
 *
 * Ownership: a group keeps no references. Its queue, memory objects and events must live until the
 * submission; from then on the library keeps what its work needs. The event of a submission is the
 * caller's, and may be released at any time. A group that names more than eight accessors or events
 * allocates memory, freed by its submission or by syclze_group_end.
 *
 * Order: a submission waits for the dependencies of its accessors (SYCL 2020 3.8.1), for the events
 * that it names, and on an in-order queue for all earlier submissions. If it depends on a host task
 * that has not run, or on a native command whose function runs, it is deferred: a thread of the
 * library appends it to the native queue afterwards, and errors of the append are asynchronous
 * errors of the queue.
 *
 * Threads: any thread may submit to a queue; one group is used by one thread at a time.
 */
#ifndef SYCLZE_COMMAND_GROUP_H
#define SYCLZE_COMMAND_GROUP_H

#include "../queue.h"
#include "../sampler.h"
#include "accessor.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__GROUP_FEW = 8 };

/** A command group. All members are private. */
typedef struct syclze_group {
  struct syclze__queue *queue;
  struct syclze__status status; /* the first error */
  struct syclze__runs *runs;    /* of a submitted executable graph; else null */
  uint32_t accessor_count, event_count;
  syclze_accessor *many_accessors; /* null while `accessors` holds them all */
  struct syclze__event **many_events;
  struct syclze__range *many_parts; /* as `many_accessors`, or null; unset without those */
  syclze_accessor accessors[SYCLZE__GROUP_FEW + 1]; /* the last one for a failed requirement */
  struct syclze__event *events[SYCLZE__GROUP_FEW];
  struct syclze__range parts[SYCLZE__GROUP_FEW]; /* of the accessors that are not whole */
} syclze_group;

/**
 * Begins a group without requirements.
 *
 * @param[in] queue  Not retained. Null makes the submission fail with
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE.
 * @return the group, owned by the caller until its submission.
 * @see SYCL 2020 4.6.5 (queue::submit), 4.9.3 (command group scope)
 */
SYCLZE_INLINE syclze_group syclze_group_begin(syclze_queue queue);

/**
 * Ends a group without a submission. No effect on a group that was submitted.
 *
 * @param[in,out] group  Not null.
 * @see SYCL 2020 4.9.3
 */
SYCLZE_INLINE void syclze_group_end(syclze_group *group);

/**
 * Makes the submission wait for an event.
 *
 * @param[in,out] group  Not null.
 * @param[in] event  Of any context, not retained. Null has no effect.
 * @see SYCL 2020 4.9.4 (handler::depends_on)
 */
SYCLZE_INLINE void syclze_group_depends_on(syclze_group *group, syclze_event event);

/**
 * Requires all of a buffer. In another context than the buffer's own the group uses a replica,
 * which is updated before the group runs.
 *
 * Errors, returned by the submission:
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the buffer is null.
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: `mode` is not a syclze_access_mode.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, or what the allocation of a replica returns.
 *
 * @param[in,out] group  Not null.
 * @param[in] buffer  Not retained.
 * @param[in] mode  How the group uses it.
 * @return an accessor of the group, or one that no function takes after an error.
 * @see SYCL 2020 4.7.6.9 (buffer accessor for commands); Level-Zero backend 4.3
 */
SYCLZE_INLINE syclze_accessor syclze_group_require_buffer(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode);

/**
 * Requires all of an image.
 *
 * Errors, returned by the submission:
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the image is null.
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: `mode` is not a syclze_access_mode.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the image is of another context than the queue's.
 * - SYCLZE_RESULT_ERROR_INVALID: syclze_image_create made it on a device that is neither the
 *   queue's, nor part of it, nor contains it.
 *
 * @param[in,out] group  Not null.
 * @param[in] image  Not retained.
 * @param[in] mode  How the group uses it.
 * @return an accessor of the group, or one that no function takes after an error.
 * @see SYCL 2020 4.7.6.12 (unsampled image accessor)
 */
SYCLZE_INLINE syclze_accessor syclze_group_require_image(
    syclze_group *group, syclze_image image, syclze_access_mode mode);

/**
 * Requires an image that the kernel reads through a sampler. Level Zero's image holds no sampler,
 * which is another argument of the kernel: syclze_arg of syclze_group_require_sampler's accessor,
 * or of a ze_sampler_handle_t that the caller keeps.
 *
 * @param[in,out] group  Not null.
 * @param[in] image  Not retained. Errors as syclze_group_require_image, null included.
 * @return an accessor of the group, or one that no function takes after an error.
 * @see SYCL 2020 4.7.6.13 (sampled image accessor)
 */
SYCLZE_INLINE syclze_accessor syclze_group_require_sampled_image(
    syclze_group *group, syclze_image image);

/**
 * Requires a sampler, which is kept until the group's work is done. Samplers impose no order.
 *
 * Errors, returned by the submission:
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the sampler is null.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the sampler is of another context than the queue's.
 * - SYCLZE_RESULT_ERROR_INVALID: syclze_sampler_create made it on a device that is neither the
 *   queue's, nor part of it, nor contains it.
 *
 * @param[in,out] group  Not null.
 * @param[in] sampler  Not retained.
 * @return an accessor of the group, for syclze_arg only; after an error one that no function takes.
 * @see SYCL 1.2.1 4.8.5 (handler::set_arg of a sampler)
 */
SYCLZE_COLD syclze_accessor syclze_group_require_sampler(
    syclze_group *group, syclze_sampler sampler) SYCLZE_LINK_NAME(syclze_group_require_sampler);

/**
 * Requires a part of a buffer of any number of dimensions.
 *
 * Errors, returned by the submission: as syclze_group_require_buffer, and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `offset` or `count` is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the part is empty or does not lie in the buffer.
 *
 * @param[in,out] group  Not null.
 * @param[in] buffer  Not retained.
 * @param[in] mode  How the group uses the part.
 * @param[in] offset, count  In elements, one value for each dimension of the buffer.
 * @return an accessor of the group, or one that no function takes after an error.
 * @see SYCL 2020 4.7.6.9 (ranged accessor)
 */
SYCLZE_COLD syclze_accessor syclze_group_require_range_nd(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, const size_t *offset, const size_t *count)
    SYCLZE_LINK_NAME(syclze_group_require_range_nd);

/**
 * Requires a part of a buffer of one dimension.
 *
 * @param[in,out] group  Not null.
 * @param[in] buffer  Not retained. Errors as syclze_group_require_range_nd, null included.
 * @param[in] mode  How the group uses the part.
 * @param[in] offset, count  In elements.
 * @return an accessor of the group, or one that no function takes after an error.
 * @see SYCL 2020 4.7.6.9 (ranged accessor)
 */
SYCLZE_INLINE syclze_accessor syclze_group_require_range(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, size_t offset, size_t count);

#ifndef __cplusplus
/** syclze_group_require_buffer or syclze_group_require_image, by the object's type. */
#define syclze_require(group, object, mode)                                                        \
  _Generic((object), syclze_buffer                                                                 \
           : syclze_group_require_buffer, syclze_image                                             \
           : syclze_group_require_image)(group, object, mode)
#else
extern "C++" {
/** @copydoc syclze_group_require_buffer */
SYCLZE_INLINE syclze_accessor syclze_require(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode) {
  return syclze_group_require_buffer(group, buffer, mode);
}
/** @copydoc syclze_group_require_image */
SYCLZE_INLINE syclze_accessor syclze_require(
    syclze_group *group, syclze_image image, syclze_access_mode mode) {
  return syclze_group_require_image(group, image, mode);
}
}
#endif

SYCLZE_EXTERN_C_END

#include "detail/group.h"

#ifdef SYCLZE_CHECK
/* Its call site. */
#define syclze_group_begin(...) (SYCLZE__HERE(syclze_group_begin)(__VA_ARGS__))
#endif

#endif
