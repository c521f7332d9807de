/* Bodies of requirement.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_REQUIREMENT_H
#define SYCLZE_OFFLOAD_DETAIL_REQUIREMENT_H

#include "../requirement.h"
#include "aspects.h"

#include <stdarg.h>
#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_COLD const char *syclze_aspect_string(uint32_t aspect, syclze_aspect_numbers numbers) {
  const char *name = numbers == SYCLZE_ASPECT_NUMBERS_2025 ? syclze__aspect_name_2025(aspect)
                                                           : syclze__aspect_name_2026(aspect);
  return name != NULL ? name : "unknown";
}

/* Writes a reason. Returns false. */
SYCLZE_LOCAL bool syclze__reason_set(syclze_reason *reason, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

SYCLZE_LOCAL bool syclze__reason_set(syclze_reason *reason, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason->text, sizeof reason->text, format, arguments);
  va_end(arguments);
  return false;
}

/* True if SPIR-V itself shows that it needs an aspect. */
SYCLZE_INLINE bool syclze__aspect_is_in_spirv(const char *name) {
  return strcmp(name, "fp16") == 0 || strcmp(name, "fp64") == 0 || strcmp(name, "atomic64") == 0 ||
         strcmp(name, "image") == 0;
}

/* Properties of an image besides its requirements. */
struct syclze__required {
  syclze_aspect_numbers numbers;
  bool is_part;     /* properties for all kernels may be those of kernels outside of the part */
  bool has_aspects; /* then the SPIR-V's capabilities require nothing more */
  bool is_esimd;    /* its sub-groups are of one work-item, independent of the list of the device */
};

SYCLZE_LOCAL bool syclze__aspects_met(syclze_bytes aspects, const struct syclze__required *required,
    const syclze_device_traits *traits, syclze_reason *reason) {
  for (size_t at = 0; at + 4 <= aspects.size; at += 4) {
    const char *name;
    uint32_t aspect = syclze__load_u32((const uint8_t *)aspects.data + at);
    if (syclze__aspect_check(aspect, required->numbers, traits, &name)) continue;
    if (name == NULL)
      return syclze__reason_set(reason, "it requires aspect %u, which is unknown", aspect);
    if (!required->is_part || !syclze__aspect_is_in_spirv(name))
      return syclze__reason_set(reason, "it requires %s, which the device does not have", name);
  }
  return true;
}

/* True if the device can execute groups of these sizes, in its order: x first. */
SYCLZE_INLINE bool syclze__group_size_met(
    const uint64_t *sizes, const syclze_device_traits *traits, syclze_reason *reason) {
  uint64_t all = 1;
  for (int i = 0; i < 3; i++) {
    if (sizes[i] > traits->max_group_sizes[i])
      return syclze__reason_set(reason,
          "it requires work-groups of %llu work-items in dimension %c, and the limit of the device "
          "is %u",
          (unsigned long long)sizes[i], "xyz"[i], traits -> max_group_sizes[i]);
    all *= sizes[i] != 0 ? sizes[i] : 1;
  }
  if (all <= traits->max_group_size) return true;
  return syclze__reason_set(reason,
      "it requires work-groups of %llu work-items, and the limit of the device is %u",
      (unsigned long long)all, traits->max_group_size);
}

SYCLZE_INLINE bool syclze__sub_group_size_met(
    uint32_t size, const syclze_device_traits *traits, syclze_reason *reason) {
  if (traits->sub_group_size_count == 0)
    return syclze__reason_set(reason, "it requires sub-groups, which the device does not have");
  for (uint32_t i = 0; i < traits->sub_group_size_count; i++)
    if (size == 0 || traits->sub_group_sizes[i] == size) return true;
  return syclze__reason_set(
      reason, "it requires sub-groups of %u, which the device does not have", size);
}

/* False for an image that needs the run time of a sanitizer, or host pipes. */
SYCLZE_LOCAL bool syclze__run_time_met(syclze_property_sets sets, syclze_reason *reason) {
  syclze_text sanitizer =
      syclze_property_get_text(sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_SANITIZER_USED);
  if (sanitizer.size != 0)
    return syclze__reason_set(reason,
        "it is instrumented for a sanitizer (%.*s), which is not there",
        sanitizer.size < 32 ? (int)sanitizer.size : 32, sanitizer.data);
  const syclze_property *pipe = syclze_property_next(sets, SYCLZE_PROPERTY_SET_HOST_PIPES, NULL);
  return pipe == NULL ||
         syclze__reason_set(reason, "it has host pipes (%.*s), which Level Zero does not have",
             pipe->key.size < 64 ? (int)pipe->key.size : 64, pipe->key.data);
}

/* True if the group size of a property is met. Older compilers wrote numbers of four bytes. */
SYCLZE_LOCAL bool syclze__property_group_size_met(
    syclze_property_sets sets, const syclze_device_traits *traits, syclze_reason *reason) {
  syclze_bytes bytes = {NULL, 0};
  uint64_t sizes[3] = {0, 0, 0};
  size_t width = 8;
  if (!syclze_property_get_bytes(sets, SYCLZE_PROPERTY_SET_REQUIREMENTS,
          SYCLZE_PROPERTY_REQD_WORK_GROUP_SIZE_U64, &bytes)) {
    width = 4;
    syclze_property_get_bytes(
        sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_WORK_GROUP_SIZE, &bytes);
  }
  size_t dimensions = bytes.size / width;
  uint32_t used = 3;
  syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_WORK_GROUP_NUM_DIM, &used);
  if (used == 0 || used > 3)
    return syclze__reason_set(reason, "it requires work-groups of %u dimensions", used);
  if (dimensions > used) dimensions = used; /* the others are padding */
  for (size_t i = 0; i < dimensions && i < 3; i++) {
    const uint8_t *at = (const uint8_t *)bytes.data + width * i;
    sizes[i] = width == 8 ? syclze__load_u64(at) : syclze__load_u32(at);
  }
  return syclze__group_size_met(sizes, traits, reason);
}

/* True if the device may have one of the target aspects that the program was compiled for
 * (-fsycl-fixed-targets). Aspects of architectures are unknown here, and may be the device's. */
SYCLZE_LOCAL bool syclze__fixed_target_met(syclze_property_sets sets, syclze_aspect_numbers numbers,
    const syclze_device_traits *traits, syclze_reason *reason) {
  syclze_bytes targets;
  const char *name = "";
  bool is_met = false;
  if (!syclze_property_get_bytes(
          sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_FIXED_TARGET, &targets) ||
      targets.size < 4)
    return true;
  for (size_t at = 0; at + 4 <= targets.size && !is_met; at += 4) {
    uint32_t aspect = syclze__load_u32((const uint8_t *)targets.data + at);
    is_met = syclze__aspect_check(aspect, numbers, traits, &name) || name == NULL;
  }
  return is_met || syclze__reason_set(
                       reason, "it is for fixed targets (%s), none of which is the device", name);
}

SYCLZE_LOCAL bool syclze__joint_matrix_met(
    syclze_property_sets sets, const syclze_device_traits *traits, syclze_reason *reason) {
  if (syclze__has_matrix_units(traits) ||
      (syclze_property_find(sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_JOINT_MATRIX) ==
              NULL &&
          syclze_property_find(
              sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_JOINT_MATRIX_MAD) == NULL))
    return true;
  return syclze__reason_set(reason, "it requires joint_matrix, which the device does not have");
}

SYCLZE_LOCAL bool syclze__properties_met(syclze_property_sets sets,
    struct syclze__required *required, const syclze_device_traits *traits, syclze_reason *reason) {
  syclze_bytes aspects;
  uint32_t size, is_esimd = 0;
  required->has_aspects = syclze_property_get_bytes(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_ASPECTS, &aspects);
  if (required->has_aspects && !syclze__aspects_met(aspects, required, traits, reason))
    return false;
  if (required->is_part) required->has_aspects = false;
  if (!syclze__joint_matrix_met(sets, traits, reason)) return false;
  if (!syclze__fixed_target_met(sets, required->numbers, traits, reason)) return false;
  if (!syclze__property_group_size_met(sets, traits, reason)) return false;
  syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_IS_ESIMD_IMAGE, &is_esimd);
  required->is_esimd = is_esimd != 0;
  if (required->is_esimd && !syclze__aspect_is_met("ext_intel_esimd", traits))
    return syclze__reason_set(
        reason, "it is explicit SIMD (ESIMD), which the device does not have");
  if (!syclze__run_time_met(sets, reason)) return false;
  return required->is_esimd ||
         !syclze_property_get_u32(
             sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE, &size) ||
         syclze__sub_group_size_met(size, traits, reason);
}

/* True if the device meets the requirements of the SPIR-V's capabilities. */
SYCLZE_LOCAL bool syclze__spirv_aspects_met(
    uint32_t needs, const syclze_device_traits *traits, syclze_reason *reason) {
  const struct {
    uint32_t need;
    bool has;
    const char *name;
  } aspects[] = {{SYCLZE_SPIRV_NEEDS_FP16, traits->has_fp16, "fp16"},
      {SYCLZE_SPIRV_NEEDS_FP64, traits->has_fp64, "fp64"},
      {SYCLZE_SPIRV_NEEDS_ATOMIC64, traits->has_atomic64, "atomic64"},
      {SYCLZE_SPIRV_NEEDS_IMAGES, traits->has_images, "image"}};
  for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
    if ((needs & aspects[i].need) != 0 && !aspects[i].has)
      return syclze__reason_set(
          reason, "its SPIR-V needs %s, which the device does not have", aspects[i].name);
  return true;
}

SYCLZE_LOCAL bool syclze__spirv_needs_met(const syclze_spirv_index *index, const char *kernel,
    const syclze_device_traits *traits, const struct syclze__required *required,
    syclze_reason *reason) {
  uint32_t version = index->spirv.version;
  if (traits->spirv_version != 0 && version > traits->spirv_version)
    return syclze__reason_set(reason, "it is SPIR-V %u.%u, and the limit of the device is %u.%u",
        version >> 16, version >> 8 & 0xff, traits->spirv_version >> 16,
        traits->spirv_version >> 8 & 0xff);
  if (!syclze_spirv_has_capability(&index->spirv, SYCLZE_SPIRV_CAPABILITY_KERNEL))
    return syclze__reason_set(reason, "its SPIR-V has no kernels of OpenCL's kind");
  if (index->pointer_size != sizeof(void *))
    return syclze__reason_set(reason, "its pointers have %u bits", 8 * index->pointer_size);
  if (!required->has_aspects && !syclze__spirv_aspects_met(index->needs, traits, reason))
    return false;
  if (index->needs & SYCLZE_SPIRV_NEEDS_SUB_GROUPS && !required->is_esimd &&
      !syclze__sub_group_size_met(0, traits, reason))
    return false;
  const syclze_spirv_kernel *wanted =
      kernel != NULL ? syclze_spirv_index_kernel(index, kernel) : NULL;
  if (wanted == NULL) return true;
  const uint32_t *group = wanted->required_group_size;
  uint64_t sizes[3] = {group[0], group[1], group[2]};
  return syclze__group_size_met(sizes, traits, reason) &&
         (wanted->required_sub_group_size == 0 || required->is_esimd ||
             syclze__sub_group_size_met(wanted->required_sub_group_size, traits, reason));
}

/* `shared`: the index of the image's SPIR-V; null if there is none yet. `is_part`: the image's
 * bytes are a part of it. Sets `result` only if memory lacked for the check. */
SYCLZE_LOCAL bool syclze__requirements_met(const syclze_offload_image *image,
    const struct syclze__shared_index *shared, bool is_part, const char *kernel,
    const syclze_device_traits *traits, syclze_reason *reason, ze_result_t *result) {
  struct syclze__required required = {image->aspect_numbers, is_part, false, false};
  bool met = true;
  syclze_property_sets sets = {NULL};
  reason->text[0] = '\0';
  if (image->property_sets_begin != NULL || image->property_text.size != 0) {
    ze_result_t opened = syclze_property_sets_open(image, &sets);
    if (opened == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) *result = opened;
    if (opened != ZE_RESULT_SUCCESS)
      return syclze__reason_set(reason, "its properties cannot be read");
    met = syclze__properties_met(sets, &required, traits, reason);
    syclze_property_sets_close(sets);
  }
  if (!met || syclze_offload_format_of(image->bytes) != SYCLZE_OFFLOAD_FORMAT_SPIRV) return met;
  struct syclze__shared_index own;
  if (shared == NULL) own.status = syclze__spirv_index_read(image->bytes, &own.index);
  const struct syclze__shared_index *content = shared != NULL ? shared : &own;
  if (content->status.result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY)
    *result = content->status.result;
  if (content->status.result != ZE_RESULT_SUCCESS)
    return syclze__reason_set(reason, "it is malformed: %s", content->status.rule);
  met = syclze__spirv_needs_met(&content->index, kernel, traits, &required, reason);
  if (shared == NULL) syclze_spirv_index_end(&own.index);
  return met;
}

SYCLZE_COLD bool syclze_requirements_met(const syclze_offload_image *image, const char *kernel,
    const syclze_device_traits *traits, syclze_reason *reason) {
  ze_result_t unused = ZE_RESULT_SUCCESS;
  return syclze__requirements_met(image, NULL, false, kernel, traits, reason, &unused);
}

#endif

SYCLZE_EXTERN_C_END

#endif
