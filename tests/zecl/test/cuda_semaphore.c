/* External semaphores on the engine on CUDA: the tests of semaphore.c on the libcuda of the tests.
 */
#include "semaphore.c"

#include "support/libcuda.h"

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 1);
}
