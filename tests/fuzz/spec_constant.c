/* Fuzz target: specialisation constants of an image whose first bytes are the length of its SPIR-V
   and whose rest is the text of its properties. Every constant is read and set. */
#include "syclze/offload/spec_constant.h"
#include "use.h"

static void use_constant(syclze_spec_constants constants, const syclze_spec_constant *constant) {
  static const uint8_t value[64] = {1, 2, 3};
  char name[64];
  syclze_bytes bytes = syclze_spec_constant_value(constants, constant);
  use(bytes.data, bytes.size);
  use(constant->leaves, constant->leaf_count * sizeof *constant->leaves);
  for (uint32_t i = 0; i < constant->leaf_count && i < 8; i++)
    if (constant->leaves[i].size <= sizeof value)
      syclze_spec_constant_set_id(
          constants, constant->leaves[i].id, value, constant->leaves[i].size);
  if (constant->name.size == 0 || constant->name.size >= sizeof name) return;
  if (constant->size > sizeof value) return;
  memcpy(name, constant->name.data, constant->name.size);
  name[constant->name.size] = 0;
  syclze_spec_constant_set_bytes(constants, name, value, constant->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  size_t module = (size_t)data[0] | (size_t)data[1] << 8;
  if (module > size - 2) module = size - 2;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(data + 2, module));
  image.property_text = syclze_bytes_of(data + 2 + module, size - 2 - module);
  syclze_spec_constants constants;
  if (syclze_spec_constants_make(&image, &constants) != ZE_RESULT_SUCCESS) return 0;
  const syclze_spec_constant *constant;
  for (uint32_t i = 0; (constant = syclze_spec_constant_at(constants, i)) != NULL && i < 64; i++)
    use_constant(constants, constant);
  const ze_module_constants_t native = syclze_spec_constants_native(constants);
  for (uint32_t i = 0; i < native.numConstants; i++) {
    use(&native.pConstantIds[i], 4);
    use(native.pConstantValues[i], 8);
  }
  const syclze_bytes blob = syclze_spec_constants_blob(constants);
  use(blob.data, blob.size);
  syclze_spec_constants_end(constants);
  return 0;
}
