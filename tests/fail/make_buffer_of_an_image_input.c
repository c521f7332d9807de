// expect: syclze__error_make_buffer_takes_a_pointer_to_a_syclze_buffer_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&buffer_input, context, &buffer)
#else
#define CALL syclze_make_native(&image_input, context, &buffer)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
