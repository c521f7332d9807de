// expect: syclze__error_release_takes_an_object_of_syclze
// shows promises 6
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_release(kernel, event, queue)
#else
#define CALL syclze_release(kernel, number, queue)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
