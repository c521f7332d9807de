/* How does an image of the application become a SYCL image? By its handle and a description, which
   Level Zero cannot query from the handle. */
#include "common.h"
#include "syclze/syclze.h"

#include <string.h>

enum { WIDTH = 4, HEIGHT = 2, BYTES = WIDTH * HEIGHT * 4 };

int main(void) {
  ze_device_handle_t device;
  ze_context_handle_t context = open_device(&device);
  syclze_device gpu;
  syclze_context ctx;
  syclze_queue queue;
  TRY(syclze_make_native(device, &gpu));
  syclze_context_input its = {context, &gpu, 1, SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&its, &ctx));
  ze_command_queue_desc_t list_desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list;
  TRY(zeCommandListCreateImmediate(context, device, &list_desc, &list));
  syclze_queue_input queue_input = {.native_handle = syclze_native_queue_of(list), .device = gpu};
  TRY(syclze_make_native(&queue_input, ctx, &queue));

  ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
      .type = ZE_IMAGE_TYPE_2D,
      .width = WIDTH,
      .height = HEIGHT,
      .depth = 1};
  TRY(syclze_image_format(
      SYCLZE_IMAGE_CHANNEL_ORDER_RGBA, SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8, &desc.format));
  ze_image_handle_t native;
  TRY(zeImageCreate(context, device, &desc, &native));
  unsigned char pixels[BYTES], read[BYTES] = {0};
  for (int i = 0; i < BYTES; i++)
    pixels[i] = (unsigned char)(7 * i);
  TRY(zeCommandListAppendImageCopyFromMemory(list, native, pixels, NULL, NULL, 0, NULL));

  syclze_image_input input = {.native_handle = native,
      .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 2,
      .range = {WIDTH, HEIGHT},
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_image image;
  TRY(syclze_make_native(&input, ctx, &image));
  CLAIM(syclze_image_get_range(image, 0) == WIDTH);
  CLAIM(syclze_image_get_range(image, 1) == HEIGHT);
  TRY(syclze_release(image));
  TRY(zeCommandListAppendImageCopyToMemory(list, read, native, NULL, NULL, 0, NULL));
  CLAIM(memcmp(read, pixels, BYTES) == 0);
  puts("kept: the image is the application's again, with its pixels");

  input.range[1] = 0;
  CLAIM(syclze_make_native(&input, ctx, &image) == SYCLZE_RESULT_ERROR_INVALID);
  input.range[1] = HEIGHT;
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  TRY(syclze_make_native(&input, ctx, &image));
  TRY(syclze_release(image));
  puts("transferred: the release destroyed it");

  TRY(syclze_release(queue));
  TRY(syclze_release(ctx));
  TRY(zeContextDestroy(context));
  return 0;
}
