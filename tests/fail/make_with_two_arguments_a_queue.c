// expect: syclze__error_two_arguments_make_a_platform_a_device_or_a_context
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&queue_input, context, &queue)
#else
#define CALL syclze_make_native(&queue_input, &queue)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
