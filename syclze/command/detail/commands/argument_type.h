/* The type of a kernel's argument at compile time: bodies of syclze_arg. Words for diagnostics. */
#include "../../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_ARGUMENT_TYPE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_ARGUMENT_TYPE_H

/* Structs of the library that cannot be arguments, nor can pointers to them, or to accessors. */
#define SYCLZE__NO_ARGUMENTS(X)                                                                    \
  X(syclze_argument)                                                                               \
  X(syclze_backend_input)                                                                          \
  X(syclze_backend_return)                                                                         \
  X(syclze_buffer)                                                                                 \
  X(syclze_context)                                                                                \
  X(syclze_device)                                                                                 \
  X(syclze_event)                                                                                  \
  X(syclze_executable_graph)                                                                       \
  X(syclze_external_semaphore)                                                                     \
  X(syclze_graph)                                                                                  \
  X(syclze_group)                                                                                  \
  X(syclze_growable_memory)                                                                        \
  X(syclze_host_accessor)                                                                          \
  X(syclze_image)                                                                                  \
  X(syclze_interop_handle)                                                                         \
  X(syclze_ipc_event_pool)                                                                         \
  X(syclze_ipc_handle)                                                                             \
  X(syclze_ipc_memory)                                                                             \
  X(syclze_kernel)                                                                                 \
  X(syclze_kernel_bundle)                                                                          \
  X(syclze_memory_argument)                                                                        \
  X(syclze_memory_pool)                                                                            \
  X(syclze_native_modules)                                                                         \
  X(syclze_native_queue)                                                                           \
  X(syclze_nd_range)                                                                               \
  X(syclze_object)                                                                                 \
  X(syclze_offload_set)                                                                            \
  X(syclze_owner)                                                                                  \
  X(syclze_platform)                                                                               \
  X(syclze_program)                                                                                \
  X(syclze_queue)                                                                                  \
  X(syclze_sampler)                                                                                \
  X(syclze_usm_info)

#define SYCLZE__STRUCT(type) struct type;
SYCLZE__NO_ARGUMENTS(SYCLZE__STRUCT)
#undef SYCLZE__STRUCT

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL const char *syclze__argument_type_string(uint8_t type) {
  static const char *const names[] = {"a struct", "an integer", "a floating-point number",
      "a pointer", "local memory", "an accessor", "implicit local memory"};
  return type < sizeof names / sizeof *names ? names[type] : "of no type";
}

enum { SYCLZE__NAME_SIZE = 256 };

/* Queries the name of a kernel, into SYCLZE__NAME_SIZE bytes. False without a name, or for a longer
 * one. */
SYCLZE_LOCAL bool syclze__kernel_name_in(const struct syclze__kernel *kernel, char *name) {
  size_t size = SYCLZE__NAME_SIZE;
  return kernel != NULL && !syclze__is_forked() &&
         SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, name) == ZE_RESULT_SUCCESS &&
         size < SYCLZE__NAME_SIZE;
}

#endif

/* Makes an argument of up to 16 bytes by copying them. */
SYCLZE_INLINE syclze_argument syclze__argument_typed(
    const void *value, size_t size, syclze_argument_type type);

#ifndef __cplusplus

SYCLZE_INLINE syclze_argument syclze__argument_accessor(
    const void *accessor, size_t size, syclze_argument_type type);
/* Never matches its call, so that the compiler's message shows its name. */
syclze_argument syclze__argument_is_an_object_not_its_accessor(void);

/* The type of an argument as it is passed: an array as a pointer, without qualifiers. */
#define SYCLZE__PASSED(argument) __typeof__((void)0, (argument))

/* The type by the classes of __builtin_classify_type. */
#define SYCLZE__TYPE_OF(argument)                                                                  \
  (__builtin_classify_type(argument) == 5      ? SYCLZE_ARGUMENT_TYPE_POINTER                      \
      : __builtin_classify_type(argument) == 8 ? SYCLZE_ARGUMENT_TYPE_FLOAT                        \
      : __builtin_classify_type(argument) < 5  ? SYCLZE_ARGUMENT_TYPE_INTEGER                      \
                                               : SYCLZE_ARGUMENT_TYPE_STRUCT)

/* The function that makes the argument. Pointers to the types, since these may be incomplete. */
/* clang-format off */
#define SYCLZE__ARGUMENT_MAKER(argument)                                                           \
  _Generic((SYCLZE__PASSED(argument) *)0,                                                          \
      SYCLZE__NO_ARGUMENTS(SYCLZE__NO_ARGUMENT_OF)                                                 \
      SYCLZE__NO_ARGUMENT_BUT(syclze_accessor *)                                                   \
      SYCLZE__NO_ARGUMENT_BUT(const syclze_accessor *)                                             \
      syclze_accessor *: syclze__argument_accessor,                                                \
      default: syclze__argument_typed)
#define SYCLZE__NO_ARGUMENT_OF(type)                                                               \
  SYCLZE__NO_ARGUMENT_BUT(struct type)                                                             \
  SYCLZE__NO_ARGUMENT_BUT(struct type *)                                                           \
  SYCLZE__NO_ARGUMENT_BUT(const struct type *)
#define SYCLZE__NO_ARGUMENT_BUT(type) type *: syclze__argument_is_an_object_not_its_accessor,
/* clang-format on */

#else
extern "C++" {
template <typename T> struct syclze__is_argument {
  enum { value = 1 };
};
template <typename T> struct syclze__is_argument<const T> : syclze__is_argument<T> {};
template <typename T> struct syclze__is_argument<T *> : syclze__is_argument<T> {};
#define SYCLZE__NO_ARGUMENT_OF(type)                                                               \
  template <> struct syclze__is_argument<struct type> {                                            \
    enum { value = 0 };                                                                            \
  };
SYCLZE__NO_ARGUMENTS(SYCLZE__NO_ARGUMENT_OF)
SYCLZE__NO_ARGUMENT_OF(syclze_accessor) /* accessors have an overload */
#undef SYCLZE__NO_ARGUMENT_OF
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
SYCLZE__TYPE_IS(decltype(nullptr), POINTER)
#undef SYCLZE__TYPE_IS

template <typename T> SYCLZE_INLINE syclze_argument syclze_arg(const T &value) {
  static_assert(syclze__is_argument<T>::value,
      "argument_is_an_object_not_its_accessor: an argument is what syclze_require returned");
  static_assert(__is_trivially_copyable(T), "argument_is_not_trivially_copyable");
  return syclze__argument_typed(&value, sizeof value, syclze__type_of<T>::value);
}
template <typename T> SYCLZE_INLINE syclze_argument syclze_arg(const T &&value) {
  static_assert(sizeof(T) <= SYCLZE__ARGUMENT_BYTES,
      "argument_is_a_temporary: a struct of more than 16 bytes must live until the submission");
  return syclze_arg<T>(static_cast<const T &>(value));
}
SYCLZE_INLINE syclze_argument syclze_arg(syclze_accessor accessor) {
  return syclze_argument_accessor(&accessor, sizeof accessor);
}
}
#endif

SYCLZE_EXTERN_C_END

#endif
