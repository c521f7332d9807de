#include "core/strict.h"

#include <stdlib.h>
#include <string.h>

static bool is_enabled;

__attribute__((constructor)) static void read_variable(void) {
  const char *asked = secure_getenv("ZECL_CHECK");
  is_enabled = asked && strcmp(asked, "1") == 0;
}

bool zecl_is_strict(void) {
  return is_enabled;
}
