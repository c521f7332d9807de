/* A device for tests of modules, and the files that modules are made of. */
#ifndef ZECL_TEST_MODULES_H
#define ZECL_TEST_MODULES_H

#include <stddef.h>
#include <level_zero/ze_api.h>

/* The first device, and a context of its driver. Both are made once and stay. */
ze_device_handle_t test_device(void);
ze_context_handle_t test_context(void);

/* A whole file, with a zero behind its end. The caller frees the bytes. */
struct test_file {
  unsigned char *bytes;
  size_t size;
};
struct test_file test_read(const char *path);

/* The path of a native module that is built beside the test program; valid until the next call. */
const char *test_native_path(const char *name);

/* A module made of bytes, and the text of its build log. `text` may be null, else the caller frees
 * it. */
ze_result_t test_make(ze_module_format_t format, struct test_file file, const char *flags,
    const ze_module_constants_t *constants, ze_module_handle_t *module, char **text);

/* The module in a file, which must build. */
ze_module_handle_t test_module(const char *path);
ze_module_handle_t test_native(const char *name);

/* A kernel, which must be there. */
ze_kernel_handle_t test_kernel(ze_module_handle_t module, const char *name);

/* The text of a log, which is destroyed. The caller frees it. */
char *test_log_text(ze_module_build_log_handle_t log);

#endif
