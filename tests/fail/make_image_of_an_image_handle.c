// expect: syclze__error_make_image_takes_a_pointer_to_a_syclze_image_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&image_input, context, &image)
#else
#define CALL syclze_make_native(image_handle, context, &image)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
