/* Atomics of floating-point numbers. */
#include "support/handles.h"
#include "support/launch.h"

TEST(sums_and_bounds_of_all_items) {
  enum { ITEMS = 64, GROUPS = 32, ALL = ITEMS * GROUPS };
  ze_module_handle_t module = test_module("test/kernels/real_atomics.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "real_atomics");
  float *floats = test_shared(3 * sizeof *floats);
  double *sum = test_shared(sizeof *sum);
  floats[0] = 1, floats[1] = 1000, floats[2] = -1;
  *sum = 1;
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof floats, &floats));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof sum, &sum));
  test_launch(kernel, GROUPS, 1, 1);
  CHECK(floats[0] == 1 + ALL / 2 && floats[1] == 0 && floats[2] == ALL - 1);
  CHECK(*sum == 1 + 2 * ALL);
  test_free(sum);
  test_free(floats);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

TEST_MAIN(sums_and_bounds_of_all_items)
