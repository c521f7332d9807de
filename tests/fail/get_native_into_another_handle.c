// expect-gcc: incompatible pointer type
// expect-clang: incompatible pointer type
// shows backend 20
#pragma GCC diagnostic error "-Wincompatible-pointer-types"
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define OBJECT event
#else
#define OBJECT kernel
#endif

ze_event_handle_t tried(void);
ze_event_handle_t tried(void) {
  ze_event_handle_t handle = syclze_get_native(OBJECT);
  return handle;
}
