/* Functions that a driver offers by their names (zeDriverGetExtensionFunctionAddress).
 *
 * They take and return the driver's own handles. An older loader with several drivers hands out
 * handles of its own: arguments are translated first, and results are not handles of the loader. */
#ifndef SYCLZE_DETAIL_DRIVER_DRIVER_FUNCTION_H
#define SYCLZE_DETAIL_DRIVER_DRIVER_FUNCTION_H

#include "../../context.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A function of the driver, or null. */
SYCLZE_LOCAL void *syclze__driver_function(ze_driver_handle_t driver, const char *name) {
  void *address = NULL;
  const ze_result_t result =
      SYCLZE__ZE(zeDriverGetExtensionFunctionAddress)(driver, name, &address);
  return result == ZE_RESULT_SUCCESS ? address : NULL;
}

/* Queries if the driver has an extension. */
SYCLZE_LOCAL ze_result_t syclze__driver_has_extension(
    ze_driver_handle_t driver, const char *name, bool *has) {
  uint32_t count = 0;
  *has = false;
  ze_result_t result = SYCLZE__ZE(zeDriverGetExtensionProperties)(driver, &count, NULL);
  if (result != ZE_RESULT_SUCCESS || count == 0) return result;
  ze_driver_extension_properties_t *list =
      (ze_driver_extension_properties_t *)calloc(count, sizeof *list);
  if (list == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = SYCLZE__ZE(zeDriverGetExtensionProperties)(driver, &count, list);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS && !*has; i++)
    *has = strcmp(list[i].name, name) == 0;
  free(list);
  return result;
}

/* zel_handle_type_t. */
enum syclze__handle_type { SYCLZE__HANDLE_DRIVER, SYCLZE__HANDLE_DEVICE, SYCLZE__HANDLE_CONTEXT };

/* The driver's own handle for the loader's. */
SYCLZE_LOCAL void *syclze__driver_handle(enum syclze__handle_type type, void *handle) {
#if SYCLZE_HAS_DLSYM
  ze_result_t(ZE_APICALL * translate)(enum syclze__handle_type, void *, void **);
  void *address = syclze__loader_symbol("zelLoaderTranslateHandle"), *own = NULL;
  memcpy(&translate, &address, sizeof address);
  if (address != NULL && translate(type, handle, &own) == ZE_RESULT_SUCCESS) return own;
#else
  (void)type;
#endif
  return handle;
}

#endif

SYCLZE_EXTERN_C_END

#endif
