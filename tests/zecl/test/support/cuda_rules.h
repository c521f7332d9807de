/* The rules that the libcuda of the tests keeps, each of them broken: the process ends, with a line
 * that names the rule. */
#ifndef ZECL_TEST_CUDA_RULES_H
#define ZECL_TEST_CUDA_RULES_H

#include "engine/cuda/driver.h"

struct rule {
  void (*how)(void);
  const char *words; /* in the line */
};

/* The functions of the libcuda; null outside the processes that break rules. */
extern struct zecl_cuda_driver rules_cuda;

#define CU(name) rules_cuda.name

extern struct rules_made {
  CUcontext contexts[2];
  CUstream stream;
  CUdeviceptr device; /* of 4,096 bytes, as is the host's */
  void *host;
} rules_made;

void rules_make(void);
void rules_unmake(void);

/* Ends the case unless the process ends in peace. */
void rules_check_right(void (*how)(void));

/* Ends the case unless each process ends with the words of its rule. All run at once. */
void rules_check_each(const struct rule *rules, size_t count);

#endif
