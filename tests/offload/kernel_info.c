/* Properties of one kernel: removed arguments, assert, the implicit argument for local memory. */
#include "syclze/offload/kernel_info.h"
#include "support/properties.h"
#include "tests/check.h"

static struct properties_set sets[3];

/* An image with a mask of `count` arguments for the kernel "k". */
static syclze_offload_image masked(
    struct properties_property *property, struct properties_bytes *bytes, uint64_t count) {
  static struct properties_property number, local;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  *property = properties_property("k", bytes);
  bytes->bits = count;
  number = properties_number("k", 1);
  local = properties_number("k", 2);
  const struct properties_set all[3] = {
      {SYCLZE_PROPERTY_SET_KERNEL_PARAM_OPT, property, property + 1},
      {SYCLZE_PROPERTY_SET_ASSERT_USED, &number, &number + 1},
      {SYCLZE_PROPERTY_SET_IMPLICIT_LOCAL_ARG, &local, &local + 1}};
  memcpy(sets, all, sizeof sets);
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 3;
  return image;
}

// shows offload 6
TEST(removed_arguments_are_skipped) {
  const uint8_t mask[] = {0x32, 0x01}; /* 1, 4, 5 and 8 of 10 */
  static const int expected[] = {0, -1, 1, 2, -1, -1, 3, 4, -1, 5};
  struct properties_bytes bytes = properties_bytes_of(mask, sizeof mask);
  struct properties_property property;
  syclze_offload_image image = masked(&property, &bytes, 10);
  syclze_kernel_info info;
  CHECK_EQ(syclze_kernel_info_read(&image, "k", &info), ZE_RESULT_SUCCESS);
  CHECK_EQ(info.source_argument_count, 10);
  CHECK_EQ(info.argument_count, 6);
  CHECK(info.uses_assert);
  CHECK(info.has_implicit_local_argument);
  CHECK_EQ(info.implicit_local_argument, 2);
  for (uint32_t i = 0; i < 10; i++) {
    uint32_t index = 99;
    CHECK_EQ(syclze_kernel_info_argument(&info, i, &index), expected[i] >= 0);
    if (expected[i] >= 0) CHECK_EQ(index, (uint32_t)expected[i]);
  }
}

TEST(a_kernel_without_properties_has_all_arguments) {
  const uint8_t mask[] = {0xff};
  struct properties_bytes bytes = properties_bytes_of(mask, sizeof mask);
  struct properties_property property;
  syclze_offload_image image = masked(&property, &bytes, 8);
  syclze_kernel_info info;
  uint32_t index = 99;
  CHECK_EQ(syclze_kernel_info_read(&image, "other", &info), ZE_RESULT_SUCCESS);
  CHECK_EQ(info.source_argument_count, 0);
  CHECK(!info.uses_assert && !info.has_implicit_local_argument);
  CHECK(syclze_kernel_info_argument(&info, 3, &index));
  CHECK_EQ(index, 3);
}

TEST(masks_of_more_than_64_arguments) {
  uint8_t mask[16];
  memset(mask, 0, sizeof mask);
  mask[0] = 1;
  mask[8] = 2; /* 0 and 65 */
  struct properties_bytes bytes = properties_bytes_of(mask, sizeof mask);
  struct properties_property property;
  syclze_offload_image image = masked(&property, &bytes, 128);
  syclze_kernel_info info;
  uint32_t index = 0;
  CHECK_EQ(syclze_kernel_info_read(&image, "k", &info), ZE_RESULT_SUCCESS);
  CHECK_EQ(info.argument_count, 126);
  CHECK(syclze_kernel_info_argument(&info, 64, &index));
  CHECK_EQ(index, 63);
  CHECK(!syclze_kernel_info_argument(&info, 65, &index));
  CHECK(syclze_kernel_info_argument(&info, 127, &index));
  CHECK_EQ(index, 125);
}

TEST(malformed_masks_and_null_are_refused) {
  const uint8_t mask[] = {0, 0};
  struct properties_bytes bytes = properties_bytes_of(mask, sizeof mask);
  struct properties_property property;
  syclze_kernel_info info;
  syclze_offload_image image = masked(&property, &bytes, 17);
  CHECK_EQ(syclze_kernel_info_read(&image, "k", &info), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(info.source_argument_count, 0);
  CHECK_EQ(syclze_kernel_info_read(NULL, "k", &info), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_kernel_info_read(&image, NULL, &info), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_kernel_info_read(&image, "k", NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_MAIN(removed_arguments_are_skipped, a_kernel_without_properties_has_all_arguments,
    masks_of_more_than_64_arguments, malformed_masks_and_null_are_refused)
