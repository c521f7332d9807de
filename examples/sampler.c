/* How does a kernel read between the pixels of an image? Through a sampler, which the
   library keeps until the launch is done, as it does the image. */
#include "command.h"

#include "syclze/command/image_host_accessor.h"

enum { WIDTH = 4, HEIGHT = 2, POINTS = 3 };

int main(int argc, char **argv) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  syclze_kernel_bundle_input module = {
      .native_handle = load_module(syclze_get_native(context), syclze_get_native(device),
          argc > 1 ? argv[1] : "examples/sampler.spv")};
  syclze_kernel_bundle bundle;
  syclze_kernel sample;
  TRY(syclze_make_native(&module, context, &bundle));
  TRY(syclze_kernel_create(bundle, "sample", &sample));

  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {WIDTH, HEIGHT}};
  const float pixels[HEIGHT][WIDTH] = {{0, 10, 20, 30}, {0, 10, 20, 30}};
  syclze_image image;
  TRY(syclze_image_create(context, device, &input, &image));
  TRY(syclze_image_write(image, NULL, pixels, 0, 0));

  const syclze_sampler_desc linear = {.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE,
      .filtering = SYCLZE_FILTERING_MODE_LINEAR};
  syclze_sampler sampler;
  TRY(syclze_sampler_create(context, device, &linear, &sampler));

  /* At the middle of a pixel, between two, and beyond the edge. */
  float(*points)[4], (*values)[4];
  void *memory;
  TRY(syclze_malloc_shared(2 * POINTS * sizeof *points, device, context, &memory));
  points = memory;
  values = points + POINTS;
  const float x[POINTS] = {1.5f, 2, 9}, expected[POINTS] = {10, 15, 30};
  for (int i = 0; i < POINTS; i++)
    points[i][0] = x[i], points[i][1] = 0.5f;

  const syclze_nd_range range = {.global = {POINTS}, .local = {1}};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor from = syclze_group_require_sampled_image(&group, image);
  syclze_accessor by = syclze_group_require_sampler(&group, sampler);
  TRY(syclze_launch(&group, sample, &range, NULL, syclze_arg(from), syclze_arg(by),
      syclze_arg(points), syclze_arg(values)));
  /* Neither waits for the launch. */
  TRY(syclze_release(sampler));
  TRY(syclze_release(image));
  TRY(syclze_queue_wait(queue));

  int wrong = 0;
  for (int i = 0; i < POINTS; i++) {
    printf("at %.1f: %.1f\n", (double)x[i], (double)values[i][0]);
    wrong += values[i][0] != expected[i];
  }
  TRY(syclze_free(memory, context));
  TRY(syclze_release(sample));
  TRY(syclze_release(bundle));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
