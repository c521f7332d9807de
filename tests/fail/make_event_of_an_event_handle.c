// expect: syclze__error_make_event_takes_a_pointer_to_a_syclze_event_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&event_input, context, &event)
#else
#define CALL syclze_make_native(event_handle, context, &event)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
