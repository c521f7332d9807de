/* Reserved address space. */
#ifndef ZECL_MEMORY_VIRTUAL_MEMORY_H
#define ZECL_MEMORY_VIRTUAL_MEMORY_H

#include "engine/engine.h"

/* The functions for virtual memory of the engine, or of the host. */
const struct zecl_engine_virtual *zecl_virtual(void);

/* Calls `see` with each reservation. Nothing else may be going on. */
void zecl_virtual_each(void (*see)(const void *base, size_t size));

#endif
