// expect: syclze__error_four_arguments_make_a_buffer_or_an_image
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&queue_input, context, &queue)
#else
#define CALL syclze_make_native(&queue_input, context, event, &queue)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
