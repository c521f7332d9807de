/* One argument of a launch: ARGUMENT_MUST_NOT_BE(x) with one of the names of the parameters. */
#ifndef TESTS_FAIL_ARGUMENT_H
#define TESTS_FAIL_ARGUMENT_H

#include "syclze/command.h"

#ifdef SYCLZE_TEST_FIXED
#define ARGUMENT_OF_TEST(x) syclze_arg(accessor)
#else
#define ARGUMENT_OF_TEST(x) syclze_arg(x)
#endif

#define ARGUMENT_MUST_NOT_BE(x)                                                                    \
  syclze_argument argument(syclze_buffer buffer, syclze_image image, syclze_queue queue,           \
      syclze_event event, syclze_kernel kernel, syclze_accessor accessor);                         \
  syclze_argument argument(syclze_buffer buffer, syclze_image image, syclze_queue queue,           \
      syclze_event event, syclze_kernel kernel, syclze_accessor accessor) {                        \
    const syclze_image *pointer = &image;                                                          \
    (void)buffer, (void)image, (void)queue, (void)event, (void)kernel, (void)pointer;              \
    return ARGUMENT_OF_TEST(x);                                                                    \
  }

/* Declares that a value of the type cannot be an argument. */
#define ARGUMENT_MUST_NOT_BE_A(type)                                                               \
  syclze_argument argument(type object, syclze_accessor accessor);                                 \
  syclze_argument argument(type object, syclze_accessor accessor) {                                \
    (void)object, (void)accessor;                                                                  \
    return ARGUMENT_OF_TEST(object);                                                               \
  }

#endif
