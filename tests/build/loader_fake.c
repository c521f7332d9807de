/* A loader of three drivers, which have no devices. */
#include <level_zero/ze_api.h>

#include <stdint.h>

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  (void)flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  for (uint32_t i = 0; drivers != NULL && i < *count && i < 3; i++)
    drivers[i] = (ze_driver_handle_t)(uintptr_t)(0x1000 * (i + 1));
  *count = 3;
  return ZE_RESULT_SUCCESS;
}
