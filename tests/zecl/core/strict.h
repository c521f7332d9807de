/* ZECL_CHECK=1: mistakes that drivers of GPUs let pass are errors. */
#ifndef ZECL_CORE_STRICT_H
#define ZECL_CORE_STRICT_H

#include <stdbool.h>

bool zecl_is_strict(void);

#endif
