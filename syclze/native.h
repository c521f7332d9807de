/* make_native and get_native: one name for all kinds of objects.
 *
 *     syclze_platform platform;
 *     if (syclze_make_native(driver, &platform) == ZE_RESULT_SUCCESS)
 *       driver = syclze_get_native(platform);
 *
 *     syclze_queue_input input = {0};
 *     input.native_handle = syclze_native_queue_of(list);
 *     input.device = device;
 *     syclze_queue queue;
 *     if (syclze_make_native(&input, context, &queue) == ZE_RESULT_SUCCESS)
 *       syclze_release(queue);
 *
 * In C these are macros over _Generic, in C++ overloads. Each stands for an ordinary function, by
 * the kind of the result first and then of the input, so that a wrong handle does not compile. The
 * contracts are those of the functions: syclze_make_queue, syclze_queue_get_native and so on. Being
 * a macro, syclze_make_native wants a compound literal with commas in parentheses of its own. */
#ifndef SYCLZE_NATIVE_H
#define SYCLZE_NATIVE_H

#include "object.h"

#ifdef SYCLZE_SHORT_NAMES
#define make_native syclze_make_native
#define get_native syclze_get_native
#define native_queue_of syclze_native_queue_of
#define make_platform syclze_make_platform
#define make_device syclze_make_device
#define make_context syclze_make_context
#define make_queue syclze_make_queue
#define make_event syclze_make_event
#define make_kernel_bundle syclze_make_kernel_bundle
#define make_kernel syclze_make_kernel
#define make_buffer syclze_make_buffer
#define make_image syclze_make_image
#endif

#ifndef __cplusplus

/* Chosen where nothing fits: the call cannot compile, and the name says what would fit. */
struct syclze__nothing {
  int nothing;
};
void syclze__error_make_native_takes_two_to_four_arguments(struct syclze__nothing);
void syclze__error_four_arguments_make_a_buffer_or_an_image(struct syclze__nothing);
void syclze__error_two_arguments_make_a_platform_a_device_or_a_context(struct syclze__nothing);
void syclze__error_three_arguments_make_a_queue_an_event_a_kernel_bundle_or_a_kernel(
    struct syclze__nothing);
void syclze__error_make_platform_takes_a_ze_driver_handle_t(struct syclze__nothing);
void syclze__error_make_device_takes_a_ze_device_handle_t(struct syclze__nothing);
void syclze__error_make_context_takes_a_pointer_to_a_syclze_context_input(struct syclze__nothing);
void syclze__error_make_queue_takes_a_pointer_to_a_syclze_queue_input(struct syclze__nothing);
void syclze__error_make_event_takes_a_pointer_to_a_syclze_event_input(struct syclze__nothing);
void syclze__error_make_kernel_bundle_takes_a_pointer_to_a_syclze_kernel_bundle_input(
    struct syclze__nothing);
void syclze__error_make_kernel_takes_a_pointer_to_a_syclze_kernel_input(struct syclze__nothing);
void syclze__error_make_buffer_takes_a_pointer_to_a_syclze_buffer_input(struct syclze__nothing);
void syclze__error_make_image_takes_a_pointer_to_a_syclze_image_input(struct syclze__nothing);
void syclze__error_make_object_takes_a_pointer_to_a_syclze_backend_input(struct syclze__nothing);
void syclze__error_get_native_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_buffer_or_image_gives_its_handle_to_an_interop_handle(struct syclze__nothing);
void syclze__error_retain_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_release_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_native_queue_is_a_command_queue_or_a_command_list(struct syclze__nothing);

/* clang-format off */
#define SYCLZE__FIFTH(a, b, c, d, e, ...) e

/* syclze_make_native(handle, &platform), (handle, &device), (&input, &context); (&input, context,
 * &object) for a queue, an event, a kernel bundle, a kernel, a buffer, an image or a
 * syclze_object; (&input, context, available, &object) for a buffer or an image. */
#define syclze_make_native(...)                                                   \
  (SYCLZE__HERE SYCLZE__FIFTH(__VA_ARGS__, SYCLZE__MAKE_4, SYCLZE__MAKE_3,        \
      SYCLZE__MAKE_2, syclze__error_make_native_takes_two_to_four_arguments,      \
      _)(__VA_ARGS__))

/* The inner choice has a default, since every branch must be valid, chosen or not. */
#define SYCLZE__BY_INPUT(input, kind) SYCLZE__BY_INPUT_TO(input, kind, syclze_make_##kind)
#define SYCLZE__BY_INPUT_TO(input, kind, make)     \
  _Generic((input),                                \
      syclze_##kind##_input *: make,               \
      const syclze_##kind##_input *: make,         \
      default: syclze__error_make_##kind##_takes_a_pointer_to_a_syclze_##kind##_input)

#define SYCLZE__MAKE_2(input, result)                                              \
  _Generic((result),                                                               \
      syclze_platform *: _Generic((input),                                         \
          ze_driver_handle_t: syclze_make_platform,                                \
          default: syclze__error_make_platform_takes_a_ze_driver_handle_t),        \
      syclze_device *: _Generic((input),                                           \
          ze_device_handle_t: syclze_make_device,                                  \
          default: syclze__error_make_device_takes_a_ze_device_handle_t),          \
      syclze_context *: SYCLZE__BY_INPUT(input, context),                          \
      default: syclze__error_two_arguments_make_a_platform_a_device_or_a_context)( \
      input, result)

#define SYCLZE__MAKE_3(input, context, result)                                                  \
  _Generic((result),                                                                            \
      syclze_queue *: _Generic((input),                                                         \
          syclze_queue_input_v1 *: syclze_make_queue_v1,                                        \
          const syclze_queue_input_v1 *: syclze_make_queue_v1,                                  \
          syclze_queue_input_v3 *: syclze_make_queue_v3,                                        \
          const syclze_queue_input_v3 *: syclze_make_queue_v3,                                  \
          default: SYCLZE__BY_INPUT(input, queue)),                                             \
      syclze_event *: SYCLZE__BY_INPUT(input, event),                                           \
      syclze_kernel_bundle *: SYCLZE__BY_INPUT(input, kernel_bundle),                           \
      syclze_kernel *: SYCLZE__BY_INPUT(input, kernel),                                         \
      syclze_buffer *: SYCLZE__BY_INPUT(input, buffer),                                         \
      syclze_image *: SYCLZE__BY_INPUT(input, image),                                           \
      syclze_object *: _Generic((input),                                                        \
          syclze_backend_input *: syclze_make_object,                                           \
          const syclze_backend_input *: syclze_make_object,                                     \
          default: syclze__error_make_object_takes_a_pointer_to_a_syclze_backend_input),        \
      default: syclze__error_three_arguments_make_a_queue_an_event_a_kernel_bundle_or_a_kernel)( \
      input, context, result)

#define SYCLZE__MAKE_4(input, context, available, result)                     \
  _Generic((result),                                                          \
      syclze_buffer *:                                                        \
          SYCLZE__BY_INPUT_TO(input, buffer, syclze_make_buffer_after),       \
      syclze_image *:                                                         \
          SYCLZE__BY_INPUT_TO(input, image, syclze_make_image_after),         \
      default: syclze__error_four_arguments_make_a_buffer_or_an_image)(       \
      input, context, available, result)

#define SYCLZE__BY_OBJECT(object, verb, of_buffer, of_image) \
  _Generic((object),                                       \
      syclze_platform: syclze_platform_##verb,             \
      syclze_device: syclze_device_##verb,                 \
      syclze_context: syclze_context_##verb,               \
      syclze_queue: syclze_queue_##verb,                   \
      syclze_event: syclze_event_##verb,                   \
      syclze_kernel_bundle: syclze_kernel_bundle_##verb,   \
      syclze_kernel: syclze_kernel_##verb,                 \
      syclze_buffer: of_buffer,                            \
      syclze_image: of_image,                              \
      syclze_object: syclze_object_##verb,                 \
      default: syclze__error_##verb##_takes_an_object_of_syclze)(object)

/* The native handle of an object, of the type that its kind has; a syclze_backend_return for a
 * syclze_object. Nothing changes hands (4.4.3). */
#define syclze_get_native(object)                                                                  \
  SYCLZE__BY_OBJECT(object, get_native,                                                            \
      syclze__error_a_buffer_or_image_gives_its_handle_to_an_interop_handle,                       \
      syclze__error_a_buffer_or_image_gives_its_handle_to_an_interop_handle)

/* Adds a reference to any object. */
#define syclze_retain(object) \
  SYCLZE__BY_OBJECT(object, retain, syclze_buffer_retain, syclze_image_retain)

/* Drops a reference to any object. */
#define syclze_release(object) \
  SYCLZE__BY_OBJECT(object, release, syclze_buffer_release, syclze_image_release)

/* A syclze_native_queue of a command queue or of an immediate command list. */
#define syclze_native_queue_of(handle)                                                   \
  _Generic((handle),                                                                     \
      ze_command_queue_handle_t: syclze_native_queue_of_queue,                           \
      ze_command_list_handle_t: syclze_native_queue_of_list,                             \
      default: syclze__error_a_native_queue_is_a_command_queue_or_a_command_list)(handle)
/* clang-format on */

#else

#define SYCLZE__CPP_COUNTED(kind)                                                                  \
  inline ze_result_t syclze_retain(syclze_##kind object) {                                         \
    return syclze_##kind##_retain(object);                                                         \
  }                                                                                                \
  inline ze_result_t syclze_release(syclze_##kind object) {                                        \
    return syclze_##kind##_release(object);                                                        \
  }

/* The native handle of a buffer or an image is had from an interop handle. */
void syclze_get_native(syclze_buffer buffer) = delete;
void syclze_get_native(syclze_image image) = delete;
SYCLZE__CPP_COUNTED(buffer)
SYCLZE__CPP_COUNTED(image)

#define SYCLZE__CPP_OBJECT(kind, native)                                                           \
  SYCLZE__CPP_COUNTED(kind)                                                                        \
  inline native syclze_get_native(syclze_##kind object) {                                          \
    return syclze_##kind##_get_native(object);                                                     \
  }

SYCLZE__CPP_OBJECT(platform, ze_driver_handle_t)
SYCLZE__CPP_OBJECT(device, ze_device_handle_t)
SYCLZE__CPP_OBJECT(context, ze_context_handle_t)
SYCLZE__CPP_OBJECT(queue, syclze_native_queue)
SYCLZE__CPP_OBJECT(event, ze_event_handle_t)
SYCLZE__CPP_OBJECT(kernel_bundle, syclze_native_modules)
SYCLZE__CPP_OBJECT(kernel, ze_kernel_handle_t)
SYCLZE__CPP_OBJECT(object, syclze_backend_return)
#undef SYCLZE__CPP_OBJECT
#undef SYCLZE__CPP_COUNTED

inline ze_result_t syclze_make_native(ze_driver_handle_t driver, syclze_platform *platform) {
  return syclze_make_platform(driver, platform);
}
inline ze_result_t syclze_make_native(ze_device_handle_t handle, syclze_device *device) {
  return syclze_make_device(handle, device);
}
inline ze_result_t syclze_make_native(const syclze_context_input *input, syclze_context *context) {
  return syclze_make_context(input, context);
}
inline ze_result_t syclze_make_native(const syclze_context_input &input, syclze_context *context) {
  return syclze_make_context(&input, context);
}

/* By pointer as in C, and by reference, since a C++ temporary has no address. */
#define SYCLZE__CPP_MAKE(kind, make, input_type)                                                   \
  inline ze_result_t syclze_make_native(                                                           \
      const input_type *input, syclze_context context, syclze_##kind *result) {                    \
    return make(input, context, result);                                                           \
  }                                                                                                \
  inline ze_result_t syclze_make_native(                                                           \
      const input_type &input, syclze_context context, syclze_##kind *result) {                    \
    return make(&input, context, result);                                                          \
  }

SYCLZE__CPP_MAKE(queue, syclze_make_queue, syclze_queue_input)
SYCLZE__CPP_MAKE(queue, syclze_make_queue_v3, syclze_queue_input_v3)
SYCLZE__CPP_MAKE(queue, syclze_make_queue_v1, syclze_queue_input_v1)
SYCLZE__CPP_MAKE(event, syclze_make_event, syclze_event_input)
SYCLZE__CPP_MAKE(kernel_bundle, syclze_make_kernel_bundle, syclze_kernel_bundle_input)
SYCLZE__CPP_MAKE(kernel, syclze_make_kernel, syclze_kernel_input)
SYCLZE__CPP_MAKE(buffer, syclze_make_buffer, syclze_buffer_input)
SYCLZE__CPP_MAKE(image, syclze_make_image, syclze_image_input)
SYCLZE__CPP_MAKE(object, syclze_make_object, syclze_backend_input)
#undef SYCLZE__CPP_MAKE

#define SYCLZE__CPP_MAKE_AFTER(kind)                                                               \
  inline ze_result_t syclze_make_native(const syclze_##kind##_input *input,                        \
      syclze_context context, syclze_event available, syclze_##kind *result) {                     \
    return syclze_make_##kind##_after(input, context, available, result);                          \
  }                                                                                                \
  inline ze_result_t syclze_make_native(const syclze_##kind##_input &input,                        \
      syclze_context context, syclze_event available, syclze_##kind *result) {                     \
    return syclze_make_##kind##_after(&input, context, available, result);                         \
  }

SYCLZE__CPP_MAKE_AFTER(buffer)
SYCLZE__CPP_MAKE_AFTER(image)
#undef SYCLZE__CPP_MAKE_AFTER

inline syclze_native_queue syclze_native_queue_of(ze_command_queue_handle_t queue) {
  return syclze_native_queue_of_queue(queue);
}
inline syclze_native_queue syclze_native_queue_of(ze_command_list_handle_t list) {
  return syclze_native_queue_of_list(list);
}
syclze_native_queue syclze_native_queue_of(void *handle) = delete;

#endif

#endif
