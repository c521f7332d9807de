/* Functions of POSIX that Windows lacks, before each source of the tests. */
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <setjmp.h>
#include <stdlib.h>

/* Without the unwinding of frames, which ends the process where a frame has no table of its own. */
#undef setjmp
#define setjmp(buffer) _setjmp((buffer), NULL)

static inline __attribute__((unused)) int setenv(const char *name, const char *value, int replace) {
  return replace || getenv(name) == NULL ? _putenv_s(name, value) : 0;
}

static inline __attribute__((unused)) int unsetenv(const char *name) {
  return _putenv_s(name, "");
}

#endif
