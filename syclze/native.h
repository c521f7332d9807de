/**
 * @file
 * make_native and get_native: one name for all kinds of objects.
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
 * In C these are macros over _Generic, in C++ overloads. Each selects an ordinary function by the
 * types of the result and of the input, so that a wrong handle does not compile. The function's
 * contract applies: syclze_make_queue, syclze_queue_get_native and so on. In C a compound literal
 * with commas needs parentheses as an argument of syclze_make_native; in C++ an input may be passed
 * by reference.
 *
 * SYCLZE_SHORT_NAMES, defined before the first include, adds the names without the prefix.
 *
 * Threads: as in the header of the object's kind.
 */
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
#define make_sampler syclze_make_sampler
#endif

#ifndef __cplusplus

/* clang-format off */
/**
 * Makes an object of a native handle.
 *
 *     syclze_make_native(handle, &platform)
 *     syclze_make_native(handle, &device)
 *     syclze_make_native(&input, &context)
 *     syclze_make_native(&input, context, &object)             a queue, an event, a kernel bundle, a
 *                                                              kernel, a buffer, an image, a
 *                                                              sampler, or a syclze_object
 *     syclze_make_native(&input, context, available, &object)  a buffer or an image
 *
 * @return What the kind's make function returns.
 * @see Level-Zero backend 4.3
 */
#define syclze_make_native(...)                                                   \
  SYCLZE__CALL_SITE((SYCLZE__HERE SYCLZE__FIFTH(__VA_ARGS__, SYCLZE__MAKE_4,      \
      SYCLZE__MAKE_3, SYCLZE__MAKE_2,                                             \
      syclze__error_make_native_takes_two_to_four_arguments, _)(__VA_ARGS__)))
/* clang-format on */

/**
 * Returns the native handle of an object.
 *
 * @param[in] object  Of any kind except buffer and image; not null.
 * Ownership afterwards: unchanged.
 * @return The handle, of the type of the object's kind; a syclze_backend_return for a
 * syclze_object.
 * @see Level-Zero backend 4.2, 4.4.3
 */
#define syclze_get_native(object)                                                                  \
  SYCLZE__BY_OBJECT(object, get_native,                                                            \
      SYCLZE__NATIVE_KINDS(SYCLZE__HAS_NATIVE, 0) SYCLZE__MEMORY_KINDS(SYCLZE__HAS_NO_NATIVE, 0))  \
  (object)

/**
 * Adds a reference.
 *
 * @param[in] object  Of any kind of syclze.h, or a graph, an executable graph, memory or a pool of
 * events of ipc.h, growable memory, a pool of memory, an external semaphore, a program of offload;
 * no effect for null.
 * @return What the kind's retain function returns.
 * @see Level-Zero backend 4.4
 */
#define syclze_retain(object)                                                                      \
  SYCLZE__BY_OBJECT(object, retain,                                                                \
      SYCLZE__KINDS(SYCLZE__HAS_RETAIN, 0) SYCLZE__REFERENCED_KINDS(SYCLZE__HAS_RETAIN, 0)         \
          SYCLZE__UNSHARED_KINDS(SYCLZE__HAS_NO_RETAIN, 0))                                        \
  (object)

/**
 * Drops a reference to each of up to 16 objects, in order, continuing after an error:
 * syclze_release(kernel, bundle, queue, context).
 *
 * @param[in] ...  Of any kinds that syclze_retain takes, or host accessors; no effect for null.
 * @return What the kind's release function returns; of several objects the first error.
 * @see Level-Zero backend 4.4
 */
#define syclze_release(...)                                                                        \
  SYCLZE__SEVENTEENTH(__VA_ARGS__, SYCLZE__FIFTEEN(SYCLZE__RELEASE_SOME), SYCLZE__RELEASE_ONE, _)  \
  (__VA_ARGS__)

/**
 * Gives the native handle of an object an owner (owner.h): syclze_set_owner(object, owner). A
 * compound literal of a syclze_owner needs no parentheses.
 *
 * @param[in] object  Of any kind except platform and device; null is refused.
 * @return What the kind's function returns.
 * @see Level-Zero backend 4.4 (no counterpart)
 */
#define syclze_set_owner(object, ...)                                                              \
  (SYCLZE__HERE SYCLZE__BY_OBJECT(object, set_owner,                                               \
      SYCLZE__ENUMERATED_KINDS(SYCLZE__HAS_NO_OWNER, 0)                                            \
          SYCLZE__COUNTED_KINDS(SYCLZE__HAS_SET_OWNER, 0))(object, __VA_ARGS__))

/**
 * Returns the owner of an object's native handle.
 *
 * @param[in] object  Of any kind except platform and device; not null.
 * @return The owner; one without `release` if there is none.
 * @see Level-Zero backend 4.4 (no counterpart)
 */
#define syclze_get_owner(object)                                                                   \
  SYCLZE__BY_OBJECT(object, get_owner,                                                             \
      SYCLZE__ENUMERATED_KINDS(SYCLZE__HAS_NO_OWNER, 0)                                            \
          SYCLZE__COUNTED_KINDS(SYCLZE__HAS_GET_OWNER, 0))                                         \
  (object)

/**
 * Makes a syclze_native_queue of a command queue or of an immediate command list.
 *
 * @param[in] handle  A ze_command_queue_handle_t or a ze_command_list_handle_t; null is refused by
 * the make.
 * @return The handle with its kind.
 * @see Level-Zero backend 4.1
 */
#define syclze_native_queue_of(handle)                                                             \
  _Generic((handle), ze_command_queue_handle_t                                                     \
           : syclze_native_queue_of_queue, ze_command_list_handle_t                                \
           : syclze_native_queue_of_list, default                                                  \
           : syclze__error_a_native_queue_is_a_command_queue_or_a_command_list)(handle)

#endif

#include "detail/native.h"

#endif
