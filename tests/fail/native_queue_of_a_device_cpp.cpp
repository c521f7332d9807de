// expect-gcc: use of deleted function
// expect-clang: call to deleted function
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
