/* Level Zero's build flags in OpenCL's words. */
#ifndef ZECL_ENGINE_BUILD_FLAGS_H
#define ZECL_ENGINE_BUILD_FLAGS_H

#include "core/text.h"

/* Appends to `options` what `flags` (may be null) means to OpenCL. Flags stand between spaces or
 * commas. Hints are dropped, unknown -ze- flags are dropped with a warning in the log, as
 * the specification says; what is not Level Zero's goes to the platform as it is. */
void zecl_build_flags(const char *flags, struct zecl_text *options, struct zecl_text *log);

#endif
