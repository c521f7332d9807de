/* checker_memory.c on a device that has memory of its own and cannot access that of the host. */
#define _DEFAULT_SOURCE
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/given.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DISCRETE", "1");
}

#undef SYCLZE_CHECK
#undef _DEFAULT_SOURCE
#include "checker_memory.c"
