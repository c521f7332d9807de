/* A module divided: which kernels, capabilities and exports each part has, and that every part of
 * every sample is valid. */
#include "syclze/offload/split.h"
#include "support/sample.h"
#include "support/scratch.h"
#include "support/words.h"
#include "tests/check.h"

enum { PARTS = 64 };

struct parts {
  syclze_bytes module;
  syclze_split split;
  syclze_bytes bytes[PARTS];
  syclze_spirv_index index[PARTS];
};

static void divide(struct parts *parts, const char *path, syclze_split_by by) {
  parts->module = sample_read(path);
  CHECK_EQ(syclze_split_make(parts->module, by, &parts->split), ZE_RESULT_SUCCESS);
  CHECK(parts->split.part_count <= PARTS);
  for (uint32_t i = 0; i < parts->split.part_count; i++) {
    size_t size = 0;
    CHECK_EQ(syclze_split_write(&parts->split, i, NULL, &size), ZE_RESULT_SUCCESS);
    void *data = malloc(size);
    CHECK(data != NULL);
    size_t small = size - 1;
    CHECK_EQ(syclze_split_write(&parts->split, i, data, &small), ZE_RESULT_ERROR_INVALID_SIZE);
    CHECK_EQ(small, size);
    CHECK_EQ(syclze_split_write(&parts->split, i, data, &size), ZE_RESULT_SUCCESS);
    parts->bytes[i] = syclze_bytes_of(data, size);
    CHECK_EQ(syclze_spirv_index_make(parts->bytes[i], &parts->index[i]), ZE_RESULT_SUCCESS);
  }
}

static void end(struct parts *parts) {
  for (uint32_t i = 0; i < parts->split.part_count; i++) {
    syclze_spirv_index_end(&parts->index[i]);
    free((void *)parts->bytes[i].data);
  }
  syclze_split_end(&parts->split);
  free((void *)parts->module.data);
}

/* The part has these kernels, with commas between, and no others. */
static void check_kernels(const struct parts *parts, uint32_t part, const char *expected) {
  char names[512] = "";
  const syclze_spirv_index *index = &parts->index[part];
  for (uint32_t i = 0; i < index->kernel_count; i++)
    snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i != 0 ? "," : "",
        index->kernels[i].name);
  CHECK_STR_EQ(names, expected);
}

static bool exports(const struct parts *parts, uint32_t part, const char *name) {
  for (uint32_t i = 0; i < parts->index[part].export_count; i++)
    if (strcmp(parts->index[part].exports[i].name, name) == 0) return true;
  return false;
}

static bool has(const struct parts *parts, uint32_t part, uint32_t capability) {
  return syclze_spirv_has_capability(&parts->index[part].spirv, capability);
}

TEST(by_requirement_fp64_stands_alone) { // shows offload 30
  struct parts parts;
  divide(&parts, "tests/kernels/mixed.spv", SYCLZE_SPLIT_BY_REQUIREMENT);
  CHECK_EQ(parts.split.part_count, 3);
  check_kernels(&parts, 0, "plain,adds,takes");
  check_kernels(&parts, 1, "with_double");
  check_kernels(&parts, 2, "of_32");
  for (uint32_t i = 0; i < 3; i++) {
    CHECK_EQ(has(&parts, i, SYCLZE_SPIRV_CAPABILITY_FLOAT64), i == 1);
    CHECK_EQ((parts.index[i].needs & SYCLZE_SPIRV_NEEDS_FP64) != 0, i == 1);
    CHECK(has(&parts, i, SYCLZE_SPIRV_CAPABILITY_KERNEL));
  }
  CHECK_EQ(parts.index[2].kernels[0].required_group_size[0], 32);
  end(&parts);
}

/* Kernels that write to one variable stay together, where the variable is exported too. */
TEST(by_kernel_each_stands_alone) { // shows offload 26
  struct parts parts;
  divide(&parts, "tests/kernels/mixed.spv", SYCLZE_SPLIT_BY_KERNEL);
  CHECK_EQ(parts.split.part_count, 4);
  check_kernels(&parts, 0, "plain");
  check_kernels(&parts, 1, "with_double");
  check_kernels(&parts, 2, "adds,takes");
  check_kernels(&parts, 3, "of_32");
  for (uint32_t i = 0; i < 4; i++) {
    CHECK_EQ(exports(&parts, i, "shared_sum"), i == 2);
    CHECK(parts.bytes[i].size < parts.module.size);
    CHECK_EQ(parts.index[i].kernels[0].argument_count, 1);
  }
  end(&parts);
}

/* Lines and flags in debug information are numbers, which may have the values of ids. */
TEST(debug_information_joins_no_parts) {
  struct parts parts;
  scratch_begin("llvm-spirv-15");
  if (scratch_run("clang-15 -g -c -target spir64 -x cl -cl-std=CL2.0 -O1 -emit-llvm "
                  "-Xclang -finclude-default-header -o %s tests/kernels/mixed.cl && "
                  "llvm-spirv-15 --spirv-max-version=1.2 -o %s %s",
          scratch_path("mixed.bc"), scratch_path("mixed.spv"), scratch_path("mixed.bc")) != 0) {
    scratch_end();
    SKIP("clang-15 is not installed");
  }
  divide(&parts, scratch_path("mixed.spv"), SYCLZE_SPLIT_BY_KERNEL);
  scratch_end();
  CHECK_EQ(parts.split.part_count, 4);
  check_kernels(&parts, 1, "with_double");
  for (uint32_t i = 0; i < 4; i++) {
    syclze_spirv_instruction at;
    uint32_t position = 0, lines = 0;
    while (syclze_spirv_next(&parts.index[i].spirv, &position, &at))
      lines += at.opcode == 8; /* Line */
    CHECK(lines > 0);
    CHECK_EQ(has(&parts, i, SYCLZE_SPIRV_CAPABILITY_FLOAT64), i == 1);
  }
  end(&parts);
}

TEST(by_source_the_module_is_unchanged) { // shows offload 27
  struct parts parts;
  divide(&parts, "tests/kernels/mixed.spv", SYCLZE_SPLIT_BY_SOURCE);
  CHECK_EQ(parts.split.part_count, 1);
  CHECK_EQ(parts.bytes[0].size, parts.module.size);
  CHECK(memcmp(parts.bytes[0].data, parts.module.data, parts.module.size) == 0);
  end(&parts);
}

TEST(a_short_module_is_divided_by_requirement_automatically) { // shows offload 28
  struct parts parts;
  divide(&parts, "tests/kernels/mixed.spv", SYCLZE_SPLIT_AUTO);
  CHECK_EQ(parts.split.part_count, 3);
  check_kernels(&parts, 0, "plain,adds,takes");
  end(&parts);
}

/* Exports have a part of their own, without a kernel. */
TEST(exports_are_parts_of_their_own) {
  struct parts parts;
  divide(&parts, "tests/kernels/exports.spv", SYCLZE_SPLIT_BY_KERNEL);
  CHECK_EQ(parts.split.part_count, 2);
  CHECK_EQ(parts.index[0].kernel_count, 1);
  CHECK_EQ(parts.index[1].kernel_count, 0);
  CHECK(parts.index[1].export_count > 0);
  for (uint32_t i = 0; i < parts.index[1].export_count; i++)
    CHECK(!exports(&parts, 0, parts.index[1].exports[i].name));
  end(&parts);
}

/* Two kernels of nothing but the types and execution modes given before, ids 1 and 2. */
static struct words two_begin(void) {
  struct words w = words_begin(16);
  words_add(&w, 17, 1, SYCLZE_SPIRV_CAPABILITY_KERNEL);
  words_add(&w, 17, 1, SYCLZE_SPIRV_CAPABILITY_GROUP_NON_UNIFORM + 3); /* Ballot */
  words_add(&w, 14, 2, 2, 2);
  words_add_text(&w, 15, 2, 6, 1, "a", 9);
  words_add_text(&w, 15, 2, 6, 2, "b", -1);
  return w;
}

/* `effect` is an instruction of the first kernel without a result; 0 for none. */
static void two_finish(struct words *w, uint32_t effect) {
  words_add(w, 19, 1, 3);    /* void */
  words_add(w, 33, 2, 4, 3); /* void(void) */
  words_add(w, 21, 3, 5, 32, 0);
  words_add(w, 23, 3, 6, 5, 4);
  words_add(w, 32, 3, 7, 1, 6); /* pointer to an input */
  words_add(w, 59, 3, 7, 9, 1);
  words_add(w, 54, 4, 3, 1, 0, 4);
  words_add(w, 248, 1, 10);
  words_add(w, 61, 3, 6, 11, 9);
  if (effect != 0) words_add(w, effect, 4, 9, 11, 11, 11);
  words_add(w, 253, 0);
  words_add(w, 56, 0);
  words_add(w, 54, 4, 3, 2, 0, 4);
  words_add(w, 248, 1, 12);
  words_add(w, 253, 0);
  words_add(w, 56, 0);
}

/* A part's bytes, to be freed. */
static syclze_bytes part_of(syclze_split *split, uint32_t part) {
  size_t size = 0;
  CHECK_EQ(syclze_split_write(split, part, NULL, &size), ZE_RESULT_SUCCESS);
  void *data = malloc(size);
  CHECK(data != NULL);
  CHECK_EQ(syclze_split_write(split, part, data, &size), ZE_RESULT_SUCCESS);
  return syclze_bytes_of(data, size);
}

TEST(a_mask_of_sub_groups_keeps_the_capability_of_ballots) { // shows offload 31
  for (uint32_t mask = 4416; mask <= 4420; mask++) {
    struct words w = two_begin();
    syclze_split split;
    words_add(&w, 71, 3, 9, 11, mask);
    two_finish(&w, 0);
    CHECK_EQ(syclze_split_make(words_bytes(&w), SYCLZE_SPLIT_BY_KERNEL, &split), ZE_RESULT_SUCCESS);
    CHECK_EQ(split.part_count, 2);
    for (uint32_t part = 0; part < 2; part++) {
      const syclze_bytes bytes = part_of(&split, part);
      syclze_spirv spirv;
      CHECK_EQ(syclze_spirv_open(bytes, &spirv), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_spirv_has_capability(&spirv, SYCLZE_SPIRV_CAPABILITY_GROUP_NON_UNIFORM + 3),
          part == 0);
      free((void *)bytes.data);
    }
    syclze_split_end(&split);
  }
}

/* UntypedPrefetch, CompositeConstructContinued, CooperativeMatrixStoreChecked, PredicatedStore,
 * MaskedScatter, CooperativeMatrixPrefetch; and an instruction of the future. */
TEST(instructions_without_a_result_define_nothing) {
  static const uint32_t effects[] = {4426, 6096, 6194, 6259, 6429, 6449, 60000};
  for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
    struct words w = two_begin();
    syclze_split split;
    two_finish(&w, effects[i]);
    CHECK_EQ(syclze_split_make(words_bytes(&w), SYCLZE_SPLIT_BY_KERNEL, &split),
        effects[i] != 60000 ? ZE_RESULT_SUCCESS : SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
    CHECK_EQ(split.part_count, effects[i] != 60000 ? 2 : 0);
    syclze_split_end(&split);
  }
}

TEST(a_size_and_a_number_of_sub_groups_are_two_requirements) { // shows offload 30
  struct words w = two_begin();
  syclze_split split;
  words_add(&w, 16, 3, 1, 35, 8); /* SubgroupSize */
  words_add(&w, 16, 3, 2, 36, 8); /* SubgroupsPerWorkgroup */
  two_finish(&w, 0);
  CHECK_EQ(
      syclze_split_make(words_bytes(&w), SYCLZE_SPLIT_BY_REQUIREMENT, &split), ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, 2);
  syclze_split_end(&split);
}

/* A part that is divided again is one part, byte for byte; and each kernel is in one part. */
TEST(a_part_is_self_contained) { // shows offload 29
  static const char *const modules[] = {"tests/kernels/mixed.spv", "tests/kernels/basic.spv",
      "tests/kernels/samplers.spv", "tests/kernels/images.spv",
      "tests/offload/samples/two.clang22.spv", "tests/offload/samples/two.llvmspirv15.spv"};
  for (size_t m = 0; m < sizeof modules / sizeof *modules; m++) {
    struct parts parts;
    syclze_spirv_index whole;
    divide(&parts, modules[m], SYCLZE_SPLIT_BY_REQUIREMENT);
    CHECK_EQ(syclze_spirv_index_make(parts.module, &whole), ZE_RESULT_SUCCESS);
    for (uint32_t k = 0; k < whole.kernel_count; k++) {
      uint32_t found = 0;
      for (uint32_t i = 0; i < parts.split.part_count; i++) {
        const syclze_spirv_kernel *kernel =
            syclze_spirv_index_kernel(&parts.index[i], whole.kernels[k].name);
        if (kernel == NULL) continue;
        found++;
        CHECK_EQ(kernel->argument_count, whole.kernels[k].argument_count);
        CHECK(memcmp(kernel->required_group_size, whole.kernels[k].required_group_size,
                  sizeof kernel->required_group_size) == 0);
      }
      CHECK_EQ(found, 1);
    }
    for (uint32_t i = 0; i < parts.split.part_count; i++) {
      syclze_split again;
      CHECK_EQ(syclze_split_make(parts.bytes[i], SYCLZE_SPLIT_BY_REQUIREMENT, &again),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(again.part_count, 1);
      syclze_split_end(&again);
    }
    syclze_spirv_index_end(&whole);
    end(&parts);
  }
}

TEST(every_part_is_valid) { // shows offload 26
  scratch_begin("spirv-val");
  CHECK_EQ(scratch_run("for f in tests/kernels/*.spv tests/zecl/images/*.spv examples/*.spv "
                       "tests/offload/samples/*[25].spv; do echo $f; done >%s",
               scratch_path("modules")),
      0);
  FILE *list = fopen(scratch_path("modules"), "r");
  CHECK(list != NULL);
  char path[256];
  int divided = 0;
  while (fgets(path, sizeof path, list) != NULL) {
    path[strcspn(path, "\n")] = '\0';
    /* A newer validator refuses what an older translator wrote. */
    if (scratch_run("spirv-val --target-env spv1.4 %s", path) != 0) continue;
    for (int by = SYCLZE_SPLIT_BY_KERNEL; by <= SYCLZE_SPLIT_BY_REQUIREMENT; by++) {
      struct parts parts;
      divide(&parts, path, (syclze_split_by)by);
      for (uint32_t i = 0; i < parts.split.part_count; i++) {
        scratch_write("part.spv", parts.bytes[i]);
        if (scratch_run("spirv-val --target-env spv1.4 %s", scratch_path("part.spv")) != 0)
          check_fail(__FILE__, __LINE__, "part %u of %s is not valid", i, path);
      }
      divided += parts.split.part_count > 1;
      end(&parts);
    }
  }
  fclose(list);
  CHECK(divided > 10);
  scratch_end();
}

/* Junk is refused or divided, and never read beyond its end. */
TEST(damaged_modules_are_refused_or_divided) {
  syclze_bytes module = sample_read("tests/kernels/mixed.spv");
  uint8_t *copy = (uint8_t *)malloc(module.size);
  CHECK(copy != NULL);
  int refused = 0;
  for (size_t at = 0; at < module.size; at += 4) {
    memcpy(copy, module.data, module.size);
    copy[at] ^= 5;
    for (int by = SYCLZE_SPLIT_BY_KERNEL; by <= SYCLZE_SPLIT_BY_REQUIREMENT; by++) {
      syclze_split split;
      const syclze_bytes bytes = syclze_bytes_of(copy, module.size);
      if (syclze_split_make(bytes, (syclze_split_by)by, &split) != ZE_RESULT_SUCCESS) {
        refused++;
        CHECK_EQ(split.part_count, 0);
        continue;
      }
      for (uint32_t i = 0; i < split.part_count; i++) {
        size_t size = 0;
        CHECK_EQ(syclze_split_write(&split, i, NULL, &size), ZE_RESULT_SUCCESS);
      }
      syclze_split_end(&split);
    }
  }
  CHECK(refused > 0);
  free(copy);
  free((void *)module.data);
}

static uint32_t noted;

static void note(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  CHECK_STR_EQ(diagnostic->function, "syclze_split_make");
  noted++;
}

TEST(only_a_failed_division_is_reported) {
  static const syclze_diagnostic_handler handler = {note, NULL};
  syclze_bytes module = sample_read("tests/kernels/mixed.spv");
  syclze_split split;
  noted = 0;
  syclze_diagnostic_set_handler(&handler);
  CHECK_EQ(syclze_split_make(module, SYCLZE_SPLIT_BY_KERNEL, &split), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted, 0);
  syclze_split_end(&split);
  module.size = 16;
  CHECK_EQ(syclze_split_make(module, SYCLZE_SPLIT_BY_KERNEL, &split), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted, 1);
  syclze_diagnostic_set_handler(NULL);
  free((void *)module.data);
}

TEST(missing_parts_are_refused) {
  syclze_split split;
  size_t size = 0;
  CHECK_EQ(syclze_split_make(syclze_bytes_of(NULL, 0), SYCLZE_SPLIT_BY_KERNEL, &split),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_split_make(syclze_bytes_of(NULL, 0), SYCLZE_SPLIT_BY_KERNEL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_split_write(&split, 0, NULL, &size), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_split_write(&split, 0, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  syclze_split_end(&split);
  syclze_split_end(NULL);
}

TEST_MAIN(by_requirement_fp64_stands_alone, by_kernel_each_stands_alone,
    debug_information_joins_no_parts, by_source_the_module_is_unchanged,
    a_short_module_is_divided_by_requirement_automatically, exports_are_parts_of_their_own,
    a_part_is_self_contained, every_part_is_valid, damaged_modules_are_refused_or_divided,
    only_a_failed_division_is_reported, missing_parts_are_refused,
    a_mask_of_sub_groups_keeps_the_capability_of_ballots,
    instructions_without_a_result_define_nothing,
    a_size_and_a_number_of_sub_groups_are_two_requirements)
