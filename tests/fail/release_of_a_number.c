// expect: syclze__error_release_takes_an_object_of_syclze
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define CALL syclze_release(event)
#else
#define CALL syclze_release(number)
#endif

ze_result_t tried(void);
ze_result_t tried(void) {
  return CALL;
}
