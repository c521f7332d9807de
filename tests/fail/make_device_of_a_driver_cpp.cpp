// expect: no matching function for call to
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(device_handle, &device)
#else
#define CALL syclze_make_native(driver, &device)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
