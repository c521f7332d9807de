/* A folder of a case's own, and the tools that it runs there.

     scratch_begin("llvm-objdump-22");   the case is skipped where there is no such tool
     scratch_run("llvm-objdump-22 --version >%s", scratch_path("version"));
     scratch_end();
*/
#ifndef TESTS_OFFLOAD_SCRATCH_H
#define TESTS_OFFLOAD_SCRATCH_H

#include "syclze/offload/device_image.h"

/* Null for a case that needs no tool. */
void scratch_begin(const char *tool);

void scratch_end(void);

/* A path in the folder, good for the next thirty calls. */
const char *scratch_path(const char *name);

/* Runs a command of the shell; returns what `system` does. */
__attribute__((format(printf, 1, 2))) int scratch_run(const char *format, ...);

void scratch_write(const char *name, syclze_bytes bytes);

#endif
