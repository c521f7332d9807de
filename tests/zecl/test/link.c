/* Modules of SPIR-V of several compilations, linked into one. */
#include "support/modules.h"
#include "support/handles.h"
#include "support/launch.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static ze_module_handle_t library(struct test_file file) {
  ze_module_handle_t module;
  char *text = NULL;
  const ze_result_t result =
      test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, "-library-compilation", NULL, &module, &text);
  if (result != ZE_RESULT_SUCCESS) CHECK_STR_EQ(text, "");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  free(text);
  return module;
}

/* Links the kernel with the functions, and runs it: the second number becomes 7, the first 14. */
static void check_linked(struct test_file gives) {
  ze_module_build_log_handle_t log = NULL;
  ze_module_handle_t modules[] = {test_module("test/kernels/pointees_uses.spv"), library(gives)};
  const ze_result_t result = zeModuleDynamicLink(2, modules, &log);
  char *text = test_log_text(log);
  const bool has_linker = strstr(text, "install spirv-tools") == NULL;
  if (has_linker && result != ZE_RESULT_SUCCESS) CHECK_STR_EQ(text, "");
  free(text);
  if (has_linker) {
    ze_kernel_handle_t kernel = test_kernel(modules[0], "uses");
    uint32_t *numbers = test_shared(2 * sizeof *numbers);
    numbers[0] = numbers[1] = 1;
    OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof numbers, &numbers));
    test_launch(kernel, 1, 1, 1);
    CHECK_EQ(numbers[0], 14);
    CHECK_EQ(numbers[1], 7);
    OK(zeKernelDestroy(kernel));
    test_free(numbers);
  }
  for (int i = 0; i < 2; i++)
    OK(zeModuleDestroy(modules[i]));
  if (!has_linker) SKIP("no spirv-link");
}

TEST(import_and_export_may_point_to_other_types) {
  struct test_file gives = test_read("test/kernels/pointees_gives.spv");
  check_linked(gives);
  free(gives.bytes);
}

/* Copies words, with others put in before the one at a position. */
static void insert(struct test_file *file, size_t at, const uint32_t *words, size_t count) {
  unsigned char *bytes = malloc(file->size + count * sizeof *words + 1);
  CHECK(bytes != NULL);
  memcpy(bytes, file->bytes, at * sizeof *words);
  memcpy(bytes + at * sizeof *words, words, count * sizeof *words);
  memcpy(bytes + (at + count) * sizeof *words, file->bytes + at * sizeof *words,
      file->size - at * sizeof *words);
  free(file->bytes);
  file->bytes = bytes;
  file->size += count * sizeof *words;
}

static uint32_t word_at(const struct test_file *file, size_t at) {
  uint32_t word;
  memcpy(&word, file->bytes + at * sizeof word, sizeof word);
  return word;
}

static void change(struct test_file *file, size_t at, uint32_t word) {
  memcpy(file->bytes + at * sizeof word, &word, sizeof word);
}

/* The position of the last instruction of a kind. */
static size_t last(const struct test_file *file, uint32_t opcode) {
  size_t found = 0;
  for (size_t at = 5; at < file->size / 4; at += word_at(file, at) >> 16)
    if ((word_at(file, at) & 0xffff) == opcode) found = at;
  CHECK(found != 0);
  return found;
}

/* A store that is said not to alias what a list of scopes has, as SYCL's compiler writes it. The
   linker of SPIRV-Tools cannot read it. */
TEST(advice_on_aliases_is_left_out) {
  enum { STORE = 62, VARIABLE_TYPE = 21, MEMORY_MODEL = 14, NO_ALIAS = 0x20000 };
  struct test_file gives = test_read("test/kernels/pointees_gives.spv");
  const uint32_t bound = word_at(&gives, 3);
  const size_t store = last(&gives, STORE);
  CHECK_EQ(word_at(&gives, store), 5u << 16 | STORE);
  change(&gives, store, 6u << 16 | STORE);
  change(&gives, store + 3, word_at(&gives, store + 3) | NO_ALIAS);
  const uint32_t list[] = {bound + 2};
  insert(&gives, store + 5, list, 1);
  const uint32_t scopes[] = {2u << 16 | 5911, bound, 3u << 16 | 5912, bound + 1, bound,
      3u << 16 | 5913, bound + 2, bound + 1};
  insert(&gives, last(&gives, VARIABLE_TYPE), scopes, 8);
  uint32_t extension[10] = {10u << 16 | 10};
  memcpy(extension + 1, "SPV_INTEL_memory_access_aliasing", 32);
  insert(&gives, last(&gives, MEMORY_MODEL), extension, 10);
  const uint32_t capability[] = {2u << 16 | 17, 5910};
  insert(&gives, 5, capability, 2);
  change(&gives, 3, bound + 3);
  check_linked(gives);
  free(gives.bytes);
}

TEST_MAIN(import_and_export_may_point_to_other_types, advice_on_aliases_is_left_out)
