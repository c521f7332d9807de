/* Copies and fills, done by the thread that calls. */
#ifndef ZECL_COPY_H
#define ZECL_COPY_H

#include "command.h"

void zecl_run_fill(const struct zecl_fill *fill);
void zecl_run_copy_region(const struct zecl_copy_region *region);

#endif
