// expect: no matching function for call to
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
