/* Every sample reads as its manifest describes it. */
#include "syclze/offload/file.h"
#include "support/sample.h"
#include "tests/check.h"

struct expected {
  syclze_offload_format format;
  uint16_t image_kind, offload_kind;
  size_t size;
  const char *strings; /* "key=value;" of each in the order in which they stand */
};

static void check_image(const syclze_offload_image *image, const struct expected *expected) {
  char strings[512] = "";
  syclze_offload_string string;
  CHECK_EQ(syclze_offload_format_of(image->bytes), expected->format);
  CHECK_EQ(image->image_kind, expected->image_kind);
  CHECK_EQ(image->offload_kind, expected->offload_kind);
  CHECK_EQ(image->bytes.size, expected->size);
  for (size_t i = 0; syclze_offload_image_string_at(image, i, &string); i++) {
    syclze_bytes found;
    char key[64];
    snprintf(key, sizeof key, "%.*s", (int)string.key.size, string.key.data);
    CHECK(syclze_offload_image_find(image, key, &found));
    CHECK(found.data == string.value.data && found.size == string.value.size);
    bool is_text = memchr(string.value.data, 0, string.value.size) == NULL;
    snprintf(strings + strlen(strings), sizeof strings - strlen(strings), "%s=%.*s;", key,
        is_text ? (int)string.value.size : 3, is_text ? (const char *)string.value.data : "...");
  }
  CHECK_STR_EQ(strings, expected->strings);
  CHECK_EQ(syclze_offload_image_text(image, "no such key").size, 0);
}

static void check_file(
    const char *name, const char *place, size_t count, const struct expected *expected) {
  syclze_bytes file = sample_read(name);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  for (size_t i = 0; i < count; i++) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    CHECK_STR_EQ(cursor.place, place);
    check_image(&image, &expected[i]);
  }
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  CHECK(cursor.rule == NULL);
  CHECK(image.bytes.data == NULL);
  free((void *)file.data);
}

/* The image with this number is these bytes of another sample. */
static void check_same(const char *name, size_t index, const char *other) {
  syclze_bytes file = sample_read(name), bytes = sample_read(other);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  for (size_t i = 0; i <= index; i++)
    CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(image.bytes.size, bytes.size);
  CHECK(memcmp(image.bytes.data, bytes.data, bytes.size) == 0);
  free((void *)file.data);
  free((void *)bytes.data);
}

#define SPIRV SYCLZE_OFFLOAD_FORMAT_SPIRV
#define TRIPLE "triple=spirv64-unknown-unknown;"

static void check_packed(const char *name) {
  check_same(name, 0, "two.llvmspirv15.spv");
  check_same(name, 1, "spec.llvmspirv15.spv");
}

TEST(pack16_ob) { // shows offload 9
  static const struct expected images[] = {
      {SPIRV, 0, 0, 2820, TRIPLE "arch=generic;"}, {SPIRV, 0, 0, 1056, TRIPLE "foo=bar;arch=;"}};
  check_file("pack16.ob", "file", 2, images);
  check_packed("pack16.ob");
}

static const struct expected packed_by_22[] = {
    {SPIRV, 0, 8, 2820, "arch=generic;" TRIPLE}, {SPIRV, 0, 8, 1056, "arch=;" TRIPLE "foo=bar;"}};

TEST(pack22_ob) { // shows offload 9
  check_file("pack22.ob", "file", 2, packed_by_22);
  check_packed("pack22.ob");
}

TEST(pack23_ob) { // shows offload 9
  static const struct expected images[] = {
      {SPIRV, 6, 8, 2820, "arch=generic;" TRIPLE}, {SPIRV, 6, 8, 1056, "arch=;foo=bar;" TRIPLE}};
  check_file("pack23.ob", "file", 2, images);
  check_packed("pack23.ob");
}

TEST(host_clang22_o) {
  check_file("host_clang22.o", ".llvm.offloading", 2, packed_by_22);
  check_packed("host_clang22.o");
}

TEST(host_clang22_obj) {
  check_file("host_clang22.obj", ".llvm.offloading", 2, packed_by_22);
  check_packed("host_clang22.obj");
}

TEST(sycllink22_ob) {
  static const struct expected images[] = {
      {SPIRV, 0, 8, 5048, TRIPLE "arch=;symbols=axpy\niota\nlsum\nscale;"}};
  check_file("sycllink22.ob", "file", 1, images);
}

TEST(sycllink23_ob) {
  static const struct expected images[] = {{SPIRV, 6, 8, 3196, TRIPLE "arch=;symbols=...;"}};
  check_file("sycllink23.ob", "file", 1, images);
}

TEST(sycllink23_aot_bmg_g21_ob) {
  static const struct expected images[] = {
      {SYCLZE_OFFLOAD_FORMAT_ZEBIN, 1, 8, 12200, TRIPLE "arch=bmg_g21;symbols=...;"}};
  check_file("sycllink23_aot_bmg_g21.ob", "file", 1, images);
}

TEST(fsycl22_o) { // shows offload 20
  static const struct expected images[] = {
      {SYCLZE_OFFLOAD_FORMAT_LLVM_IR, 2, 8, 2700, "arch=generic;" TRIPLE}};
  check_file("fsycl22.o", ".llvm.offloading", 1, images);
}

/* Raw SPIR-V: the program keeps no tags. */
TEST(fsycl22_exe) { // shows offload 20
  static const struct expected images[] = {{SPIRV, 0, 0, 1096, ""}};
  check_file("fsycl22.exe", ".llvm.offloading", 1, images);
}

TEST(spirv_files) {
  static const struct {
    const char *name;
    size_t size;
  } files[] = {{"two.clang22.spv", 6132}, {"spec.clang22.spv", 1448}, {"dbl.clang22.spv", 852},
      {"sg.clang22.spv", 824}, {"two.llvmspirv15.spv", 2820}, {"spec.llvmspirv15.spv", 1056},
      {"two.llvmspirv15-O1.INVALID.spv", 3036}, {"pf22.clang22.spv", 928}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct expected image = {SPIRV, 0, 0, files[i].size, ""};
    check_file(files[i].name, "file", 1, &image);
  }
}

TEST(two_ocloc_dg2_zebin) {
  static const struct expected image = {SYCLZE_OFFLOAD_FORMAT_ZEBIN, 0, 0, 15560, ""};
  check_file("two.ocloc.dg2.zebin", "file", 1, &image);
}

TEST(two_ocloc_dg2_pvc_ar) {
  static const struct expected image = {SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE, 0, 0, 26440, ""};
  check_file("two.ocloc.dg2_pvc.ar", "file", 1, &image);
}

TEST(sources_are_no_images) {
  static const char *const names[] = {"two.cl", "spec.cl", "dbl.cl", "sg.cl", "pf22.cpp",
      "smain.cpp", "tu2.cpp", "props_handmade.prop", "MANIFEST.md"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    syclze_bytes file = sample_read(names[i]);
    syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
    syclze_offload_image image;
    CHECK_EQ(syclze_offload_format_of(file), SYCLZE_OFFLOAD_FORMAT_UNKNOWN);
    CHECK(!syclze_offload_file_next(&cursor, &image));
    CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
    CHECK(!syclze_offload_file_next(&cursor, &image));
    free((void *)file.data);
  }
}

TEST_MAIN(pack16_ob, pack22_ob, pack23_ob, host_clang22_o, host_clang22_obj, sycllink22_ob,
    sycllink23_ob, sycllink23_aot_bmg_g21_ob, fsycl22_o, fsycl22_exe, spirv_files,
    two_ocloc_dg2_zebin, two_ocloc_dg2_pvc_ar, sources_are_no_images)
