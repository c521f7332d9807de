// expect: no matching function for call to
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_get_native(event)
#else
#define CALL syclze_get_native(number)
#endif

ze_event_handle_t tried(void);
ze_event_handle_t tried(void) {
  return CALL;
}
