// expect: argument_is_an_object_not_its_accessor
// c++
#include "syclze/command.h"

syclze_argument argument(syclze_buffer buffer, syclze_image image, syclze_queue queue,
    syclze_event event, syclze_kernel kernel, syclze_accessor accessor);

syclze_argument argument(syclze_buffer buffer, syclze_image image, syclze_queue queue,
    syclze_event event, syclze_kernel kernel, syclze_accessor accessor) {
  const syclze_image *pointer = &image;
  (void)buffer, (void)image, (void)queue, (void)event, (void)kernel, (void)pointer;
#ifdef SYCLZE_TEST_FIXED
  return syclze_arg(accessor);
#else
  return syclze_arg(image);
#endif
}
