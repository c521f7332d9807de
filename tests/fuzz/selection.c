/* Fuzz target: a file's images in a set, each matched against a device, found by its kernels and
   exports, and linked. The first byte selects the device. */
#include "syclze/offload/division.h"
#include "syclze/offload/selection.h"
#include "use.h"

static syclze_device_traits device_of(uint8_t choice) {
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.type = ZE_DEVICE_TYPE_GPU;
  traits.has_fp64 = choice & 1;
  traits.has_images = choice & 2;
  traits.sub_group_size_count = choice & 4 ? 1 : 0;
  traits.sub_group_sizes[0] = 16;
  traits.ip_version = choice & 8 ? syclze_ip_version_of(12, 55, 8) : 0;
  traits.spirv_version = choice & 16 ? 0x00010400 : 0;
  traits.max_group_size = 256;
  for (int i = 0; i < 3; i++)
    traits.max_group_sizes[i] = 256;
  return traits;
}

static void use_kernel(
    syclze_offload_set set, syclze_text name, const syclze_device_traits *traits) {
  enum { ROOM = 4 };
  char text[128], why[256];
  syclze_candidate candidates[ROOM], others[ROOM];
  uint32_t count = ROOM, other_count = ROOM;
  if (name.size >= sizeof text || memchr(name.data, 0, name.size) != NULL) return;
  memcpy(text, name.data, name.size);
  text[name.size] = '\0';
  ze_result_t result =
      syclze_selection_find(set, text, traits, &count, candidates, why, sizeof why);
  use(why, strlen(why));
  if (result != ZE_RESULT_SUCCESS) return;
  for (uint32_t i = 0; i < count && i < ROOM; i++)
    use(candidates[i].module.data, candidates[i].module.size);
  syclze_selection_link(set, &candidates[0], traits, &other_count, others);
  for (uint32_t i = 0; i < other_count; i++)
    use(others[i].module.data, others[i].module.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { IMAGES = 8, KERNELS = 8 };
  syclze_offload_set set;
  syclze_offload_found found[IMAGES];
  uint32_t images = IMAGES;
  if (size == 0 || syclze_offload_set_create(&set) != ZE_RESULT_SUCCESS) return 0;
  const syclze_device_traits traits = device_of(data[0]);
  syclze_offload_set_allow_division(set);
  syclze_offload_set_add_bytes(set, syclze_bytes_of(data + 1, size - 1), data);
  syclze_offload_set_list(set, &images, found);
  for (uint32_t i = 0; i < images && i < IMAGES; i++) {
    syclze_symbol_cursor cursor;
    syclze_text name;
    syclze_symbols_begin(&found[i].image, &cursor);
    for (int k = 0; k < KERNELS && syclze_symbol_next(&cursor, &name); k++) {
      use(name.data, name.size);
      use_kernel(set, name, &traits);
    }
  }
  use_kernel(set, syclze_text_of("no such kernel"), &traits);
  syclze_offload_set_remove(set, data);
  syclze_offload_set_release(set);
  return 0;
}
