/* Group sizes: which are allowed, and which suit a range. */
#include "modules/kernel.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"

#include <string.h>

enum { SUGGESTED_LIMIT = 256 };

ze_result_t zecl_group_size_check(const struct zecl_function *function, const uint32_t *size) {
  const uint32_t *required = function->required_group_size;
  uint64_t items = 1;
  for (int i = 0; i < 3; i++) {
    ZECL_REQUIRE(size[i] != 0, ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    ZECL_REQUIRE(
        !required[0] || size[i] == required[i], ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
    items *= size[i];
    ZECL_REQUIRE(
        size[i] <= zecl_engine()->properties->max_items[i] && items <= function->max_group_size,
        ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelSetGroupSize(
    ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z) {
  ZECL_ENTER(zeKernelSetGroupSize);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  struct zecl_kernel *kernel = zecl_kernel_of(handle);
  const uint32_t size[3] = {x, y, z};
  ZECL_TRY(zecl_group_size_check(kernel->function, size));
  memcpy(kernel->group_size, size, sizeof size);
  return ZE_RESULT_SUCCESS;
}

/* The greatest size up to `limit` that divides the range, and that the dimension allows. */
static uint32_t divisor(uint32_t range, uint32_t limit, int dimension) {
  const uint32_t most = zecl_engine()->properties->max_items[dimension];
  uint32_t size = range < limit ? range : limit;
  if (size > most) size = most;
  while (range % size)
    size--;
  return size;
}

ze_result_t zecl_zeKernelSuggestGroupSize(ze_kernel_handle_t handle, uint32_t global_x,
    uint32_t global_y, uint32_t global_z, uint32_t *x, uint32_t *y, uint32_t *z) {
  ZECL_ENTER(zeKernelSuggestGroupSize);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(x);
  ZECL_CHECK_POINTER(y);
  ZECL_CHECK_POINTER(z);
  ZECL_REQUIRE(global_x && global_y && global_z, ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION);
  const struct zecl_function *function = zecl_kernel_of(handle)->function;
  const uint32_t *required = function->required_group_size;
  const uint32_t most = function->max_group_size;
  const uint32_t limit = most > SUGGESTED_LIMIT ? SUGGESTED_LIMIT : most ? most : 1;
  *x = required[0] ? required[0] : divisor(global_x, limit, 0);
  *y = required[0] ? required[1] : divisor(global_y, limit / *x, 1);
  *z = required[0] ? required[2] : divisor(global_z, limit / *x / *y, 2);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelSuggestMaxCooperativeGroupCount(
    ze_kernel_handle_t handle, uint32_t *count) {
  ZECL_ENTER(zeKernelSuggestMaxCooperativeGroupCount);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(count);
  const struct zecl_kernel *kernel = zecl_kernel_of(handle);
  const uint32_t *size = kernel->group_size;
  *count = zecl_function_cooperating_groups(kernel->function, size[0] * size[1] * size[2]);
  return ZE_RESULT_SUCCESS;
}
