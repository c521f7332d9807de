/* Runtime requirements: what a native binary, or a graph, needs of a device. That of SPIR-V runs on
 * every device of this driver; what the engine has built runs on devices of the same name. */
#include "commands/graph.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "modules/module.h"

#include <stdio.h>
#include <string.h>

static const char key[] = "zecl", any[] = "any device";

enum { ROOM = sizeof key + ZE_MAX_DEVICE_NAME + 1 };

static void write_requirements(const char *device, char text[ROOM]) {
  snprintf(text, ROOM, "%s %s", key, device);
}

/* The name of the device that is needed, or `any`. */
static ze_result_t needed_by(
    const void *object, const struct zecl_device *device, const char **needed) {
  const ze_runtime_requirements_module_desc_t *desc = object;
  const bool is_graph = (int)desc->stype == ZECL_STYPE_REQUIREMENTS_GRAPH;
  ZECL_REQUIRE(is_graph || (int)desc->stype == ZECL_STYPE_REQUIREMENTS_MODULE,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_CHECK_HANDLE((void *)desc->requirementsSrc, is_graph ? ZECL_GRAPH : ZECL_MODULE);
  const struct zecl_module *module = is_graph ? NULL : zecl_module_of(desc->requirementsSrc);
  const bool is_of_engine = is_graph || (module->native && module->native->program);
  *needed = is_of_engine ? zecl_device_engine(device)->name : any;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetRuntimeRequirements(
    ze_device_handle_t handle, const void *object, size_t *size, char *requirements) {
  ZECL_ENTER(zeDeviceGetRuntimeRequirements);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(object);
  ZECL_CHECK_POINTER(size);
  const char *needed;
  char text[ROOM];
  ZECL_TRY(needed_by(object, zecl_device_of(handle), &needed));
  write_requirements(needed, text);
  const size_t length = strlen(text) + 1;
  if (requirements) {
    ZECL_REQUIRE(*size >= length, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    memcpy(requirements, text, length);
  }
  *size = length;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceGetRuntimeRequirementsKey(ze_device_handle_t handle, const char **answer) {
  ZECL_ENTER(zeDeviceGetRuntimeRequirementsKey);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(answer);
  *answer = key;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeDeviceValidateRuntimeRequirements(ze_device_handle_t handle,
    const char *requirements, ze_validate_runtime_requirements_output_t *answer) {
  ZECL_ENTER(zeDeviceValidateRuntimeRequirements);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ZECL_CHECK_POINTER(requirements);
  ZECL_CHECK_POINTER(answer);
  char own[ROOM], of_all[ROOM];
  write_requirements(zecl_device_engine(zecl_device_of(handle))->name, own);
  write_requirements(any, of_all);
  const bool is_ours = strncmp(requirements, key, sizeof key - 1) == 0 &&
                       requirements[sizeof key - 1] == ' ',
             is_met = strcmp(requirements, own) == 0 || strcmp(requirements, of_all) == 0;
  answer->result = !is_ours ? (__typeof__(answer->result))ZECL_REQUIREMENTS_NOT_APPLICABLE
                   : is_met ? (__typeof__(answer->result))ZECL_REQUIREMENTS_MET
                            : (__typeof__(answer->result))ZECL_REQUIREMENTS_NOT_MET;
  return ZE_RESULT_SUCCESS;
}
