/* Command groups: one submission to a queue, of what it requires and one submission.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor x = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
 *     syclze_group_depends_on(&group, before);
 *     ze_result_t result = syclze_group_fill(&group, syclze_mem_arg(x), &zero, 1, 4096, &event);
 *
 * A group is a value, and nothing is submitted before the action (launch.h, copy.h, host_task.h),
 * which ends the group. What goes wrong earlier is kept and returned by the submission, which then
 * takes nothing. The queue, the memory and the events that it names must live until the submission.
 * Above eight of a kind, what a group names is kept in memory that the action frees; a group that
 * gets none is ended by syclze_group_end.
 *
 * The event of an action is the caller's to release, at any time: the library keeps what its own
 * work needs. It may be null: no event is asked for. Groups of one queue may be submitted by any
 * thread; one group is for one thread. */
#ifndef SYCLZE_COMMAND_GROUP_H
#define SYCLZE_COMMAND_GROUP_H

#include "detail/replica.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__GROUP_FEW = 8 };

typedef struct syclze_group {
  struct syclze__queue *queue;
  struct syclze__status status; /* the first thing that went wrong */
  uint32_t accessor_count, event_count;
  syclze_accessor *many_accessors; /* null while `accessors` holds them all */
  struct syclze__event **many_events;
  struct syclze__range *many_parts; /* as many as `many_accessors`; unset without */
  syclze_accessor accessors[SYCLZE__GROUP_FEW];
  struct syclze__event *events[SYCLZE__GROUP_FEW];
  struct syclze__range parts[SYCLZE__GROUP_FEW]; /* of the accessors that are not whole */
} syclze_group;

/* A group without requirements. A null queue is an error of the submission. */
SYCLZE_INLINE syclze_group syclze_group_begin(syclze_queue queue) {
  syclze_group group;
  group.queue = queue.rep;
  group.status = queue.rep != NULL ? syclze__allowed() : syclze__null_handle("the queue is null");
  group.accessor_count = group.event_count = 0;
  group.many_accessors = NULL;
  group.many_events = NULL;
  return group;
}

SYCLZE_INLINE const syclze_accessor *syclze__group_accessors(const syclze_group *group) {
  return group->many_accessors != NULL ? group->many_accessors : group->accessors;
}

/* What an accessor that is not whole covers. */
SYCLZE_INLINE const struct syclze__range *syclze__group_part(
    const syclze_group *group, uint32_t place) {
  return &(group->many_accessors != NULL ? group->many_parts : group->parts)[place];
}

SYCLZE_INLINE struct syclze__event *const *syclze__group_events(const syclze_group *group) {
  return group->many_events != NULL ? group->many_events : group->events;
}

SYCLZE_COLD void syclze__group_fail(syclze_group *group, struct syclze__status status)
    SYCLZE_LINK_NAME(syclze__group_fail);

/* Keeps the first thing that went wrong. */
SYCLZE_COLD void syclze__group_fail(syclze_group *group, struct syclze__status status) {
  if (group->status.result == ZE_RESULT_SUCCESS) group->status = status;
}

SYCLZE_COLD void *syclze__group_more(syclze_group *group, void *many, const void *few,
    uint32_t count, size_t size) SYCLZE_LINK_NAME(syclze__group_more);

/* Room for one more when `count` of `size` bytes are there; null without memory. The room doubles
 * whenever the count is a power of two. */
SYCLZE_COLD void *syclze__group_more(
    syclze_group *group, void *many, const void *few, uint32_t count, size_t size) {
  if (many != NULL && (count & (count - 1)) != 0) return many;
  void *more = realloc(many, 2 * (size_t)count * size);
  if (more == NULL)
    syclze__group_fail(group, syclze__out_of_memory());
  else if (many == NULL)
    memcpy(more, few, count * size);
  return more;
}

SYCLZE_COLD bool syclze__group_grow(syclze_group *group) SYCLZE_LINK_NAME(syclze__group_grow);

/* Room for one more accessor than the group holds in itself; false without memory. */
SYCLZE_COLD bool syclze__group_grow(syclze_group *group) {
  uint32_t count = group->accessor_count;
  void *more = syclze__group_more(
      group, group->many_accessors, group->accessors, count, sizeof *group->accessors);
  if (more == NULL) return false;
  if (group->many_accessors == NULL) group->many_parts = NULL;
  group->many_accessors = (syclze_accessor *)more;
  more = syclze__group_more(group, group->many_parts, group->parts, count, sizeof *group->parts);
  if (more == NULL) return false;
  group->many_parts = (struct syclze__range *)more;
  return true;
}

/* The action waits for the event. Null is allowed and has no effect. */
SYCLZE_INLINE void syclze_group_depends_on(syclze_group *group, syclze_event event) {
  if (event.rep == NULL) return;
  if (SYCLZE__LIKELY(group->event_count < SYCLZE__GROUP_FEW)) {
    group->events[group->event_count++] = event.rep;
    return;
  }
  struct syclze__event **more = (struct syclze__event **)syclze__group_more(
      group, group->many_events, group->events, group->event_count, sizeof *more);
  if (more == NULL) return;
  group->many_events = more;
  more[group->event_count++] = event.rep;
}

/* What stands for a requirement that was refused. */
SYCLZE_INLINE syclze_accessor syclze__accessor_none(void) {
  syclze_accessor none;
  memset(&none, 0, sizeof none);
  return none;
}

/* Takes an accessor into the group, unless the status is against it. `part` may be null for all of
 * an object. */
SYCLZE_INLINE syclze_accessor syclze__require(syclze_group *group, struct syclze__status status,
    const syclze_accessor *accessor, const struct syclze__range *part) {
  uint32_t place = group->accessor_count;
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) {
    syclze__group_fail(group, status);
    return syclze__accessor_none();
  }
  syclze_accessor taken = *accessor;
  taken.place = (uint16_t)place;
  if (SYCLZE__UNLIKELY(place >= SYCLZE__GROUP_FEW)) {
    if (!syclze__group_grow(group)) return syclze__accessor_none();
    group->many_accessors[place] = taken;
    if (part != NULL) group->many_parts[place] = *part;
  } else {
    group->accessors[place] = taken;
    if (part != NULL) group->parts[place] = *part;
  }
  group->accessor_count = place + 1;
  return taken;
}

SYCLZE_INLINE struct syclze__status syclze__check_mode(syclze_access_mode mode) {
  if (SYCLZE__LIKELY((uint32_t)mode <= (uint32_t)SYCLZE_ACCESS_DISCARD_READ_WRITE))
    return syclze__allowed();
  return syclze__status_of(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "the access mode is none of syclze_access_mode");
}

SYCLZE_COLD struct syclze__buffer *syclze__group_cross(
    syclze_group *group, struct syclze__buffer *buffer) SYCLZE_LINK_NAME(syclze__group_cross);

/* The replica of a buffer of another context; null for a null buffer, or if it cannot be had. */
SYCLZE_COLD struct syclze__buffer *syclze__group_cross(
    syclze_group *group, struct syclze__buffer *buffer) {
  struct syclze__buffer *here = NULL;
  struct syclze__status status = syclze__null_handle("the buffer is null");
  if (buffer != NULL)
    status = syclze__status_of(syclze__replica_require(buffer, group->queue, &here),
        "the buffer's replica in the queue's context cannot be had");
  if (here == NULL) syclze__group_fail(group, status);
  return here;
}

SYCLZE_INLINE bool syclze__group_crosses(
    const syclze_group *group, const struct syclze__buffer *buffer) {
  return group->queue != NULL && group->queue->context != buffer->memory.context;
}

/* The whole buffer, or where it is of another context than the queue, its replica there
 * (replicas.h). Errors, returned by the action: ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null
 * buffer; ZE_RESULT_ERROR_INVALID_ENUMERATION for a mode that is none; what allocating a replica
 * returns.
 */
SYCLZE_INLINE syclze_accessor syclze_group_require_buffer(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode) {
  struct syclze__buffer *here = buffer.rep;
  if (SYCLZE__UNLIKELY(here == NULL || syclze__group_crosses(group, here))) {
    here = syclze__group_cross(group, here);
    if (here == NULL) return syclze__accessor_none();
  }
  syclze_accessor whole = syclze__accessor_whole(&here->memory, here->size, false, mode);
  return syclze__require(group, syclze__check_mode(mode), &whole, NULL);
}

/* An image, all of it. Errors as of a buffer, and SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED for an
 * image of another context than the queue's. */
SYCLZE_INLINE syclze_accessor syclze_group_require_image(
    syclze_group *group, syclze_image image, syclze_access_mode mode) {
  if (SYCLZE__UNLIKELY(image.rep == NULL))
    return syclze__require(group, syclze__null_handle("the image is null"), NULL, NULL);
  struct syclze__status status = syclze__check_mode(mode);
  if (group->queue != NULL && group->queue->context != image.rep->memory.context)
    status = syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
        "the image is of another context than the queue");
  syclze_accessor whole = syclze__accessor_whole(&image.rep->memory, 0, true, mode);
  return syclze__require(group, status, &whole, NULL);
}

/* An image that is read through a sampler. Level Zero's image knows none: the sampler is an
 * argument of the kernel, syclze_arg of a ze_sampler_handle_t. Errors as of an image. */
SYCLZE_INLINE syclze_accessor syclze_group_require_sampled_image(
    syclze_group *group, syclze_image image) {
  return syclze_group_require_image(group, image, SYCLZE_ACCESS_READ);
}

/* A part of a buffer, in elements, with as many values of `offset` and `count` as the buffer has
 * dimensions. Errors besides: SYCLZE_RESULT_ERROR_INVALID for a part that is empty or does not lie
 * in the buffer; ZE_RESULT_ERROR_INVALID_NULL_POINTER for a null pointer. */
SYCLZE_COLD syclze_accessor syclze_group_require_range_nd(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, const size_t *offset, const size_t *count)
    SYCLZE_LINK_NAME(syclze_group_require_range_nd);

SYCLZE_COLD syclze_accessor syclze_group_require_range_nd(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, const size_t *offset, const size_t *count) {
  syclze_accessor part;
  struct syclze__range box;
  memset(&part, 0, sizeof part);
  struct syclze__buffer *rep = buffer.rep;
  if (rep == NULL || syclze__group_crosses(group, rep)) rep = syclze__group_cross(group, rep);
  if (rep == NULL) return syclze__accessor_none();
  if (offset == NULL || count == NULL)
    return syclze__require(
        group, syclze__null_pointer("the offset or the count is null"), NULL, NULL);
  size_t before = 0;
  bool contiguous = true, one = true;
  part.size = rep->element_size;
  for (uint32_t i = 0; i < 3; i++) {
    box.first[i] = i < rep->dimensions ? offset[i] : 0;
    size_t length = i < rep->dimensions ? count[i] : 1;
    if (length == 0 || box.first[i] > rep->memory.range[i] ||
        length > rep->memory.range[i] - box.first[i])
      return syclze__require(
          group, syclze__invalid("the part is empty or does not lie in the buffer"), NULL, NULL);
    box.end[i] = box.first[i] + length;
    before = before * rep->memory.range[i] + box.first[i];
    part.size *= length;
    /* Once a dimension has more than one element, those inside it must be whole. */
    if (!one && length != rep->memory.range[i]) contiguous = false;
    if (length > 1) one = false;
  }
  if (!contiguous) part.size = 0;
  part.memory = &rep->memory;
  part.native = (char *)rep->memory.native + before * rep->element_size;
  part.mode = mode;
  return syclze__require(group, syclze__check_mode(mode), &part, &box);
}

/* The same of a buffer of one dimension. */
SYCLZE_INLINE syclze_accessor syclze_group_require_range(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, size_t offset, size_t count) {
  size_t offsets[3] = {offset, 0, 0}, counts[3] = {count, 1, 1};
  return syclze_group_require_range_nd(group, buffer, mode, offsets, counts);
}

/* A buffer or an image. */
#ifndef __cplusplus
#define syclze_require(group, object, mode)                                                        \
  _Generic((object), syclze_buffer                                                                 \
           : syclze_group_require_buffer, syclze_image                                             \
           : syclze_group_require_image)(group, object, mode)
#else
extern "C++" {
inline syclze_accessor syclze_require(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode) {
  return syclze_group_require_buffer(group, buffer, mode);
}
inline syclze_accessor syclze_require(
    syclze_group *group, syclze_image image, syclze_access_mode mode) {
  return syclze_group_require_image(group, image, mode);
}
}
#endif

SYCLZE_INLINE bool syclze__group_depends(const syclze_group *group) {
  return (group->accessor_count | group->event_count) != 0;
}

SYCLZE_INLINE void syclze__group_end(syclze_group *group) {
  if (SYCLZE__UNLIKELY(group->many_accessors != NULL)) {
    free(group->many_accessors);
    free(group->many_parts);
  }
  if (SYCLZE__UNLIKELY(group->many_events != NULL)) free((void *)group->many_events);
  group->many_accessors = NULL;
  group->many_events = NULL;
  group->accessor_count = group->event_count = 0;
}

/* Gives up a group that has had no action: nothing is submitted. `group` is not null. */
SYCLZE_INLINE void syclze_group_end(syclze_group *group) {
  syclze__group_end(group);
}

SYCLZE_EXTERN_C_END

#endif
