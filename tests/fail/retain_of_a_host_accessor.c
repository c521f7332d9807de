// expect: syclze__error_a_host_accessor_has_one_reference
// shows promises 8
#include "syclze/syclze.h"

#include "syclze/command/host_accessor.h"

extern syclze_host_accessor accessor;

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_release(accessor)
#else
#define CALL syclze_retain(accessor)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
