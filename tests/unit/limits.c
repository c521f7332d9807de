/* Limits of devices (syclze/device_query.h): where each value is from, and what a driver lacks. */
#include "support/zoo.h"
#include "syclze/device_query.h"
#include "tests/check.h"

#include <string.h>

static struct {
  ze_result_t results[5]; /* of the queries below, in turn */
  uint32_t vectors;
} own;

enum { PROPERTIES, COMPUTE, MODULE, IMAGES, VECTORS };

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  (void)device;
  properties->physicalEUSimdWidth = 16;
  properties->numThreadsPerEU = 7;
  return own.results[PROPERTIES];
}

ze_result_t ZE_APICALL zeDeviceGetComputeProperties(
    ze_device_handle_t device, ze_device_compute_properties_t *properties) {
  (void)device;
  CHECK_EQ(properties->stype, ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES);
  properties->maxTotalGroupSize = 1001;
  properties->maxGroupSizeX = 11, properties->maxGroupSizeY = 12, properties->maxGroupSizeZ = 13;
  properties->maxGroupCountX = 21, properties->maxGroupCountY = 22, properties->maxGroupCountZ = 23;
  properties->maxSharedLocalMemory = 65536;
  properties->numSubGroupSizes = 3;
  properties->subGroupSizes[0] = 32;
  properties->subGroupSizes[1] = 8;
  properties->subGroupSizes[2] = 16;
  return own.results[COMPUTE];
}

ze_result_t ZE_APICALL zeDeviceGetModuleProperties(
    ze_device_handle_t device, ze_device_module_properties_t *properties) {
  (void)device;
  ze_float_atomic_ext_properties_t *atomics = properties->pNext;
  CHECK_EQ(atomics->stype, ZE_STRUCTURE_TYPE_FLOAT_ATOMIC_EXT_PROPERTIES);
  atomics->fp16Flags = ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE;
  atomics->fp32Flags = ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD;
  atomics->fp64Flags = ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX;
  properties->flags = ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS;
  properties->fp16flags = ZE_DEVICE_FP_FLAG_DENORM;
  properties->fp32flags = ZE_DEVICE_FP_FLAG_INF_NAN;
  properties->fp64flags = ZE_DEVICE_FP_FLAG_FMA;
  properties->maxArgumentsSize = 2048;
  properties->printfBufferSize = 4096;
  return own.results[MODULE];
}

ze_result_t ZE_APICALL zeDeviceGetImageProperties(
    ze_device_handle_t device, ze_device_image_properties_t *properties) {
  (void)device;
  properties->maxImageDims1D = 31, properties->maxImageDims2D = 32, properties->maxImageDims3D = 33;
  properties->maxImageBufferSize = 1ull << 33;
  properties->maxImageArraySlices = 34;
  properties->maxSamplers = 35;
  properties->maxReadImageArgs = 36, properties->maxWriteImageArgs = 37;
  return own.results[IMAGES];
}

ze_result_t ZE_APICALL own_vectors(ze_device_handle_t device, uint32_t *count,
    struct syclze__vector_widths *widths) __asm__("zeDeviceGetVectorWidthPropertiesExt");
ze_result_t ZE_APICALL own_vectors(
    ze_device_handle_t device, uint32_t *count, struct syclze__vector_widths *widths) {
  (void)device;
  for (uint32_t i = 0; widths != NULL && i < *count; i++) {
    CHECK_EQ(widths[i].stype, 0x20029);
    widths[i].size = i == 1 ? 64 : 32;
    widths[i].preferred.of_char = 100 + i;
    widths[i].native.of_half = 200 + i;
  }
  *count = own.vectors;
  return own.results[VECTORS];
}

static void begin(void) {
  memset(&own, 0, sizeof own);
  own.vectors = 3;
  zoo_begin();
}

TEST(limits_are_those_of_the_driver) { // shows queues 24
  begin();
  syclze_device_limits l;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.max_work_group_size, 1001);
  CHECK(l.max_work_item_sizes[0] == 11 && l.max_work_item_sizes[2] == 13);
  CHECK(l.max_group_counts[0] == 21 && l.max_group_counts[2] == 23);
  CHECK_EQ(l.local_mem_size, 65536);
  CHECK_EQ(l.max_parameter_size, 2048);
  CHECK_EQ(l.printf_buffer_size, 4096);
  CHECK(l.simd_width == 16 && l.threads_per_compute_unit == 7);
  CHECK(l.image_max_1d == 31 && l.image_max_2d == 32 && l.image_max_3d == 33);
  CHECK_EQ(l.image_max_buffer_size, 1ull << 33);
  CHECK(l.image_max_array_size == 34 && l.max_samplers == 35);
  CHECK(l.max_read_image_args == 36 && l.max_write_image_args == 37);
  CHECK(l.has_fp16 && !l.has_fp64 && l.has_atomic64);
  CHECK(l.fp16 == ZE_DEVICE_FP_FLAG_DENORM && l.fp32 == ZE_DEVICE_FP_FLAG_INF_NAN);
  CHECK_EQ(l.fp64, ZE_DEVICE_FP_FLAG_FMA);
  CHECK_EQ(l.fp16_atomics, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_LOAD_STORE);
  CHECK_EQ(l.fp32_atomics, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_GLOBAL_ADD);
  CHECK_EQ(l.fp64_atomics, ZE_DEVICE_FP_ATOMIC_EXT_FLAG_LOCAL_MIN_MAX);
  zoo_end();
}

TEST(sub_group_sizes_ascend) { // shows queues 24
  begin();
  syclze_device_limits l;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.sub_group_size_count, 3);
  CHECK(l.sub_group_sizes[0] == 8 && l.sub_group_sizes[1] == 16 && l.sub_group_sizes[2] == 32);
  CHECK_EQ(l.sub_group_sizes[3], 0);
  CHECK_EQ(l.max_num_sub_groups, 126); /* of which the last has one work-item */
  zoo_end();
}

TEST(vector_widths_are_those_of_the_largest_vectors_or_unknown) { // shows queues 24
  begin();
  syclze_device_limits l;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.preferred_vector_width.of_char, 101);
  CHECK_EQ(l.native_vector_width.of_half, 201);
  own.vectors = 0;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.preferred_vector_width.of_char, 0);
  own.vectors = 3;
  own.results[VECTORS] = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.native_vector_width.of_half, 0);
  zoo_end();
}

TEST(a_device_without_images_has_the_other_limits) { // shows queues 24
  begin();
  syclze_device_limits l;
  own.results[IMAGES] = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK(l.image_max_2d == 0 && l.max_samplers == 0);
  CHECK_EQ(l.max_work_group_size, 1001);
  zoo_end();
}

TEST(usm_is_what_kernels_may_do_with_each_type) { // shows queues 24
  begin();
  syclze_device_limits l;
  fake.system_memory = 1;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.usm_system, ZE_MEMORY_ACCESS_CAP_FLAG_RW);
  fake.system_memory = 0;
  CHECK_OK(syclze_device_get_limits(world.device, &l));
  CHECK_EQ(l.usm_system, 0);
  zoo_end();
}

TEST(wrong_arguments_and_errors_of_the_driver_leave_zeros) { // shows queues 24
  begin();
  syclze_device_limits l, zeros;
  const syclze_device none = {0};
  memset(&zeros, 0, sizeof zeros);
  CHECK_REFUSED(syclze_device_get_limits(none, &l), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_device_get_limits", NULL);
  CHECK_REFUSED(syclze_device_get_limits(world.device, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_get_limits", world.root);
  for (int i = PROPERTIES; i <= IMAGES; i++) {
    memset(&l, 0x5a, sizeof l);
    own.results[i] = ZE_RESULT_ERROR_DEVICE_LOST;
    CHECK_REFUSED(syclze_device_get_limits(world.device, &l), ZE_RESULT_ERROR_DEVICE_LOST,
        "syclze_device_get_limits", world.root);
    CHECK_EQ(memcmp(&l, &zeros, sizeof l), 0);
    own.results[i] = ZE_RESULT_SUCCESS;
  }
  zoo_end();
}

TEST_MAIN(limits_are_those_of_the_driver, sub_group_sizes_ascend,
    vector_widths_are_those_of_the_largest_vectors_or_unknown,
    a_device_without_images_has_the_other_limits, usm_is_what_kernels_may_do_with_each_type,
    wrong_arguments_and_errors_of_the_driver_leave_zeros)
