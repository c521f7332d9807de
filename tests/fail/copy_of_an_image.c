// expect: an_image_is_no_operand_of_a_copy_of_bytes
// c++
// shows promises 7
#include "syclze/command.h"

#ifdef SYCLZE_TEST_FIXED
#define OPERAND buffer
#else
#define OPERAND image
#endif

ze_result_t tried(syclze_group *group, void *to, syclze_buffer buffer, syclze_image image);
ze_result_t tried(syclze_group *group, void *to, syclze_buffer buffer, syclze_image image) {
  (void)buffer, (void)image;
  return syclze_copy(group, to, OPERAND, 4, NULL);
}
