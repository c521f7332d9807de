/* Images of formats that are converted: packed ones, and normalised ones of 32 bits. */
#include "support/images.h"

#include <math.h>

#define LAYOUT(name) ZE_IMAGE_FORMAT_LAYOUT_##name
#define TYPE(name) ZE_IMAGE_FORMAT_TYPE_##name

static const struct format {
  ze_image_format_layout_t layout;
  ze_image_format_type_t type;
  size_t size; /* of a texel */
} formats[] = {{LAYOUT(10_10_10_2), TYPE(UINT), 4}, {LAYOUT(10_10_10_2), TYPE(SINT), 4},
    {LAYOUT(10_10_10_2), TYPE(UNORM), 4}, {LAYOUT(10_10_10_2), TYPE(SNORM), 4},
    {LAYOUT(10_10_10_2), TYPE(FLOAT), 4}, {LAYOUT(11_11_10), TYPE(FLOAT), 4},
    {LAYOUT(5_6_5), TYPE(UNORM), 2}, {LAYOUT(5_5_5_1), TYPE(UNORM), 2},
    {LAYOUT(4_4_4_4), TYPE(UNORM), 2}, {LAYOUT(32), TYPE(UNORM), 4}, {LAYOUT(32), TYPE(SNORM), 4},
    {LAYOUT(32_32), TYPE(UNORM), 8}, {LAYOUT(32_32), TYPE(SNORM), 8},
    {LAYOUT(32_32_32_32), TYPE(UNORM), 16}, {LAYOUT(32_32_32_32), TYPE(SNORM), 16},
    {(ze_image_format_layout_t)45 /* 32_32_32 */, TYPE(UNORM), 12},
    {(ze_image_format_layout_t)45, TYPE(SNORM), 12}};
enum { FORMATS = sizeof formats / sizeof *formats };

static const struct test_size sizes[] = {{ZE_IMAGE_TYPE_1D, "1d", 5, 1, 1},
    {ZE_IMAGE_TYPE_2D, "2d", 5, 3, 1}, {ZE_IMAGE_TYPE_3D, "3d", 5, 3, 2},
    {ZE_IMAGE_TYPE_1DARRAY, "1d_array", 5, 3, 1}, {ZE_IMAGE_TYPE_2DARRAY, "2d_array", 5, 3, 2}};
enum { SIZES = sizeof sizes / sizeof *sizes, MOST_BYTES = 30 * 16 };

static const struct test_size one = {ZE_IMAGE_TYPE_2D, "2d", 1, 1, 1};
static const struct test_size two_d = {ZE_IMAGE_TYPE_2D, "2d", 5, 3, 1};

static ze_image_format_t swizzled(struct format format) {
  return test_swizzled((struct test_format){.layout = format.layout, .type = format.type});
}

static ze_kernel_handle_t kernel_of(const char *verb, struct format format, const char *name) {
  char whole[64];
  const char *suffix = format.type == TYPE(UINT) ? "ui" : format.type == TYPE(SINT) ? "i" : "f";
  snprintf(whole, sizeof whole, "%s_%s_%s", verb, suffix, name);
  return test_image_kernel(whole);
}

static int same(struct format format, const union test_texel *a, const union test_texel *b) {
  return test_same_texel((struct test_format){.type = format.type}, *a, *b);
}

#define PACK(a, b, c, d) ((a) | (b) << 10 | (c) << 20 | (uint32_t)(d) << 30)
#define FLOATS(...)                                                                                \
  {                                                                                                \
    .f = { __VA_ARGS__ }                                                                           \
  }
#define WORDS(...)                                                                                 \
  {                                                                                                \
    .u = { __VA_ARGS__ }                                                                           \
  }

/* Values of bits, read and written by kernels. */
TEST(texels) {
  static const struct {
    unsigned format;
    uint32_t bits[4];
    union test_texel texel;
  } cases[] = {{0, {PACK(1, 2, 1023, 2)}, WORDS(1, 2, 1023, 2)},
      {1, {PACK(1023, 512, 511, 2)}, WORDS(UINT32_MAX, -512u, 511, -2u)},
      {2, {PACK(1023, 0, 341, 1)}, FLOATS(1, 0, 1.f / 3, 1.f / 3)},
      {3, {PACK(511, 513, 0, 3)}, FLOATS(1, -1, 0, -1)},
      {4, {PACK(480, 520, 448, 2)}, FLOATS(1, 2.5f, 0.5f, 2.f / 3)},
      {5, {960 | 992 << 11 | 416u << 22}, FLOATS(1, 1.5f, 0.25f, 1)},
      {5, {1983 | 1 << 11 | 1u << 22}, FLOATS(65024, 0x1p-20f, 0x1p-19f, 1)},
      {6, {31 << 11 | 21 << 5 | 0}, FLOATS(1, 1.f / 3, 0, 1)},
      {6, {0 << 11 | 63 << 5 | 31}, FLOATS(0, 1, 1, 1)},
      {7, {0 << 10 | 31 << 5 | 0 | 1 << 15}, FLOATS(0, 1, 0, 1)},
      {7, {31 << 10 | 0 << 5 | 31}, FLOATS(1, 0, 1, 0)},
      {8, {15 << 8 | 5 << 4 | 0 | 10 << 12}, FLOATS(1, 1.f / 3, 0, 2.f / 3)},
      {9, {UINT32_MAX}, FLOATS(1, 0, 0, 1)}, {10, {0x80000001}, FLOATS(-1, 0, 0, 1)},
      {11, {0, UINT32_MAX / 3}, FLOATS(0, 1.f / 3, 0, 1)},
      {13, {3, 0, UINT32_MAX, 0}, FLOATS(3.f / 4294967296, 0, 1, 0)},
      {14, {INT32_MAX, 5, 0, 0x80000001}, FLOATS(1, 5.f / 2147483648, 0, -1)},
      {15, {0, 1, UINT32_MAX}, FLOATS(0, 1.f / 4294967296, 1, 1)},
      {16, {UINT32_MAX, 2, INT32_MAX}, FLOATS(-1.f / 2147483648, 2.f / 2147483648, 1, 1)}};
  union test_texel *texel = test_shared(sizeof *texel);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct format format = formats[cases[i].format];
    uint32_t bits[4] = {0};
    ze_image_handle_t image = test_image(one, swizzled(format));
    test_to_image(image, cases[i].bits);
    test_run(kernel_of("read", format, "2d"), (const void *[]){image, texel}, 2, one);
    CHECK(same(format, texel, &cases[i].texel));
    test_to_image(image, bits);
    *texel = cases[i].texel;
    test_run(kernel_of("write", format, "2d"), (const void *[]){image, texel}, 2, one);
    test_from_image(bits, image);
    if (cases[i].format == 11) /* no float holds all of it */
      CHECK(bits[0] == 0 && bits[1] - UINT32_MAX / 3 + 64 < 128);
    else
      CHECK(memcmp(bits, cases[i].bits, format.size) == 0);
    OK(zeImageDestroy(image));
  }
  test_free(texel);
}

/* Kernels write what the format cannot hold, and read what it holds then. */
TEST(rounded_and_clamped) {
  static const struct {
    unsigned format;
    union test_texel written;
    uint32_t bits;
    union test_texel read;
  } cases[] = {{0, WORDS(5000, UINT32_MAX, 3, 9), PACK(1023, 1023, 3, 3), WORDS(1023, 1023, 3, 3)},
      {1, WORDS(-5000u, 600, UINT32_MAX, 5), PACK(512, 511, 1023, 1),
          WORDS(-512u, 511, UINT32_MAX, 1)},
      {2, FLOATS(2, -1, 0.5f, 0.5f), PACK(1023, 0, 512, 2), FLOATS(1, 0, 512.f / 1023, 2.f / 3)},
      {2, FLOATS(NAN, INFINITY, -INFINITY, 0.1f), PACK(0, 1023, 0, 0), FLOATS(0, 1, 0, 0)},
      {3, FLOATS(-2, 2, 0.5f, 0.4f), PACK(513, 511, 256, 0), FLOATS(-1, 1, 256.f / 511, 0)},
      {4, FLOATS(1.01f, 1.f / 3, -3, 7), PACK(480, 427, 0, 3), FLOATS(1, 0.3359375f, 0, 1)},
      {5, FLOATS(-1, 1.9999f, 0, 0), 1024 << 11, FLOATS(0, 2, 0, 1)},
      {6, FLOATS(0.5f, 0.5f, 9, 0), 16 << 11 | 32 << 5 | 31, FLOATS(16.f / 31, 32.f / 63, 1, 1)},
      {7, FLOATS(0.5f, 0, 0, 0.6f), 16 << 10 | 1 << 15, FLOATS(16.f / 31, 0, 0, 1)},
      {8, FLOATS(0.5f, 0, 0, 0.1f), 8 << 8 | 2 << 12, FLOATS(8.f / 15, 0, 0, 2.f / 15)},
      {9, FLOATS(0.5f, 1, 1, 0), 0x80000000, FLOATS(0.5f, 0, 0, 1)},
      {10, FLOATS(-0.5f, 1, 1, 0), 0xc0000000, FLOATS(-0.5f, 0, 0, 1)},
      {10, FLOATS(-7, 1, 1, 0), 0x80000001, FLOATS(-1, 0, 0, 1)}};
  union test_texel *texel = test_shared(sizeof *texel);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct format format = formats[cases[i].format];
    uint32_t bits = UINT32_MAX;
    ze_image_handle_t image = test_image(one, swizzled(format));
    *texel = cases[i].written;
    test_run(kernel_of("write", format, "2d"), (const void *[]){image, texel}, 2, one);
    test_run(kernel_of("read", format, "2d"), (const void *[]){image, texel}, 2, one);
    CHECK(same(format, texel, &cases[i].read));
    test_from_image(&bits, image);
    CHECK(memcmp(&bits, &cases[i].bits, format.size) == 0);
    OK(zeImageDestroy(image));
  }
  test_free(texel);
}

/* Infinities and NaNs in 10 and 11 bits. */
TEST(infinite_and_no_number) {
  union test_texel *texel = test_shared(sizeof *texel);
  const struct format format = formats[5];
  ze_image_handle_t image = test_image(one, swizzled(format));
  const uint32_t bits = 1984 | 2019u << 11 | 1000u << 22;
  uint32_t seen = 0;
  test_to_image(image, &bits);
  test_run(kernel_of("read", format, "2d"), (const void *[]){image, texel}, 2, one);
  CHECK(isinf(texel->f[0]) && isnan(texel->f[1]) && isnan(texel->f[2]) && texel->f[3] == 1);
  test_to_image(image, &seen);
  test_run(kernel_of("write", format, "2d"), (const void *[]){image, texel}, 2, one);
  test_from_image(&seen, image);
  CHECK_EQ(seen, bits);
  texel->f[0] = 1e9f;
  texel->f[1] = INFINITY;
  texel->f[2] = NAN;
  test_run(kernel_of("write", format, "2d"), (const void *[]){image, texel}, 2, one);
  test_from_image(&seen, image);
  CHECK((seen & 0x7ff) == 1984 && (seen >> 11 & 0x7ff) == 1984 && seen >> 22 > 992);
  OK(zeImageDestroy(image));
  test_free(texel);
}

static void fill(unsigned char *bytes, uint32_t state) {
  for (size_t i = 0; i < MOST_BYTES; i++) {
    state = state * 1103515245 + 12345;
    bytes[i] = (unsigned char)(state >> 24);
  }
}

/* Any bits go through images of every type; a kernel that writes one texel changes no other, and
 * no channel that it writes as it is. */
TEST(bits_stay) {
  const size_t first = sizeof(union test_texel);
  union test_texel *texels = test_shared(30 * first);
  for (unsigned i = 0; i < FORMATS * SIZES; i++) {
    const struct format format = formats[i / SIZES];
    const struct test_size size = sizes[i % SIZES];
    const size_t all = size.width * size.height * size.depth * format.size;
    unsigned char bytes[MOST_BYTES], seen[MOST_BYTES] = {0};
    fill(bytes, i);
    ze_image_handle_t image = test_image(size, swizzled(format));
    ze_image_handle_t copy = test_image(size, swizzled(format));
    ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
    test_to_image(image, bytes);
    OK(zeCommandListAppendImageCopy(list, copy, image, NULL, 0, NULL));
    test_from_image(seen, copy);
    CHECK(memcmp(seen, bytes, all) == 0);
    test_run(kernel_of("read", format, size.name), (const void *[]){image, texels}, 2, size);
    test_run(kernel_of("write", format, size.name), (const void *[]){copy, texels}, 2, size);
    test_from_image(seen, copy);
    CHECK(memcmp(seen, bytes, all) == 0);
    const struct test_size single = {size.type, size.name, 1, 1, 1};
    memset(texels, 0, first);
    test_run(kernel_of("write", format, size.name), (const void *[]){copy, texels}, 2, single);
    test_from_image(seen, copy);
    memset(bytes, 0, format.size);
    CHECK(memcmp(seen, bytes, all) == 0);
    OK(zeCommandListDestroy(list));
    OK(zeImageDestroy(image));
    OK(zeImageDestroy(copy));
  }
  test_free(texels);
}

/* A kernel that copies texels copies all bits, where their floats hold 24 of 32; what was there
 * before, or lies beside it, has no part in that. */
TEST(copies_by_kernels) {
  for (unsigned i = 9 * SIZES; i < FORMATS * SIZES; i++) {
    const struct format format = formats[i / SIZES];
    const struct test_size size = sizes[i % SIZES];
    if (size.type != ZE_IMAGE_TYPE_2D && size.type != ZE_IMAGE_TYPE_3D) continue;
    unsigned char bytes[MOST_BYTES], seen[MOST_BYTES];
    ze_image_handle_t from = test_image(size, swizzled(format));
    ze_image_handle_t to = test_image(size, swizzled(format));
    fill(bytes, i);
    test_to_image(from, bytes);
    fill(seen, i + 1);
    test_to_image(to, seen);
    test_run(kernel_of("copy", format, size.name), (const void *[]){from, to}, 2, size);
    test_from_image(seen, to);
    CHECK(memcmp(seen, bytes, size.width * size.height * size.depth * format.size) == 0);
    OK(zeImageDestroy(from));
    OK(zeImageDestroy(to));
  }
}

/* A part of an image is copied to memory and back, with gaps between rows. */
TEST(regions) {
  const struct format format = formats[6];
  const ze_image_region_t region = {2, 1, 0, 2, 2, 1};
  enum { ROW = 7, WIDTH = 5, TEXEL = 2 };
  unsigned char bytes[MOST_BYTES], memory[2 * ROW], seen[MOST_BYTES];
  fill(bytes, 3);
  memset(memory, 0xee, sizeof memory);
  ze_image_handle_t image = test_image(two_d, swizzled(format));
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  test_to_image(image, bytes);
  OK(zeCommandListAppendImageCopyToMemoryExt(list, memory, image, &region, ROW, 0, NULL, 0, NULL));
  for (size_t y = 0; y < 2; y++) {
    CHECK(memcmp(memory + y * ROW, bytes + (2 + WIDTH * (1 + y)) * TEXEL, 2 * TEXEL) == 0);
    CHECK_EQ(memory[y * ROW + 2 * TEXEL], 0xee);
  }
  memset(memory, 0x11, sizeof memory);
  OK(zeCommandListAppendImageCopyFromMemoryExt(
      list, image, memory, &region, ROW, 0, NULL, 0, NULL));
  for (size_t y = 0; y < 2; y++)
    memset(bytes + (2 + WIDTH * (1 + y)) * TEXEL, 0x11, 2 * TEXEL);
  test_from_image(seen, image);
  CHECK(memcmp(seen, bytes, WIDTH * 3 * TEXEL) == 0);
  OK(zeCommandListDestroy(list));
  OK(zeImageDestroy(image));
}

/* Samplers read between texels, and beyond the edge, with and without an alpha of the image's own.
 */
TEST(sampled) {
  static const uint16_t bits[2][2] = {{31 << 11, 63 << 5}, {31 << 10, 31 << 5 | 1 << 15}};
  const struct test_size size = {ZE_IMAGE_TYPE_2D, "2d", 2, 1, 1},
                         items = {.width = 2, .height = 1, .depth = 1};
  const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
      .addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
      .filterMode = ZE_SAMPLER_FILTER_MODE_LINEAR};
  ze_sampler_handle_t sampler = NULL;
  union test_texel *points = test_shared(2 * sizeof *points), *seen = test_shared(2 * sizeof *seen);
  OK(zeSamplerCreate(test_context(), test_device(), &desc, &sampler));
  for (unsigned has_alpha = 0; has_alpha < 2; has_alpha++) {
    const union test_texel middle = FLOATS(0.5f, 0.5f, 0, has_alpha ? 0.5f : 1),
                           border = FLOATS(0, 0, 0, has_alpha ? 0 : 1);
    const struct format format = formats[6 + has_alpha];
    ze_image_handle_t image = test_image(size, swizzled(format));
    test_to_image(image, bits[has_alpha]);
    points[0] = (union test_texel)FLOATS(1, 0.5f, 0, 0);
    points[1] = (union test_texel)FLOATS(-4, 0.5f, 0, 0);
    test_run(
        test_image_kernel("sample_2d"), (const void *[]){image, sampler, points, seen}, 4, items);
    CHECK(same(format, &seen[0], &middle) && same(format, &seen[1], &border));
    OK(zeImageDestroy(image));
  }
  OK(zeSamplerDestroy(sampler));
  test_free(points);
  test_free(seen);
}

/* The width of a buffer's image is in bytes of the user's texels. */
TEST(buffers) {
  const uint16_t bits[3] = {31 << 11, 63 << 5, 31};
  const struct test_size made = {ZE_IMAGE_TYPE_BUFFER, "buffer", sizeof bits, 1, 1},
                         items = {ZE_IMAGE_TYPE_BUFFER, "buffer", 3, 1, 1};
  union test_texel *seen = test_shared(3 * sizeof *seen);
  ze_image_handle_t image = test_image(made, swizzled(formats[6]));
  test_to_image(image, bits);
  test_run(kernel_of("read", formats[6], "buffer"), (const void *[]){image, seen}, 2, items);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      CHECK(seen[i].f[k] == (float)(i == k));
  OK(zeImageDestroy(image));
  test_free(seen);
}

TEST(refusals) {
  struct format bad[] = {{LAYOUT(5_6_5), TYPE(UINT), 2}, {LAYOUT(5_5_5_1), TYPE(SNORM), 2},
      {LAYOUT(4_4_4_4), TYPE(FLOAT), 2}, {LAYOUT(11_11_10), TYPE(UNORM), 4}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, swizzled(bad[i])));
  ze_image_format_t lossy = swizzled(formats[0]);
  lossy.w = ZE_IMAGE_FORMAT_SWIZZLE_1;
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT, test_try_image(two_d, lossy));
  ze_kernel_handle_t kernel = test_image_kernel("increment");
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  ze_image_handle_t four = test_image(two_d, swizzled(formats[0]));
  ze_image_handle_t two = test_image(two_d, swizzled(formats[6]));
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeKernelSetArgumentValue(kernel, 0, sizeof four, &four));
  RETURNS(ERROR_INVALID_ARGUMENT, zeCommandListAppendImageCopy(list, four, two, NULL, 0, NULL));
  OK(zeCommandListDestroy(list));
  OK(zeKernelDestroy(kernel));
  OK(zeImageDestroy(four));
  OK(zeImageDestroy(two));
}

TEST_MAIN(texels, rounded_and_clamped, infinite_and_no_number, bits_stay, copies_by_kernels,
    regions, sampled, buffers, refusals)
