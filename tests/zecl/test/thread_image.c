/* Eight threads make images of many formats at once, copy to and from them, and free memory that
 * is in use; or write to texels of one image, each to its own. */
#include "support/images.h"

#include <pthread.h>

enum { THREADS = 8, TURNS = 12, WIDTH = 16, HEIGHT = 8, MOST = WIDTH * HEIGHT * 16 };

static const struct test_size size = {ZE_IMAGE_TYPE_2D, "2d", WIDTH, HEIGHT, 1};

static void round_trip(
    unsigned number, ze_command_list_handle_t list, char *memory, ze_event_handle_t done) {
  const struct test_format format = test_format(number % TEST_FORMATS);
  const size_t bytes = WIDTH * HEIGHT * format.channels * format.size;
  ze_image_handle_t one = test_image(size, test_swizzled(format));
  ze_image_handle_t two = test_image(size, test_swizzled(format));
  for (size_t i = 0; i < bytes; i++)
    memory[i] = (char)(i * 7 + number);
  memset(memory + MOST, 0, bytes);
  OK(zeCommandListAppendImageCopyFromMemory(list, one, memory, NULL, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopy(list, two, one, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyToMemory(list, memory + MOST, two, NULL, done, 0, NULL));
  OK(zeImageDestroy(one));
  OK(zeImageDestroy(two));
  OK(zeEventHostSynchronize(done, UINT64_MAX));
  CHECK(memcmp(memory, memory + MOST, bytes) == 0);
  OK(zeEventHostReset(done));
}

static void free_in_use(
    ze_command_list_handle_t list, ze_driver_memory_free_policy_ext_flags_t how) {
  enum { SIZE = 1 << 16 };
  const ze_memory_free_ext_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, .freePolicy = how};
  char *memory = test_shared(SIZE);
  OK(zeCommandListAppendMemoryCopy(list, memory, memory + SIZE / 2, SIZE / 2, NULL, 0, NULL));
  OK(zeMemFreeExt(test_context(), &desc, memory));
}

static void *work(void *argument) {
  const unsigned first = *(const unsigned *)argument;
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_event_handle_t done = test_lone_event();
  char *memory = test_shared(2 * MOST);
  for (unsigned turn = 0; turn < TURNS; turn++) {
    round_trip(first + turn * 5, list, memory, done);
    free_in_use(list, turn % 2 ? ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE
                               : ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE);
  }
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(done));
  test_free(memory);
  return NULL;
}

TEST(images_on_eight_threads) {
  pthread_t threads[THREADS];
  unsigned numbers[THREADS];
  test_context();
  test_device();
  for (unsigned i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, work, &numbers[i]) == 0);
  }
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

struct writer {
  ze_image_handle_t image;
  uint32_t place;
};

static void *write_own(void *argument) {
  enum { WRITES = 100 };
  const struct writer *writer = argument;
  const uint32_t place = writer->place;
  const ze_group_count_t groups = {1, 1, 1};
  const ze_image_region_t own = {place, 0, 0, 1, 1, 1};
  union test_texel *texels = test_shared(THREADS * sizeof *texels);
  ze_kernel_handle_t kernel = test_image_kernel("write_ui_2d");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeKernelSetGlobalOffsetExp(kernel, place, 0, 0));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof writer->image, &writer->image));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof texels, &texels));
  for (uint32_t turn = 1; turn <= WRITES; turn++) {
    uint32_t seen = 0;
    texels[place].u[0] = turn;
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    OK(zeCommandListAppendImageCopyToMemory(list, &seen, writer->image, &own, NULL, 0, NULL));
    CHECK_EQ(seen & 0xff, turn); /* the low bits are of the first channel */
    seen = 200;
    OK(zeCommandListAppendImageCopyFromMemory(list, writer->image, &seen, &own, NULL, 0, NULL));
    seen = 0;
    OK(zeCommandListAppendImageCopyToMemory(list, &seen, writer->image, &own, NULL, 0, NULL));
    CHECK_EQ(seen & 0xff, 200);
  }
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  test_free(texels);
  return NULL;
}

static void write_beside_each_other(ze_image_format_layout_t layout) {
  const struct test_format format = {.layout = layout, .type = ZE_IMAGE_FORMAT_TYPE_UINT};
  pthread_t threads[THREADS];
  struct writer writers[THREADS];
  ze_image_handle_t image = test_image(size, test_swizzled(format));
  OK(zeKernelDestroy(test_image_kernel("write_ui_2d"))); /* the module is there */
  for (uint32_t i = 0; i < THREADS; i++) {
    writers[i] = (struct writer){.image = image, .place = i};
    CHECK(pthread_create(&threads[i], NULL, write_own, &writers[i]) == 0);
  }
  for (unsigned i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  OK(zeImageDestroy(image));
}

/* Images that are put right after each kernel. */
TEST(kernels_write_beside_each_other) {
  write_beside_each_other(ZE_IMAGE_FORMAT_LAYOUT_8_8);
  write_beside_each_other(ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2);
}

TEST_MAIN(images_on_eight_threads, kernels_write_beside_each_other)
