/* The main file of the program that rules.c builds with objects that register images: they are
   there before main, each with its kernels. */
#include "syclze/offload/registry.h"

SYCLZE_DEFINE_SYCL_REGISTER

int main(void) {
  static const char *const kernels[] = {"axpy", "iota", "lsum", "sgk"};
  syclze_offload_set set = syclze_offload_registered();
  uint32_t count = 0;
  syclze_offload_set_list(set, &count, NULL);
  if (count != 2) return 1;
  for (int i = 0; i < 4; i++)
    if (syclze_offload_set_find(set, kernels[i], &count, NULL) != ZE_RESULT_SUCCESS) return 2 + i;
  return 0;
}
