/* Images: formats, types, copies, regions, and what is refused. */
#include "support/images.h"

#include <stdlib.h>

static const struct test_size sizes[] = {{ZE_IMAGE_TYPE_1D, "1d", 5, 1, 1},
    {ZE_IMAGE_TYPE_2D, "2d", 5, 3, 1}, {ZE_IMAGE_TYPE_3D, "3d", 5, 3, 2},
    {ZE_IMAGE_TYPE_1DARRAY, "1d_array", 5, 3, 1}, {ZE_IMAGE_TYPE_2DARRAY, "2d_array", 5, 3, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes, MOST_TEXELS = 30, MOST_BYTES = MOST_TEXELS * 16 };

static const struct test_size two_d = {ZE_IMAGE_TYPE_2D, "2d", 5, 3, 1};
static const struct test_format rgba8 = {
    ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UINT, 4, 1};
static const struct test_format rg8 = {ZE_IMAGE_FORMAT_LAYOUT_8_8, ZE_IMAGE_FORMAT_TYPE_UINT, 2, 1};

static ze_command_list_handle_t synchronous(void) {
  return test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
}

static ze_kernel_handle_t kernel_of(const char *verb, struct test_format format, const char *name) {
  char whole[64];
  const char *suffix = format.type == ZE_IMAGE_FORMAT_TYPE_UINT   ? "ui"
                       : format.type == ZE_IMAGE_FORMAT_TYPE_SINT ? "i"
                                                                  : "f";
  snprintf(whole, sizeof whole, "%s_%s_%s", verb, suffix, name);
  return test_image_kernel(whole);
}

/* Bytes come from memory, a kernel reads them; another writes them, and they go to memory. */
static void round_trip(struct test_size size, struct test_format format) {
  const size_t count = size.width * size.height * size.depth;
  const size_t texel = format.channels * format.size;
  unsigned char bytes[MOST_BYTES], seen[MOST_BYTES];
  union test_texel *texels = test_shared(count * sizeof *texels);
  ze_image_handle_t image = test_image(size, test_swizzled(format));
  test_texel_bytes(format, bytes, count * texel);
  test_to_image(image, bytes);
  test_run(kernel_of("read", format, size.name), (const void *[]){image, texels}, 2, size);
  for (size_t i = 0; i < count; i++)
    CHECK(test_same_texel(format, texels[i], test_decode(format, bytes + i * texel)));
  memset(seen, 0, sizeof seen);
  test_to_image(image, seen);
  for (size_t i = 0; i < count; i++)
    for (unsigned k = format.channels; k < 4; k++)
      texels[i].f[k] = 0.25f; /* falls away: no channel holds it */
  test_run(kernel_of("write", format, size.name), (const void *[]){image, texels}, 2, size);
  test_from_image(seen, image);
  CHECK(memcmp(seen, bytes, count * texel) == 0);
  memset(texels, 0, count * sizeof *texels);
  test_run(kernel_of("read", format, size.name), (const void *[]){image, texels}, 2, size);
  for (size_t i = 0; i < count; i++)
    CHECK(test_same_texel(format, texels[i], test_decode(format, bytes + i * texel)));
  OK(zeImageDestroy(image));
  test_free(texels);
}

TEST(formats_of_1d) {
  for (unsigned i = 0; i < TEST_FORMATS; i++)
    round_trip(sizes[0], test_format(i));
}

TEST(formats_of_2d) {
  for (unsigned i = 0; i < TEST_FORMATS; i++)
    round_trip(sizes[1], test_format(i));
}

TEST(formats_of_3d) {
  for (unsigned i = 0; i < TEST_FORMATS; i++)
    round_trip(sizes[2], test_format(i));
}

TEST(formats_of_1d_arrays) {
  for (unsigned i = 0; i < TEST_FORMATS; i++)
    round_trip(sizes[3], test_format(i));
}

TEST(formats_of_2d_arrays) {
  for (unsigned i = 0; i < TEST_FORMATS; i++)
    round_trip(sizes[4], test_format(i));
}

TEST(buffers) {
  for (unsigned i = 0; i < TEST_FORMATS; i++) {
    const struct test_format format = test_format(i);
    const uint32_t width = 6 * format.channels * format.size; /* in bytes */
    const struct test_size made = {ZE_IMAGE_TYPE_BUFFER, "buffer", width, 1, 1};
    const struct test_size items = {ZE_IMAGE_TYPE_BUFFER, "buffer", 6, 1, 1};
    unsigned char bytes[MOST_BYTES];
    union test_texel *texels = test_shared(6 * sizeof *texels);
    ze_image_handle_t image = test_image(made, test_swizzled(format));
    test_texel_bytes(format, bytes, width);
    test_to_image(image, bytes);
    test_run(kernel_of("read", format, "buffer"), (const void *[]){image, texels}, 2, items);
    for (unsigned k = 0; k < 6; k++)
      CHECK(test_same_texel(
          format, texels[k], test_decode(format, bytes + k * format.channels * format.size)));
    OK(zeImageDestroy(image));
    test_free(texels);
  }
}

#define SWIZZLE(a, b, c, d)                                                                        \
  ZE_IMAGE_FORMAT_SWIZZLE_##a, ZE_IMAGE_FORMAT_SWIZZLE_##b, ZE_IMAGE_FORMAT_SWIZZLE_##c,           \
      ZE_IMAGE_FORMAT_SWIZZLE_##d

/* The texels are made of the bytes 10, 20, 30 and 40. Padding, at their ends, is written as zero.
 */
TEST(swizzles) {
  enum { LAYOUT_8_8_8 = 43 };
  static const struct {
    ze_image_format_layout_t layout;
    ze_image_format_swizzle_t order[4];
    uint32_t seen[4], padding;
  } cases[] = {{ZE_IMAGE_FORMAT_LAYOUT_8, {SWIZZLE(R, 0, 0, 1)}, {10, 0, 0, 1}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8, {SWIZZLE(0, 0, 0, R)}, {0, 0, 0, 10}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8, {SWIZZLE(R, R, R, 1)}, {10, 10, 10, 1}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8, {SWIZZLE(R, R, R, R)}, {10, 10, 10, 10}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8, {SWIZZLE(R, G, 0, 1)}, {10, 20, 0, 1}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8, {SWIZZLE(R, 0, 0, G)}, {10, 0, 0, 20}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, {SWIZZLE(R, G, B, A)}, {10, 20, 30, 40}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, {SWIZZLE(B, G, R, A)}, {30, 20, 10, 40}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, {SWIZZLE(A, R, G, B)}, {20, 30, 40, 10}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, {SWIZZLE(A, B, G, R)}, {40, 30, 20, 10}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8, {SWIZZLE(A, 0, 0, 1)}, {0, 0, 0, 10}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8, {SWIZZLE(R, A, 0, 1)}, {10, 0, 0, 20}, 0},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8, {SWIZZLE(R, X, 0, 1)}, {10, 0, 0, 1}, 1},
      {(ze_image_format_layout_t)LAYOUT_8_8_8, {SWIZZLE(R, G, X, 1)}, {10, 20, 0, 1}, 1},
      {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, {SWIZZLE(R, G, B, X)}, {10, 20, 30, 1}, 1}};
  const struct test_size one = {ZE_IMAGE_TYPE_2D, "2d", 1, 1, 1};
  static const unsigned char bytes[4] = {10, 20, 30, 40};
  uint32_t *texel = test_shared(16);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ze_image_format_t format = {cases[i].layout, ZE_IMAGE_FORMAT_TYPE_UINT, cases[i].order[0],
        cases[i].order[1], cases[i].order[2], cases[i].order[3]};
    unsigned char back[4] = {0};
    ze_image_handle_t image = test_image(one, format);
    test_to_image(image, bytes);
    test_run(test_image_kernel("read_ui_2d"), (const void *[]){image, texel}, 2, one);
    for (int k = 0; k < 4; k++)
      CHECK_EQ(texel[k], cases[i].seen[k]);
    test_to_image(image, back);
    test_run(test_image_kernel("write_ui_2d"), (const void *[]){image, texel}, 2, one);
    test_from_image(back, image);
    const size_t size = cases[i].layout == ZE_IMAGE_FORMAT_LAYOUT_8     ? 1
                        : cases[i].layout == ZE_IMAGE_FORMAT_LAYOUT_8_8 ? 2
                        : (unsigned)cases[i].layout == LAYOUT_8_8_8     ? 3
                                                                        : 4;
    CHECK(memcmp(back, bytes, size - cases[i].padding) == 0);
    CHECK(cases[i].padding == 0 || back[size - 1] == 0);
    OK(zeImageDestroy(image));
  }
  test_free(texel);
}

static void count_up(unsigned char *bytes, size_t size, unsigned from) {
  for (size_t i = 0; i < size; i++)
    bytes[i] = (unsigned char)(from + i);
}

/* A part of an image of every type is copied to memory and back, with gaps between rows. */
TEST(regions_and_pitches) {
  enum { ROW = 11, SLICE = 37 };
  for (unsigned i = 0; i < SIZES; i++)
    for (int widened = 0; widened < 2; widened++) {
      const struct test_size size = sizes[i];
      const struct test_format format = widened ? rg8 : rgba8;
      const uint32_t texel = format.channels;
      const int is_1d_array = size.type == ZE_IMAGE_TYPE_1DARRAY;
      unsigned char bytes[MOST_BYTES], memory[128], back[128], changed[MOST_BYTES];
      count_up(bytes, sizeof bytes, 0);
      ze_image_handle_t image = test_image(size, test_swizzled(format));
      test_to_image(image, bytes);
      const ze_image_region_t region = {.originX = 2,
          .originY = size.height > 1 ? 1 : 0,
          .originZ = size.depth > 1 ? 1 : 0,
          .width = 2,
          .height = size.height > 1 ? 2 : 1,
          .depth = 1};
      ze_command_list_handle_t list = synchronous();
      memset(memory, 0xee, sizeof memory);
      OK(zeCommandListAppendImageCopyToMemoryExt(
          list, memory, image, &region, ROW, is_1d_array ? ROW : SLICE, NULL, 0, NULL));
      for (uint32_t y = 0; y < region.height; y++) {
        const size_t from = 2 + size.width * (y + region.originY + size.height * region.originZ);
        CHECK(memcmp(memory + y * ROW, bytes + from * texel, 2 * texel) == 0);
        CHECK_EQ(memory[y * ROW + 2 * texel], 0xee);
      }
      count_up(back, sizeof back, 100);
      OK(zeCommandListAppendImageCopyFromMemoryExt(
          list, image, back, &region, ROW, is_1d_array ? ROW : SLICE, NULL, 0, NULL));
      test_from_image(changed, image);
      for (uint32_t y = 0; y < region.height; y++) {
        const size_t to = 2 + size.width * (y + region.originY + size.height * region.originZ);
        memcpy(bytes + to * texel, back + y * ROW, 2 * texel);
      }
      CHECK(memcmp(changed, bytes, size.width * size.height * size.depth * texel) == 0);
      OK(zeCommandListDestroy(list));
      OK(zeImageDestroy(image));
    }
}

TEST(between_images) {
  unsigned char bytes[MOST_BYTES], other[MOST_BYTES], seen[MOST_BYTES];
  count_up(bytes, sizeof bytes, 0);
  count_up(other, sizeof other, 128);
  for (int widened = 0; widened < 2; widened++) {
    const struct test_format format = widened ? rg8 : rgba8;
    const size_t texel = format.channels;
    ze_image_handle_t from = test_image(two_d, test_swizzled(format));
    ze_image_handle_t to = test_image(two_d, test_swizzled(format));
    ze_command_list_handle_t list = synchronous();
    test_to_image(from, bytes);
    OK(zeCommandListAppendImageCopy(list, to, from, NULL, 0, NULL));
    test_from_image(seen, to);
    CHECK(memcmp(seen, bytes, 15 * texel) == 0);
    test_to_image(to, other);
    const ze_image_region_t source = {1, 0, 0, 2, 2, 1}, target = {3, 1, 0, 2, 2, 1};
    OK(zeCommandListAppendImageCopyRegion(list, to, from, &target, &source, NULL, 0, NULL));
    test_from_image(seen, to);
    memcpy(other + (3 + 5 * 1) * texel, bytes + 1 * texel, 2 * texel);
    memcpy(other + (3 + 5 * 2) * texel, bytes + (1 + 5 * 1) * texel, 2 * texel);
    CHECK(memcmp(seen, other, 15 * texel) == 0);
    const ze_image_region_t overhanging = {4, 2, 1, 5, 5, 3},
                            /* a 2D image knows no depth */ beyond = {5, 0, 0, 1, 1, 1};
    OK(zeCommandListAppendImageCopyRegion(
        list, to, from, &overhanging, &overhanging, NULL, 0, NULL));
    test_from_image(seen, to);
    memcpy(other + 14 * texel, bytes + 14 * texel, texel);
    CHECK(memcmp(seen, other, 15 * texel) == 0);
    RETURNS(ERROR_INVALID_ARGUMENT,
        zeCommandListAppendImageCopyRegion(list, to, from, &beyond, &beyond, NULL, 0, NULL));
    const ze_image_region_t left = {0, 0, 0, 2, 3, 1}, right = {3, 0, 0, 2, 3, 1},
                            middle = {1, 0, 0, 2, 3, 1};
    OK(zeCommandListAppendImageCopyRegion(list, to, to, &right, &left, NULL, 0, NULL));
    RETURNS(ERROR_OVERLAPPING_REGIONS,
        zeCommandListAppendImageCopyRegion(list, to, to, &middle, &left, NULL, 0, NULL));
    RETURNS(ERROR_INVALID_SIZE,
        zeCommandListAppendImageCopyRegion(list, to, from, &left, NULL, NULL, 0, NULL));
    count_up(other, sizeof other, 128);
    OK(zeCommandListDestroy(list));
    OK(zeImageDestroy(from));
    OK(zeImageDestroy(to));
  }
}

/* Copies, kernels and events, in a list that a queue runs, twice. */
TEST(in_order_in_a_list) {
  unsigned char bytes[60], seen[60];
  count_up(bytes, sizeof bytes, 1);
  ze_image_handle_t image = test_image(two_d, test_swizzled(rgba8));
  ze_image_handle_t copied = test_image(two_d, test_swizzled(rgba8));
  ze_kernel_handle_t kernel = test_image_kernel("increment");
  ze_event_handle_t gate = test_lone_event(), done = test_lone_event();
  ze_command_list_handle_t list = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  const ze_group_count_t groups = {5, 3, 1};
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
  OK(zeCommandListAppendImageCopyFromMemory(list, image, bytes, NULL, NULL, 1, &gate));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopy(list, copied, image, NULL, 0, NULL));
  OK(zeCommandListAppendImageCopyToMemory(list, seen, copied, NULL, done, 0, NULL));
  OK(zeCommandListClose(list));
  OK(zeKernelDestroy(kernel)); /* commands keep what they use */
  OK(zeImageDestroy(image));
  OK(zeImageDestroy(copied));
  for (int turn = 0; turn < 2; turn++) {
    memset(seen, 0, sizeof seen);
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    RETURNS(NOT_READY, zeEventHostSynchronize(done, 10000000));
    OK(zeEventHostSignal(gate));
    OK(zeEventHostSynchronize(done, UINT64_MAX));
    for (size_t i = 0; i < sizeof seen; i++)
      CHECK_EQ(seen[i], bytes[i] + 2);
    OK(zeEventHostReset(gate));
    OK(zeEventHostReset(done));
  }
  OK(zeCommandQueueDestroy(queue));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(gate));
  OK(zeEventDestroy(done));
}

TEST(sizes_in_kernels) {
  const struct test_size three_d = {ZE_IMAGE_TYPE_3D, "3d", 7, 6, 4},
                         one = {.width = 1, .height = 1, .depth = 1};
  ze_image_handle_t a = test_image(two_d, test_swizzled(rgba8));
  ze_image_handle_t b = test_image(three_d, test_swizzled(rg8));
  int *seen = test_shared(5 * sizeof *seen);
  test_run(test_image_kernel("sizes"), (const void *[]){a, b, seen}, 3, one);
  CHECK(seen[0] == 5 && seen[1] == 3 && seen[2] == 7 && seen[3] == 6 && seen[4] == 4);
  test_free(seen);
  OK(zeImageDestroy(a));
  OK(zeImageDestroy(b));
}

TEST(create_refusals) {
  const ze_image_format_t good = test_swizzled(rgba8);
  ze_image_format_t packed = good, media = good, half8 = good, lossy = good, depth = good;
  packed.layout = ZE_IMAGE_FORMAT_LAYOUT_5_6_5; /* of integers */
  media.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  half8.type = ZE_IMAGE_FORMAT_TYPE_FLOAT;
  lossy.w = ZE_IMAGE_FORMAT_SWIZZLE_1;
  depth.x = (ze_image_format_swizzle_t)7;
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, packed));
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, media));
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, half8));
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, lossy));
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, depth));
  ze_device_image_properties_t most = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  OK(zeDeviceGetImageProperties(test_device(), &most));
  CHECK(most.maxImageDims1D && most.maxImageDims2D && most.maxImageDims3D);
  CHECK(most.maxImageBufferSize && most.maxImageArraySlices && most.maxSamplers);
  CHECK(most.maxReadImageArgs && most.maxWriteImageArgs);
  struct test_size size = two_d;
  size.width = 0;
  RETURNS(ERROR_UNSUPPORTED_SIZE, test_try_image(size, good));
  size.width = most.maxImageDims2D + 1;
  RETURNS(ERROR_UNSUPPORTED_SIZE, test_try_image(size, good));
  const struct test_size layers = {ZE_IMAGE_TYPE_2DARRAY, "", 1, 1, most.maxImageArraySlices + 1};
  RETURNS(ERROR_UNSUPPORTED_SIZE, test_try_image(layers, good));
  const struct test_size odd = {ZE_IMAGE_TYPE_BUFFER, "", 7, 1, 1};
  RETURNS(ERROR_UNSUPPORTED_SIZE, test_try_image(odd, good));
  ze_image_desc_t desc = test_image_desc(two_d, good);
  ze_image_handle_t image;
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeImageCreate(NULL, test_device(), &desc, &image));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeImageCreate(test_context(), NULL, &desc, &image));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeImageCreate(test_context(), test_device(), NULL, &image));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeImageCreate(test_context(), test_device(), &desc, NULL));
  desc.flags = 0x80;
  RETURNS(ERROR_INVALID_ENUMERATION, zeImageCreate(test_context(), test_device(), &desc, &image));
  desc.flags = 0;
  const ze_external_memory_export_desc_t external = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF};
  desc.pNext = &external;
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeImageCreate(test_context(), test_device(), &desc, &image));
}

TEST(properties) {
  ze_image_desc_t desc = test_image_desc(two_d, test_swizzled(rgba8));
  ze_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_IMAGE_PROPERTIES};
  OK(zeImageGetProperties(test_device(), &desc, &properties));
  CHECK_EQ(properties.samplerFilterFlags, ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT);
  desc.format.type = ZE_IMAGE_FORMAT_TYPE_UNORM;
  OK(zeImageGetProperties(test_device(), &desc, &properties));
  CHECK_EQ(properties.samplerFilterFlags,
      ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT | ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR);
  desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_NV12;
  OK(zeImageGetProperties(test_device(), &desc, &properties)); /* not there: no filter */
  CHECK_EQ(properties.samplerFilterFlags, 0);
  ze_image_handle_t a = test_image(two_d, test_swizzled(rgba8));
  ze_image_handle_t b = test_image(two_d, test_swizzled(rgba8));
  OK(zeContextMakeImageResident(test_context(), test_device(), a));
  OK(zeContextEvictImage(test_context(), test_device(), a));
  RETURNS(
      ERROR_INVALID_NULL_HANDLE, zeContextMakeImageResident(test_context(), test_device(), NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeContextEvictImage(test_context(), NULL, a));
  ze_image_allocation_ext_properties_t
      one = {.stype = ZE_STRUCTURE_TYPE_IMAGE_ALLOCATION_EXT_PROPERTIES},
      two = one;
  OK(zeImageGetAllocPropertiesExt(test_context(), a, &one));
  OK(zeImageGetAllocPropertiesExt(test_context(), b, &two));
  CHECK(one.id != 0 && one.id != two.id);
  ze_image_memory_properties_exp_t memory = {
      .stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES};
  OK(zeImageGetMemoryPropertiesExp(a, &memory));
  CHECK(memory.rowPitch == 20 && memory.slicePitch == 60 && memory.size == 60);
  OK(zeImageDestroy(a));
  OK(zeImageDestroy(b));
}

TEST(append_refusals) {
  unsigned char bytes[60] = {0};
  ze_command_list_handle_t list = synchronous();
  ze_image_handle_t image = test_image(two_d, test_swizzled(rgba8));
  ze_image_handle_t narrow = test_image(two_d, test_swizzled(rg8));
  const ze_image_region_t outside = {4, 0, 0, 2, 1, 1}, empty = {0, 0, 0, 0, 1, 1};
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendImageCopyToMemory(list, bytes, image, &outside, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendImageCopyToMemory(list, bytes, image, &empty, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      zeCommandListAppendImageCopyToMemoryExt(list, bytes, image, NULL, 19, 0, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_POINTER,
      zeCommandListAppendImageCopyToMemory(list, NULL, image, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_NULL_HANDLE,
      zeCommandListAppendImageCopyToMemory(list, bytes, NULL, NULL, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendImageCopy(list, image, narrow, NULL, 0, NULL));
  OK(zeImageDestroy(narrow));
  RETURNS(ERROR_INVALID_ARGUMENT, zeImageDestroy(narrow));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendImageCopy(list, image, narrow, NULL, 0, NULL));
  OK(zeImageDestroy(image));
  OK(zeCommandListDestroy(list));
}

/* Kernels take images of their own kind only; what would give wrong data is not there. */
TEST(argument_refusals) {
  ze_kernel_handle_t kernel = test_image_kernel("increment"), read = test_image_kernel("read_f_3d");
  ze_image_handle_t image = test_image(two_d, test_swizzled(rgba8));
  ze_image_handle_t narrow = test_image(two_d, test_swizzled(rg8));
  void *null = NULL;
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeKernelSetArgumentValue(read, 0, sizeof image, &image));
  RETURNS(ERROR_INVALID_NULL_HANDLE, zeKernelSetArgumentValue(kernel, 0, sizeof null, &null));
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeKernelSetArgumentValue(kernel, 0, sizeof null, NULL));
  RETURNS(ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(kernel, 0, 4, &image));
  if (!test_on_cuda()) /* which keeps the channels as they are */
    RETURNS(ERROR_UNSUPPORTED_FEATURE, zeKernelSetArgumentValue(kernel, 0, sizeof narrow, &narrow));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
  OK(zeKernelDestroy(kernel));
  OK(zeKernelDestroy(read));
  OK(zeImageDestroy(image));
  OK(zeImageDestroy(narrow));
}

TEST_MAIN(formats_of_1d, formats_of_2d, formats_of_3d, formats_of_1d_arrays, formats_of_2d_arrays,
    buffers, swizzles, regions_and_pitches, between_images, in_order_in_a_list, sizes_in_kernels,
    create_refusals, properties, append_refusals, argument_refusals)
