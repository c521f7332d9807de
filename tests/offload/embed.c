/* Files built into this program: by their names, and all that the program's section holds. */
#include "syclze/offload/embed.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "tests/check.h"

syclze_embed("tests/offload/samples/two.llvmspirv15.spv", two);
syclze_embed("tests/offload/samples/two.cl", odd_size);
syclze_embed_container("tests/offload/samples/pack22.ob", packed);

static void check_is_sample(syclze_bytes bytes, const char *name) {
  syclze_bytes file = sample_read(name);
  CHECK_EQ(bytes.size, file.size);
  CHECK(memcmp(bytes.data, file.data, file.size) == 0);
  free((void *)file.data);
}

TEST(embedded_files_are_found_by_their_names) {
  check_is_sample(syclze_embedded(two), "two.llvmspirv15.spv");
  check_is_sample(syclze_embedded(odd_size), "two.cl");
  check_is_sample(syclze_embedded(packed), "pack22.ob");
  CHECK(syclze_embedded(odd_size).size % 8 != 0);
}

/* Those of both files of this program. */
TEST(every_embedded_image_is_found_in_the_section) { // shows offload 19
  static const struct {
    const char *name, *sample;
  } expected[] = {{"two", "two.llvmspirv15.spv"}, {"odd_size", "two.cl"},
      {"", "two.llvmspirv15.spv"}, {"", "spec.llvmspirv15.spv"}, {"source_in_support", "sg.cl"}};
  syclze_offload_file_cursor cursor = syclze_embedded_images();
  syclze_offload_image image;
  unsigned seen = 0;
  while (syclze_offload_file_next(&cursor, &image)) {
    syclze_text name = syclze_offload_image_text(&image, "name");
    CHECK_EQ(image.offload_kind, SYCLZE_OFFLOAD_KIND_SYCL);
    CHECK_EQ((uintptr_t)image.bytes.data % 8, 0);
    CHECK_STR_EQ(cursor.place, "sycl_images");
    unsigned i = 0;
    while (i < 5 && ((seen >> i & 1) != 0 || !syclze_text_is(name, expected[i].name)))
      i++;
    CHECK(i < 5);
    check_is_sample(image.bytes, expected[i].sample);
    seen |= 1u << i;
  }
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  CHECK_EQ(seen, 31);
}

/* The section as it stands on disk is Offload Binaries to every reader. */
TEST(the_section_of_a_program_is_read_from_its_file) {
  syclze_bytes program = sample_read("/proc/self/exe");
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(program);
  syclze_offload_image image;
  size_t count = 0;
  while (syclze_offload_file_next(&cursor, &image))
    count++;
  if (cursor.result != ZE_RESULT_SUCCESS) puts(cursor.rule);
  CHECK_EQ(count, 5);
  free((void *)program.data);
}

static void check_builds_with(const char *tool, const char *options) {
  scratch_begin(tool);
  int result = scratch_run("%s %s -I. -o %s tests/offload/support/embedded.c "
                           "tests/offload/embedded/count.c -lze_loader 2>%s",
      tool, options, scratch_path("program"), scratch_path("messages"));
  if (result != 0) scratch_run("cat %s", scratch_path("messages"));
  CHECK_EQ(result, 0);
  CHECK_EQ(scratch_run("%s", scratch_path("program")), 0);
  scratch_end();
}

TEST(gcc_embeds) { // shows offload 19
  check_builds_with("gcc", "-std=c11 -O2 -Wl,--gc-sections");
}

TEST(gcc_embeds_with_link_time_optimisation) {
  check_builds_with("gcc", "-std=gnu17 -O2 -flto");
}

TEST(gcc_embeds_in_position_dependent_code) {
  check_builds_with("gcc", "-std=c11 -no-pie -fno-pic");
}

TEST(clang_embeds) { // shows offload 19
  check_builds_with("clang", "-std=c11 -Wl,--gc-sections");
}

TEST(clang_and_lld_embed) {
  scratch_begin("ld.lld");
  scratch_end();
  check_builds_with("clang", "-std=c11 -fuse-ld=lld -Wl,--gc-sections");
}

TEST(gxx_embeds) {
  check_builds_with("g++", "-std=c++11 -x c++");
}

TEST(a_missing_file_is_an_error_of_the_compiler) {
  scratch_begin("gcc");
  CHECK_EQ(scratch_run("printf '#include \"syclze/offload/embed.h\"\\n"
                       "syclze_embed(\"no/such/file\", x);\\n' >%s",
               scratch_path("x.c")),
      0);
  CHECK(scratch_run("gcc -std=c11 -I. -c -o %s %s 2>%s", scratch_path("x.o"), scratch_path("x.c"),
            scratch_path("messages")) != 0);
  CHECK_EQ(scratch_run("grep -q 'no/such/file' %s", scratch_path("messages")), 0);
  scratch_end();
}

TEST_MAIN(embedded_files_are_found_by_their_names, every_embedded_image_is_found_in_the_section,
    the_section_of_a_program_is_read_from_its_file, gcc_embeds,
    gcc_embeds_with_link_time_optimisation, gcc_embeds_in_position_dependent_code, clang_embeds,
    clang_and_lld_embed, gxx_embeds, a_missing_file_is_an_error_of_the_compiler)
