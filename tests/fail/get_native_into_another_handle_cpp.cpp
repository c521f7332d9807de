// expect-gcc: cannot convert
// expect-clang: cannot initialize
#include "given.h"

#ifdef SYCLZE_TEST_FIXED
#define OBJECT event
#else
#define OBJECT kernel
#endif

ze_event_handle_t tried();
ze_event_handle_t tried() {
  ze_event_handle_t handle = syclze_get_native(OBJECT);
  return handle;
}
