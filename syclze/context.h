/* Contexts: a Level Zero context and the devices that it is used with.
 *
 *     syclze_context_input input = {0};
 *     input.native_handle = handle;
 *     input.device_list = &device;
 *     input.device_count = 1;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_context context;
 *     if (syclze_make_context(&input, &context) == ZE_RESULT_SUCCESS)
 *       syclze_context_release(context);
 *
 * Queues, events, kernel bundles and kernels keep their context alive. One context may be used from
 * any number of threads. */
#ifndef SYCLZE_CONTEXT_H
#define SYCLZE_CONTEXT_H

#include "device.h"
#include "detail/ref.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_context {
  struct syclze__context *rep;
} syclze_context;

typedef struct syclze_context_input {
  ze_context_handle_t native_handle;
  const syclze_device *device_list; /* read during the call only */
  uint32_t device_count;            /* at least 1 */
  syclze_ownership ownership;       /* default: transfer */
} syclze_context_input;

struct syclze__context;

/* What a user of contexts hangs on one, and how it goes: called after the last release, while the
 * native context is alive. */
struct syclze__attachment {
  ze_result_t (*end)(struct syclze__attachment *attachment);
};

enum { SYCLZE__CONTEXT_DEVICES = 4 }; /* with more, the context is an allocation of its own */

struct syclze__context {
  struct syclze__ref ref;
  ze_context_handle_t native;
  struct syclze__attachment *event_pools; /* of the library's own events; null until the first */
  uint32_t device_count;
  struct syclze__device **devices; /* `few`, or what follows the struct */
  struct syclze__device *few[SYCLZE__CONTEXT_DEVICES];
};

/* Wraps a context (4.3). Errors: ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null handle or a null
 * device; SYCLZE_RESULT_ERROR_INVALID without a device, or with devices of several drivers;
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for an ownership that is none; what zeContextGetStatus says
 * of the handle, but for a lost device. After an error the handle is the caller's. */
SYCLZE_INLINE ze_result_t syclze_make_context(
    const syclze_context_input *input, syclze_context *context);

/* Creates a context on devices of one platform, owned by the library. Passes through what
 * zeContextCreateEx returns. */
SYCLZE_COLD ze_result_t syclze_context_create(const syclze_device *device_list,
    uint32_t device_count, syclze_context *context) SYCLZE_LINK_NAME(syclze_context_create);

/* The context's handle. `context` is not null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE ze_context_handle_t syclze_context_get_native(syclze_context context) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_CONTEXT, context.rep);
  return context.rep->native;
}

/* The platform of the context's devices. `context` is not null. */
SYCLZE_INLINE syclze_platform syclze_context_get_platform(syclze_context context) {
  syclze_platform platform = {context.rep->devices[0]->platform};
  return platform;
}

SYCLZE_INLINE uint32_t syclze_context_get_device_count(syclze_context context) {
  return context.rep->device_count;
}

/* The device at `index` in the list that the context was made with. */
SYCLZE_INLINE syclze_device syclze_context_get_device(syclze_context context, uint32_t index) {
  syclze_device device = {context.rep->devices[index]};
  return device;
}

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_context_retain(syclze_context context);

SYCLZE_INLINE ze_result_t syclze__context_retain_impl(syclze_context context) {
  if (context.rep != NULL) syclze__ref_retain(&context.rep->ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_context_retain(syclze_context context) {
  SYCLZE__RETURN_IF_TRACED(context_retain, context);
  return syclze__context_retain_impl(context);
}

/* The end of a context that nobody refers to any more; what zeContextDestroy returns. */
SYCLZE_COLD ze_result_t syclze__context_destroy(struct syclze__context *context)
    SYCLZE_LINK_NAME(syclze__context_destroy);

SYCLZE_INLINE ze_result_t syclze__context_end(struct syclze__context *context) {
  if (context->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER || context->event_pools != NULL)
    return syclze__context_destroy(context);
  SYCLZE__CHECK_UNWRAPPED(context->native);
  syclze__pool_release(&context->ref.slot);
  return ZE_RESULT_SUCCESS;
}

/* Drops the reference of an object to its context, which others keep as a rule. */
SYCLZE_INLINE ze_result_t syclze__context_release(struct syclze__context *context) {
  if (SYCLZE__LIKELY(!syclze__ref_release(&context->ref))) return ZE_RESULT_SUCCESS;
  return syclze__context_destroy(context);
}

/* Drops a reference. The last one destroys a transferred handle and returns what that returned.
 * Null is allowed and has no effect. Does not block. */
SYCLZE_INLINE ze_result_t syclze_context_release(syclze_context context);

SYCLZE_INLINE ze_result_t syclze__context_release_impl(syclze_context context) {
  if (context.rep == NULL || !syclze__ref_release(&context.rep->ref)) return ZE_RESULT_SUCCESS;
  return syclze__context_end(context.rep);
}
SYCLZE_INLINE ze_result_t syclze_context_release(syclze_context context) {
  SYCLZE__RETURN_IF_TRACED(context_release, context);
  return syclze__context_release_impl(context);
}

/* Any device but the context's first. By handle: what another image enumerated is the same
 * device. */
SYCLZE_COLD bool syclze__context_has_other(const struct syclze__context *context,
    const struct syclze__device *device) SYCLZE_LINK_NAME(syclze__context_has_other);

/* True for a device in the context's list, and for one that is part of such a device. */
SYCLZE_INLINE bool syclze__context_has_device(
    const struct syclze__context *context, const struct syclze__device *device) {
  return SYCLZE__LIKELY(context->devices[0] == device) ||
         syclze__context_has_other(context, device);
}

SYCLZE_COLD bool syclze__context_has_other(
    const struct syclze__context *context, const struct syclze__device *device) {
  for (; device != NULL; device = device->parent)
    for (uint32_t i = 0; i < context->device_count; i++)
      if (context->devices[i]->native == device->native) return true;
  return false;
}

/* What holds for the device of whatever is made in a context. */
SYCLZE_INLINE struct syclze__status syclze__check_device_in(
    const struct syclze__context *context, const struct syclze__device *device) {
  if (context == NULL) return syclze__null_handle("the context is null");
  if (device == NULL) return syclze__null_handle("the device is null");
  if (!syclze__context_has_device(context, device))
    return syclze__invalid("Level-Zero backend 4.3: the device must be in the context");
  return syclze__allowed();
}

/* With more devices than a pooled context holds; null without memory. */
SYCLZE_COLD struct syclze__context *syclze__context_allocate(uint32_t device_count)
    SYCLZE_LINK_NAME(syclze__context_allocate);

/* A context with one reference; null without memory. */
SYCLZE_INLINE struct syclze__context *syclze__context_new(ze_context_handle_t native,
    const syclze_device *device_list, uint32_t device_count, syclze_ownership ownership) {
  struct syclze__context *context;
  if (SYCLZE__LIKELY(device_count <= SYCLZE__CONTEXT_DEVICES)) {
    context = (struct syclze__context *)syclze__pool_acquire(
        &SYCLZE__STATE.pools[SYCLZE__POOL_CONTEXT], sizeof *context);
    if (context != NULL) context->devices = context->few;
  } else
    context = syclze__context_allocate(device_count);
  if (context == NULL) return NULL;
  syclze__ref_init(&context->ref, ownership);
  context->native = native;
  context->event_pools = NULL;
  context->device_count = device_count;
  for (uint32_t i = 0; i < device_count; i++)
    context->devices[i] = device_list[i].rep;
  if (native != NULL) SYCLZE__CHECK_WRAPPED(native, ownership);
  return context;
}

SYCLZE_INLINE struct syclze__status syclze__check_device_list(
    const syclze_device *device_list, uint32_t device_count) {
  if (device_list == NULL || device_count == 0)
    return syclze__invalid("Level-Zero backend 4.3: a context needs at least one device");
  for (uint32_t i = 0; i < device_count; i++) {
    if (device_list[i].rep == NULL) return syclze__null_handle("a device of the context is null");
    if (device_list[i].rep->platform->native != device_list[0].rep->platform->native)
      return syclze__invalid(
          "Level-Zero backend 4.3: the devices of a context must be of one driver");
  }
  return syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__check_context(const syclze_context_input *input) {
  if (input == NULL) return syclze__null_pointer("the input's pointer is null");
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status = syclze__check_device_list(input->device_list, input->device_count);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  ze_result_t alive = SYCLZE__ZE(zeContextGetStatus)(input->native_handle);
  if (alive != ZE_RESULT_SUCCESS && alive != ZE_RESULT_ERROR_DEVICE_LOST)
    return syclze__status_of(alive, "zeContextGetStatus refuses the handle");
  return syclze__allowed();
}

SYCLZE_INLINE ze_result_t syclze__make_context_impl(
    const syclze_context_input *input, syclze_context *context) {
  static const char *const function = "syclze_make_context";
  if (context == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  context->rep = NULL;
  struct syclze__status status = syclze__check_context(input);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    context->rep = syclze__context_new(
        input->native_handle, input->device_list, input->device_count, input->ownership);
    if (SYCLZE__LIKELY(context->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(status.result, function, status.rule, input ? input->native_handle : NULL);
}
SYCLZE_INLINE ze_result_t syclze_make_context(
    const syclze_context_input *input, syclze_context *context) {
  SYCLZE__RETURN_IF_MAKE_TRACED(make_context, syclze_context, input, context, &copy, &created);
  return syclze__make_context_impl(input, context);
}

SYCLZE_COLD struct syclze__context *syclze__context_allocate(uint32_t device_count) {
  size_t size =
      sizeof(struct syclze__context) + (size_t)device_count * sizeof(struct syclze__device *);
  struct syclze__context *context = (struct syclze__context *)calloc(1, size);
  if (context != NULL) context->devices = (struct syclze__device **)(void *)(context + 1);
  return context;
}

SYCLZE_COLD ze_result_t syclze__context_create_impl(const syclze_device *device_list,
    uint32_t device_count, syclze_context *context) SYCLZE_LINK_NAME(syclze__context_create_impl);

SYCLZE_COLD ze_result_t syclze__context_create_impl(
    const syclze_device *device_list, uint32_t device_count, syclze_context *context) {
  static const char *const function = "syclze_context_create";
  if (context == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  context->rep = NULL;
  struct syclze__status status = syclze__check_device_list(device_list, device_count);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  struct syclze__context *rep =
      syclze__context_new(NULL, device_list, device_count, SYCLZE_OWNERSHIP_TRANSFER);
  if (rep == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
  ze_device_handle_t *devices = (ze_device_handle_t *)calloc(device_count, sizeof *devices);
  ze_context_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (devices != NULL) {
    for (uint32_t i = 0; i < device_count; i++)
      devices[i] = device_list[i].rep->native;
    result = SYCLZE__ZE(zeContextCreateEx)(
        device_list[0].rep->platform->native, &desc, device_count, devices, &rep->native);
    free(devices);
  }
  if (result != ZE_RESULT_SUCCESS) {
    syclze__pool_release(&rep->ref.slot);
    return syclze__fail(result, function, "zeContextCreateEx failed", NULL);
  }
  SYCLZE__CHECK_WRAPPED(rep->native, SYCLZE_OWNERSHIP_TRANSFER);
  context->rep = rep;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_context_create(
    const syclze_device *device_list, uint32_t device_count, syclze_context *context) {
  SYCLZE__RETURN_IF_TRACED(context_create, device_list, device_count, context);
  return syclze__context_create_impl(device_list, device_count, context);
}

SYCLZE_COLD ze_result_t syclze__context_destroy(struct syclze__context *context) {
  static const char *const function = "syclze_context_release";
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (context->event_pools != NULL) result = context->event_pools->end(context->event_pools);
  if (result != ZE_RESULT_SUCCESS)
    syclze__fail(result, function,
        "zeEventDestroy or zeEventPoolDestroy failed on the library's own events", context->native);
  if (context->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER) {
    ze_result_t destroyed = SYCLZE__ZE(zeContextDestroy)(context->native);
    if (destroyed != ZE_RESULT_SUCCESS)
      syclze__fail(destroyed, function, "zeContextDestroy failed", context->native);
    if (result == ZE_RESULT_SUCCESS) result = destroyed;
  }
  SYCLZE__CHECK_UNWRAPPED(context->native);
  syclze__pool_release(&context->ref.slot);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
