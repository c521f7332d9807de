/* Modules of the tests on their way to PTX, in a process with a cache folder of its own. */
#ifndef ZECL_CUDA_TEST_MODULES_H
#define ZECL_CUDA_TEST_MODULES_H

#include "engine/cuda/ptx.h"
#include "test/harness/check.h"

/* A module from a file, relative to zecl's folder. Ends the case where it cannot be read. */
void test_read_spirv(const char *path, struct zecl_spirv *spirv);

/* Ends the case as skipped where LLVM, llvm-spirv or libclc is not installed. */
void test_needs_llvm(void);

/* Builds for capability 8.0; where it fails, the log is the failure's text. */
void test_build(const struct zecl_spirv *spirv, struct zecl_ptx *ptx);

const struct zecl_ptx_kernel *test_kernel(const struct zecl_ptx *ptx, const char *name);

/* Assembles PTX. 0: ptxas is not here; -1: it fails, with its words in the log. The cubin's bytes
 * go to `cubin`, which may be null. */
int test_assemble(const struct zecl_ptx *ptx, struct zecl_text *cubin, struct zecl_text *log);

/* A file of this process, which is removed when it ends. The cache's folder is cache/ beside it. */
const char *test_path(const char *name);

#endif
