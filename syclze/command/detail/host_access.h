/* Accesses of the host to parts of buffers, without a queue.
 *
 * An access is recorded as that of a command, whose event is open until the host is done: what
 * depends on it is deferred (deferred.h). The buffer's own memory is used; what is newer in another
 * context is copied there before. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_ACCESS_H
#define SYCLZE_COMMAND_DETAIL_HOST_ACCESS_H

#include "../group.h"
#include "../../detail/trace_call.h"

SYCLZE_EXTERN_C_BEGIN

/* A part of a buffer that the host uses. */
struct syclze__host_access {
  struct syclze__buffer *buffer; /* that has the memory; with a reference once it has begun */
  size_t begin, size;            /* of the part, in bytes */
  syclze_access_mode mode;
  struct syclze__wait_list waits;    /* that comes before */
  struct syclze__event *done;        /* of the host, with a reference */
  struct syclze__outcome *outcome;   /* of a copy from another context; null for none */
  struct syclze__trace_node *traced; /* null unless it is traced */
};

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__host_access_writes(const struct syclze__host_access *access) {
  return access->mode != SYCLZE_ACCESS_READ;
}

/* Fills in the part; a view's is that of its root. */
SYCLZE_LOCAL struct syclze__status syclze__host_access_init(struct syclze__host_access *access,
    syclze_buffer buffer, syclze_access_mode mode, size_t begin, size_t size) {
  if (buffer.rep == NULL) return syclze__null_handle("the buffer is null");
  if ((uint32_t)mode > (uint32_t)SYCLZE_ACCESS_DISCARD_READ_WRITE)
    return syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "the access mode is none of syclze_access_mode");
  if (size == 0 || begin > buffer.rep->size || size > buffer.rep->size - begin)
    return syclze__invalid("the part is empty or does not lie in the buffer");
  memset(access, 0, sizeof *access);
  access->buffer = syclze__buffer_root(buffer.rep, &begin);
  const struct syclze__accesses *all = syclze__accesses_of(&access->buffer->memory);
  if (all != NULL && __atomic_load_n(&all->recordings, __ATOMIC_RELAXED) != 0)
    return syclze__invalid("sycl_ext_oneapi_graph: the buffer is used by command groups of a graph "
                           "that is being recorded");
  access->begin = begin;
  access->size = size;
  access->mode = mode;
  syclze__wait_list_init(&access->waits);
  return syclze__check_fork();
}

#if XPTI_ENABLE_INSTRUMENTATION
/* The node of a host access, or with `ends` that of its end. */
SYCLZE_LOCAL struct syclze__trace_node *syclze__host_access_trace(
    const struct syclze__host_access *access, bool ends) {
  const struct syclze__memory *memory = &access->buffer->memory;
  struct syclze__trace_storage_info info;
  memset(&info, 0, sizeof info);
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

/* With the buffer's lock. */
SYCLZE_LOCAL ze_result_t syclze__host_access_record(struct syclze__host_access *access) {
  struct syclze__memory *memory = &access->buffer->memory;
  const bool replicas = syclze__replicas_of(memory) != NULL;
  const struct syclze__range part =
      syclze__range_of_bytes(access->buffer, access->begin, access->begin + access->size);
  syclze_accessor accessor =
      syclze__accessor_whole(memory, access->buffer->size, false, access->mode);
  struct syclze__access *created = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  accessor.is_part = access->size != access->buffer->size;
  if (replicas) result = syclze__replica_update(memory, NULL, &access->outcome);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__dependency_gather(&accessor, &part, NULL, false, &access->waits, &created);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__access_list_end(created);
    return result;
  }
  syclze__dependency_record(&accessor, created, NULL, false, access->done);
  if (replicas && syclze__host_access_writes(access)) syclze__replica_written(memory);
  return result;
}

/* Drops what the access has, but for its reference to the buffer. */
SYCLZE_LOCAL void syclze__host_access_drop(struct syclze__host_access *access) {
  syclze__wait_list_end(&access->waits);
  syclze__outcome_drop(access->outcome);
  if (access->done != NULL) syclze__event_release(access->done);
}

/* Takes the access's place in the order of the buffer's accesses. After an error nothing is
 * recorded. */
SYCLZE_LOCAL ze_result_t syclze__host_access_begin(struct syclze__host_access *access) {
  struct syclze__memory *memory = &access->buffer->memory;
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
  result = syclze__host_access_record(access);
  syclze__lock_release(&lock->word);
  if (result != ZE_RESULT_SUCCESS) {
    SYCLZE__TRACE_COMMAND(command_discard, ());
    syclze__event_unopen(access->done);
    syclze__memory_release(memory);
    return result;
  }
  syclze__buffer_note_mode(access->buffer, access->mode);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__UNLIKELY(syclze__trace_accesses_wanted()))
    SYCLZE__TRACE_COMMAND(host_access, (memory, access, (uint32_t)access->mode, 0));
  access->traced = syclze__host_access_trace(access, false);
#endif
  return result;
}

/* Waits for what comes before. After an error it may not be done. */
SYCLZE_LOCAL ze_result_t syclze__host_access_await(struct syclze__host_access *access) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < access->waits.count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__event_await(access->waits.events[i]);
  return result;
}

/* What comes before is done: how that went. */
SYCLZE_LOCAL ze_result_t syclze__host_access_outcome(struct syclze__host_access *access) {
  const ze_result_t result = syclze__outcome_take(access->outcome);
  access->outcome = NULL;
  return result;
}

/* Copies the part to the host, or from there. */
SYCLZE_LOCAL ze_result_t syclze__host_access_copy(
    const struct syclze__host_access *access, void *host, bool to_host) {
  const struct syclze__buffer *buffer = access->buffer;
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

/* The host is done: what depends on that goes on. An error means that what comes before may not be
 * done. */
SYCLZE_LOCAL ze_result_t syclze__host_access_end(
    struct syclze__host_access *access, ze_result_t unknown) {
#if XPTI_ENABLE_INSTRUMENTATION
  if (access->traced != NULL) {
    struct syclze__trace_node *node = syclze__host_access_trace(access, true);
    SYCLZE__TRACE_HOST_END(access->traced, unknown == ZE_RESULT_SUCCESS);
    SYCLZE__TRACE_HOST_END(node, true);
  }
#endif
  if (unknown != ZE_RESULT_SUCCESS)
    syclze__event_lose(access->done, unknown);
  else
    syclze__event_signal(access->done, NULL);
  syclze__host_access_drop(access);
  return syclze__memory_release(&access->buffer->memory);
}

#endif

SYCLZE_EXTERN_C_END

#endif
