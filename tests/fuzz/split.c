/* Fuzz target: dividing SPIR-V. A part is a module that can be read, with the kernels of the whole
 * in one part each. */
#include "syclze/offload/split.h"
#include "use.h"

static void divide(syclze_bytes bytes, syclze_split_by by) {
  syclze_split split;
  uint32_t kernels = 0;
  if (syclze_split_make(bytes, by, &split) != ZE_RESULT_SUCCESS) return;
  for (uint32_t i = 0; i < split.part_count && i < 64; i++) {
    size_t size = 0;
    if (syclze_split_write(&split, i, NULL, &size) != ZE_RESULT_SUCCESS) abort();
    if (size == 0 || size > bytes.size) abort();
    void *part = malloc(size);
    if (part == NULL) break;
    if (syclze_split_write(&split, i, part, &size) != ZE_RESULT_SUCCESS) abort();
    syclze_spirv spirv;
    if (syclze_spirv_open(syclze_bytes_of(part, size), &spirv) != ZE_RESULT_SUCCESS) abort();
    uint32_t position = 0;
    while (syclze_spirv_next_kernel_name(&spirv, &position) != NULL)
      kernels++;
    use(part, size);
    free(part);
  }
  syclze_spirv whole;
  uint32_t position = 0;
  if (syclze_spirv_open(bytes, &whole) != ZE_RESULT_SUCCESS) abort();
  while (syclze_spirv_next_kernel_name(&whole, &position) != NULL)
    if (kernels-- == 0 && split.part_count <= 64) abort();
  syclze_split_end(&split);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const syclze_bytes bytes = syclze_bytes_of(data, size);
  divide(bytes, SYCLZE_SPLIT_BY_KERNEL);
  divide(bytes, SYCLZE_SPLIT_BY_REQUIREMENT);
  divide(bytes, SYCLZE_SPLIT_AUTO);
  return 0;
}
