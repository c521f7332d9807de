/* The streams of memory: sycl.experimental.buffer, .image and .mem_alloc. */
#ifndef SYCLZE_TRACE_MEMORY_STREAMS_H
#define SYCLZE_TRACE_MEMORY_STREAMS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "startup.h"

SYCLZE_EXTERN_C_BEGIN

/* The framework's structs of user data, in the order of xpti-data-types. */
struct syclze__xpti_buffer_data {
  uint64_t user, host;
  const char *element_type;
  uint32_t element_size, dimensions;
  size_t range[3];
};
struct syclze__xpti_optional { /* std::optional<uint32_t> */
  uint32_t value;
  uint8_t engaged;
};
struct syclze__xpti_image_data {
  uint64_t user, host;
  uint32_t dimensions;
  size_t range[3];
  uint32_t format;
  struct syclze__xpti_optional addressing, normalized, filtering;
};
struct syclze__xpti_accessor_data {
  uint64_t object, accessor;
  uint32_t target, mode;
};
struct syclze__xpti_image_accessor_data {
  uint64_t object, accessor;
  struct syclze__xpti_optional target, mode;
  const char *element_type;
  uint32_t element_size;
};
struct syclze__xpti_association {
  uint64_t user, native;
};
struct syclze__xpti_allocation {
  uint64_t object, pointer;
  size_t size, guard, reserved;
};

SYCLZE_INLINE enum syclze__xpti_stream syclze__xpti_stream_of(bool is_image) {
  return is_image ? SYCLZE__STREAM_IMAGE : SYCLZE__STREAM_BUFFER;
}

/* Notifies without an instance, as specified; today's runtimes number each notification. */
SYCLZE_LOCAL void syclze__xpti_object_notify(struct syclze__xpti *xpti, bool is_image,
    enum syclze__xpti_type type, void *event, const void *user) {
  const enum syclze__xpti_stream stream = syclze__xpti_stream_of(is_image);
  uint64_t instance = 0;
  if (syclze__xpti_is_current(xpti))
    instance =
        event != NULL ? ((struct syclze__xpti_event *)event)->instance_id : xpti->GetUniqueId();
  void *parent =
      syclze__xpti_is_current(xpti) || type == SYCLZE__XPTI_RELEASE ? NULL : xpti->layers[stream];
  syclze__xpti_notify(xpti, stream, type, parent, event, instance, user);
}

SYCLZE_LOCAL void syclze__xpti_memory_created(const struct syclze__trace_memory_info *memory) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return;
  const bool is_image = memory->is_image;
  const uint64_t user = SYCLZE__WORD(memory->object);
  if (syclze__xpti_subscribed(xpti, syclze__xpti_stream_of(is_image), SYCLZE__XPTI_CONSTRUCT)) {
    struct syclze__xpti_buffer_data buffer = {user, SYCLZE__WORD(memory->host), "byte[]",
        memory->element_size, memory->dimensions,
        {memory->range[0], memory->range[1], memory->range[2]}};
    for (uint32_t i = memory->dimensions; syclze__xpti_is_current(xpti) && i < 3; i++)
      buffer.range[i] = 0;
    SYCLZE__ZEROED(struct syclze__xpti_image_data, image);
    image.user = user;
    image.dimensions = memory->dimensions;
    memcpy(image.range, memory->range, sizeof image.range);
    image.format = memory->format;
    void *event =
        syclze__xpti_event_make(xpti, syclze__xpti_event_name(xpti, is_image ? "image" : "buffer"),
            true, SYCLZE__XPTI_EVENT_MEMORY_OBJECT);
    if (event != NULL)
      syclze__xpti_object_notify(xpti, is_image, SYCLZE__XPTI_CONSTRUCT, event,
          is_image ? (const void *)&image : (const void *)&buffer);
    syclze__xpti_event_release(xpti, event);
  }
  const struct syclze__xpti_association association = {user, SYCLZE__WORD(memory->native)};
  syclze__xpti_object_notify(xpti, is_image, SYCLZE__XPTI_ASSOCIATE, NULL, &association);
}

SYCLZE_LOCAL void syclze__xpti_memory_destroyed(
    const void *object, const void *native, bool is_image) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return;
  const uint64_t user = SYCLZE__WORD(object);
  const struct syclze__xpti_association association = {user, SYCLZE__WORD(native)};
  /* Both structs begin with the identity; the image's is longer. */
  SYCLZE__ZEROED(struct syclze__xpti_image_data, data);
  data.user = user;
  syclze__xpti_object_notify(xpti, is_image, SYCLZE__XPTI_RELEASE, NULL, &association);
  syclze__xpti_object_notify(xpti, is_image, SYCLZE__XPTI_DESTRUCT, NULL, &data);
}

/* True if accesses have subscribers. The framework has none while it does not trace. */
SYCLZE_LOCAL_WARM bool syclze__xpti_accesses_wanted(void) {
  const struct syclze__xpti *xpti = __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE);
  if (SYCLZE__UNLIKELY(xpti == NULL || __atomic_load_n(&xpti->ready, __ATOMIC_ACQUIRE) == 0))
    xpti = syclze__xpti_now();
  return xpti != NULL &&
         (syclze__xpti_subscribed(xpti, SYCLZE__STREAM_BUFFER, SYCLZE__XPTI_ACCESSOR) ||
             syclze__xpti_subscribed(xpti, SYCLZE__STREAM_IMAGE, SYCLZE__XPTI_ACCESSOR));
}

/* Reports an accessor. `target` is that of a buffer's. */
SYCLZE_LOCAL void syclze__xpti_accessor(
    const void *object, const void *accessor, uint32_t mode, size_t pixel_size, uint32_t target) {
  const bool is_image = pixel_size != 0;
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL ||
      !syclze__xpti_subscribed(xpti, syclze__xpti_stream_of(is_image), SYCLZE__XPTI_ACCESSOR))
    return;
  const uint64_t user = SYCLZE__WORD(object), id = SYCLZE__WORD(accessor);
  const uint32_t info = syclze__xpti_access_mode(mode);
  const struct syclze__xpti_accessor_data buffer = {user, id, target, info};
  const struct syclze__xpti_image_accessor_data image = {
      user, id, {SYCLZE__XPTI_TARGET_IMAGE, 1}, {info, 1}, "pixel", (uint32_t)pixel_size};
  void *event = syclze__xpti_event_make(
      xpti, syclze__xpti_event_name(xpti, "accessor"), true, SYCLZE__XPTI_EVENT_ACCESSOR);
  if (event != NULL)
    syclze__xpti_object_notify(xpti, is_image, SYCLZE__XPTI_ACCESSOR, event,
        is_image ? (const void *)&image : (const void *)&buffer);
  syclze__xpti_event_release(xpti, event);
}

SYCLZE_LOCAL void syclze__xpti_access(
    const void *object, const void *accessor, uint32_t mode, size_t pixel_size) {
  syclze__xpti_accessor(object, accessor, mode, pixel_size, SYCLZE__XPTI_TARGET_DEVICE);
}

SYCLZE_LOCAL void syclze__xpti_host_access(
    const void *object, const void *accessor, uint32_t mode, size_t pixel_size) {
  syclze__xpti_accessor(object, accessor, mode, pixel_size, SYCLZE__XPTI_TARGET_HOST);
}

/* An allocation or a free, between its begin and its end. */
struct syclze__xpti_usm_call {
  uint64_t instance; /* 0 if it is not traced */
  void *event;       /* only in the form of today's runtimes */
  enum syclze__xpti_type begin;
};

/* Notifies about an allocation. Today's runtimes name the function instead, and put pointer and
 * size into metadata. */
SYCLZE_LOCAL void syclze__xpti_usm_notify(struct syclze__xpti *xpti,
    const struct syclze__xpti_usm_call *call, bool ends, const void *pointer, size_t size) {
  const struct syclze__xpti_allocation memory = {0, SYCLZE__WORD(pointer), size, 0, 0};
  const bool frees = call->begin == SYCLZE__XPTI_FREE_BEGIN;
  const enum syclze__xpti_type type = (enum syclze__xpti_type)(call->begin + ends);
  if (!syclze__xpti_is_current(xpti))
    syclze__xpti_notify(xpti, SYCLZE__STREAM_MEM_ALLOC, type,
        xpti->layers[SYCLZE__STREAM_MEM_ALLOC], NULL, call->instance, &memory);
  else if (call->event != NULL)
    syclze__xpti_notify(xpti, SYCLZE__STREAM_MEM_ALLOC, type, xpti->graph, call->event,
        call->instance, frees ? "usm::free" : "usm::alignedAlloc");
}

/* Begins an allocation or a free. `pointer` and `size` are 0 if unknown; `device` may be null. */
SYCLZE_LOCAL void syclze__xpti_usm_begin(struct syclze__xpti_usm_call *call,
    enum syclze__xpti_type type, const void *pointer, size_t size, ze_device_handle_t device) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  memset(call, 0, sizeof *call);
  if (xpti == NULL) return;
  call->instance = xpti->GetUniqueId();
  call->begin = type;
  if (syclze__xpti_is_current(xpti)) {
    const char *function = type == SYCLZE__XPTI_FREE_BEGIN ? "usm::free" : "usm::alignedAlloc";
    call->event = syclze__xpti_event_make(
        xpti, syclze__xpti_event_name(xpti, function), true, SYCLZE__XPTI_EVENT_ALGORITHM);
    if (call->event == NULL) return;
    const struct syclze__xpti_device found = syclze__xpti_device_get(xpti, device);
    if (found.native != NULL) xpti->AddMetadata(call->event, "sycl_device_name", found.name);
    if (pointer != NULL)
      syclze__xpti_add_word(xpti, call->event, "memory_ptr", SYCLZE__WORD(pointer));
    if (size != 0) syclze__xpti_add_word(xpti, call->event, "memory_size", size);
    syclze__xpti_notify(xpti, SYCLZE__STREAM_MEM_ALLOC, SYCLZE__XPTI_NODE_CREATE, xpti->graph,
        call->event, call->instance, function);
  }
  syclze__xpti_usm_notify(xpti, call, false, pointer, size);
}

SYCLZE_LOCAL void syclze__xpti_usm_end(
    struct syclze__xpti_usm_call *call, const void *pointer, size_t size) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  if (call->instance == 0) return;
  if (call->event != NULL && pointer != NULL)
    syclze__xpti_add_word(xpti, call->event, "memory_ptr", SYCLZE__WORD(pointer));
  syclze__xpti_usm_notify(xpti, call, true, pointer, size);
  syclze__xpti_event_release(xpti, call->event);
}

SYCLZE_EXTERN_C_END

#endif

#endif
