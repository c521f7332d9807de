/* A module of ten megabytes with thousands of kernels is divided, and selected from, without being
   read again for each part or kernel: counted in instructions visited and in readings,
   which are the same on every machine. */
#include "syclze/offload/selection.h"
#include "syclze/offload/split.h"
#include "tests/check.h"

enum { SIZE = 10 << 20, WORDS = SIZE / 4, KERNELS = 3000, LENGTH = WORDS / KERNELS };
enum { ID_VOID = 1, ID_FUNCTION, ID_INT, ID_DOUBLE, ID_GROUP, ID_STRING, FIRST_ID };
/* A kernel's numbers, of which the last are not used: room for what stands outside of its body. */
enum { IDS = LENGTH / 5, UNUSED = 8 };

static uint32_t *word;
static uint32_t count, instructions;

static void add(uint32_t opcode, uint32_t length, uint32_t first, uint32_t second, uint32_t third) {
  const uint32_t operands[3] = {first, second, third};
  CHECK(count + length <= WORDS);
  word[count] = length << 16 | opcode;
  memset(word + count + 1, 0, 4 * (size_t)(length - 1));
  for (uint32_t i = 1; i < length && i <= 3; i++)
    word[count + i] = operands[i - 1];
  count += length;
  instructions++;
}

static uint32_t id_of(uint32_t kernel) {
  return FIRST_ID + kernel * IDS;
}

static void name_of(uint32_t kernel, char *name) {
  snprintf(name, 8, "k%06u", kernel);
}

/* Every third kernel adds numbers of 64-bit floats, in sub-groups of 16. */
static bool has_double(uint32_t kernel) {
  return kernel % 3 == 0;
}

static syclze_bytes module_of_many(void) {
  const uint32_t header[5] = {0x07230203, 0x00010200, 0, FIRST_ID + KERNELS * IDS, 0};
  word = malloc(SIZE);
  CHECK(word != NULL);
  memcpy(word, header, sizeof header);
  count = 5;
  instructions = 0;
  add(17, 2, SYCLZE_SPIRV_CAPABILITY_ADDRESSES, 0, 0);
  add(17, 2, SYCLZE_SPIRV_CAPABILITY_KERNEL, 0, 0);
  add(17, 2, SYCLZE_SPIRV_CAPABILITY_FLOAT64, 0, 0);
  add(17, 2, SYCLZE_SPIRV_CAPABILITY_SUBGROUP_DISPATCH, 0, 0);
  add(14, 3, 2, 2, 0);
  for (uint32_t i = 0; i < KERNELS; i++) {
    add(15, 5, 6, id_of(i), 0);
    name_of(i, (char *)(word + count - 2));
  }
  for (uint32_t i = 0; i < KERNELS; i++)
    add(16, 6, id_of(i), 18, 8);
  for (uint32_t i = 0; i < KERNELS; i += 3)
    add(16, 4, id_of(i), 35, 16); /* SubgroupSize */
  add(7, 3, ID_STRING, 'f', 0);
  for (uint32_t i = 0; i < KERNELS; i++)
    add(5, 3, id_of(i), 'n', 0);
  add(73, 2, ID_GROUP, 0, 0);
  add(74, 2 + KERNELS, ID_GROUP, 0, 0);
  for (uint32_t i = 0; i < KERNELS; i++)
    word[count - KERNELS + i] = id_of(i);
  add(19, 2, ID_VOID, 0, 0);
  add(21, 4, ID_INT, 32, 0);
  add(22, 3, ID_DOUBLE, 64, 0);
  add(33, 3, ID_FUNCTION, ID_VOID, 0);
  for (uint32_t i = 0; i < KERNELS; i++) {
    const uint32_t type = has_double(i) ? ID_DOUBLE : ID_INT, id = id_of(i);
    add(8, 4, ID_STRING, i, 0);
    add(54, 5, ID_VOID, id, 0);
    word[count - 1] = ID_FUNCTION;
    add(248, 2, id + 1, 0, 0);
    add(1, 3, type, id + 2, 0);
    for (uint32_t k = 3; k < IDS - UNUSED; k++) {
      add(has_double(i) ? 129 : 128, 5, type, id + k, id + 2);
      word[count - 1] = id + k - 1;
    }
    add(253, 1, 0, 0, 0);
    add(56, 1, 0, 0, 0);
  }
  CHECK(count > WORDS / 10 * 9);
  return syclze_bytes_of(word, 4 * (size_t)count);
}

/* Counts a part's lines and the targets of its groups of decorations, and adds these up. */
static uint64_t count_in(const syclze_spirv *spirv, uint32_t *lines, uint32_t *targets) {
  syclze_spirv_instruction at;
  uint32_t position = 0;
  uint64_t sum = 0;
  *lines = *targets = 0;
  while (syclze_spirv_next(spirv, &position, &at)) {
    *lines += at.opcode == 8;
    for (uint32_t i = 2; at.opcode == 74 && i < at.length; i++, ++*targets)
      sum += syclze_spirv_word(&at, i);
  }
  return sum;
}

/* A function or kernel that calls another one; 0: none. */
static void add_caller(uint32_t id, uint32_t callee) {
  add(54, 5, ID_VOID, id, 0);
  word[count - 1] = ID_FUNCTION;
  add(248, 2, id + 1, 0, 0);
  if (callee != 0) add(57, 4, ID_VOID, id + 2, callee);
  add(253, 1, 0, 0, 0);
  add(56, 1, 0, 0, 0);
}

/* A thousand kernels that reach a chain of a thousand functions, the last of which calls the first:
 * one part, since all of them require the same. */
TEST(kernels_over_a_chain_of_functions_are_divided_in_one_walk) { // shows offload 28, promises 75
  enum { CHAIN = 1000, KERNEL = FIRST_ID + 3 * CHAIN };
  const uint32_t header[5] = {0x07230203, 0x00010200, 0, FIRST_ID + 6 * CHAIN, 0};
  syclze_split split;
  word = malloc(SIZE);
  CHECK(word != NULL);
  memcpy(word, header, sizeof header);
  count = 5;
  instructions = 0;
  add(17, 2, SYCLZE_SPIRV_CAPABILITY_KERNEL, 0, 0);
  add(17, 2, SYCLZE_SPIRV_CAPABILITY_FLOAT64, 0, 0);
  add(14, 3, 2, 2, 0);
  for (uint32_t i = 0; i < CHAIN; i++) {
    add(15, 5, 6, KERNEL + 3 * i, 0);
    name_of(i, (char *)(word + count - 2));
  }
  add(19, 2, ID_VOID, 0, 0);
  add(33, 3, ID_FUNCTION, ID_VOID, 0);
  for (uint32_t i = 0; i < CHAIN; i++)
    add_caller(FIRST_ID + 3 * i, FIRST_ID + 3 * ((i + 1) % CHAIN));
  for (uint32_t i = 0; i < CHAIN; i++)
    add_caller(KERNEL + 3 * i, FIRST_ID + 3 * (i % 7));
  CHECK_EQ(syclze_split_make(
               syclze_bytes_of(word, 4 * (size_t)count), SYCLZE_SPLIT_BY_REQUIREMENT, &split),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, 1);
  CHECK(split.reach.visits < 4 * (uint64_t)instructions);
  syclze_split_end(&split);
  /* Every kernel reaches all functions: parts of one kernel each would be all of them, so that the
     automatic division leaves the module whole, without writing a thousand parts to see it. */
  CHECK(4 * (size_t)count >= 64 << 10);
  CHECK_EQ(syclze_split_make(syclze_bytes_of(word, 4 * (size_t)count), SYCLZE_SPLIT_AUTO, &split),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, 1);
  syclze_split_end(&split);
  free(word);
}

TEST(long_modules_are_divided_by_kernel_automatically) { // shows offload 28
  const syclze_bytes module = module_of_many();
  syclze_split split;
  CHECK_EQ(syclze_split_make(module, SYCLZE_SPLIT_AUTO, &split), ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, KERNELS);
  syclze_split_end(&split);
  free(word);
}

TEST(the_cost_of_a_kernel_is_its_length) {
  const syclze_bytes module = module_of_many();
  syclze_split split;
  uint64_t sizes = 0;
  CHECK_EQ(syclze_split_make(module, SYCLZE_SPLIT_BY_KERNEL, &split), ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, KERNELS);
  CHECK(split.reach.visits < 4 * (uint64_t)instructions);
  const uint64_t made = split.reach.visits;
  for (uint32_t i = 0; i < KERNELS; i++) {
    char name[8];
    uint32_t position = 0, lines, targets;
    size_t size = 2 * 4 * LENGTH;
    uint32_t *part = malloc(size);
    syclze_spirv spirv;
    name_of(i, name);
    CHECK(part != NULL);
    CHECK_EQ(syclze_split_write(&split, i, part, &size), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_spirv_open(syclze_bytes_of(part, size), &spirv), ZE_RESULT_SUCCESS);
    CHECK_STR_EQ(syclze_spirv_next_kernel_name(&spirv, &position), name);
    CHECK(syclze_spirv_next_kernel_name(&spirv, &position) == NULL);
    CHECK_EQ(syclze_spirv_has_capability(&spirv, SYCLZE_SPIRV_CAPABILITY_FLOAT64), has_double(i));
    CHECK_EQ(syclze_spirv_has_capability(&spirv, SYCLZE_SPIRV_CAPABILITY_SUBGROUP_DISPATCH),
        has_double(i));
    CHECK_EQ(count_in(&spirv, &lines, &targets), id_of(i));
    CHECK_EQ(lines, 1);
    CHECK_EQ(targets, 1);
    sizes += size;
    free(part);
  }
  printf("%u instructions: %llu visited to divide, %llu to write\n", instructions,
      (unsigned long long)made, (unsigned long long)(split.reach.visits - made));
  CHECK(split.reach.visits - made < 4 * (uint64_t)instructions);
  CHECK(sizes < 2 * (uint64_t)module.size);
  syclze_split_end(&split);
  free(word);
}

TEST(the_cost_of_a_requirement_is_the_length_of_its_kernels) {
  const syclze_bytes module = module_of_many();
  syclze_split split;
  CHECK_EQ(syclze_split_make(module, SYCLZE_SPLIT_BY_REQUIREMENT, &split), ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, 2);
  for (uint32_t i = 0; i < 2; i++) {
    size_t size = SIZE;
    uint32_t *part = malloc(size), kernels = 0, position = 0, lines, targets;
    syclze_spirv spirv;
    CHECK(part != NULL);
    CHECK_EQ(syclze_split_write(&split, i, part, &size), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_spirv_open(syclze_bytes_of(part, size), &spirv), ZE_RESULT_SUCCESS);
    while (syclze_spirv_next_kernel_name(&spirv, &position) != NULL)
      kernels++;
    uint64_t expected = 0;
    for (uint32_t kernel = 0; kernel < KERNELS; kernel++)
      expected += has_double(kernel) == (i == 0) ? id_of(kernel) : 0;
    CHECK_EQ(count_in(&spirv, &lines, &targets), expected);
    CHECK_EQ(kernels, i == 0 ? KERNELS / 3 : KERNELS - KERNELS / 3);
    CHECK_EQ(lines, kernels);
    CHECK_EQ(targets, kernels);
    free(part);
  }
  CHECK(split.reach.visits < 8 * (uint64_t)instructions);
  syclze_split_end(&split);
  free(word);
}

/* The module is read when its first kernel is selected, and once more after it was added again. */
TEST(the_selection_of_each_kernel_reads_the_module_once) {
  const syclze_bytes module = module_of_many();
  syclze_offload_set set;
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.has_fp64 = true;
  traits.sub_group_sizes[traits.sub_group_size_count++] = 16;
  for (int i = 0; i < 3; i++)
    traits.max_group_sizes[i] = traits.max_group_size = 64;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, module, word), ZE_RESULT_SUCCESS);
  CHECK_EQ(set.rep->indexed, 0);
  for (uint32_t round = 1; round <= 2; round++) {
    for (uint32_t i = 0; i < KERNELS; i++) {
      char name[8];
      uint32_t there = 1;
      syclze_candidate candidate;
      name_of(i, name);
      CHECK_EQ(syclze_selection_find(set, name, &traits, &there, &candidate, NULL, 0),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(there, 1);
      CHECK_EQ(candidate.serial, round);
    }
    CHECK_EQ(set.rep->indexed, round);
    CHECK_EQ(syclze_offload_set_remove(set, word), 1);
    CHECK_EQ(syclze_offload_set_add_bytes(set, module, word), ZE_RESULT_SUCCESS);
  }
  syclze_offload_set_release(set);
  free(word);
}

TEST_MAIN(kernels_over_a_chain_of_functions_are_divided_in_one_walk,
    long_modules_are_divided_by_kernel_automatically, the_cost_of_a_kernel_is_its_length,
    the_cost_of_a_requirement_is_the_length_of_its_kernels,
    the_selection_of_each_kernel_reads_the_module_once)
