// expect: no matching function for call to
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
