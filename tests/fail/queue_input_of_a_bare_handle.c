// expect-gcc: incompatible types when assigning
// expect-clang: assigning to 'syclze_native_queue'
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define HANDLE syclze_native_queue_of(queue_handle)
#else
#define HANDLE queue_handle
#endif

void tried(void);
void tried(void) {
  queue_input.native_handle = HANDLE;
}
