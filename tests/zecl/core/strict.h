/* ZECL_CHECK=1: the wish to be told of mistakes that drivers of GPUs let pass. */
#ifndef ZECL_CORE_STRICT_H
#define ZECL_CORE_STRICT_H

#include <stdbool.h>

bool zecl_is_strict(void);

#endif
