/* Implementation of context.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_CONTEXT_H
#define SYCLZE_DETAIL_OBJECTS_CONTEXT_H

#include "../../context.h"
#include "../memory/pool_end.h"
#include "../memory/sharded_count.h"

SYCLZE_EXTERN_C_BEGIN

/* The destructor hook of data that higher layers attach to an object; called after the last
 * release, while the native handle exists. */
struct syclze__attachment {
  ze_result_t (*end)(struct syclze__attachment *attachment);
};

struct syclze__event_pools;
struct syclze__memory_pools;

/* The list and memory of copies between a device and the host's own memory (staging_copy.h). */
struct syclze__staging {
  struct syclze__device *device;
  ze_command_list_handle_t list; /* immediate and synchronous, on the device */
  void *memory;                  /* of the host, accessible to the device; null for none */
  size_t room;
};

enum { SYCLZE__CONTEXT_DEVICES = 4 }; /* with more, the list is an allocation */

struct syclze__context {
  struct syclze__parent parent; /* of queues, events, bundles, buffers and images */
  ze_context_handle_t native;
  struct syclze__event_pools *event_pools; /* of the library's own events; null until the first */
  struct syclze__staging *staging;         /* unused now; null for none */
  const struct syclze__engine *engine;     /* of command groups, or null (plain/engine.h) */
  uint64_t orders;                         /* numbers given to states of queues so far */
  /* Pools of command/detail/commands/memory_pool.h; null until the first. Empty at the end. */
  struct syclze__memory_pools *memory_pools;
  uint32_t device_count;
  uint32_t queue_kind;             /* syclze__queue_is_regular; 0 until the environment is read */
  struct syclze__device **devices; /* `few`, or an allocation; none twice */
  struct syclze__device *few[SYCLZE__CONTEXT_DEVICES];
};

SYCLZE__POOLED(struct syclze__context);

/* syclze_make_context without tracing. Neither pointer is null. */
SYCLZE_COLD ze_result_t syclze__make_context_impl(const syclze_context_input *input,
    syclze_context *context) SYCLZE_LINK_NAME(syclze__make_context_impl);

/* Slow path of the make. `alive` is the result of zeContextGetStatus, or ZE_RESULT_NOT_READY if it
 * was not called. */
SYCLZE_COLD struct syclze__made syclze__make_context_slow(
    syclze_context_input input, ze_result_t alive) SYCLZE_LINK_NAME(syclze__make_context_slow);

SYCLZE_COLD ze_result_t syclze__context_create_impl(const syclze_device *device_list,
    uint32_t device_count, syclze_context *context) SYCLZE_LINK_NAME(syclze__context_create_impl);

/* Ends the context after a release that left no reference, or closes it until its last child ends.
 * `left` is 0 for a context that is marked as free. */
SYCLZE_COLD ze_result_t syclze__context_close(struct syclze__context *context, int32_t left)
    SYCLZE_LINK_NAME(syclze__context_close);

/* Slow path of a context as parent. Destroys a transferred context, and the library's own events,
 * at its end. */
SYCLZE_WARM struct syclze__made syclze__context_slow(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot *slot,
    size_t size) SYCLZE_LINK_NAME(syclze__context_slow);

/* True for a device in the list, or part of one. Compares handles, since another linked image may
 * have enumerated the device. */
SYCLZE_COLD bool syclze__context_has_other(const struct syclze__context *context,
    const struct syclze__device *device) SYCLZE_LINK_NAME(syclze__context_has_other);

SYCLZE_INLINE bool syclze__context_has_device(
    const struct syclze__context *context, const struct syclze__device *device) {
  return SYCLZE__LIKELY(context->devices[0] == device) ||
         syclze__context_has_other(context, device);
}

/* Checks a make's context. */
SYCLZE_COLD struct syclze__status syclze__check_in(const struct syclze__context *context)
    SYCLZE_LINK_NAME(syclze__check_in);

/* True for wrappers of one native context. */
SYCLZE_INLINE bool syclze__contexts_are_one(
    const struct syclze__context *a, const struct syclze__context *b) {
  return SYCLZE__LIKELY(a == b) || a->native == b->native;
}

/* Checks a creation's device. */
SYCLZE_COLD struct syclze__status syclze__check_device_in(const struct syclze__context *context,
    const struct syclze__device *device) SYCLZE_LINK_NAME(syclze__check_device_in);

/* Fills the memory of a context, with its first device. */
SYCLZE_INLINE struct syclze__context *syclze__context_fill(
    void *memory, const syclze_context_input *input) {
  struct syclze__context *context = (struct syclze__context *)memory;
  syclze__parent_init(&context->parent, (uint32_t)input->ownership, syclze__context_slow);
  context->native = input->native_handle;
  context->event_pools = NULL;
  context->staging = NULL;
  context->engine = NULL;
  context->orders = 0;
  context->memory_pools = NULL;
  context->device_count = 1;
  context->queue_kind = 0;
  context->devices = context->few;
  /* Atomic so that the compiler does not pair the two in a vector register. */
  __atomic_store_n(&context->few[0], input->device_list[0].rep, __ATOMIC_RELAXED);
  return context;
}

SYCLZE_INLINE ze_result_t syclze_make_context(
    const syclze_context_input *input, syclze_context *context) {
  struct syclze__made made;
  void *memory;
  ze_result_t alive = ZE_RESULT_NOT_READY;
  if (SYCLZE__UNLIKELY(context == NULL || input == NULL))
    return syclze__fail_null("syclze_make_context", context);
  if (SYCLZE__TRACING_CALLS() || SYCLZE__CHECKED) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(input->native_handle == NULL)) goto slow;
  if (SYCLZE__UNLIKELY((uint32_t)input->ownership > SYCLZE__KEPT)) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(input->device_count != 1)) goto slow;
  if (SYCLZE__UNLIKELY(input->device_list == NULL)) goto slow;
  if (SYCLZE__UNLIKELY(input->device_list[0].rep == NULL)) goto slow;
  alive = SYCLZE__ZE(zeContextGetStatus)(input->native_handle);
  if (SYCLZE__UNLIKELY(alive != ZE_RESULT_SUCCESS)) goto slow;
  memory = syclze__pool_take(&SYCLZE__STATE.pools[SYCLZE__POOL_CONTEXT]);
  if (SYCLZE__UNLIKELY(memory == NULL)) goto slow;
  context->rep = syclze__context_fill(memory, input);
  return ZE_RESULT_SUCCESS;
slow:
  made = syclze__make_context_slow(*input, alive);
  context->rep = (struct syclze__context *)made.rep;
  return made.result;
}

SYCLZE_INLINE ze_context_handle_t syclze_context_get_native(syclze_context context) {
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_CONTEXT, context.rep);
  SYCLZE__CHECK_USE(context, "syclze_context_get_native", NULL);
  return context.rep->native;
}

SYCLZE_INLINE syclze_platform syclze_context_get_platform(syclze_context context) {
  syclze_platform platform = {context.rep->devices[0]->platform};
  return platform;
}

SYCLZE_INLINE uint32_t syclze_context_get_device_count(syclze_context context) {
  return context.rep->device_count;
}

SYCLZE_INLINE syclze_device syclze_context_get_device(syclze_context context, uint32_t index) {
  syclze_device device = {context.rep->devices[index]};
  return device;
}

SYCLZE_INLINE ze_result_t syclze_context_retain(syclze_context context) {
  return syclze__retain(SYCLZE_OBJECT_CONTEXT, context.rep, "syclze_context_retain");
}

/* Returns the object to its pool. */
SYCLZE_INLINE ze_result_t syclze__context_free(struct syclze__context *context) {
#if SYCLZE__CHECKED
  SYCLZE__CHECK_FREE(&context->parent.ref.slot);
#else
  syclze__pool_release_to(&SYCLZE__STATE.pools[SYCLZE__POOL_CONTEXT], &context->parent.ref.slot);
#endif
  return ZE_RESULT_SUCCESS;
}

SYCLZE_INLINE ze_result_t syclze__context_release_impl(syclze_context context) {
  if (context.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(context, "syclze_context_release", SYCLZE_RESULT_ERROR_INVALID);
  if (SYCLZE__UNLIKELY(!syclze__parent_release_alone(&context.rep->parent))) {
    const int32_t left = syclze__parent_release(&context.rep->parent);
    return left >= 0 ? ZE_RESULT_SUCCESS : syclze__context_close(context.rep, left);
  }
  if (SYCLZE__UNLIKELY(context.rep->parent.ref.ownership != SYCLZE__KEPT))
    return syclze__context_close(context.rep, 0);
  SYCLZE__CHECK_UNWRAPPED(context.rep->native);
  return syclze__context_free(context.rep);
}

SYCLZE_INLINE ze_result_t syclze_context_release(syclze_context context) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_CONTEXT, context.rep);
  return syclze__context_release_impl(context);
}

#if SYCLZE__BODIES

/* Defined in detail/objects/event_pool.h. */
SYCLZE_LOCAL void syclze__idle_events_return(
    struct syclze__parent *parent, struct syclze__entry *entry);

SYCLZE_COLD bool syclze__context_has_other(
    const struct syclze__context *context, const struct syclze__device *device) {
  for (; device != NULL; device = syclze__device_above(device))
    for (uint32_t i = 0; i < context->device_count; i++)
      if (context->devices[i]->native == device->native) return true;
  return false;
}

SYCLZE_COLD struct syclze__status syclze__check_in(const struct syclze__context *context) {
  if (context == NULL) return syclze__null_handle("the context is null");
  return SYCLZE__CHECK_ALIVE(context)
             ? syclze__allowed()
             : syclze__invalid("the context is used after its last release");
}

SYCLZE_COLD struct syclze__status syclze__check_device_in(
    const struct syclze__context *context, const struct syclze__device *device) {
  struct syclze__status status = syclze__check_in(context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (device == NULL) return syclze__null_handle("the device is null");
  if (!syclze__context_has_device(context, device))
    return syclze__invalid("Level-Zero backend 4.3: the device must be in the context");
  return syclze__check_fork();
}

SYCLZE_LOCAL struct syclze__status syclze__check_device_list(
    const syclze_device *device_list, uint32_t device_count) {
  if (device_list == NULL || device_count == 0)
    return syclze__invalid("Level-Zero backend 4.3: a context needs at least one device");
  for (uint32_t i = 0; i < device_count; i++) {
    if (device_list[i].rep == NULL) return syclze__null_handle("a device of the context is null");
    if (device_list[i].rep->platform->native != device_list[0].rep->platform->native)
      return syclze__invalid(
          "Level-Zero backend 4.3: the devices of a context must be of one driver");
  }
  return syclze__check_fork();
}

SYCLZE_LOCAL void syclze__context_devices_free(struct syclze__context *context) {
  if (context->devices != context->few) free((void *)context->devices);
  context->parent.used = 0;
}

/* Creates a context of any number of devices; null without memory. */
SYCLZE_LOCAL struct syclze__context *syclze__context_new(const syclze_context_input *input) {
  /* A parent may be read after its end. */
  void *memory = syclze__pool_acquire_lasting(
      &SYCLZE__STATE.pools[SYCLZE__POOL_CONTEXT], sizeof(struct syclze__context));
  if (memory == NULL) return NULL;
  syclze__pools_register_end();
  struct syclze__context *context = syclze__context_fill(memory, input);
  if (input->device_count > SYCLZE__CONTEXT_DEVICES) {
    context->devices =
        (struct syclze__device **)calloc(input->device_count, sizeof *context->devices);
    if (context->devices == NULL) {
      syclze__pool_release(&context->parent.ref.slot);
      return NULL;
    }
    /* Makes the last release take the slow path. */
    context->parent.used = 1;
  }
  context->device_count = 0;
  for (uint32_t i = 0; i < input->device_count; i++) {
    uint32_t same = 0;
    while (same < context->device_count && context->devices[same] != input->device_list[i].rep)
      same++;
    if (same == context->device_count)
      context->devices[context->device_count++] = input->device_list[i].rep;
  }
  return context;
}

SYCLZE_LOCAL struct syclze__status syclze__check_context(
    const syclze_context_input *input, ze_result_t alive) {
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status = syclze__check_device_list(input->device_list, input->device_count);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (alive == ZE_RESULT_NOT_READY) alive = SYCLZE__ZE(zeContextGetStatus)(input->native_handle);
  if (alive != ZE_RESULT_SUCCESS && alive != ZE_RESULT_ERROR_DEVICE_LOST)
    return syclze__status_of(alive, "zeContextGetStatus refuses the handle");
  return status;
}

SYCLZE_LOCAL struct syclze__made syclze__context_make(
    const syclze_context_input *input, ze_result_t alive) {
  struct syclze__context *context = NULL;
  struct syclze__status status = syclze__check_context(input, alive);
  if (status.result == ZE_RESULT_SUCCESS) {
    context = syclze__context_new(input);
    if (context == NULL) status = syclze__out_of_memory();
  }
  return syclze__make_end(status, context, "context", "syclze_make_context", input->native_handle,
      (uint32_t)input->ownership);
}

SYCLZE_COLD ze_result_t syclze__make_context_impl(
    const syclze_context_input *input, syclze_context *context) {
  const struct syclze__made made = syclze__context_make(input, ZE_RESULT_NOT_READY);
  context->rep = (struct syclze__context *)made.rep;
  return made.result;
}

SYCLZE_COLD struct syclze__made syclze__make_context_slow(
    syclze_context_input input, ze_result_t alive) {
  SYCLZE__MADE_IF_TRACED(make_context, syclze_context, &input, &created);
  return syclze__context_make(&input, alive);
}

SYCLZE_LOCAL ze_result_t syclze__native_context_create(struct syclze__context *context) {
  ze_device_handle_t *devices =
      (ze_device_handle_t *)calloc(context->device_count, sizeof *devices);
  if (devices == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < context->device_count; i++)
    devices[i] = context->devices[i]->native;
  SYCLZE__ZE_STRUCT(ze_context_desc_t, desc, CONTEXT_DESC);
  ze_result_t result = SYCLZE__ZE(zeContextCreateEx)(context->devices[0]->platform->native, &desc,
      context->device_count, devices, &context->native);
  free(devices);
  return result;
}

SYCLZE_COLD ze_result_t syclze__context_create_impl(
    const syclze_device *device_list, uint32_t device_count, syclze_context *context) {
  const syclze_context_input input = {NULL, device_list, device_count, SYCLZE_OWNERSHIP_TRANSFER};
  struct syclze__context *created = NULL;
  if (context == NULL)
    return syclze__fail_pointer("syclze_context_create", "the result's pointer is null");
  context->rep = NULL;
  struct syclze__status status = syclze__check_device_list(device_list, device_count);
  if (status.result == ZE_RESULT_SUCCESS) {
    created = syclze__context_new(&input);
    status = created != NULL ? syclze__status_of(syclze__native_context_create(created),
                                   "zeContextCreateEx failed")
                             : syclze__out_of_memory();
  }
  if (status.result != ZE_RESULT_SUCCESS) {
    if (created != NULL) {
      syclze__context_devices_free(created);
      syclze__pool_release(&created->parent.ref.slot);
    }
    return syclze__finish(status, "syclze_context_create", NULL);
  }
  SYCLZE__CHECK_WRAPPED(&created->parent.ref, "context", created->native, SYCLZE__TRANSFERRED);
  context->rep = created;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_context_create(
    const syclze_device *device_list, uint32_t device_count, syclze_context *context) {
  SYCLZE__RETURN_IF_TRACED(context_create, device_list, device_count, context);
  return syclze__context_create_impl(device_list, device_count, context);
}

SYCLZE_LOCAL ze_result_t syclze__staging_destroy(
    const struct syclze__context *context, struct syclze__staging *staging) {
  ze_result_t result = SYCLZE__ZE(zeCommandListDestroy)(staging->list), freed = ZE_RESULT_SUCCESS;
  if (staging->memory != NULL) freed = SYCLZE__ZE(zeMemFree)(context->native, staging->memory);
  free(staging);
  return result != ZE_RESULT_SUCCESS ? result : freed;
}

/* Destroys the handles that the library created in the context. */
SYCLZE_LOCAL ze_result_t syclze__context_destroy_own(struct syclze__context *context) {
  const char *const function = "syclze_context_release";
  ze_result_t result = ZE_RESULT_SUCCESS, staged = ZE_RESULT_SUCCESS;
  struct syclze__attachment *events = (struct syclze__attachment *)(void *)context->event_pools;
  if (events != NULL) result = events->end(events);
  if (result != ZE_RESULT_SUCCESS)
    syclze__fail(result, function,
        "zeEventDestroy or zeEventPoolDestroy failed on the library's own events", context->native);
  if (context->staging != NULL && syclze__is_forked())
    free(context->staging);
  else if (context->staging != NULL)
    staged = syclze__staging_destroy(context, context->staging);
  free(context->memory_pools);
  if (staged != ZE_RESULT_SUCCESS)
    syclze__fail(staged, function,
        "zeCommandListDestroy or zeMemFree failed on what the library copies by", context->native);
  return result != ZE_RESULT_SUCCESS ? result : staged;
}

/* Destroys a context without references and children. */
SYCLZE_LOCAL ze_result_t syclze__context_destroy(struct syclze__context *context) {
  const char *const function = "syclze_context_release";
  ze_result_t result = syclze__context_destroy_own(context);
  SYCLZE__CHECK_UNWRAPPED(context->native);
  if (context->parent.ref.ownership == SYCLZE__TRANSFERRED && !syclze__is_forked()) {
    ze_result_t destroyed = SYCLZE__ZE(zeContextDestroy)(context->native);
    if (destroyed != ZE_RESULT_SUCCESS)
      syclze__fail(destroyed, function, "zeContextDestroy failed", context->native);
    if (result == ZE_RESULT_SUCCESS) result = destroyed;
  } else {
    result = syclze__first_error(result, syclze__owner_end(&context->parent.ref));
  }
  syclze__context_devices_free(context);
  syclze__context_free(context);
  return result;
}

SYCLZE_COLD ze_result_t syclze__context_close(struct syclze__context *context, int32_t left) {
  return left == 0 ? syclze__context_destroy(context)
                   : syclze__parent_last(
                         &context->parent, left, SYCLZE__POOL_CONTEXT, "syclze_context_release");
}

SYCLZE_WARM struct syclze__made syclze__context_slow(struct syclze__parent *parent,
    enum syclze__child_step step, enum syclze__pool_kind kind, struct syclze__slot *slot,
    size_t size) {
  struct syclze__made made = {NULL, ZE_RESULT_SUCCESS};
  if (syclze__parent_step(parent, step, kind, &slot, size, syclze__idle_events_return))
    made.result = syclze__context_destroy((struct syclze__context *)(void *)parent);
  made.rep = slot;
  return made;
}

SYCLZE_COLD ze_result_t syclze_context_set_owner(syclze_context context, syclze_owner owner) {
  SYCLZE__OWNER_SET(context, context, context.rep->native, NULL);
}

SYCLZE_COLD syclze_owner syclze_context_get_owner(syclze_context context) {
  return syclze__owner_get(&context.rep->parent.ref);
}

#endif

SYCLZE_EXTERN_C_END

#include "event_pool.h"

#endif
