/* LLVM's own tools and this library read what the other writes. Where a tool is not installed, its
   case is skipped. */
#define _POSIX_C_SOURCE 200809L
#include "syclze/offload/container.h"
#include "syclze/offload/file.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "tests/check.h"

#include <unistd.h>

static void check_same_file(const char *name, syclze_bytes bytes) {
  syclze_bytes file = sample_read(scratch_path(name));
  CHECK_EQ(file.size, bytes.size);
  CHECK(memcmp(file.data, bytes.data, bytes.size) == 0);
  free((void *)file.data);
}

static void check_text(const syclze_offload_image *image, const char *key, const char *value) {
  syclze_bytes found;
  CHECK(syclze_offload_image_find(image, key, &found));
  CHECK(syclze_text_is(syclze_text_of_bytes(found), value));
}

/* Writes the images of a container that a tool wrote, in this library's way. */
static void rewrite(const char *from, const char *to, uint32_t version) {
  syclze_bytes file = sample_read(scratch_path(from));
  syclze_container_cursor cursor = syclze_container_begin(file);
  syclze_offload_image images[4];
  size_t count = 0, size = 0;
  while (count < 4 && syclze_container_next(&cursor, &images[count]))
    count++;
  CHECK_EQ(count, 2);
  CHECK_EQ(syclze_container_write(version, images, count, NULL, &size), ZE_RESULT_SUCCESS);
  void *bytes = malloc(size);
  CHECK(bytes != NULL);
  CHECK_EQ(syclze_container_write(version, images, count, bytes, &size), ZE_RESULT_SUCCESS);
  scratch_write(to, syclze_bytes_of(bytes, size));
  free(bytes);
  free((void *)file.data);
}

static void check_extracts(const char *tool, const char *container, syclze_bytes spirv) {
  CHECK_EQ(scratch_run("%s %s --image=file=%s,triple=spirv64-unknown-unknown,arch=generic", tool,
               scratch_path(container), scratch_path("out.spv")),
      0);
  check_same_file("out.spv", spirv);
  CHECK_EQ(scratch_run("%s %s --image=file=%s,triple=spir64,arch=dg2", tool,
               scratch_path(container), scratch_path("out.o")),
      0);
  check_same_file("out.o", syclze_bytes_of("odd", 3));
}

/* Two images are packed by the tool, read and written here, and extracted by the tool. */
static void check_packager(const char *tool) {
  scratch_begin(tool);
  syclze_bytes spirv = sample_read("two.llvmspirv15.spv");
  scratch_write("in.spv", spirv);
  scratch_write("in.o", syclze_bytes_of("odd", 3));
  CHECK_EQ(
      scratch_run(
          "%s -o %s --image=file=%s,triple=spir64,arch=dg2,kind=openmp,extra=one "
          "--image=file=%s,triple=spirv64-unknown-unknown,arch=generic,kind=openmp 2>/dev/null",
          tool, scratch_path("packed.ob"), scratch_path("in.o"), scratch_path("in.spv")),
      0);
  syclze_bytes packed = sample_read(scratch_path("packed.ob"));
  syclze_container_cursor cursor = syclze_container_begin(packed);
  syclze_offload_image image;
  CHECK(syclze_container_next(&cursor, &image));
  CHECK_EQ(image.image_kind, SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT);
  CHECK_EQ(image.offload_kind, SYCLZE_OFFLOAD_KIND_OPENMP);
  CHECK_EQ(image.bytes.size, 3);
  check_text(&image, "triple", "spir64");
  check_text(&image, "arch", "dg2");
  check_text(&image, "extra", "one");
  CHECK(syclze_container_next(&cursor, &image));
  CHECK_EQ(image.bytes.size, spirv.size);
  CHECK(memcmp(image.bytes.data, spirv.data, spirv.size) == 0);
  check_text(&image, "arch", "generic");
  CHECK(!syclze_container_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  free((void *)packed.data);

  rewrite("packed.ob", "written1.ob", 1);
  check_extracts(tool, "written1.ob", spirv);
  if (scratch_run("%s tests/offload/samples/pack23.ob --image=file=%s,arch=generic >/dev/null 2>&1",
          tool, scratch_path("probe.spv")) == 0 &&
      access(scratch_path("probe.spv"), R_OK) == 0) {
    rewrite("packed.ob", "written2.ob", 2);
    check_extracts(tool, "written2.ob", spirv);
  } else {
    printf("%s does not read version 2\n", tool);
  }
  free((void *)spirv.data);
  scratch_end();
}

/* Describes an image in the format of llvm-objdump, as this library reads it. */
static void describe(const syclze_offload_image *image, char *text, size_t size) {
  syclze_text arch = syclze_offload_image_text(image, "arch");
  syclze_text triple = syclze_offload_image_text(image, "triple");
  snprintf(text + strlen(text), size - strlen(text), "arch %.*s\ntriple %.*s\n", (int)arch.size,
      arch.data, (int)triple.size, triple.data);
}

/* Compares what the tool prints of a file with what is read here. Returns whether it can read it.
 */
static bool check_listing(const char *tool, const char *file_path) {
  char listed[4096] = "", seen[4096] = "";
  if (scratch_run("%s --offloading %s >%s 2>/dev/null", tool, file_path, scratch_path("listing")) !=
      0)
    return false;
  scratch_run("sed -n 's/^arch  */arch /p; s/^arch$/arch /p; s/^triple  */triple /p' %s >%s",
      scratch_path("listing"), scratch_path("lines"));
  FILE *lines = fopen(scratch_path("lines"), "r");
  CHECK(lines != NULL);
  listed[fread(listed, 1, sizeof listed - 1, lines)] = '\0';
  fclose(lines);
  syclze_bytes file = sample_read(file_path);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image))
    describe(&image, seen, sizeof seen);
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(listed, seen);
  free((void *)file.data);
  return seen[0] != '\0';
}

static void check_objdump(const char *tool) {
  static const char *const samples[] = {"pack16.ob", "pack22.ob", "host_clang22.o",
      "host_clang22.obj", "sycllink22.ob", "fsycl22.o", "pack23.ob", "sycllink23.ob",
      "sycllink23_aot_bmg_g21.ob"};
  char sample[256];
  int count = 0;
  scratch_begin(tool);
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    snprintf(sample, sizeof sample, "tests/offload/samples/%s", samples[i]);
    count += check_listing(tool, sample);
  }
  scratch_run("cp tests/offload/samples/pack22.ob %s", scratch_path("pack22.ob"));
  rewrite("pack22.ob", "written1.ob", 1);
  CHECK(check_listing(tool, scratch_path("written1.ob")));
  rewrite("pack22.ob", "written2.ob", 2);
  count += check_listing(tool, scratch_path("written2.ob"));
  CHECK_EQ(scratch_run("printf '.section .llvm.offloading,\"e\",@0x6fff4c0b\\n.balign 8\\n"
                       ".incbin \"%s\"\\n' >%s && ${CC:-cc} -c -o %s %s",
               scratch_path("written1.ob"), scratch_path("object.s"), scratch_path("object.o"),
               scratch_path("object.s")),
      0);
  CHECK(check_listing(tool, scratch_path("object.o")));
  printf("%s lists %d of 10 files, and as they are read here\n", tool, count);
  CHECK(count >= 6);
  scratch_end();
}

TEST(clang_offload_packager_16) {
  check_packager("clang-offload-packager-16");
}
TEST(clang_offload_packager_19) {
  check_packager("clang-offload-packager-19");
}
TEST(clang_offload_packager_22) { // shows offload 8
  check_packager("clang-offload-packager-22");
}
TEST(llvm_offload_binary_22) {
  check_packager("llvm-offload-binary-22");
}
TEST(llvm_offload_binary_23) {
  check_packager("llvm-offload-binary-23");
}
TEST(llvm_objdump_16) {
  check_objdump("llvm-objdump-16");
}
TEST(llvm_objdump_19) {
  check_objdump("llvm-objdump-19");
}
TEST(llvm_objdump_22) { // shows offload 9
  check_objdump("llvm-objdump-22");
}
TEST(llvm_objdump_23) {
  check_objdump("llvm-objdump-23");
}

TEST_MAIN(clang_offload_packager_16, clang_offload_packager_19, clang_offload_packager_22,
    llvm_offload_binary_22, llvm_offload_binary_23, llvm_objdump_16, llvm_objdump_19,
    llvm_objdump_22, llvm_objdump_23)
