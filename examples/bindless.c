/* How does a kernel choose among many images at run time? By numbers in its memory: bindless
   images. A loader or a driver without them refuses them by name. */
#include "command.h"
#include "syclze/bindless_image.h"

enum { IMAGES = 4, WIDTH = 64, HEIGHT = 32 };

static void show(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  printf("%s: %s\n", diagnostic->function, diagnostic->rule);
}

int main(void) {
  const syclze_diagnostic_handler handler = {.notify = show};
  syclze_diagnostic_set_handler(&handler);
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNORM_INT8,
      .dimensions = 2,
      .range = {WIDTH, HEIGHT}};
  const syclze_sampler_desc linear = {.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE,
      .filtering = SYCLZE_FILTERING_MODE_LINEAR};
  const syclze_image_extension bindless = {.is_bindless = true, .sampler = &linear};
  syclze_image images[IMAGES];
  uint64_t numbers[IMAGES];
  int count = 0;
  while (count < IMAGES) {
    if (syclze_image_create_extended(context, device, &input, &bindless, &images[count]) !=
        ZE_RESULT_SUCCESS)
      break;
    if (syclze_image_get_device_offset(images[count], &numbers[count]) == ZE_RESULT_SUCCESS)
      printf("image %d is number %llu\n", count, (unsigned long long)numbers[count]);
    count++;
  }
  /* Kernels take the numbers as values, or find them in a buffer; the group that launches one
     requires each image, or the program keeps the images and the order. */
  if (count < IMAGES) puts("no bindless images here: each is an argument of its kernel");
  while (count-- > 0)
    TRY(syclze_release(images[count]));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
