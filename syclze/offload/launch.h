/**
 * @file
 * Kernels of device images launched by name, with arguments checked against the image's own
 * description: their number, their sizes, their kinds.
 *
 *     syclze_group group = syclze_group_begin(queue);
 *     syclze_accessor y = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
 *     syclze_nd_range range = {.global = {n}};
 *     ze_result_t launched = syclze_launch_by_name(program, &group, "axpy", &range, &event,
 *         syclze_typed(y), syclze_typed(x), syclze_typed(2.5f), syclze_typed(n));
 *
 * Arguments are those of the source: one that the compiler removed (kernel_info.h) is given too,
 * and left out here. The kernel is built on first use (program.h). EXPERIMENTAL, and not part of
 * offload.h: a program that needs it includes it by name.
 *
 * Ownership: the library keeps the kernel until its work is done. Threads: any number may launch
 * from one program, also the same kernel: each launch has a native kernel of its own.
 */
#ifndef SYCLZE_OFFLOAD_LAUNCH_H
#define SYCLZE_OFFLOAD_LAUNCH_H

#include "../command/launch.h"
#include "program.h"

SYCLZE_EXTERN_C_BEGIN

/** What an argument is in the program. */
typedef enum syclze_argument_type {
  SYCLZE_ARGUMENT_TYPE_STRUCT = 0, /**< bytes of any type */
  SYCLZE_ARGUMENT_TYPE_INTEGER,
  SYCLZE_ARGUMENT_TYPE_FLOAT,
  SYCLZE_ARGUMENT_TYPE_POINTER, /**< to memory that the device can access; a handle */
  SYCLZE_ARGUMENT_TYPE_LOCAL,
  SYCLZE_ARGUMENT_TYPE_ACCESSOR,
  SYCLZE_ARGUMENT_TYPE_IMPLICIT_LOCAL /**< local memory that no argument of the source stands for */
} syclze_argument_type;

/** An argument with its type, made by syclze_typed and the functions below. */
typedef struct syclze_typed_argument {
  syclze_argument argument;
  syclze_argument_type type;
} syclze_typed_argument;

/**
 * An argument that is local memory.
 *
 * @param[in] size  in bytes.
 * @return the argument.
 * @see SYCL 2020 4.7.6.11 (local_accessor)
 */
SYCLZE_INLINE syclze_typed_argument syclze_typed_local(size_t size);

/**
 * The local memory whose size the launch chooses, of a kernel that has such an argument besides the
 * source's (kernel_info.h). Stands behind the others. A launch without it gives one byte.
 *
 * @param[in] size  in bytes.
 * @return the argument.
 * @see offload design, Property Set Generation
 */
SYCLZE_INLINE syclze_typed_argument syclze_typed_implicit_local(size_t size);

/**
 * Runs a kernel of a program's images on the group's queue.
 *
 * @param[in] program  in the context of the queue; not null.
 * @param[in,out] group  not null. Ended by the call.
 * @param[in] request  the kernel, and values of specialisation constants; not null.
 * @param[in] range  not null.
 * @param[in] arguments  `count` of them, in the order of the source; may be null for none.
 * @param[in] count  their number.
 * @param[out] event  of the submission, a reference of the caller's; set to null on failure. May be
 * null: no event is returned.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; what
 * syclze_program_get_kernel and syclze_group_launch return; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the program or the queue is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: another pointer is null
 * - SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT: the number of arguments, or the kind or size of one, is
 *   not the kernel's; the diagnostic's detail names it
 * - SYCLZE_RESULT_ERROR_INVALID: the image's properties contradict its code
 *
 * After an error nothing is submitted.
 * @see offload design, SYCL runtime; SYCL 2020 4.9.4.2 (handler::parallel_for)
 */
SYCLZE_COLD ze_result_t syclze_program_launch(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const syclze_nd_range *range,
    const syclze_typed_argument *arguments, uint32_t count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_program_launch);

/* Private: the same for a kernel's name. */
SYCLZE_COLD ze_result_t syclze__launch_by_name(syclze_program program, syclze_group *group,
    const char *kernel, const syclze_nd_range *range, const syclze_typed_argument *arguments,
    uint32_t count, syclze_event *event) SYCLZE_LINK_NAME(syclze__launch_by_name);

#ifndef __cplusplus
/* The classes of __builtin_classify_type. */
#define SYCLZE__TYPE_OF(argument)                                                                  \
  _Generic((argument), syclze_accessor                                                             \
           : SYCLZE_ARGUMENT_TYPE_ACCESSOR, default                                                \
           : __builtin_classify_type(argument) == 5   ? SYCLZE_ARGUMENT_TYPE_POINTER               \
             : __builtin_classify_type(argument) == 8 ? SYCLZE_ARGUMENT_TYPE_FLOAT                 \
             : __builtin_classify_type(argument) < 5  ? SYCLZE_ARGUMENT_TYPE_INTEGER               \
                                                      : SYCLZE_ARGUMENT_TYPE_STRUCT)
/** An argument from an lvalue or a value of any type but an object's (syclze_arg), with its type.
 * Lives to the end of the block. */
#define syclze_typed(argument)                                                                     \
  ((syclze_typed_argument){syclze_arg(argument), SYCLZE__TYPE_OF(argument)})

/** syclze_program_launch with a kernel's name: program, group, name, range, event, and the typed
 * arguments, if there are any. */
#define syclze_launch_by_name(program, group, kernel, range, ...)                                  \
  syclze__launch_by_name(program, group, kernel, range,                                            \
      SYCLZE__TYPED(__VA_ARGS__, syclze_typed_local(0)),                                           \
      (uint32_t)(sizeof(SYCLZE__TYPED(__VA_ARGS__, syclze_typed_local(0))) /                       \
                 sizeof(syclze_typed_argument)) -                                                  \
          1,                                                                                       \
      SYCLZE__EVENT(__VA_ARGS__, 0))
/* What follows the event. The last one is none of the kernel's. */
#define SYCLZE__TYPED(event, ...)                                                                  \
  (const syclze_typed_argument[]) {                                                                \
    __VA_ARGS__                                                                                    \
  }
#else
extern "C++" {
template <typename T> struct syclze__type_of {
  static const syclze_argument_type value =
      __is_enum(T) ? SYCLZE_ARGUMENT_TYPE_INTEGER : SYCLZE_ARGUMENT_TYPE_STRUCT;
};
template <typename T> struct syclze__type_of<T *> {
  static const syclze_argument_type value = SYCLZE_ARGUMENT_TYPE_POINTER;
};
#define SYCLZE__TYPE_IS(type, kind)                                                                \
  template <> struct syclze__type_of<type> {                                                       \
    static const syclze_argument_type value = SYCLZE_ARGUMENT_TYPE_##kind;                         \
  };
SYCLZE__TYPE_IS(bool, INTEGER)
SYCLZE__TYPE_IS(char, INTEGER)
SYCLZE__TYPE_IS(signed char, INTEGER)
SYCLZE__TYPE_IS(unsigned char, INTEGER)
SYCLZE__TYPE_IS(short, INTEGER)
SYCLZE__TYPE_IS(unsigned short, INTEGER)
SYCLZE__TYPE_IS(int, INTEGER)
SYCLZE__TYPE_IS(unsigned, INTEGER)
SYCLZE__TYPE_IS(long, INTEGER)
SYCLZE__TYPE_IS(unsigned long, INTEGER)
SYCLZE__TYPE_IS(long long, INTEGER)
SYCLZE__TYPE_IS(unsigned long long, INTEGER)
SYCLZE__TYPE_IS(float, FLOAT)
SYCLZE__TYPE_IS(double, FLOAT)
SYCLZE__TYPE_IS(syclze_accessor, ACCESSOR)
#undef SYCLZE__TYPE_IS
/**
 * An argument from its value, with its type. The value lives to the end of the full expression
 * where it is a temporary.
 *
 * @param[in] value  trivially copyable; may be a null pointer. Borrowed.
 * @return the argument.
 * @see SYCL 2020 4.9.4.2 (handler::set_arg)
 */
template <typename T> SYCLZE_INLINE syclze_typed_argument syclze_typed(const T &value) {
  const syclze_typed_argument argument = {syclze_arg(value), syclze__type_of<T>::value};
  return argument;
}
/** @copydoc syclze_program_launch */
template <typename... Arguments>
SYCLZE_INLINE ze_result_t syclze_launch_by_name(syclze_program program, syclze_group *group,
    const char *kernel, const syclze_nd_range *range, syclze_event *event,
    const Arguments &...arguments) {
  const syclze_typed_argument all[] = {arguments..., syclze_typed_local(0)};
  return syclze__launch_by_name(
      program, group, kernel, range, all, (uint32_t)sizeof...(arguments), event);
}
}
#endif

SYCLZE_EXTERN_C_END

#include "detail/launch.h"

#endif
