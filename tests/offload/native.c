/* Native code: zebins, and the fat archives that hold several of them. */
#include "syclze/offload/archive.h"
#include "syclze/offload/zebin.h"
#include "support/sample.h"
#include "tests/check.h"

static void check_kernels(const syclze_zebin *zebin) {
  static const char *const names[] = {"axpy", "iota", "lsum"};
  syclze_zebin_kernel_cursor cursor = syclze_zebin_kernels(zebin);
  syclze_text name;
  for (size_t i = 0; i < 3; i++) {
    CHECK(syclze_zebin_kernel_next(&cursor, &name));
    CHECK(syclze_text_is(name, names[i]));
  }
  CHECK(!syclze_zebin_kernel_next(&cursor, &name));
}

TEST(a_zebin_names_its_gpu_and_kernels) {
  syclze_bytes file = sample_read("two.ocloc.dg2.zebin");
  syclze_zebin zebin;
  CHECK_EQ(syclze_offload_format_of(file), SYCLZE_OFFLOAD_FORMAT_ZEBIN);
  CHECK_EQ(syclze_zebin_open(file, &zebin), ZE_RESULT_SUCCESS);
  CHECK_EQ(zebin.ip_version, syclze_ip_version_of(12, 55, 8));
  CHECK_EQ(zebin.ip_version, 0x030dc008);
  CHECK_EQ(zebin.product_family, 0x4f6);
  CHECK_EQ(zebin.gfx_core, 0xc07);
  CHECK_EQ(zebin.target_metadata, 0x280800);
  CHECK(syclze_text_is(zebin.version, "1.73"));
  CHECK_EQ(syclze_offload_format_of(zebin.spirv), SYCLZE_OFFLOAD_FORMAT_SPIRV);
  CHECK_EQ(zebin.spirv.size, 0xf1c);
  check_kernels(&zebin);
  free((void *)file.data);
}

TEST(without_info_the_sections_name_the_kernels) {
  syclze_bytes file = sample_read("two.ocloc.dg2.zebin");
  syclze_zebin zebin;
  CHECK_EQ(syclze_zebin_open(file, &zebin), ZE_RESULT_SUCCESS);
  zebin.info = syclze_text_of("");
  check_kernels(&zebin);
  free((void *)file.data);
}

TEST(only_kernels_count_among_the_names_in_the_info) {
  syclze_zebin zebin;
  syclze_text name;
  memset(&zebin, 0, sizeof zebin);
  zebin.info = syclze_text_of("---\nfunctions:\n  - name: f\nkernels:\r\n  - name:    'a b'\r\n"
                              "    args:\n      - name: deep\n    name2: no\n  - simd_size: 8\n"
                              "    name: second\nkernels_misc_info:\n  - name: a\n"
                              "kernels:\n- name: \"third\"\n-\n- name:\n- name: last");
  syclze_zebin_kernel_cursor cursor = syclze_zebin_kernels(&zebin);
  static const char *const names[] = {"a b", "second", "third", "last"};
  for (size_t i = 0; i < 4; i++) {
    CHECK(syclze_zebin_kernel_next(&cursor, &name));
    CHECK(syclze_text_is(name, names[i]));
  }
  CHECK(!syclze_zebin_kernel_next(&cursor, &name));
}

TEST(other_files_are_no_zebin) {
  syclze_bytes object = sample_read("fsycl22.o"), zebin_file = sample_read("two.ocloc.dg2.zebin");
  syclze_zebin zebin;
  CHECK_EQ(syclze_zebin_open(object, &zebin), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_zebin_open(zebin_file, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  uint8_t *copy = (uint8_t *)zebin_file.data;
  copy[0x3800 + 4] = 0xff; /* the first note's size */
  CHECK_EQ(syclze_zebin_open(zebin_file, &zebin), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(zebin.ip_version, 0);
  free((void *)object.data);
  free((void *)zebin_file.data);
}

TEST(a_fat_archive_names_the_targets_of_its_members) { // shows offload 42
  static const struct {
    const char *name, *target;
    size_t size;
    uint32_t ip_version;
    bool padding, generic;
  } members[] = {{"pad_0", "", 8, 0, true, false}, {"64.dg2", "dg2", 11624, 0, false, false},
      {"pad_1", "", 8, 0, true, false}, {"64.12.60.7", "12.60.7", 10192, 0x030f0007, false, false},
      {"pad_2", "", 8, 0, true, false}, {"generic_ir", "", 4232, 0, false, true}};
  syclze_bytes file = sample_read("two.ocloc.dg2_pvc.ar");
  syclze_archive_cursor cursor = syclze_archive_begin(file);
  syclze_archive_member member;
  CHECK_EQ(syclze_offload_format_of(file), SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE);
  for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
    CHECK(syclze_archive_next(&cursor, &member));
    CHECK(syclze_text_is(member.name, members[i].name));
    CHECK(syclze_text_is(member.target, members[i].target));
    CHECK_EQ(member.bytes.size, members[i].size);
    CHECK_EQ(member.ip_version, members[i].ip_version);
    CHECK_EQ(member.is_padding, members[i].padding);
    CHECK_EQ(member.is_generic_ir, members[i].generic);
    CHECK_EQ(member.pointer_bits, member.target.size ? 64 : 0);
    if (member.is_padding) continue;
    syclze_zebin zebin;
    CHECK_EQ(syclze_zebin_open(member.bytes, &zebin), ZE_RESULT_SUCCESS);
    if (member.is_generic_ir) {
      CHECK_EQ(syclze_offload_format_of(member.bytes), SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER);
      CHECK_EQ(syclze_offload_format_of(zebin.spirv), SYCLZE_OFFLOAD_FORMAT_SPIRV);
    } else {
      CHECK_EQ(syclze_offload_format_of(member.bytes), SYCLZE_OFFLOAD_FORMAT_ZEBIN);
      check_kernels(&zebin);
      if (member.ip_version != 0) CHECK_EQ(zebin.ip_version, member.ip_version);
    }
  }
  CHECK(!syclze_archive_next(&cursor, &member));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  free((void *)file.data);
}

#define HEADER(name, size) name "0           0     0     100644  " size "`\n"

static ze_result_t walk(const char *text, size_t size, const char *names) {
  syclze_archive_cursor cursor = syclze_archive_begin(syclze_bytes_of(text, size));
  syclze_archive_member member;
  char found[256] = "";
  while (syclze_archive_next(&cursor, &member))
    snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s=%.*s;",
        (int)member.name.size, member.name.data, (int)member.bytes.size,
        (const char *)member.bytes.data);
  CHECK_STR_EQ(found, names);
  CHECK_EQ(cursor.result == ZE_RESULT_SUCCESS, cursor.rule == NULL);
  CHECK(!syclze_archive_next(&cursor, &member));
  return cursor.result;
}

TEST(long_names_of_gnu_and_of_bsd_are_read) {
  static const char text[] = "!<arch>\n" HEADER("/               ", "4         ") "tabl" HEADER(
      "//              ", "26        ") "a_name_that_is_long/\nb_b/\n" HEADER("/21             ",
      "3         ") "bcd\n" HEADER("/0              ", "2         ") "xy" HEADER("#1/8            ",
      "10        ") "bsd_name12" HEADER("plain           ", "1         ") "z";
  CHECK_EQ(walk(text, sizeof text - 1, "b_b=bcd;a_name_that_is_long=xy;bsd_name=12;plain=z;"),
      ZE_RESULT_SUCCESS);
}

TEST(tables_of_symbols_of_bsd_are_no_members) {
  static const char text[] = "!<arch>\n" HEADER("#1/12           ",
      "16        ") "__.SYMDEF\0\0\0"
                    "tabl" HEADER("#1/20           ",
                        "24        ") "__.SYMDEF SORTED\0\0\0\0"
                                      "tabl" HEADER("__.SYMDEF       ", "4         ") "tabl" HEADER(
                                          "#1/4            ", "5         ") "a.o\0x";
  CHECK_EQ(walk(text, sizeof text - 1, "a.o=x;"), ZE_RESULT_SUCCESS);
}

TEST(damaged_archives_are_refused) {
  static const char end[] = "!<arch>\n" HEADER("a/              ", "2         ") "x";
  static const char size[] = "!<arch>\n" HEADER("a/              ", "x         ") "x";
  static const char blank[] = "!<arch>\n" HEADER("a/              ", "1 1       ") "xx";
  static const char name[] = "!<arch>\n" HEADER("/5              ", "0         ");
  static const char no_end[] = "!<arch>\n" HEADER("//              ", "2         ") "ab" HEADER(
      "/0              ", "0         ");
  static const char bsd[] = "!<arch>\n" HEADER("#1/9            ", "4         ") "abcd";
  static const char cut[] = "!<arch>\n" HEADER("a/              ", "1         ") "x\nb/   ";
  CHECK_EQ(walk(end, sizeof end - 1, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(size, sizeof size - 1, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(blank, sizeof blank - 1, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(name, sizeof name - 1, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(no_end, sizeof no_end - 1, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(bsd, sizeof bsd - 1, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(cut, sizeof cut - 1, "a=x;"), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk("!<thin>\n", 8, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk(NULL, 0, ""), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(walk("!<arch>\n", 8, ""), ZE_RESULT_SUCCESS);
}

TEST(gpu_versions_are_parsed_and_unpacked) {
  uint32_t version = 0;
  CHECK_EQ(syclze_ip_version_parse(syclze_text_of("20.1.0"), &version), 3);
  CHECK_EQ(version, 0x05004000);
  CHECK_EQ(syclze_ip_version_architecture(version), 20);
  CHECK_EQ(syclze_ip_version_release(version), 1);
  CHECK_EQ(syclze_ip_version_revision(0x030f0007), 7);
  CHECK_EQ(syclze_ip_version_parse(syclze_text_of("12.60"), &version), 2);
  CHECK_EQ(version, 0x030f0000);
  static const char *const others[] = {"", "dg2", "12", "12.", "12.60.", "12.60.7.", "12.60.7.1",
      "12..7", ".60", "12.60.x", "1024.0.0", "12.256.0", "12.0.16384", "99999999999.1"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CHECK_EQ(syclze_ip_version_parse(syclze_text_of(others[i]), &version), 0);
  CHECK_EQ(version, 0x030f0000);
}

TEST_MAIN(a_zebin_names_its_gpu_and_kernels, without_info_the_sections_name_the_kernels,
    only_kernels_count_among_the_names_in_the_info, other_files_are_no_zebin,
    a_fat_archive_names_the_targets_of_its_members, long_names_of_gnu_and_of_bsd_are_read,
    tables_of_symbols_of_bsd_are_no_members, damaged_archives_are_refused,
    gpu_versions_are_parsed_and_unpacked)
