// expect: syclze__error_a_native_queue_is_a_command_queue_or_a_command_list
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_native_queue_of(queue_handle)
#else
#define CALL syclze_native_queue_of(address)
#endif

syclze_native_queue tried(void);
syclze_native_queue tried(void) {
  return CALL;
}
