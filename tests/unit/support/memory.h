/* The program's allocations, wrapped by the linker's --wrap: counted, and made to fail. */
#ifndef TESTS_UNIT_MEMORY_H
#define TESTS_UNIT_MEMORY_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Not counted; for the fake's own use. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void __real_free(void *memory);

/* The n-th calloc from now returns null; 0 for none. */
void memory_fail(unsigned nth);
/* True if one failed since then. */
int memory_failed(void);
/* The next malloc or calloc of the size calls the function first, as if another thread did so
 * meanwhile. */
void memory_interrupt(size_t size, void (*meanwhile)(void));
/* Live allocations since the start. */
long memory_live(void);
/* Callocs since the start. */
unsigned memory_callocs(void);

#ifdef __cplusplus
}
#endif

#endif
