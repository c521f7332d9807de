/* Modules of SPIR-V that no compiler wrote: other byte orders, rare instructions, cut and broken
 * words. Whatever they are, they build or are refused with a reason. */
#include "support/handles.h"
#include "support/launch.h"

static struct test_file copy_of(struct test_file file) {
  struct test_file copy = {malloc(file.size), file.size};
  CHECK(copy.bytes);
  memcpy(copy.bytes, file.bytes, file.size);
  return copy;
}

static ze_result_t make(struct test_file file, const ze_module_constants_t *constants,
    ze_module_handle_t *module, char **text) {
  return test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, constants, module, text);
}

/* Neither a crash nor a refusal without a reason. */
static ze_result_t survives(struct test_file file) {
  ze_module_handle_t module = NULL;
  char *text = NULL;
  ze_result_t result = make(file, NULL, &module, &text);
  if (result == ZE_RESULT_SUCCESS) {
    CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  } else {
    CHECK_EQ(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    CHECK_EQ(module, NULL);
    CHECK(*text);
  }
  free(text);
  return result;
}

static void refused(struct test_file file, const char *reason) {
  ze_module_handle_t module;
  char *text = NULL;
  CHECK_EQ(make(file, NULL, &module, &text), ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  if (!strstr(text, reason)) CHECK_STR_EQ(text, reason);
  free(text);
}

static uint32_t word_at(struct test_file file, size_t index) {
  uint32_t word;
  memcpy(&word, file.bytes + index * sizeof word, sizeof word);
  return word;
}

static void set_word(struct test_file file, size_t index, uint32_t word) {
  memcpy(file.bytes + index * sizeof word, &word, sizeof word);
}

/* The index of the first instruction with that opcode; the module must have one. */
static size_t find(struct test_file file, uint32_t opcode) {
  size_t at = 5;
  while (at < file.size / 4 && (word_at(file, at) & 0xffff) != opcode)
    at += word_at(file, at) >> 16;
  CHECK(at < file.size / 4);
  return at;
}

TEST(other_byte_order) {
  struct test_file file = test_read("test/kernels/saxpy.spv");
  for (size_t i = 0; i < file.size; i += 4) {
    const unsigned char word[4] = {
        file.bytes[i + 3], file.bytes[i + 2], file.bytes[i + 1], file.bytes[i]};
    memcpy(file.bytes + i, word, 4);
  }
  ze_module_handle_t module;
  CHECK_EQ(make(file, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t kernel = test_kernel(module, "saxpy");
  float *memory = test_shared(2 * sizeof *memory);
  memory[0] = 2;
  memory[1] = 1;
  test_axpy_args(kernel, 3, memory, memory + 1);
  test_launch(kernel, 1, 1, 1);
  CHECK(memory[1] == 7);
  test_free(memory);
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  free(file.bytes);
}

/* Bytes need not be aligned to words. */
TEST(unaligned_bytes) {
  struct test_file file = test_read("test/kernels/saxpy.spv");
  memmove(file.bytes + 1, file.bytes, file.size);
  file.bytes++;
  CHECK_EQ(survives(file), ZE_RESULT_SUCCESS);
  free(file.bytes - 1);
}

#pragma pack(push, 1)
struct packed {
  char c;
  unsigned long l;
  short s;
};
#pragma pack(pop)

static void by_hand(const ze_module_constants_t *constants, uint32_t width, uint32_t wanted) {
  struct test_file file = test_read("test/kernels/by_hand.spv");
  ze_module_handle_t module;
  CHECK_EQ(make(file, constants, &module, NULL), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t kernel = test_kernel(module, "by_hand");
  ze_kernel_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_KERNEL_PROPERTIES};
  CHECK_EQ(zeKernelGetProperties(kernel, &properties), ZE_RESULT_SUCCESS);
  CHECK_EQ(properties.requiredGroupSizeX, width);
  CHECK_EQ(properties.requiredGroupSizeZ, 1);
  const struct packed value = {1, 2, 3};
  uint32_t *out = test_shared(sizeof *out);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, 12, &value),
      ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 0, sizeof value, &value), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(kernel, 1, sizeof out, &out), ZE_RESULT_SUCCESS);
  test_launch(kernel, 1, 1, 1);
  CHECK_EQ(*out, wanted);
  test_free(out);
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  free(file.bytes);
}

TEST(written_by_hand) {
  by_hand(NULL, 2, 100 + 100 + 3);
}

/* Constant 7 is in two places, 9 is a boolean, 3 is the width of a group. */
TEST(constants_by_hand) {
  const uint32_t ids[] = {7, 3, 9};
  const uint32_t seven = 40, three = 8;
  const unsigned char no = 0;
  const void *values[] = {&seven, &three, &no};
  const ze_module_constants_t two = {2, ids, values}, all = {3, ids, values};
  by_hand(&two, 8, 40 + 40 + 3);
  by_hand(&all, 8, 40 + 3);
}

TEST(cut_anywhere) {
  struct test_file file = test_read("test/kernels/imports.spv");
  size_t builds = 0;
  for (size_t size = 1; size < file.size; size++) {
    struct test_file part = copy_of((struct test_file){file.bytes, size});
    const ze_result_t result = survives(part);
    if (size % 4 != 0 || size < 20) CHECK_EQ(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    builds += result == ZE_RESULT_SUCCESS;
    free(part.bytes);
  }
  CHECK(builds < file.size / 8);
  free(file.bytes);
}

TEST(broken_header) {
  struct test_file file = test_read("test/kernels/saxpy.spv"), bad = copy_of(file);
  set_word(bad, 0, 0x07230204);
  refused(bad, "do not begin a module");
  memcpy(bad.bytes, file.bytes, file.size);
  set_word(bad, 3, 0);
  refused(bad, "bound");
  set_word(bad, 3, 0xffffffff);
  refused(bad, "bound");
  set_word(bad, 3, 2);
  refused(bad, "bound");
  free(bad.bytes);
  free(file.bytes);
}

TEST(broken_instructions) {
  enum { MEMORY_MODEL = 14, ENTRY_POINT = 15, FUNCTION = 54, NOTHING = 1 << 16 };
  struct test_file file = test_read("test/kernels/saxpy.spv"), bad = copy_of(file);
  const size_t entry = find(file, ENTRY_POINT), function = find(file, FUNCTION);
  set_word(bad, entry, ENTRY_POINT);
  refused(bad, "runs past the end");
  set_word(bad, entry, 0xffff0000 | ENTRY_POINT);
  refused(bad, "runs past the end");
  set_word(bad, entry, 1 << 16 | ENTRY_POINT);
  refused(bad, "too short");
  memcpy(bad.bytes, file.bytes, file.size);
  for (size_t i = entry + 3; i < entry + (word_at(file, entry) >> 16); i++)
    set_word(bad, i, 0x61616161);
  refused(bad, "no end");
  memcpy(bad.bytes, file.bytes, file.size);
  set_word(bad, entry + 2, word_at(file, 3) - 1);
  refused(bad, "no function");
  memcpy(bad.bytes, file.bytes, file.size);
  for (size_t i = 0; i < 3; i++)
    set_word(bad, find(file, MEMORY_MODEL) + i, NOTHING);
  refused(bad, "no memory model");
  memcpy(bad.bytes, file.bytes, file.size);
  set_word(bad, function + 2, 0x3fffff);
  refused(bad, "above the bound");
  free(bad.bytes);
  free(file.bytes);
}

/* The file with its first instruction of one opcode copied before the first of another. */
static struct test_file with_copy(struct test_file file, uint32_t copied, uint32_t before) {
  const size_t from = find(file, copied) * 4, length = word_at(file, from / 4) >> 16;
  const size_t to = find(file, before) * 4;
  struct test_file longer = {malloc(file.size + length * 4), file.size + length * 4};
  CHECK(longer.bytes);
  memcpy(longer.bytes, file.bytes, to);
  memcpy(longer.bytes + to, file.bytes + from, length * 4);
  memcpy(longer.bytes + to + length * 4, file.bytes + to, file.size - to);
  return longer;
}

static void refused_with_copy(
    const char *path, uint32_t copied, uint32_t before, const char *reason) {
  struct test_file file = test_read(path), longer = with_copy(file, copied, before);
  refused(longer, reason);
  free(longer.bytes);
  free(file.bytes);
}

/* Changes to a module rely on its order, and on one definition of each id. */
TEST(misplaced_instructions) {
  enum { TYPE_INT = 21, FUNCTION = 54, VARIABLE = 59, LOAD = 61, DECORATE = 71, LABEL = 248 };
  refused_with_copy("test/kernels/globals.spv", VARIABLE, VARIABLE, "defined twice");
  refused_with_copy("test/kernels/globals.spv", VARIABLE, FUNCTION, "defined twice");
  refused_with_copy("test/kernels/globals.spv", TYPE_INT, FUNCTION, "defined twice");
  refused_with_copy("test/kernels/saxpy.spv", LOAD, FUNCTION, "outside");
  refused_with_copy("test/kernels/globals.spv", DECORATE, LABEL, "behind a function");
  refused_with_copy("test/kernels/globals.spv", TYPE_INT, LABEL, "behind a function");
  refused_with_copy("test/kernels/saxpy.spv", FUNCTION, LABEL, "within a function");
}

/* A module that needs half precision builds where the device's properties promise it.
 */
TEST(capability_of_the_device) {
  enum { CAPABILITY = 17, FLOAT16 = 9 };
  struct test_file file = test_read("test/kernels/saxpy.spv");
  set_word(file, find(file, CAPABILITY) + 1, FLOAT16);
  ze_device_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  CHECK_EQ(zeDeviceGetModuleProperties(test_device(), &properties), ZE_RESULT_SUCCESS);
  if (properties.flags & ZE_DEVICE_MODULE_FLAG_FP16)
    CHECK_EQ(survives(file), ZE_RESULT_SUCCESS);
  else
    refused(file, "Float16");
  free(file.bytes);
}

/* One word after another replaced by what is likely to hurt. The module has an import, so that most
 * variants are read and not built. */
TEST(changed_words) {
  static const uint32_t hurtful[] = {0, 1, 0xffffffff, 0x0001ffff, 0x00050036};
  struct test_file file = test_read("test/kernels/imports.spv");
  for (size_t i = 3; i < file.size / 4; i += 2)
    for (size_t k = 0; k < sizeof hurtful / sizeof *hurtful; k++) {
      struct test_file bad = copy_of(file);
      set_word(bad, i, hurtful[k]);
      survives(bad);
      free(bad.bytes);
    }
  free(file.bytes);
}

/* Engines of OpenCL 1.2 have no such functions. */
TEST(atomics_of_generic_pointers) {
  enum { GROUPS = 8, ITEMS = 16 };
  struct test_file file = test_read("test/kernels/atomics.spv");
  ze_module_handle_t module;
  CHECK_EQ(make(file, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t kernel = test_kernel(module, "count_up");
  uint32_t length = 0;
  char *attributes = NULL;
  OK(zeKernelGetSourceAttributes(kernel, &length, &attributes));
  CHECK_STR_EQ(attributes, "work_group_size_hint(16,1,1)");
  int *sum = test_shared(sizeof *sum), *seen = test_shared(GROUPS * sizeof *seen);
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof sum, &sum));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof seen, &seen));
  test_launch(kernel, GROUPS, 1, 1);
  CHECK_EQ(*sum, GROUPS * ITEMS);
  for (int i = 0; i < GROUPS; i++)
    CHECK_EQ(seen[i], 2 * ITEMS);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(sum);
  test_free(seen);
  free(file.bytes);
}

/* Engines have no such functions by these names. */
TEST(the_common_functions_of_sycl) {
  enum { ITEMS = 8 };
  struct test_file file = test_read("test/kernels/common.spv");
  ze_module_handle_t module;
  CHECK_EQ(make(file, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t kernel = test_kernel(module, "common");
  float *numbers = test_shared(ITEMS * sizeof *numbers);
  const float least = 2, most = 5;
  for (int i = 0; i < ITEMS; i++)
    numbers[i] = (float)i;
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof least, &least));
  OK(zeKernelSetArgumentValue(kernel, 2, sizeof most, &most));
  test_launch(kernel, 1, 1, 1);
  for (int i = 0; i < ITEMS; i++)
    CHECK(numbers[i] == (float)(i < 2 ? 2 : i > 5 ? 5 : i));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(numbers);
  free(file.bytes);
}

TEST(inline_assembly_is_refused_by_name) {
  enum { CAPABILITY = 17, ASM_INTEL = 5606 };
  struct test_file file = test_read("test/kernels/saxpy.spv");
  set_word(file, find(file, CAPABILITY) + 1, ASM_INTEL);
  refused(file, "SPV_INTEL_inline_assembly");
  free(file.bytes);
}

TEST(components_of_ids) {
  enum { WIDTH = 3, HEIGHT = 4 };
  ze_module_handle_t module = test_module("test/kernels/components.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "components");
  uint64_t *out = test_shared(WIDTH * HEIGHT * sizeof *out);
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
  test_launch(kernel, WIDTH, HEIGHT, 1);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    CHECK_EQ(out[i], 100 * (i / WIDTH) + i % WIDTH);
  test_free(out);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

TEST_MAIN(the_common_functions_of_sycl, components_of_ids, inline_assembly_is_refused_by_name,
    other_byte_order, unaligned_bytes, written_by_hand, constants_by_hand, cut_anywhere,
    broken_header, broken_instructions, capability_of_the_device, changed_words,
    misplaced_instructions, atomics_of_generic_pointers)
