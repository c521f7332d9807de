// expect: syclze__error_get_native_takes_an_object_of_syclze
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
