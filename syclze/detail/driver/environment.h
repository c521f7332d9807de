/* Variables of the environment. */
#ifndef SYCLZE_DETAIL_DRIVER_ENVIRONMENT_H
#define SYCLZE_DETAIL_DRIVER_ENVIRONMENT_H

#include "../../config.h"

#include <stdlib.h>

#ifdef __linux__
/* A function of glibc that strict C modes do not declare. */
#ifdef __cplusplus
extern "C" char *syclze__secure_getenv(const char *name) __asm__("secure_getenv");
#else
char *syclze__secure_getenv(const char *name) __asm__("secure_getenv");
#endif
#endif

SYCLZE_EXTERN_C_BEGIN

/* Value of a variable; null if it is not set. Null also in a program with more privileges than its
 * caller, such as a set-user-ID one, since variables name libraries to load and files to write.
 */
SYCLZE_INLINE const char *syclze__environment(const char *name) {
#ifdef __linux__
  return syclze__secure_getenv(name);
#else
  return getenv(name);
#endif
}

SYCLZE_EXTERN_C_END

#endif
