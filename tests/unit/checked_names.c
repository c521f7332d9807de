/* The memory of kernels' names and of their parameters, which the debug checker reads. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "syclze/kernel_bundle.h"
#include "tests/check.h"

/* Right behind the names, where their words are aligned. */
TEST(parameters_follow_names_of_any_length) {
  for (size_t length = 1; length <= 24; length++) {
    char name[32] = "";
    memset(name, 'k', length);
    const char *const texts[] = {name, "other"};
    uint64_t words[] = {1, 2, 3};
    const struct syclze__built_module built = {
        .signatures = (struct syclze__signature *)(void *)words, .size = sizeof words};
    struct syclze__kernel_names *names =
        syclze__kernel_names_sign(syclze__kernel_names_new(texts, 2), &built);
    CHECK(names != NULL);
    CHECK_EQ(names->count, 2);
    for (size_t i = 0; i < 2; i++)
      CHECK_STR_EQ(names->name[i].text, texts[i]);
    const uintptr_t end = (uintptr_t)(names->name[1].text + names->name[1].size);
    const uintptr_t at = (uintptr_t)names->signatures;
    CHECK_EQ(at % sizeof *words, 0);
    CHECK(at >= end && at < end + sizeof *words);
    CHECK_EQ(memcmp(names->signatures, words, sizeof words), 0);
    free(names);
  }
}

TEST_MAIN(parameters_follow_names_of_any_length)
