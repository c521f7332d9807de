/* Memory as a descriptor on the engine on CUDA: the test of external.c on the libcuda of the tests.
 */
#include "external.c"

#include "support/libcuda.h"

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 1);
}
