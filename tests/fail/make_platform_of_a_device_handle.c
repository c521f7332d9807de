// expect: syclze__error_make_platform_takes_a_ze_driver_handle_t
// shows backend 20
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(driver, &platform)
#else
#define CALL syclze_make_native(device_handle, &platform)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
