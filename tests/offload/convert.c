/* The tool that converts between files of device images: what it writes has the images of what it
   reads. */
#include "syclze/offload/image_set.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "tests/check.h"

static void begin(void) {
  scratch_begin("cc");
  CHECK_EQ(scratch_run("${CC:-cc} -std=c11 -O1 -I. -o %s syclze/offload/tools/convert.c -ldl",
               scratch_path("convert")),
      0);
}

static int convert(const char *options, const char *files) {
  return scratch_run("%s -o %s %s %s 2>%s", scratch_path("convert"), scratch_path("out"), options,
      files, scratch_path("messages"));
}

/* The images of the written file with a kernel. */
static uint32_t images_with(const char *kernel, syclze_bytes file) {
  syclze_offload_set set;
  uint32_t count = 0;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, file, NULL), ZE_RESULT_SUCCESS);
  if (kernel != NULL)
    syclze_offload_set_find(set, kernel, &count, NULL);
  else
    syclze_offload_set_list(set, &count, NULL);
  syclze_offload_set_release(set);
  return count;
}

TEST(every_format_has_the_same_images) { // shows offload 10
  static const char *const formats[] = {"-f v1", "-f v2", "-f v3", "-f syclbin", "-f syclbin2", ""};
  begin();
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    CHECK_EQ(convert(formats[i],
                 "tests/offload/samples/pack23.ob tests/offload/samples/two.ocloc.dg2.zebin"),
        0);
    syclze_bytes file = sample_read(scratch_path("out"));
    CHECK_EQ(images_with(NULL, file), 3);
    CHECK_EQ(images_with("axpy", file), 2);
    free((void *)(uintptr_t)file.data);
    /* And back. */
    CHECK_EQ(scratch_run("cp %s %s", scratch_path("out"), scratch_path("in")), 0);
    CHECK_EQ(convert("-f image -i 2", scratch_path("in")), 0);
    syclze_bytes native = sample_read("two.ocloc.dg2.zebin"),
                 back = sample_read(scratch_path("out"));
    CHECK_EQ(back.size, native.size);
    CHECK(memcmp(back.data, native.data, native.size) == 0);
    free((void *)(uintptr_t)native.data);
    free((void *)(uintptr_t)back.data);
  }
  scratch_end();
}

TEST(one_kernel_is_cut_out_of_its_module) { // shows offload 10
  begin();
  CHECK_EQ(convert("-k axpy", "tests/offload/samples/two.clang22.spv"), 0);
  syclze_bytes file = sample_read(scratch_path("out")), whole = sample_read("two.clang22.spv");
  CHECK(file.size < whole.size);
  CHECK_EQ(images_with("axpy", file), 1);
  CHECK_EQ(images_with("iota", file), 0);
  free((void *)(uintptr_t)whole.data);
  free((void *)(uintptr_t)file.data);
  CHECK(convert("-k absent", "tests/offload/samples/two.clang22.spv") != 0);
  CHECK(convert("-f image", "tests/offload/samples/pack23.ob") != 0);
  CHECK(convert("-f nonsense", "tests/offload/samples/pack23.ob") != 0);
  scratch_end();
}

static void check_state(const char *options, const char *file, syclze_syclbin_state state) {
  syclze_offload_image image;
  CHECK_EQ(convert(options, file), 0);
  syclze_bytes bytes = sample_read(scratch_path("out"));
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  while (syclze_offload_file_next(&cursor, &image))
    CHECK_EQ(cursor.state, state);
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  free((void *)(uintptr_t)bytes.data);
}

TEST(syclbin_has_the_state_of_its_images) { // shows offload 10
  static const char spirv[] = "tests/offload/samples/two.clang22.spv";
  begin();
  check_state("-f syclbin", spirv, SYCLZE_SYCLBIN_STATE_INPUT);
  check_state("-f syclbin -s object", spirv, SYCLZE_SYCLBIN_STATE_OBJECT);
  check_state(
      "-f syclbin", "tests/offload/samples/two.ocloc.dg2.zebin", SYCLZE_SYCLBIN_STATE_EXECUTABLE);
  check_state("-f syclbin2", spirv, SYCLZE_SYCLBIN_STATE_INPUT);
  check_state("-f syclbin2 -s object", spirv, SYCLZE_SYCLBIN_STATE_OBJECT);
  check_state("-f v2", spirv, SYCLZE_SYCLBIN_STATE_UNKNOWN);
  CHECK(convert("-f syclbin -s nonsense", spirv) != 0);
  scratch_end();
}

/* Converts a program's descriptors, whose property sets SYCLBIN keeps. */
TEST(syclbin_keeps_property_sets_and_strings) { // shows offload 10
  static const char *const formats[] = {"-f syclbin", "-f syclbin2"};
  syclze_offload_image image;
  syclze_property_sets sets;
  uint32_t number = 0;
  begin();
  CHECK_EQ(scratch_run("${CC:-cc} -O1 -shared -fPIC -DSETS=1 -o %s tests/offload/embedded/dpcpp.c",
               scratch_path("program")),
      0);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(convert(formats[i], scratch_path("program")), 0);
    syclze_bytes bytes = sample_read(scratch_path("out"));
    syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
    do
      CHECK(syclze_offload_file_next(&cursor, &image));
    while (!syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64"));
    CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
    CHECK(syclze_property_get_u32(
        sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE, &number));
    CHECK_EQ(number, 16);
    number = 0;
    syclze_property_sets_close(sets);
    syclze_offload_file_end(&cursor);
    free((void *)(uintptr_t)bytes.data);
  }
  scratch_end();
}

TEST_MAIN(every_format_has_the_same_images, one_kernel_is_cut_out_of_its_module,
    syclbin_has_the_state_of_its_images, syclbin_keeps_property_sets_and_strings)
