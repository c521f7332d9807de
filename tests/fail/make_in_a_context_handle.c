// expect-gcc: incompatible type for argument
// expect-clang: incompatible type
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&event_input, context, &event)
#else
#define CALL syclze_make_native(&event_input, context_handle, &event)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
