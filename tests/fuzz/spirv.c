/* Fuzz target: SPIR-V, its index with all that it lists, and the leaves of its composites. */
#include "syclze/offload/spirv.h"
#include "use.h"

static void use_name(const char *name) {
  use(name, strlen(name));
}

static void use_composites(const syclze_spirv_index *index) {
  for (uint32_t i = 0; i < index->composite_count; i++) {
    const syclze_spirv_composite *composite = &index->composites[i];
    syclze_spec_leaf *leaves = (syclze_spec_leaf *)malloc(composite->leaf_count * sizeof *leaves);
    if (leaves == NULL) return;
    memset(leaves, 0, composite->leaf_count * sizeof *leaves);
    syclze_spirv_index_leaves(index, composite, leaves);
    use(leaves, composite->leaf_count * sizeof *leaves);
    free(leaves);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_spirv_index index;
  const syclze_bytes bytes = syclze_bytes_of(data, size);
  syclze_spirv spirv;
  uint32_t position = 0;
  if (syclze_spirv_open(bytes, &spirv) == ZE_RESULT_SUCCESS) {
    const char *name;
    while ((name = syclze_spirv_next_kernel_name(&spirv, &position)) != NULL)
      use_name(name);
  }
  if (syclze_spirv_index_make(bytes, &index) != ZE_RESULT_SUCCESS) return 0;
  for (uint32_t i = 0; i < index.kernel_count; i++) {
    use_name(index.kernels[i].name);
    use(index.kernels[i].arguments,
        index.kernels[i].argument_count * sizeof *index.kernels[i].arguments);
  }
  for (uint32_t i = 0; i < index.import_count; i++)
    use_name(index.imports[i].name);
  for (uint32_t i = 0; i < index.export_count; i++)
    use_name(index.exports[i].name);
  use(index.constants, index.constant_count * sizeof *index.constants);
  use_composites(&index);
  syclze_spirv_index_end(&index);
  return 0;
}
