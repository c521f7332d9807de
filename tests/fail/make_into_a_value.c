// expect: syclze__error_three_arguments_make_a_queue_an_event_a_kernel_bundle_or_a_kernel
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&queue_input, context, &queue)
#else
#define CALL syclze_make_native(&queue_input, context, queue)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
