/* Registering images, in every form in which compilers do it. */
#include "support/properties.h"
#include "support/sample.h"

#include "syclze/offload/registry.h"
#include "tests/check.h"

#include <stddef.h>

SYCLZE_DEFINE_SYCL_REGISTER

/* The descriptors as compilers lay them out on a 64-bit host. */
struct descriptor {
  uint16_t version, count;
  const void *images;
  const void *host_entries[2];
};
struct short_image {
  uint16_t version;
  uint8_t kind, format;
  const char *strings[3];
  const void *begin, *end, *entries, *entries_end, *sets, *sets_end;
};
struct long_image {
  uint16_t version;
  uint8_t kind, format;
  const char *strings[3];
  const void *manifest, *manifest_end;
  const void *begin, *end, *entries, *entries_end, *sets, *sets_end;
};
struct new_entry {
  uint64_t zero;
  uint16_t version, kind;
  uint32_t flags;
  const void *address;
  const char *name;
  uint64_t size, data;
  const void *aux;
};
struct old_entry {
  const void *address;
  const char *name;
  uint64_t size;
  int32_t flags, reserved;
};
_Static_assert(sizeof(struct descriptor) == 32, "as measured");
_Static_assert(sizeof(struct short_image) == 80, "as measured");
_Static_assert(sizeof(struct long_image) == 96, "as read");
_Static_assert(sizeof(struct new_entry) == 56, "as measured");
_Static_assert(sizeof(struct old_entry) == 32, "as read");

static uint32_t with(const char *kernel, syclze_offload_found *found) {
  uint32_t count = 1;
  syclze_offload_set_find(syclze_offload_registered(), kernel, &count, found);
  return count;
}

TEST(clang_22_passes_a_descriptor) { // shows offload 44
  syclze_bytes sample = sample_read("pf22.clang22.spv");
  const struct new_entry entries[] = {{0, 1, 8, 0, NULL, "_ZTS2KV", 0, 0, NULL}};
  const struct short_image image = {3, 8, 0, {"spirv64-unknown-unknown", "-g", NULL}, sample.data,
      (const uint8_t *)sample.data + sample.size, entries, entries + 1, NULL, NULL};
  const struct descriptor descriptor = {1, 1, &image, {NULL, NULL}};
  syclze_offload_found found;
  __sycl_register_lib(&descriptor, 0x5a5a5a5a); /* a register of any content */
  CHECK_EQ(with("_ZTS2KV", &found), 1);
  CHECK(found.image.bytes.data == sample.data);
  CHECK_EQ(found.image.bytes.size, sample.size);
  CHECK(
      syclze_text_is(syclze_offload_image_text(&found.image, "triple"), "spirv64-unknown-unknown"));
  CHECK(syclze_text_is(syclze_offload_image_text(&found.image, "compile-opts"), "-g"));
  CHECK_EQ(syclze_offload_image_text(&found.image, "link-opts").size, 0);
  __sycl_unregister_lib(&descriptor, 0);
  CHECK_EQ(with("_ZTS2KV", &found), 0);
  free((void *)(uintptr_t)sample.data);
}

TEST(clang_23_passes_an_offload_binary) { // shows offload 44
  syclze_bytes sample = sample_read("sycllink23.ob");
  syclze_offload_found found;
  __sycl_register_lib(sample.data, sample.size);
  CHECK_EQ(with("scale", &found), 1);
  CHECK_EQ(found.image.offload_kind, SYCLZE_OFFLOAD_KIND_SYCL);
  __sycl_unregister_lib(sample.data, sample.size);
  CHECK_EQ(with("scale", &found), 0);
  free((void *)(uintptr_t)sample.data);
}

static void check_dpcpp(bool is_long, uint16_t version) {
  syclze_bytes sample = sample_read("two.clang22.spv");
  const uint32_t fp64[] = {6};
  const struct properties_bytes aspects = properties_bytes_of(fp64, sizeof fp64);
  const struct properties_property property = properties_property("aspects", &aspects);
  const struct properties_set sets[] = {
      {SYCLZE_PROPERTY_SET_REQUIREMENTS, &property, &property + 1}};
  const struct old_entry entries[] = {{NULL, "axpy", 0, 0, 0},
      {NULL, "_ZTSN4sycl3_V123__sycl_service_kernel__16A", 0, 0, 0},
      {NULL, "only_in_the_table", 0, 0, 0}};
  const uint8_t *end = (const uint8_t *)sample.data + sample.size;
  const struct short_image two_short[] = {
      {version, 4, 2, {"spir64", "", ""}, sample.data, end, entries, entries + 3, sets, sets + 1},
      {version, 4, 2, {"spir64", "", ""}, sample.data, end, NULL, NULL, NULL, NULL}};
  const struct long_image two_long[] = {{version, 4, 2, {"spir64", "", ""}, NULL, NULL, sample.data,
                                            end, entries, entries + 3, sets, sets + 1},
      {version, 4, 2, {"spir64", "", ""}, NULL, NULL, sample.data, end, NULL, NULL, NULL, NULL}};
  const struct descriptor descriptor = {
      1, 2, is_long ? (const void *)two_long : (const void *)two_short, {NULL, NULL}};
  syclze_offload_found found;
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(with("axpy", &found), 2);
  CHECK_EQ(with("_ZTSN4sycl3_V123__sycl_service_kernel__16A", &found), 0);
  CHECK_EQ(with("only_in_the_table", &found), 1);
  syclze_property_sets opened;
  syclze_bytes got = {NULL, 0};
  CHECK_EQ(syclze_property_sets_open(&found.image, &opened), ZE_RESULT_SUCCESS);
  CHECK(syclze_property_get_bytes(opened, SYCLZE_PROPERTY_SET_REQUIREMENTS, "aspects", &got));
  CHECK_EQ(got.size, 4);
  CHECK_EQ(found.image.aspect_numbers,
      is_long ? SYCLZE_ASPECT_NUMBERS_2025 : SYCLZE_ASPECT_NUMBERS_2026);
  syclze_property_sets_close(opened);
  CHECK_EQ(syclze_unregister_descriptor(&descriptor), 2);
  CHECK_EQ(with("axpy", &found), 0);
  free((void *)(uintptr_t)sample.data);
}

TEST(dpcpp_passes_two_layouts) { // shows offload 44
  check_dpcpp(true, 2);
  check_dpcpp(true, 1);
  check_dpcpp(false, 3);
}

TEST(unknown_descriptors_are_refused) {
  struct short_image image = {4, 8, 0, {NULL, NULL, NULL}, "", "", NULL, NULL, NULL, NULL};
  struct descriptor descriptor = {1, 1, &image, {NULL, NULL}};
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  image.version = 2;
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  image.version = 3;
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_unregister_descriptor(&descriptor), 1);
  descriptor.version = 2;
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_register_descriptor(NULL, 0), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_unregister_descriptor(&descriptor), 0);
}

TEST(a_malformed_second_image_removes_the_first) {
  syclze_bytes sample = sample_read("two.clang22.spv");
  struct short_image images[2] = {
      {3, 8, 0, {NULL, NULL, NULL}, sample.data, (const uint8_t *)sample.data + sample.size, NULL,
          NULL, NULL, NULL},
      {3, 8, 0, {NULL, NULL, NULL}, sample.data, sample.data, NULL, NULL, NULL, NULL}};
  const struct descriptor descriptor = {1, 2, images, {NULL, NULL}};
  syclze_offload_found found;
  images[1].begin = images[0].end;
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(with("axpy", &found), 0);
  free((void *)(uintptr_t)sample.data);
}

/* Registers and unregisters like a constructor and a destructor that run twice. */
TEST(registrations_of_one_file_are_counted) { // shows offload 44
  syclze_bytes file = sample_read("pack22.ob");
  syclze_offload_found found;
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_register_image(file), ZE_RESULT_SUCCESS);
    CHECK_EQ(with("axpy", &found), 1);
  }
  CHECK_EQ(syclze_unregister_image(file), 0);
  CHECK_EQ(with("axpy", &found), 1);
  CHECK_EQ(syclze_unregister_image(file), 2);
  CHECK_EQ(syclze_unregister_image(file), 0);
  free((void *)file.data);
}

/* Modules without kernels: the set has nothing but their owners. */
TEST(registrations_of_each_file_are_counted) {
  enum { FILES = 3 };
  uint32_t modules[FILES][5];
  for (int again = 0; again < FILES; again++) {
    for (int i = 0; i < FILES; i++) {
      memcpy(modules[i], (uint32_t[]){0x07230203, 0x00010000, 0, 1, 0}, sizeof modules[i]);
      CHECK_EQ(syclze_register_image(syclze_bytes_of(modules[i], 20)), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_register_image(syclze_bytes_of(modules[again], 20)), ZE_RESULT_SUCCESS);
    for (int i = 0; i < FILES; i++)
      CHECK_EQ(syclze_unregister_image(syclze_bytes_of(modules[i], 20)), i == again ? 0 : 1);
    CHECK_EQ(syclze_unregister_image(syclze_bytes_of(modules[again], 20)), 1);
  }
}

TEST(a_set_and_an_image_are_needed) {
  const syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  const syclze_offload_set none = {NULL};
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_offload_set_add(none, &image, "owner", NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_offload_set_add(set, NULL, "owner", NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  syclze_offload_set_release(set);
}

TEST(a_malformed_file_leaves_others_of_its_owner) {
  syclze_bytes file = sample_read("pack22.ob");
  syclze_offload_set set;
  uint32_t count = 0;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, file, "owner"), ZE_RESULT_SUCCESS);
  /* The second blob is cut off: the first one's image is taken back. */
  CHECK_EQ(syclze_offload_set_add_bytes(set, syclze_bytes_of(file.data, file.size - 8), "owner"),
      SYCLZE_RESULT_ERROR_INVALID);
  syclze_offload_set_list(set, &count, NULL);
  CHECK_EQ(count, 2);
  count = 0;
  CHECK_EQ(syclze_offload_set_find(set, "axpy", &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 1);
  CHECK_EQ(syclze_offload_set_remove(set, "owner"), 2);
  syclze_offload_set_release(set);
  free((void *)file.data);
}

/* The image that is added last has the place of the removed one in the set's table. */
TEST(exports_are_found_in_the_order_of_addition) {
  const struct properties_property exports[] = {properties_number("helper", 1)};
  const struct properties_set sets[] = {
      {SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, exports, exports + 1}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_set set;
  syclze_offload_found found[4];
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add(set, &image, "first", NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_offload_set_add(set, &image, "others", NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_remove(set, "first"), 1);
  CHECK_EQ(syclze_offload_set_add(set, &image, "last", NULL), ZE_RESULT_SUCCESS);
  for (uint32_t removed = 0; removed < 2; removed++) {
    uint32_t count = 4;
    CHECK_EQ(syclze_offload_set_find_export(set, syclze_text_of("helper"), &count, found),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(count, removed != 0 ? 1 : 4);
    for (uint32_t i = 0; i < count; i++)
      CHECK_EQ(found[i].serial, removed != 0 ? 5 : 2 + i);
    CHECK_EQ(syclze_offload_set_remove(set, "others"), removed != 0 ? 0 : 3);
  }
  syclze_offload_set_release(set);
}

/* The program itself is no image, although the cursor has none left. */
TEST(a_cursor_at_the_end_adds_nothing) {
  syclze_bytes file = sample_read("fsycl22.exe");
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  syclze_offload_set set;
  uint32_t count = 0;
  CHECK(syclze_offload_file_next(&cursor, &image));
  while (syclze_offload_file_next(&cursor, &image))
    continue;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_file(set, &cursor, NULL), ZE_RESULT_SUCCESS);
  syclze_offload_set_list(set, &count, NULL);
  CHECK_EQ(count, 0);
  syclze_offload_set_release(set);
  syclze_offload_file_end(&cursor);
  free((void *)file.data);
}

static unsigned noted;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  uint32_t count = 0;
  syclze_offload_set_list(*(syclze_offload_set *)user, &count, NULL); /* locks the set */
  CHECK_STR_EQ(diagnostic->function, "syclze_offload_set_add_file");
  noted++;
}

/* A file whose first piece is read, and another is damaged: a container, and an archive's member.
 */
TEST(a_malformed_file_is_reported_once_and_without_a_lock) { // shows promises 25
  static const char archive[] = "!<arch>\n"
                                "a/              0           0     0     644     1         `\n"
                                "x\n"
                                "b/              0           0     0     644     9         `\n";
  syclze_bytes file = sample_read("pack22.ob");
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  const syclze_diagnostic_handler handler = {note, &set};
  const syclze_bytes damaged[] = {
      syclze_bytes_of(file.data, file.size - 8), syclze_bytes_of(archive, sizeof archive - 1)};
  syclze_diagnostic_set_handler(&handler);
  for (unsigned i = 0; i < 2; i++) {
    CHECK_EQ(syclze_offload_set_add_bytes(set, damaged[i], "owner"), SYCLZE_RESULT_ERROR_INVALID);
    CHECK_EQ(noted, i + 1);
  }
  syclze_diagnostic_set_handler(NULL);
  syclze_offload_set_release(set);
  free((void *)file.data);
}

TEST(a_program_registers_bytes_itself) {
  syclze_bytes sample = sample_read("two.llvmspirv15.spv");
  syclze_offload_found found;
  CHECK_EQ(syclze_register_image(sample), ZE_RESULT_SUCCESS);
  CHECK_EQ(with("iota", &found), 1);
  CHECK_EQ(syclze_unregister_image(sample), 1);
  CHECK_EQ(with("iota", &found), 0);
  CHECK_EQ(syclze_register_image(syclze_bytes_of("junk", 4)), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_register_embedded(), ZE_RESULT_SUCCESS); /* nothing is embedded here */
  free((void *)(uintptr_t)sample.data);
}

TEST_MAIN(clang_22_passes_a_descriptor, clang_23_passes_an_offload_binary, dpcpp_passes_two_layouts,
    unknown_descriptors_are_refused, a_malformed_second_image_removes_the_first,
    a_program_registers_bytes_itself, registrations_of_one_file_are_counted,
    registrations_of_each_file_are_counted, a_set_and_an_image_are_needed,
    a_malformed_file_leaves_others_of_its_owner, exports_are_found_in_the_order_of_addition,
    a_cursor_at_the_end_adds_nothing, a_malformed_file_is_reported_once_and_without_a_lock)
