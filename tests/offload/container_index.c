/* Containers opened for look-ups. */
#include "syclze/offload/container.h"
#include "support/sample.h"
#include "tests/check.h"

TEST(images_are_found_by_any_of_their_strings) { // shows offload 8
  static const char *const names[] = {"pack16.ob", "pack22.ob", "pack23.ob"};
  for (size_t i = 0; i < 3; i++) {
    syclze_bytes file = sample_read(names[i]);
    syclze_container container;
    CHECK_EQ(syclze_container_open(file, &container), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_container_image_count(container), 2);
    const syclze_offload_image *first = syclze_container_image_at(container, 0);
    const syclze_offload_image *second = syclze_container_image_at(container, 1);
    CHECK(syclze_container_image_at(container, 2) == NULL);
    CHECK(syclze_container_find(container, "arch", syclze_text_of("generic")) == first);
    CHECK(syclze_container_find(container, "arch", syclze_text_of("")) == second);
    CHECK(syclze_container_find(container, "foo", syclze_text_of("bar")) == second);
    CHECK(syclze_container_find(container, "foo", syclze_text_of("ba")) == NULL);
    CHECK(syclze_container_find(container, "foo", syclze_text_of("barr")) == NULL);
    CHECK(syclze_container_find(container, "fo", syclze_text_of("bar")) == NULL);
    CHECK(syclze_container_find(container, "bar", syclze_text_of("foo")) == NULL);
    syclze_container_search search = syclze_container_search_begin(
        container, "triple", syclze_text_of("spirv64-unknown-unknown"));
    CHECK(syclze_container_search_next(&search) == first);
    CHECK(syclze_container_search_next(&search) == second);
    CHECK(syclze_container_search_next(&search) == NULL);
    CHECK(syclze_container_search_next(&search) == NULL);
    syclze_container_close(container);
    free((void *)file.data);
  }
}

TEST(long_values_that_differ_at_their_ends_are_distinct) {
  char texts[2][301];
  syclze_offload_string strings[2];
  syclze_offload_image images[2];
  memset(texts, 'x', sizeof texts);
  for (size_t i = 0; i < 2; i++) {
    texts[i][299] = (char)('a' + i);
    strings[i].key = syclze_text_of("symbols");
    strings[i].value = syclze_bytes_of(texts[i], 300);
    images[i] = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
    syclze_offload_image_set_strings(&images[i], &strings[i], 1);
  }
  for (uint32_t version = 1; version <= 2; version++) {
    char buffer[2048];
    size_t size = sizeof buffer;
    syclze_container container;
    CHECK_EQ(syclze_container_write(version, images, 2, buffer, &size), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_container_open(syclze_bytes_of(buffer, size), &container), ZE_RESULT_SUCCESS);
    for (size_t i = 0; i < 2; i++)
      CHECK(syclze_container_find(container, "symbols", syclze_text_of_bytes(strings[i].value)) ==
            syclze_container_image_at(container, i));
    syclze_container_close(container);
  }
}

/* Of a long text a sample is hashed: these differ beside it. */
TEST(long_keys_with_one_value_are_distinct) {
  static char keys[2][1001];
  syclze_offload_string strings[2];
  syclze_offload_image images[2];
  for (size_t i = 0; i < 2; i++) {
    memset(keys[i], 'x', sizeof keys[i] - 1);
    keys[i][50] = (char)('a' + i);
    strings[i].key = syclze_text_of(keys[i]);
    strings[i].value = syclze_bytes_of("dg2", 3);
    images[i] = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
    syclze_offload_image_set_strings(&images[i], &strings[i], 1);
  }
  char buffer[4096];
  size_t size = sizeof buffer;
  syclze_container container;
  CHECK_EQ(syclze_container_write(2, images, 2, buffer, &size), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_container_open(syclze_bytes_of(buffer, size), &container), ZE_RESULT_SUCCESS);
  for (size_t i = 0; i < 2; i++)
    CHECK(syclze_container_find(container, keys[i], syclze_text_of("dg2")) ==
          syclze_container_image_at(container, i));
  syclze_container_close(container);
}

/* One string makes one bucket, which every search walks. */
TEST(keys_with_one_value_are_distinct) {
  syclze_offload_string string = {{"arch", 4}, {"dg2", 3}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_image_set_strings(&image, &string, 1);
  char buffer[256];
  size_t size = sizeof buffer;
  syclze_container container;
  CHECK_EQ(syclze_container_write(1, &image, 1, buffer, &size), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_container_open(syclze_bytes_of(buffer, size), &container), ZE_RESULT_SUCCESS);
  CHECK(syclze_container_find(container, "arch", syclze_text_of("dg2")) != NULL);
  CHECK(syclze_container_find(container, "triple", syclze_text_of("dg2")) == NULL);
  CHECK(syclze_container_find(container, "arch", syclze_text_of("dg")) == NULL);
  syclze_container_close(container);
}

TEST(unreadable_containers_are_not_opened) {
  syclze_bytes file = sample_read("pack22.ob");
  syclze_container container;
  CHECK_EQ(syclze_container_open(file, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  file.size -= 8;
  CHECK_EQ(syclze_container_open(file, &container), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(container.rep == NULL);
  syclze_container_close(container);
  CHECK_EQ(syclze_container_open(syclze_bytes_of(NULL, 0), &container), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_container_image_count(container), 0);
  CHECK(syclze_container_find(container, "arch", syclze_text_of("")) == NULL);
  syclze_container_close(container);
  free((void *)file.data);
}

enum { IMAGES = 10000 };

static syclze_bytes write_many(uint32_t version) {
  static char names[IMAGES][32];
  static syclze_offload_string strings[IMAGES][3];
  static syclze_offload_image images[IMAGES];
  static const uint32_t spirv[5] = {0x07230203, 0x00010400, 0, 1, 0};
  for (size_t i = 0; i < IMAGES; i++) {
    snprintf(names[i], sizeof names[i], "_ZTS6Kernel%zu", i);
    strings[i][0].key = syclze_text_of("arch");
    strings[i][0].value = syclze_bytes_of("", 0);
    strings[i][1].key = syclze_text_of("symbols");
    strings[i][1].value = syclze_bytes_of(names[i], strlen(names[i]));
    strings[i][2].key = syclze_text_of("triple");
    strings[i][2].value = syclze_bytes_of("spirv64-unknown-unknown", 23);
    images[i] = syclze_offload_image_of(syclze_bytes_of(spirv, sizeof spirv));
    syclze_offload_image_set_strings(&images[i], strings[i], 3);
  }
  size_t size = 0;
  CHECK_EQ(syclze_container_write(version, images, IMAGES, NULL, &size), ZE_RESULT_SUCCESS);
  void *bytes = malloc(size);
  CHECK(bytes != NULL);
  CHECK_EQ(syclze_container_write(version, images, IMAGES, bytes, &size), ZE_RESULT_SUCCESS);
  return syclze_bytes_of(bytes, size);
}

/* The instructions of openings and look-ups are counted by look_up.sh. */
TEST(each_of_many_images_is_found) {
  for (uint32_t version = 1; version <= 2; version++) {
    const syclze_bytes bytes = write_many(version);
    syclze_container container;
    CHECK_EQ(syclze_container_open(bytes, &container), ZE_RESULT_SUCCESS);
    for (size_t i = 0; i < IMAGES; i++) {
      char name[32];
      const int length = snprintf(name, sizeof name, "_ZTS6Kernel%zu", i);
      const syclze_text text = {name, (size_t)length};
      CHECK(syclze_container_find(container, "symbols", text) ==
            syclze_container_image_at(container, i));
    }
    syclze_container_close(container);
    free((void *)bytes.data);
  }
}

TEST_MAIN(images_are_found_by_any_of_their_strings,
    long_values_that_differ_at_their_ends_are_distinct, long_keys_with_one_value_are_distinct,
    keys_with_one_value_are_distinct, unreadable_containers_are_not_opened,
    each_of_many_images_is_found)
