// expect: syclze__error_make_native_takes_two_to_four_arguments
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(driver, &platform)
#else
#define CALL syclze_make_native(driver)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
