/* Functions of the host on the engine on CUDA: the tests of thread_host.c on the libcuda of the
 * tests. */
#include "thread_host.c"

#include "support/libcuda.h"

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 1);
}
