// expect: syclze__error_make_object_takes_a_pointer_to_a_syclze_backend_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&backend_input, context, &object)
#else
#define CALL syclze_make_native(&event_input, context, &object)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
