/* One copy of the library's bodies, for the test programs that SYCLZE_DECLARATIONS leaves without.
 */
#include "syclze/implementation.h"
