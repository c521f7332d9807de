// expect: syclze__error_make_queue_takes_a_pointer_to_a_syclze_queue_input
// shows backend 20
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_make_native(&queue_input, context, &queue)
#else
#define CALL syclze_make_native(list_handle, context, &queue)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
