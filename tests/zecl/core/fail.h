/* Failure on purpose. ZECL_FAIL=zeEventCreate:3 makes the third call of that function fail with
 * OUT_OF_HOST_MEMORY; zeEventCreate:3:0x70000003 chooses the code; commas separate several. The
 * name zecl.run stands for kernels as they run. The variable is read when the driver is loaded.
 * Every exported function begins with `ZECL_ENTER(zeEventCreate);`. */
#ifndef ZECL_CORE_FAIL_H
#define ZECL_CORE_FAIL_H

#include <stdbool.h>
#include <level_zero/ze_api.h>

extern bool zecl_fail_armed;

/* Every function fails with DEVICE_LOST in a child that was forked after the driver was loaded: the
 * threads that would do the work are the parent's, and so are the locks. */

/* Counts this call of `function`; the code to fail with, or success. */
ze_result_t zecl_fail_count(const char *function);

#define ZECL_ENTER(function)                                                                       \
  do {                                                                                             \
    if (__builtin_expect(zecl_fail_armed, 0)) {                                                    \
      const ze_result_t zecl_failed = zecl_fail_count(#function);                                  \
      if (zecl_failed != ZE_RESULT_SUCCESS) return zecl_failed;                                    \
    }                                                                                              \
  } while (0)

#endif
