// expect: syclze__error_retain_takes_an_object_of_syclze
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_retain(event)
#else
#define CALL syclze_retain(event_handle)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
