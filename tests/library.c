/* One copy of the library's bodies, and of those of traces, for the test programs that
   SYCLZE_DECLARATIONS leaves without. Files that include a trace install it, this one does not. */
#include "syclze/implementation.h"

#define constructor unused
#include "syclze/trace/level_zero.h"
#include "syclze/trace/writer.h"
