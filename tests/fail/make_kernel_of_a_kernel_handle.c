// expect: syclze__error_make_kernel_takes_a_pointer_to_a_syclze_kernel_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&kernel_input, context, &kernel)
#else
#define CALL syclze_make_native(kernel_handle, context, &kernel)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
