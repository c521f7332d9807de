/* Implementation of growable_memory.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_GROWABLE_MEMORY_H
#define SYCLZE_DETAIL_OBJECTS_GROWABLE_MEMORY_H

#include "../../growable_memory.h"
#include "buffer.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

/* The physical memory of one growth. */
struct syclze__growth {
  struct syclze__growth *before;
  ze_physical_mem_handle_t physical;
  size_t size; /* in bytes */
};

/* Objects come from the pool of buffers, so that a release without a reference is detected. */
struct syclze__growable {
  struct syclze__ref ref;
  struct syclze__context *context;
  struct syclze__device *device;
  char *base;
  size_t page, capacity, size; /* in bytes */
  struct syclze__growth *last;
};

SYCLZE__POOLED_AS(struct syclze__growable, struct syclze__buffer);

#if SYCLZE__BODIES

/* Rounds up to whole pages; 0 if that is too large. A page is a power of two. */
SYCLZE_LOCAL size_t syclze__growable_round(size_t size, size_t page) {
  return size > SIZE_MAX - (page - 1) ? 0 : (size + (page - 1)) & ~(page - 1);
}

SYCLZE_LOCAL struct syclze__status syclze__growable_reserve(
    struct syclze__growable *growable, size_t capacity) {
  void *base = NULL;
  SYCLZE__TRACE_CALL(query, VIRTUAL_GRANULARITY, SYCLZE__WORD(growable->context),
      SYCLZE__WORD(growable->device), capacity);
  ze_result_t result =
      SYCLZE__TRACE_RESULT(query, SYCLZE__ZE(zeVirtualMemQueryPageSize)(growable->context->native,
                                      growable->device->native, capacity, &growable->page));
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeVirtualMemQueryPageSize failed");
  growable->capacity = syclze__growable_round(capacity, growable->page);
  if (growable->capacity == 0)
    return syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "the capacity is too large");
  SYCLZE__TRACE_CALL(reserve, VIRTUAL_RESERVE, SYCLZE__WORD(growable->context), growable->capacity,
      SYCLZE__WORD(&base));
  result = SYCLZE__TRACE_RESULT(reserve,
      SYCLZE__ZE(zeVirtualMemReserve)(growable->context->native, NULL, growable->capacity, &base));
  growable->base = (char *)base;
  return syclze__status_of(result, "zeVirtualMemReserve failed");
}

SYCLZE_LOCAL ze_result_t syclze__growable_free(struct syclze__growable *growable) {
  return syclze__child_release(
      &growable->context->parent, SYCLZE__POOL_BUFFER, &growable->ref.slot);
}

SYCLZE_COLD ze_result_t syclze_growable_memory_reserve(
    size_t capacity, syclze_device device, syclze_context context, syclze_growable_memory *memory) {
  const char *const function = "syclze_growable_memory_reserve";
  if (memory == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  memory->rep = NULL;
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result == ZE_RESULT_SUCCESS && capacity == 0)
    status = syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "the capacity is 0");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  struct syclze__growable *growable = (struct syclze__growable *)syclze__child_acquire(
      &context.rep->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (growable == NULL) return syclze__fail_memory(function, context.rep->native);
  syclze__ref_init(&growable->ref, SYCLZE__TRANSFERRED);
  growable->context = context.rep;
  growable->device = device.rep;
  growable->size = 0;
  growable->last = NULL;
  status = syclze__growable_reserve(growable, capacity);
  if (status.result != ZE_RESULT_SUCCESS) {
    growable->ref.others = -1;
    syclze__growable_free(growable);
    return syclze__finish(status, function, context.rep->native);
  }
  SYCLZE__CHECK_MADE(&growable->ref, "growable memory");
  memory->rep = growable;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL ze_result_t syclze__physical_destroy(
    ze_context_handle_t context, ze_physical_mem_handle_t physical) {
  SYCLZE__TRACE_CALL(call, PHYSICAL_RELEASE, SYCLZE__WORD(physical));
  return SYCLZE__TRACE_RESULT(call, SYCLZE__ZE(zePhysicalMemDestroy)(context, physical));
}

/* Maps new physical memory at the end. */
SYCLZE_LOCAL struct syclze__status syclze__growable_extend(
    struct syclze__growable *growable, struct syclze__growth *growth) {
  const ze_context_handle_t context = growable->context->native;
  SYCLZE__ZE_STRUCT(ze_physical_mem_desc_t, desc, PHYSICAL_MEM_DESC);
  desc.size = growth->size;
  SYCLZE__TRACE_CALL(create, PHYSICAL_CREATE, SYCLZE__WORD(growable->context),
      SYCLZE__WORD(growable->device), growth->size, SYCLZE__WORD(&growth->physical));
  ze_result_t result = SYCLZE__TRACE_RESULT(create,
      SYCLZE__ZE(zePhysicalMemCreate)(context, growable->device->native, &desc, &growth->physical));
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zePhysicalMemCreate failed");
  char *const at = growable->base + growable->size;
  SYCLZE__TRACE_CALL(map, VIRTUAL_MAP, SYCLZE__WORD(growable->context), SYCLZE__WORD(at),
      growth->size, SYCLZE__WORD(growth->physical));
  result =
      SYCLZE__TRACE_RESULT(map, SYCLZE__ZE(zeVirtualMemMap)(context, at, growth->size,
                                    growth->physical, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
  if (result == ZE_RESULT_SUCCESS) return syclze__allowed();
  (void)syclze__physical_destroy(context, growth->physical);
  return syclze__status_of(result, "zeVirtualMemMap failed");
}

SYCLZE_COLD ze_result_t syclze_growable_memory_grow(syclze_growable_memory memory, size_t size) {
  const char *const function = "syclze_growable_memory_grow";
  struct syclze__growable *growable = memory.rep;
  struct syclze__growth *growth;
  if (growable == NULL) return syclze__fail_handle(function, "the memory is null");
  SYCLZE__CHECK_USE(memory, function, SYCLZE_RESULT_ERROR_INVALID);
  if (size <= growable->size) return ZE_RESULT_SUCCESS;
  struct syclze__status status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS && size > growable->capacity)
    status = syclze__status_of(
        ZE_RESULT_ERROR_INVALID_SIZE, "the memory cannot grow beyond what is reserved");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, growable->base);
  growth = (struct syclze__growth *)calloc(1, sizeof *growth);
  if (growth == NULL) return syclze__fail_memory(function, growable->base);
  growth->size = syclze__growable_round(size, growable->page) - growable->size;
  status = syclze__growable_extend(growable, growth);
  if (status.result != ZE_RESULT_SUCCESS) {
    free(growth);
    return syclze__finish(status, function, growable->base);
  }
  growth->before = growable->last;
  growable->last = growth;
  growable->size += growth->size;
  return ZE_RESULT_SUCCESS;
}

/* Releases the last growth. It stays if it cannot be unmapped, unless the object ends. */
SYCLZE_LOCAL ze_result_t syclze__growable_drop(
    struct syclze__growable *growable, const char *function, bool ends) {
  struct syclze__growth *growth = growable->last;
  const ze_context_handle_t context = growable->context->native;
  char *at = growable->base + (growable->size - growth->size);
  const char *rule = "zeVirtualMemUnmap failed";
  SYCLZE__TRACE_CALL(
      unmap, VIRTUAL_UNMAP, SYCLZE__WORD(growable->context), SYCLZE__WORD(at), growth->size);
  ze_result_t destroyed, result = SYCLZE__TRACE_RESULT(
                             unmap, SYCLZE__ZE(zeVirtualMemUnmap)(context, at, growth->size));
  if (result == ZE_RESULT_SUCCESS || ends) {
    destroyed = syclze__physical_destroy(context, growth->physical);
    if (result == ZE_RESULT_SUCCESS) {
      result = destroyed;
      rule = "zePhysicalMemDestroy failed";
    }
    growable->last = growth->before;
    growable->size -= growth->size;
    free(growth);
  }
  return result == ZE_RESULT_SUCCESS ? result : syclze__fail(result, function, rule, at);
}

SYCLZE_COLD ze_result_t syclze_growable_memory_shrink(syclze_growable_memory memory, size_t size) {
  const char *const function = "syclze_growable_memory_shrink";
  struct syclze__growable *growable = memory.rep;
  if (growable == NULL) return syclze__fail_handle(function, "the memory is null");
  SYCLZE__CHECK_USE(memory, function, SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__status status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, growable->base);
  while (growable->last != NULL && growable->size - growable->last->size >= size) {
    const ze_result_t result = syclze__growable_drop(growable, function, false);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD void *syclze_growable_memory_get_pointer(syclze_growable_memory memory) {
  SYCLZE__CHECK_USE(memory, "syclze_growable_memory_get_pointer", NULL);
  return memory.rep->base;
}

SYCLZE_COLD size_t syclze_growable_memory_get_size(syclze_growable_memory memory) {
  return memory.rep->size;
}

SYCLZE_COLD size_t syclze_growable_memory_get_capacity(syclze_growable_memory memory) {
  return memory.rep->capacity;
}

SYCLZE_COLD ze_result_t syclze_growable_memory_retain(syclze_growable_memory memory) {
  if (memory.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(memory, "syclze_growable_memory_retain", SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_retain(&memory.rep->ref);
  return ZE_RESULT_SUCCESS;
}

/* Releases all memory; none in the child of a fork. */
SYCLZE_LOCAL ze_result_t syclze__growable_end(
    struct syclze__growable *growable, const char *function) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (syclze__is_forked()) return result;
  while (growable->last != NULL) {
    result = syclze__first_error(result, syclze__growable_drop(growable, function, true));
  }
  SYCLZE__TRACE_CALL(end, VIRTUAL_FREE, SYCLZE__WORD(growable->context),
      SYCLZE__WORD(growable->base), growable->capacity);
  const ze_result_t freed = SYCLZE__TRACE_RESULT(end,
      SYCLZE__ZE(zeVirtualMemFree)(growable->context->native, growable->base, growable->capacity));
  if (freed != ZE_RESULT_SUCCESS)
    syclze__fail(freed, function, "zeVirtualMemFree failed", growable->base);
  return result != ZE_RESULT_SUCCESS ? result : freed;
}

SYCLZE_COLD ze_result_t syclze_growable_memory_release(syclze_growable_memory memory) {
  const char *const function = "syclze_growable_memory_release";
  struct syclze__growable *growable = memory.rep;
  ze_result_t result;
  if (growable == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(memory, function, SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__ref_release(&growable->ref)) return ZE_RESULT_SUCCESS;
  if (syclze__ref_is_missing(&growable->ref))
    return syclze__ref_underflow(&growable->ref, function);
  result = syclze__growable_end(growable, function);
  return syclze__first_error(result, syclze__growable_free(growable));
}

#endif

SYCLZE_EXTERN_C_END

#endif
