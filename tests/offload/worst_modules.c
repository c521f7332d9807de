/* Ten megabytes of the worst known input of SPIR-V and of sets of images are read in less than a
   second of processor time; a container of 10,000 images opens in 10 ms, and a kernel is found in
   it in 200 ns. */
#include "syclze/offload/container.h"
#include "syclze/offload/selection.h"
#include "tests/check.h"

#include <time.h>

/* Without optimisation, under sanitizers and valgrind, and beside others on the machine, times mean
   little: then only a growth that is out of all proportion is seen. */
#ifdef NDEBUG
enum { SLACK = 2 };
#else
enum { SLACK = 400 };
#endif

enum { IMAGES = 10000 };

static uint32_t *word;
static uint32_t count;
static size_t input_size;
static uint32_t input_words;

/* Valgrind, which looks for what is read outside of an input, has a share of it. */
__attribute__((constructor)) static void choose_size(void) {
  input_size = (size_t)check_repeats(10 << 20);
  input_words = (uint32_t)(input_size / 4);
}

static double now(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void report(const char *what, double seconds, double limit) {
  printf("%.*s: %s: %.0f us\n", check_program.name_length, check_program.name, what, 1e6 * seconds);
  CHECK(seconds < SLACK * limit);
}

static void begin(void) {
  word = malloc(input_size);
  CHECK(word != NULL);
  const uint32_t header[5] = {0x07230203, 0x00010400, 0, 0x400000, 0};
  memcpy(word, header, sizeof header);
  count = 5;
}

/* Room for an instruction of `length` words, or null at the end. */
static uint32_t *add(uint32_t opcode, uint32_t length) {
  if (count + length > input_words) return NULL;
  uint32_t *at = word + count;
  memset(at, 0, 4 * (size_t)length);
  at[0] = length << 16 | opcode;
  count += length;
  return at;
}

static void end(ze_result_t expected) {
  while (add(0, 1)) /* nothing, to the last byte */
    ;
  const syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(word, input_size));
  syclze_spirv_index index;
  syclze_device_traits traits;
  syclze_candidate candidates[SYCLZE_SELECTION_PER_IMAGE];
  syclze_reason reason;
  memset(&traits, 0, sizeof traits);
  double begun = now();
  CHECK_EQ(syclze_spirv_index_make(image.bytes, &index), expected);
  for (uint32_t i = 0; i < index.composite_count; i++) {
    syclze_spec_leaf *leaves = malloc(index.composites[i].leaf_count * sizeof *leaves);
    CHECK(leaves != NULL);
    syclze_spirv_index_leaves(&index, &index.composites[i], leaves);
    free(leaves);
  }
  syclze_spirv_index_end(&index);
  report("index", now() - begun, 1);
  begun = now();
  syclze_selection_check(&image, "k", &traits, candidates, &reason);
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, image.bytes, word), ZE_RESULT_SUCCESS);
  syclze_offload_set_release(set);
  report("set and judgement", now() - begun, 1);
  free(word);
}

TEST(capabilities_only) {
  begin();
  for (uint32_t *at; (at = add(17, 2));)
    at[1] = 1;
  end(ZE_RESULT_SUCCESS);
}

/* Each with a name of its own, all of one function with as many modes. */
TEST(entry_points_and_modes_of_one_function) {
  uint32_t *at;
  begin();
  while (count < input_words / 2 && (at = add(15, 5))) {
    at[1] = 6;
    at[2] = 1;
    snprintf((char *)(at + 3), 8, "%x", count);
  }
  while (count < input_words - 64 && (at = add(16, 6))) {
    at[1] = 1;
    at[2] = 17;
  }
  at = add(54, 5);
  at[2] = 1;
  end(ZE_RESULT_SUCCESS);
}

/* Ids as far apart as they may be, each type a part of the next. */
TEST(types_of_far_apart_ids) {
  begin();
  for (uint32_t i = 0, *at; (at = add(30, 4)); i++) {
    at[1] = i * 2654435u % 0x3fffff + 1;
    at[2] = at[3] = i ? at[-3] : 0;
  }
  end(ZE_RESULT_SUCCESS);
}

TEST(specialisation_constants_in_falling_order) {
  uint32_t *at;
  const uint32_t constants = input_words / 9;
  begin();
  for (uint32_t i = 0; i < constants; i++) {
    at = add(71, 4);
    at[1] = i + 2;
    at[2] = 1;
    at[3] = constants - i;
  }
  at = add(21, 4);
  at[1] = 1;
  at[2] = 32;
  for (uint32_t i = 0; i < constants && (at = add(50, 4)); i++) {
    at[1] = 1;
    at[2] = i + 2;
  }
  end(ZE_RESULT_SUCCESS);
}

TEST(composites_of_one_leaf_among_many) {
  uint32_t *at;
  enum { PARTS = 60000 };
  begin();
  at = add(71, 4);
  at[1] = 2;
  at[2] = 1;
  at = add(21, 4);
  at[1] = 1;
  at[2] = 32;
  at = add(50, 4);
  at[1] = 1;
  at[2] = 2;
  for (uint32_t id = 3; (at = add(51, PARTS)); id++) {
    at[1] = 1;
    at[2] = id;
    at[3] = 2;
    for (uint32_t i = 4; i < PARTS && id % 2 == 0; i++)
      at[i] = id - 1;
  }
  end(ZE_RESULT_SUCCESS);
}

TEST(a_table_of_short_names) {
  char *table = malloc(input_size);
  CHECK(table != NULL);
  size_t size = 0;
  for (uint32_t i = 0; size + 16 < input_size; i++)
    size += (size_t)snprintf(table + size, 16, "%x\n", i);
  const syclze_offload_string string = {syclze_text_of("symbols"), syclze_bytes_of(table, size)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("x", 1));
  syclze_offload_image_set_strings(&image, &string, 1);
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  double begun = now();
  CHECK_EQ(syclze_offload_set_add(set, &image, table, NULL), ZE_RESULT_SUCCESS);
  report("set", now() - begun, 1);
  begun = now();
  CHECK_EQ(syclze_offload_set_remove(set, table), 1);
  report("removal", now() - begun, 1);
  syclze_offload_set_release(set);
  free(table);
}

static syclze_bytes container_of_many(void) {
  static char names[IMAGES][32];
  static syclze_offload_string strings[IMAGES][2];
  static syclze_offload_image images[IMAGES];
  static const uint32_t spirv[5] = {0x07230203, 0x00010400, 0, 1, 0};
  for (size_t i = 0; i < IMAGES; i++) {
    snprintf(names[i], sizeof names[i], "_ZTS6Kernel%zu", i);
    strings[i][0].key = syclze_text_of("symbols");
    strings[i][0].value = syclze_bytes_of(names[i], strlen(names[i]));
    strings[i][1].key = syclze_text_of("triple");
    strings[i][1].value = syclze_bytes_of("spirv64-unknown-unknown", 23);
    images[i] = syclze_offload_image_of(syclze_bytes_of(spirv, sizeof spirv));
    syclze_offload_image_set_strings(&images[i], strings[i], 2);
  }
  size_t size = 0;
  CHECK_EQ(syclze_container_write(2, images, IMAGES, NULL, &size), ZE_RESULT_SUCCESS);
  void *bytes = malloc(size);
  CHECK(bytes != NULL);
  CHECK_EQ(syclze_container_write(2, images, IMAGES, bytes, &size), ZE_RESULT_SUCCESS);
  return syclze_bytes_of(bytes, size);
}

TEST(ten_thousand_images) {
  enum { LOOKUPS = 200000 };
  const syclze_bytes bytes = container_of_many();
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  double begun = now();
  CHECK_EQ(syclze_offload_set_add_bytes(set, bytes, bytes.data), ZE_RESULT_SUCCESS);
  report("opening", now() - begun, 10e-3);
  static char names[IMAGES][32];
  for (uint32_t i = 0; i < IMAGES; i++)
    snprintf(names[i], sizeof names[i], "_ZTS6Kernel%u", i * 7919u % IMAGES);
  begun = now();
  for (uint32_t i = 0; i < LOOKUPS; i++) {
    syclze_offload_found found;
    uint32_t there = 1;
    syclze_offload_set_find(set, names[i % IMAGES], &there, &found);
    CHECK_EQ(there, 1);
  }
  const double spent = now() - begun;
  report("look-ups", spent, LOOKUPS * 200e-9);
  printf("one look-up: %.0f ns\n", 1e9 * spent / LOOKUPS);
  begun = now();
  CHECK_EQ(syclze_offload_set_remove(set, bytes.data), IMAGES);
  report("removal", now() - begun, 10e-3);
  syclze_offload_set_release(set);
  free((void *)(uintptr_t)bytes.data);
}

TEST_MAIN(capabilities_only, entry_points_and_modes_of_one_function, types_of_far_apart_ids,
    specialisation_constants_in_falling_order, composites_of_one_leaf_among_many,
    a_table_of_short_names, ten_thousand_images)
