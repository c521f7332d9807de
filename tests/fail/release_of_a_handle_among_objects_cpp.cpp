// expect: no matching function for call to
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_release(kernel, event, queue)
#else
#define CALL syclze_release(kernel, event_handle, queue)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
