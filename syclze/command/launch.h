/**
 * @file
 * Kernels: the submission that runs one over an nd-range.
 *
 *     syclze_nd_range range = {.global = {n}, .local = {64}};
 *     ze_result_t launched = syclze_launch(
 *         &group, kernel, &range, &event, syclze_arg(a), syclze_arg(x), syclze_local(256));
 *
 * Ownership: the library keeps the kernel until its launches are done; arguments are copied. A
 * launch without an event leaves no record: the last release of a kernel that was launched so
 * appends a barrier to the queue's list, behind which the kernel is destroyed.
 *
 * Threads: as a group. Any number of threads may launch one kernel. A kernel that is launched to
 * several queues in turn costs two locks more each time.
 */
#ifndef SYCLZE_COMMAND_LAUNCH_H
#define SYCLZE_COMMAND_LAUNCH_H

#include "../kernel.h"
#include "group.h"

SYCLZE_EXTERN_C_BEGIN

/** The index space of a launch (SYCL 2020 4.9.1.4). */
typedef struct syclze_nd_range {
  size_t global[3];    /* in items; 0 beyond the dimensions */
  size_t local[3];     /* in items of a group; default, all zero: zeKernelSuggestGroupSize's */
  size_t offset[3];    /* of the first item; default: 0 */
  uint32_t dimensions; /* 1 to 3; default: as many as `global` has before the first 0 */
} syclze_nd_range;

/** An argument of a kernel, made by the functions below. The value is read by the submission only.
 */
typedef struct syclze_argument {
  size_t size;
  const void *value; /* null for local memory */
  bool is_accessor;  /* `value` is one */
} syclze_argument;

/**
 * An argument by value: a scalar, a struct, or a pointer to memory that the device can access.
 *
 * @param[in] value  The bytes; not null, valid until the submission.
 * @param[in] size  In bytes.
 * @return the argument, which borrows `value`.
 * @see SYCL 2020 4.9.4.2 (handler::set_arg)
 */
SYCLZE_INLINE syclze_argument syclze_argument_value(const void *value, size_t size);

/**
 * An argument that is the memory of an accessor of the same group.
 *
 * @param[in] accessor  A syclze_accessor; not null, valid until the submission.
 * @param[in] size  Its size, in bytes.
 * @return the argument, which borrows `accessor`.
 * @see SYCL 2020 4.9.4.2 (handler::set_arg)
 */
SYCLZE_INLINE syclze_argument syclze_argument_accessor(const void *accessor, size_t size);

/**
 * An argument that is local memory.
 *
 * @param[in] size  In bytes.
 * @return the argument.
 * @see SYCL 2020 4.7.6.11 (local_accessor)
 */
SYCLZE_INLINE syclze_argument syclze_local(size_t size);

/**
 * Runs a kernel.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] kernel  Of the queue's context. Null is an error.
 * @param[in] range  Null is an error.
 * @param[in] arguments  `count` of them, in order; may be null for none. Borrowed.
 * @param[in] count  Number of arguments.
 * @param[out] event  Of the submission, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue or the kernel is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `range` is null.
 * - SYCLZE_RESULT_ERROR_ND_RANGE: the global range is empty or no multiple of the local one, or a
 *   size or an offset is 2^32 or more.
 * - SYCLZE_RESULT_ERROR_ACCESSOR: an accessor is of another group.
 * - SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT: with SYCLZE_CHECK, `count` is neither 0 nor the number of
 *   the kernel's arguments.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeKernelSuggestGroupSize, zeKernelSetArgumentValue, zeKernelSetGroupSize,
 *   zeKernelSetGlobalOffsetExp, zeCommandListAppendLaunchKernel or the creation of an event
 *   returns.
 *
 * After an error nothing is submitted.
 * @see SYCL 2020 4.9.4.2 (handler::parallel_for)
 */
SYCLZE_INLINE ze_result_t syclze_group_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event);

/* An object, or a pointer to one or to an accessor, is no argument: it does not compile. */
#define SYCLZE__NO_ARGUMENTS(X)                                                                    \
  X(syclze_accessor *)                                                                             \
  X(const syclze_accessor *)                                                                       \
  SYCLZE__NO_ARGUMENT(X, syclze_platform)                                                          \
  SYCLZE__NO_ARGUMENT(X, syclze_device)                                                            \
  SYCLZE__NO_ARGUMENT(X, syclze_context)                                                           \
  SYCLZE__NO_ARGUMENT(X, syclze_queue)                                                             \
  SYCLZE__NO_ARGUMENT(X, syclze_event)                                                             \
  SYCLZE__NO_ARGUMENT(X, syclze_kernel_bundle)                                                     \
  SYCLZE__NO_ARGUMENT(X, syclze_kernel)                                                            \
  SYCLZE__NO_ARGUMENT(X, syclze_buffer)                                                            \
  SYCLZE__NO_ARGUMENT(X, syclze_image)                                                             \
  SYCLZE__NO_ARGUMENT(X, syclze_sampler)
#define SYCLZE__NO_ARGUMENT(X, type) X(type) X(type *) X(const type *)

#ifndef __cplusplus
/* Takes other arguments than it is given, so that its name is in the compiler's message. */
syclze_argument syclze__argument_is_an_object_not_its_accessor(void);
#define SYCLZE__NO_ARGUMENT_OF(type)                                                               \
  type:                                                                                            \
  syclze__argument_is_an_object_not_its_accessor,
/** An argument from an lvalue or a value: an accessor, or else the value's bytes. Lives to the end
 * of the block. An object, or a pointer to one, does not compile. */
#define syclze_arg(argument)                                                                       \
  _Generic((argument), SYCLZE__NO_ARGUMENTS(SYCLZE__NO_ARGUMENT_OF) syclze_accessor                \
           : syclze_argument_accessor, default                                                     \
           : syclze_argument_value)(                                                               \
      (__typeof__((void)0, (argument))[1]){argument}, sizeof(__typeof__((void)0, (argument))))

/** syclze_group_launch: group, kernel, range, event, and the kernel's arguments, if it has any. */
#define syclze_launch(group, kernel, range, ...)                                                   \
  syclze_group_launch(group, kernel, range, SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0)),       \
      (uint32_t)(sizeof(SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0))) /                         \
                 sizeof(syclze_argument)) -                                                        \
          1,                                                                                       \
      SYCLZE__EVENT(__VA_ARGS__, 0))
/* What follows the event, and the event. The last argument is none of the kernel's. */
#define SYCLZE__ARGUMENTS(event, ...)                                                              \
  (const syclze_argument[]) {                                                                      \
    __VA_ARGS__                                                                                    \
  }
#define SYCLZE__EVENT(event, ...) event
#else
extern "C++" {
template <typename T> struct syclze__is_argument {
  enum { value = 1 };
};
#define SYCLZE__NO_ARGUMENT_OF(type)                                                               \
  template <> struct syclze__is_argument<type> {                                                   \
    enum { value = 0 };                                                                            \
  };
SYCLZE__NO_ARGUMENTS(SYCLZE__NO_ARGUMENT_OF)
#undef SYCLZE__NO_ARGUMENT_OF
/**
 * An argument from its value. An object, or a pointer to one, does not compile. The value lives to
 * the end of the full expression where it is a temporary.
 *
 * @param[in] value  Trivially copyable; may be a null pointer. Borrowed.
 * @return the argument.
 * @see SYCL 2020 4.9.4.2 (handler::set_arg)
 */
template <typename T> SYCLZE_INLINE syclze_argument syclze_arg(const T &value) {
  static_assert(syclze__is_argument<T>::value,
      "argument_is_an_object_not_its_accessor: an argument is what syclze_require returned");
  return syclze_argument_value(&value, sizeof value);
}
SYCLZE_INLINE syclze_argument syclze_arg(const syclze_accessor &accessor) {
  return syclze_argument_accessor(&accessor, sizeof accessor);
}
/** @copydoc syclze_group_launch */
template <typename... Arguments>
SYCLZE_INLINE ze_result_t syclze_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, syclze_event *event, const Arguments &...arguments) {
  const syclze_argument all[] = {arguments..., syclze_local(0)};
  return syclze_group_launch(group, kernel, range, all, (uint32_t)sizeof...(arguments), event);
}
}
#endif

SYCLZE_EXTERN_C_END

#include "detail/launch.h"

#endif
