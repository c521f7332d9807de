// expect-gcc: invalid conversion from
// expect-clang: no matching function for call to
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&buffer_input, context, &buffer)
#else
#define CALL syclze_make_native(address, context, &buffer)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
