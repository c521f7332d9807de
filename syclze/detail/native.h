/* Implementation of native.h: selection by _Generic in C, and overloads in C++. */
#ifndef SYCLZE_DETAIL_NATIVE_H
#define SYCLZE_DETAIL_NATIVE_H

#include "../native.h"

#ifndef __cplusplus

/* Selected where no alternative matches: the call does not compile, and the name is the message. */
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
void syclze__error_make_sampler_takes_a_pointer_to_a_syclze_sampler_input(struct syclze__nothing);
void syclze__error_make_object_takes_a_pointer_to_a_syclze_backend_input(struct syclze__nothing);
void syclze__error_get_native_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_buffer_or_image_gives_its_handle_to_an_interop_handle(struct syclze__nothing);
void syclze__error_retain_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_release_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_platform_or_a_device_has_no_owner(struct syclze__nothing);
void syclze__error_set_owner_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_get_owner_takes_an_object_of_syclze(struct syclze__nothing);
void syclze__error_a_native_queue_is_a_command_queue_or_a_command_list(struct syclze__nothing);

/* clang-format off */
#define SYCLZE__FIFTH(a, b, c, d, e, ...) e

/* The inner selection has a default because every branch must be valid, selected or not. */
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
      syclze_sampler *: SYCLZE__BY_INPUT(input, sampler),                                       \
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
      syclze_sampler: syclze_sampler_##verb,               \
      syclze_object: syclze_object_##verb,                 \
      default: syclze__error_##verb##_takes_an_object_of_syclze)(object)

#define SYCLZE__BY_OWNED(object, verb)                                      \
  _Generic((object),                                                        \
      syclze_platform: syclze__error_a_platform_or_a_device_has_no_owner,   \
      syclze_device: syclze__error_a_platform_or_a_device_has_no_owner,     \
      syclze_context: syclze_context_##verb,                                \
      syclze_queue: syclze_queue_##verb,                                    \
      syclze_event: syclze_event_##verb,                                    \
      syclze_kernel_bundle: syclze_kernel_bundle_##verb,                    \
      syclze_kernel: syclze_kernel_##verb,                                  \
      syclze_buffer: syclze_buffer_##verb,                                  \
      syclze_image: syclze_image_##verb,                                    \
      syclze_sampler: syclze_sampler_##verb,                                \
      syclze_object: syclze_object_##verb,                                  \
      default: syclze__error_##verb##_takes_an_object_of_syclze)
/* clang-format on */

#else

SYCLZE_INLINE ze_result_t syclze_make_native(ze_driver_handle_t driver, syclze_platform *platform) {
  return syclze_make_platform(driver, platform);
}
SYCLZE_INLINE ze_result_t syclze_make_native(ze_device_handle_t handle, syclze_device *device) {
  return syclze_make_device(handle, device);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_context_input *input, syclze_context *context) {
  return syclze_make_context(input, context);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_context_input &input, syclze_context *context) {
  return syclze_make_context(&input, context);
}

/* By pointer as in C, and by reference, because a temporary of C++ has no address. */
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue(input, context, queue);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_queue_input &input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue(&input, context, queue);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_queue_input_v3 *input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue_v3(input, context, queue);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_queue_input_v3 &input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue_v3(&input, context, queue);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_queue_input_v1 *input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue_v1(input, context, queue);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_queue_input_v1 &input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue_v1(&input, context, queue);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  return syclze_make_event(input, context, event);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_event_input &input, syclze_context context, syclze_event *event) {
  return syclze_make_event(&input, context, event);
}
SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_kernel_bundle_input *input,
    syclze_context context, syclze_kernel_bundle *kernel_bundle) {
  return syclze_make_kernel_bundle(input, context, kernel_bundle);
}
SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_kernel_bundle_input &input,
    syclze_context context, syclze_kernel_bundle *kernel_bundle) {
  return syclze_make_kernel_bundle(&input, context, kernel_bundle);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  return syclze_make_kernel(input, context, kernel);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_kernel_input &input, syclze_context context, syclze_kernel *kernel) {
  return syclze_make_kernel(&input, context, kernel);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_buffer_input *input, syclze_context context, syclze_buffer *buffer) {
  return syclze_make_buffer(input, context, buffer);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_buffer_input &input, syclze_context context, syclze_buffer *buffer) {
  return syclze_make_buffer(&input, context, buffer);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_image_input *input, syclze_context context, syclze_image *image) {
  return syclze_make_image(input, context, image);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_image_input &input, syclze_context context, syclze_image *image) {
  return syclze_make_image(&input, context, image);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_sampler_input *input, syclze_context context, syclze_sampler *sampler) {
  return syclze_make_sampler(input, context, sampler);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_sampler_input &input, syclze_context context, syclze_sampler *sampler) {
  return syclze_make_sampler(&input, context, sampler);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_backend_input *input, syclze_context context, syclze_object *object) {
  return syclze_make_object(input, context, object);
}
SYCLZE_INLINE ze_result_t syclze_make_native(
    const syclze_backend_input &input, syclze_context context, syclze_object *object) {
  return syclze_make_object(&input, context, object);
}
SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_buffer_input *input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  return syclze_make_buffer_after(input, context, available, buffer);
}
SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_buffer_input &input,
    syclze_context context, syclze_event available, syclze_buffer *buffer) {
  return syclze_make_buffer_after(&input, context, available, buffer);
}
SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_image_input *input,
    syclze_context context, syclze_event available, syclze_image *image) {
  return syclze_make_image_after(input, context, available, image);
}
SYCLZE_INLINE ze_result_t syclze_make_native(const syclze_image_input &input,
    syclze_context context, syclze_event available, syclze_image *image) {
  return syclze_make_image_after(&input, context, available, image);
}

SYCLZE_INLINE ze_driver_handle_t syclze_get_native(syclze_platform object) {
  return syclze_platform_get_native(object);
}
SYCLZE_INLINE ze_device_handle_t syclze_get_native(syclze_device object) {
  return syclze_device_get_native(object);
}
SYCLZE_INLINE ze_context_handle_t syclze_get_native(syclze_context object) {
  return syclze_context_get_native(object);
}
SYCLZE_INLINE syclze_native_queue syclze_get_native(syclze_queue object) {
  return syclze_queue_get_native(object);
}
SYCLZE_INLINE ze_event_handle_t syclze_get_native(syclze_event object) {
  return syclze_event_get_native(object);
}
SYCLZE_INLINE syclze_native_modules syclze_get_native(syclze_kernel_bundle object) {
  return syclze_kernel_bundle_get_native(object);
}
SYCLZE_INLINE ze_kernel_handle_t syclze_get_native(syclze_kernel object) {
  return syclze_kernel_get_native(object);
}
SYCLZE_INLINE syclze_backend_return syclze_get_native(syclze_object object) {
  return syclze_object_get_native(object);
}
SYCLZE_INLINE ze_sampler_handle_t syclze_get_native(syclze_sampler sampler) {
  return syclze_sampler_get_native(sampler);
}
/* The native handle of a buffer or an image is available from an interop handle only. */
void syclze_get_native(syclze_buffer buffer) = delete;
void syclze_get_native(syclze_image image) = delete;

SYCLZE_INLINE ze_result_t syclze_retain(syclze_platform object) {
  return syclze_platform_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_device object) {
  return syclze_device_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_context object) {
  return syclze_context_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_queue object) {
  return syclze_queue_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_event object) {
  return syclze_event_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_kernel_bundle object) {
  return syclze_kernel_bundle_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_kernel object) {
  return syclze_kernel_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_object object) {
  return syclze_object_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_buffer object) {
  return syclze_buffer_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_image object) {
  return syclze_image_retain(object);
}
SYCLZE_INLINE ze_result_t syclze_retain(syclze_sampler object) {
  return syclze_sampler_retain(object);
}

SYCLZE_INLINE ze_result_t syclze_release(syclze_platform object) {
  return syclze_platform_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_device object) {
  return syclze_device_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_context object) {
  return syclze_context_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_queue object) {
  return syclze_queue_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_event object) {
  return syclze_event_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_kernel_bundle object) {
  return syclze_kernel_bundle_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_kernel object) {
  return syclze_kernel_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_object object) {
  return syclze_object_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_buffer object) {
  return syclze_buffer_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_image object) {
  return syclze_image_release(object);
}
SYCLZE_INLINE ze_result_t syclze_release(syclze_sampler object) {
  return syclze_sampler_release(object);
}

SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_context object, syclze_owner owner) {
  return syclze_context_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_queue object, syclze_owner owner) {
  return syclze_queue_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_event object, syclze_owner owner) {
  return syclze_event_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_kernel_bundle object, syclze_owner owner) {
  return syclze_kernel_bundle_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_kernel object, syclze_owner owner) {
  return syclze_kernel_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_buffer object, syclze_owner owner) {
  return syclze_buffer_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_image object, syclze_owner owner) {
  return syclze_image_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_sampler object, syclze_owner owner) {
  return syclze_sampler_set_owner(object, owner);
}
SYCLZE_INLINE ze_result_t syclze_set_owner(syclze_object object, syclze_owner owner) {
  return syclze_object_set_owner(object, owner);
}

SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_context object) {
  return syclze_context_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_queue object) {
  return syclze_queue_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_event object) {
  return syclze_event_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_kernel_bundle object) {
  return syclze_kernel_bundle_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_kernel object) {
  return syclze_kernel_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_buffer object) {
  return syclze_buffer_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_image object) {
  return syclze_image_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_sampler object) {
  return syclze_sampler_get_owner(object);
}
SYCLZE_INLINE syclze_owner syclze_get_owner(syclze_object object) {
  return syclze_object_get_owner(object);
}
/* A platform or a device has no owner. */
void syclze_set_owner(syclze_platform platform, syclze_owner owner) = delete;
void syclze_set_owner(syclze_device device, syclze_owner owner) = delete;
void syclze_get_owner(syclze_platform platform) = delete;
void syclze_get_owner(syclze_device device) = delete;

SYCLZE_INLINE syclze_native_queue syclze_native_queue_of(ze_command_queue_handle_t queue) {
  return syclze_native_queue_of_queue(queue);
}
SYCLZE_INLINE syclze_native_queue syclze_native_queue_of(ze_command_list_handle_t list) {
  return syclze_native_queue_of_list(list);
}
syclze_native_queue syclze_native_queue_of(void *handle) = delete;

#endif

#endif
