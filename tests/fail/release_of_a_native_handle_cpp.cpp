// expect: no matching function for call to
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_release(event)
#else
#define CALL syclze_release(event_handle)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
