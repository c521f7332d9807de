/* syclze_retain and syclze_release of the kinds that are not in syclze.h, with the debug checker.
 */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "syclze/syclze.h"

#include "syclze/async_memory.h"
#include "syclze/command/external_semaphore.h"
#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#include "syclze/offload/program.h"
#include "tests/check.h"

#define CHECK_REFERENCES(kind)                                                                     \
  do {                                                                                             \
    const syclze_##kind none = {NULL};                                                             \
    CHECK_EQ(syclze_retain(none), ZE_RESULT_SUCCESS);                                              \
    CHECK_EQ(syclze_release(none), ZE_RESULT_SUCCESS);                                             \
  } while (0)

TEST(null_of_every_kind_has_no_effect) {
  const syclze_host_accessor accessor = {NULL};
  CHECK_REFERENCES(graph);
  CHECK_REFERENCES(executable_graph);
  CHECK_REFERENCES(ipc_memory);
  CHECK_REFERENCES(ipc_event_pool);
  CHECK_REFERENCES(growable_memory);
  CHECK_REFERENCES(external_semaphore);
  CHECK_REFERENCES(memory_pool);
  CHECK_REFERENCES(program);
  CHECK_EQ(syclze_release(accessor), ZE_RESULT_SUCCESS);
}

TEST_MAIN(null_of_every_kind_has_no_effect)
