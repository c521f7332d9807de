/**
 * @file
 * The end of the use of Level Zero, for plugins that are unloaded. Included by name, with
 * SYCLZE_LOADER_DYNAMIC.
 *
 *     #define SYCLZE_LOADER_DYNAMIC
 *     #include "syclze/syclze.h"
 *     #include "syclze/loader_close.h"
 *     static ze_result_t unload(syclze_context context) {
 *       ze_result_t result = syclze_context_release(context);
 *       return result == ZE_RESULT_SUCCESS ? syclze_loader_close() : result;
 *     }
 *
 * Threads: no other thread may be in the library or in a function of the table meanwhile.
 */
#ifndef SYCLZE_LOADER_CLOSE_H
#define SYCLZE_LOADER_CLOSE_H

#include "context.h"
#include "loader.h"

SYCLZE_EXTERN_C_BEGIN

#ifdef SYCLZE_LOADER_DYNAMIC
/**
 * Ends the linked image's background threads, forgets its platforms and devices, frees the table,
 * and closes the loader if the library opened it. A later call of the library starts again.
 *
 * Ownership afterwards: all objects must have been released before; a syclze_platform or a
 * syclze_device of before is invalid. Level Zero's handles that the application has are invalid
 * once the last user of the loader in the process has closed it.
 * @return ZE_RESULT_SUCCESS, also without a table, or
 * - SYCLZE_RESULT_ERROR_INVALID: an object of a context is not released, if detected
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork
 *
 * After an error nothing has changed.
 * @see Level Zero, loader; SYCL has no counterpart
 */
SYCLZE_COLD ze_result_t syclze_loader_close(void) SYCLZE_LINK_NAME(syclze_loader_close);
#endif

SYCLZE_EXTERN_C_END

#include "detail/driver/loader_close.h"

#endif
