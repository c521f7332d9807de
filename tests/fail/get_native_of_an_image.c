// expect: interop_handle
// shows backend 26, interop 7
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define OBJECT event
#else
#define OBJECT image
#endif

void tried(void);
void tried(void) {
  syclze_get_native(OBJECT);
}
