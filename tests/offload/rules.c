/* The rules of offload.mk, in a project of their own: SPIR-V from OpenCL C, containers, native
 * code. */
#include "syclze/offload/file.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "tests/check.h"

static void begin_project(void) {
  scratch_begin("make");
  CHECK_EQ(scratch_run("cp tests/offload/samples/two.cl tests/offload/samples/sg.cl %s && "
                       "printf 'include %%s/syclze/offload/tools/offload.mk\\n"
                       "all.ob: two.spv sg.spv ; $(SYCLZE_PACK)\\n"
                       "all.ob: SYCLZE_ARCH_OF_sg.spv = dg2\\n' \"$PWD\" >%s",
               scratch_path(""), scratch_path("Makefile")),
      0);
}

static bool make_target(const char *target, const char *variables) {
  return scratch_run("MAKEFLAGS= make -s -C %s %s %s >%s 2>&1", scratch_path(""), target, variables,
             scratch_path("messages")) == 0;
}

/* Makes the target, or skips the case where the rules name a tool to install. */
static void make_or_skip(const char *target, const char *variables) {
  if (make_target(target, variables)) return;
  if (scratch_run("grep -q 'syclze: install' %s", scratch_path("messages")) == 0) {
    scratch_end();
    SKIP("a tool of the rules is not installed");
  }
  scratch_run("cat %s", scratch_path("messages"));
  check_fail(__FILE__, __LINE__, "make %s %s failed", target, variables);
}

/* The files of a kernel exist already, so that rules that use them need no compiler. */
static void put_spirv(void) {
  CHECK_EQ(scratch_run("cp tests/offload/samples/two.clang22.spv %s && "
                       "cp tests/offload/samples/sg.clang22.spv %s",
               scratch_path("two.spv"), scratch_path("sg.spv")),
      0);
}

static void check_image(
    const char *name, size_t index, syclze_offload_format format, const char *arch) {
  syclze_bytes file = sample_read(scratch_path(name));
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  for (size_t i = 0; i <= index; i++)
    CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(syclze_offload_format_of(image.bytes), format);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "arch"), arch));
  free((void *)file.data);
}

TEST(opencl_c_becomes_spirv) {
  begin_project();
  make_or_skip("two.spv", "");
  check_image("two.spv", 0, SYCLZE_OFFLOAD_FORMAT_SPIRV, "");
  scratch_end();
}

TEST(an_old_clang_needs_the_translator) {
  begin_project();
  make_or_skip("two.spv", "SYCLZE_CLANG=");
  check_image("two.spv", 0, SYCLZE_OFFLOAD_FORMAT_SPIRV, "");
  scratch_end();
}

TEST(a_missing_tool_is_named_when_it_is_needed) {
  begin_project();
  CHECK(!make_target("two.spv", "SYCLZE_CLANG= SYCLZE_CLANG_OLD="));
  CHECK_EQ(scratch_run("grep -q 'install clang-22' %s", scratch_path("messages")), 0);
  put_spirv();
  CHECK(!make_target("two.native", "SYCLZE_OCLOC="));
  CHECK_EQ(scratch_run("grep -q 'install ocloc' %s", scratch_path("messages")), 0);
  scratch_end();
}

TEST(a_container_of_one_image_is_read) { // shows offload 7
  begin_project();
  put_spirv();
  make_or_skip("two.ob", "SYCLZE_ARCH=generic");
  check_image("two.ob", 0, SYCLZE_OFFLOAD_FORMAT_SPIRV, "generic");
  scratch_end();
}

TEST(several_images_go_into_one_container) { // shows offload 7
  begin_project();
  put_spirv();
  make_or_skip("all.ob", "");
  check_image("all.ob", 0, SYCLZE_OFFLOAD_FORMAT_SPIRV, "");
  check_image("all.ob", 1, SYCLZE_OFFLOAD_FORMAT_SPIRV, "dg2");
  scratch_end();
}

static size_t images_in(const char *name) {
  size_t count = 0;
  syclze_bytes file = sample_read(scratch_path(name));
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    CHECK_EQ(syclze_offload_format_of(image.bytes), SYCLZE_OFFLOAD_FORMAT_SPIRV);
    count++;
  }
  free((void *)file.data);
  return count;
}

/* Five kernels of three requirements in one file, of which two share a variable; one in the other.
 */
TEST(spirv_is_divided_before_packing) { // shows offload 27
  begin_project();
  put_spirv();
  CHECK_EQ(scratch_run("cp tests/kernels/mixed.spv %s", scratch_path("two.spv")), 0);
  make_or_skip("-B all.ob", "-o two.spv -o sg.spv SYCLZE_SPLIT=kernel");
  CHECK_EQ(images_in("all.ob"), 5);
  check_image("all.ob", 3, SYCLZE_OFFLOAD_FORMAT_SPIRV, "");
  check_image("all.ob", 4, SYCLZE_OFFLOAD_FORMAT_SPIRV, "dg2");
  make_or_skip("-B two.ob", "-o two.spv SYCLZE_SPLIT=requirement");
  CHECK_EQ(images_in("two.ob"), 3);
  make_or_skip("-B two.ob", "-o two.spv SYCLZE_SPLIT=auto");
  CHECK_EQ(images_in("two.ob"), 3);
  make_or_skip("-B two.ob", "-o two.spv SYCLZE_SPLIT=source");
  CHECK_EQ(images_in("two.ob"), 1);
  CHECK(scratch_run("test -e %s", scratch_path("two.ob.tools")) != 0);
  CHECK(!make_target("-B two.ob", "-o two.spv SYCLZE_SPLIT=nonsense"));
  scratch_end();
}

/* Four images and three of files with one name, in two folders, and one of another. */
TEST(files_of_one_name_are_divided_apart) { // shows offload 27
  begin_project();
  put_spirv();
  CHECK_EQ(
      scratch_run("cd %s && mkdir a && cp $OLDPWD/tests/kernels/mixed.spv a/two.spv && "
                  "printf 'both.ob: a/two.spv sg.spv b/two.spv ; $(SYCLZE_PACK)\\n' >>Makefile && "
                  "mkdir b && mv two.spv b",
          scratch_path("")),
      0);
  make_or_skip("both.ob", "-o a/two.spv -o b/two.spv -o sg.spv SYCLZE_SPLIT=kernel");
  CHECK_EQ(images_in("both.ob"), 8);
  scratch_end();
}

/* The first image's table of kernels. */
static void check_table(const char *name, uint32_t version, const char *key, const char *table) {
  syclze_bytes file = sample_read(scratch_path(name));
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  CHECK(syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(syclze__load_u32((const uint8_t *)file.data + 4), version);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, key), table));
  CHECK_EQ(image.offload_kind, SYCLZE_OFFLOAD_KIND_SYCL);
  free((void *)(uintptr_t)file.data);
}

TEST(containers_of_each_version_have_tables_of_kernels) { // shows offload 10
  static const char *const versions[] = {
      "SYCLZE_CONTAINER_VERSION=1", "SYCLZE_CONTAINER_VERSION=2", "SYCLZE_CONTAINER_VERSION=3"};
  begin_project();
  put_spirv();
  for (uint32_t i = 0; i < 3; i++) {
    CHECK(make_target("-B two.ob -o two.spv", versions[i]));
    check_table("two.ob", i + 1, "SYMBOL_TABLE", "axpy\niota\nlsum\n");
  }
  scratch_end();
}

TEST(containers_are_compressed) { // shows offload 10
  static const char *const libraries[] = {"zlib", "zstd"};
  begin_project();
  put_spirv();
  int skipped = 0;
  for (int i = 0; i < 2; i++) {
    char variables[64];
    snprintf(variables, sizeof variables, "SYCLZE_COMPRESS=%s", libraries[i]);
    if (!make_target("-B two.ob -o two.spv", variables)) {
      CHECK_EQ(scratch_run("grep -q 'pack: %s: ' %s", libraries[i], scratch_path("messages")), 0);
      skipped++;
      continue;
    }
    syclze_bytes file = sample_read(scratch_path("two.ob"));
    CHECK_EQ(syclze__load_u32((const uint8_t *)file.data + 4), 3);
    CHECK(syclze__load_u64((const uint8_t *)file.data + 32) > file.size); /* the inflated size */
    free((void *)(uintptr_t)file.data);
  }
  scratch_end();
  if (skipped == 2) SKIP("neither library is installed");
}

/* A C project: its kernels' object registers them before main, with no tool but the C compiler. */
TEST(an_object_registers_images_with_the_program) { // shows offload 45
  begin_project();
  put_spirv();
  CHECK_EQ(
      scratch_run("cp tests/offload/embedded/registered.c %s && printf 'registered: registered.c "
                  "two.images.o sg.images.o\n"
                  "\t$(CC) -std=c11 $(syclze_offload_include) -o $@ $^ -lze_loader\n' >>%s",
          scratch_path(""), scratch_path("Makefile")),
      0);
  make_or_skip("registered -o two.spv -o sg.spv", "");
  CHECK_EQ(scratch_run("%s", scratch_path("registered")), 0);
  syclze_bytes program = sample_read(scratch_path("registered"));
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(program);
  syclze_offload_image image;
  size_t count = 0;
  while (syclze_offload_file_next(&cursor, &image))
    count++;
  CHECK_EQ(count, 2);
  syclze_offload_file_end(&cursor);
  free((void *)(uintptr_t)program.data);
  scratch_end();
}

/* In ocloc's place stands a script that checks its options, and names its output as ocloc does. */
TEST(native_code_has_one_name_for_any_number_of_devices) { // shows offload 42
  begin_project();
  put_spirv();
  CHECK(make_target("two.native", "SYCLZE_OCLOC=\"$PWD/tests/offload/stand_in/ocloc\""));
  check_image("two.native", 0, SYCLZE_OFFLOAD_FORMAT_ZEBIN, "");
  CHECK(make_target("-B sg.native",
      "-o sg.spv SYCLZE_OCLOC=\"$PWD/tests/offload/stand_in/ocloc\" SYCLZE_DEVICES=dg2,pvc"));
  check_image("sg.native", 0, SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE, "");
  scratch_end();
}

TEST(ocloc_compiles) {
  begin_project();
  put_spirv();
  make_or_skip("two.native", "");
  check_image("two.native", 0, SYCLZE_OFFLOAD_FORMAT_ZEBIN, "");
  CHECK(make_target("sg.native", "SYCLZE_DEVICES=dg2,pvc"));
  check_image("sg.native", 0, SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE, "");
  scratch_end();
}

/* In clang's place stands a script that keeps its options. Other files have the sources' names. */
TEST(kernels_are_of_the_sources_that_are_named) {
  scratch_begin("make");
  CHECK_EQ(scratch_run("cd %s && mkdir one other && touch one/two.cl one/sg.cl other/sg.cl && "
                       "echo 'not SPIR-V' >one/two.spv && "
                       "printf '#!/bin/sh\nfor f; do echo $f; done >>%s\n"
                       "cp %%s/tests/offload/samples/two.clang22.spv $9\\n' $OLDPWD >clang && "
                       "chmod 755 clang",
               scratch_path(""), scratch_path("sources")),
      0);
  CHECK_EQ(scratch_run("tools=$PWD/syclze/offload/tools && MAKEFLAGS= make -s -C %s "
                       "-f $tools/kernels.mk OBJECT=kernels.o SOURCES='one/two.cl other/sg.cl' "
                       "SYCLZE_CLANG=%s",
               scratch_path(""), scratch_path("clang")),
      0);
  CHECK_EQ(scratch_run("grep -q /one/two.cl %s", scratch_path("sources")), 0);
  CHECK_EQ(scratch_run("grep -q /other/sg.cl %s", scratch_path("sources")), 0);
  scratch_end();
}

TEST_MAIN(opencl_c_becomes_spirv, containers_of_each_version_have_tables_of_kernels,
    containers_are_compressed, an_object_registers_images_with_the_program,
    an_old_clang_needs_the_translator, a_missing_tool_is_named_when_it_is_needed,
    a_container_of_one_image_is_read, several_images_go_into_one_container,
    spirv_is_divided_before_packing, files_of_one_name_are_divided_apart,
    native_code_has_one_name_for_any_number_of_devices, ocloc_compiles,
    kernels_are_of_the_sources_that_are_named)
