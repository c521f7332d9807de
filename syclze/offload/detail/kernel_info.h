/* Bodies of kernel_info.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_KERNEL_INFO_H
#define SYCLZE_OFFLOAD_DETAIL_KERNEL_INFO_H

#include "../kernel_info.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Reads the mask: it has one bit for each argument of the source, set if the argument was removed.
 */
SYCLZE_LOCAL struct syclze__status syclze__kernel_info_mask(
    const syclze_property *property, syclze_kernel_info *info) {
  if (property->type != SYCLZE_PROPERTY_TYPE_BYTES ||
      property->bit_count > 8 * (uint64_t)property->bytes.size)
    return syclze__invalid("kernel param opt: a mask is shorter than its count of arguments");
  if (property->bit_count > SYCLZE_KERNEL_ARGUMENT_LIMIT)
    return syclze__unsupported("kernel param opt: a kernel has too many arguments");
  info->source_argument_count = (uint32_t)property->bit_count;
  for (uint32_t i = 0; i < info->source_argument_count; i++) {
    uint64_t bit = ((const uint8_t *)property->bytes.data)[i / 8] >> i % 8 & 1;
    info->removed[i / 64] |= bit << i % 64;
    info->argument_count += bit == 0;
  }
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_kernel_info_read(
    const syclze_offload_image *image, const char *kernel, syclze_kernel_info *info) {
  syclze_property_sets sets;
  if (info != NULL) memset(info, 0, sizeof *info);
  if (image == NULL || kernel == NULL || info == NULL)
    return syclze__fail_pointer(
        "syclze_kernel_info_read", "the image's, the kernel's or the result's pointer is null");
  ze_result_t result = syclze_property_sets_open(image, &sets);
  if (result != ZE_RESULT_SUCCESS) return result;
  uint32_t number = 0;
  const syclze_property *mask =
      syclze_property_find(sets, SYCLZE_PROPERTY_SET_KERNEL_PARAM_OPT, kernel);
  struct syclze__status status = syclze__allowed();
  if (mask != NULL) status = syclze__kernel_info_mask(mask, info);
  info->uses_assert =
      syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_ASSERT_USED, kernel, &number) &&
      number != 0;
  info->has_implicit_local_argument = syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_IMPLICIT_LOCAL_ARG, kernel, &info->implicit_local_argument);
  syclze_property_sets_close(sets);
  if (status.result != ZE_RESULT_SUCCESS) memset(info, 0, sizeof *info);
  return syclze__finish(status, "syclze_kernel_info_read", image->bytes.data);
}

/* True if the kernel has as many arguments as the mask leaves. DPC++'s run-time compiler writes
 * masks of whole bytes: surplus bits of such a mask are cut off. */
SYCLZE_LOCAL bool syclze__kernel_info_fit(syclze_kernel_info *info, uint32_t argument_count) {
  if (info->source_argument_count == 0 || info->argument_count == argument_count) return true;
  uint32_t padding = info->argument_count - argument_count;
  if (info->argument_count < argument_count || padding > 7 || info->source_argument_count % 8 != 0)
    return false;
  for (uint32_t i = info->source_argument_count - padding; i < info->source_argument_count; i++)
    if ((info->removed[i / 64] >> i % 64 & 1) != 0) return false;
  info->source_argument_count -= padding;
  info->argument_count = argument_count;
  return true;
}

SYCLZE_COLD bool syclze_kernel_info_argument(
    const syclze_kernel_info *info, uint32_t source_index, uint32_t *index) {
  uint32_t removed = 0;
  uint32_t end =
      source_index < info->source_argument_count ? source_index : info->source_argument_count;
  for (uint32_t i = 0; i < end / 64; i++)
    removed += (uint32_t)__builtin_popcountll(info->removed[i]);
  if (end % 64 != 0)
    removed +=
        (uint32_t)__builtin_popcountll(info->removed[end / 64] & (((uint64_t)1 << end % 64) - 1));
  if (source_index < info->source_argument_count &&
      (info->removed[source_index / 64] >> source_index % 64 & 1) != 0)
    return false;
  *index = source_index - removed;
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
