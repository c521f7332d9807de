/* host_accessor.c on a device whose memory the host cannot access. */
#include "support/failing.h"
#include "support/given.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DISCRETE", "1");
}

#include "host_accessor.c"
