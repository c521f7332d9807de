/* Files that hold images in other ways than containers: SYCLBIN, clang-offload-bundler's file,
   bitcode with embedded containers. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/bitcode.h"
#include "syclze/offload/image_set.h"
#include "support/scratch.h"
#include "support/sample.h"
#include "tests/check.h"

static uint8_t bytes[4096];
static struct syclze__writer writer;

static void begin(void) {
  memset(bytes, 0, sizeof bytes);
  writer.buffer = bytes;
  writer.capacity = sizeof bytes;
  writer.size = 0;
}

static void put_text(const char *text) {
  syclze__writer_put_text(&writer, syclze_text_of(text));
}

static syclze_bytes written(void) {
  return syclze_bytes_of(bytes, writer.size);
}

/* Every file cut short, and with each byte changed, is read within its bytes or refused. */
static void check_damage(syclze_bytes file) {
  uint8_t *copy = (uint8_t *)malloc(file.size);
  CHECK(copy != NULL);
  for (size_t at = 0; at < 2 * file.size; at++) {
    bool is_cut = at >= file.size;
    memcpy(copy, file.data, file.size);
    if (!is_cut) copy[at] = (uint8_t)~copy[at];
    syclze_bytes damaged = {copy, is_cut ? at - file.size : file.size};
    syclze_offload_file_cursor cursor = syclze_offload_file_begin(damaged);
    syclze_offload_image image;
    while (syclze_offload_file_next(&cursor, &image))
      CHECK(image.bytes.size <= 2 * file.size);
    syclze_offload_file_end(&cursor);
  }
  free(copy);
}

/* The bytes of a .prop file's value: a count of bits, then a text, in DPC++'s digits. */
static size_t put_target(const char *set, const char *target) {
  size_t begin_of = writer.size, size = 0;
  uint8_t values[64] = {0};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  struct syclze__property_array_entry entry = {"target", (const char *)values, 2, 0, 0};
  struct syclze__property_array_set sets = {set, (const char *)&entry, (const char *)(&entry + 1)};
  syclze_property_sets open;
  values[0] = (uint8_t)(8 * strlen(target));
  memcpy(values + 8, target, strlen(target));
  entry.size = 8 + strlen(target);
  image.property_sets_begin = &sets;
  image.property_sets_end = &sets + 1;
  CHECK_EQ(syclze_property_sets_open(&image, &open), ZE_RESULT_SUCCESS);
  size = sizeof bytes - writer.size;
  CHECK_EQ(syclze_property_write_text(open, (char *)bytes + writer.size, &size), ZE_RESULT_SUCCESS);
  syclze_property_sets_close(open);
  writer.size += size;
  return writer.size - begin_of;
}

static const uint8_t spirv[20] = {3, 2, 0x23, 7, 0, 4, 1, 0, 0, 0, 0, 0, 1};

/* One module with an image in SPIR-V and a native one. */
static syclze_bytes make_syclbin(void) {
  static const char module[] = "[SYCL/misc properties]\noptLevel=1|3\n";
  uint64_t ir, native;
  begin();
  syclze__writer_put_u32(&writer, 0x53594249);
  for (int i = 0; i < 4; i++)
    syclze__writer_put_u32(&writer, 1);
  syclze__writer_put_zeros(&writer, 4 + 32 + 3 * 32);
  size_t metadata = writer.size;
  put_text(module);
  ir = put_target("SYCLBIN/ir module metadata", "spir64-unknown-unknown");
  native = put_target("SYCLBIN/native device code image metadata", "spir64_gen");
  size_t metadata_size = writer.size - metadata;
  syclze__writer_pad(&writer);
  syclze__writer_put(&writer, spirv, sizeof spirv);
  put_text("native");
  const uint64_t header[] = {metadata_size, sizeof spirv + 6, 0, 0};
  const uint64_t module_header[] = {0, sizeof module - 1, 1, 1};
  const uint64_t ir_header[] = {sizeof module - 1, ir, 0, sizeof spirv};
  const uint64_t native_header[] = {sizeof module - 1 + ir, native, sizeof spirv, 6};
  memcpy(bytes + 24, header, sizeof header);
  memcpy(bytes + 56, module_header, sizeof module_header);
  memcpy(bytes + 88, ir_header, sizeof ir_header);
  memcpy(bytes + 120, native_header, sizeof native_header);
  return written();
}

static void check_syclbin(syclze_bytes file, syclze_aspect_numbers numbers) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  syclze_property_sets sets;
  uint32_t level = 0;
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(image.bytes.size, sizeof spirv);
  CHECK(memcmp(image.bytes.data, spirv, sizeof spirv) == 0);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64-unknown-unknown"));
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  CHECK(syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_OPT_LEVEL, &level));
  CHECK_EQ(level, 3);
  CHECK_EQ(image.aspect_numbers, numbers);
  syclze_property_sets_close(sets);
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(image.aspect_numbers, numbers);
  CHECK(syclze_text_is(syclze_text_of_bytes(image.bytes), "native"));
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64_gen"));
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
}

TEST(syclbin_holds_its_modules_images) { // shows offload 17
  syclze_bytes file = make_syclbin();
  check_syclbin(file, SYCLZE_ASPECT_NUMBERS_UNKNOWN);
  check_damage(file);
}

TEST(syclbin_of_an_unknown_version_is_refused) { // shows offload 18
  syclze_bytes file = make_syclbin();
  syclze_offload_image image;
  bytes[4] = 9;
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  syclze_offload_file_end(&cursor);
}

TEST(syclbin_modules_that_share_images_are_refused) {
  syclze_bytes file = make_syclbin();
  syclze_offload_image image;
  bytes[56 + 16] = 2; /* two modules of the intermediate language, of one */
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
  syclze_offload_file_end(&cursor);
}

/* Version 1 in a container, and version 2, which is a container of entries with roles. */
TEST(syclbin_in_a_container) { // shows offload 17
  static uint8_t file[8192];
  static uint8_t ir[8 + sizeof spirv], native[8 + 6];
  size_t size = sizeof file;
  syclze_offload_image image = syclze_offload_image_of(make_syclbin());
  CHECK_EQ(syclze_container_write(2, &image, 1, file, &size), ZE_RESULT_SUCCESS);
  check_syclbin(syclze_bytes_of(file, size), SYCLZE_ASPECT_NUMBERS_UNKNOWN);

  static const char metadata[] = "[SYCL/misc properties]\noptLevel=1|3\n";
  syclze_offload_string strings[4][2];
  syclze_offload_image images[4];
  static const char *const roles[] = {"global_metadata", "am_metadata", "ir", "native"};
  static const char *const triples[] = {"", "", "spir64-unknown-unknown", "spir64_gen"};
  memcpy(ir + 8, spirv, sizeof spirv);
  memcpy(native + 8, "native", 6);
  const syclze_bytes contents[] = {syclze_bytes_of("[a]\n", 4),
      syclze_bytes_of(metadata, sizeof metadata - 1), syclze_bytes_of(ir, sizeof ir),
      syclze_bytes_of(native, sizeof native)};
  for (int i = 0; i < 4; i++) {
    images[i] = syclze_offload_image_of(contents[i]);
    images[i].image_kind = 7;
    images[i].offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
    strings[i][0].key = syclze_text_of("role");
    strings[i][0].value = syclze_bytes_of(roles[i], strlen(roles[i]));
    strings[i][1].key = syclze_text_of("triple");
    strings[i][1].value = syclze_bytes_of(triples[i], strlen(triples[i]));
    syclze_offload_image_set_strings(&images[i], strings[i], 2);
  }
  size = sizeof file;
  CHECK_EQ(syclze_container_write(2, images, 4, file, &size), ZE_RESULT_SUCCESS);
  check_syclbin(syclze_bytes_of(file, size), SYCLZE_ASPECT_NUMBERS_2026);
  check_damage(syclze_bytes_of(file, size));
}

/* An entry of version 2: its role, module and version, and bytes or, behind its own metadata, an
   image. */
struct entry {
  const char *role, *module, *version, *bytes, *metadata;
};

/* Writes entries to a container. */
static syclze_bytes make_entries(const struct entry *entries, size_t count) {
  static uint8_t file[16384], payloads[4][6000];
  static syclze_offload_string strings[4][3];
  syclze_offload_image images[4];
  size_t size = sizeof file;
  for (size_t i = 0; i < count; i++) {
    const char *metadata = entries[i].metadata;
    struct syclze__writer payload = {payloads[i], sizeof payloads[i], 0};
    if (metadata != NULL) {
      syclze__writer_put_u64(&payload, strlen(metadata));
      syclze__writer_put(&payload, metadata, strlen(metadata));
    }
    syclze__writer_put(&payload, entries[i].bytes, strlen(entries[i].bytes));
    images[i] = syclze_offload_image_of(syclze_bytes_of(payloads[i], payload.size));
    images[i].image_kind = 7;
    const char *const texts[3][2] = {{"role", entries[i].role}, {"am_index", entries[i].module},
        {"sycl_format_version", entries[i].version}};
    for (int k = 0; k < 3; k++) {
      strings[i][k].key = syclze_text_of(texts[k][0]);
      strings[i][k].value = syclze_bytes_of(texts[k][1], strlen(texts[k][1]));
    }
    syclze_offload_image_set_strings(&images[i], strings[i], 3);
  }
  CHECK_EQ(syclze_container_write(2, images, count, file, &size), ZE_RESULT_SUCCESS);
  return syclze_bytes_of(file, size);
}

/* The target in an image's own metadata, and properties of the module that it names. */
TEST(syclbin_entries_have_their_modules_properties) { // shows offload 17
  static const struct entry entries[] = {
      {"global_metadata", "", "2", "[SYCLBIN/global metadata]\nstate=1|1\n", NULL},
      {"am_metadata", "0", "2", "[SYCL/misc properties]\noptLevel=1|3\n", NULL},
      {"native", "0", "2", "code",
          "[SYCLBIN/native device code image metadata]\ntarget=2|QBAAAAAAAAwcwlmc2QzXnVmb\n"}};
  syclze_offload_image image;
  syclze_property_sets sets;
  uint32_t level = 0;
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(make_entries(entries, 3));
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.state, SYCLZE_SYCLBIN_STATE_OBJECT);
  CHECK(syclze_text_is(syclze_text_of_bytes(image.bytes), "code"));
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64_gen"));
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  CHECK(syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_OPT_LEVEL, &level));
  CHECK_EQ(level, 3);
  syclze_property_sets_close(sets);
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
}

static void check_entries_refused(
    const struct entry *entries, size_t count, ze_result_t result, const char *rule) {
  syclze_offload_image image;
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(make_entries(entries, count));
  while (syclze_offload_file_next(&cursor, &image))
    continue;
  CHECK_EQ(cursor.result, result);
  CHECK(strstr(cursor.rule, rule) != NULL);
  syclze_offload_file_end(&cursor);
}

TEST(syclbin_entries_that_would_be_misread_are_refused) { // shows offload 18
  static char metadata[5000];
  struct entry entries[] = {{"global_metadata", "", "3", "", NULL},
      {"am_metadata", "0", "", "", NULL}, {"ir", "1", "", "code", ""}};
  check_entries_refused(
      entries, 3, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "the version is not 2");
  entries[0].version = "2";
  check_entries_refused(
      entries, 3, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "does not follow its module");
  entries[2].module = "0";
  entries[2].role = "unknown";
  check_entries_refused(entries, 3, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "unknown role");
  entries[2].role = "ir";
  entries[2].metadata = "nonsense";
  check_entries_refused(entries, 3, SYCLZE_RESULT_ERROR_INVALID, "cannot be read");
  memset(metadata, '\n', sizeof metadata - 1);
  entries[2].metadata = metadata;
  check_entries_refused(entries, 3, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "longer than 4096");
}

TEST(syclbin_entries_without_room_for_their_own_size_are_refused) { // shows offload 17
  static uint8_t file[1024];
  const syclze_offload_string role = {syclze_text_of("role"), syclze_bytes_of("ir", 2)};
  for (size_t room = 0; room <= 8; room++) {
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("\0\0\0\0\0\0\0\0", room));
    size_t size = sizeof file;
    image.image_kind = 7;
    syclze_offload_image_set_strings(&image, &role, 1);
    CHECK_EQ(syclze_container_write(2, &image, 1, file, &size), ZE_RESULT_SUCCESS);
    syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(file, size));
    CHECK_EQ(syclze_offload_file_next(&cursor, &image), room == 8);
    CHECK_EQ(cursor.result, room == 8 ? ZE_RESULT_SUCCESS : SYCLZE_RESULT_ERROR_INVALID);
    syclze_offload_file_end(&cursor);
  }
}

TEST(a_bundle_file_has_the_images_of_sycl) { // shows offload 17
  static const char *const targets[] = {"host-x86_64-unknown-linux-gnu",
      "sycl-spir64-unknown-unknown", "openmp-nvptx64-nvidia-cuda", "sycl-spir64_gen"};
  begin();
  put_text("__CLANG_OFFLOAD_BUNDLE__");
  syclze__writer_put_u64(&writer, 4);
  for (uint64_t i = 0; i < 4; i++) {
    syclze__writer_put_u64(&writer, 512 + 32 * i);
    syclze__writer_put_u64(&writer, i == 1 ? 20 : 7);
    syclze__writer_put_u64(&writer, strlen(targets[i]));
    put_text(targets[i]);
  }
  writer.size = 640;
  memcpy(bytes + 512 + 32, spirv, sizeof spirv);
  memcpy(bytes + 512 + 96, "\177ELFx64", 7);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(written());
  syclze_offload_image image;
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK(memcmp(image.bytes.data, spirv, sizeof spirv) == 0);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64-unknown-unknown"));
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(image.bytes.size, 7);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64_gen"));
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  check_damage(written());
}

/* A constant in the section that clang embeds containers in; the bitcode of an array is packed. */
static bool compile_bitcode(const char *flags) {
  FILE *source = fopen(scratch_path("embedded.c"), "w");
  syclze_bytes container = sample_read("pack22.ob");
  CHECK(source != NULL);
  fprintf(source, "static const char text[] = \"a constant of the host's\";\n"
                  "const char *used(void) { return text; }\n"
                  "__attribute__((section(\".llvm.offloading\"), used)) static const unsigned char "
                  "embedded[] = {");
  for (size_t i = 0; i < container.size; i++)
    fprintf(source, "%u,", ((const uint8_t *)container.data)[i]);
  fprintf(source, "};\n");
  fclose(source);
  free((void *)container.data);
  return scratch_run("clang -c -emit-llvm %s -o %s %s 2>/dev/null", flags,
             scratch_path("embedded.bc"), scratch_path("embedded.c")) == 0;
}

/* Ends the cursor. */
static void check_one_image(syclze_offload_file_cursor cursor, syclze_offload_format format) {
  syclze_offload_image image;
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(syclze_offload_format_of(image.bytes), format);
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
}

static void check_bitcode(const char *flags) {
  syclze_offload_image image;
  scratch_begin("clang");
  if (!compile_bitcode(flags)) {
    scratch_end();
    SKIP("clang does not compile to bitcode");
  }
  syclze_bytes file = sample_read(scratch_path("embedded.bc"));
  check_one_image(syclze_offload_file_begin(file), SYCLZE_OFFLOAD_FORMAT_LLVM_IR);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin_bitcode(file);
  for (int i = 0; i < 2; i++) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    CHECK_EQ(syclze_offload_format_of(image.bytes), SYCLZE_OFFLOAD_FORMAT_SPIRV);
    CHECK_EQ(image.bytes.size, i == 0 ? 2820 : 1056);
  }
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  free((void *)file.data);
  scratch_end();
}

TEST(bitcode_has_the_containers_that_it_embeds) { // shows offload 11
  check_bitcode("-O0");
  check_bitcode("-O2 -flto");
  check_bitcode("-O1 -g -flto=thin");
}

TEST(bitcode_without_a_container_is_an_image) {
  static const uint8_t empty[] = {'B', 'C', 0xc0, 0xde, 0, 0, 0, 0};
  const syclze_bytes file = syclze_bytes_of(empty, sizeof empty);
  check_one_image(syclze_offload_file_begin(file), SYCLZE_OFFLOAD_FORMAT_LLVM_IR);
  check_one_image(syclze_offload_file_begin_bitcode(file), SYCLZE_OFFLOAD_FORMAT_LLVM_IR);
}

TEST(other_files_are_read_as_if_they_were_not_bitcode) {
  static const uint32_t module[] = {0x07230203, 0x00010000, 0, 1, 0};
  check_one_image(syclze_offload_file_begin_bitcode(syclze_bytes_of(module, sizeof module)),
      SYCLZE_OFFLOAD_FORMAT_SPIRV);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin_bitcode(syclze_bytes_of(NULL, 0));
  syclze_offload_image image;
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
  syclze_offload_file_end(&cursor);
}

TEST_MAIN(syclbin_holds_its_modules_images, syclbin_entries_have_their_modules_properties,
    syclbin_entries_that_would_be_misread_are_refused,
    syclbin_entries_without_room_for_their_own_size_are_refused,
    syclbin_of_an_unknown_version_is_refused, syclbin_modules_that_share_images_are_refused,
    syclbin_in_a_container, a_bundle_file_has_the_images_of_sycl,
    bitcode_has_the_containers_that_it_embeds, bitcode_without_a_container_is_an_image,
    other_files_are_read_as_if_they_were_not_bitcode)
