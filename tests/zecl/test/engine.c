/* An engine whose name is unknown is no driver, and never another engine instead. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

/* The driver reads the variable when zeInit loads it. */
__attribute__((constructor)) static void choose_engine(void) {
  setenv("ZECL_ENGINE", "no engine has this name", 1);
}

TEST(no_engine_is_no_driver) {
  RETURNS(ERROR_UNINITIALIZED, zeInit(0));
}

TEST_MAIN(no_engine_is_no_driver)
