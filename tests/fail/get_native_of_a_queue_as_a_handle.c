// expect-gcc: incompatible types when returning
// expect-clang: returning
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_get_native(queue).queue
#else
#define CALL syclze_get_native(queue)
#endif

ze_command_queue_handle_t tried(void);
ze_command_queue_handle_t tried(void) {
  return CALL;
}
