/* Images (4.3, 4.4): one to three dimensions, width first, ownership of the input. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#include "syclze/bindless_image.h"

#define FUNCTION "syclze_make_image"

enum { BYTES = 4, MOST = 8 * 4 * 2 };

struct image_case {
  struct given g;
  syclze_device device;
  syclze_context context;
  uint32_t dimensions;
  ze_image_handle_t native;
};

/* A native image of RGBA bytes: 8 wide, 4 high, 2 deep, in its first dimensions. */
static struct image_case begin(uint32_t dimensions) {
  struct image_case c = {.g = given(), .dimensions = dimensions};
  c.device = made_device(&c.g);
  c.context = made_context(&c.g, SYCLZE_OWNERSHIP_KEEP);
  static const ze_image_type_t types[] = {ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_3D};
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = types[dimensions - 1],
      .width = 8,
      .height = dimensions > 1 ? 4 : 1,
      .depth = dimensions > 2 ? 2 : 1};
  CHECK_EQ(syclze_image_format(SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
               SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, &desc.format),
      ZE_RESULT_SUCCESS);
  ze_result_t result = zeImageCreate(c.g.context, c.g.device, &desc, &c.native);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return c;
}

static void end(struct image_case *c) {
  CHECK_EQ(syclze_context_release(c->context), ZE_RESULT_SUCCESS);
  given_end(&c->g);
}

static syclze_image_input input_of(const struct image_case *c, syclze_ownership ownership) {
  return (syclze_image_input){.native_handle = c->native,
      .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = c->dimensions,
      .range = {8, 4, 2},
      .ownership = ownership};
}

/* Copies bytes into the image and back, where the driver executes commands. */
static void works_image(struct image_case *c, ze_image_handle_t image) {
  if (!given_executes()) return;
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(2 * MOST * BYTES, c->device, c->context, &memory), ZE_RESULT_SUCCESS);
  size_t size = BYTES * (c->dimensions == 1 ? 8u : c->dimensions == 2 ? 32u : 64u);
  unsigned char *in = memory, *out = in + MOST * BYTES;
  for (size_t i = 0; i < size; i++)
    in[i] = (unsigned char)(i + 1), out[i] = 0;
  CHECK_EQ(zeCommandListAppendImageCopyFromMemory(c->g.list, image, in, NULL, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendBarrier(c->g.list, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendImageCopyToMemory(c->g.list, out, image, NULL, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendBarrier(c->g.list, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  works_wait(&c->g, c->g.list);
  CHECK_EQ(memcmp(in, out, size), 0);
  CHECK_EQ(syclze_free(memory, c->context), ZE_RESULT_SUCCESS);
}

TEST(images_of_one_to_three_dimensions_are_wrapped_width_first) { // shows backend 65
  static const size_t ranges[3] = {8, 4, 2};
  for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
    struct image_case c = begin(dimensions);
    syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_TRANSFER);
    syclze_image image;
    CHECK_EQ(syclze_make_image(&input, c.context, &image), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_image_get_dimensions(image), dimensions);
    for (uint32_t i = 0; i < 3; i++)
      CHECK_EQ(syclze_image_get_range(image, i), i < dimensions ? ranges[i] : 1);
    CHECK_EQ(syclze_image_get_context(image).rep, c.context.rep);
    works_image(&c, c.native);
    CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
    end(&c);
  }
}

TEST(a_transferred_image_is_destroyed_by_the_last_release) { // shows backend 67
  struct image_case c = begin(2);
  syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_image image;
  CHECK_EQ(syclze_make_image(&input, c.context, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_retain(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  works_image(&c, c.native);
  CHECK_EQ(spy_destroys_of(c.native), 0);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(c.native), 1);
  end(&c);
}

TEST(a_kept_image_is_not_destroyed) { // shows backend 68
  struct image_case c = begin(2);
  syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_KEEP);
  syclze_image image;
  CHECK_EQ(syclze_make_image(&input, c.context, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(c.native), 0);
  works_image(&c, c.native);
  CHECK_EQ(zeImageDestroy(c.native), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST(an_image_keeps_its_context) {
  struct image_case c = begin(1);
  syclze_context own = made_context(&c.g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_image image;
  CHECK_EQ(syclze_make_image(&input, own, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(own), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(c.g.context), 0);
  works_image(&c, c.native);
  CHECK_EQ(zeCommandListDestroy(c.g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(c.g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(c.g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  spy_check_order(c.native, c.g.context);
  end(&c);
}

TEST(an_invalid_image_description_is_refused) { // shows backend 64
  struct image_case c = begin(2);
  const struct {
    syclze_image_input input;
    ze_result_t code;
    const char *rule;
  } cases[] = {{{.dimensions = 0}, SYCLZE_RESULT_ERROR_INVALID, "one to three"},
      {{.dimensions = 4, .range = {1, 1, 1}}, SYCLZE_RESULT_ERROR_INVALID, "one to three"},
      {{.dimensions = 1, .range = {0, 1, 1}}, SYCLZE_RESULT_ERROR_INVALID, "one pixel"},
      {{.dimensions = 3, .range = {1, 1, 0}}, SYCLZE_RESULT_ERROR_INVALID, "one pixel"},
      {{.dimensions = 2, .range = {1, (size_t)1 << 32}}, SYCLZE_RESULT_ERROR_INVALID, "too large"},
      {{.dimensions = 1, .range = {SIZE_MAX / 8}}, SYCLZE_RESULT_ERROR_INVALID, "too large"},
      {{.dimensions = 3, .range = {1 << 20, 1 << 20, 1 << 20}}, SYCLZE_RESULT_ERROR_INVALID,
          "too large"},
      {{.dimensions = 1, .range = {1}, .chan_order = 99}, ZE_RESULT_ERROR_INVALID_ENUMERATION,
          "must be SYCL's"},
      {{.dimensions = 1, .range = {1}, .chan_type = 99}, ZE_RESULT_ERROR_INVALID_ENUMERATION,
          "must be SYCL's"},
      {{.dimensions = 1,
           .range = {1},
           .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA,
           .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8},
          ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "sRGBA"},
      {{.dimensions = 1, .range = {1}, .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565},
          ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "565"},
      {{.dimensions = 1, .range = {1}, .ownership = 2}, ZE_RESULT_ERROR_INVALID_ENUMERATION,
          "4.4"}};
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_image_input input = cases[i].input;
    input.native_handle = c.native;
    syclze_image image;
    REFUSED(image, syclze_make_image(&input, c.context, &image), cases[i].code, FUNCTION,
        cases[i].rule, c.native);
  }
  works_image(&c, c.native);
  CHECK_EQ(zeImageDestroy(c.native), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST(null_is_refused) { // shows backend 66 70
  struct image_case c = begin(2);
  syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_TRANSFER), null = input;
  null.native_handle = NULL;
  syclze_event no_event = {0};
  syclze_image image;
  REFUSED(image, syclze_make_image(&null, c.context, &image), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "null", NULL);
  REFUSED(image, syclze_make_image(&input, made_no_context(), &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "context", c.native);
  REFUSED(image, syclze_make_image(NULL, c.context, &image), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  REFUSED(image, syclze_make_image_after(&input, c.context, no_event, &image),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_image_after", "event", c.native);
  FAILED(syclze_make_image(&input, c.context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION,
      "null", NULL);
  works_image(&c, c.native);
  CHECK_EQ(zeImageDestroy(c.native), ZE_RESULT_SUCCESS);
  end(&c);
}

/* Formats that the driver accepts are created, used and destroyed; for the others its error is
   passed through. */
TEST(every_image_format_is_created_or_refused_by_the_driver) {
  struct image_case c = begin(2);
  CHECK_EQ(zeImageDestroy(c.native), ZE_RESULT_SUCCESS);
  int created = 0;
  for (int order = 0; order <= SYCLZE_IMAGE_CHANNEL_ORDER_ABGR; order++)
    for (int type = 0; type <= SYCLZE_IMAGE_CHANNEL_TYPE_FP32; type++) {
      ze_image_format_t format;
      syclze_image_input input = {.chan_order = (syclze_image_channel_order)order,
          .chan_type = (syclze_image_channel_type)type,
          .dimensions = 2,
          .range = {8, 4}};
      if (syclze_image_format(input.chan_order, input.chan_type, &format) != ZE_RESULT_SUCCESS)
        continue;
      syclze_image image;
      ze_result_t result = syclze_image_create(c.context, c.device, &input, &image);
      CHECK_EQ(image.rep != NULL, result == ZE_RESULT_SUCCESS);
      created += result == ZE_RESULT_SUCCESS;
      CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
    }
  CHECK(created > 0);
  end(&c);
}

TEST(arrays_are_created_and_wrapped) { // shows host_data 16
  for (uint32_t dimensions = 1; dimensions <= 2; dimensions++) {
    struct image_case c = begin(dimensions);
    CHECK_EQ(zeImageDestroy(c.native), ZE_RESULT_SUCCESS);
    syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_KEEP);
    syclze_image created, made;
    input.array_size = 3;
    CHECK_EQ(syclze_image_create(c.context, c.device, &input, &created), ZE_RESULT_SUCCESS);
    input.native_handle = (ze_image_handle_t)created.rep->memory.native;
    /* Destroys of an earlier image at this address. */
    const unsigned before = spy_destroys_of(input.native_handle);
    CHECK_EQ(syclze_make_image(&input, c.context, &made), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_image_get_array_size(made), 3);
    CHECK_EQ(syclze_image_get_range(made, dimensions), 3);
    CHECK_EQ(syclze_image_release(made), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(input.native_handle), before);
    CHECK_EQ(syclze_image_release(created), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(input.native_handle), before + 1);
    end(&c);
  }
}

static bool has_bindless(const struct given *g) {
  ze_driver_extension_properties_t list[128];
  uint32_t count = sizeof list / sizeof *list;
  bool has = false;
  CHECK_EQ(zeDriverGetExtensionProperties(g->driver, &count, list), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    has = has || strcmp(list[i].name, "ZE_experimental_bindless_image") == 0;
  return has;
}

/* The driver's image is created and destroyed once; the memory stays the caller's. */
TEST(pitched_and_bindless_images_are_created_or_refused_by_name) { // shows host_data 21
  struct image_case c = begin(2);
  const syclze_image_extension bindless = {.is_bindless = true};
  syclze_image_input input = input_of(&c, SYCLZE_OWNERSHIP_KEEP);
  syclze_image image;
  size_t pitch = 1;
  CHECK_EQ(zeImageDestroy(c.native), ZE_RESULT_SUCCESS);
  if (!has_bindless(&c.g)) {
    REFUSED(image, syclze_image_create_extended(c.context, c.device, &input, &bindless, &image),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_image_create_extended",
        "ZE_experimental_bindless_image", NULL);
    FAILED(syclze_image_get_row_pitch_for(c.context, c.device, 8, 4, 4, &pitch),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_image_get_row_pitch_for",
        "ZE_experimental_bindless_image", NULL);
    CHECK_EQ(pitch, 0);
    end(&c);
    return;
  }
  syclze_image_extension pitched = {0};
  uint64_t offset = 0;
  CHECK_EQ(syclze_image_get_row_pitch_for(c.context, c.device, 8, 4, 4, &pitch), ZE_RESULT_SUCCESS);
  CHECK(pitch >= 32);
  CHECK_EQ(
      syclze_malloc_device(4 * pitch, c.device, c.context, &pitched.memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_create_extended(c.context, c.device, &input, &pitched, &image),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(pitched.memory), 0);
  CHECK_EQ(syclze_free(pitched.memory, c.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_create_extended(c.context, c.device, &input, &bindless, &image),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_get_device_offset(image, &offset), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST_MAIN(images_of_one_to_three_dimensions_are_wrapped_width_first,
    a_transferred_image_is_destroyed_by_the_last_release, a_kept_image_is_not_destroyed,
    an_image_keeps_its_context, an_invalid_image_description_is_refused, null_is_refused,
    every_image_format_is_created_or_refused_by_the_driver, arrays_are_created_and_wrapped,
    pitched_and_bindless_images_are_created_or_refused_by_name)
