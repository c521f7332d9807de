/* The library's bodies for the test programs that include device/support/failing.h. */
#define FAILING_BODIES
#include "device/support/failing.h"

struct failing failing;
