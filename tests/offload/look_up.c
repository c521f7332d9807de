/* Look-ups by name among many, of names as DPC++ makes them, which share a long beginning, and of
   names that are chosen to collide, and the opening of a container of many images:
   tests/offload/look_up.sh counts the instructions. LOOK_UP_NAMES
   and LOOK_UP_LENGTH say how many names there are, and how long those of a given length are. */
#include "syclze/offload/container.h"
#include "syclze/offload/image_set.h"
#include "syclze/offload/property_set.h"
#include "tests/check.h"

enum { NAMES = 10000, LENGTH = 4096, LOOK_UPS = 1000, PAIRS = 5 };

#define BEGINNING "_ZTSN4sycl3_V16detail18RoundedRangeKernelINS0_4itemILi1ELb1EEELi1EN4dpnp6tensor"

static char names[NAMES][LENGTH];
static size_t name_count = NAMES;
static uint32_t found;

static size_t from_environment(const char *name, size_t otherwise) {
  const char *value = getenv(name);
  return value != NULL ? (size_t)atoi(value) : otherwise;
}

/* Makes names of some hundred bytes. Chosen ones differ in pairs of words by bits that a hash by
 * multiplication loses. */
static void make_names(bool are_chosen) {
  for (size_t i = 0; i < NAMES; i++) {
    char *end = names[i] + snprintf(names[i], LENGTH, "%s", BEGINNING);
    if (are_chosen) {
      end = names[i] + 16;
      memset(end, 'A', 16 * PAIRS);
      for (size_t bit = 0; bit < PAIRS; bit++, end += 16) {
        if ((i >> bit & 1) == 0) continue;
        end[3] ^= (char)0x80;
        end[7] ^= (char)0x80;
        end[12] ^= 4;
        end[15] ^= (char)0x80;
      }
    }
    snprintf(end, 64, are_chosen ? "%zu" : "%zuadd_functorIfffEEE", are_chosen ? i >> PAIRS : i);
  }
}

typedef bool look_up(const void *in, const char *name, size_t number);

/* The counted instructions: look-ups of some of all names. */
__attribute__((noinline)) void look_up_all(look_up *one, const void *in, size_t count) {
  for (size_t i = 0; i < LOOK_UPS; i++)
    found += one(in, names[i * 7919 % count], i * 7919 % count);
}

static void check_all(look_up *one, const void *in) {
  found = 0;
  look_up_all(one, in, name_count);
  CHECK_EQ(found, LOOK_UPS);
}

static bool in_set(const void *in, const char *name, size_t number) {
  uint32_t count = 0;
  (void)number;
  return syclze_offload_set_find(*(const syclze_offload_set *)in, name, &count, NULL) ==
             ZE_RESULT_SUCCESS &&
         count == 1;
}

/* Makes names like DPC++'s for nested templates: the beginning is repeated, with a number at the
 * end, or near the beginning, beside the sample of a name that is hashed. */
static void make_names_of_length(bool is_number_last) {
  const size_t length = from_environment("LOOK_UP_LENGTH", 400);
  name_count = from_environment("LOOK_UP_NAMES", NAMES);
  CHECK(length > 5 && length < LENGTH && name_count <= NAMES);
  for (size_t i = 0; i < name_count; i++) {
    char number[8];
    snprintf(number, sizeof number, "%05u", (unsigned)i % 100000);
    for (size_t at = 0; at < length; at++)
      names[i][at] = BEGINNING[at % (sizeof BEGINNING - 1)];
    memcpy(names[i] + (is_number_last ? length - 5 : 20), number, 5);
  }
}

static void check_set(void) {
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (size_t i = 0; i < name_count; i++) {
    const syclze_offload_string symbols = {
        syclze_text_of("symbols"), syclze_bytes_of(names[i], strlen(names[i]))};
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
    syclze_offload_image_set_strings(&image, &symbols, 1);
    CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
  }
  check_all(in_set, &set);
  syclze_offload_set_release(set);
}

TEST(in_a_set_by_names_of_dpcpp) {
  make_names(false);
  check_set();
}

TEST(in_a_set_by_chosen_names) {
  make_names(true);
  check_set();
}

TEST(in_a_set_by_names_of_a_length) {
  make_names_of_length(true);
  check_set();
}

TEST(in_a_set_by_names_beside_samples) {
  make_names_of_length(false);
  check_set();
}

static bool in_container(const void *in, const char *name, size_t number) {
  const syclze_container *container = in;
  return syclze_container_find(*container, "kernel", syclze_text_of(name)) ==
         syclze_container_image_at(*container, number);
}

static syclze_bytes write_container(uint32_t version) {
  static syclze_offload_image images[NAMES];
  static syclze_offload_string strings[NAMES];
  size_t size = 0;
  for (size_t i = 0; i < name_count; i++) {
    strings[i].key = syclze_text_of("kernel");
    strings[i].value = syclze_bytes_of(names[i], strlen(names[i]));
    syclze_offload_image_set_strings(&images[i], &strings[i], 1);
  }
  CHECK_EQ(syclze_container_write(version, images, name_count, NULL, &size), ZE_RESULT_SUCCESS);
  void *bytes = malloc(size);
  CHECK(bytes != NULL);
  CHECK_EQ(syclze_container_write(version, images, name_count, bytes, &size), ZE_RESULT_SUCCESS);
  return syclze_bytes_of(bytes, size);
}

/* The counted instructions of an opening. */
__attribute__((noinline)) ze_result_t open_all(syclze_bytes bytes, syclze_container *container) {
  return syclze_container_open(bytes, container);
}

static void check_container(uint32_t version) {
  const syclze_bytes bytes = write_container(version);
  syclze_container container;
  CHECK_EQ(open_all(bytes, &container), ZE_RESULT_SUCCESS);
  check_all(in_container, &container);
  syclze_container_close(container);
  free((void *)bytes.data);
}

TEST(in_a_container_by_names_of_dpcpp) {
  make_names(false);
  check_container(2);
}

TEST(in_a_container_by_chosen_names) {
  make_names(true);
  check_container(2);
}

TEST(in_a_container_by_names_of_a_length) {
  make_names_of_length(true);
  check_container(2);
}

TEST(in_a_container_by_names_beside_samples) {
  make_names_of_length(false);
  check_container(2);
}

TEST(opening_a_container_of_version_1) {
  make_names_of_length(true);
  check_container(1);
}

TEST(opening_a_container_of_version_2) {
  make_names_of_length(true);
  check_container(2);
}

static bool in_properties(const void *in, const char *name, size_t number) {
  uint32_t value = 0;
  return syclze_property_get_u32(*(const syclze_property_sets *)in, "set", name, &value) &&
         value == number;
}

static void check_properties(void) {
  size_t room = name_count * (LENGTH + 16), size = 0;
  char *text = (char *)malloc(room);
  CHECK(text != NULL);
  size += (size_t)snprintf(text, room, "[set]\n");
  for (size_t i = 0; i < name_count; i++)
    size += (size_t)snprintf(text + size, room - size, "%s=1|%zu\n", names[i], i);
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = syclze_bytes_of(text, size);
  syclze_property_sets sets;
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  check_all(in_properties, &sets);
  syclze_property_sets_close(sets);
  free(text);
}

TEST(in_properties_by_names_of_dpcpp) {
  make_names(false);
  check_properties();
}

TEST(in_properties_by_names_of_a_length) {
  make_names_of_length(true);
  check_properties();
}

TEST(in_properties_by_names_beside_samples) {
  make_names_of_length(false);
  check_properties();
}

TEST_MAIN(in_a_set_by_names_of_dpcpp, in_a_set_by_chosen_names, in_a_container_by_names_of_dpcpp,
    in_a_container_by_chosen_names, in_properties_by_names_of_dpcpp, in_a_set_by_names_of_a_length,
    in_a_container_by_names_of_a_length, in_properties_by_names_of_a_length,
    in_a_set_by_names_beside_samples, in_a_container_by_names_beside_samples,
    in_properties_by_names_beside_samples, opening_a_container_of_version_1,
    opening_a_container_of_version_2)
