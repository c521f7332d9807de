/* The text that building or linking a module leaves, as a handle. */
#ifndef ZECL_MODULES_BUILD_LOG_H
#define ZECL_MODULES_BUILD_LOG_H

#include <stdbool.h>
#include <level_zero/ze_api.h>
#include "core/text.h"

/* Hands the text over to a new handle, or frees it where `handle` is null. The text is empty
 * afterwards. False: no memory, and the handle is null. */
bool zecl_build_log_create(struct zecl_text *text, ze_module_build_log_handle_t *handle);

#endif
