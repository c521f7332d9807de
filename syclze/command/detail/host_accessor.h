/* Bodies of host_accessor.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_ACCESSOR_H
#define SYCLZE_COMMAND_DETAIL_HOST_ACCESSOR_H

#include "../host_accessor.h"
#include "host_access.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Of an accessor that a worker makes ready. */
enum syclze__host_phase { SYCLZE__HOST_PENDING, SYCLZE__HOST_READY, SYCLZE__HOST_ABANDONED };

struct syclze__host_accessor {
  struct syclze__event_task task; /* first */
  struct syclze__host_access access;
  void *pointer;
  void *copy;                  /* allocated; null where the memory itself is used */
  bool is_copy;                /* the pointer is not the object's memory */
  struct syclze__event *ready; /* with a reference; null where the caller waited */
  ze_result_t result;          /* of what comes before, and of the copy to the host */
  ze_result_t unknown;         /* not success: what comes before may not be done */
  uint32_t phase;
};

SYCLZE_LOCAL bool syclze__host_accessor_discards(const struct syclze__host_accessor *rep) {
  return rep->access.mode == SYCLZE_ACCESS_DISCARD_WRITE ||
         rep->access.mode == SYCLZE_ACCESS_DISCARD_READ_WRITE;
}

/* Chooses the pointer; false without memory. */
SYCLZE_LOCAL bool syclze__host_accessor_place(struct syclze__host_accessor *rep) {
  const struct syclze__buffer *buffer = rep->access.buffer;
  const struct syclze__origin *origin = rep->access.memory->origin;
  rep->is_copy = buffer == NULL || buffer->type == ZE_MEMORY_TYPE_DEVICE;
  if (!rep->is_copy)
    rep->pointer = (char *)buffer->memory.native + rep->access.begin;
  else if (origin != NULL && origin->host != NULL)
    rep->pointer = (char *)origin->host + rep->access.begin;
  else
    rep->pointer = rep->copy = malloc(rep->access.size);
  return rep->pointer != NULL;
}

/* What comes before is done, unless `waited` is an error. */
SYCLZE_LOCAL void syclze__host_accessor_prepare(
    struct syclze__host_accessor *rep, ze_result_t waited) {
  rep->unknown = rep->result = waited;
  if (waited != ZE_RESULT_SUCCESS) return;
  SYCLZE__TRACE_HOST_BEGIN(rep->access.traced);
  rep->result = syclze__host_access_outcome(&rep->access);
  if (rep->result == ZE_RESULT_SUCCESS && rep->is_copy && !syclze__host_accessor_discards(rep))
    rep->result = syclze__host_access_copy(&rep->access, rep->pointer, true);
}

/* Writes back, ends the access and frees the accessor. */
SYCLZE_LOCAL ze_result_t syclze__host_accessor_free(struct syclze__host_accessor *rep) {
  const bool writes = rep->is_copy && syclze__host_access_writes(&rep->access);
  ze_result_t result = ZE_RESULT_SUCCESS, ended;
  if (writes && rep->result == ZE_RESULT_SUCCESS)
    result = syclze__host_access_copy(&rep->access, rep->pointer, false);
  if (result != ZE_RESULT_SUCCESS)
    syclze__fail(result, "syclze_host_accessor_release", "the copy from the host failed",
        rep->access.memory->native);
  ended = syclze__host_access_end(&rep->access, rep->unknown);
  if (rep->ready != NULL) syclze__event_release(rep->ready);
  free(rep->copy);
  free(rep);
  return result != ZE_RESULT_SUCCESS ? result : ended;
}

/* By a worker. The last that it does is to set the phase, so that the context ends in the
 * application's release of it. */
SYCLZE_LOCAL void syclze__host_accessor_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__host_accessor *rep = (struct syclze__host_accessor *)(void *)task;
  uint32_t phase = SYCLZE__HOST_PENDING;
  syclze__host_accessor_prepare(rep, result);
  if (result == ZE_RESULT_SUCCESS)
    syclze__event_signal(rep->ready, NULL);
  else
    syclze__event_lose(rep->ready, result);
  if (__atomic_compare_exchange_n(
          &rep->phase, &phase, SYCLZE__HOST_READY, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return;
  if (rep->result == ZE_RESULT_SUCCESS) rep->result = ZE_RESULT_ERROR_DEVICE_LOST;
  syclze__host_accessor_free(rep);
}

/* Hands the accessor to a worker, which signals `ready`. */
SYCLZE_LOCAL ze_result_t syclze__host_accessor_start(struct syclze__host_accessor *rep) {
  struct syclze__host_access *access = &rep->access;
  rep->task.task.wait = syclze__event_task_wait;
  rep->task.task.run = syclze__host_accessor_run;
  rep->task.waits = access->waits.natives;
  rep->task.wait_count = access->waits.count;
  if (access->waits.count > 0) rep->task.context = access->waits.events[0]->context;
  if (syclze__wait_list_is_open(&access->waits)) syclze__event_open(rep->ready);
  const ze_result_t result = syclze__workers_submit(&rep->task.task);
  if (result != ZE_RESULT_SUCCESS) syclze__event_close(rep->ready);
  return result;
}

/* An accessor whose access is recorded. */
SYCLZE_LOCAL struct syclze__status syclze__host_accessor_new(
    const struct syclze__host_access *part, bool waits, struct syclze__host_accessor **accessor) {
  struct syclze__host_accessor *rep = (struct syclze__host_accessor *)calloc(1, sizeof *rep);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (rep == NULL) return syclze__out_of_memory();
  rep->access = *part;
  syclze__wait_list_init(&rep->access.waits);
  if (!syclze__host_accessor_place(rep)) {
    free(rep);
    return syclze__out_of_memory();
  }
  if (!waits)
    result = syclze__event_acquire(part->memory->context, SYCLZE__EVENT_PLAIN, &rep->ready);
  if (result != ZE_RESULT_SUCCESS) rep->ready = NULL;
  if (result == ZE_RESULT_SUCCESS) result = syclze__host_access_begin(&rep->access);
  if (result == ZE_RESULT_SUCCESS) {
    *accessor = rep;
    return syclze__allowed();
  }
  syclze__host_access_drop(&rep->access);
  if (rep->ready != NULL) syclze__event_release(rep->ready);
  free(rep->copy);
  free(rep);
  return syclze__status_of(result, "no memory, or no event for the accessor");
}

/* Ends an accessor that cannot be had. */
SYCLZE_LOCAL ze_result_t syclze__host_accessor_fail(
    struct syclze__host_accessor *rep, ze_result_t result, const char *function) {
  const void *native = rep->access.memory->native;
  if (rep->result == ZE_RESULT_SUCCESS) rep->result = result;
  syclze__host_accessor_free(rep);
  return syclze__fail(result, function, "earlier work, or the copy to the host, failed", native);
}

/* Waits, unless `ready` is the event for that. */
SYCLZE_LOCAL ze_result_t syclze__host_accessor_open(const struct syclze__host_access *part,
    const char *function, syclze_host_accessor *accessor, syclze_event *ready, bool waits) {
  struct syclze__host_accessor *rep = NULL;
  const struct syclze__status status = syclze__host_accessor_new(part, waits, &rep);
  ze_result_t result;
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, part->memory->native);
  if (waits) {
    syclze__host_accessor_prepare(rep, syclze__host_access_await(&rep->access));
    result = rep->result;
  } else {
    struct syclze__event *event = rep->ready;
    syclze__ref_retain(&event->ref);
    result = syclze__host_accessor_start(rep);
    if (result == ZE_RESULT_SUCCESS && ready != NULL)
      ready->rep = event;
    else
      syclze__event_release(event);
    if (result != ZE_RESULT_SUCCESS) rep->unknown = syclze__host_access_await(&rep->access);
  }
  if (result != ZE_RESULT_SUCCESS) return syclze__host_accessor_fail(rep, result, function);
  accessor->rep = rep;
  return result;
}

/* Of a part whose checks had this outcome. */
SYCLZE_LOCAL ze_result_t syclze__host_accessor_make(const struct syclze__host_access *part,
    struct syclze__status status, const void *native, const char *function,
    syclze_host_accessor *accessor, syclze_event *ready, bool waits) {
  if (ready != NULL) ready->rep = NULL;
  if (accessor != NULL)
    accessor->rep = NULL;
  else
    status = syclze__null_pointer("the result's pointer is null");
  if (status.result == ZE_RESULT_SUCCESS)
    return syclze__host_accessor_open(part, function, accessor, ready, waits);
  return syclze__fail(status.result, function, status.rule, native);
}

SYCLZE_LOCAL ze_result_t syclze__host_accessor_of_buffer(syclze_buffer buffer,
    syclze_access_mode mode, size_t begin, size_t size, const char *function,
    syclze_host_accessor *accessor, syclze_event *ready, bool waits) {
  struct syclze__host_access part;
  const struct syclze__status status = syclze__host_access_init(&part, buffer, mode, begin, size);
  return syclze__host_accessor_make(&part, status,
      buffer.rep != NULL ? buffer.rep->memory.native : NULL, function, accessor, ready, waits);
}

SYCLZE_COLD ze_result_t syclze_host_accessor_create(
    syclze_buffer buffer, syclze_access_mode mode, syclze_host_accessor *accessor) {
  return syclze__host_accessor_of_buffer(buffer, mode, 0, buffer.rep != NULL ? buffer.rep->size : 0,
      "syclze_host_accessor_create", accessor, NULL, true);
}

SYCLZE_COLD ze_result_t syclze_host_accessor_create_range(syclze_buffer buffer,
    syclze_access_mode mode, size_t offset, size_t count, syclze_host_accessor *accessor) {
  const size_t element = buffer.rep != NULL ? buffer.rep->element_size : 1;
  const bool fits =
      buffer.rep == NULL || (buffer.rep->dimensions == 1 && offset <= buffer.rep->memory.range[0] &&
                                count <= buffer.rep->memory.range[0] - offset);
  return syclze__host_accessor_of_buffer(buffer, mode, fits ? offset * element : 0,
      fits ? count * element : 0, "syclze_host_accessor_create_range", accessor, NULL, true);
}

SYCLZE_COLD ze_result_t syclze_host_accessor_begin(syclze_buffer buffer, syclze_access_mode mode,
    syclze_host_accessor *accessor, syclze_event *ready) {
  return syclze__host_accessor_of_buffer(buffer, mode, 0, buffer.rep != NULL ? buffer.rep->size : 0,
      "syclze_host_accessor_begin", accessor, ready, false);
}

/* Waits for the worker; an error means that it may still have the accessor. */
SYCLZE_LOCAL ze_result_t syclze__host_accessor_await(struct syclze__host_accessor *rep) {
  ze_result_t result;
  if (rep->ready == NULL) return ZE_RESULT_SUCCESS;
  result = syclze__event_await(rep->ready);
  if (result == ZE_RESULT_SUCCESS) syclze__word_await(&rep->phase, SYCLZE__HOST_PENDING);
  return result;
}

SYCLZE_COLD ze_result_t syclze_host_accessor_wait(syclze_host_accessor accessor) {
  struct syclze__host_accessor *rep = accessor.rep;
  ze_result_t result = syclze__host_accessor_await(rep);
  if (result == ZE_RESULT_SUCCESS) result = rep->result;
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_host_accessor_wait",
      "earlier work, or the copy to the host, failed", rep->access.memory->native);
}

SYCLZE_COLD void *syclze_host_accessor_get_pointer(syclze_host_accessor accessor) {
  return accessor.rep->pointer;
}

SYCLZE_COLD size_t syclze_host_accessor_byte_size(syclze_host_accessor accessor) {
  return accessor.rep->access.size;
}

SYCLZE_COLD ze_result_t syclze_host_accessor_release(syclze_host_accessor accessor) {
  struct syclze__host_accessor *rep = accessor.rep;
  uint32_t phase = SYCLZE__HOST_PENDING;
  ze_result_t result;
  if (rep == NULL) return ZE_RESULT_SUCCESS;
  result = syclze__host_accessor_await(rep);
  if (result != ZE_RESULT_SUCCESS &&
      __atomic_compare_exchange_n(
          &rep->phase, &phase, SYCLZE__HOST_ABANDONED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return syclze__fail(
        result, "syclze_host_accessor_release", "the wait for earlier work failed", NULL);
  return syclze__host_accessor_free(rep);
}

/* Copies a part, whose checks had this outcome, in one step. */
SYCLZE_LOCAL ze_result_t syclze__host_access_run(struct syclze__host_access *access,
    struct syclze__status status, const void *native, const char *function, void *data,
    bool to_host) {
  ze_result_t result, waited, ended;
  if (status.result == ZE_RESULT_SUCCESS && data == NULL)
    status = syclze__null_pointer("the data's pointer is null");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, native);
  result = syclze__host_access_begin(access);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__host_access_drop(access);
    return syclze__fail(result, function, "no memory, or no event for the access", native);
  }
  waited = result = syclze__host_access_await(access);
  if (result == ZE_RESULT_SUCCESS) {
    SYCLZE__TRACE_HOST_BEGIN(access->traced);
    result = syclze__host_access_outcome(access);
  }
  if (result == ZE_RESULT_SUCCESS) result = syclze__host_access_copy(access, data, to_host);
  ended = syclze__host_access_end(access, waited);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "earlier work, or the copy, failed", native);
  return ended;
}

SYCLZE_LOCAL ze_result_t syclze__buffer_copy_part(
    syclze_buffer buffer, void *data, size_t offset, size_t size, bool to_host) {
  struct syclze__host_access access;
  const struct syclze__status status = syclze__host_access_init(
      &access, buffer, to_host ? SYCLZE_ACCESS_READ : SYCLZE_ACCESS_DISCARD_WRITE, offset, size);
  return syclze__host_access_run(&access, status,
      buffer.rep != NULL ? buffer.rep->memory.native : NULL,
      to_host ? "syclze_buffer_read" : "syclze_buffer_write", data, to_host);
}

SYCLZE_COLD ze_result_t syclze_buffer_read(
    syclze_buffer buffer, void *data, size_t offset, size_t size) {
  return syclze__buffer_copy_part(buffer, data, offset, size, true);
}

SYCLZE_COLD ze_result_t syclze_buffer_write(
    syclze_buffer buffer, const void *data, size_t offset, size_t size) {
  return syclze__buffer_copy_part(buffer, (void *)(uintptr_t)data, offset, size, false);
}

#endif

SYCLZE_EXTERN_C_END

#endif
