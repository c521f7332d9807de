/* Linked programs of DPC++, read from their files: images with all that their descriptors have. */
#include "syclze/offload/image_set.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "tests/check.h"

static syclze_bytes compile(const char *flags) {
  CHECK_EQ(scratch_run("${CC:-cc} -O1 %s -o %s tests/offload/embedded/dpcpp.c", flags,
               scratch_path("program")),
      0);
  return sample_read(scratch_path("program"));
}

static void check_text(const syclze_offload_image *image, const char *key, const char *value) {
  CHECK(syclze_text_is(syclze_offload_image_text(image, key), value));
}

static void check_first(const syclze_offload_image *image) {
  syclze_property_sets sets;
  syclze_bytes aspects;
  uint32_t number = 0;
  syclze_bytes file = sample_read("two.clang22.spv");
  CHECK_EQ(image->bytes.size, file.size);
  CHECK(memcmp(image->bytes.data, file.data, file.size) == 0);
  free((void *)file.data);
  CHECK_EQ(image->image_kind, SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV);
  CHECK_EQ(image->offload_kind, SYCLZE_OFFLOAD_KIND_SYCL);
  CHECK_EQ(image->aspect_numbers, SYCLZE_ASPECT_NUMBERS_2026);
  check_text(image, "triple", "spir64");
  check_text(image, "compile-opts", "-option");
  check_text(image, "link-opts", "");
  check_text(image, "symbols", "axpy\niota");
  CHECK_EQ(syclze_property_sets_open(image, &sets), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_property_count(sets), 3);
  CHECK(syclze_property_get_bytes(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_ASPECTS, &aspects));
  CHECK_EQ(aspects.size, 4);
  CHECK_EQ(*(const uint8_t *)aspects.data, 6);
  CHECK(syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE, &number));
  CHECK_EQ(number, 16);
  CHECK(syclze_text_is(syclze_property_get_text(sets, "SYCL/texts", "text"), "a text"));
  syclze_property_sets_close(sets);
}

static void check_second(const syclze_offload_image *image) {
  CHECK_EQ(image->aspect_numbers, SYCLZE_ASPECT_NUMBERS_2025);
  check_text(image, "triple", "spir64_gen");
  check_text(image, "link-opts", "-link");
  CHECK(image->property_sets_begin == NULL);
}

static void check_wrapped(const char *flags) {
  syclze_offload_image image;
  scratch_begin("cc");
  syclze_bytes file = compile(flags);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  for (int i = 0; i < 2; i++) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    if (syclze_text_is(syclze_offload_image_text(&image, "symbols"), "dbl"))
      check_second(&image);
    else
      check_first(&image);
  }
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  free((void *)file.data);
  scratch_end();
}

TEST(a_shared_object_is_read_by_its_relocations) { // shows offload 12
  check_wrapped("-shared -fPIC -s");
}

TEST(a_position_independent_program_is_read) {
  check_wrapped("-fPIE -pie");
}

TEST(a_program_at_fixed_addresses_is_read) { // shows offload 12
  check_wrapped("-fno-pie -no-pie -s");
}

TEST(an_object_is_read_by_its_relocations) { // shows offload 12
  check_wrapped("-c");
}

/* Compilers rename the section: descriptors point to it whatever its name. */
TEST(images_are_found_in_sections_of_any_name) { // shows offload 12
  check_wrapped("-shared -fPIC -DSECTION='\"OFFLOAD_DEVICE_CODE\"'");
  check_wrapped("-shared -fPIC -DSECTION='\".rodata.any\"' -DNO_TABLE");
  check_wrapped("-fno-pie -no-pie -DSECTION='\".rodata\"'");
  check_wrapped("-c -DSECTION='\"OFFLOAD_DEVICE_CODE\"'");
}

/* A descriptor says whether its image is compressed. The image's own bytes, which may be hundreds
   of megabytes in a file that is mapped, are not read to find out. */
TEST(the_bytes_of_an_image_are_not_read) { // shows offload 51
  static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x40};
  syclze_offload_image image;
  scratch_begin("cc");
  syclze_bytes file = compile("-shared -fPIC"), spirv = sample_read("two.clang22.spv");
  uint8_t *bytes = (uint8_t *)(uintptr_t)file.data, *at = bytes;
  while (at < bytes + file.size - spirv.size && memcmp(at, spirv.data, spirv.size) != 0)
    at++;
  CHECK(memcmp(at, spirv.data, spirv.size) == 0);
  memcpy(at, frame, sizeof frame);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  cursor.inflate_limit = 1;
  size_t images = 0;
  for (; syclze_offload_file_next(&cursor, &image); images++)
    CHECK_EQ(image.flags, 0);
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  CHECK_EQ(images, 2);
  syclze_offload_file_end(&cursor);
  free((void *)(uintptr_t)spirv.data);
  free(bytes);
  scratch_end();
}

/* The number of images of a program, each of which is one that a descriptor has. */
static size_t count_images(const char *flags) {
  syclze_offload_image image;
  size_t count = 0;
  scratch_begin("cc");
  syclze_bytes file = compile(flags);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  for (; syclze_offload_file_next(&cursor, &image); count++)
    CHECK(syclze_offload_image_text(&image, "triple").size != 0);
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  free((void *)file.data);
  scratch_end();
  return count;
}

/* It begins with the words of an old descriptor, which has a text where the table has images. */
TEST(a_table_of_four_images_is_no_descriptor) { // shows offload 12
  CHECK_EQ(count_images("-shared -fPIC -DNO_TABLE"), 2);
  CHECK_EQ(count_images("-shared -fPIC -DNO_TABLE -DFOUR"), 5);
  CHECK_EQ(count_images("-fno-pie -no-pie -DNO_TABLE -DFOUR"), 5);
}

static void check_refused(const char *flags, const char *rule) {
  syclze_offload_image image;
  scratch_begin("cc");
  syclze_bytes file = compile(flags);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(cursor.rule, rule) != NULL);
  syclze_offload_file_end(&cursor);
  free((void *)file.data);
  scratch_end();
}

TEST(announced_images_without_a_descriptor_are_an_error) { // shows offload 18
  check_refused("-shared -fPIC -DSECOND_END=first_image", "fewer images");
  check_refused("-shared -fPIC -DNO_TABLE -DREGISTERED=3", "fewer images");
}

TEST(a_file_that_registers_images_and_has_none_is_an_error) { // shows offload 18
  static const char source[] = "void __sycl_register_lib(void *);\n"
                               "void start(void *images) { __sycl_register_lib(images); }\n";
  static const char *const kinds[] = {"-c", "-shared -fPIC", "-shared -fPIC -s"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    syclze_offload_image image;
    scratch_begin("cc");
    scratch_write("start.c", syclze_bytes_of(source, sizeof source - 1));
    CHECK_EQ(scratch_run(
                 "${CC:-cc} %s -o %s %s", kinds[i], scratch_path("start"), scratch_path("start.c")),
        0);
    syclze_bytes file = sample_read(scratch_path("start"));
    syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
    CHECK(!syclze_offload_file_next(&cursor, &image));
    CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
    CHECK(strstr(cursor.rule, "registers") != NULL);
    syclze_offload_file_end(&cursor);
    free((void *)file.data);
    scratch_end();
  }
}

/* The set holds what the cursor built until the images go. */
TEST(a_set_holds_strings_and_properties) {
  syclze_offload_set set;
  syclze_offload_found found;
  uint32_t count = 1;
  scratch_begin("cc");
  syclze_bytes file = compile("-shared -fPIC");
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, file, file.data), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_find(set, "iota", &count, &found), ZE_RESULT_SUCCESS);
  check_first(&found.image);
  CHECK_EQ(syclze_offload_set_find(set, "x__sycl_service_kernel__y", &count, NULL),
      ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  CHECK_EQ(syclze_offload_set_remove(set, file.data), 2);
  syclze_offload_set_release(set);
  free((void *)file.data);
  scratch_end();
}

/* The result of opening the properties of the first image, whose file was read. */
static ze_result_t open_properties(const char *flags) {
  syclze_offload_image image;
  syclze_property_sets sets;
  scratch_begin("cc");
  syclze_bytes file = compile(flags);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  do
    CHECK(syclze_offload_file_next(&cursor, &image));
  while (image.property_sets_begin == NULL);
  const ze_result_t result = syclze_property_sets_open(&image, &sets);
  if (result == ZE_RESULT_SUCCESS) syclze_property_sets_close(sets);
  CHECK_EQ(sets.rep != NULL, result == ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  free((void *)file.data);
  scratch_end();
  return result;
}

/* An image whose properties are malformed is an image: they are read when they are asked for. */
TEST(properties_are_read_when_they_are_asked_for) { // shows offload 51
  CHECK_EQ(open_properties("-shared -fPIC"), ZE_RESULT_SUCCESS);
  CHECK_EQ(open_properties("-shared -fPIC -DREQUIREMENTS_END='requirements - 1'"),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(open_properties("-shared -fPIC -DREQUIREMENTS_END='requirements + (1 << 20)'"),
      SYCLZE_RESULT_ERROR_INVALID);
}

/* The share of one of many images is less than their one value, and an image's size is more. */
TEST(images_may_share_what_is_larger_than_their_share_of_the_file) {
  CHECK_EQ(open_properties("-shared -fPIC -DNO_TABLE -DLARGE"), ZE_RESULT_SUCCESS);
}

/* Names that the last of many property sets lists as functions are not kernels of the file. */
TEST(exported_functions_of_a_file_are_not_kernels) { // shows offload 51
  syclze_offload_set set;
  uint32_t count = 0;
  scratch_begin("cc");
  syclze_bytes file = compile("-shared -fPIC -DEXPORTED");
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, file, file.data), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_find(set, "iota", &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_find(set, "axpy", &count, NULL), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  CHECK_EQ(
      syclze_offload_set_find_export(set, syclze_text_of("axpy"), &count, NULL), ZE_RESULT_SUCCESS);
  syclze_offload_set_release(set);
  free((void *)file.data);
  scratch_end();
}

/* Reads a damaged program: no image lies outside of it. */
static void read_all(const uint8_t *file, size_t size) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(file, size));
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    const uint8_t *begin = (const uint8_t *)image.bytes.data;
    CHECK(begin >= file && begin + image.bytes.size <= file + size);
    syclze_property_sets sets;
    if (syclze_property_sets_open(&image, &sets) == ZE_RESULT_SUCCESS)
      syclze_property_sets_close(sets);
  }
  syclze_offload_file_end(&cursor);
}

/* Each section moved to each word of the data, one word long: arrays that pass a section's end
 * there are in the file no more. */
TEST(sections_may_lie_over_each_other) { // shows offload 18
  scratch_begin("cc");
  syclze_bytes file = compile("-shared -fPIC -s -nostdlib");
  syclze_elf elf;
  syclze_elf_section data;
  CHECK_EQ(syclze_elf_open(file, &elf), ZE_RESULT_SUCCESS);
  CHECK(syclze_elf_section_find(&elf, ".data.rel.ro", &data));
  uint8_t *copy = (uint8_t *)malloc(file.size);
  CHECK(copy != NULL);
  for (size_t i = 1; i < elf.section_count; i++) {
    for (size_t at = 0; at < data.bytes.size; at += 8) {
      const uint64_t moved[] = {2, data.address + at, file.size - 8, 8};
      memcpy(copy, file.data, file.size);
      uint8_t *header = copy + (elf.sections - (const uint8_t *)file.data) + i * elf.section_size;
      memcpy(header + 8, moved, sizeof moved);
      read_all(copy, file.size);
    }
  }
  free(copy);
  free((void *)file.data);
  scratch_end();
}

/* Each byte of the descriptors, the section headers and the relocations changed: no image lies
 * outside of the file, and nothing is read outside of it. */
TEST(damaged_programs_are_refused_or_read) {
  static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
  const size_t tried = (size_t)check_repeats(sizeof values);
  scratch_begin("cc");
  syclze_bytes file = compile("-shared -fPIC -s -nostdlib");
  uint8_t *copy = (uint8_t *)malloc(file.size);
  CHECK(copy != NULL);
  memcpy(copy, file.data, file.size);
  for (size_t at = 0; at < file.size; at++) {
    for (size_t v = 0; v < tried; v++) {
      copy[at] = values[(at + v) % sizeof values];
      read_all(copy, file.size);
    }
    copy[at] = ((const uint8_t *)file.data)[at];
  }
  free(copy);
  free((void *)file.data);
  scratch_end();
}

TEST_MAIN(the_bytes_of_an_image_are_not_read, a_table_of_four_images_is_no_descriptor,
    a_shared_object_is_read_by_its_relocations, a_position_independent_program_is_read,
    a_program_at_fixed_addresses_is_read, an_object_is_read_by_its_relocations,
    images_are_found_in_sections_of_any_name, announced_images_without_a_descriptor_are_an_error,
    a_file_that_registers_images_and_has_none_is_an_error, sections_may_lie_over_each_other,
    a_set_holds_strings_and_properties, properties_are_read_when_they_are_asked_for,
    images_may_share_what_is_larger_than_their_share_of_the_file,
    exported_functions_of_a_file_are_not_kernels, damaged_programs_are_refused_or_read)
