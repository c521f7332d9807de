// expect: has_no_owner
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define OBJECT event
#else
#define OBJECT device
#endif

void tried(syclze_owner owner);
void tried(syclze_owner owner) {
  syclze_set_owner(OBJECT, owner);
}
