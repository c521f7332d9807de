/* Files of this folder, which tests read wherever they are started. */
#ifndef ZECL_TEST_FOLDER_H
#define ZECL_TEST_FOLDER_H

#include <stdio.h>

#ifndef ZECL_FOLDER
#define ZECL_FOLDER "." /* the Makefile has its own */
#endif

/* Absolute paths stay. Valid until the thread's next call. */
static inline const char *test_source(const char *path) {
  static __thread char full[4096];
  snprintf(
      full, sizeof full, "%s%s%s", *path == '/' ? "" : ZECL_FOLDER, *path == '/' ? "" : "/", path);
  return full;
}

#endif
