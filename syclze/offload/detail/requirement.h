/* Bodies of requirement.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_REQUIREMENT_H
#define SYCLZE_OFFLOAD_DETAIL_REQUIREMENT_H

#include "../requirement.h"

#include <stdarg.h>
#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* SYCL's aspects that an image may require, by DPC++'s numbers. */
enum syclze__aspect {
  SYCLZE__ASPECT_CPU = 1,
  SYCLZE__ASPECT_GPU = 2,
  SYCLZE__ASPECT_ACCELERATOR = 3,
  SYCLZE__ASPECT_FP16 = 5,
  SYCLZE__ASPECT_FP64 = 6,
  SYCLZE__ASPECT_IMAGE = 9,
  SYCLZE__ASPECT_ONLINE_COMPILER = 10,
  SYCLZE__ASPECT_ONLINE_LINKER = 11,
  SYCLZE__ASPECT_QUEUE_PROFILING = 12,
  SYCLZE__ASPECT_USM_DEVICE = 13,
  SYCLZE__ASPECT_USM_HOST = 14,
  SYCLZE__ASPECT_USM_SHARED = 15,
  SYCLZE__ASPECT_USM_SYSTEM = 17,
  SYCLZE__ASPECT_USM_ATOMIC_HOST = 26,
  SYCLZE__ASPECT_USM_ATOMIC_SHARED = 27,
  SYCLZE__ASPECT_ATOMIC64 = 28
};

#if SYCLZE__BODIES

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

SYCLZE_COLD const char *syclze_aspect_string(uint32_t aspect) {
  static const char *const names[] = {"host", "cpu", "gpu", "accelerator", "custom", "fp16", "fp64",
      NULL, NULL, "image", "online_compiler", "online_linker", "queue_profiling",
      "usm_device_allocations", "usm_host_allocations", "usm_shared_allocations", NULL,
      "usm_system_allocations", "ext_intel_pci_address", "ext_intel_gpu_eu_count",
      "ext_intel_gpu_eu_simd_width", "ext_intel_gpu_slices", "ext_intel_gpu_subslices_per_slice",
      "ext_intel_gpu_eu_count_per_subslice", "ext_intel_max_mem_bandwidth", "ext_intel_mem_channel",
      "usm_atomic_host_allocations", "usm_atomic_shared_allocations", "atomic64",
      "ext_intel_device_info_uuid", "ext_oneapi_srgb", "ext_oneapi_native_assert",
      "host_debuggable", "ext_intel_gpu_hw_threads_per_eu", "ext_oneapi_cuda_async_barrier",
      "ext_intel_free_memory", "ext_intel_device_id", "ext_intel_memory_clock_rate",
      "ext_intel_memory_bus_width", "emulated", "ext_intel_legacy_image"};
  const char *name = aspect < sizeof names / sizeof *names ? names[aspect] : NULL;
  return name != NULL ? name : "unknown";
}

/* Whether the device has an aspect, where that can be decided: false for an unknown one. */
SYCLZE_LOCAL bool syclze__aspect_check(
    uint32_t aspect, const syclze_device_traits *traits, bool *has) {
  const struct {
    uint32_t number;
    bool has;
  } aspects[] = {{SYCLZE__ASPECT_CPU, traits->type == ZE_DEVICE_TYPE_CPU},
      {SYCLZE__ASPECT_GPU, traits->type == ZE_DEVICE_TYPE_GPU},
      {SYCLZE__ASPECT_ACCELERATOR, traits->type == ZE_DEVICE_TYPE_FPGA},
      {SYCLZE__ASPECT_FP16, traits->has_fp16}, {SYCLZE__ASPECT_FP64, traits->has_fp64},
      {SYCLZE__ASPECT_IMAGE, traits->has_images}, {SYCLZE__ASPECT_ONLINE_COMPILER, true},
      {SYCLZE__ASPECT_ONLINE_LINKER, true}, {SYCLZE__ASPECT_QUEUE_PROFILING, true},
      {SYCLZE__ASPECT_USM_DEVICE, traits->has_device_usm},
      {SYCLZE__ASPECT_USM_HOST, traits->has_host_usm},
      {SYCLZE__ASPECT_USM_SHARED, traits->has_shared_usm},
      {SYCLZE__ASPECT_USM_SYSTEM, traits->has_system_usm},
      {SYCLZE__ASPECT_USM_ATOMIC_HOST, traits->has_host_atomics},
      {SYCLZE__ASPECT_USM_ATOMIC_SHARED, traits->has_shared_atomics},
      {SYCLZE__ASPECT_ATOMIC64, traits->has_atomic64}};
  for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++) {
    if (aspects[i].number != aspect) continue;
    *has = aspects[i].has;
    return true;
  }
  *has = false;
  return false;
}

/* Whether SPIR-V itself shows that it needs an aspect. */
SYCLZE_INLINE bool syclze__aspect_is_in_spirv(uint32_t aspect) {
  return aspect == SYCLZE__ASPECT_FP16 || aspect == SYCLZE__ASPECT_FP64 ||
         aspect == SYCLZE__ASPECT_ATOMIC64 || aspect == SYCLZE__ASPECT_IMAGE;
}

/* `is_part`: what the properties have for all kernels may be of others than the part's. */
SYCLZE_INLINE bool syclze__aspects_met(
    syclze_bytes aspects, const syclze_device_traits *traits, bool is_part, syclze_reason *reason) {
  for (size_t at = 0; at + 4 <= aspects.size; at += 4) {
    bool has;
    uint32_t aspect = syclze__load_u32((const uint8_t *)aspects.data + at);
    if (!syclze__aspect_check(aspect, traits, &has))
      return syclze__reason_set(reason, "it requires aspect %u, which is unknown", aspect);
    if (!has && !(is_part && syclze__aspect_is_in_spirv(aspect)))
      return syclze__reason_set(
          reason, "it requires %s, which the device does not have", syclze_aspect_string(aspect));
  }
  return true;
}

/* `sizes` in the device's order: x first. */
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

/* The property has the slowest dimension first; older compilers wrote numbers of four bytes. */
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
  for (size_t i = 0; i < dimensions && i < 3; i++) {
    const uint8_t *at = (const uint8_t *)bytes.data + width * (dimensions - 1 - i);
    sizes[i] = width == 8 ? syclze__load_u64(at) : syclze__load_u32(at);
  }
  return syclze__group_size_met(sizes, traits, reason);
}

/* The aspects of the targets that the program was compiled for (-fsycl-fixed-targets): the device
 * has one of them. Those of architectures are not known here, and may be the device's. */
SYCLZE_LOCAL bool syclze__fixed_target_met(
    syclze_property_sets sets, const syclze_device_traits *traits, syclze_reason *reason) {
  syclze_bytes targets;
  bool has = false, is_met = false;
  if (!syclze_property_get_bytes(
          sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_FIXED_TARGET, &targets) ||
      targets.size < 4)
    return true;
  for (size_t at = 0; at + 4 <= targets.size && !is_met; at += 4)
    is_met =
        !syclze__aspect_check(syclze__load_u32((const uint8_t *)targets.data + at), traits, &has) ||
        has;
  return is_met ||
         syclze__reason_set(reason, "it is for fixed targets (%s), none of which is the device",
             syclze_aspect_string(syclze__load_u32((const uint8_t *)targets.data)));
}

/* Matrix units, by the versions of Intel's GPUs that have them; an unknown version may. */
SYCLZE_LOCAL bool syclze__joint_matrix_met(
    syclze_property_sets sets, const syclze_device_traits *traits, syclze_reason *reason) {
  uint32_t version = traits->ip_version;
  uint32_t architecture = syclze_ip_version_architecture(version);
  uint32_t release = syclze_ip_version_release(version);
  if (syclze_property_find(sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_JOINT_MATRIX) ==
          NULL &&
      syclze_property_find(
          sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_JOINT_MATRIX_MAD) == NULL)
    return true;
  if (traits->type == ZE_DEVICE_TYPE_GPU && traits->vendor_id == 0x8086 &&
      (version == 0 || architecture > 12 ||
          (architecture == 12 && ((release >= 55 && release <= 61) || release == 74))))
    return true;
  return syclze__reason_set(reason, "it requires joint_matrix, which the device does not have");
}

SYCLZE_LOCAL bool syclze__properties_met(syclze_property_sets sets,
    const syclze_device_traits *traits, bool is_part, bool *has_aspects, syclze_reason *reason) {
  syclze_bytes aspects;
  uint32_t size, is_esimd = 0;
  *has_aspects = syclze_property_get_bytes(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_ASPECTS, &aspects);
  if (*has_aspects && !syclze__aspects_met(aspects, traits, is_part, reason)) return false;
  if (is_part) *has_aspects = false;
  if (!syclze__joint_matrix_met(sets, traits, reason)) return false;
  if (!syclze__fixed_target_met(sets, traits, reason)) return false;
  if (!syclze__property_group_size_met(sets, traits, reason)) return false;
  /* ESIMD kernels have sub-groups of one, independent of the list of the device. */
  syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_IS_ESIMD_IMAGE, &is_esimd);
  return is_esimd != 0 ||
         !syclze_property_get_u32(
             sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE, &size) ||
         syclze__sub_group_size_met(size, traits, reason);
}

SYCLZE_LOCAL bool syclze__spirv_needs_met(const syclze_spirv_index *index, const char *kernel,
    const syclze_device_traits *traits, bool has_aspects, syclze_reason *reason) {
  static const struct {
    uint32_t need, aspect;
  } aspects[] = {{SYCLZE_SPIRV_NEEDS_FP16, SYCLZE__ASPECT_FP16},
      {SYCLZE_SPIRV_NEEDS_FP64, SYCLZE__ASPECT_FP64},
      {SYCLZE_SPIRV_NEEDS_ATOMIC64, SYCLZE__ASPECT_ATOMIC64},
      {SYCLZE_SPIRV_NEEDS_IMAGES, SYCLZE__ASPECT_IMAGE}};
  uint32_t version = index->spirv.version;
  if (traits->spirv_version != 0 && version > traits->spirv_version)
    return syclze__reason_set(reason, "it is SPIR-V %u.%u, and the limit of the device is %u.%u",
        version >> 16, version >> 8 & 0xff, traits->spirv_version >> 16,
        traits->spirv_version >> 8 & 0xff);
  if (!syclze_spirv_has_capability(&index->spirv, SYCLZE_SPIRV_CAPABILITY_KERNEL))
    return syclze__reason_set(reason, "its SPIR-V has no kernels of OpenCL's kind");
  if (index->pointer_size != sizeof(void *))
    return syclze__reason_set(reason, "its pointers have %u bits", 8 * index->pointer_size);
  for (size_t i = 0; i < sizeof aspects / sizeof *aspects && !has_aspects; i++) {
    bool has = true;
    syclze__aspect_check(aspects[i].aspect, traits, &has);
    if (index->needs & aspects[i].need && !has)
      return syclze__reason_set(reason, "its SPIR-V needs %s, which the device does not have",
          syclze_aspect_string(aspects[i].aspect));
  }
  if (index->needs & SYCLZE_SPIRV_NEEDS_SUB_GROUPS &&
      !syclze__sub_group_size_met(0, traits, reason))
    return false;
  const syclze_spirv_kernel *wanted =
      kernel != NULL ? syclze_spirv_index_kernel(index, kernel) : NULL;
  if (wanted == NULL) return true;
  const uint32_t *required = wanted->required_group_size;
  uint64_t sizes[3] = {required[0], required[1], required[2]};
  return syclze__group_size_met(sizes, traits, reason) &&
         (wanted->required_sub_group_size == 0 ||
             syclze__sub_group_size_met(wanted->required_sub_group_size, traits, reason));
}

/* `shared`: the index of the image's SPIR-V; null if there is none yet. `is_part`: the image's
 * bytes are a part of it. */
SYCLZE_LOCAL bool syclze__requirements_met(const syclze_offload_image *image,
    const struct syclze__shared_index *shared, bool is_part, const char *kernel,
    const syclze_device_traits *traits, syclze_reason *reason) {
  bool has_aspects = false, met = true;
  syclze_property_sets sets = {NULL};
  reason->text[0] = '\0';
  if (image->property_sets_begin != NULL || image->property_text.size != 0) {
    if (syclze_property_sets_open(image, &sets) != ZE_RESULT_SUCCESS)
      return syclze__reason_set(reason, "its properties cannot be read");
    met = syclze__properties_met(sets, traits, is_part, &has_aspects, reason);
    syclze_property_sets_close(sets);
  }
  if (!met || syclze_offload_format_of(image->bytes) != SYCLZE_OFFLOAD_FORMAT_SPIRV) return met;
  struct syclze__shared_index own;
  if (shared == NULL) own.status = syclze__spirv_index_read(image->bytes, &own.index);
  const struct syclze__shared_index *content = shared != NULL ? shared : &own;
  if (content->status.result != ZE_RESULT_SUCCESS)
    return syclze__reason_set(reason, "it is malformed: %s", content->status.rule);
  met = syclze__spirv_needs_met(&content->index, kernel, traits, has_aspects, reason);
  if (shared == NULL) syclze_spirv_index_end(&own.index);
  return met;
}

SYCLZE_COLD bool syclze_requirements_met(const syclze_offload_image *image, const char *kernel,
    const syclze_device_traits *traits, syclze_reason *reason) {
  return syclze__requirements_met(image, NULL, false, kernel, traits, reason);
}

#endif

SYCLZE_EXTERN_C_END

#endif
