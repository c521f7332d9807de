#include "modules/build_log.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"

#include <string.h>

struct zecl_build_log {
  struct zecl_object object;
  struct zecl_text text;
};

static struct zecl_build_log *log_of(ze_module_build_log_handle_t handle) {
  return (struct zecl_build_log *)(void *)handle;
}

bool zecl_build_log_create(struct zecl_text *text, ze_module_build_log_handle_t *handle) {
  if (!handle) {
    zecl_text_free(text);
    return true;
  }
  struct zecl_build_log *log = zecl_object_create(ZECL_BUILD_LOG, sizeof *log);
  *handle = (ze_module_build_log_handle_t)(void *)log;
  if (!log) {
    zecl_text_free(text);
    return false;
  }
  log->text = *text;
  *text = (struct zecl_text){0};
  return true;
}

static void finish(void *object) {
  zecl_text_free(&((struct zecl_build_log *)object)->text);
}

ze_result_t zecl_zeModuleBuildLogDestroy(ze_module_build_log_handle_t handle) {
  ZECL_ENTER(zeModuleBuildLogDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_BUILD_LOG);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_BUILD_LOG), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_release(handle, sizeof(struct zecl_build_log), finish);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeModuleBuildLogGetString(
    ze_module_build_log_handle_t handle, size_t *size, char *text) {
  ZECL_ENTER(zeModuleBuildLogGetString);
  ZECL_CHECK_HANDLE(handle, ZECL_BUILD_LOG);
  ZECL_CHECK_POINTER(size);
  const struct zecl_text *own = &log_of(handle)->text;
  const size_t whole = own->length + 1;
  if (text && *size) {
    const size_t given = *size < whole ? *size : whole;
    if (given > 1) memcpy(text, own->data, given - 1);
    text[given - 1] = 0;
  }
  *size = whole;
  return ZE_RESULT_SUCCESS;
}
