/* Implementation of native.h: selection by _Generic in C, and overloads in C++. */
#ifndef SYCLZE_DETAIL_NATIVE_H
#define SYCLZE_DETAIL_NATIVE_H

#include "../native.h"

#ifndef __cplusplus

/* Selected if no alternative matches: the call does not compile, and the name is the message. */
struct syclze__nothing {
  int nothing;
};
void syclze__error_make_native_takes_two_to_four_arguments(struct syclze__nothing);
void syclze__error_four_arguments_make_a_buffer_or_an_image(struct syclze__nothing);
void syclze__error_two_arguments_make_a_platform_a_device_or_a_context(struct syclze__nothing);
void syclze__error_three_arguments_make_a_queue_an_event_a_kernel_bundle_or_a_kernel(
    struct syclze__nothing);
#define SYCLZE__ERROR_OF_MAKE(kind, KIND, value, native, ...)                                      \
  void syclze__error_make_##kind##_takes_a_##native(struct syclze__nothing);
SYCLZE__ENUMERATED_KINDS(SYCLZE__ERROR_OF_MAKE, 0)
#undef SYCLZE__ERROR_OF_MAKE
#define SYCLZE__ERROR_OF_MAKE(kind, ...)                                                           \
  void syclze__error_make_##kind##_takes_a_pointer_to_a_syclze_##kind##_input(                     \
      struct syclze__nothing);
SYCLZE__COUNTED_KINDS(SYCLZE__ERROR_OF_MAKE, 0)
#undef SYCLZE__ERROR_OF_MAKE
void syclze__error_make_object_takes_a_pointer_to_a_syclze_backend_input(struct syclze__nothing);
void syclze__error_get_native_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_buffer_or_image_gives_its_handle_to_an_interop_handle(struct syclze__nothing);
void syclze__error_retain_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_host_accessor_has_one_reference(struct syclze__nothing);
void syclze__error_release_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_platform_or_a_device_has_no_owner(struct syclze__nothing);
void syclze__error_set_owner_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_get_owner_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_native_queue_is_a_command_queue_or_a_command_list(struct syclze__nothing);

/* clang-format off */
#define SYCLZE__FIFTH(a, b, c, d, e, ...) e

/* Associations of a selection by the result or the object, each with its comma. Kinds are pasted
 * before they are expanded. The inner selection has a default because every branch must be valid,
 * selected or not. */
#define SYCLZE__BY_HANDLE(kind, KIND, value, native, path, ur, input) \
  syclze_##kind *: _Generic((input),                                  \
      native: syclze_make_##kind,                                     \
      default: syclze__error_make_##kind##_takes_a_##native),
#define SYCLZE__BY_INPUT(kind, KIND, value, native, path, ur, input)    \
  syclze_##kind *: _Generic((input),                                    \
      syclze_##kind##_input *: syclze_make_##kind,                      \
      const syclze_##kind##_input *: syclze_make_##kind,                \
      default: syclze__error_make_##kind##_takes_a_pointer_to_a_syclze_##kind##_input),
#define SYCLZE__BY_INPUT_AFTER(kind, KIND, value, native, path, ur, input) \
  syclze_##kind *: _Generic((input),                                    \
      syclze_##kind##_input *: syclze_make_##kind##_after,              \
      const syclze_##kind##_input *: syclze_make_##kind##_after,        \
      default: syclze__error_make_##kind##_takes_a_pointer_to_a_syclze_##kind##_input),

#define SYCLZE__MAKE_2(input, result)                                              \
  _Generic((result),                                                               \
      SYCLZE__ENUMERATED_KINDS(SYCLZE__BY_HANDLE, input)                           \
      SYCLZE__CONTEXT_KIND(SYCLZE__BY_INPUT, input)                                \
      default: syclze__error_two_arguments_make_a_platform_a_device_or_a_context)( \
      input, result)

#define SYCLZE__MAKE_3(input, context, result)                                                  \
  _Generic((result),                                                                            \
      syclze_queue *: _Generic((input),                                                         \
          syclze_queue_input *: syclze_make_queue,                                              \
          const syclze_queue_input *: syclze_make_queue,                                        \
          syclze_queue_input_v1 *: syclze_make_queue_v1,                                        \
          const syclze_queue_input_v1 *: syclze_make_queue_v1,                                  \
          syclze_queue_input_v3 *: syclze_make_queue_v3,                                        \
          const syclze_queue_input_v3 *: syclze_make_queue_v3,                                  \
          default: syclze__error_make_queue_takes_a_pointer_to_a_syclze_queue_input),           \
      SYCLZE__CHILD_KINDS(SYCLZE__BY_INPUT, input)                                              \
      SYCLZE__MEMORY_KINDS(SYCLZE__BY_INPUT, input)                                             \
      syclze_object *: _Generic((input),                                                        \
          syclze_backend_input *: syclze_make_object,                                           \
          const syclze_backend_input *: syclze_make_object,                                     \
          default: syclze__error_make_object_takes_a_pointer_to_a_syclze_backend_input),        \
      default: syclze__error_three_arguments_make_a_queue_an_event_a_kernel_bundle_or_a_kernel)( \
      input, context, result)

#define SYCLZE__MAKE_4(input, context, available, result)                     \
  _Generic((result),                                                          \
      SYCLZE__MEMORY_KINDS(SYCLZE__BY_INPUT_AFTER, input)                     \
      default: syclze__error_four_arguments_make_a_buffer_or_an_image)(       \
      input, context, available, result)

#define SYCLZE__HAS_RETAIN(kind, ...) syclze_##kind: syclze_##kind##_retain,
#define SYCLZE__HAS_NO_RETAIN(kind, ...) \
  syclze_##kind: syclze__error_a_host_accessor_has_one_reference,
#define SYCLZE__HAS_RELEASE(kind, ...) syclze_##kind: syclze_##kind##_release,
#define SYCLZE__HAS_NATIVE(kind, ...) syclze_##kind: syclze_##kind##_get_native,
#define SYCLZE__HAS_NO_NATIVE(kind, ...) \
  syclze_##kind: syclze__error_a_buffer_or_image_gives_its_handle_to_an_interop_handle,
#define SYCLZE__HAS_SET_OWNER(kind, ...) syclze_##kind: syclze_##kind##_set_owner,
#define SYCLZE__HAS_GET_OWNER(kind, ...) syclze_##kind: syclze_##kind##_get_owner,
#define SYCLZE__HAS_NO_OWNER(kind, ...) \
  syclze_##kind: syclze__error_a_platform_or_a_device_has_no_owner,
/* Selects the function of an object's kind, among those of a list; `verb` is not expanded. */
#define SYCLZE__BY_OBJECT(object, verb, kinds)   \
  _Generic((object),                             \
      kinds syclze_object: syclze_object_##verb, \
      default: syclze__error_##verb##_takes_an_object_of_syclze)

/* Releases. The number of objects selects among the macros below. */
#define SYCLZE__SEVENTEENTH(...) SYCLZE__SEVENTEENTH_OF(__VA_ARGS__)
#define SYCLZE__SEVENTEENTH_OF(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, ...) q
#define SYCLZE__FIFTEEN(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define SYCLZE__RELEASE_ONE(object)                                                          \
  (SYCLZE__HERE SYCLZE__BY_OBJECT(object, release,                                           \
      SYCLZE__KINDS(SYCLZE__HAS_RELEASE, 0) SYCLZE__REFERENCED_KINDS(SYCLZE__HAS_RELEASE, 0) \
          SYCLZE__UNSHARED_KINDS(SYCLZE__HAS_RELEASE, 0))(object))
#define SYCLZE__RELEASE_SOME(...)                                                            \
  __extension__({                                                                            \
    ze_result_t syclze__first = ZE_RESULT_SUCCESS, syclze__next;                             \
    SYCLZE__SEVENTEENTH(__VA_ARGS__, SYCLZE__RELEASE_16, SYCLZE__RELEASE_15,                 \
        SYCLZE__RELEASE_14, SYCLZE__RELEASE_13, SYCLZE__RELEASE_12, SYCLZE__RELEASE_11,      \
        SYCLZE__RELEASE_10, SYCLZE__RELEASE_9, SYCLZE__RELEASE_8, SYCLZE__RELEASE_7,         \
        SYCLZE__RELEASE_6, SYCLZE__RELEASE_5, SYCLZE__RELEASE_4, SYCLZE__RELEASE_3,          \
        SYCLZE__RELEASE_2, SYCLZE__RELEASE_1, _)(__VA_ARGS__)                                \
    syclze__first;                                                                           \
  })
#define SYCLZE__RELEASE_1(object)                                              \
  syclze__next = SYCLZE__RELEASE_ONE(object);                                  \
  if (syclze__first == ZE_RESULT_SUCCESS) syclze__first = syclze__next;
#define SYCLZE__RELEASE_2(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_1(__VA_ARGS__)
#define SYCLZE__RELEASE_3(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_2(__VA_ARGS__)
#define SYCLZE__RELEASE_4(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_3(__VA_ARGS__)
#define SYCLZE__RELEASE_5(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_4(__VA_ARGS__)
#define SYCLZE__RELEASE_6(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_5(__VA_ARGS__)
#define SYCLZE__RELEASE_7(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_6(__VA_ARGS__)
#define SYCLZE__RELEASE_8(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_7(__VA_ARGS__)
#define SYCLZE__RELEASE_9(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_8(__VA_ARGS__)
#define SYCLZE__RELEASE_10(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_9(__VA_ARGS__)
#define SYCLZE__RELEASE_11(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_10(__VA_ARGS__)
#define SYCLZE__RELEASE_12(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_11(__VA_ARGS__)
#define SYCLZE__RELEASE_13(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_12(__VA_ARGS__)
#define SYCLZE__RELEASE_14(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_13(__VA_ARGS__)
#define SYCLZE__RELEASE_15(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_14(__VA_ARGS__)
#define SYCLZE__RELEASE_16(object, ...) SYCLZE__RELEASE_1(object) SYCLZE__RELEASE_15(__VA_ARGS__)
/* clang-format on */

#else

#define SYCLZE__OVERLOAD_MAKE(kind, KIND, value, native, ...)                                      \
  SYCLZE_INLINE ze_result_t syclze_make_native(native handle, syclze_##kind *object) {             \
    return syclze_make_##kind(handle, object);                                                     \
  }
SYCLZE__ENUMERATED_KINDS(SYCLZE__OVERLOAD_MAKE, 0)
#undef SYCLZE__OVERLOAD_MAKE

SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_context_input *input, syclze_context *context) {
  return syclze_make_context(input, context);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_context_input &input, syclze_context *context) {
  return syclze_make_context(&input, context);
}

/* Takes the input by pointer as in C, and by reference, because a temporary of C++ has no
 * address. */
#define SYCLZE__OVERLOAD_INPUT(make, input_type, object_type)                                      \
  SYCLZE_INLINE ze_result_t syclze_make_native(                                                    \
      const input_type *input, syclze_context context, object_type *object) {                      \
    return make(input, context, object);                                                           \
  }                                                                                                \
  SYCLZE_INLINE ze_result_t syclze_make_native(                                                    \
      const input_type &input, syclze_context context, object_type *object) {                      \
    return make(&input, context, object);                                                          \
  }
#define SYCLZE__OVERLOAD_MAKE(kind, ...)                                                           \
  SYCLZE__OVERLOAD_INPUT(syclze_make_##kind, syclze_##kind##_input, syclze_##kind)
SYCLZE__CONTAINED_KINDS(SYCLZE__OVERLOAD_MAKE, 0)
SYCLZE__OVERLOAD_INPUT(syclze_make_queue_v1, syclze_queue_input_v1, syclze_queue)
SYCLZE__OVERLOAD_INPUT(syclze_make_queue_v3, syclze_queue_input_v3, syclze_queue)
SYCLZE__OVERLOAD_INPUT(syclze_make_object, syclze_backend_input, syclze_object)
#undef SYCLZE__OVERLOAD_MAKE
#undef SYCLZE__OVERLOAD_INPUT

#define SYCLZE__OVERLOAD_MAKE(kind, ...)                                                           \
  SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_##kind##_input *input,                 \
      syclze_context context, syclze_event available, syclze_##kind *object) {                     \
    return syclze_make_##kind##_after(input, context, available, object);                          \
  }                                                                                                \
  SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_##kind##_input &input,                 \
      syclze_context context, syclze_event available, syclze_##kind *object) {                     \
    return syclze_make_##kind##_after(&input, context, available, object);                         \
  }
SYCLZE__MEMORY_KINDS(SYCLZE__OVERLOAD_MAKE, 0)
#undef SYCLZE__OVERLOAD_MAKE

#define SYCLZE__OVERLOAD_NATIVE(kind, KIND, value, native, ...)                                    \
  SYCLZE_INLINE native syclze_get_native(syclze_##kind object) {                                   \
    return syclze_##kind##_get_native(object);                                                     \
  }
#define SYCLZE__OVERLOAD_COUNT(kind, ...)                                                          \
  SYCLZE_INLINE ze_result_t syclze_retain(syclze_##kind object) {                                  \
    return syclze_##kind##_retain(object);                                                         \
  }                                                                                                \
  SYCLZE_INLINE ze_result_t syclze_release(syclze_##kind object) {                                 \
    return syclze_##kind##_release(object);                                                        \
  }
#define SYCLZE__OVERLOAD_OWNER(kind, ...)                                                          \
  SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_##kind object, syclze_owner owner) {           \
    return syclze_##kind##_set_owner(object, owner);                                               \
  }                                                                                                \
  SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_##kind object) {                              \
    return syclze_##kind##_get_owner(object);                                                      \
  }
/* The native handle of a buffer or an image is available from an interop handle only. */
#define SYCLZE__NO_NATIVE(kind, ...) void syclze_get_native(syclze_##kind object) = delete;
/* A platform or a device has no owner. */
#define SYCLZE__NO_OWNER(kind, ...)                                                                \
  void syclze_set_owner(syclze_##kind object, syclze_owner owner) = delete;                        \
  void syclze_get_owner(syclze_##kind object) = delete;
SYCLZE__NATIVE_KINDS(SYCLZE__OVERLOAD_NATIVE, 0)
SYCLZE__OVERLOAD_NATIVE(object, OBJECT, 0, syclze_backend_return, 0)
SYCLZE__MEMORY_KINDS(SYCLZE__NO_NATIVE, 0)
SYCLZE__KINDS(SYCLZE__OVERLOAD_COUNT, 0)
SYCLZE__OVERLOAD_COUNT(object, 0)
SYCLZE__COUNTED_KINDS(SYCLZE__OVERLOAD_OWNER, 0)
SYCLZE__OVERLOAD_OWNER(object, 0)
SYCLZE__ENUMERATED_KINDS(SYCLZE__NO_OWNER, 0)

/* Releases several objects in order, and returns the first error. Lookup at the call finds
 * overloads that are declared later. */
template <typename First, typename Second, typename... More>
SYCLZE_INLINE ze_result_t syclze_release(First first, Second second, More... more) {
  const ze_result_t result = syclze_release(first), next = syclze_release(second, more...);
  return result != ZE_RESULT_SUCCESS ? result : next;
}
#undef SYCLZE__OVERLOAD_NATIVE
#undef SYCLZE__OVERLOAD_COUNT
#undef SYCLZE__OVERLOAD_OWNER
#undef SYCLZE__NO_NATIVE
#undef SYCLZE__NO_OWNER

SYCLZE_INLINE syclze_native_queue syclze_native_queue_of(ze_command_queue_handle_t queue) {
  return syclze_native_queue_of_queue(queue);
}
SYCLZE_INLINE syclze_native_queue syclze_native_queue_of(ze_command_list_handle_t list) {
  return syclze_native_queue_of_list(list);
}
syclze_native_queue syclze_native_queue_of(void *handle) = delete;

#endif

#endif
