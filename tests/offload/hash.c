/* Tables that no choice of names makes slow: the hash itself, and the chains that it makes. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/spec_constant.h"
#include "syclze/offload/image_set.h"
#include "tests/check.h"

#include <time.h>

enum { NAMES = 4096, LENGTH = 400 };

/* CPython's hash of bytes is SipHash-1-3 too: its values for the key of zeros. */
TEST(the_hash_is_siphash_1_3) {
  static const struct {
    const char *text;
    uint64_t hash;
  } known[] = {{"a", 0x407448d2b89b1813}, {"abcdefg", 0x6db12aae9070f506},
      {"abcdefgh", 0x3f7b849c0b8e35ea},
      {"_ZTSN4sycl3_V16detail18RoundedRangeKernel", 0x1b6b4374fc06e889}};
  const struct syclze__hash_key zeros = {{0, 0}, false, 0}, other = {{0, 1}, false, 0};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    CHECK_EQ(syclze__hash(&zeros, known[i].text, strlen(known[i].text)), known[i].hash);
    CHECK(syclze__hash(&other, known[i].text, strlen(known[i].text)) != known[i].hash);
  }
}

/* Each bit of a long text, its length and the key change the hash, and texts with a zero or the
   other key's word in them too. */
TEST(the_hash_of_a_text_has_all_of_it) {
  struct syclze__hash_key key = syclze__hash_key_make(), other = key;
  key.is_sampled = other.is_sampled = false;
  other.words[1] = 7;
  static uint8_t text[1000];
  for (size_t size = 63; size < sizeof text; size += 117) {
    const uint64_t hash = syclze__hash_text(&key, text, size);
    CHECK(syclze__hash_text(&other, text, size) != hash);
    CHECK(syclze__hash_text(&key, text, size - 1) != hash);
    for (size_t bit = 0; bit < 8 * size; bit++) {
      text[bit / 8] ^= (uint8_t)(1u << bit % 8);
      CHECK(syclze__hash_text(&key, text, size) != hash);
      text[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
  }
}

/* Names of one beginning, which differ in pairs of words by bits that a multiplication loses. */
static char *make_names(void) {
  char *names = (char *)malloc((size_t)NAMES * LENGTH);
  CHECK(names != NULL);
  for (size_t i = 0; i < NAMES; i++) {
    char *name = names + i * LENGTH;
    memset(name, 'A', LENGTH - 1);
    name[LENGTH - 1] = '\0';
    for (size_t bit = 0; bit < 12; bit++) {
      char *words = name + 100 + 16 * bit;
      if ((i >> bit & 1) == 0) continue;
      words[3] ^= (char)0x80;
      words[7] ^= (char)0x80;
      words[12] ^= 4;
      words[15] ^= (char)0x80;
    }
  }
  return names;
}

static unsigned longest_chain(
    const uint32_t *buckets, size_t count, const void *nodes, size_t stride, size_t offset) {
  unsigned longest = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned length = 0;
    for (uint32_t at = buckets[i]; at != 0; length++)
      memcpy(&at, (const char *)nodes + (at - 1) * stride + offset, sizeof at);
    if (length > longest) longest = length;
  }
  return longest;
}

TEST(chosen_names_do_not_share_a_slot) { // shows offload 49
  char *names = make_names();
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (size_t i = 0; i < NAMES; i++) {
    const syclze_offload_string symbols = {
        syclze_text_of("symbols"), syclze_bytes_of(names + i * LENGTH, LENGTH - 1)};
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
    syclze_offload_image_set_strings(&image, &symbols, 1);
    CHECK_EQ(syclze_offload_set_add(set, &image, names, NULL), ZE_RESULT_SUCCESS);
  }
  unsigned longest = 0, length = 0;
  for (uint32_t i = 0; i <= set.rep->slot_mask; i++) {
    length = set.rep->slots[i].symbol != 0 ? length + 1 : 0;
    if (length > longest) longest = length;
  }
  CHECK(longest < 100);
  CHECK_EQ(syclze_offload_set_remove(set, names), NAMES);
  syclze_offload_set_release(set);
  free(names);
}

/* Names of a length that differ in a number behind the first piece of a sample, or in it. */
static void make_numbers(char *names, bool are_sampled) {
  memset(names, 'A', (size_t)NAMES * LENGTH);
  for (size_t i = 0; i < NAMES; i++) {
    char number[8];
    snprintf(number, sizeof number, "%06zu", i);
    memcpy(names + i * LENGTH + (are_sampled ? 2 : SYCLZE__HASH_PIECE), number, 6);
    names[i * LENGTH + LENGTH - 1] = '\0';
  }
}

/* A container's chains stay short, and its samples where they tell the values apart. */
static void check_values(const char *names, bool are_sampled) {
  syclze_offload_image *images = (syclze_offload_image *)calloc(NAMES, sizeof *images);
  syclze_offload_string *strings = (syclze_offload_string *)calloc(NAMES, sizeof *strings);
  CHECK(images != NULL && strings != NULL);
  for (size_t i = 0; i < NAMES; i++) {
    strings[i].key = syclze_text_of("kernel");
    strings[i].value = syclze_bytes_of(names + i * LENGTH, LENGTH - 1);
    syclze_offload_image_set_strings(&images[i], &strings[i], 1);
  }
  for (uint32_t version = 1; version <= 2; version++) {
    size_t size = 0;
    CHECK_EQ(syclze_container_write(version, images, NAMES, NULL, &size), ZE_RESULT_SUCCESS);
    void *bytes = malloc(size);
    CHECK(bytes != NULL);
    CHECK_EQ(syclze_container_write(version, images, NAMES, bytes, &size), ZE_RESULT_SUCCESS);
    syclze_container container;
    CHECK_EQ(syclze_container_open(syclze_bytes_of(bytes, size), &container), ZE_RESULT_SUCCESS);
    CHECK(longest_chain(container.rep->buckets, (size_t)container.rep->bucket_mask + 1,
              container.rep->nodes, sizeof *container.rep->nodes,
              offsetof(struct syclze__container_node, next)) < 32);
    CHECK_EQ(container.rep->hash_key.is_sampled, are_sampled);
    for (size_t i = 0; i < NAMES; i += 97)
      CHECK(syclze_container_find(container, "kernel", syclze_text_of(names + i * LENGTH)) ==
            syclze_container_image_at(container, i));
    syclze_container_close(container);
    free(bytes);
  }
  free(strings);
  free(images);
}

TEST(values_of_one_beginning_do_not_share_a_bucket) { // shows offload 49
  char *names = make_names();
  check_values(names, false);
  for (int sampled = 0; sampled < 2; sampled++) {
    make_numbers(names, sampled != 0);
    check_values(names, sampled != 0);
  }
  free(names);
}

/* A table of such names gives up samples, or keeps them. */
TEST(names_that_differ_beside_a_sample_are_hashed_whole) { // shows offload 49
  char *names = (char *)malloc((size_t)NAMES * LENGTH);
  char *text = (char *)malloc((size_t)NAMES * (LENGTH + 8));
  CHECK(names != NULL && text != NULL);
  for (int sampled = 0; sampled < 2; sampled++) {
    make_numbers(names, sampled != 0);
    syclze_offload_set set;
    syclze_property_sets sets;
    uint32_t count = 0, number = 0;
    CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
    size_t size = (size_t)sprintf(text, "[set]\n");
    for (size_t i = 0; i < NAMES; i++) {
      const char *name = names + i * LENGTH;
      const syclze_offload_string symbols = {
          syclze_text_of("symbols"), syclze_bytes_of(name, LENGTH - 1)};
      syclze_offload_image_set_strings(&image, &symbols, 1);
      CHECK_EQ(syclze_offload_set_add(set, &image, &names[i % 2], NULL), ZE_RESULT_SUCCESS);
      size += (size_t)sprintf(text + size, "%s=1|%u\n", name, (unsigned)i % 10);
    }
    image.property_text = syclze_bytes_of(text, size);
    CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
    CHECK_EQ(set.rep->hash_key[SYCLZE__SYMBOL_KERNEL].is_sampled, sampled != 0);
    CHECK_EQ(sets.rep->hash_key.is_sampled, sampled != 0);
    CHECK(longest_chain(sets.rep->buckets, (size_t)sets.rep->bucket_mask + 1, sets.rep->links,
              sizeof *sets.rep->links, 0) < 32);
    CHECK_EQ(syclze_offload_set_remove(set, &names[1]), NAMES / 2);
    for (size_t i = 0; i < NAMES; i++) {
      const char *name = names + i * LENGTH;
      CHECK_EQ(syclze_offload_set_find(set, name, &count, NULL),
          i % 2 == 0 ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
      CHECK(syclze_property_get_u32(sets, "set", name, &number) && number == i % 10);
    }
    syclze_property_sets_close(sets);
    syclze_offload_set_release(set);
  }
  free(text);
  free(names);
}

/* One key in many sets, and many keys of one beginning in one set. */
TEST(properties_of_one_beginning_do_not_share_a_bucket) { // shows offload 49
  size_t size = 0, room = (size_t)NAMES * 300;
  char *text = (char *)malloc(room);
  CHECK(text != NULL);
  for (int i = 0; i < NAMES; i++) {
    size += (size_t)snprintf(text + size, room - size, "[a set of a number %d]\nkey=1|%d\n", i, i);
    if (i == NAMES / 2) break;
  }
  size += (size_t)snprintf(text + size, room - size, "[set]\n");
  for (int i = 0; i < NAMES / 2; i++)
    size += (size_t)snprintf(text + size, room - size,
        "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EN4dpnp7kernels_%d=1|%"
        "d\n",
        i, i);
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = syclze_bytes_of(text, size);
  syclze_property_sets sets;
  uint32_t number = 0;
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  CHECK(longest_chain(sets.rep->buckets, (size_t)sets.rep->bucket_mask + 1, sets.rep->links,
            sizeof *sets.rep->links, 0) < 32);
  CHECK(syclze_property_get_u32(sets, "a set of a number 77", "key", &number));
  CHECK_EQ(number, 77);
  syclze_property_sets_close(sets);
  free(text);
}

/* Each of these takes minutes where it is quadratic, and a tenth of a second where it is not. */
static void check_cpu_time(clock_t begin) {
  CHECK((clock() - begin) / CLOCKS_PER_SEC < 20);
}

TEST(removal_by_owner_takes_time_for_its_images) {
  enum { OWNERS = 200000 };
  static char owners[OWNERS];
  const int count = check_repeats(OWNERS);
  clock_t begin = clock();
  syclze_offload_set set;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("image", 5));
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (int i = 0; i < count; i++)
    CHECK_EQ(syclze_offload_set_add(set, &image, &owners[i], NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < count; i++)
    CHECK_EQ(syclze_offload_set_remove(set, &owners[i]), 1);
  syclze_offload_set_release(set);
  check_cpu_time(begin);
}

/* A module of specialisation constants, each with a SpecId and an entry in the properties. */
TEST(specialisation_constants_are_found_by_halving) {
  const uint32_t count = (uint32_t)check_repeats(60000);
  clock_t begin = clock();
  size_t size = 0, room = (size_t)count * 64;
  char *text = (char *)malloc(room);
  CHECK(text != NULL);
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size += (size_t)snprintf(text, room, "[SYCL/specialization constants]\n");
  for (uint32_t i = 0; i < count; i++) {
    uint8_t value[20] = {96, 0, 0, 0, 0, 0, 0, 0, (uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16),
        0, 0, 0, 0, 0, 4};
    size += (size_t)snprintf(text + size, room - size, "constant_%u=2|", i);
    for (unsigned bit = 0; bit < 160; bit += 6) {
      unsigned low = value[bit / 8] | (bit / 8 + 1 < 20 ? (unsigned)value[bit / 8 + 1] << 8 : 0);
      text[size++] = digits[low >> bit % 8 & 63];
    }
    text[size++] = '\n';
  }
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = syclze_bytes_of(text, size);
  syclze_spec_constants constants;
  CHECK_EQ(syclze_spec_constants_make(&image, &constants), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_spec_constant_count(constants), count);
  for (uint32_t i = 0; i < count; i++) {
    char name[32];
    const syclze_spec_leaf *leaf = NULL;
    snprintf(name, sizeof name, "constant_%u", i);
    CHECK_EQ(syclze_spec_constant_set_id(constants, i, &i, sizeof i), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_spec_constant_set_bytes(constants, name, &i, sizeof i), ZE_RESULT_SUCCESS);
    CHECK(
        syclze_spec_constant_find_id(constants, i, &leaf) == syclze_spec_constant_at(constants, i));
  }
  CHECK(syclze_spec_constant_find(constants, "constant_") == NULL);
  syclze_spec_constants_end(constants);
  free(text);
  check_cpu_time(begin);
}

TEST_MAIN(the_hash_is_siphash_1_3, the_hash_of_a_text_has_all_of_it,
    names_that_differ_beside_a_sample_are_hashed_whole, chosen_names_do_not_share_a_slot,
    values_of_one_beginning_do_not_share_a_bucket,
    properties_of_one_beginning_do_not_share_a_bucket, removal_by_owner_takes_time_for_its_images,
    specialisation_constants_are_found_by_halving)
