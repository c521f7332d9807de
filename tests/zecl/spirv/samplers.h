/* The functions of a module that read images with the module's own, constant samplers. */
#ifndef ZECL_SPIRV_SAMPLERS_H
#define ZECL_SPIRV_SAMPLERS_H

#include "spirv/spirv.h"

enum { ZECL_SAMPLES_NORMALISED = 1, ZECL_SAMPLES_BORDER = 2 };

/* The kinds of samplers that each id of a function, or a function that it calls, names. Kinds that
 * it does not name may be among them. Null: no memory. The caller frees it. */
unsigned char *zecl_spirv_samplers(const struct zecl_spirv *spirv);

#endif
