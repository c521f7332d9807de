/* Reading SPIR-V: every sample as its manifest describes it, modules by hand for what no compiler
   of the samples writes, and malformed ones. */
#include "support/sample.h"
#include "support/words.h"

#include "syclze/offload/spirv.h"
#include "tests/check.h"

static syclze_spirv_index read_index(syclze_bytes bytes) {
  syclze_spirv_index index;
  CHECK_EQ(syclze_spirv_index_make(bytes, &index), ZE_RESULT_SUCCESS);
  return index;
}

static void end(syclze_spirv_index *index, syclze_bytes sample) {
  syclze_spirv_index_end(index);
  free((void *)(uintptr_t)sample.data);
}

static void check_argument(const syclze_spirv_kernel *kernel, uint32_t at,
    syclze_spirv_argument_kind kind, uint32_t size) {
  CHECK(kernel != NULL && at < kernel->argument_count);
  CHECK_EQ(kernel->arguments[at].kind, kind);
  CHECK_EQ(kernel->arguments[at].size, size);
}

static void check_two(const char *name, bool is_clang) {
  syclze_bytes sample = sample_read(name);
  syclze_spirv_index index = read_index(sample);
  CHECK_EQ(index.kernel_count, 3);
  CHECK_EQ(index.needs, 0);
  CHECK_EQ(index.import_count, 0);
  CHECK_EQ(index.export_count, 3);
  CHECK_STR_EQ(index.exports[0].name, is_clang ? "__clang_ocl_kern_imp_axpy" : "axpy");
  CHECK(index.exports[0].is_function);
  const syclze_spirv_kernel *axpy = syclze_spirv_index_kernel(&index, "axpy");
  CHECK_EQ(axpy->argument_count, 4);
  check_argument(axpy, 0, SYCLZE_SPIRV_ARGUMENT_GLOBAL, 8);
  check_argument(axpy, 1, SYCLZE_SPIRV_ARGUMENT_GLOBAL, 8);
  check_argument(axpy, 2, SYCLZE_SPIRV_ARGUMENT_VALUE, 4);
  check_argument(axpy, 3, SYCLZE_SPIRV_ARGUMENT_VALUE, 4);
  CHECK_EQ(axpy->required_group_size[0], 0);
  CHECK_EQ(axpy->contraction_off, is_clang);
  const syclze_spirv_kernel *lsum = syclze_spirv_index_kernel(&index, "lsum");
  check_argument(lsum, 2, SYCLZE_SPIRV_ARGUMENT_LOCAL, 0);
  CHECK_EQ(lsum->required_group_size[0], 16);
  CHECK_EQ(lsum->required_group_size[1], 1);
  CHECK_EQ(lsum->required_group_size[2], 1);
  CHECK(syclze_spirv_index_kernel(&index, "__clang_ocl_kern_imp_axpy") == NULL);
  CHECK(syclze_spirv_has_capability(&index.spirv, SYCLZE_SPIRV_CAPABILITY_KERNEL));
  CHECK(!syclze_spirv_has_capability(&index.spirv, SYCLZE_SPIRV_CAPABILITY_FLOAT64));
  end(&index, sample);
}

TEST(two_has_three_kernels) { // shows offload 41
  check_two("two.clang22.spv", true);
  check_two("two.llvmspirv15.spv", false);
  check_two("two.llvmspirv15-O1.INVALID.spv", false);
}

static void check_spec(const char *name) {
  syclze_bytes sample = sample_read(name);
  syclze_spirv_index index = read_index(sample);
  CHECK_EQ(index.constant_count, 2);
  CHECK_EQ(index.constants[0].id, 0);
  CHECK_EQ(index.constants[0].type, SYCLZE_SPEC_TYPE_INTEGER);
  CHECK_EQ(index.constants[0].size, 4);
  CHECK_EQ(index.constants[0].default_value, 4);
  CHECK(syclze_spirv_index_constant(&index, 1) == &index.constants[1]);
  CHECK_EQ(index.constants[1].type, SYCLZE_SPEC_TYPE_FLOAT);
  CHECK_EQ(index.constants[1].default_value, 0x40000000);
  CHECK(syclze_spirv_index_constant(&index, 2) == NULL);
  end(&index, sample);
}

TEST(spec_lists_each_id_once) {
  check_spec("spec.clang22.spv"); /* bears each id twice */
  check_spec("spec.llvmspirv15.spv");
}

TEST(dbl_needs_fp64) {
  syclze_bytes sample = sample_read("dbl.clang22.spv");
  syclze_spirv_index index = read_index(sample);
  CHECK_EQ(index.needs, SYCLZE_SPIRV_NEEDS_FP64);
  end(&index, sample);
}

TEST(sg_needs_sub_groups_of_16) {
  syclze_bytes sample = sample_read("sg.clang22.spv");
  syclze_spirv_index index = read_index(sample);
  CHECK_EQ(index.needs, SYCLZE_SPIRV_NEEDS_SUB_GROUPS);
  const syclze_spirv_kernel *kernel = syclze_spirv_index_kernel(&index, "sgk");
  CHECK(kernel != NULL);
  CHECK_EQ(kernel->required_sub_group_size, 16);
  CHECK_EQ(kernel->required_group_size[0], 64);
  end(&index, sample);
}

TEST(pf22_has_a_closure_by_value) {
  syclze_bytes sample = sample_read("pf22.clang22.spv");
  syclze_spirv_index index = read_index(sample);
  const syclze_spirv_kernel *kernel = syclze_spirv_index_kernel(&index, "_ZTS2KV");
  CHECK(kernel != NULL);
  CHECK_EQ(kernel->argument_count, 1);
  check_argument(kernel, 0, SYCLZE_SPIRV_ARGUMENT_VALUE, 16);
  CHECK_EQ(index.import_count, 0);
  CHECK(index.needs & SYCLZE_SPIRV_NEEDS_GENERIC_POINTERS);
  end(&index, sample);
}

TEST(imports_and_images_of_the_kernels) {
  syclze_bytes sample = sample_read("tests/kernels/imports.spv");
  syclze_spirv_index index = read_index(sample);
  CHECK_EQ(index.import_count, 1);
  CHECK_STR_EQ(index.imports[0].name, "twice_and_one");
  CHECK(index.imports[0].is_function);
  end(&index, sample);
  sample = sample_read("tests/kernels/images.spv");
  index = read_index(sample);
  CHECK(index.needs & SYCLZE_SPIRV_NEEDS_IMAGES);
  const syclze_spirv_kernel *read_image = syclze_spirv_index_kernel(&index, "read_image");
  check_argument(read_image, 0, SYCLZE_SPIRV_ARGUMENT_IMAGE, 8);
  check_argument(read_image, 1, SYCLZE_SPIRV_ARGUMENT_SAMPLER, 8);
  end(&index, sample);
}

TEST(values_have_the_sizes_of_opencl) {
  syclze_bytes sample = sample_read("tests/kernels/basic.spv");
  syclze_spirv_index index = read_index(sample);
  const syclze_spirv_kernel *kernel = syclze_spirv_index_kernel(&index, "by_value");
  static const uint32_t sizes[] = {1, 2, 4, 8, 16, 16, 24};
  for (uint32_t i = 0; i < 7; i++)
    check_argument(kernel, i + 1, SYCLZE_SPIRV_ARGUMENT_VALUE, sizes[i]);
  check_argument(
      syclze_spirv_index_kernel(&index, "constant_table"), 0, SYCLZE_SPIRV_ARGUMENT_CONSTANT, 8);
  end(&index, sample);
}

TEST(kernel_names_need_no_index) {
  syclze_bytes sample = sample_read("two.clang22.spv");
  syclze_spirv spirv;
  CHECK_EQ(syclze_spirv_open(sample, &spirv), ZE_RESULT_SUCCESS);
  uint32_t position = 0;
  CHECK_STR_EQ(syclze_spirv_next_kernel_name(&spirv, &position), "axpy");
  CHECK_STR_EQ(syclze_spirv_next_kernel_name(&spirv, &position), "iota");
  CHECK_STR_EQ(syclze_spirv_next_kernel_name(&spirv, &position), "lsum");
  CHECK(syclze_spirv_next_kernel_name(&spirv, &position) == NULL);
  CHECK(syclze_spirv_next_kernel_name(&spirv, &position) == NULL);
  free((void *)(uintptr_t)sample.data);
}

/* struct A { int x; struct { float a, b; } n; }, with default values, as constants 1, 2 and 3. */
static struct words nested(void) {
  struct words w = words_begin(20);
  words_add(&w, 71, 3, 5, 1, 1); /* SpecId */
  words_add(&w, 71, 3, 6, 1, 2);
  words_add(&w, 71, 3, 7, 1, 3);
  words_add(&w, 21, 3, 1, 32, 0);         /* int */
  words_add(&w, 22, 2, 2, 32);            /* float */
  words_add(&w, 30, 3, 3, 2, 2);          /* Nested */
  words_add(&w, 30, 3, 4, 1, 3);          /* A */
  words_add(&w, 50, 3, 1, 5, 42);         /* x */
  words_add(&w, 50, 3, 2, 6, 0x3f800000); /* a */
  words_add(&w, 50, 3, 2, 7, 0x40000000); /* b */
  words_add(&w, 51, 4, 3, 8, 6, 7);       /* the Nested */
  words_add(&w, 51, 4, 4, 9, 5, 8);       /* the A */
  return w;
}

TEST(a_nested_composite_is_flattened) { // shows offload 33
  struct words w = nested();
  syclze_spirv_index index = read_index(words_bytes(&w));
  CHECK_EQ(index.composite_count, 1);
  CHECK_EQ(index.composites[0].size, 12);
  CHECK_EQ(index.composites[0].leaf_count, 3);
  syclze_spec_leaf leaves[3];
  CHECK_EQ(syclze_spirv_index_leaves(&index, &index.composites[0], leaves), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK_EQ(leaves[i].id, i + 1);
    CHECK_EQ(leaves[i].offset, 4 * i);
    CHECK_EQ(leaves[i].size, 4);
  }
  syclze_spirv_index_end(&index);
}

TEST(leaves_need_all_their_pointers) {
  struct words w = nested();
  syclze_spirv_index index = read_index(words_bytes(&w));
  syclze_spec_leaf leaves[3];
  for (int missing = 0; missing < 3; missing++)
    CHECK_EQ(syclze_spirv_index_leaves(missing == 0 ? NULL : &index,
                 missing == 1 ? NULL : &index.composites[0], missing == 2 ? NULL : leaves),
        ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  syclze_spirv_index_end(&index);
}

TEST(composites_that_contain_each_other_end) {
  struct words w = nested();
  words_add(&w, 51, 6, 4, 10, 10, 11, 5, 8); /* itself, and a later one */
  words_add(&w, 51, 4, 4, 11, 5, 10);
  syclze_spirv_index index = read_index(words_bytes(&w));
  for (uint32_t i = 0; i < index.composite_count; i++) {
    syclze_spec_leaf leaves[16];
    CHECK(index.composites[i].leaf_count <= 16);
    CHECK_EQ(syclze_spirv_index_leaves(&index, &index.composites[i], leaves), ZE_RESULT_SUCCESS);
  }
  syclze_spirv_index_end(&index);
}

TEST(composites_that_double_are_refused) {
  struct words w = nested();
  for (uint32_t id = 10; id < 40; id++)
    words_add(&w, 51, 4, 4, id, id - 1, id - 1);
  w.word[3] = 64;
  syclze_spirv_index index;
  CHECK_EQ(syclze_spirv_index_make(words_bytes(&w), &index), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(index.kernels == NULL);
}

/* A kernel `k` with function 4, and room for what a test adds before `finish`. */
static struct words kernel_begin(void) {
  struct words w = words_begin(32);
  words_add(&w, 17, 1, 6);
  words_add(&w, 14, 2, 2, 2);
  words_add_text(&w, 15, 2, 6, 4, "k", -1);
  return w;
}

static void kernel_finish(struct words *w) {
  words_add(w, 19, 1, 1);          /* void */
  words_add(w, 33, 2, 2, 1);       /* void(void) */
  words_add(w, 54, 4, 1, 4, 0, 2); /* the function */
  words_add(w, 56, 0);
}

TEST(modes_by_literal_and_by_id) {
  struct words w = kernel_begin();
  words_add(&w, 16, 5, 4, 18, 2, 3, 4);     /* LocalSizeHint */
  words_add(&w, 16, 3, 4, 36, 5);           /* SubgroupsPerWorkgroup */
  words_add(&w, 331, 5, 4, 38, 10, 11, 12); /* LocalSizeId */
  words_add(&w, 71, 3, 11, 1, 77);
  words_add(&w, 21, 3, 9, 32, 0);
  words_add(&w, 43, 3, 9, 10, 8);
  words_add(&w, 50, 3, 9, 11, 4);
  words_add(&w, 43, 3, 9, 12, 2);
  kernel_finish(&w);
  syclze_spirv_index index = read_index(words_bytes(&w));
  const syclze_spirv_kernel *kernel = syclze_spirv_index_kernel(&index, "k");
  CHECK(kernel != NULL);
  CHECK_EQ(kernel->required_group_size[0], 8);
  CHECK_EQ(kernel->required_group_size[1], 4);
  CHECK_EQ(kernel->required_group_size[2], 2);
  CHECK_EQ(kernel->group_size_hint[2], 4);
  CHECK_EQ(kernel->required_sub_groups, 5);
  CHECK_EQ(kernel->argument_count, 0);
  CHECK_EQ(index.needs, SYCLZE_SPIRV_NEEDS_SUB_GROUPS);
  syclze_spirv_index_end(&index);
}

TEST(two_entry_points_of_one_function_are_alike) {
  struct words w = kernel_begin();
  words_add_text(&w, 15, 2, 6, 4, "other", -1);
  words_add(&w, 16, 5, 4, 17, 2, 3, 4);
  kernel_finish(&w);
  syclze_spirv_index index = read_index(words_bytes(&w));
  CHECK_EQ(index.kernel_count, 2);
  CHECK_STR_EQ(index.kernels[1].name, "other");
  CHECK_EQ(index.kernels[1].required_group_size[2], 4);
  syclze_spirv_index_end(&index);
}

TEST(built_in_variables_are_no_imports) {
  struct words w = kernel_begin();
  words_add_text(&w, 71, 2, 6, 41, "__spirv_BuiltInWorkDim", 1);
  words_add(&w, 71, 3, 6, 11, 30);
  words_add_text(&w, 71, 2, 7, 41, "missing", 1);
  words_add_text(&w, 71, 2, 4, 41, "k", 0);
  words_add(&w, 21, 3, 9, 32, 0);
  words_add(&w, 32, 3, 5, 1, 9);
  words_add(&w, 59, 3, 5, 6, 1);
  kernel_finish(&w);
  words_add(&w, 54, 4, 1, 7, 0, 2);
  words_add(&w, 56, 0);
  syclze_spirv_index index = read_index(words_bytes(&w));
  CHECK_EQ(index.import_count, 1);
  CHECK_STR_EQ(index.imports[0].name, "missing");
  CHECK_EQ(index.export_count, 1);
  syclze_spirv_index_end(&index);
}

TEST(decorations_by_group) {
  struct words w = kernel_begin();
  words_add(&w, 71, 3, 6, 1, 9);
  words_add(&w, 73, 1, 6);
  words_add(&w, 74, 3, 6, 10, 11);
  words_add(&w, 21, 3, 5, 8, 0);
  words_add(&w, 50, 3, 5, 10, 0xffffff85);
  words_add(&w, 50, 3, 5, 11, 0xffffff85);
  kernel_finish(&w);
  syclze_spirv_index index = read_index(words_bytes(&w));
  CHECK_EQ(index.constant_count, 1);
  CHECK_EQ(index.constants[0].id, 9);
  CHECK_EQ(index.constants[0].size, 1);
  CHECK_EQ(index.constants[0].default_value, 0x85);
  syclze_spirv_index_end(&index);
}

static const char *last_rule;

static void note_rule(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  last_rule = diagnostic->rule;
}

static void check_refused(syclze_bytes bytes, ze_result_t code, const char *rule) {
  static const syclze_diagnostic_handler handler = {note_rule, NULL};
  syclze_spirv_index index;
  last_rule = "";
  syclze_diagnostic_set_handler(&handler);
  CHECK_EQ(syclze_spirv_index_make(bytes, &index), code);
  syclze_diagnostic_set_handler(NULL);
  CHECK(strstr(last_rule, rule) != NULL);
  CHECK(index.ids == NULL);
}

TEST(malformed_modules_are_refused) { // shows offload 41
  struct words w = kernel_begin();
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "function is not in the module");
  kernel_finish(&w);
  const struct words good = w;
  syclze_spirv_index index = read_index(words_bytes(&good));
  syclze_spirv_index_end(&index);

  check_refused(syclze_bytes_of(NULL, 0), SYCLZE_RESULT_ERROR_INVALID, "size");
  check_refused(syclze_bytes_of(good.word, 21), SYCLZE_RESULT_ERROR_INVALID, "size");
  w.word[0] = 0x03022307;
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "big-endian");
  w.word[0] = 1;
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "magic");
  w = good;
  w.word[3] = 3;
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "below the bound");
  w.word[3] = 0x400001;
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "universal limit");
  w = good;
  w.word[5] = 17;
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "empty or ends past");
  w.word[5] = 0xffff0011;
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "empty or ends past");
  w = good;
  words_add(&w, 21, 1, 9);
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "shorter than its operands");
  w = good;
  words_add(&w, 54, 4, 1, 4, 0, 2);
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "defined twice");
  w = good;
  words_add(&w, 71, 2, 4, 1);
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "SpecId without");
  w = good;
  words_add(&w, 71, 3, 9, 41, 0x41414141);
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "linkage without");
}

TEST(one_spec_id_has_one_size) {
  struct words w = words_begin(16);
  words_add(&w, 71, 3, 3, 1, 7);
  words_add(&w, 71, 3, 4, 1, 7);
  words_add(&w, 21, 3, 1, 32, 0);
  words_add(&w, 21, 3, 2, 64, 0);
  words_add(&w, 50, 3, 1, 3, 5);
  words_add(&w, 50, 4, 2, 4, 5, 0);
  check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "two sizes");
}

/* The decoration of a type would replace its size. */
TEST(a_type_has_no_spec_id) {
  for (uint32_t number = 0; number < 200; number += 100) {
    struct words w = words_begin(16);
    words_add(&w, 21, 3, 1, 32, 0);
    words_add(&w, 71, 3, 1, 1, number);
    words_add(&w, 71, 3, 3, 1, 7);
    if (number == 0)
      words_add(&w, 50, 3, 1, 3, 5);
    else
      words_add(&w, 50, 4, 1, 3, 5, 6);
    check_refused(words_bytes(&w), SYCLZE_RESULT_ERROR_INVALID, "must be a number");
  }
}

TEST_MAIN(two_has_three_kernels, spec_lists_each_id_once, dbl_needs_fp64, sg_needs_sub_groups_of_16,
    pf22_has_a_closure_by_value, imports_and_images_of_the_kernels, values_have_the_sizes_of_opencl,
    kernel_names_need_no_index, a_nested_composite_is_flattened, leaves_need_all_their_pointers,
    composites_that_contain_each_other_end, composites_that_double_are_refused,
    modes_by_literal_and_by_id, two_entry_points_of_one_function_are_alike,
    built_in_variables_are_no_imports, decorations_by_group, malformed_modules_are_refused,
    one_spec_id_has_one_size, a_type_has_no_spec_id)
