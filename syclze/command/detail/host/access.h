/* Accesses of the host to parts of buffers and images, without a queue.
 *
 * An access is recorded like a command's. Its event is open until the host is done: dependent work
 * is deferred (deferred.h). The host uses the buffer's own memory, to which newer contents of
 * another context are copied before. Images are copied (image_exchange.h). */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_ACCESS_H
#define SYCLZE_COMMAND_DETAIL_HOST_ACCESS_H

#include "../../group.h"
#include "../../../detail/trace_call.h"
#include "image_exchange.h"

SYCLZE_EXTERN_C_BEGIN

/* A part of a buffer or an image that the host uses. */
struct syclze__host_access {
  struct syclze__memory *memory; /* of the object; with a reference once it has begun */
  struct syclze__buffer *buffer; /* null for an image */
  struct syclze__image *image;   /* null for a buffer */
  struct syclze__range part;
  size_t begin, size;            /* of the part, in bytes; an image's pixels begin at 0 */
  size_t row_pitch, slice_pitch; /* of the host's memory, in bytes, for an image */
  bool is_part;                  /* of the object, not all of it */
  syclze_access_mode mode;
  void *host;       /* the host's data for all of the buffer; null for none, and beside replicas */
  bool is_current;  /* before the access `host` has the buffer's contents */
  uint64_t version; /* of the contents after the access (order/access.h) */
  struct syclze__replica *written; /* the replica written last before, if a copy precedes a write */
  struct syclze__wait_list waits;  /* for earlier work */
  struct syclze__event *done;      /* of the host, with a reference */
  struct syclze__outcome *outcome; /* of a copy from another context; null for none */
  struct syclze__trace_node *traced; /* null unless it is traced */
};

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__host_access_writes(const struct syclze__host_access *access) {
  return access->mode != SYCLZE_ACCESS_READ;
}

SYCLZE_LOCAL struct syclze__status syclze__host_access_mode_check(syclze_access_mode mode) {
  if ((uint32_t)mode <= (uint32_t)SYCLZE_ACCESS_DISCARD_READ_WRITE) return syclze__check_fork();
  return syclze__status_of(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "the access mode must be of syclze_access_mode");
}

/* True while a graph records groups that use the memory. */
SYCLZE_LOCAL bool syclze__memory_is_recorded(const struct syclze__memory *memory) {
  const struct syclze__accesses *all = syclze__accesses_of(memory);
  return all != NULL && __atomic_load_n(&all->recordings, __ATOMIC_RELAXED) != 0;
}

/* Initialises an access that has not begun. */
SYCLZE_INLINE void syclze__host_access_clear(struct syclze__host_access *access) {
  memset((void *)access, 0, offsetof(struct syclze__host_access, waits));
  syclze__wait_list_init(&access->waits);
  access->done = NULL;
  access->outcome = NULL;
  access->traced = NULL;
}

/* Sets the part; that of a view is a part of its root. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__host_access_init(struct syclze__host_access *access,
    syclze_buffer buffer, syclze_access_mode mode, size_t begin, size_t size) {
  if (buffer.rep == NULL) return syclze__null_handle("the buffer is null");
  if (!SYCLZE__CHECK_ALIVE(buffer.rep))
    return syclze__invalid("the buffer is used after its last release");
  const struct syclze__status status = syclze__host_access_mode_check(mode);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (size == 0) return syclze__invalid("the part must not be empty");
  if (begin > buffer.rep->size || size > buffer.rep->size - begin)
    return syclze__invalid("the part must lie in the buffer");
  syclze__host_access_clear(access);
  access->buffer = syclze__buffer_root(buffer.rep, &begin);
  access->memory = &access->buffer->memory;
  if (syclze__memory_is_recorded(access->memory))
    return syclze__invalid("sycl_ext_oneapi_graph: the buffer is used by command groups of a graph "
                           "that is being recorded");
  access->begin = begin;
  access->size = size;
  access->part = syclze__range_of_bytes(access->buffer, begin, begin + size);
  access->is_part = size != access->buffer->size;
  access->mode = mode;
  return status;
}

/* Sets the region of an image; null for all of it. The host's memory has no gaps. */
SYCLZE_LOCAL struct syclze__status syclze__host_access_init_image(
    struct syclze__host_access *access, syclze_image image, syclze_access_mode mode,
    const ze_image_region_t *region) {
  if (image.rep == NULL) return syclze__null_handle("the image is null");
  if (!SYCLZE__CHECK_ALIVE(image.rep))
    return syclze__invalid("the image is used after its last release");
  const struct syclze__status status = syclze__host_access_mode_check(mode);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (syclze__memory_is_recorded(&image.rep->memory))
    return syclze__invalid("sycl_ext_oneapi_graph: the image is used by command groups of a graph "
                           "that is being recorded");
  syclze__host_access_clear(access);
  access->part = syclze__range_whole(&image.rep->memory);
  if (region != NULL && !syclze__range_of_region(&image.rep->memory, region, &access->part))
    return syclze__invalid("the region is empty or does not lie in the image");
  access->image = image.rep;
  access->memory = &image.rep->memory;
  access->row_pitch = (access->part.end[0] - access->part.first[0]) *
                      syclze__image_pixel_size(image.rep->order, image.rep->type);
  access->slice_pitch = (access->part.end[1] - access->part.first[1]) * access->row_pitch;
  access->size = (access->part.end[2] - access->part.first[2]) * access->slice_pitch;
  const struct syclze__range whole = syclze__range_whole(&image.rep->memory);
  access->is_part = !syclze__ranges_equal(&access->part, &whole);
  access->mode = mode;
  return status;
}

#if XPTI_ENABLE_INSTRUMENTATION
/* The trace node of a host access, or with `ends` of its end. */
SYCLZE_LOCAL struct syclze__trace_node *syclze__host_access_trace(
    const struct syclze__host_access *access, bool ends) {
  const struct syclze__memory *memory = access->memory;
  SYCLZE__ZEROED(struct syclze__trace_storage_info, info);
  info.function = ends ? "syclze_host_accessor_release" : "syclze_host_accessor_create";
  info.type = ends ? "host_acc_destroy_buffer_release_node" : "host_acc_create_buffer_lock_node";
  info.object = memory;
  info.native = memory->native;
  info.context = memory->context->native;
  info.device = memory->context->devices[0]->native;
  info.waits = ends ? &access->done->native : access->waits.natives;
  info.wait_count = ends ? 1 : access->waits.count;
  info.signal = ends ? NULL : access->done->native;
  return syclze__trace_storage_begin(&info);
}
#endif

/* Records the access. With `waits` the thread will wait for earlier work, which the checker may
 * refuse: SYCLZE_RESULT_ERROR_INVALID. */
SYCLZE_LOCAL_WARM ze_result_t syclze__host_access_record(
    struct syclze__host_access *access, bool waits) {
  SYCLZE__HELD(&syclze__memory_lock(access->memory)->word);
  struct syclze__memory *memory = access->memory;
  const bool replicas = syclze__replicas_of(memory) != NULL;
  const size_t size = access->buffer != NULL ? access->buffer->size : 0;
  syclze_accessor accessor =
      syclze__accessor_whole(memory, size, access->image != NULL, access->mode);
  struct syclze__access *created = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  accessor.is_part = access->is_part;
  if (replicas) result = syclze__replica_update(memory, NULL, &access->outcome);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__dependency_gather(&accessor, &access->part, &access->waits, &created);
#if SYCLZE__CHECKED
  for (uint32_t i = 0; i < access->waits.count && waits; i++)
    if (syclze__check_waits_for_itself(access->waits.events[i]))
      result = SYCLZE_RESULT_ERROR_INVALID;
#else
  (void)waits;
#endif
  if (result != ZE_RESULT_SUCCESS) {
    syclze__access_list_end(created);
    return result;
  }
  struct syclze__accesses *all = syclze__accesses_of(memory);
  if (!replicas && access->buffer != NULL && memory->origin != NULL)
    access->host = memory->origin->host;
  access->is_current =
      access->host != NULL && all->host == access->host && all->host_version == all->version;
  syclze__dependency_record(&accessor, created, access->done);
  access->version = all->version;
  if (replicas && syclze__host_access_writes(access)) {
    if (access->outcome != NULL) access->written = syclze__replica_last(memory);
    syclze__replica_written(memory);
  }
  return result;
}

/* Drops all that the access holds except its reference to the object. */
SYCLZE_LOCAL_WARM void syclze__host_access_drop(struct syclze__host_access *access) {
  syclze__wait_list_end(&access->waits);
  syclze__outcome_drop(access->outcome);
  if (access->done != NULL) syclze__event_release(access->done);
}

/* The cause of a failure of syclze__host_access_begin. */
SYCLZE_INLINE const char *syclze__host_access_rule(ze_result_t result) {
  return SYCLZE__CHECKED && result == SYCLZE_RESULT_ERROR_INVALID
             ? "the thread would wait for itself: see the diagnostic"
             : syclze__cause(result, "no event could be created for the access");
}

/* Takes the access's place in the order of the object's accesses. `function` is the caller's
 * function that waits for earlier work, or null. After an error nothing is recorded. */
SYCLZE_LOCAL_WARM ze_result_t syclze__host_access_begin(
    struct syclze__host_access *access, const char *function) {
  struct syclze__memory *memory = access->memory;
  ze_result_t result = syclze__event_acquire(memory->context, SYCLZE__EVENT_PLAIN, &access->done);
  if (result != ZE_RESULT_SUCCESS) {
    access->done = NULL;
    return result;
  }
  result = syclze__accesses_require(memory);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__memory_retain(memory);
  syclze__event_open(access->done);
  struct syclze__accesses_lock *lock = syclze__memory_lock(memory);
  syclze__lock_acquire(&lock->word);
  result = syclze__host_access_record(access, function != NULL);
  syclze__lock_release(&lock->word);
  if (result != ZE_RESULT_SUCCESS) {
#if SYCLZE__CHECKED
    if (result == SYCLZE_RESULT_ERROR_INVALID) syclze__check_report_wait(function);
#endif
    SYCLZE__TRACE_COMMAND(command_discard, ());
    syclze__event_unopen(access->done);
    syclze__memory_release(memory);
    return result;
  }
  SYCLZE__CHECK_OPENED(
      access->done, NULL, "host accessor", access->waits.events, access->waits.count);
  syclze__buffer_note_mode(access->buffer, access->mode); /* null for an image */
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__UNLIKELY(syclze__trace_accesses_wanted()))
    SYCLZE__TRACE_COMMAND(
        host_access, (memory, access, (uint32_t)access->mode,
                         access->image != NULL
                             ? syclze__image_pixel_size(access->image->order, access->image->type)
                             : 0));
  if (SYCLZE__UNLIKELY(SYCLZE__TRACING_COMMANDS()))
    access->traced = syclze__host_access_trace(access, false);
#endif
  return result;
}

/* Waits for earlier work, which after an error may not be done. */
SYCLZE_LOCAL ze_result_t syclze__host_access_await(struct syclze__host_access *access) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < access->waits.count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__event_await(access->waits.events[i]);
  return result;
}

/* Undoes syclze__replica_written of memory that was not written after all, unless the contents are
 * elsewhere by now. `last` was the replica written last before. */
SYCLZE_LOCAL void syclze__replica_restore(
    const struct syclze__memory *memory, const struct syclze__replica *last) {
  SYCLZE__HELD(&syclze__memory_lock(memory)->word);
  if (&syclze__replica_last(memory)->buffer->memory == memory && !last->current)
    syclze__replica_written(&last->buffer->memory);
}

/* The result of earlier work that is done. If a write cannot follow, another context has the
 * contents as before. */
SYCLZE_LOCAL ze_result_t syclze__host_access_outcome(struct syclze__host_access *access) {
  const ze_result_t result = syclze__outcome_take(access->outcome);
  access->outcome = NULL;
  if (result == ZE_RESULT_SUCCESS || access->written == NULL) return result;
  struct syclze__accesses_lock *lock = syclze__memory_lock(access->memory);
  syclze__lock_acquire(&lock->word);
  if (syclze__accesses_of(access->memory)->version == access->version)
    syclze__replica_restore(access->memory, access->written);
  syclze__lock_release(&lock->word);
  return result;
}

/* Marks the host's data as current after the access. */
SYCLZE_LOCAL void syclze__host_access_set_current(const struct syclze__host_access *access) {
  struct syclze__accesses *all = syclze__accesses_of(access->memory);
  struct syclze__accesses_lock *lock = syclze__memory_lock(access->memory);
  syclze__lock_acquire(&lock->word);
  if (all->host_version <= access->version) {
    all->host = access->host;
    all->host_version = access->version;
  }
  syclze__lock_release(&lock->word);
}

/* Copies the part to or from the host. `host` may lie in the host's data. */
SYCLZE_LOCAL ze_result_t syclze__host_access_copy(
    const struct syclze__host_access *access, void *host, bool to_host) {
  const struct syclze__buffer *buffer = access->buffer;
  char *const data = access->host != NULL ? (char *)access->host + access->begin : NULL;
  if (to_host && access->is_current) {
    if (host != data) memcpy(host, data, access->size);
    return ZE_RESULT_SUCCESS;
  }
  if (access->image != NULL)
    return syclze__image_exchange(
        access->image, &access->part, host, access->row_pitch, access->slice_pitch, to_host);
  char *const memory = (char *)buffer->memory.native + access->begin;
  if (to_host) {
    SYCLZE__TRACE_CALL(
        read, BUFFER_READ, SYCLZE__WORD(buffer), access->begin, access->size, SYCLZE__WORD(host));
    return SYCLZE__TRACE_RESULT(read, syclze__memory_exchange(buffer->memory.context, buffer->type,
                                          memory, host, access->size, true));
  }
  SYCLZE__TRACE_CALL(
      write, BUFFER_WRITE, SYCLZE__WORD(buffer), access->begin, access->size, SYCLZE__WORD(host));
  return SYCLZE__TRACE_RESULT(write, syclze__memory_exchange(buffer->memory.context, buffer->type,
                                         memory, host, access->size, false));
}

/* Ends the access: dependent work continues, but not in the child of a fork, where it is the
 * parent's. An error means that earlier work may not be done. */
SYCLZE_LOCAL_WARM ze_result_t syclze__host_access_end(
    struct syclze__host_access *access, ze_result_t unknown) {
#if XPTI_ENABLE_INSTRUMENTATION
  if (access->traced != NULL) {
    struct syclze__trace_node *node = syclze__host_access_trace(access, true);
    SYCLZE__TRACE_HOST_END(access->traced, unknown == ZE_RESULT_SUCCESS);
    SYCLZE__TRACE_HOST_END(node, true);
  }
#endif
  if (!syclze__is_forked()) {
    if (unknown != ZE_RESULT_SUCCESS)
      syclze__event_lose(access->done, unknown);
    else
      syclze__event_signal(access->done, NULL);
  }
  syclze__host_access_drop(access);
  return syclze__memory_release(access->memory);
}

#endif

SYCLZE_EXTERN_C_END

#endif
