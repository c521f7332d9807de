/* Linking images that import from each other: how many, in which order, and how much is looked at;
   and the lists of names by which virtual functions find their images. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/selection.h"
#include "support/words.h"
#include "tests/check.h"

enum { MOST = 12 };

static struct words modules[MOST + 1];

static syclze_device_traits traits_made(void) {
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.type = ZE_DEVICE_TYPE_GPU;
  traits.spirv_version = 0x00010400;
  return traits;
}

/* A module that exports one function and imports others; null for none. */
static syclze_bytes module_made(
    struct words *words, const char *exported, const char *first, const char *second) {
  *words = words_begin(16);
  words_add(words, 17, 1, 6);    /* OpCapability Kernel */
  words_add(words, 17, 1, 4);    /* OpCapability Addresses */
  words_add(words, 17, 1, 5);    /* OpCapability Linkage */
  words_add(words, 14, 2, 2, 2); /* OpMemoryModel Physical64 OpenCL */
  if (exported != NULL) words_add_text(words, 71, 2, 4, 41, exported, 0);
  if (first != NULL) words_add_text(words, 71, 2, 5, 41, first, 1);
  if (second != NULL) words_add_text(words, 71, 2, 6, 41, second, 1);
  words_add(words, 19, 1, 1);    /* 1: OpTypeVoid */
  words_add(words, 33, 2, 2, 1); /* 2: OpTypeFunction 1 */
  for (uint32_t id = 5; id <= 6; id++)
    if ((id == 5 ? first : second) != NULL) {
      words_add(words, 54, 4, 1, id, 0, 2); /* OpFunction */
      words_add(words, 56, 0);              /* OpFunctionEnd */
    }
  if (exported != NULL) {
    words_add(words, 54, 4, 1, 4, 0, 2);
    words_add(words, 248, 1, 7); /* OpLabel */
    words_add(words, 253, 0);    /* OpReturn */
    words_add(words, 56, 0);
  }
  return words_bytes(words);
}

static void add(syclze_offload_set set, syclze_bytes module) {
  const syclze_offload_image image = syclze_offload_image_of(module);
  CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
}

static syclze_candidate candidate_of(syclze_bytes module) {
  syclze_candidate candidate;
  memset(&candidate, 0, sizeof candidate);
  candidate.module = module;
  candidate.image = syclze_offload_image_of(module);
  candidate.format = ZE_MODULE_FORMAT_IL_SPIRV;
  return candidate;
}

/* Each image imports from the next. */
TEST(a_chain_is_linked_where_there_is_room_for_all_of_it) { // shows offload 22
  const syclze_device_traits traits = traits_made();
  syclze_candidate others[MOST];
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (int i = 1; i <= MOST; i++) {
    char exported[16], imported[16];
    snprintf(exported, sizeof exported, "f%d", i);
    snprintf(imported, sizeof imported, "f%d", i + 1);
    add(set, module_made(&modules[i], exported, i < MOST ? imported : NULL, NULL));
  }
  const syclze_candidate main_one = candidate_of(module_made(&modules[0], NULL, "f1", NULL));
  for (uint32_t room = 0; room <= MOST; room++) {
    uint32_t count = room;
    const ze_result_t result = syclze_selection_link(set, &main_one, &traits, &count, others);
    CHECK_EQ(result, room < MOST ? ZE_RESULT_ERROR_MODULE_LINK_FAILURE : ZE_RESULT_SUCCESS);
    CHECK_EQ(count, room < MOST ? 0u : MOST);
  }
  for (uint32_t i = 0; i < MOST; i++)
    CHECK_EQ(others[i].serial, i + 1);
  syclze_offload_set_release(set);
}

/* Two imports of one image, an image that imports from the first one again, and one that imports
   from itself by way of another. */
TEST(an_image_is_linked_once) { // shows offload 22
  const syclze_device_traits traits = traits_made();
  syclze_candidate others[4];
  syclze_offload_set set;
  uint32_t count = 4;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  add(set, module_made(&modules[1], "a", "b", NULL));
  add(set, module_made(&modules[2], "b", "a", "c"));
  add(set, module_made(&modules[3], "c", "a", NULL));
  add(set, module_made(&modules[4], "unused", NULL, NULL));
  const syclze_candidate main_one = candidate_of(module_made(&modules[0], NULL, "c", "b"));
  CHECK_EQ(syclze_selection_link(set, &main_one, &traits, &count, others), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 3);
  CHECK_EQ(others[0].serial, 3);
  CHECK_EQ(others[1].serial, 2);
  CHECK_EQ(others[2].serial, 1);
  syclze_offload_set_release(set);
}

/* Each import costs one, and one for each image that exports it. */
TEST(imports_and_their_images_use_up_the_budget) { // shows offload 22, promises 75
  enum { IMAGES = 3 };
  const syclze_device_traits traits = traits_made();
  const syclze_candidate main_one = candidate_of(module_made(&modules[0], NULL, "f", NULL));
  syclze_candidate others[1];
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (int i = 1; i <= IMAGES; i++)
    add(set, module_made(&modules[i], "f", NULL, NULL));
  for (uint32_t budget = 0; budget < 10; budget++) {
    struct syclze__linking linking = {set, &traits, &main_one, others, 1, 0, budget};
    const struct syclze__status status = syclze__link_import(&linking, syclze_text_of("f"));
    CHECK_EQ(
        status.result, budget > IMAGES ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
    CHECK_EQ(linking.budget, budget > IMAGES ? budget - IMAGES - 1 : budget);
    CHECK_EQ(linking.count, budget > IMAGES ? 1u : 0u);
  }
  struct syclze__linking linking = {set, &traits, &main_one, others, 1, 0, 1};
  CHECK_EQ(syclze__link_import(&linking, syclze_text_of("g")).result,
      ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  CHECK_EQ(linking.budget, 0);
  syclze_offload_set_release(set);
}

static bool meets(const char *a, const char *b) {
  return syclze__lists_meet(syclze_bytes_of(a, strlen(a)), syclze_bytes_of(b, strlen(b)));
}

TEST(lists_meet_where_they_have_a_whole_name_in_common) { // shows offload 22
  static const struct {
    const char *a, *b;
    bool meets;
  } cases[] = {{"set", "set", true}, {"set", "sets", false}, {"sets", "set", false},
      {"a,b", "b", true}, {"a,b", "a", true}, {"b", "a,b", true}, {"a,b,c", "x,b,y", true},
      {"a,b", "c,d", false}, {"", "", false}, {"a", "", false}, {"", "a", false},
      {"a,,b", "c,,d", false}, {",a", "a,", true}, {"ab,c", "a,bc", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK_EQ(meets(cases[i].a, cases[i].b), cases[i].meets);
  /* A terminator ends a name too. */
  CHECK(syclze__lists_meet(syclze_bytes_of("set", 4), syclze_bytes_of("set", 3)));
}

TEST_MAIN(a_chain_is_linked_where_there_is_room_for_all_of_it, an_image_is_linked_once,
    imports_and_their_images_use_up_the_budget, lists_meet_where_they_have_a_whole_name_in_common)
