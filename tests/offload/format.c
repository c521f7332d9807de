/* Formats of images by their bytes: each kind's beginning, and beginnings that are too short. */
#include "syclze/offload/device_image.h"
#include "tests/check.h"

static const struct {
  uint8_t bytes[20];
  size_t needed; /* of them */
  syclze_offload_format format;
  const char *name;
} beginnings[] = {
    {{0x03, 0x02, 0x23, 0x07}, 4, SYCLZE_OFFLOAD_FORMAT_SPIRV, "SPIR-V"},
    {{0x07, 0x23, 0x02, 0x03}, 4, SYCLZE_OFFLOAD_FORMAT_SPIRV, "SPIR-V"},
    {{0x42, 0x43, 0xc0, 0xde}, 4, SYCLZE_OFFLOAD_FORMAT_LLVM_IR, "LLVM IR"},
    {{0xde, 0xc0, 0x17, 0x0b}, 4, SYCLZE_OFFLOAD_FORMAT_LLVM_IR, "LLVM IR"},
    {{0x21, 0x3c, 0x61, 0x72, 0x63, 0x68, 0x3e, 0x0a}, 8, SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE,
        "fat archive"},
    {{0x10, 0xff, 0x10, 0xad}, 4, SYCLZE_OFFLOAD_FORMAT_CONTAINER, "Offload Binary"},
    {{0x28, 0xb5, 0x2f, 0xfd}, 4, SYCLZE_OFFLOAD_FORMAT_COMPRESSED, "compressed"},
    {{0x78, 0x9c}, 2, SYCLZE_OFFLOAD_FORMAT_COMPRESSED, "compressed"},
    {{0x49, 0x42, 0x59, 0x53}, 4, SYCLZE_OFFLOAD_FORMAT_SYCLBIN, "SYCLBIN"},
    {{0x7f, 'E', 'L', 'F', 2, 1, [16] = 1, [18] = 62}, 4, SYCLZE_OFFLOAD_FORMAT_ELF, "ELF"},
    {{0x7f, 'E', 'L', 'F', 2, 1, [16] = 2, 0xff, 62}, 4, SYCLZE_OFFLOAD_FORMAT_ELF, "ELF"},
    {{0x7f, 'E', 'L', 'F', 2, 2, [16] = 1, [18] = 205}, 4, SYCLZE_OFFLOAD_FORMAT_ELF, "ELF"},
    {{0x7f, 'E', 'L', 'F', 2, 1, [16] = 1, [18] = 205}, 20, SYCLZE_OFFLOAD_FORMAT_ZEBIN, "zebin"},
    {{0x7f, 'E', 'L', 'F', 2, 1, [16] = 2, 0xff}, 20, SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER,
        "Intel's wrapper of SPIR-V"},
    {{'_', '_', 'k', 'e'}, 0, SYCLZE_OFFLOAD_FORMAT_UNKNOWN, "unknown"},
};

TEST(the_first_bytes_decide_the_format) {
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    syclze_offload_format format =
        syclze_offload_format_of(syclze_bytes_of(beginnings[i].bytes, 20));
    CHECK_EQ(format, beginnings[i].format);
    CHECK_STR_EQ(syclze_offload_format_string(format), beginnings[i].name);
  }
}

TEST(a_truncated_image_has_another_format) {
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
    for (size_t size = 0; size < 20; size++) {
      void *exact = malloc(size + 1);
      CHECK(exact != NULL);
      memcpy(exact, beginnings[i].bytes, size);
      syclze_offload_format format = syclze_offload_format_of(syclze_bytes_of(exact, size));
      free(exact);
      CHECK_EQ(format == beginnings[i].format, size >= beginnings[i].needed);
    }
  }
  CHECK_EQ(syclze_offload_format_of(syclze_bytes_of(NULL, 0)), SYCLZE_OFFLOAD_FORMAT_UNKNOWN);
}

TEST_MAIN(the_first_bytes_decide_the_format, a_truncated_image_has_another_format)
