/* Images of every format that a driver creates, wrapped and created. */
#include "tests/device/support/made.h"
#include "tests/device/support/refused.h"
#include "tests/device/support/spy.h"

static const ze_image_type_t native_types[] = {
    ZE_IMAGE_TYPE_1D, ZE_IMAGE_TYPE_2D, ZE_IMAGE_TYPE_3D};

/* Some devices have no images. */
static struct given begin(void) {
  struct given g = given();
  ze_device_image_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
  CHECK_EQ(zeDeviceGetImageProperties(g.device, &properties), ZE_RESULT_SUCCESS);
  if (properties.maxImageDims2D == 0) {
    given_end(&g);
    SKIP("the device has no images");
  }
  return g;
}

static syclze_image_input input_of(
    syclze_image_channel_order order, syclze_image_channel_type type, uint32_t dimensions) {
  return (syclze_image_input){
      .chan_order = order, .chan_type = type, .dimensions = dimensions, .range = {16, 8, 4}};
}

static ze_result_t native_image(
    const struct given *g, const syclze_image_input *input, ze_image_handle_t *image) {
  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = native_types[input->dimensions - 1],
      .width = 16,
      .height = input->dimensions > 1 ? 8 : 1,
      .depth = input->dimensions > 2 ? 4 : 1};
  CHECK_EQ(
      syclze_image_format(input->chan_order, input->chan_type, &desc.format), ZE_RESULT_SUCCESS);
  *image = NULL;
  return zeImageCreate(g->context, g->device, &desc, image);
}

static void check_shape(syclze_image image, syclze_context context, uint32_t dimensions) {
  CHECK_EQ(syclze_image_get_context(image).rep, context.rep);
  CHECK_EQ(syclze_image_get_dimensions(image), dimensions);
  CHECK_EQ(syclze_image_get_range(image, 0), 16);
  CHECK_EQ(syclze_image_get_range(image, 1), dimensions > 1 ? 8 : 1);
  CHECK_EQ(syclze_image_get_range(image, 2), dimensions > 2 ? 4 : 1);
}

/* Wraps the native image under both ownerships. */
static void check_made(syclze_context context, syclze_image_input input, ze_image_handle_t native) {
  syclze_image image;
  input.native_handle = native;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_EQ(syclze_make_image(&input, context, &image), ZE_RESULT_SUCCESS);
  check_shape(image, context, input.dimensions);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_IMAGE, native));
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  CHECK_EQ(syclze_make_image(&input, context, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_retain(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_IMAGE, native));
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK(!spy_is_alive(SPY_IMAGE, native));
}

/* Formats that the driver creates are wrapped and created by syclze; for the others syclze passes
   the driver's code through. */
TEST(every_sycl_format_in_every_dimension) {
  struct given g = begin();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  unsigned made = 0;
  for (uint32_t order = 0; order < SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA; order++)
    for (uint32_t type = 0; type <= SYCLZE_IMAGE_CHANNEL_TYPE_FP32; type++)
      for (uint32_t dimensions = 1; dimensions <= 3; dimensions++) {
        const syclze_image_input input = input_of(
            (syclze_image_channel_order)order, (syclze_image_channel_type)type, dimensions);
        ze_image_format_t format;
        if (syclze_image_format(input.chan_order, input.chan_type, &format) != ZE_RESULT_SUCCESS)
          continue;
        ze_image_handle_t native;
        const ze_result_t result = native_image(&g, &input, &native);
        syclze_image image;
        if (result != ZE_RESULT_SUCCESS) {
          REFUSED(image, syclze_image_create(context, made_device(&g), &input, &image), result,
              "syclze_image_create", "zeImageCreate", NULL);
          continue;
        }
        check_made(context, input, native);
        CHECK_EQ(syclze_image_create(context, made_device(&g), &input, &image), ZE_RESULT_SUCCESS);
        check_shape(image, context, dimensions);
        CHECK_EQ(spy_alive(SPY_IMAGE), 1);
        CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
        CHECK_EQ(spy_alive(SPY_IMAGE), 0);
        made++;
      }
  /* Orders of one, two and four channels have twelve types each. */
  CHECK(made >= 3 * 12 * 12);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_refused_image_stays_with_the_caller) {
  struct given g = begin();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_image_input right =
      input_of(SYCLZE_IMAGE_CHANNEL_ORDER_RGBA, SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, 2);
  CHECK_EQ(native_image(&g, &right, &right.native_handle), ZE_RESULT_SUCCESS);
  syclze_image_input none = right, four = right, srgba = right, packed = right, no_order = right;
  none.range[1] = 0;
  four.dimensions = 4;
  srgba.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_EXT_ONEAPI_SRGBA;
  packed.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565;
  no_order.chan_order = (syclze_image_channel_order)99;
  const struct {
    const syclze_image_input *input;
    ze_result_t code;
    const char *rule;
  } cases[] = {{&none, SYCLZE_RESULT_ERROR_INVALID, "at least one pixel"},
      {&four, SYCLZE_RESULT_ERROR_INVALID, "dimensions"},
      {&srgba, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "sRGBA"},
      {&packed, ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT, "RGB or RGBx"},
      {&no_order, ZE_RESULT_ERROR_INVALID_ENUMERATION, "must be SYCL's"}};
  syclze_image image;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    REFUSED(image, syclze_make_image(cases[i].input, context, &image), cases[i].code,
        "syclze_make_image", cases[i].rule, right.native_handle);
  CHECK(spy_is_alive(SPY_IMAGE, right.native_handle));
  check_made(context, right, right.native_handle);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* A transferred context lives until its transferred image is destroyed. */
TEST(an_image_outlives_the_last_reference_to_its_context) {
  struct given g = begin();
  struct given own = g;
  own.context = given_context(&g);
  syclze_context context = made_context(&own, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_image_input input =
      input_of(SYCLZE_IMAGE_CHANNEL_ORDER_R, SYCLZE_IMAGE_CHANNEL_TYPE_FP32, 3);
  CHECK_EQ(native_image(&own, &input, &input.native_handle), ZE_RESULT_SUCCESS);
  syclze_image image;
  CHECK_EQ(syclze_make_image(&input, context, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_CONTEXT, own.context));
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  spy_check_order(input.native_handle, own.context);
  given_end(&g);
}

TEST_MAIN(every_sycl_format_in_every_dimension, a_refused_image_stays_with_the_caller,
    an_image_outlives_the_last_reference_to_its_context)
