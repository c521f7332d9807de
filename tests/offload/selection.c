/* Images by their kernels' names, and which of them a device runs a kernel from. */
#undef SYCLZE_DECLARATIONS
#include "support/properties.h"
#include "support/sample.h"
#include "support/words.h"

#include "syclze/offload/division.h"
#include "syclze/offload/selection.h"
#include "tests/check.h"

/* A device that has everything, of an unknown architecture. */
static syclze_device_traits rich(void) {
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.type = ZE_DEVICE_TYPE_GPU;
  traits.spirv_version = 0x00010400;
  traits.has_fp16 = traits.has_fp64 = traits.has_atomic64 = traits.has_images = true;
  traits.max_group_size = 256;
  for (int i = 0; i < 3; i++)
    traits.max_group_sizes[i] = 256;
  traits.sub_group_size_count = 2;
  traits.sub_group_sizes[0] = 16;
  traits.sub_group_sizes[1] = 32;
  return traits;
}

struct loaded {
  syclze_offload_set set;
  syclze_bytes samples[8];
  int count;
};

static void load(struct loaded *loaded, const char *name) {
  if (loaded->count == 0) CHECK_EQ(syclze_offload_set_create(&loaded->set), ZE_RESULT_SUCCESS);
  loaded->samples[loaded->count] = sample_read(name);
  CHECK_EQ(syclze_offload_set_add_bytes(loaded->set, loaded->samples[loaded->count], name),
      ZE_RESULT_SUCCESS);
  loaded->count++;
}

static void unload(struct loaded *loaded) {
  syclze_offload_set_release(loaded->set);
  for (int i = 0; i < loaded->count; i++)
    free((void *)(uintptr_t)loaded->samples[i].data);
}

static uint32_t images_with(syclze_offload_set set, const char *kernel) {
  uint32_t count = 0;
  syclze_offload_set_find(set, kernel, &count, NULL);
  return count;
}

/* The fit of the best candidate; `why` gets the reasons. */
static syclze_fit best(const struct loaded *loaded, const char *kernel,
    const syclze_device_traits *traits, char *why, size_t size) {
  syclze_candidate candidate;
  uint32_t count = 1;
  memset(&candidate, 0, sizeof candidate);
  ze_result_t result =
      syclze_selection_find(loaded->set, kernel, traits, &count, &candidate, why, size);
  CHECK_EQ(result == ZE_RESULT_SUCCESS, count != 0);
  return candidate.fit;
}

TEST(kernels_are_found_in_every_kind_of_file) {
  static const struct {
    const char *file, *kernel;
    uint32_t images;
  } files[] = {{"two.clang22.spv", "axpy", 1}, {"two.llvmspirv15.spv", "lsum", 1},
      {"two.ocloc.dg2.zebin", "iota", 1}, {"two.ocloc.dg2_pvc.ar", "lsum", 1},
      {"pack16.ob", "iota", 1}, {"pack22.ob", "iota", 1}, {"pack23.ob", "iota", 1},
      {"sycllink22.ob", "scale", 1}, {"sycllink23.ob", "scale", 1},
      {"sycllink23_aot_bmg_g21.ob", "axpy", 1}, {"host_clang22.o", "iota", 1},
      {"fsycl22.exe", "_ZTS2K1", 1}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    struct loaded loaded = {.count = 0};
    load(&loaded, files[i].file);
    const uint32_t there = images_with(loaded.set, files[i].kernel);
    if (there != files[i].images)
      check_fail(__FILE__, __LINE__, "%s: %u images", files[i].file, there);
    CHECK_EQ(images_with(loaded.set, "__clang_ocl_kern_imp_axpy"), 0);
    CHECK_EQ(images_with(loaded.set, ""), 0);
    CHECK_EQ(syclze_offload_set_remove(loaded.set, "nobody"), 0);
    CHECK(syclze_offload_set_remove(loaded.set, files[i].file) > 0);
    CHECK_EQ(images_with(loaded.set, files[i].kernel), 0);
    unload(&loaded);
  }
}

static syclze_offload_image with_table(
    const char *key, const void *table, size_t size, syclze_offload_string *string) {
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("junk", 4));
  string->key = syclze_text_of(key);
  string->value = syclze_bytes_of(table, size);
  syclze_offload_image_set_strings(&image, string, 1);
  return image;
}

static void check_names(const char *key, const void *table, size_t size, const char *expected) {
  syclze_offload_string string;
  const syclze_offload_image image = with_table(key, table, size, &string);
  syclze_symbol_cursor cursor;
  syclze_text name;
  char got[128] = "";
  syclze_symbols_begin(&image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    strncat(got, name.data, name.size);
    strcat(got, "|");
  }
  CHECK_STR_EQ(got, expected);
}

TEST(tables_of_symbols) { // shows offload 36
  static const char binary[] = "\2\0\0\0\24\0\0\0\7\0\0\0\34\0\0\0\7\0\0\0_ZTS2K1\0_ZTS2K2";
  check_names("symbols", binary, sizeof binary, "_ZTS2K1|_ZTS2K2|");
  check_names("symbols", binary, sizeof binary - 2, "_ZTS2K1|");
  check_names("symbols", "a\nbc", 4, "a|bc|");
  check_names("symbols", "a\nbc\n", 5, "a|bc|");
  check_names("symbols", "a\r\n\nbc\0", 8, "a|bc|");
  check_names("SYMBOL_TABLE", "foo\nbar\nalpha\n", 14, "foo|bar|alpha|");
  check_names("symbols", "abc\0", 4, "abc|");
  check_names("symbols", "", 0, "");
  check_names("symbols", "\0\0\0\0", 4, "");
}

TEST(images_are_added_and_removed) {
  enum { IMAGES = 300 };
  static char names[IMAGES][16];
  static syclze_offload_string strings[IMAGES];
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < IMAGES; i++) {
      const int length = snprintf(names[i], sizeof names[i], "k%d\nall", i / 2);
      const syclze_offload_image image =
          with_table("symbols", names[i], (size_t)length, &strings[i]);
      uint64_t serial = 0;
      CHECK_EQ(syclze_offload_set_add(set, &image, &names[i % 3], &serial), ZE_RESULT_SUCCESS);
      CHECK_EQ(serial, (uint64_t)(round * IMAGES + i + 1));
    }
    CHECK_EQ(images_with(set, "all"), IMAGES);
    CHECK_EQ(images_with(set, "k149"), 2);
    CHECK_EQ(syclze_offload_set_remove(set, &names[1]), IMAGES / 3);
    CHECK_EQ(images_with(set, "all"), IMAGES - IMAGES / 3);
    CHECK_EQ(images_with(set, "k0"), 1); /* images 0 and 1 */
    CHECK_EQ(images_with(set, "k1"), 2); /* images 2 and 3 */
    uint32_t count = 2;
    syclze_offload_found found[2];
    CHECK_EQ(syclze_offload_set_find(set, "all", &count, found), ZE_RESULT_SUCCESS);
    CHECK_EQ(found[0].serial, (uint64_t)(round * IMAGES + 1));
    CHECK_EQ(found[1].serial, (uint64_t)(round * IMAGES + 3));
    CHECK_EQ(syclze_offload_set_remove(set, &names[0]), IMAGES / 3);
    CHECK_EQ(syclze_offload_set_remove(set, &names[2]), IMAGES / 3);
    CHECK_EQ(images_with(set, "all"), 0);
    CHECK_EQ(images_with(set, "k5"), 0);
  }
  syclze_offload_set_release(set);
}

TEST(a_device_without_fp64_runs_the_rest) {
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_device_traits traits = rich();
  load(&loaded, "two.clang22.spv");
  load(&loaded, "dbl.clang22.spv");
  CHECK_EQ(best(&loaded, "dsq", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  traits.has_fp64 = false;
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  CHECK_EQ(best(&loaded, "dsq", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK_STR_EQ(why, "image 2 (SPIR-V): its SPIR-V needs fp64, which the device does not have\n");
  CHECK_EQ(best(&loaded, "other", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK_STR_EQ(why, "image 1 (SPIR-V): it has no kernel of this name\n"
                    "image 2 (SPIR-V): it has no kernel of this name\n");
  unload(&loaded);
}

/* mixed.spv has kernels with fp64 and without in one module. */
TEST(a_kernel_is_refused_for_its_own_requirements_only) { // shows offload 32
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_candidate plain, other, again;
  uint32_t count = 1;
  syclze_device_traits traits = rich();
  load(&loaded, "tests/kernels/mixed.spv");
  CHECK_EQ(syclze_selection_find(loaded.set, "plain", &traits, &count, &plain, why, sizeof why),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(plain.part, 0);
  CHECK_EQ(plain.module.size, loaded.samples[0].size);
  traits.has_fp64 = false;
  CHECK_EQ(best(&loaded, "plain", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK_STR_EQ(why, "image 1 (SPIR-V): its SPIR-V needs fp64, which the device does not have\n");
  const syclze_offload_set none = {NULL};
  CHECK_EQ(syclze_offload_set_allow_division(none), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_offload_set_allow_division(loaded.set), ZE_RESULT_SUCCESS);
  CHECK_EQ(best(&loaded, "with_double", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK_STR_EQ(why, "image 1 (SPIR-V): its SPIR-V needs fp64, which the device does not have\n");
  count = 1;
  CHECK_EQ(syclze_selection_find(loaded.set, "plain", &traits, &count, &plain, why, sizeof why),
      ZE_RESULT_SUCCESS);
  count = 1;
  CHECK_EQ(syclze_selection_find(loaded.set, "adds", &traits, &count, &other, why, sizeof why),
      ZE_RESULT_SUCCESS);
  count = 1;
  CHECK_EQ(syclze_selection_find(loaded.set, "plain", &traits, &count, &again, why, sizeof why),
      ZE_RESULT_SUCCESS);
  CHECK(plain.part != 0 && plain.part == again.part);
  CHECK(plain.module.data == again.module.data);
  CHECK(plain.module.size < loaded.samples[0].size);
  CHECK(plain.part == other.part); /* of one requirement */
  syclze_spirv_index index;
  CHECK_EQ(syclze_spirv_index_make(plain.module, &index), ZE_RESULT_SUCCESS);
  CHECK_EQ(index.needs & SYCLZE_SPIRV_NEEDS_FP64, 0);
  CHECK(syclze_spirv_index_kernel(&index, "plain") != NULL);
  CHECK(syclze_spirv_index_kernel(&index, "with_double") == NULL);
  syclze_spirv_index_end(&index);
  unload(&loaded);
}

/* The aspects of an image are those of all its kernels: what SPIR-V shows is decided by the part,
 * everything else by the image. */
TEST(aspects_of_an_image_are_not_each_kernels) {
  const uint32_t fp64[] = {ASPECT_FP64}, cpu[] = {ASPECT_FP64, ASPECT_CPU};
  syclze_bytes file = sample_read("tests/kernels/mixed.spv");
  syclze_device_traits traits = rich();
  traits.has_fp64 = false;
  for (int strict = 0; strict < 2; strict++) {
    struct properties_bytes bytes =
        strict ? properties_bytes_of(cpu, sizeof cpu) : properties_bytes_of(fp64, sizeof fp64);
    struct properties_property property = properties_property("aspects", &bytes);
    struct properties_set sets[1] = {{SYCLZE_PROPERTY_SET_REQUIREMENTS, &property, &property + 1}};
    syclze_offload_image image = syclze_offload_image_of(file);
    image.property_sets_begin = sets;
    image.property_sets_end = sets + 1;
    struct loaded loaded = {.count = 0};
    char why[512];
    CHECK_EQ(syclze_offload_set_create(&loaded.set), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add(loaded.set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_allow_division(loaded.set), ZE_RESULT_SUCCESS);
    CHECK_EQ(best(&loaded, "plain", &traits, why, sizeof why),
        strict ? SYCLZE_FIT_NONE : SYCLZE_FIT_JIT);
    CHECK_EQ(best(&loaded, "with_double", &traits, why, sizeof why), SYCLZE_FIT_NONE);
    unload(&loaded);
  }
  free((void *)file.data);
}

TEST(joint_matrix_needs_a_gpu_with_matrix_units) { // shows offload 38
  struct properties_bytes bytes = properties_bytes_of("text", 4);
  struct properties_property property = properties_property("joint_matrix", &bytes);
  struct properties_set sets[1] = {{SYCLZE_PROPERTY_SET_REQUIREMENTS, &property, &property + 1}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("\177ELF", 4));
  syclze_device_traits traits = rich();
  syclze_reason reason;
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  CHECK(!syclze_requirements_met(&image, NULL, &traits, &reason));
  CHECK_STR_EQ(reason.text, "it requires joint_matrix, which the device does not have");
  traits.vendor_id = 0x8086;
  CHECK(syclze_requirements_met(&image, NULL, &traits, &reason));
  traits.ip_version = syclze_ip_version_of(12, 60, 7);
  CHECK(syclze_requirements_met(&image, NULL, &traits, &reason));
  traits.ip_version = syclze_ip_version_of(12, 0, 0);
  CHECK(!syclze_requirements_met(&image, NULL, &traits, &reason));
}

TEST(one_of_the_fixed_targets_is_the_device) { // shows offload 38
  const uint32_t cpu[] = {ASPECT_CPU}, both[] = {ASPECT_CPU, ASPECT_GPU},
                 architecture[] = {ASPECT_CPU, 4000};
  const struct {
    struct properties_bytes targets;
    bool is_met;
  } cases[] = {{properties_bytes_of(cpu, sizeof cpu), false},
      {properties_bytes_of(both, sizeof both), true},
      {properties_bytes_of(architecture, sizeof architecture), true},
      {properties_bytes_of(cpu, 0), true}};
  const syclze_device_traits traits = rich();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct properties_property property = properties_property("fixed_target", &cases[i].targets);
    struct properties_set sets[1] = {{SYCLZE_PROPERTY_SET_REQUIREMENTS, &property, &property + 1}};
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("\177ELF", 4));
    syclze_reason reason;
    image.property_sets_begin = sets;
    image.property_sets_end = sets + 1;
    CHECK_EQ(syclze_requirements_met(&image, NULL, &traits, &reason), cases[i].is_met);
    if (!cases[i].is_met)
      CHECK_STR_EQ(reason.text, "it is for fixed targets (cpu), none of which is the device");
  }
}

TEST(code_of_nvidia_is_for_devices_of_nvidia) { // shows offload 43
  static const char *const triples[] = {"nvptx64-nvidia-cuda", "llvm_nvptx64"};
  static const char ptx[] = "//\n.version 7.0\n.target sm_90\n";
  for (int i = 0; i < 2; i++) {
    const syclze_offload_string string = {
        syclze_text_of("triple"), syclze_bytes_of(triples[i], strlen(triples[i]))};
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(ptx, sizeof ptx));
    syclze_device_traits traits = rich();
    syclze_candidate candidates[SYCLZE_SELECTION_PER_IMAGE];
    syclze_reason reason;
    char refused[64];
    syclze_offload_image_set_strings(&image, &string, 1);
    snprintf(refused, sizeof refused, "it is for %s", triples[i]);
    CHECK_EQ(syclze_selection_check(&image, "k", &traits, candidates, &reason), 0);
    CHECK_STR_EQ(reason.text, refused);
    traits.vendor_id = 0x10de;
    CHECK_EQ(syclze_selection_check(&image, "k", &traits, candidates, &reason), 1);
    CHECK_EQ(candidates[0].fit, SYCLZE_FIT_MAYBE_NATIVE);
    CHECK_EQ(candidates[0].format, ZE_MODULE_FORMAT_NATIVE);
    CHECK(candidates[0].module.data == ptx);
  }
}

/* An image whose properties are one set of virtual functions. */
static void add_with_functions(syclze_offload_set set, syclze_bytes spirv,
    const struct properties_set *sets, uint64_t *serial) {
  syclze_offload_image image = syclze_offload_image_of(spirv);
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  CHECK_EQ(syclze_offload_set_add(set, &image, NULL, serial), ZE_RESULT_SUCCESS);
}

TEST(every_image_with_a_used_set_of_virtual_functions_is_linked) { // shows offload 40
  enum { COUNT = 6 };
  static const char *const lists[COUNT] = {"a,b", "a", "b", "c", "a", "a"};
  struct properties_bytes values[COUNT];
  struct properties_property properties[COUNT];
  struct properties_set sets[COUNT];
  uint8_t *copies[COUNT];
  uint64_t serials[COUNT];
  syclze_bytes sample = sample_read("two.llvmspirv15.spv");
  const syclze_device_traits traits = rich();
  struct loaded loaded = {.count = 0};
  CHECK_EQ(syclze_offload_set_create(&loaded.set), ZE_RESULT_SUCCESS);
  for (int i = 0; i < COUNT; i++) {
    values[i] = properties_bytes_of(lists[i], strlen(lists[i]));
    properties[i] = properties_property(
        i == 0 ? "uses-virtual-functions-set" : "virtual-functions-set", &values[i]);
    sets[i] = (struct properties_set){
        SYCLZE_PROPERTY_SET_VIRTUAL_FUNCTIONS, &properties[i], &properties[i] + 1};
    /* The header's number of the compiler differs, but for that of the last, which is the
     * second again. */
    copies[i] = (uint8_t *)malloc(sample.size);
    CHECK(copies[i] != NULL);
    memcpy(copies[i], sample.data, sample.size);
    copies[i][8] = i == COUNT - 1 ? 1 : (uint8_t)i;
    add_with_functions(loaded.set, syclze_bytes_of(copies[i], sample.size), &sets[i], &serials[i]);
  }
  syclze_candidate candidate, others[4];
  uint32_t count = 1;
  CHECK_EQ(syclze_selection_find(loaded.set, "axpy", &traits, &count, &candidate, NULL, 0), 0);
  CHECK_EQ(candidate.serial, serials[0]);
  count = 4;
  CHECK_EQ(syclze_selection_link(loaded.set, &candidate, &traits, &count, others), 0);
  CHECK_EQ(count, 3);
  CHECK_EQ(others[0].serial, serials[1]);
  CHECK_EQ(others[1].serial, serials[2]);
  CHECK_EQ(others[2].serial, serials[4]);
  count = 2;
  CHECK_EQ(syclze_selection_link(loaded.set, &candidate, &traits, &count, others),
      ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  unload(&loaded);
  for (int i = 0; i < COUNT; i++)
    free(copies[i]);
  free((void *)(uintptr_t)sample.data);
}

TEST(group_sizes_and_sub_groups) {
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_device_traits traits = rich();
  load(&loaded, "sg.clang22.spv");
  load(&loaded, "two.clang22.spv");
  CHECK_EQ(best(&loaded, "sgk", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  traits.sub_group_sizes[0] = 8;
  CHECK_EQ(best(&loaded, "sgk", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK(strstr(why, "sub-groups of 16") != NULL);
  traits.sub_group_size_count = 0;
  CHECK_EQ(best(&loaded, "sgk", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK(strstr(why, "requires sub-groups, which") != NULL);
  traits = rich();
  traits.max_group_sizes[0] = 32;
  CHECK_EQ(best(&loaded, "sgk", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK(strstr(why, "64 work-items in dimension x, and the limit of the device is 32") != NULL);
  traits.max_group_sizes[0] = 256;
  traits.max_group_size = 8;
  CHECK_EQ(best(&loaded, "lsum", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK_EQ(best(&loaded, "iota", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  traits.max_group_size = 256;
  traits.spirv_version = 0x00010200;
  CHECK_EQ(best(&loaded, "iota", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  CHECK(strstr(why, "it is SPIR-V 1.4, and the limit of the device is 1.2") != NULL);
  unload(&loaded);
}

TEST(native_code_for_the_device_comes_first) { // shows offload 2
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_device_traits traits = rich();
  load(&loaded, "two.llvmspirv15.spv");
  load(&loaded, "two.ocloc.dg2.zebin");
  traits.ip_version = syclze_ip_version_of(12, 55, 8);
  uint32_t count = 8;
  syclze_candidate list[8];
  CHECK_EQ(syclze_selection_find(loaded.set, "axpy", &traits, &count, list, NULL, 0), 0);
  CHECK_EQ(count, 3);
  CHECK_EQ(list[0].fit, SYCLZE_FIT_NATIVE);
  CHECK_EQ(list[0].serial, 2);
  CHECK_EQ(list[0].format, ZE_MODULE_FORMAT_NATIVE);
  CHECK_EQ(list[1].serial, 1);
  CHECK_EQ(list[2].serial, 2); /* the SPIR-V that the native code carries */
  CHECK_EQ(list[2].format, ZE_MODULE_FORMAT_IL_SPIRV);
  CHECK_EQ(syclze_offload_format_of(list[2].module), SYCLZE_OFFLOAD_FORMAT_SPIRV);
  traits.ip_version = syclze_ip_version_of(20, 1, 0);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  traits.ip_version = syclze_ip_version_of(12, 55, 9);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_MAYBE_NATIVE);
  traits.ip_version = 0;
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_MAYBE_NATIVE);
  unload(&loaded);
}

/* Old code has no note of its version. */
TEST(native_code_of_an_unknown_version_may_fit) {
  static const char note[] = ".note.intelgt.compat";
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_device_traits traits = rich();
  load(&loaded, "two.ocloc.dg2.zebin");
  char *at = (char *)(uintptr_t)loaded.samples[0].data, *end = at + loaded.samples[0].size;
  while (at < end - sizeof note && memcmp(at, note, sizeof note) != 0)
    at++;
  CHECK(memcmp(at, note, sizeof note) == 0);
  at[1] = 'N';
  traits.ip_version = syclze_ip_version_of(20, 1, 0);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_MAYBE_NATIVE);
  unload(&loaded);
}

TEST(a_fat_archive_has_code_for_two_and_spirv_for_all) {
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_device_traits traits = rich();
  load(&loaded, "two.ocloc.dg2_pvc.ar");
  traits.ip_version = syclze_ip_version_of(12, 55, 8);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_NATIVE);
  traits.ip_version = syclze_ip_version_of(12, 60, 7);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_NATIVE);
  traits.ip_version = syclze_ip_version_of(20, 1, 0);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  unload(&loaded);
}

TEST(native_code_names_its_architecture) {
  struct loaded loaded = {.count = 0};
  char why[512];
  syclze_device_traits traits = rich();
  load(&loaded, "sycllink23_aot_bmg_g21.ob");
  traits.ip_version = syclze_ip_version_of(20, 1, 0);
  CHECK_EQ(best(&loaded, "axpy", &traits, why, sizeof why), SYCLZE_FIT_NATIVE);
  uint32_t count = 1;
  syclze_offload_found found;
  syclze_candidate candidates[SYCLZE_SELECTION_PER_IMAGE];
  syclze_reason reason;
  CHECK_EQ(syclze_offload_set_find(loaded.set, "axpy", &count, &found), ZE_RESULT_SUCCESS);
  traits.ip_version = syclze_ip_version_of(12, 60, 7);
  traits.spirv_version = 0x00010000; /* nor is the SPIR-V in it one that the device accepts */
  CHECK_EQ(syclze_selection_check(&found.image, "axpy", &traits, candidates, &reason), 0);
  CHECK_EQ(syclze__native_fit(&found.image, &traits, &reason), SYCLZE_FIT_NONE);
  CHECK_STR_EQ(reason.text, "it is native code for 20.1.0, and the device is 12.60.7");
  unload(&loaded);
}

TEST(triples_and_formats) { // shows offload 20
  static const struct {
    const char *triple;
    bool fits;
  } triples[] = {{"spir64", true}, {"spirv64", true}, {"spir64-unknown-unknown", true},
      {"spirv64-unknown-unknown", true}, {"spir64_gen", true}, {"spir64_x86_64", true}, {"", true},
      {"nvptx64-nvidia-cuda", false}, {"amdgcn-amd-amdhsa", false}, {"x86_64", false}};
  const syclze_device_traits traits = rich();
  syclze_bytes sample = sample_read("two.clang22.spv");
  syclze_candidate candidates[SYCLZE_SELECTION_PER_IMAGE];
  syclze_reason reason;
  for (size_t i = 0; i < sizeof triples / sizeof *triples; i++) {
    const syclze_offload_string string = {
        syclze_text_of("triple"), syclze_bytes_of(triples[i].triple, strlen(triples[i].triple))};
    syclze_offload_image image = syclze_offload_image_of(sample);
    image.image_kind = SYCLZE_OFFLOAD_IMAGE_KIND_CUBIN; /* a tag, which counts for nothing */
    syclze_offload_image_set_strings(&image, &string, 1);
    CHECK_EQ(syclze_selection_check(&image, NULL, &traits, candidates, &reason), triples[i].fits);
  }
  CHECK_STR_EQ(reason.text, "it is for x86_64");
  free((void *)(uintptr_t)sample.data);
  static const struct {
    const char *bytes, *reason;
  } formats[] = {{"BC\xc0\xde", "LLVM IR"}, {"what", "unknown"}, {"\x28\xb5\x2f\xfd", "compressed"},
      {"", "no code"}, {"\x07\x23\x02\x03", "malformed"}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    const syclze_offload_image image =
        syclze_offload_image_of(syclze_bytes_of(formats[i].bytes, strlen(formats[i].bytes)));
    CHECK_EQ(syclze_selection_check(&image, NULL, &traits, candidates, &reason), 0);
    CHECK(strstr(reason.text, formats[i].reason) != NULL);
  }
}

static bool met(const struct properties_property *properties, size_t count, const char *set,
    syclze_reason *reason) {
  const struct properties_set sets[] = {{set, properties, properties + count}};
  const syclze_device_traits traits = rich();
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("\177ELF", 4));
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  return syclze_requirements_met(&image, NULL, &traits, reason);
}

TEST(requirements_by_properties) { // shows offload 38
  const uint32_t good[] = {ASPECT_GPU, ASPECT_FP64}, cpu[] = {ASPECT_CPU}, odd[] = {120};
  const uint64_t sizes[] = {2, 300}, many[] = {32, 32}; /* the first is x */
  const uint32_t narrow[] = {300, 2};
  struct properties_bytes bytes = properties_bytes_of(good, sizeof good);
  struct properties_property property = properties_property("aspects", &bytes);
  const char *set = SYCLZE_PROPERTY_SET_REQUIREMENTS;
  syclze_reason reason;
  CHECK(met(&property, 1, set, &reason));
  bytes = properties_bytes_of(cpu, sizeof cpu);
  property = properties_property("aspects", &bytes);
  CHECK(!met(&property, 1, set, &reason));
  CHECK_STR_EQ(reason.text, "it requires cpu, which the device does not have");
  bytes = properties_bytes_of(odd, sizeof odd);
  property = properties_property("aspects", &bytes);
  CHECK(!met(&property, 1, set, &reason));
  CHECK(strstr(reason.text, "aspect 120") != NULL);
  bytes = properties_bytes_of(sizes, sizeof sizes);
  property = properties_property("reqd_work_group_size_uint64_t", &bytes);
  CHECK(!met(&property, 1, set, &reason));
  CHECK(strstr(reason.text, "300 work-items in dimension y") != NULL);
  bytes = properties_bytes_of(many, sizeof many);
  property = properties_property("reqd_work_group_size_uint64_t", &bytes);
  CHECK(!met(&property, 1, set, &reason));
  CHECK(strstr(reason.text, "1024 work-items, and the limit of the device is 256") != NULL);
  bytes = properties_bytes_of(narrow, sizeof narrow);
  property = properties_property("reqd_work_group_size", &bytes);
  CHECK(!met(&property, 1, set, &reason));
  CHECK(strstr(reason.text, "300 work-items in dimension x") != NULL);
  property = properties_number("reqd_sub_group_size", 32);
  CHECK(met(&property, 1, set, &reason));
  property = properties_number("reqd_sub_group_size", 8);
  CHECK(!met(&property, 1, set, &reason));
}

TEST(an_aspect_property_overrides_the_spirv) {
  const uint32_t none[] = {ASPECT_GPU};
  const struct properties_bytes bytes = properties_bytes_of(none, sizeof none);
  const struct properties_property property = properties_property("aspects", &bytes);
  const struct properties_set sets[] = {
      {SYCLZE_PROPERTY_SET_REQUIREMENTS, &property, &property + 1}};
  syclze_bytes sample = sample_read("dbl.clang22.spv");
  syclze_device_traits traits = rich();
  syclze_reason reason;
  traits.has_fp64 = false;
  syclze_offload_image image = syclze_offload_image_of(sample);
  CHECK(!syclze_requirements_met(&image, "dsq", &traits, &reason));
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 1;
  CHECK(syclze_requirements_met(&image, "dsq", &traits, &reason));
  free((void *)(uintptr_t)sample.data);
}

/* DPC++'s tables have exported functions among the kernels; properties tell them apart. */
TEST(exported_functions_are_not_kernels) { // shows offload 40
  syclze_bytes sample = sample_read("two.clang22.spv");
  const syclze_offload_string table[] = {{{"symbols", 7}, {"axpy\nhelper\niota", 16}}};
  const struct properties_property exports[] = {properties_number("helper", 1)};
  const struct properties_set sets[] = {
      {SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, exports, exports + 1}};
  syclze_offload_image image = syclze_offload_image_of(sample);
  syclze_offload_set set;
  uint32_t count = 0;
  syclze_offload_image_set_strings(&image, table, 1);
  for (int with = 0; with < 2; with++) {
    if (with) image.property_sets_begin = sets, image.property_sets_end = sets + 1;
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(images_with(set, "axpy"), 1);
    CHECK_EQ(images_with(set, "iota"), 1);
    CHECK_EQ(images_with(set, "helper"), 1 - with);
    count = 0;
    syclze_offload_set_find_export(set, syclze_text_of("helper"), &count, NULL);
    CHECK_EQ(count, (uint32_t)with);
    syclze_offload_set_release(set);
  }
  free((void *)(uintptr_t)sample.data);
}

/* A registered name finds the kernel of which it is another name, with its requirements. */
TEST(kernels_have_the_names_that_properties_give_them) { // shows offload 40
  syclze_bytes sample = sample_read("dbl.clang22.spv");
  const struct properties_bytes own = properties_bytes_of("dsq", 3);
  const struct properties_property registered[] = {properties_property("square<double>", &own)};
  const struct properties_property names[] = {properties_number("listed", 1)};
  const struct properties_set sets[] = {
      {SYCLZE_PROPERTY_SET_REGISTERED_KERNELS, registered, registered + 1},
      {SYCLZE_PROPERTY_SET_KERNEL_NAMES, names, names + 1}};
  syclze_offload_image image = syclze_offload_image_of(sample);
  image.property_sets_begin = sets;
  image.property_sets_end = sets + 2;
  struct loaded loaded = {.count = 0};
  syclze_device_traits traits = rich();
  char why[256];
  CHECK_EQ(syclze_offload_set_create(&loaded.set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add(loaded.set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(images_with(loaded.set, "square<double>"), 1);
  CHECK_EQ(images_with(loaded.set, "listed"), 1);
  CHECK_EQ(best(&loaded, "square<double>", &traits, why, sizeof why), SYCLZE_FIT_JIT);
  traits.has_fp64 = false; /* no part of the module is without */
  CHECK_EQ(best(&loaded, "square<double>", &traits, why, sizeof why), SYCLZE_FIT_NONE);
  unload(&loaded);
  free((void *)(uintptr_t)sample.data);
}

TEST(imports_find_their_exports) {
  struct loaded loaded = {.count = 0};
  const syclze_device_traits traits = rich();
  load(&loaded, "two.clang22.spv");
  load(&loaded, "tests/kernels/imports.spv");
  uint32_t count = 1, others = 4;
  syclze_candidate candidate, other[4];
  CHECK_EQ(syclze_selection_find(loaded.set, "imported", &traits, &count, &candidate, NULL, 0), 0);
  CHECK_EQ(syclze_selection_link(loaded.set, &candidate, &traits, &others, other),
      ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK_EQ(others, 0);
  load(&loaded, "tests/kernels/exports.spv");
  others = 4;
  CHECK_EQ(syclze_selection_link(loaded.set, &candidate, &traits, &others, other), 0);
  CHECK_EQ(others, 1);
  CHECK_EQ(other[0].serial, 3);
  others = 0;
  CHECK_EQ(syclze_selection_link(loaded.set, &candidate, &traits, &others, other),
      ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  unload(&loaded);
}

/* A module that imports a function. */
static syclze_bytes importing(struct words *words, const char *name) {
  *words = words_begin(16);
  words_add(words, 17, 1, 6);                   /* OpCapability Kernel */
  words_add(words, 17, 1, 4);                   /* OpCapability Addresses */
  words_add(words, 17, 1, 5);                   /* OpCapability Linkage */
  words_add(words, 14, 2, 2, 2);                /* OpMemoryModel Physical64 OpenCL */
  words_add_text(words, 71, 2, 4, 41, name, 1); /* OpDecorate 4 LinkageAttributes Import */
  words_add(words, 19, 1, 1);                   /* 1: OpTypeVoid */
  words_add(words, 33, 2, 2, 1);                /* 2: OpTypeFunction 1 */
  words_add(words, 54, 4, 1, 4, 0, 2);          /* 4: OpFunction */
  words_add(words, 56, 0);                      /* OpFunctionEnd */
  return words_bytes(words);
}

TEST(imports_that_the_compiler_has_need_no_image) { // shows offload 21
  static const struct {
    const char *name;
    ze_result_t result;
  } cases[] = {{"llvm.usub.sat.i32", ZE_RESULT_SUCCESS}, {"__spirv_ocl_foo", ZE_RESULT_SUCCESS},
      {"llvm_usub", ZE_RESULT_ERROR_MODULE_LINK_FAILURE},
      {"helper", ZE_RESULT_ERROR_MODULE_LINK_FAILURE}};
  const syclze_device_traits traits = rich();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static struct words words;
    syclze_offload_set set;
    syclze_candidate candidate;
    uint32_t others = 0;
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    memset(&candidate, 0, sizeof candidate);
    candidate.module = importing(&words, cases[i].name);
    candidate.image = syclze_offload_image_of(candidate.module);
    candidate.format = ZE_MODULE_FORMAT_IL_SPIRV;
    CHECK_EQ(syclze_selection_link(set, &candidate, &traits, &others, NULL), cases[i].result);
    syclze_offload_set_release(set);
  }
}

/* DPC++'s fall-backs of what the compiler of Intel's GPUs has. */
TEST(fallbacks_are_linked_where_the_compiler_may_lack_them) { // shows offload 47
  static struct words words, other_words;
  static struct properties_property exported;
  static struct properties_set sets[1];
  syclze_offload_set set;
  syclze_candidate candidate, others[2];
  exported = properties_number("__devicelib_assert_fail", 1);
  sets[0] = (struct properties_set){"SYCL/exported symbols", &exported, &exported + 1};
  syclze_offload_image image = syclze_offload_image_of(importing(&other_words, "llvm.other"));
  image.property_sets_begin = (const uint8_t *)sets;
  image.property_sets_end = (const uint8_t *)(sets + 1);
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
  memset(&candidate, 0, sizeof candidate);
  candidate.module = importing(&words, "__devicelib_assert_fail");
  candidate.image = syclze_offload_image_of(candidate.module);
  candidate.format = ZE_MODULE_FORMAT_IL_SPIRV;
  for (int is_intel = 0; is_intel < 2; is_intel++) {
    syclze_device_traits traits = rich();
    uint32_t count = 2;
    traits.type = ZE_DEVICE_TYPE_GPU;
    traits.vendor_id = is_intel ? 0x8086 : 0x10de;
    traits.ip_version = is_intel ? syclze_ip_version_of(12, 60, 7) : 0;
    CHECK_EQ(syclze_selection_link(set, &candidate, &traits, &count, others), ZE_RESULT_SUCCESS);
    CHECK_EQ(count, is_intel ? 0 : 1);
  }
  syclze_offload_set_release(set);
}

/* A version 1 container of `count` entries, each of which is the whole of it. */
TEST(containers_that_contain_themselves_end) {
  enum { ENTRIES = 64, SIZE = 32 + 40 * ENTRIES };
  static uint8_t blob[SIZE];
  const uint64_t header[] = {0x0000000200000000u | 0xad10ff10u, SIZE, 32, ENTRIES};
  memcpy(blob, header, sizeof header);
  for (int i = 0; i < ENTRIES; i++) {
    const uint64_t entry[] = {0, 32, 0, 0, SIZE};
    memcpy(blob + 32 + 40 * i, entry, sizeof entry);
  }
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, syclze_bytes_of(blob, SIZE), blob),
      SYCLZE_RESULT_ERROR_INVALID);
  uint32_t count = 0;
  syclze_offload_set_list(set, &count, NULL);
  CHECK_EQ(count, 0);
  syclze_offload_set_release(set);
}

TEST(there_is_one_registered_set) {
  syclze_offload_set set = syclze_offload_registered();
  CHECK(set.rep != NULL);
  CHECK(syclze_offload_registered().rep == set.rep);
}

TEST_MAIN(kernels_are_found_in_every_kind_of_file, tables_of_symbols, images_are_added_and_removed,
    a_device_without_fp64_runs_the_rest, a_kernel_is_refused_for_its_own_requirements_only,
    aspects_of_an_image_are_not_each_kernels, joint_matrix_needs_a_gpu_with_matrix_units,
    one_of_the_fixed_targets_is_the_device, code_of_nvidia_is_for_devices_of_nvidia,
    every_image_with_a_used_set_of_virtual_functions_is_linked, group_sizes_and_sub_groups,
    native_code_for_the_device_comes_first, native_code_of_an_unknown_version_may_fit,
    a_fat_archive_has_code_for_two_and_spirv_for_all, native_code_names_its_architecture,
    triples_and_formats, requirements_by_properties, an_aspect_property_overrides_the_spirv,
    exported_functions_are_not_kernels, kernels_have_the_names_that_properties_give_them,
    imports_find_their_exports, imports_that_the_compiler_has_need_no_image,
    fallbacks_are_linked_where_the_compiler_may_lack_them, containers_that_contain_themselves_end,
    there_is_one_registered_set)
