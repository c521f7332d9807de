// expect: syclze__error_a_native_queue_is_a_command_queue_or_a_command_list
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_native_queue_of(list_handle)
#else
#define CALL syclze_native_queue_of(device_handle)
#endif

syclze_native_queue tried(void);
syclze_native_queue tried(void) {
  return CALL;
}
