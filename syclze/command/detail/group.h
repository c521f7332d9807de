/* Bodies of group.h. */
#ifndef SYCLZE_COMMAND_DETAIL_GROUP_H
#define SYCLZE_COMMAND_DETAIL_GROUP_H

#include "../group.h"
#include "accessor.h"
#include "order/sub_range.h"
#include "host/replica.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__group_fail(syclze_group *group, struct syclze__status status)
    SYCLZE_LINK_NAME(syclze__group_fail);
SYCLZE_COLD void syclze__group_free(syclze_group *group) SYCLZE_LINK_NAME(syclze__group_free);
SYCLZE_COLD void syclze__group_add_event(syclze_group *group, struct syclze__event *event)
    SYCLZE_LINK_NAME(syclze__group_add_event);
SYCLZE_COLD void syclze__group_depends_on_all(syclze_group *group, const syclze_event *events,
    uint32_t count) SYCLZE_LINK_NAME(syclze__group_depends_on_all);
/* The accessor in the group; after an error, one that every function refuses. */
SYCLZE_WARM const syclze_accessor *syclze__group_require_buffer(
    syclze_group *group, struct syclze__buffer *buffer, syclze_access_mode mode)
    SYCLZE_LINK_NAME(syclze__group_require_buffer);
SYCLZE_COLD const syclze_accessor *syclze__group_require_image(
    syclze_group *group, struct syclze__image *image, syclze_access_mode mode)
    SYCLZE_LINK_NAME(syclze__group_require_image);

/* A group of a queue that may have been released. */
SYCLZE_INLINE syclze_group syclze__group_of(struct syclze__queue *queue) {
  syclze_group group;
  group.queue = queue;
  group.status = syclze__allowed();
  group.runs = NULL;
  group.accessor_count = group.event_count = 0;
  group.many_accessors = NULL;
  group.many_events = NULL;
  return group;
}

/* Begins a group that the library itself ends. */
SYCLZE_INLINE syclze_group syclze__group_begin(syclze_queue queue) {
  syclze_group group = syclze__group_of(queue.rep);
  SYCLZE__CHECK_IN_GROUP(&group, queue.rep, "syclze_group_begin");
  return group;
}

SYCLZE_INLINE syclze_group syclze_group_begin(syclze_queue queue) {
  syclze_group group = syclze__group_begin(queue);
  SYCLZE__CHECK_GROUP_BEGUN(&group);
  return group;
}

SYCLZE_INLINE const syclze_accessor *syclze__group_accessors(const syclze_group *group) {
  return group->many_accessors != NULL ? group->many_accessors : group->accessors;
}

/* The range of an accessor of a part. */
SYCLZE_INLINE const struct syclze__range *syclze__group_part(
    const syclze_group *group, uint32_t index) {
  return &(group->many_accessors != NULL && group->many_parts != NULL ? group->many_parts
                                                                      : group->parts)[index];
}

SYCLZE_INLINE struct syclze__event *const *syclze__group_events(const syclze_group *group) {
  return group->many_events != NULL ? group->many_events : group->events;
}

SYCLZE_INLINE bool syclze__group_depends(const syclze_group *group) {
  return (group->accessor_count | group->event_count) != 0;
}

/* Makes later submissions of the group fail. */
SYCLZE_INLINE void syclze__group_close(syclze_group *group) {
  SYCLZE__CHECK_GROUP_ENDED(group);
  group->status = syclze__invalid(
      "SYCL 2020 4.9.3: a command group must have one action, and this one has ended");
}

SYCLZE_INLINE void syclze_group_end(syclze_group *group) {
  if (SYCLZE__UNLIKELY(group->many_accessors != NULL || group->many_events != NULL))
    syclze__group_free(group);
  group->accessor_count = group->event_count = 0;
  syclze__group_close(group);
}

SYCLZE_INLINE void syclze_group_depends_on(syclze_group *group, syclze_event event) {
  if (event.rep == NULL) return;
  SYCLZE__CHECK_IN_GROUP(group, event.rep, "syclze_group_depends_on");
  if (SYCLZE__LIKELY(group->event_count < SYCLZE__GROUP_FEW))
    group->events[group->event_count++] = event.rep;
  else
    syclze__group_add_event(group, event.rep);
}

SYCLZE_INLINE syclze_accessor syclze_group_require_buffer(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode) {
  SYCLZE__CHECK_IN_GROUP(group, buffer.rep, "syclze_group_require_buffer");
  return *syclze__group_require_buffer(group, buffer.rep, mode);
}

SYCLZE_INLINE syclze_accessor syclze_group_require_image(
    syclze_group *group, syclze_image image, syclze_access_mode mode) {
  SYCLZE__CHECK_IN_GROUP(group, image.rep, "syclze_group_require_image");
  return *syclze__group_require_image(group, image.rep, mode);
}

SYCLZE_INLINE syclze_accessor syclze_group_require_sampled_image(
    syclze_group *group, syclze_image image) {
  return *syclze__group_require_image(group, image.rep, SYCLZE_ACCESS_READ);
}

SYCLZE_INLINE syclze_accessor syclze_group_require_range(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, size_t offset, size_t count) {
  const size_t offsets[3] = {offset, 0, 0}, counts[3] = {count, 1, 1};
  return syclze_group_require_range_nd(group, buffer, mode, offsets, counts);
}

#if SYCLZE__BODIES

SYCLZE_COLD void syclze__group_fail(syclze_group *group, struct syclze__status status) {
  if (group->status.result != ZE_RESULT_SUCCESS) return;
  SYCLZE__CHECK_GROUP_ENDED(group);
  group->status = status;
}

SYCLZE_COLD void syclze__group_free(syclze_group *group) {
  if (group->many_accessors != NULL) {
    free(group->many_accessors);
    free(group->many_parts);
  }
  free((void *)group->many_events);
  group->many_accessors = NULL;
  group->many_events = NULL;
}

/* True if an allocated array has room for one more than `count` elements. The room doubles whenever
 * the count is a power of two, from SYCLZE__GROUP_FEW on. */
SYCLZE_INLINE bool syclze__group_has_room(const void *many, uint32_t count) {
  return many != NULL && (count & (count - 1)) != 0;
}

/* Makes room for one more than `count` elements of `size` bytes; null without memory. */
SYCLZE_LOCAL void *syclze__group_grow(
    syclze_group *group, void *many, const void *few, uint32_t count, size_t size) {
  void *more = realloc(many, 2 * (size_t)count * size);
  if (more == NULL)
    syclze__group_fail(group, syclze__out_of_memory());
  else if (many == NULL)
    memcpy(more, few, count * size);
  return more;
}

SYCLZE_COLD void syclze__group_add_event(syclze_group *group, struct syclze__event *event) {
  const uint32_t count = group->event_count;
  struct syclze__event **more = group->many_events;
  if (SYCLZE__UNLIKELY(!syclze__group_has_room(more, count))) {
    more = (struct syclze__event **)syclze__group_grow(
        group, more, group->events, count, sizeof *more);
    if (more == NULL) return;
    group->many_events = more;
  }
  more[count] = event;
  group->event_count = count + 1;
}

SYCLZE_COLD void syclze__group_depends_on_all(
    syclze_group *group, const syclze_event *events, uint32_t count) {
  if (events == NULL) {
    syclze__group_fail(group, syclze__null_pointer("the list of events to wait for is null"));
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    syclze_group_depends_on(group, events[i]);
}

/* Makes room for as many parts as there is room for accessors; false without memory. */
SYCLZE_LOCAL bool syclze__group_grow_parts(syclze_group *group) {
  const uint32_t count = group->accessor_count;
  const uint32_t few = count < SYCLZE__GROUP_FEW ? count : (uint32_t)SYCLZE__GROUP_FEW;
  size_t room = 2 * SYCLZE__GROUP_FEW;
  while (room <= count)
    room *= 2;
  struct syclze__range *more =
      (struct syclze__range *)realloc(group->many_parts, room * sizeof *more);
  if (more == NULL) {
    syclze__group_fail(group, syclze__out_of_memory());
    return false;
  }
  if (group->many_parts == NULL) memcpy(more, group->parts, few * sizeof *more);
  group->many_parts = more;
  return true;
}

/* Makes room for one more accessor than the group holds in itself; false without memory. Parts get
 * an array as soon as one of so many accessors is a part. */
SYCLZE_LOCAL bool syclze__group_grow_accessors(syclze_group *group, bool is_part) {
  const uint32_t count = group->accessor_count;
  const bool has_room = syclze__group_has_room(group->many_accessors, count);
  if (!has_room) {
    void *more = syclze__group_grow(
        group, group->many_accessors, group->accessors, count, sizeof *group->accessors);
    if (more == NULL) return false;
    if (group->many_accessors == NULL) group->many_parts = NULL;
    group->many_accessors = (syclze_accessor *)more;
  }
  return (group->many_parts == NULL ? !is_part : has_room) || syclze__group_grow_parts(group);
}

/* The place of one more accessor; null without memory. */
SYCLZE_INLINE syclze_accessor *syclze__group_place(syclze_group *group, bool is_part) {
  const uint32_t count = group->accessor_count;
  if (SYCLZE__LIKELY(count < SYCLZE__GROUP_FEW)) return &group->accessors[count];
  if (SYCLZE__UNLIKELY(is_part || !syclze__group_has_room(group->many_accessors, count)) &&
      !syclze__group_grow_accessors(group, is_part))
    return NULL;
  return &group->many_accessors[count];
}

/* The accessor of a requirement that failed. */
SYCLZE_LOCAL const syclze_accessor *syclze__group_require_none(
    syclze_group *group, struct syclze__status status) {
  syclze_accessor *none = &group->accessors[SYCLZE__GROUP_FEW];
  memset(none, 0, sizeof *none);
  syclze__group_fail(group, status);
  return none;
}

/* Adds an accessor to the group. `part` is null for all of an object. */
SYCLZE_LOCAL const syclze_accessor *syclze__group_add_accessor(
    syclze_group *group, syclze_accessor accessor, const struct syclze__range *part) {
  const uint32_t index = group->accessor_count;
  if ((uint32_t)accessor.mode > (uint32_t)SYCLZE_ACCESS_DISCARD_READ_WRITE)
    return syclze__group_require_none(group, syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
                                                 "the access mode must be of syclze_access_mode"));
  syclze_accessor *place = syclze__group_place(group, part != NULL);
  if (place == NULL) return syclze__group_require_none(group, syclze__out_of_memory());
  if (part != NULL) (index < SYCLZE__GROUP_FEW ? group->parts : group->many_parts)[index] = *part;
  accessor.index = (uint16_t)index;
  *place = accessor;
  group->accessor_count = index + 1;
  return place;
}

/* Adds accessors of whole objects to a group, in modes that are valid. */
SYCLZE_LOCAL_WARM void syclze__group_add_accessors(
    syclze_group *group, const syclze_accessor *accessors, uint32_t count) {
  size_t room = 2 * SYCLZE__GROUP_FEW;
  if (group->accessor_count != 0 || count <= SYCLZE__GROUP_FEW) {
    for (uint32_t i = 0; i < count; i++)
      syclze__group_add_accessor(group, accessors[i], NULL);
    return;
  }
  while (room < count)
    room *= 2;
  syclze_accessor *many = (syclze_accessor *)malloc(room * sizeof *many);
  if (many == NULL) {
    syclze__group_fail(group, syclze__out_of_memory());
    return;
  }
  for (uint32_t i = 0; i < count; i++) {
    many[i] = accessors[i];
    many[i].index = (uint16_t)i;
  }
  group->many_accessors = many;
  group->many_parts = NULL;
  group->accessor_count = count;
}

/* The replica of a buffer of another context, or the buffer itself if both wrap one native context;
 * null for a null buffer, and after an error. */
SYCLZE_LOCAL struct syclze__buffer *syclze__group_replica(
    syclze_group *group, struct syclze__buffer *buffer) {
  struct syclze__buffer *replica = NULL;
  struct syclze__status status = syclze__null_handle("the buffer is null");
  if (buffer != NULL && group->queue->context->native == buffer->memory.context->native)
    return buffer;
  if (buffer != NULL)
    status = syclze__status_of(syclze__replica_require(buffer, group->queue, &replica),
        "the buffer has no replica in the queue's context, and none can be made");
  if (replica == NULL) syclze__group_fail(group, status);
  return replica;
}

/* The buffer, or its replica in the queue's context; null after an error. */
SYCLZE_INLINE struct syclze__buffer *syclze__group_buffer(
    syclze_group *group, struct syclze__buffer *buffer) {
  if (SYCLZE__LIKELY(buffer != NULL &&
                     (group->queue == NULL || group->queue->context == buffer->memory.context)))
    return buffer;
  return syclze__group_replica(group, buffer);
}

/* Marks a buffer with an origin as written if the mode writes. Null is allowed. */
SYCLZE_LOCAL void syclze__buffer_note_mode(struct syclze__buffer *buffer, syclze_access_mode mode) {
  size_t begin = 0;
  if (buffer != NULL) buffer = syclze__buffer_root(buffer, &begin);
  if (buffer != NULL && buffer->memory.origin != NULL && mode != SYCLZE_ACCESS_READ)
    __atomic_store_n(&buffer->memory.origin->is_written, true, __ATOMIC_RELAXED);
}

/* Requires the bytes [begin, end) of a view as a part of its root; `size` is the accessor's. */
SYCLZE_LOCAL const syclze_accessor *syclze__group_require_view(syclze_group *group,
    struct syclze__buffer *view, syclze_access_mode mode, size_t begin, size_t end, size_t size) {
  struct syclze__buffer *root = syclze__buffer_root(view, &begin);
  struct syclze__buffer *buffer = syclze__group_buffer(group, root);
  if (buffer == NULL) return syclze__group_require_none(group, group->status);
  const struct syclze__range range =
      syclze__range_of_bytes(buffer, begin, view->memory.origin->offset + end);
  syclze_accessor part = syclze__accessor_whole(&buffer->memory, size, false, mode);
  part.native = (char *)buffer->memory.native + begin;
  part.start = (char *)buffer->memory.native + view->memory.origin->offset;
  part.is_part = true;
  return syclze__group_add_accessor(group, part, &range);
}

/* Handles a view, a buffer of another context, and errors. */
SYCLZE_LOCAL const syclze_accessor *syclze__group_require_any(
    syclze_group *group, struct syclze__buffer *buffer, syclze_access_mode mode) {
  syclze__buffer_note_mode(buffer, mode);
  if (syclze__buffer_is_view(buffer))
    return syclze__group_require_view(group, buffer, mode, 0, buffer->size, buffer->size);
  buffer = syclze__group_buffer(group, buffer);
  if (buffer == NULL) return syclze__group_require_none(group, group->status);
  return syclze__group_add_accessor(
      group, syclze__accessor_whole(&buffer->memory, buffer->size, false, mode), NULL);
}

SYCLZE_WARM const syclze_accessor *syclze__group_require_buffer(
    syclze_group *group, struct syclze__buffer *buffer, syclze_access_mode mode) {
  const uint32_t index = group->accessor_count;
  if (SYCLZE__UNLIKELY(buffer == NULL || group->queue == NULL ||
                       group->queue->context != buffer->memory.required_in ||
                       (uint32_t)mode > (uint32_t)SYCLZE_ACCESS_DISCARD_READ_WRITE))
    return syclze__group_require_any(group, buffer, mode);
  syclze_accessor *accessor = syclze__group_place(group, false);
  if (SYCLZE__UNLIKELY(accessor == NULL))
    return syclze__group_require_none(group, syclze__out_of_memory());
  *accessor = syclze__accessor_whole(&buffer->memory, buffer->size, false, mode);
  accessor->index = (uint16_t)index;
  group->accessor_count = index + 1;
  return accessor;
}

/* True if one device is the other or part of it. Compares handles, since another linked image may
 * have enumerated the device. */
SYCLZE_LOCAL_WARM bool syclze__devices_are_related(
    const struct syclze__device *a, const struct syclze__device *b) {
  for (const struct syclze__device *d = a; d != NULL; d = syclze__device_above(d))
    if (d->native == b->native) return true;
  for (const struct syclze__device *d = syclze__device_above(b); d != NULL;
       d = syclze__device_above(d))
    if (d->native == a->native) return true;
  return false;
}

SYCLZE_COLD const syclze_accessor *syclze__group_require_image(
    syclze_group *group, struct syclze__image *image, syclze_access_mode mode) {
  if (SYCLZE__UNLIKELY(image == NULL))
    return syclze__group_require_none(group, syclze__null_handle("the image is null"));
  if (group->queue != NULL &&
      !syclze__contexts_are_one(group->queue->context, image->memory.context))
    return syclze__group_require_none(
        group, syclze__unsupported("the image is of another context than the queue"));
  if (group->queue != NULL && image->device != NULL && image->device != group->queue->device &&
      !syclze__devices_are_related(image->device, group->queue->device))
    return syclze__group_require_none(
        group, syclze__invalid("the image was created on another device than the queue's"));
  return syclze__group_add_accessor(
      group, syclze__accessor_whole(&image->memory, 0, true, mode), NULL);
}

/* Checks that work of the queue may use the sampler. */
SYCLZE_LOCAL struct syclze__status syclze__check_sampler_on(
    const struct syclze__queue *queue, const struct syclze__sampler *sampler) {
  if (sampler == NULL) return syclze__null_handle("the sampler is null");
  if (queue == NULL) return syclze__allowed(); /* the submission refuses it */
  if (!syclze__contexts_are_one(queue->context, sampler->memory.context))
    return syclze__unsupported("the sampler is of another context than the queue");
  if (sampler->device != NULL && sampler->device != queue->device &&
      !syclze__devices_are_related(sampler->device, queue->device))
    return syclze__invalid("the sampler was created on another device than the queue's");
  return syclze__allowed();
}

SYCLZE_COLD syclze_accessor syclze_group_require_sampler(
    syclze_group *group, syclze_sampler sampler) {
  const struct syclze__status status = syclze__check_sampler_on(group->queue, sampler.rep);
  if (status.result != ZE_RESULT_SUCCESS) return *syclze__group_require_none(group, status);
  SYCLZE__CHECK_IN_GROUP(group, sampler.rep, "syclze_group_require_sampler");
  return *syclze__group_add_accessor(
      group, syclze__accessor_whole(&sampler.rep->memory, 1, true, SYCLZE_ACCESS_READ), NULL);
}

/* Computes the byte offset of a range in the buffer, and its size in bytes, 0 if it has gaps. False
 * for a range that is empty or exceeds the buffer. */
SYCLZE_LOCAL bool syclze__range_place(const struct syclze__buffer *buffer, const size_t *offset,
    const size_t *count, struct syclze__range *range, size_t *begin, size_t *size) {
  size_t elements = buffer->element_size;
  bool contiguous = true, one = true;
  *begin = 0;
  for (uint32_t i = 0; i < 3; i++) {
    const size_t whole = buffer->memory.range[i];
    const size_t first = i < buffer->dimensions ? offset[i] : 0;
    const size_t length = i < buffer->dimensions ? count[i] : 1;
    if (length == 0 || first > whole || length > whole - first) return false;
    range->first[i] = first;
    range->end[i] = first + length;
    *begin = *begin * whole + first;
    elements *= length;
    /* Once a dimension has more than one element, those inside it must be whole. */
    if (!one && length != whole) contiguous = false;
    if (length > 1) one = false;
  }
  *begin *= buffer->element_size;
  *size = contiguous ? elements : 0;
  return true;
}

SYCLZE_COLD syclze_accessor syclze_group_require_range_nd(syclze_group *group, syclze_buffer buffer,
    syclze_access_mode mode, const size_t *offset, const size_t *count) {
  SYCLZE__CHECK_IN_GROUP(group, buffer.rep, "syclze_group_require_range");
  syclze__buffer_note_mode(buffer.rep, mode);
  const bool is_view = syclze__buffer_is_view(buffer.rep);
  struct syclze__buffer *rep = is_view ? buffer.rep : syclze__group_buffer(group, buffer.rep);
  struct syclze__range range;
  size_t begin, size;
  if (rep == NULL) return *syclze__group_require_none(group, group->status);
  if (offset == NULL || count == NULL)
    return *syclze__group_require_none(
        group, syclze__null_pointer("the offset or the count is null"));
  if (!syclze__range_place(rep, offset, count, &range, &begin, &size))
    return *syclze__group_require_none(
        group, syclze__invalid("the part is empty or does not lie in the buffer"));
  if (is_view)
    return *syclze__group_require_view(
        group, rep, mode, begin, syclze__range_end(rep, &range), size);
  syclze_accessor part = syclze__accessor_whole(&rep->memory, size, false, mode);
  part.native = (char *)rep->memory.native + begin;
  part.is_part = true;
  return *syclze__group_add_accessor(group, part, &range);
}

#endif

SYCLZE_EXTERN_C_END

#endif
