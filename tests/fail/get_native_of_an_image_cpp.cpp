// expect-gcc: use of deleted function
// expect-clang: call to deleted function
// shows backend 26
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define OBJECT event
#else
#define OBJECT image
#endif

void tried();
void tried() {
  syclze_get_native(OBJECT);
}
