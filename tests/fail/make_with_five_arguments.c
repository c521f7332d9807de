// expect-gcc: is not a function
// expect-clang: is not a function
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&image_input, context, event, &image)
#else
#define CALL syclze_make_native(&image_input, context, event, &image, &image)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
