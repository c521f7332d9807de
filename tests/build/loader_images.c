/* Images that vendor the library, in a program that does not (loader_image.c, loader.sh). */
#include "tests/check.h"

#include <dlfcn.h>

struct image {
  void *library;
  int (*platforms)(const char *loader);
  int (*run)(void);
  const char *(*loader)(void);
  int (*close)(void);
};

static struct image open_image(const char *name) {
  struct image image;
  void *symbols[4];
  image.library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  CHECK(image.library != NULL);
  symbols[0] = dlsym(image.library, "image_platforms");
  symbols[1] = dlsym(image.library, "image_run");
  symbols[2] = dlsym(image.library, "image_loader");
  symbols[3] = dlsym(image.library, "image_close");
  memcpy(&image.platforms, &symbols[0], sizeof symbols[0]);
  memcpy(&image.run, &symbols[1], sizeof symbols[1]);
  memcpy(&image.loader, &symbols[2], sizeof symbols[2]);
  memcpy(&image.close, &symbols[3], sizeof symbols[3]);
  return image;
}

TEST(two_images_have_loaders_of_their_own) {
  const char *files[] = {getenv("IMAGE_ONE"), getenv("IMAGE_TWO"), getenv("FAKE_LOADER")};
  for (int i = 0; i < 3; i++) {
    struct image one = open_image(files[0]), two = open_image(files[1]);
    CHECK_EQ(two.platforms(files[2]), 3);
    CHECK_EQ(one.platforms(NULL), 1);
    CHECK_EQ(two.platforms(NULL), 3); /* its table is filled */
    CHECK_EQ(two.close(), 0);
    CHECK_EQ(dlclose(two.library), 0);
    CHECK_EQ(one.platforms(NULL), 1);
    CHECK_EQ(one.close(), 0);
    CHECK_EQ(dlclose(one.library), 0);
    CHECK_EQ(dlopen(files[2], RTLD_NOW | RTLD_NOLOAD), NULL); /* closed with its image */
  }
}

/* Two loaders of the same drivers. Whichever ends first, the other image goes on. */
TEST(a_linked_loader_and_an_opened_one_are_in_one_process) {
  const char *files[] = {getenv("IMAGE_LINKED"), getenv("IMAGE_ONE"), getenv("OTHER_LOADER")};
  for (int linked_first = 0; linked_first < 2; linked_first++) {
    struct image linked = open_image(files[0]), opened = open_image(files[1]);
    CHECK_EQ(opened.platforms(files[2]), 1);
    for (int i = 0; i < 2; i++) {
      CHECK_EQ(linked.run(), 0);
      CHECK_EQ(opened.run(), 0);
    }
    CHECK_STR_EQ(opened.loader(), files[2]);
    CHECK(strstr(linked.loader(), "/libze_loader.so") != NULL);
    if (linked_first) {
      CHECK_EQ(dlclose(linked.library), 0);
      CHECK_EQ(opened.run(), 0);
    }
    CHECK_EQ(opened.close(), 0);
    CHECK_EQ(dlopen(files[2], RTLD_NOW | RTLD_NOLOAD), NULL);
    if (!linked_first) {
      CHECK_EQ(linked.run(), 0);
      CHECK_EQ(opened.platforms(files[2]), 1); /* anew, beside the other one */
      CHECK_EQ(opened.run(), 0);
      CHECK_STR_EQ(opened.loader(), files[2]);
      CHECK_EQ(opened.close(), 0);
      CHECK_EQ(dlclose(linked.library), 0);
    }
    CHECK_EQ(dlclose(opened.library), 0);
  }
}

TEST_MAIN(
    two_images_have_loaders_of_their_own, a_linked_loader_and_an_opened_one_are_in_one_process)
