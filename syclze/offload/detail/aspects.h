/* SYCL's aspects by DPC++'s numbers, which changed with DPC++ 2026: it removed six aspects, and the
 * others moved down. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ASPECTS_H
#define SYCLZE_OFFLOAD_DETAIL_ASPECTS_H

#include "../device_image.h"
#include "../device_traits.h"
#include "../ip_version.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Aspects with the same number in both numberings; the others follow. */
#define SYCLZE__ASPECTS_COMMON                                                                     \
  "host", "cpu", "gpu", "accelerator", "custom", "fp16", "fp64", "int64_base_atomics",             \
      "int64_extended_atomics", "image", "online_compiler", "online_linker", "queue_profiling",    \
      "usm_device_allocations", "usm_host_allocations", "usm_shared_allocations",                  \
      "usm_restricted_shared_allocations", "usm_system_allocations", "ext_intel_pci_address",      \
      "ext_intel_gpu_eu_count", "ext_intel_gpu_eu_simd_width", "ext_intel_gpu_slices",             \
      "ext_intel_gpu_subslices_per_slice", "ext_intel_gpu_eu_count_per_subslice",                  \
      "ext_intel_max_mem_bandwidth"

SYCLZE_LOCAL const char *syclze__aspect_name_2025(uint32_t aspect) {
  static const char *const names[] = {SYCLZE__ASPECTS_COMMON, "ext_intel_mem_channel",
      "usm_atomic_host_allocations", "usm_atomic_shared_allocations", "atomic64",
      "ext_intel_device_info_uuid", "ext_oneapi_srgb", "ext_oneapi_native_assert",
      "host_debuggable", "ext_intel_gpu_hw_threads_per_eu", "ext_oneapi_cuda_async_barrier",
      "ext_oneapi_bfloat16_math_functions", "ext_intel_free_memory", "ext_intel_device_id",
      "ext_intel_memory_clock_rate", "ext_intel_memory_bus_width", "emulated",
      "ext_intel_legacy_image", "ext_oneapi_bindless_images",
      "ext_oneapi_bindless_images_shared_usm", "ext_oneapi_bindless_images_1d_usm",
      "ext_oneapi_bindless_images_2d_usm", "ext_oneapi_external_memory_import",
      "ext_oneapi_interop_memory_export", "ext_oneapi_external_semaphore_import",
      "ext_oneapi_interop_semaphore_export", "ext_oneapi_mipmap", "ext_oneapi_mipmap_anisotropy",
      "ext_oneapi_mipmap_level_reference", "ext_intel_esimd", "ext_oneapi_ballot_group",
      "ext_oneapi_fixed_size_group", "ext_oneapi_opportunistic_group", "ext_oneapi_tangle_group",
      "ext_intel_matrix", "ext_oneapi_is_composite", "ext_oneapi_is_component", "ext_oneapi_graph",
      "ext_intel_fpga_task_sequence", "ext_oneapi_limited_graph", "ext_oneapi_private_alloca",
      "ext_oneapi_cubemap", "ext_oneapi_cubemap_seamless_filtering",
      "ext_oneapi_bindless_sampled_image_fetch_1d_usm",
      "ext_oneapi_bindless_sampled_image_fetch_1d",
      "ext_oneapi_bindless_sampled_image_fetch_2d_usm",
      "ext_oneapi_bindless_sampled_image_fetch_2d", NULL,
      "ext_oneapi_bindless_sampled_image_fetch_3d", "ext_oneapi_queue_profiling_tag",
      "ext_oneapi_virtual_mem", "ext_oneapi_cuda_cluster_group", "ext_oneapi_image_array",
      "ext_oneapi_unique_addressing_per_dim", "ext_oneapi_bindless_images_sample_1d_usm",
      "ext_oneapi_bindless_images_sample_2d_usm", "ext_oneapi_atomic16",
      "ext_oneapi_virtual_functions", "ext_intel_spill_memory_size",
      "ext_oneapi_bindless_images_gather", "ext_intel_current_clock_throttle_reasons",
      "ext_intel_fan_speed", "ext_intel_power_limits", "ext_oneapi_async_memory_alloc",
      "ext_intel_device_info_luid", "ext_intel_device_info_node_mask",
      "ext_oneapi_exportable_device_mem"};
  return aspect < sizeof names / sizeof *names ? names[aspect] : NULL;
}

SYCLZE_LOCAL const char *syclze__aspect_name_2026(uint32_t aspect) {
  static const char *const names[] = {SYCLZE__ASPECTS_COMMON, "usm_atomic_host_allocations",
      "usm_atomic_shared_allocations", "atomic64", "ext_intel_device_info_uuid", "ext_oneapi_srgb",
      "ext_oneapi_native_assert", "host_debuggable", "ext_intel_gpu_hw_threads_per_eu",
      "ext_oneapi_cuda_async_barrier", "ext_intel_free_memory", "ext_intel_device_id",
      "ext_intel_memory_clock_rate", "ext_intel_memory_bus_width", "emulated",
      "ext_intel_legacy_image", "ext_oneapi_bindless_images",
      "ext_oneapi_bindless_images_shared_usm", "ext_oneapi_bindless_images_1d_usm",
      "ext_oneapi_bindless_images_2d_usm", "ext_oneapi_external_memory_import",
      "ext_oneapi_external_semaphore_import", "ext_oneapi_mipmap", "ext_oneapi_mipmap_anisotropy",
      "ext_oneapi_mipmap_level_reference", "ext_intel_esimd", "ext_oneapi_fragment",
      "ext_oneapi_chunk", "ext_oneapi_tangle", "ext_intel_matrix", "ext_oneapi_is_composite",
      "ext_oneapi_is_component", "ext_oneapi_graph", "ext_oneapi_limited_graph",
      "ext_oneapi_private_alloca", "ext_oneapi_cubemap", "ext_oneapi_cubemap_seamless_filtering",
      "ext_oneapi_bindless_sampled_image_fetch_1d_usm",
      "ext_oneapi_bindless_sampled_image_fetch_1d",
      "ext_oneapi_bindless_sampled_image_fetch_2d_usm",
      "ext_oneapi_bindless_sampled_image_fetch_2d", "ext_oneapi_bindless_sampled_image_fetch_3d",
      "ext_oneapi_queue_profiling_tag", "ext_oneapi_virtual_mem", "ext_oneapi_cuda_cluster_group",
      "ext_oneapi_image_array", "ext_oneapi_unique_addressing_per_dim",
      "ext_oneapi_bindless_images_sample_1d_usm", "ext_oneapi_bindless_images_sample_2d_usm",
      "ext_oneapi_atomic16", "ext_oneapi_virtual_functions", "ext_intel_spill_memory_size",
      "ext_oneapi_bindless_images_gather", "ext_intel_current_clock_throttle_reasons",
      "ext_intel_fan_speed", "ext_intel_power_limits", "ext_oneapi_async_memory_alloc",
      "ext_intel_device_info_luid", "ext_intel_device_info_node_mask",
      "ext_oneapi_exportable_device_mem", "ext_oneapi_clock_sub_group",
      "ext_oneapi_clock_work_group", "ext_oneapi_clock_device", "ext_oneapi_is_integrated_gpu",
      "ext_oneapi_ipc_memory", "ext_oneapi_device_wait", "ext_intel_xe_stack_count",
      "ext_intel_xe_regions_per_stack", "ext_intel_xe_clusters_per_region",
      "ext_intel_xe_cores_per_cluster", "ext_intel_eus_per_xe_core",
      "ext_intel_max_lanes_per_hw_thread", "ext_oneapi_ipc_physical_memory",
      "ext_oneapi_register_host_memory", "ext_oneapi_per_event_profiling", "ext_oneapi_ipc_event"};
  return aspect < sizeof names / sizeof *names ? names[aspect] : NULL;
}

/* Matrix units, by the versions of Intel's GPUs that have them; an unknown version may. */
SYCLZE_LOCAL bool syclze__has_matrix_units(const syclze_device_traits *traits) {
  uint32_t version = traits->ip_version;
  uint32_t architecture = syclze_ip_version_architecture(version);
  uint32_t release = syclze_ip_version_release(version);
  return traits->type == ZE_DEVICE_TYPE_GPU && traits->vendor_id == 0x8086 &&
         (version == 0 || architecture > 12 ||
             (architecture == 12 && ((release >= 55 && release <= 61) || release == 74)));
}

/* True if a device has an aspect by its name. Aspects of extensions, or of queries that only
 * Intel's GPUs answer, cannot be checked beforehand: the driver refuses what it lacks. */
SYCLZE_LOCAL bool syclze__aspect_is_met(const char *name, const syclze_device_traits *traits) {
  const struct {
    const char *name;
    bool has;
  } aspects[] = {{"cpu", traits->type == ZE_DEVICE_TYPE_CPU},
      {"gpu", traits->type == ZE_DEVICE_TYPE_GPU},
      {"accelerator", traits->type == ZE_DEVICE_TYPE_FPGA}, {"fp16", traits->has_fp16},
      {"fp64", traits->has_fp64}, {"int64_base_atomics", traits->has_atomic64},
      {"int64_extended_atomics", traits->has_atomic64}, {"image", traits->has_images},
      {"online_compiler", true}, {"online_linker", true}, {"queue_profiling", true},
      {"usm_device_allocations", traits->has_device_usm},
      {"usm_host_allocations", traits->has_host_usm},
      {"usm_shared_allocations", traits->has_shared_usm},
      {"usm_restricted_shared_allocations", traits->has_shared_usm},
      {"usm_system_allocations", traits->has_system_usm},
      {"usm_atomic_host_allocations", traits->has_host_atomics},
      {"usm_atomic_shared_allocations", traits->has_shared_atomics},
      {"atomic64", traits->has_atomic64}, {"ext_intel_matrix", syclze__has_matrix_units(traits)}};
  for (size_t i = 0; i < sizeof aspects / sizeof *aspects; i++)
    if (strcmp(aspects[i].name, name) == 0) return aspects[i].has;
  return strncmp(name, "ext_", 4) == 0 && strncmp(name, "ext_oneapi_cuda", 15) != 0 &&
         traits->type == ZE_DEVICE_TYPE_GPU && traits->vendor_id == 0x8086;
}

/* True if a device has an aspect of an image; by either numbering, if the image does not show which
 * one it uses. The name is that of the newer numbering, null if neither has the number. */
SYCLZE_LOCAL bool syclze__aspect_check(uint32_t aspect, syclze_aspect_numbers numbers,
    const syclze_device_traits *traits, const char **name) {
  const char *older =
      numbers != SYCLZE_ASPECT_NUMBERS_2026 ? syclze__aspect_name_2025(aspect) : NULL;
  const char *newer =
      numbers != SYCLZE_ASPECT_NUMBERS_2025 ? syclze__aspect_name_2026(aspect) : NULL;
  *name = newer != NULL ? newer : older;
  return (older != NULL && syclze__aspect_is_met(older, traits)) ||
         (newer != NULL && syclze__aspect_is_met(newer, traits));
}

#endif

SYCLZE_EXTERN_C_END

#endif
