/* One copy of the library's bodies, for the test programs that SYCLZE_DECLARATIONS leaves without.
 */
#define SYCLZE_IMPLEMENTATION
#include "syclze/command.h"
#include "syclze/command/graph.h"
#include "syclze/device_global.h"
#include "syclze/device_query.h"
#include "syclze/external_memory.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#include "syclze/kernel_query.h"
#include "syclze/native.h"
#include "syclze/offload/assert.h"
#include "syclze/offload/global.h"
#include "syclze/offload/launch.h"
#include "syclze/offload/offload.h"
#include "syclze/scope.h"
#include "syclze/syclze.h"
#include "syclze/usm_query.h"
