// expect: syclze__error_make_kernel_bundle_takes_a_pointer_to_a_syclze_kernel_bundle_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&bundle_input, context, &bundle)
#else
#define CALL syclze_make_native(module_handle, context, &bundle)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
