/* Implementation of object.h. */
#ifndef SYCLZE_DETAIL_OBJECT_H
#define SYCLZE_DETAIL_OBJECT_H

#include "../object.h"

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE__BACKEND_OF(object) ((void)(object), SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO)

SYCLZE_INLINE syclze_backend syclze_platform_get_backend(syclze_platform object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_device_get_backend(syclze_device object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_context_get_backend(syclze_context object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_queue_get_backend(syclze_queue object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_event_get_backend(syclze_event object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_kernel_bundle_get_backend(syclze_kernel_bundle object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_kernel_get_backend(syclze_kernel object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_buffer_get_backend(syclze_buffer object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_image_get_backend(syclze_image object) {
  return SYCLZE__BACKEND_OF(object);
}
SYCLZE_INLINE syclze_backend syclze_sampler_get_backend(syclze_sampler object) {
  return SYCLZE__BACKEND_OF(object);
}

#if SYCLZE__BODIES

/* Makes the object of the input's kind. */
SYCLZE_LOCAL ze_result_t syclze__object_make(
    const syclze_backend_input *input, syclze_context context, syclze_object *object) {
#define SYCLZE__MAKE(kind, KIND, ...)                                                              \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_make_##kind(input->kind, &object->kind);
#define SYCLZE__MAKE_OF(kind, KIND, ...)                                                           \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_make_##kind(&input->kind, &object->kind);
#define SYCLZE__MAKE_IN(kind, KIND, ...)                                                           \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_make_##kind(&input->kind, context, &object->kind);
  switch (input->kind) {
    SYCLZE__ENUMERATED_KINDS(SYCLZE__MAKE, 0)
    SYCLZE__CONTEXT_KIND(SYCLZE__MAKE_OF, 0)
    SYCLZE__CONTAINED_KINDS(SYCLZE__MAKE_IN, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__MAKE
#undef SYCLZE__MAKE_OF
#undef SYCLZE__MAKE_IN
  return syclze__fail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_make_object",
      "the kind of the input is unknown", NULL);
}

SYCLZE_COLD ze_result_t syclze_make_object(
    const syclze_backend_input *input, syclze_context context, syclze_object *object) {
  ze_result_t result;
  if (object != NULL) memset(object, 0, sizeof *object);
  if (object == NULL || input == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_object",
        "the input's or the result's pointer is null", NULL);
  if (input->backend != SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO)
    return syclze__fail(SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "syclze_make_object",
        "the backend is not Level Zero", NULL);
  result = syclze__object_make(input, context, object);
  if (result == ZE_RESULT_SUCCESS) object->kind = input->kind;
  return result;
}

SYCLZE_COLD syclze_backend_return syclze_object_get_native(syclze_object object) {
  SYCLZE__ZEROED(syclze_backend_return, native);
#define SYCLZE__GET_NATIVE(kind_of, KIND, ...)                                                     \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    native.kind_of = syclze_##kind_of##_get_native(object.kind_of);                                \
    native.kind = object.kind;                                                                     \
    break;
#define SYCLZE__NO_NATIVE(kind_of, KIND, ...) case SYCLZE_OBJECT_##KIND:
  switch (object.kind) {
    SYCLZE__NATIVE_KINDS(SYCLZE__GET_NATIVE, 0)
    SYCLZE__MEMORY_KINDS(SYCLZE__NO_NATIVE, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__GET_NATIVE
#undef SYCLZE__NO_NATIVE
  return native;
}

SYCLZE_COLD ze_result_t syclze_object_retain(syclze_object object) {
#define SYCLZE__RETAIN(kind_of, KIND, ...)                                                         \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_##kind_of##_retain(object.kind_of);
  switch (object.kind) {
    SYCLZE__KINDS(SYCLZE__RETAIN, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__RETAIN
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_object_release(syclze_object object) {
#define SYCLZE__RELEASE(kind_of, KIND, ...)                                                        \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_##kind_of##_release(object.kind_of);
  switch (object.kind) {
    SYCLZE__KINDS(SYCLZE__RELEASE, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__RELEASE
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_object_set_owner(syclze_object object, syclze_owner owner) {
  const char *const function = "syclze_object_set_owner";
#define SYCLZE__SET_OWNER(kind_of, KIND, ...)                                                      \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_##kind_of##_set_owner(object.kind_of, owner);
#define SYCLZE__NO_OWNER(kind_of, KIND, ...) case SYCLZE_OBJECT_##KIND:
  switch (object.kind) {
    SYCLZE__COUNTED_KINDS(SYCLZE__SET_OWNER, 0)
    SYCLZE__ENUMERATED_KINDS(SYCLZE__NO_OWNER, 0)
    return syclze__fail(
        SYCLZE_RESULT_ERROR_INVALID, function, "platforms and devices are never released", NULL);
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__SET_OWNER
#undef SYCLZE__NO_OWNER
  return syclze__fail(
      ZE_RESULT_ERROR_INVALID_ENUMERATION, function, "the kind of the object is unknown", NULL);
}

SYCLZE_COLD syclze_owner syclze_object_get_owner(syclze_object object) {
  const syclze_owner none = {NULL, NULL};
#define SYCLZE__GET_OWNER(kind_of, KIND, ...)                                                      \
  case SYCLZE_OBJECT_##KIND:                                                                       \
    return syclze_##kind_of##_get_owner(object.kind_of);
#define SYCLZE__NO_OWNER(kind_of, KIND, ...) case SYCLZE_OBJECT_##KIND:
  switch (object.kind) {
    SYCLZE__COUNTED_KINDS(SYCLZE__GET_OWNER, 0)
    SYCLZE__ENUMERATED_KINDS(SYCLZE__NO_OWNER, 0)
  case SYCLZE_OBJECT_NONE:
    break;
  }
#undef SYCLZE__GET_OWNER
#undef SYCLZE__NO_OWNER
  return none;
}

#endif

SYCLZE_EXTERN_C_END

#endif
