/* Requirements of DPC++'s images, by the numbers of aspects in its releases. */
#include "syclze/offload/offload.h"
#include "tests/check.h"
#include "tests/offload/support/properties.h"

static syclze_device_traits gpu_of_intel(void) {
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.type = ZE_DEVICE_TYPE_GPU;
  traits.vendor_id = 0x8086;
  traits.max_group_size = 1024;
  for (int i = 0; i < 3; i++)
    traits.max_group_sizes[i] = 1024;
  traits.sub_group_size_count = 1;
  traits.sub_group_sizes[0] = 16;
  return traits;
}

/* True if an image with one aspect fits. */
static bool fits(uint32_t aspect, syclze_aspect_numbers numbers, const syclze_device_traits *traits,
    syclze_reason *reason) {
  const struct properties_bytes bytes = properties_bytes_of(&aspect, sizeof aspect);
  const struct properties_property property = properties_property("aspects", &bytes);
  const struct properties_set sets[] = {
      {SYCLZE_PROPERTY_SET_REQUIREMENTS, &property, &property + 1}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("\177ELF", 4));
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  image.aspect_numbers = numbers;
  return syclze_requirements_met(&image, NULL, traits, reason);
}

TEST(an_aspect_has_the_number_of_its_release) { // shows offload 39
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  traits.has_atomic64 = true;
  CHECK(fits(28, SYCLZE_ASPECT_NUMBERS_2025, &traits, &reason));
  CHECK(!fits(27, SYCLZE_ASPECT_NUMBERS_2025, &traits, &reason));
  CHECK(strstr(reason.text, "usm_atomic_shared_allocations") != NULL);
  CHECK(fits(27, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason));
  CHECK(!fits(26, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason));
  CHECK(strstr(reason.text, "usm_atomic_shared_allocations") != NULL);
  CHECK_STR_EQ(syclze_aspect_string(27, SYCLZE_ASPECT_NUMBERS_2026), "atomic64");
  CHECK_STR_EQ(syclze_aspect_string(28, SYCLZE_ASPECT_NUMBERS_2025), "atomic64");
  CHECK_STR_EQ(syclze_aspect_string(6, SYCLZE_ASPECT_NUMBERS_UNKNOWN), "fp64");
  CHECK_STR_EQ(syclze_aspect_string(1000, SYCLZE_ASPECT_NUMBERS_2025), "unknown");
}

TEST(a_number_of_no_known_release_has_either_meaning) { // shows offload 39
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  CHECK(!fits(27, SYCLZE_ASPECT_NUMBERS_UNKNOWN, &traits, &reason));
  traits.has_atomic64 = true;
  CHECK(fits(27, SYCLZE_ASPECT_NUMBERS_UNKNOWN, &traits, &reason));
  traits.has_atomic64 = false;
  traits.has_shared_atomics = true;
  CHECK(fits(27, SYCLZE_ASPECT_NUMBERS_UNKNOWN, &traits, &reason));
  CHECK(!fits(5, SYCLZE_ASPECT_NUMBERS_UNKNOWN, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it requires fp16, which the device does not have");
  CHECK(!fits(71, SYCLZE_ASPECT_NUMBERS_2025, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it requires aspect 71, which is unknown");
}

TEST(explicit_simd_is_for_gpus_of_intel) { // shows offload 39
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  CHECK(fits(49, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason));
  CHECK(fits(53, SYCLZE_ASPECT_NUMBERS_2025, &traits, &reason));
  CHECK(!fits(68, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason)); /* of CUDA */
  traits.vendor_id = 0x10de;
  CHECK(!fits(49, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it requires ext_intel_esimd, which the device does not have");
  traits.vendor_id = 0x8086;
  traits.type = ZE_DEVICE_TYPE_CPU;
  CHECK(!fits(53, SYCLZE_ASPECT_NUMBERS_2025, &traits, &reason));
}

TEST(matrix_units_are_of_some_gpus_of_intel) { // shows offload 39
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  traits.ip_version = syclze_ip_version_of(12, 60, 7);
  CHECK(fits(53, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason));
  CHECK(fits(58, SYCLZE_ASPECT_NUMBERS_2025, &traits, &reason));
  traits.ip_version = syclze_ip_version_of(12, 0, 0);
  CHECK(!fits(53, SYCLZE_ASPECT_NUMBERS_2026, &traits, &reason));
}

/* True if an image with one property in `set` fits. */
static bool fits_with(const char *set, const struct properties_property *properties, size_t count,
    const syclze_device_traits *traits, syclze_reason *reason) {
  const struct properties_set sets[] = {{set, properties, properties + count}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("\177ELF", 4));
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  return syclze_requirements_met(&image, NULL, traits, reason);
}

TEST(an_image_of_explicit_simd_needs_no_aspect_to_be_refused) { // shows offload 18
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  struct properties_property property = properties_number("isEsimdImage", 1);
  CHECK(fits_with(SYCLZE_PROPERTY_SET_MISC, &property, 1, &traits, &reason));
  traits.type = ZE_DEVICE_TYPE_CPU;
  CHECK(!fits_with(SYCLZE_PROPERTY_SET_MISC, &property, 1, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it is explicit SIMD (ESIMD), which the device does not have");
  property = properties_number("isEsimdImage", 0);
  CHECK(fits_with(SYCLZE_PROPERTY_SET_MISC, &property, 1, &traits, &reason));
}

TEST(what_needs_a_run_time_that_is_not_there_is_refused_by_name) { // shows offload 18
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  struct properties_bytes bytes = properties_bytes_of("asan", 4);
  struct properties_property property = properties_property("sanUsed", &bytes);
  CHECK(!fits_with(SYCLZE_PROPERTY_SET_MISC, &property, 1, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it is instrumented for a sanitizer (asan), which is not there");
  const uint32_t size = 4;
  bytes = properties_bytes_of(&size, sizeof size);
  property = properties_property("_ZTS4pipe", &bytes);
  CHECK(!fits_with(SYCLZE_PROPERTY_SET_HOST_PIPES, &property, 1, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it has host pipes (_ZTS4pipe), which Level Zero does not have");
}

/* Work-group sizes are padded to three dimensions; those behind the number of them are not used. */
TEST(padding_of_a_work_group_size_is_left_out) { // shows offload 18
  const uint64_t padded[] = {16, 2000, 0};
  syclze_device_traits traits = gpu_of_intel();
  syclze_reason reason;
  const struct properties_bytes sizes = properties_bytes_of(padded, sizeof padded);
  struct properties_property list[] = {properties_property("reqd_work_group_size_uint64_t", &sizes),
      properties_number("work_group_num_dim", 1)};
  const char *set = SYCLZE_PROPERTY_SET_REQUIREMENTS;
  CHECK(fits_with(set, list, 2, &traits, &reason));
  CHECK(!fits_with(set, list, 1, &traits, &reason));
  list[1] = properties_number("work_group_num_dim", 2);
  CHECK(!fits_with(set, list, 2, &traits, &reason));
  CHECK(strstr(reason.text, "2000 work-items in dimension y") != NULL);
  list[1] = properties_number("work_group_num_dim", 4);
  CHECK(!fits_with(set, list, 2, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it requires work-groups of 4 dimensions");
}

TEST_MAIN(an_image_of_explicit_simd_needs_no_aspect_to_be_refused,
    what_needs_a_run_time_that_is_not_there_is_refused_by_name,
    padding_of_a_work_group_size_is_left_out, an_aspect_has_the_number_of_its_release,
    a_number_of_no_known_release_has_either_meaning, explicit_simd_is_for_gpus_of_intel,
    matrix_units_are_of_some_gpus_of_intel)
