/* Failed allocations: the call fails and nothing is lost; the same call succeeds later. */
#undef SYCLZE_DECLARATIONS
#include <stdlib.h>
#include <stdbool.h>

static int allocations_left = -1; /* before one fails, once; negative: none fails */

static bool allocation_fails(void) {
  return allocations_left >= 0 && allocations_left-- == 0;
}
static void *failing_malloc(size_t size) {
  return allocation_fails() ? NULL : malloc(size);
}
static void *failing_calloc(size_t count, size_t size) {
  return allocation_fails() ? NULL : calloc(count, size);
}
static void *failing_realloc(void *memory, size_t size) {
  return allocation_fails() ? NULL : realloc(memory, size);
}

/* The bodies of the headers are in this file. */
#define malloc failing_malloc
#define calloc failing_calloc
#define realloc failing_realloc
#include "syclze/offload/division.h"
#include "syclze/offload/kernel_source.h"
#include "syclze/offload/offload.h"
#undef malloc
#undef calloc
#undef realloc

#include "support/properties.h"
#include "support/sample.h"
#include "support/words.h"
#include "tests/check.h"

/* A module that exports two functions, one more in the properties, and images with many names so
   that the tables grow. */
enum { EXPORTS = 80 };

static struct properties_property exported[EXPORTS];
static char export_names[EXPORTS][20]; /* with any int */
static struct properties_set property_sets[1];

static syclze_offload_image image_with_exports(syclze_bytes spirv) {
  syclze_offload_image image = syclze_offload_image_of(spirv);
  for (int i = 0; i < EXPORTS; i++) {
    snprintf(export_names[i], sizeof export_names[i], "export%d", i);
    exported[i] = properties_number(export_names[i], 1);
  }
  property_sets[0] = (struct properties_set){"SYCL/exported symbols", exported, exported + EXPORTS};
  image.property_sets_begin = (const uint8_t *)property_sets;
  image.property_sets_end = (const uint8_t *)(property_sets + 1);
  return image;
}

static uint32_t count_of(syclze_offload_set set, const char *name, ze_result_t *result) {
  uint32_t count = 0;
  *result = syclze_offload_set_find_export(set, syclze_text_of(name), &count, NULL);
  return count;
}

TEST(no_export_is_lost_where_an_allocation_fails) { // shows offload 25
  syclze_bytes spirv = sample_read("two.llvmspirv15.spv");
  syclze_offload_image image = image_with_exports(spirv);
  ze_result_t result;
  int failures = 0;
  for (int n = 0;; n++) {
    syclze_offload_set set;
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
    allocations_left = n;
    uint32_t count = count_of(set, "export79", &result);
    bool is_over = allocations_left >= 0;
    allocations_left = -1;
    if (!is_over) {
      CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      CHECK_EQ(count, 0);
      failures++;
    }
    CHECK_EQ(count_of(set, "export0", &result), 1);
    CHECK_EQ(count_of(set, "export79", &result), 1);
    CHECK_EQ(count_of(set, "axpy", &result), 1); /* of the module */
    CHECK_EQ(count_of(set, "absent", &result), 0);
    CHECK_EQ(result, ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    syclze_offload_set_release(set);
    if (is_over) break;
  }
  CHECK(failures >= 4);
  free((void *)(uintptr_t)spirv.data);
}

TEST(a_link_without_memory_fails_and_succeeds_later) { // shows offload 53
  syclze_bytes spirv = sample_read("two.llvmspirv15.spv");
  syclze_offload_image image = image_with_exports(spirv);
  static struct properties_property imported[1];
  static struct properties_set imports[1];
  imported[0] = properties_number("export3", 1);
  imports[0] = (struct properties_set){"SYCL/imported symbols", imported, imported + 1};
  syclze_offload_image user = syclze_offload_image_of(spirv);
  user.property_sets_begin = (const uint8_t *)imports;
  user.property_sets_end = (const uint8_t *)(imports + 1);
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  for (int i = 0; i < 3; i++)
    traits.max_group_sizes[i] = 256;
  traits.max_group_size = 256;
  int failures = 0;
  for (int n = 0;; n++) {
    syclze_offload_set set;
    syclze_candidate candidate, others[4];
    uint32_t count = 4;
    memset(&candidate, 0, sizeof candidate);
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add(set, &user, NULL, &candidate.serial), ZE_RESULT_SUCCESS);
    candidate.image = user;
    candidate.format = ZE_MODULE_FORMAT_IL_SPIRV;
    candidate.module = spirv;
    allocations_left = n;
    ze_result_t result = syclze_selection_link(set, &candidate, &traits, &count, others);
    bool is_over = allocations_left >= 0;
    allocations_left = -1;
    if (result != ZE_RESULT_SUCCESS) {
      CHECK(!is_over);
      CHECK_EQ(count, 0);
      failures++;
      count = 4;
      CHECK_EQ(syclze_selection_link(set, &candidate, &traits, &count, others), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(count, 1);
    syclze_offload_set_release(set);
    if (is_over) break;
  }
  CHECK(failures >= 4);
  free((void *)(uintptr_t)spirv.data);
}

/* mixed.spv has kernels with fp64 and without: a device without it needs a part of the module. */
TEST(a_module_that_cannot_be_divided_without_memory_is_divided_later) { // shows offload 53
  syclze_bytes spirv = sample_read("tests/kernels/mixed.spv");
  syclze_offload_image image = syclze_offload_image_of(spirv);
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  for (int i = 0; i < 3; i++)
    traits.max_group_sizes[i] = 256;
  traits.max_group_size = 256;
  int failures = 0;
  for (int n = 0;; n++) {
    syclze_offload_set set;
    syclze_candidate candidate;
    uint32_t count = 1;
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_allow_division(set), ZE_RESULT_SUCCESS);
    allocations_left = n;
    ze_result_t result = syclze_selection_find(set, "plain", &traits, &count, &candidate, NULL, 0);
    bool is_over = allocations_left >= 0;
    allocations_left = -1;
    if (!is_over) {
      CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      failures++;
      count = 1;
      result = syclze_selection_find(set, "plain", &traits, &count, &candidate, NULL, 0);
    }
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    CHECK_EQ(count, 1);
    CHECK(candidate.part != 0);
    syclze_offload_set_release(set);
    if (is_over) break;
  }
  CHECK(failures >= 8);
  free((void *)(uintptr_t)spirv.data);
}

/* Names that differ beside the samples which are hashed until eight of them are equal. */
TEST(no_name_is_lost_where_hashes_cannot_change) { // shows offload 49
  enum { IMAGES = 20, LENGTH = 400 };
  static char names[IMAGES][LENGTH];
  int failures = 0;
  for (int i = 0; i < IMAGES; i++) {
    memset(names[i], 'A', LENGTH - 1);
    names[i][20] = (char)('a' + i);
  }
  for (int n = 0;; n++) {
    syclze_offload_set set;
    bool is_over = true;
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    for (int i = 0; i < IMAGES; i++) {
      const syclze_offload_string symbols = {
          syclze_text_of("symbols"), syclze_bytes_of(names[i], LENGTH - 1)};
      syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
      syclze_offload_image_set_strings(&image, &symbols, 1);
      if (i == 0) allocations_left = n;
      const ze_result_t result = syclze_offload_set_add(set, &image, NULL, NULL);
      if (result == ZE_RESULT_SUCCESS) continue;
      CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      is_over = false;
      failures++;
      CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
    }
    allocations_left = -1;
    for (int i = 0; i < IMAGES; i++) {
      uint32_t count = 0;
      CHECK_EQ(syclze_offload_set_find(set, names[i], &count, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(count, 1);
    }
    CHECK(!set.rep->hash_key[SYCLZE__SYMBOL_KERNEL].is_sampled);
    syclze_offload_set_release(set);
    if (is_over) break;
  }
  CHECK(failures >= 4);
}

TEST(a_compilation_without_memory_fails) { // shows offload 59
  int failures = 0;
  bool is_over = false;
  syclze_kernel_source source = {0};
  source.text = "kernel void k(void) {}";
  source.ocloc = source.tools = "";
  source.cache_folder = "/dev/null/cache";
  for (int n = 0; !is_over; n++) {
    syclze_bytes spirv;
    allocations_left = n;
    const ze_result_t result = syclze_kernel_source_compile(&source, &spirv);
    is_over = allocations_left >= 0;
    allocations_left = -1;
    CHECK(spirv.data == NULL);
    if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) continue;
    CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    failures++;
  }
  CHECK(failures >= 2);
}

TEST_MAIN(no_export_is_lost_where_an_allocation_fails,
    a_link_without_memory_fails_and_succeeds_later,
    a_module_that_cannot_be_divided_without_memory_is_divided_later,
    no_name_is_lost_where_hashes_cannot_change, a_compilation_without_memory_fails)
