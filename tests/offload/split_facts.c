/* Types and instructions that need a capability in a part of a module, each with its neighbours by
 * number, and the capabilities that a part without it does not declare. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/split.h"
#include "tests/check.h"

enum { FACTS = 12 };

/* SPIR-V 3.32: Capability; a fact is a bit of syclze__split_fact. */
static const struct {
  uint32_t capability, facts;
} needed[] = {{7, SYCLZE__SPLIT_VECTOR16}, {8, SYCLZE__SPLIT_FLOAT16}, {9, SYCLZE__SPLIT_FLOAT16},
    {10, SYCLZE__SPLIT_FLOAT64}, {11, SYCLZE__SPLIT_INT64}, {12, SYCLZE__SPLIT_ATOMIC64},
    {13, SYCLZE__SPLIT_IMAGES}, {14, SYCLZE__SPLIT_IMAGES}, {15, SYCLZE__SPLIT_IMAGES},
    {18, SYCLZE__SPLIT_GROUPS | SYCLZE__SPLIT_SUB_GROUPS}, {20, SYCLZE__SPLIT_IMAGES},
    {22, SYCLZE__SPLIT_INT16}, {38, SYCLZE__SPLIT_GENERIC}, {39, SYCLZE__SPLIT_INT8},
    {43, SYCLZE__SPLIT_IMAGES}, {44, SYCLZE__SPLIT_IMAGES}, {46, SYCLZE__SPLIT_IMAGES},
    {47, SYCLZE__SPLIT_IMAGES}, {58, SYCLZE__SPLIT_SUB_GROUPS},
    {61, SYCLZE__SPLIT_NON_UNIFORM | SYCLZE__SPLIT_SUB_GROUPS},
    {68, SYCLZE__SPLIT_NON_UNIFORM | SYCLZE__SPLIT_SUB_GROUPS}, {5568, SYCLZE__SPLIT_SUB_GROUPS},
    {5570, SYCLZE__SPLIT_SUB_GROUPS}, {5613, SYCLZE__SPLIT_FLOAT64}, {5616, SYCLZE__SPLIT_FLOAT16},
    {6034, SYCLZE__SPLIT_FLOAT64}, {6095, SYCLZE__SPLIT_FLOAT16}};

TEST(a_capability_is_declared_where_one_of_its_facts_is) { // shows offload 31
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    CHECK(!syclze__split_declares(needed[i].capability, 0));
    for (uint32_t fact = 0; fact < FACTS; fact++)
      CHECK_EQ(syclze__split_declares(needed[i].capability, 1u << fact),
          (needed[i].facts >> fact & 1) != 0);
  }
}

TEST(capabilities_without_a_fact_are_always_declared) { // shows offload 31
  static const uint32_t others[] = {4, 5, 6, 16, 17, 19, 21, 23, 37, 40, 42, 45, 48, 57, 59, 60, 69,
      5567, 5571, 5612, 5614, 5615, 5617, 6033, 6035, 6094, 6096};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    CHECK(syclze__split_declares(others[i], 0));
}

#define INSTRUCTION(opcode, length) ((uint32_t)(length) << 16 | (opcode))

/* Types of integers of 64 and of 32 bits, with ids 1 and 2, and a float of 64 bits, id 3. */
static const uint32_t module_words[] = {0x07230203, 0x10000, 0, 4, 0, INSTRUCTION(21, 4), 1, 64, 0,
    INSTRUCTION(21, 4), 2, 32, 0, INSTRUCTION(22, 3), 3, 64};

/* The facts of an instruction. */
static uint32_t facts_of(
    uint32_t opcode, uint32_t length, uint32_t first, uint32_t second, uint32_t third) {
  const uint32_t words[] = {INSTRUCTION(opcode, length), first, second, third, 0, 0};
  static struct syclze__split_id ids[4];
  struct syclze__split_reach reach;
  memset(&reach, 0, sizeof reach);
  reach.spirv.data = (const uint8_t *)module_words;
  reach.spirv.words = sizeof module_words / sizeof *module_words;
  reach.ids = ids;
  reach.id_count = 4;
  ids[1].position = 5;
  ids[2].position = 9;
  ids[3].position = 13;
  const syclze_spirv_instruction at = {(const uint8_t *)words, opcode, length};
  return syclze__split_facts_of(&reach, &at);
}

TEST(types_have_the_facts_of_their_widths) { // shows offload 31
  CHECK_EQ(facts_of(21, 4, 9, 8, 0), SYCLZE__SPLIT_INT8);
  CHECK_EQ(facts_of(21, 4, 9, 16, 0), SYCLZE__SPLIT_INT16);
  CHECK_EQ(facts_of(21, 4, 9, 32, 0), 0);
  CHECK_EQ(facts_of(21, 4, 9, 64, 0), SYCLZE__SPLIT_INT64);
  CHECK_EQ(facts_of(22, 3, 9, 16, 0), SYCLZE__SPLIT_FLOAT16);
  CHECK_EQ(facts_of(22, 3, 9, 32, 0), 0);
  CHECK_EQ(facts_of(22, 3, 9, 64, 0), SYCLZE__SPLIT_FLOAT64);
  CHECK_EQ(facts_of(23, 4, 9, 2, 4), 0);
  CHECK_EQ(facts_of(23, 4, 9, 2, 8), SYCLZE__SPLIT_VECTOR16);
  CHECK_EQ(facts_of(23, 4, 9, 2, 16), SYCLZE__SPLIT_VECTOR16);
  CHECK_EQ(facts_of(23, 3, 9, 2, 16), 0); /* cut short */
  /* TypeImage, TypeSampler, TypeSampledImage; TypeMatrix and TypeArray beside them */
  CHECK_EQ(facts_of(24, 4, 9, 2, 4), 0);
  for (uint32_t opcode = 25; opcode <= 27; opcode++)
    CHECK_EQ(facts_of(opcode, 3, 9, 2, 0), SYCLZE__SPLIT_IMAGES);
  CHECK_EQ(facts_of(28, 4, 9, 2, 4), 0);
  /* TypePointer to Generic, and to CrossWorkgroup and AtomicCounter */
  CHECK_EQ(facts_of(32, 4, 9, 8, 2), SYCLZE__SPLIT_GENERIC);
  CHECK_EQ(facts_of(32, 4, 9, 5, 2), 0);
  CHECK_EQ(facts_of(32, 4, 9, 10, 2), 0);
}

TEST(atomics_are_of_64_bits_by_their_type) { // shows offload 31
  for (uint32_t opcode = 227; opcode <= 242; opcode++) {
    /* AtomicStore has no type */
    CHECK_EQ(facts_of(opcode, 6, 1, 9, 9), SYCLZE__SPLIT_ATOMIC64);
    CHECK_EQ(facts_of(opcode, 6, 2, 9, 9), opcode == 228 ? SYCLZE__SPLIT_ATOMIC64 : 0);
    if (opcode == 228) continue;
    CHECK_EQ(facts_of(opcode, 6, 3, 9, 9), 0); /* a float */
    CHECK_EQ(facts_of(opcode, 6, 4, 9, 9), 0); /* no id */
    CHECK_EQ(facts_of(opcode, 6, 0, 9, 9), 0);
    CHECK_EQ(facts_of(opcode, 1, 1, 9, 9), 0); /* cut short */
  }
  CHECK_EQ(facts_of(226, 6, 1, 9, 9), 0);
  CHECK_EQ(facts_of(243, 6, 1, 9, 9), 0);
}

/* The first and the last instruction of each group, and those beside it. */
TEST(instructions_of_groups_have_their_facts) { // shows offload 31
  static const struct {
    uint32_t first, last, fact;
  } groups[] = {{259, 271, SYCLZE__SPLIT_GROUPS}, {325, 326, SYCLZE__SPLIT_SUB_GROUPS},
      {333, 366, SYCLZE__SPLIT_NON_UNIFORM}, {4421, 4432, SYCLZE__SPLIT_NON_UNIFORM},
      {5571, 5581, SYCLZE__SPLIT_SUB_GROUPS}, {6401, 6408, SYCLZE__SPLIT_GROUPS}};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    CHECK_EQ(facts_of(groups[i].first - 1, 4, 2, 9, 9), 0);
    CHECK_EQ(facts_of(groups[i].first, 4, 2, 9, 9), groups[i].fact);
    CHECK_EQ(facts_of(groups[i].last, 4, 2, 9, 9), groups[i].fact);
    CHECK_EQ(facts_of(groups[i].last + 1, 4, 2, 9, 9), 0);
  }
}

TEST_MAIN(a_capability_is_declared_where_one_of_its_facts_is,
    capabilities_without_a_fact_are_always_declared, types_have_the_facts_of_their_widths,
    atomics_are_of_64_bits_by_their_type, instructions_of_groups_have_their_facts)
