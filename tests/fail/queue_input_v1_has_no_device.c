// expect: device
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define INPUT queue_input_v3
#else
#define INPUT queue_input_v1
#endif

void tried(void);
void tried(void) {
  INPUT.device = device;
}
