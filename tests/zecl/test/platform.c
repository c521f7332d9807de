/* The driver returns UNINITIALIZED if OpenCL has no device for it. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

/* The driver reads the variable when zeInit loads it. */
__attribute__((constructor)) static void choose_platform(void) {
  setenv("ZECL_PLATFORM", "no platform has this name", 1);
}

TEST(no_platform_is_no_driver) {
  uint32_t count = 0;
  RETURNS(ERROR_UNINITIALIZED, zeInit(0));
  CHECK(zeDriverGet(&count, NULL) != ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 0);
}

TEST_MAIN(no_platform_is_no_driver)
