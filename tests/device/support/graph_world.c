#include "graph_world.h"

#include "graph.h"

static ze_result_t create_image(
    ze_context_handle_t context, ze_device_handle_t device, ze_image_handle_t *image) {
  static const ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_32,
          .type = ZE_IMAGE_FORMAT_TYPE_UINT,
          .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
          .y = ZE_IMAGE_FORMAT_SWIZZLE_0,
          .z = ZE_IMAGE_FORMAT_SWIZZLE_0,
          .w = ZE_IMAGE_FORMAT_SWIZZLE_1},
      .width = GRAPH_COLUMNS,
      .height = GRAPH_ROWS,
      .depth = 1};
  return zeImageCreate(context, device, &desc, image);
}

ze_image_handle_t graph_world_image(const struct graph_world *world, const uint32_t *contents) {
  ze_image_handle_t image;
  CHECK_EQ(create_image(syclze_context_get_native(world->context),
               syclze_device_get_native(world->device), &image),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(
      zeCommandListAppendImageCopyFromMemory(world->list, image, contents, NULL, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  return image;
}

syclze_image graph_world_make_image(
    const struct graph_world *world, ze_image_handle_t native, syclze_ownership ownership) {
  const syclze_image_input input = {.native_handle = native,
      .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 2,
      .range = {GRAPH_COLUMNS, GRAPH_ROWS},
      .ownership = ownership};
  syclze_image image;
  CHECK_EQ(syclze_make_image(&input, world->context, &image), ZE_RESULT_SUCCESS);
  return image;
}

void graph_world_read(
    const struct graph_world *world, ze_image_handle_t image, uint32_t *contents) {
  CHECK_EQ(zeCommandListAppendImageCopyToMemory(world->list, contents, image, NULL, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
}

static bool has_images(const struct given *g) {
  ze_image_handle_t image;
  ze_result_t result = create_image(g->context, g->device, &image);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) return false;
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(zeImageDestroy(image), ZE_RESULT_SUCCESS);
  return true;
}

static syclze_kernel kernel_of(syclze_kernel_bundle bundle, const char *name) {
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, name, &kernel), ZE_RESULT_SUCCESS);
  return kernel;
}

static void images_begin(struct graph_world *world, const struct given *g) {
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = g->ordinal,
      .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  world->images = made_kernel_bundle(
      world->context, given_module(g, "tests/kernels/graph_images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  world->set_image = kernel_of(world->images, "graph_set_image");
  world->mix_image = kernel_of(world->images, "graph_mix_image");
  CHECK_EQ(
      zeCommandListCreateImmediate(g->context, g->device, &desc, &world->list), ZE_RESULT_SUCCESS);
}

void graph_world_begin(struct graph_world *world, const struct given *g, syclze_context context,
    syclze_kernel_bundle bundle) {
  memset(world, 0, sizeof *world);
  world->device = made_device(g);
  world->context = context;
  for (int i = 0; i < GRAPH_QUEUES - 1; i++) {
    syclze_property_list properties = {
        .flags = (GRAPH_IN_ORDER >> i & 1) != 0 ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0};
    CHECK_EQ(syclze_queue_create(context, world->device, &properties, &world->queues[i]),
        ZE_RESULT_SUCCESS);
  }
  world->queues[GRAPH_QUEUES - 1] =
      made_queue(g, context, syclze_native_queue_of(given_queue(g)), SYCLZE_OWNERSHIP_TRANSFER);
  world->set = kernel_of(bundle, "graph_set");
  world->mix = kernel_of(bundle, "graph_mix");
  world->sum = kernel_of(bundle, "graph_sum");
  world->local = kernel_of(bundle, "graph_local");
  if (has_images(g)) images_begin(world, g);
}

void graph_world_end(struct graph_world *world) {
  CHECK_EQ(syclze_kernel_release(world->set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->mix), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->sum), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->local), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->set_image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(world->mix_image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(world->images), ZE_RESULT_SUCCESS);
  if (world->list != NULL) CHECK_EQ(zeCommandListDestroy(world->list), ZE_RESULT_SUCCESS);
  for (int i = 0; i < GRAPH_QUEUES; i++)
    CHECK_EQ(syclze_queue_release(world->queues[i]), ZE_RESULT_SUCCESS);
}
