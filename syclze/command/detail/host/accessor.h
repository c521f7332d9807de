/* Bodies of host_accessor.h. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_ACCESSOR_H
#define SYCLZE_COMMAND_DETAIL_HOST_ACCESSOR_H

#include "../../../detail/objects/event_wait_for.h"
#include "../../host_accessor.h"
#include "access.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* States of a scope that a worker makes ready. */
enum syclze__host_phase { SYCLZE__HOST_PENDING, SYCLZE__HOST_READY, SYCLZE__HOST_ABANDONED };

struct syclze__host_scope {
  struct syclze__event_task task; /* first */
  struct syclze__host_access access;
  void *pointer;
  void *copy;                  /* allocated; null where the memory itself is used */
  bool is_copy;                /* the pointer is not the object's memory */
  bool fills;                  /* the copy to the host was begun */
  struct syclze__event *ready; /* with a reference; null where the caller waited */
  ze_result_t result;          /* of earlier work, and of the copy to the host */
  ze_result_t unknown;         /* not success: earlier work may not be done */
  uint32_t phase;
};

/* The application's handle of a scope, from the pool of buffers, so that a second release is
 * detected. */
struct syclze__host_accessor {
  struct syclze__ref ref;
  struct syclze__context *context;
  struct syclze__host_scope *scope;
  size_t offset; /* of the part in the buffer, in bytes */
};

SYCLZE_LOCAL bool syclze__host_scope_discards(const struct syclze__host_scope *scope) {
  return scope->access.mode == SYCLZE_ACCESS_DISCARD_WRITE ||
         scope->access.mode == SYCLZE_ACCESS_DISCARD_READ_WRITE;
}

/* Chooses the pointer; false without memory. */
SYCLZE_LOCAL bool syclze__host_scope_place(struct syclze__host_scope *scope) {
  const struct syclze__buffer *buffer = scope->access.buffer;
  const struct syclze__origin *origin = scope->access.memory->origin;
  scope->is_copy = buffer == NULL || buffer->type == ZE_MEMORY_TYPE_DEVICE;
  if (!scope->is_copy)
    scope->pointer = (char *)buffer->memory.native + scope->access.begin;
  else if (origin != NULL && origin->host != NULL)
    scope->pointer = (char *)origin->host + scope->access.begin;
  else
    scope->pointer = scope->copy = malloc(scope->access.size);
  return scope->pointer != NULL;
}

/* Marks the host's data as current if the scope used them. */
SYCLZE_LOCAL void syclze__host_scope_set_current(const struct syclze__host_scope *scope) {
  const struct syclze__host_access *access = &scope->access;
  if (scope->copy != NULL || access->host == NULL) return;
  if (syclze__host_access_writes(access) ? access->is_part && !access->is_current
                                         : access->is_part || access->is_current)
    return;
  syclze__host_access_set_current(access);
}

/* Makes the pointer ready once earlier work is done, or `waited` is an error. */
SYCLZE_LOCAL_WARM void syclze__host_scope_prepare(
    struct syclze__host_scope *scope, ze_result_t waited) {
  scope->unknown = scope->result = waited;
  if (waited != ZE_RESULT_SUCCESS) return;
  SYCLZE__TRACE_HOST_BEGIN(scope->access.traced);
  scope->result = syclze__host_access_outcome(&scope->access);
  if (scope->result != ZE_RESULT_SUCCESS || !scope->is_copy || syclze__host_scope_discards(scope))
    return;
  scope->fills = true;
  scope->result = syclze__host_access_copy(&scope->access, scope->pointer, true);
  if (scope->result == ZE_RESULT_SUCCESS && !syclze__host_access_writes(&scope->access))
    syclze__host_scope_set_current(scope);
}

/* Writes back, ends the access and frees the accessor. */
SYCLZE_LOCAL_WARM ze_result_t syclze__host_scope_free(struct syclze__host_scope *scope) {
  const bool writes =
      scope->is_copy && syclze__host_access_writes(&scope->access) && !syclze__is_forked();
  ze_result_t result = ZE_RESULT_SUCCESS, ended;
  if (writes && scope->result == ZE_RESULT_SUCCESS)
    result = syclze__host_access_copy(&scope->access, scope->pointer, false);
  if (writes && scope->result == ZE_RESULT_SUCCESS && result == ZE_RESULT_SUCCESS)
    syclze__host_scope_set_current(scope);
  if (result != ZE_RESULT_SUCCESS)
    syclze__fail(result, "syclze_host_accessor_release", "the copy from the host failed",
        scope->access.memory->native);
  ended = syclze__host_access_end(&scope->access, scope->unknown);
  if (scope->ready != NULL) syclze__event_release(scope->ready);
  free(scope->copy);
  free(scope);
  return result != ZE_RESULT_SUCCESS ? result : ended;
}

/* Runs on a worker. Sets the phase last, so that the application's release of the context ends
 * it. */
SYCLZE_LOCAL void syclze__host_scope_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__host_scope *scope = (struct syclze__host_scope *)(void *)task;
  uint32_t phase = SYCLZE__HOST_PENDING;
  syclze__host_scope_prepare(scope, result);
  if (result == ZE_RESULT_SUCCESS)
    syclze__event_signal(scope->ready, NULL);
  else
    syclze__event_lose(scope->ready, result);
  if (__atomic_compare_exchange_n(
          &scope->phase, &phase, SYCLZE__HOST_READY, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return;
  if (scope->result == ZE_RESULT_SUCCESS) scope->result = ZE_RESULT_ERROR_DEVICE_LOST;
  syclze__host_scope_free(scope);
}

/* Hands the accessor to a worker, which signals `ready`. */
SYCLZE_LOCAL ze_result_t syclze__host_scope_start(struct syclze__host_scope *scope) {
  struct syclze__host_access *access = &scope->access;
  scope->task.task.wait = syclze__event_task_wait;
  scope->task.task.run = syclze__host_scope_run;
  scope->task.waits = access->waits.natives;
  scope->task.wait_count = access->waits.count;
  if (access->waits.count > 0) scope->task.context = access->waits.events[0]->context;
  if (syclze__wait_list_is_open(&access->waits)) {
    syclze__event_open(scope->ready);
    SYCLZE__CHECK_OPENED(
        scope->ready, NULL, "host accessor", access->waits.events, access->waits.count);
  }
  const ze_result_t result = syclze__workers_submit(&scope->task.task);
  if (result != ZE_RESULT_SUCCESS) syclze__event_close(scope->ready);
  return result;
}

/* Creates a scope whose access is recorded. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__host_scope_new(
    const struct syclze__host_access *part, const char *function, bool waits,
    struct syclze__host_scope **created) {
  struct syclze__host_scope *scope = (struct syclze__host_scope *)calloc(1, sizeof *scope);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (scope == NULL) return syclze__out_of_memory();
  memcpy((void *)&scope->access, (const void *)part, offsetof(struct syclze__host_access, waits));
  syclze__wait_list_init(&scope->access.waits);
  if (!syclze__host_scope_place(scope)) {
    free(scope);
    return syclze__out_of_memory();
  }
  if (!waits)
    result = syclze__event_acquire(part->memory->context, SYCLZE__EVENT_PLAIN, &scope->ready);
  if (result != ZE_RESULT_SUCCESS) scope->ready = NULL;
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__host_access_begin(&scope->access, waits ? function : NULL);
  if (result == ZE_RESULT_SUCCESS) {
    *created = scope;
    return syclze__allowed();
  }
  syclze__host_access_drop(&scope->access);
  if (scope->ready != NULL) syclze__event_release(scope->ready);
  free(scope->copy);
  free(scope);
  return syclze__status_of(result, syclze__host_access_rule(result));
}

SYCLZE_LOCAL struct syclze__host_accessor *syclze__host_accessor_new(
    struct syclze__context *context) {
  struct syclze__host_accessor *created = (struct syclze__host_accessor *)syclze__child_acquire(
      &context->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (created == NULL) return NULL;
  syclze__ref_init(&created->ref, SYCLZE__TRANSFERRED);
  SYCLZE__CHECK_MADE(&created->ref, "host accessor");
  created->context = context;
  created->offset = 0;
  return created;
}

SYCLZE_LOCAL ze_result_t syclze__host_accessor_free(struct syclze__host_accessor *accessor) {
  return syclze__child_release(
      &accessor->context->parent, SYCLZE__POOL_BUFFER, &accessor->ref.slot);
}

SYCLZE_INLINE const char *syclze__host_scope_rule(const struct syclze__host_scope *scope) {
  return scope->fills ? "the copy to the host failed" : "earlier work failed";
}

/* Ends a scope whose begin failed. */
SYCLZE_LOCAL ze_result_t syclze__host_scope_fail(
    struct syclze__host_scope *scope, ze_result_t result, const char *function) {
  const void *native = scope->access.memory->native;
  const char *rule = scope->result == ZE_RESULT_SUCCESS
                         ? "the access could not be given to a worker"
                         : syclze__host_scope_rule(scope);
  if (scope->result == ZE_RESULT_SUCCESS) scope->result = result;
  syclze__host_scope_free(scope);
  return syclze__fail(result, function, rule, native);
}

/* Begins a scope, and waits unless `ready` is the event for that. */
SYCLZE_LOCAL ze_result_t syclze__host_scope_open(const struct syclze__host_access *part,
    const char *function, struct syclze__host_scope **opened, syclze_event *ready, bool waits) {
  struct syclze__host_scope *scope = NULL;
  const struct syclze__status status = syclze__host_scope_new(part, function, waits, &scope);
  ze_result_t result;
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, part->memory->native);
  if (waits) {
    syclze__host_scope_prepare(scope, syclze__host_access_await(&scope->access));
    result = scope->result;
  } else {
    struct syclze__event *event = scope->ready;
    syclze__ref_retain(&event->ref);
    result = syclze__host_scope_start(scope);
    if (result == ZE_RESULT_SUCCESS && ready != NULL)
      ready->rep = event;
    else
      syclze__event_release(event);
    if (result != ZE_RESULT_SUCCESS) scope->unknown = syclze__host_access_await(&scope->access);
    if (result != ZE_RESULT_SUCCESS && scope->unknown == ZE_RESULT_SUCCESS)
      SYCLZE__TRACE_HOST_BEGIN(scope->access.traced);
  }
  if (result != ZE_RESULT_SUCCESS) return syclze__host_scope_fail(scope, result, function);
  *opened = scope;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__host_accessor_open(const struct syclze__host_access *part,
    const char *function, syclze_host_accessor *accessor, syclze_event *ready, bool waits) {
  struct syclze__host_accessor *created = syclze__host_accessor_new(part->memory->context);
  if (created == NULL) return syclze__fail_memory(function, part->memory->native);
  const ze_result_t result = syclze__host_scope_open(part, function, &created->scope, ready, waits);
  if (result == ZE_RESULT_SUCCESS) {
    accessor->rep = created;
    SYCLZE__CHECK_HELD(created->scope->access.done, true);
  } else {
    created->ref.others = -1;
    syclze__host_accessor_free(created);
  }
  return result;
}

/* Makes the accessor of a part; `status` is the result of checking it. */
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
  const ze_result_t result = syclze__host_accessor_make(&part, status,
      buffer.rep != NULL ? buffer.rep->memory.native : NULL, function, accessor, ready, waits);
  if (result == ZE_RESULT_SUCCESS) accessor->rep->offset = begin;
  return result;
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
  return syclze__host_accessor_of_buffer(buffer, mode, fits ? offset * element : SIZE_MAX,
      fits ? count * element : 1, "syclze_host_accessor_create_range", accessor, NULL, true);
}

SYCLZE_COLD ze_result_t syclze_host_accessor_begin(syclze_buffer buffer, syclze_access_mode mode,
    syclze_host_accessor *accessor, syclze_event *ready) {
  return syclze__host_accessor_of_buffer(buffer, mode, 0, buffer.rep != NULL ? buffer.rep->size : 0,
      "syclze_host_accessor_begin", accessor, ready, false);
}

/* Waits for the worker until the deadline. After an error the worker may still use the scope. */
SYCLZE_LOCAL ze_result_t syclze__host_scope_await(
    struct syclze__host_scope *scope, uint64_t deadline) {
  ze_result_t result;
  if (scope->ready == NULL) return ZE_RESULT_SUCCESS;
  result = syclze__event_await_until(scope->ready, deadline);
  if (result == ZE_RESULT_SUCCESS) syclze__word_await(&scope->phase, SYCLZE__HOST_PENDING);
  return result;
}

/* Ends a wait that returned `result`. */
SYCLZE_LOCAL ze_result_t syclze__host_scope_awaited(
    const struct syclze__host_scope *scope, ze_result_t result, const char *function) {
  if (result == ZE_RESULT_SUCCESS) result = scope->result;
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(
      result, function, syclze__host_scope_rule(scope), scope->access.memory->native);
}

SYCLZE_COLD ze_result_t syclze_host_accessor_wait(syclze_host_accessor accessor) {
  SYCLZE__CHECK_USE(accessor, "syclze_host_accessor_wait", SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__host_scope *scope = accessor.rep->scope;
  SYCLZE__CHECK_HELD(scope->access.done, true);
  SYCLZE__CHECK_WAIT(scope->ready, "syclze_host_accessor_wait", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__host_scope_awaited(
      scope, syclze__host_scope_await(scope, UINT64_MAX), "syclze_host_accessor_wait");
}

SYCLZE_COLD ze_result_t syclze_host_accessor_wait_for(
    syclze_host_accessor accessor, uint64_t nanoseconds) {
  if (nanoseconds == UINT64_MAX) return syclze_host_accessor_wait(accessor);
  SYCLZE__CHECK_USE(accessor, "syclze_host_accessor_wait_for", SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__host_scope *scope = accessor.rep->scope;
  SYCLZE__CHECK_HELD(scope->access.done, true);
  const ze_result_t result = syclze__host_scope_await(scope, syclze__deadline_of(nanoseconds));
  if (result == ZE_RESULT_NOT_READY) return result;
  return syclze__host_scope_awaited(scope, result, "syclze_host_accessor_wait_for");
}

SYCLZE_COLD void *syclze_host_accessor_get_pointer(syclze_host_accessor accessor) {
  SYCLZE__CHECK_USE(accessor, "syclze_host_accessor_get_pointer", NULL);
  SYCLZE__CHECK_HELD(accessor.rep->scope->access.done, true);
  /* Subtracts integers: a copy of a part does not contain the buffer's first byte. */
  return (void *)((uintptr_t)accessor.rep->scope->pointer - accessor.rep->offset);
}

SYCLZE_COLD void *syclze_host_accessor_get_part_pointer(syclze_host_accessor accessor) {
  SYCLZE__CHECK_USE(accessor, "syclze_host_accessor_get_part_pointer", NULL);
  SYCLZE__CHECK_HELD(accessor.rep->scope->access.done, true);
  return accessor.rep->scope->pointer;
}

SYCLZE_COLD size_t syclze_host_accessor_byte_size(syclze_host_accessor accessor) {
  SYCLZE__CHECK_USE(accessor, "syclze_host_accessor_byte_size", 0);
  return accessor.rep->scope->access.size;
}

SYCLZE_COLD ze_result_t syclze_host_accessor_release(syclze_host_accessor accessor) {
  const char *const function = "syclze_host_accessor_release";
  uint32_t phase = SYCLZE__HOST_PENDING;
  struct syclze__host_scope *scope;
  ze_result_t result;
  if (accessor.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(accessor, function, SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_release(&accessor.rep->ref); /* the only one */
  if (syclze__ref_is_missing(&accessor.rep->ref))
    return syclze__ref_underflow(&accessor.rep->ref, function);
  scope = accessor.rep->scope;
  syclze__host_accessor_free(accessor.rep); /* the scope keeps the context */
  result = syclze__host_scope_await(scope, UINT64_MAX);
  if (result != ZE_RESULT_SUCCESS && !syclze__is_forked() &&
      __atomic_compare_exchange_n(
          &scope->phase, &phase, SYCLZE__HOST_ABANDONED, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return syclze__fail(result, function, "the wait for earlier work failed", NULL);
  return syclze__host_scope_free(scope);
}

/* Copies a part in one step; `status` is the result of checking it. */
SYCLZE_LOCAL ze_result_t syclze__host_access_run(struct syclze__host_access *access,
    struct syclze__status status, const void *native, const char *function, void *data,
    bool to_host) {
  ze_result_t result, waited, ended;
  if (status.result == ZE_RESULT_SUCCESS && data == NULL)
    status = syclze__null_pointer("the data's pointer is null");
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, native);
  result = syclze__host_access_begin(access, function);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__host_access_drop(access);
    return syclze__fail(result, function, syclze__host_access_rule(result), native);
  }
  waited = result = syclze__host_access_await(access);
  if (result == ZE_RESULT_SUCCESS) {
    SYCLZE__TRACE_HOST_BEGIN(access->traced);
    result = syclze__host_access_outcome(access);
  }
  const bool copies = result == ZE_RESULT_SUCCESS;
  if (copies) result = syclze__host_access_copy(access, data, to_host);
  ended = syclze__host_access_end(access, waited);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(
        result, function, copies ? "the copy failed" : "earlier work failed", native);
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
