/* host_data.c on a device that has memory of its own and cannot access that of the host. */
#include "support/failing.h"
#include "support/given.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DISCRETE", "1");
}

#include "host_data.c"
