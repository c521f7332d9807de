/**
 * @file
 * Kernels: the submission that runs one over an nd-range.
 *
 *     syclze_nd_range range = {.global = {n}, .local = {64}};
 *     ze_result_t launched = syclze_launch(
 *         &group, kernel, &range, &event, syclze_arg(a), syclze_arg(x), syclze_local(256));
 *
 * Arguments: syclze_arg of a scalar, a pointer, a struct by value or an accessor of the group, and
 * syclze_local. Everything else does not compile. Up to 16 bytes are held in the argument itself; a
 * larger struct must live until the submission.
 *
 * Ownership: the library keeps the kernel until its launches are done; arguments are copied. A
 * launch without an event leaves no record: the last release of such a kernel appends a barrier to
 * the queue's list, and the kernel is destroyed behind it.
 *
 * Threads: as a group. Any number of threads may launch one kernel. Launching a kernel on several
 * queues in turn costs two more locks each time.
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

/** Types of arguments. */
typedef enum syclze_argument_type {
  SYCLZE_ARGUMENT_TYPE_STRUCT = 0,    /**< a struct or a union, or bytes of any type */
  SYCLZE_ARGUMENT_TYPE_INTEGER,       /**< of any size: an enumeration, a character, a bool */
  SYCLZE_ARGUMENT_TYPE_FLOAT,         /**< a floating-point number */
  SYCLZE_ARGUMENT_TYPE_POINTER,       /**< to memory that the device can access */
  SYCLZE_ARGUMENT_TYPE_LOCAL,         /**< local memory */
  SYCLZE_ARGUMENT_TYPE_ACCESSOR,      /**< an accessor of the group */
  SYCLZE_ARGUMENT_TYPE_IMPLICIT_LOCAL /**< local memory without an argument in the source */
} syclze_argument_type;

enum { SYCLZE__ARGUMENT_BYTES = 16 };

/** An argument of a kernel, made by the functions below. All members are private. */
typedef struct syclze_argument {
  size_t size;       /* in bytes */
  uint8_t kind;      /* enum syclze__argument_kind */
  uint8_t type;      /* syclze_argument_type */
  uint8_t mode;      /* of an accessor */
  uint16_t accessor; /* its index in the group */
  union {
    unsigned char bytes[SYCLZE__ARGUMENT_BYTES]; /* of a value that fits */
    const void *value;                           /* of a larger one; null for none */
    struct {
      void *native;
      struct syclze__memory *memory;
    } access; /* of an accessor */
  } of;
} syclze_argument;

/**
 * An argument by value: a scalar, a struct, or a pointer to memory that the device can access.
 *
 * @param[in] value  The bytes, copied up to 16; more must be valid until the submission. Null is an
 * error of the submission.
 * @param[in] size  In bytes.
 * @return the argument.
 * @see SYCL 2020 4.9.4.2 (handler::set_arg)
 */
SYCLZE_INLINE syclze_argument syclze_argument_value(const void *value, size_t size);

/**
 * An argument that is the memory of an accessor of the same group.
 *
 * @param[in] accessor  A syclze_accessor; not null. Copied.
 * @param[in] size  Its size, in bytes.
 * @return the argument.
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
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `range`, `arguments` where `count` is not 0, or the value
 *   of an argument is null.
 * - SYCLZE_RESULT_ERROR_ND_RANGE: the global range is empty or not a multiple of the local one, or
 *   a size or an offset is 2^32 or more.
 * - SYCLZE_RESULT_ERROR_INVALID: the kernel is of another context.
 * - SYCLZE_RESULT_ERROR_ACCESSOR: an accessor is of another group.
 * - SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT: `count` is not the number of the kernel's arguments. With
 *   0, a kernel uses those that the application has set in the native kernel, until a launch sets
 *   others.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeKernelGetProperties, zeKernelSuggestGroupSize, zeKernelSetArgumentValue,
 *   zeKernelSetGroupSize, zeKernelSetGlobalOffsetExp, zeCommandListAppendLaunchKernel or the
 *   creation of an event returns.
 *
 * After an error nothing is submitted.
 * @see SYCL 2020 4.9.4.2 (handler::parallel_for)
 */
SYCLZE_INLINE ze_result_t syclze_group_launch(syclze_group *group, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    syclze_event *event);

/**
 * Runs a kernel as syclze_queue_launch_arguments, and keeps samplers until it is done. Their
 * handles are among the arguments: syclze_arg of a ze_sampler_handle_t.
 *
 * @param[in] queue  Null is an error.
 * @param[in] kernel  Of the queue's context. Null is an error.
 * @param[in] range  Null is an error.
 * @param[in] arguments  `count` of them, none an accessor; may be null for none. Borrowed.
 * @param[in] count  Number of arguments.
 * @param[in] samplers  `sampler_count` of them, none null; may be null for none.
 * @param[in] sampler_count  Number of samplers.
 * @param[in] waits, wait_count  Events that the kernel waits for, and their number.
 * @param[out] event  May be null; the caller owns the reference.
 * @return as syclze_queue_launch_arguments, or the errors of syclze_group_require_sampler;
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER: `samplers` is null and `sampler_count` is not 0.
 * @see SYCL 1.2.1 4.8.5 (handler::set_arg of a sampler)
 */
SYCLZE_COLD ze_result_t syclze_queue_launch_sampled(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_sampler *samplers, uint32_t sampler_count, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) SYCLZE_LINK_NAME(syclze_queue_launch_sampled);

#ifndef __cplusplus
/** An argument from an lvalue or a value: an accessor, or else the value's bytes, of which more
 * than 16 live to the end of the block. An object of the library, or a pointer to one, does not
 * compile. */
#define syclze_arg(argument)                                                                       \
  SYCLZE__ARGUMENT_MAKER(argument)                                                                 \
  ((SYCLZE__PASSED(argument)[1]){argument}, sizeof(SYCLZE__PASSED(argument)),                      \
      SYCLZE__TYPE_OF(argument))

/** syclze_group_launch: group, kernel, range, event, and the kernel's arguments, if it has any. */
#define syclze_launch(group, kernel, range, ...)                                                   \
  syclze_group_launch(group, kernel, range, SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0)),       \
      (uint32_t)(sizeof(SYCLZE__ARGUMENTS(__VA_ARGS__, syclze_local(0))) /                         \
                 sizeof(syclze_argument)) -                                                        \
          1,                                                                                       \
      SYCLZE__EVENT(__VA_ARGS__, 0))
/* The arguments behind the event, and the event. The last macro argument is not one of the
 * kernel's. */
#define SYCLZE__ARGUMENTS(event, ...)                                                              \
  (const syclze_argument[]) {                                                                      \
    __VA_ARGS__                                                                                    \
  }
#define SYCLZE__EVENT(event, ...) event
#else
extern "C++" {
/**
 * An argument from its value. An object of the library, or a pointer to one, does not compile.
 *
 * @param[in] value  Trivially copyable; may be a null pointer. Copied up to 16 bytes; a larger one
 * must be valid until the submission, and not a temporary.
 * @return the argument.
 * @see SYCL 2020 4.9.4.2 (handler::set_arg)
 */
template <typename T> SYCLZE_INLINE syclze_argument syclze_arg(const T &value);
/** @copydoc syclze_arg */
template <typename T> SYCLZE_INLINE syclze_argument syclze_arg(const T &&value);
/** @copydoc syclze_arg */
SYCLZE_INLINE syclze_argument syclze_arg(syclze_accessor value);
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

#include "detail/commands/launch.h"

#endif
