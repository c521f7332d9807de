/* Fuzz target: what an image's properties have for a kernel, and the options that it is built with.
   The input is a text of properties, a NUL, and the options of the image. */
#include "syclze/offload/kernel_info.h"
#include "syclze/offload/module_build.h"
#include "use.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_kernel(const syclze_offload_image *image, const char *kernel) {
  static syclze_kernel_info info;
  uint32_t next = 0, index = 0;
  if (syclze_kernel_info_read(image, kernel, &info) != ZE_RESULT_SUCCESS) return;
  if (info.source_argument_count > SYCLZE_KERNEL_ARGUMENT_LIMIT) abort();
  for (uint32_t i = 0; i < info.source_argument_count; i++)
    if (syclze_kernel_info_argument(&info, i, &index) && index != next++) abort();
  if (info.source_argument_count != 0 && next != info.argument_count) abort();
}

static void use_options(const syclze_offload_image *image, uint32_t device_id) {
  syclze_device_traits traits;
  size_t size = 0, same;
  memset(&traits, 0, sizeof traits);
  traits.type = ZE_DEVICE_TYPE_GPU;
  traits.vendor_id = 0x8086;
  traits.device_id = device_id;
  if (syclze_build_options(image, &traits, "-g", NULL, &size) != ZE_RESULT_SUCCESS) abort();
  char *text = (char *)malloc(size);
  same = size;
  if (text == NULL || syclze_build_options(image, &traits, "-g", text, &same) != ZE_RESULT_SUCCESS)
    abort();
  if (same != size || strlen(text) != size - 1) abort();
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *nul = size != 0 ? (const uint8_t *)memchr(data, 0, size) : NULL;
  const size_t properties = nul != NULL ? (size_t)(nul - data) : size;
  syclze_offload_string options;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = syclze_bytes_of(data, properties);
  use_kernel(&image, "k");
  use_kernel(&image, "kernel");
  options.key = syclze_text_of("compile-opts");
  options.value = syclze_bytes_of(data + properties, 0);
  if (nul != NULL) options.value = syclze_bytes_of(nul + 1, size - properties - 1);
  syclze_offload_image_set_strings(&image, &options, 1);
  use_options(&image, 0x0bd5); /* of PVC */
  use_options(&image, 0x56a0);
  return 0;
}
