// expect: properties
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define INPUT queue_input
#else
#define INPUT queue_input_v3
#endif

void tried(void);
void tried(void) {
  INPUT.properties.flags = 0;
}
