// expect: syclze__error_make_context_takes_a_pointer_to_a_syclze_context_input
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&context_input, &context)
#else
#define CALL syclze_make_native(&queue_input, &context)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
