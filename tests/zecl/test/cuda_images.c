/* Images of the engine on CUDA, on the libcuda of the tests: copies of texels. */
#define _GNU_SOURCE
#include "support/images.h"
#include "support/libcuda.h"

#include <stdlib.h>

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 2);
}

static ze_image_handle_t image_of(ze_image_type_t type, const uint32_t size[3]) {
  const struct test_format bytes = {
      ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 4, 1};
  return test_image((struct test_size){type, "", size[0], size[1], size[2]}, test_swizzled(bytes));
}

/* Texels go from memory through two images and back to memory: of malloc, and of the device. */
static void move_texels(ze_image_type_t type, uint32_t x, uint32_t y, uint32_t z) {
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, TEST_IN_ORDER);
  ze_event_handle_t done = test_lone_event();
  const uint32_t size[] = {x, y, z};
  const size_t bytes = (size_t)x * y * z * 4;
  ze_image_handle_t one = image_of(type, size), two = image_of(type, size);
  unsigned char *from = malloc(bytes), *to = calloc(1, bytes), *device = test_device_memory(bytes);
  CHECK(from && to);
  for (size_t i = 0; i < bytes; i++)
    from[i] = (unsigned char)(i * 13 + i / 251);
  OK(zeCommandListAppendImageCopyFromMemory(list, one, from, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopy(list, two, one, NULL, 0, NULL));
  OK(zeImageDestroy(one)); /* once nothing runs */
  OK(zeCommandListAppendImageCopyToMemory(list, device, two, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyFromMemory(list, two, device, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyToMemory(list, to, two, NULL, done, 0, NULL));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  OK(zeEventDestroy(done));
  CHECK_EQ(memcmp(from, to, bytes), 0);
  OK(zeCommandListDestroy(list));
  OK(zeImageDestroy(two));
  test_free(device);
  free(from);
  free(to);
}

TEST(texels_of_each_type_of_image) {
  move_texels(ZE_IMAGE_TYPE_1D, 5, 1, 1);
  move_texels(ZE_IMAGE_TYPE_1DARRAY, 5, 3, 1);
  move_texels(ZE_IMAGE_TYPE_2D, 5, 3, 1);
  move_texels(ZE_IMAGE_TYPE_2DARRAY, 5, 3, 2);
  move_texels(ZE_IMAGE_TYPE_3D, 5, 3, 2);
  move_texels(ZE_IMAGE_TYPE_2D, 700, 500, 1); /* more than one stage */
}

/* A part of an image from memory with gaps, also where a slice is no number of rows. */
TEST(regions_of_images) {
  enum { ROW = 12, SLICE = 34, BYTES = 2 * SLICE };
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_image_handle_t image = image_of(ZE_IMAGE_TYPE_3D, (const uint32_t[]){5, 4, 3});
  const ze_image_region_t part = {2, 1, 1, 2, 3, 2};
  unsigned char from[BYTES], to[BYTES] = "", *device = test_device_memory(BYTES);
  for (size_t i = 0; i < BYTES; i++)
    from[i] = (unsigned char)(i + 1);
  for (int on_device = 0; on_device < 2; on_device++) {
    OK(zeCommandListAppendMemoryCopy(list, device, from, BYTES, NULL, 0, NULL));
    OK(zeCommandListAppendImageCopyFromMemoryExt(
        list, image, on_device ? device : from, &part, ROW, SLICE, NULL, 0, NULL));
    memset(to, 0, sizeof to);
    OK(zeCommandListAppendImageCopyToMemoryExt(list, to, image, &part, ROW, SLICE, NULL, 0, NULL));
    for (size_t z = 0; z < 2; z++)
      for (size_t y = 0; y < 3; y++) {
        CHECK_EQ(memcmp(from + z * SLICE + y * ROW, to + z * SLICE + y * ROW, 8), 0);
        CHECK_EQ(to[z * SLICE + y * ROW + 8], 0); /* a gap */
      }
  }
  OK(zeImageDestroy(image));
  OK(zeCommandListDestroy(list));
  test_free(device);
}

TEST_MAIN(texels_of_each_type_of_image, regions_of_images)
