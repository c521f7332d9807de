/* The fit of an image to a device, and the candidates in the image. */
#include "../selection.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_IMAGE_MATCH_H
#define SYCLZE_OFFLOAD_DETAIL_IMAGE_MATCH_H

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* True if the triple is one of Level Zero's, by its part before the first '-', or all of it. */
SYCLZE_LOCAL_WARM bool syclze__triple_is_level_zero(syclze_text triple) {
  static const char *const ours[] = {
      "spir64", "spirv64", "spir64_gen", "spir64_x86_64", "spir", "spirv", NULL};
  syclze_text architecture = syclze__text_before(triple, '-');
  if (architecture.size == 0) return true;
  for (int i = 0; ours[i] != NULL; i++)
    if (syclze_text_is(architecture, ours[i])) return true;
  return false;
}

/* True for NVIDIA's code, PTX or cubin, on a device of NVIDIA's: its driver decides. */
SYCLZE_LOCAL bool syclze__triple_is_of_nvidia(
    syclze_text triple, const syclze_device_traits *traits) {
  syclze_text architecture = syclze__text_before(triple, '-');
  return traits->vendor_id == 0x10de &&
         (syclze_text_is(architecture, "nvptx64") || syclze_text_is(architecture, "llvm_nvptx64"));
}

/* The fit of native code for `version`; 0 is unknown. */
SYCLZE_INLINE syclze_fit syclze__ip_version_fit(
    uint32_t version, const syclze_device_traits *traits, syclze_reason *reason) {
  if (version == 0 || traits->ip_version == 0) return SYCLZE_FIT_MAYBE_NATIVE;
  if (version == traits->ip_version) return SYCLZE_FIT_NATIVE;
  /* Revisions of one release may run each other's code: the driver decides. */
  if (version >> 14 == traits->ip_version >> 14) return SYCLZE_FIT_MAYBE_NATIVE;
  syclze__reason_set(reason, "it is native code for %u.%u.%u, and the device is %u.%u.%u",
      syclze_ip_version_architecture(version), syclze_ip_version_release(version),
      syclze_ip_version_revision(version), syclze_ip_version_architecture(traits->ip_version),
      syclze_ip_version_release(traits->ip_version),
      syclze_ip_version_revision(traits->ip_version));
  return SYCLZE_FIT_NONE;
}

SYCLZE_INLINE syclze_fit syclze__zebin_fit(
    syclze_bytes bytes, const syclze_device_traits *traits, syclze_reason *reason) {
  SYCLZE__ZEROED(syclze_zebin, zebin);
  struct syclze__status status = syclze__zebin_read(bytes, &zebin);
  if (status.result == ZE_RESULT_SUCCESS)
    return syclze__ip_version_fit(zebin.ip_version, traits, reason);
  syclze__reason_set(reason, "it is malformed: %s", status.rule);
  return SYCLZE_FIT_NONE;
}

/* The best fit of an archive's members; the driver gets the whole archive, and selects a member
 * itself. */
SYCLZE_LOCAL syclze_fit syclze__archive_fit(
    syclze_bytes bytes, const syclze_device_traits *traits, syclze_reason *reason) {
  syclze_archive_cursor cursor = syclze_archive_begin(bytes);
  syclze_archive_member member;
  syclze_fit best = SYCLZE_FIT_NONE;
  syclze__reason_set(
      reason, "its archive has no native code of %u bits", (unsigned)(8 * sizeof(void *)));
  while (syclze__archive_step(&cursor, &member)) {
    if (member.pointer_bits != 8 * sizeof(void *)) continue;
    syclze_fit fit = member.ip_version != 0
                         ? syclze__ip_version_fit(member.ip_version, traits, reason)
                         : syclze__zebin_fit(member.bytes, traits, reason);
    if (fit > best) best = fit;
  }
  return best;
}

/* The fit of native code. "spir64_gen" and "bmg_g21" are less exact than the code itself: only an
 * `arch` that is itself a version is compared. */
SYCLZE_INLINE syclze_fit syclze__native_fit(
    const syclze_offload_image *image, const syclze_device_traits *traits, syclze_reason *reason) {
  uint32_t version = 0;
  syclze_offload_format format = syclze_offload_format_of(image->bytes);
  switch (format) {
  case SYCLZE_OFFLOAD_FORMAT_ZEBIN:
    return syclze__zebin_fit(image->bytes, traits, reason);
  case SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE:
    return syclze__archive_fit(image->bytes, traits, reason);
  case SYCLZE_OFFLOAD_FORMAT_ELF:
    syclze_ip_version_parse(syclze_offload_image_text(image, "arch"), &version);
    return syclze__ip_version_fit(version, traits, reason);
  case SYCLZE_OFFLOAD_FORMAT_COMPRESSED:
    syclze__reason_set(reason, "it is compressed");
    return SYCLZE_FIT_NONE;
  default:
    syclze__reason_set(
        reason, "a driver accepts no code of its format: %s", syclze_offload_format_string(format));
    return SYCLZE_FIT_NONE;
  }
}

/* `shared`: the index of the image's SPIR-V; null if there is none yet. `result` as in
 * syclze__requirements_met. */
SYCLZE_LOCAL uint32_t syclze__selection_check(const syclze_offload_image *image,
    const struct syclze__shared_index *shared, const char *kernel,
    const syclze_device_traits *traits, syclze_candidate *candidates, syclze_reason *reason,
    ze_result_t *result) {
  uint32_t count = 0;
  syclze_text triple = syclze_offload_image_text(image, "triple");
  memset(reason, 0, sizeof *reason);
  if (image->bytes.size == 0) {
    syclze__reason_set(reason, "it has no code");
    return 0;
  }
  const bool is_of_nvidia = syclze__triple_is_of_nvidia(triple, traits);
  if (!is_of_nvidia && !syclze__triple_is_level_zero(triple)) {
    syclze__reason_set(
        reason, "it is for %.*s", triple.size < 64 ? (int)triple.size : 64, triple.data);
    return 0;
  }
  syclze_bytes spirv =
      is_of_nvidia ? syclze_bytes_of(NULL, 0) : syclze_offload_spirv_of(image->bytes);
  SYCLZE__ZEROED(syclze_candidate, candidate);
  candidate.image = *image;
  candidate.format = ZE_MODULE_FORMAT_NATIVE;
  candidate.module = image->bytes;
  if (is_of_nvidia)
    candidate.fit = SYCLZE_FIT_MAYBE_NATIVE;
  else if (spirv.size == 0 || spirv.data != image->bytes.data)
    candidate.fit = syclze__native_fit(image, traits, reason);
  if (candidate.fit != SYCLZE_FIT_NONE &&
      syclze__requirements_met(image, NULL, false, kernel, traits, reason, result))
    candidates[count++] = candidate;
  if (spirv.size == 0) return count;
  candidate.fit = SYCLZE_FIT_JIT;
  candidate.format = ZE_MODULE_FORMAT_IL_SPIRV;
  candidate.module = spirv;
  syclze_offload_image inner = *image;
  inner.bytes = spirv;
  if (syclze__requirements_met(&inner, shared, false, kernel, traits, reason, result))
    candidates[count++] = candidate;
  return count;
}

/* The candidate of a part of an image that does not fit whole. */
SYCLZE_LOCAL uint32_t syclze__selection_check_part(syclze_offload_set set,
    const syclze_offload_found *found, struct syclze__shared_index *shared, const char *kernel,
    const syclze_device_traits *traits, syclze_candidate *candidate, syclze_reason *reason,
    ze_result_t *result) {
  uint32_t number = 0;
  syclze_reason whole;
  syclze_offload_image part = found->image;
  syclze_bytes spirv = syclze_offload_spirv_of(part.bytes);
  if (shared == NULL || kernel == NULL || spirv.size == 0 ||
      !syclze__triple_is_level_zero(syclze_offload_image_text(&part, "triple")))
    return 0;
  /* A requirement of the kernel itself is also one of its part. */
  part.bytes = spirv;
  if (syclze__requirements_met(&part, shared, false, NULL, traits, &whole, result)) return 0;
  syclze__lock_acquire(&set.rep->lock);
  struct syclze__shared_index *index =
      set.rep->part_of != NULL ? set.rep->part_of(shared, kernel, &number, result) : NULL;
  syclze__lock_release(&set.rep->lock);
  if (index == NULL || index->status.result != ZE_RESULT_SUCCESS) return 0;
  part.bytes = syclze_bytes_of(index->index.spirv.data, (size_t)index->index.spirv.words * 4);
  if (!syclze__requirements_met(&part, index, true, kernel, traits, reason, result)) return 0;
  memset(candidate, 0, sizeof *candidate);
  candidate->image = found->image;
  candidate->fit = SYCLZE_FIT_JIT;
  candidate->format = ZE_MODULE_FORMAT_IL_SPIRV;
  candidate->module = part.bytes;
  candidate->part = number;
  return 1;
}

SYCLZE_COLD uint32_t syclze_selection_check(const syclze_offload_image *image, const char *kernel,
    const syclze_device_traits *traits, syclze_candidate *candidates, syclze_reason *reason) {
  ze_result_t unused = ZE_RESULT_SUCCESS;
  return syclze__selection_check(image, NULL, kernel, traits, candidates, reason, &unused);
}

/* The candidates of an image of a set, whose SPIR-V is read once for all of its kernels. Sets
 * `result` only if memory lacked to read the image. */
SYCLZE_LOCAL uint32_t syclze__selection_check_found(syclze_offload_set set,
    syclze_offload_found *found, const char *kernel, const syclze_device_traits *traits,
    syclze_candidate *candidates, syclze_reason *reason, ze_result_t *result) {
  struct syclze__shared_index *shared = NULL;
  struct syclze__status status = syclze__offload_index_of(set.rep, found, &shared);
  if (status.result != ZE_RESULT_SUCCESS) {
    if (status.result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) *result = status.result;
    syclze__reason_set(reason, "it is compressed: %s", status.rule);
    return 0;
  }
  uint32_t count = 0;
  char *copy = NULL;
  const char *own_name = kernel;
  if (kernel != NULL) own_name = syclze__kernel_own_name(&found->image, kernel, &copy);
  if (kernel != NULL && own_name == NULL)
    *result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  else
    count = syclze__selection_check(
        &found->image, shared, own_name, traits, candidates, reason, result);
  if (count == 0 && *result == ZE_RESULT_SUCCESS)
    count = syclze__selection_check_part(
        set, found, shared, own_name, traits, candidates, reason, result);
  free(copy);
  syclze__shared_index_release(shared);
  for (uint32_t i = 0; i < count; i++)
    candidates[i].serial = found->serial;
  return count;
}

#endif

SYCLZE_EXTERN_C_END

#endif
