// expect: incompatible type
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define OBJECT queue
#else
#define OBJECT context
#endif

void tried(void);
void tried(void) {
  syclze_queue_release(OBJECT);
}
