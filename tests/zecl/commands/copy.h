/* Copies and fills, on the calling thread. */
#ifndef ZECL_COMMANDS_COPY_H
#define ZECL_COMMANDS_COPY_H

#include "commands/command.h"

void zecl_run_fill(const struct zecl_fill *fill);
void zecl_run_copy_region(const struct zecl_copy_region *region);

#endif
