/* Pitched images (bindless_image.h) on the embedded device, which has them with ZECL_PITCHED=1:
 * kernels and copies read and write memory of the caller through an image. No engine has bindless
 * ones, whose rules are in unit/bindless_image.c. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/bindless_image.h"
#include "syclze/command.h"

enum { WIDTH = 5, HEIGHT = 3, CHANNELS = 4, TEXEL = CHANNELS * sizeof(float), MOST_PITCH = 256 };

__attribute__((constructor)) static void offer(void) {
  given_environment("ZECL_PITCHED", "1");
}

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  char *memory;  /* HEIGHT rows of MOST_PITCH */
  float *texels; /* without gaps */
};

static const syclze_image_input two_dimensions = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
    .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
    .dimensions = 2,
    .range = {WIDTH, HEIGHT}};

static void begin(struct world *w) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  void *memory, *texels;
  given_needs_execution();
  w->g = given();
  given_needs_zecl(w->g.driver);
  w->device = made_device(&w->g);
  w->context = made_context(&w->g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(w->context, w->device, &in_order, &w->queue), ZE_RESULT_SUCCESS);
  w->bundle = made_kernel_bundle(
      w->context, given_module(&w->g, "tests/kernels/images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_malloc_shared((size_t)HEIGHT * MOST_PITCH, w->device, w->context, &memory),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared((size_t)WIDTH * HEIGHT * TEXEL, w->device, w->context, &texels),
      ZE_RESULT_SUCCESS);
  w->memory = memory;
  w->texels = texels;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->texels, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static float *texel_at(const struct world *w, size_t pitch, size_t x, size_t y) {
  return (float *)(void *)(w->memory + y * pitch + x * TEXEL);
}

/* Runs a kernel on the image and the texels without gaps. */
static void run(
    const struct world *w, const char *name, syclze_image image, syclze_access_mode mode) {
  static const syclze_nd_range range = {.global = {WIDTH, HEIGHT, 1}, .local = {1, 1, 1}};
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(w->bundle, name, &kernel), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w->queue);
  syclze_accessor all = mode == SYCLZE_ACCESS_READ
                            ? syclze_group_require_sampled_image(&group, image)
                            : syclze_require(&group, image, mode);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(all), syclze_arg(w->texels)),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
}

/* The memory has the numbers of the texels from `first` on, and between rows what was there. */
static void check_memory(const struct world *w, size_t pitch, float first) {
  for (size_t y = 0; y < HEIGHT; y++)
    for (size_t x = 0; x * TEXEL < pitch; x++)
      CHECK(texel_at(w, pitch, x, y)[3] ==
            (x < WIDTH ? first + (float)((y * WIDTH + x) * CHANNELS + 3) : -1));
}

/* `row_pitch` is passed on; the memory's is `pitch`. */
static void read_and_write(struct world *w, size_t row_pitch, size_t pitch) {
  const syclze_image_extension extension = {.memory = w->memory, .row_pitch = row_pitch};
  syclze_image image;
  for (size_t i = 0; i < (size_t)HEIGHT * MOST_PITCH / sizeof(float); i++)
    ((float *)(void *)w->memory)[i] = -1;
  CHECK_EQ(syclze_image_create_extended(w->context, w->device, &two_dimensions, &extension, &image),
      ZE_RESULT_SUCCESS);
  for (int i = 0; i < WIDTH * HEIGHT * CHANNELS; i++)
    w->texels[i] = (float)i;
  run(w, "write_f_2d", image, SYCLZE_ACCESS_WRITE);
  check_memory(w, pitch, 0);
  for (size_t i = 0; i < WIDTH * HEIGHT * CHANNELS; i++)
    texel_at(w, pitch, i / CHANNELS % WIDTH, i / CHANNELS / WIDTH)[i % CHANNELS] += 100;
  run(w, "read_f_2d", image, SYCLZE_ACCESS_READ);
  for (int i = 0; i < WIDTH * HEIGHT * CHANNELS; i++)
    CHECK(w->texels[i] == 100 + (float)i);
  for (int i = 0; i < WIDTH * HEIGHT * CHANNELS; i++)
    w->texels[i] = 1000 + (float)i;
  syclze_group group = syclze_group_begin(w->queue);
  syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, all, syclze_mem_arg(w->texels), NULL, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->queue), ZE_RESULT_SUCCESS);
  check_memory(w, pitch, 1000);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_MEMORY, w->memory));
  check_memory(w, pitch, 1000);
}

TEST(kernels_and_copies_use_memory_of_the_caller) { // shows host_data 22
  struct world w;
  begin(&w);
  read_and_write(&w, 0, 128); /* what zecl pads rows of 80 bytes to */
  end(&w);
}

/* A pitch of the caller's is compared with the driver's, which newer loaders have. */
TEST(a_row_pitch_of_the_caller_needs_a_newer_loader) { // shows host_data 22
  struct world w;
  size_t pitch;
  begin(&w);
  refused_begin();
  const ze_result_t result =
      syclze_image_get_row_pitch_for(w.context, w.device, WIDTH, HEIGHT, TEXEL, &pitch);
  if (result == ZE_RESULT_SUCCESS) {
    CHECK_EQ(pitch, 128);
    read_and_write(&w, pitch, pitch);
    read_and_write(&w, MOST_PITCH, MOST_PITCH);
    read_and_write(&w, WIDTH * TEXEL, WIDTH * TEXEL);
  } else {
    const syclze_image_extension extension = {.memory = w.memory, .row_pitch = MOST_PITCH};
    syclze_image image;
    CHECK_EQ(pitch, 0);
    FAILED(syclze_image_get_row_pitch_for(w.context, w.device, WIDTH, HEIGHT, TEXEL, &pitch),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_image_get_row_pitch_for", "Level Zero 1.9",
        NULL);
    REFUSED(image,
        syclze_image_create_extended(w.context, w.device, &two_dimensions, &extension, &image),
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_image_create_extended", "Level Zero 1.9",
        NULL);
  }
  end(&w);
}

TEST(what_the_driver_refuses_is_passed_on) { // shows host_data 22
  struct world w;
  begin(&w);
  const char *const create = "syclze_image_create_extended";
  const syclze_image_extension bindless = {.is_bindless = true}, inside = {.memory = w.memory + 16};
  syclze_image image;
  syclze_image_input tall = two_dimensions;
  REFUSED(image,
      syclze_image_create_extended(w.context, w.device, &two_dimensions, &bindless, &image),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, create, "zeImageCreate", NULL);
  /* The last row ends behind the memory. */
  tall.range[1] = 7;
  REFUSED(image, syclze_image_create_extended(w.context, w.device, &tall, &inside, &image),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, create, "zeImageCreate", NULL);
  CHECK_EQ(syclze_image_create_extended(w.context, w.device, &two_dimensions, &inside, &image),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(kernels_and_copies_use_memory_of_the_caller,
    a_row_pitch_of_the_caller_needs_a_newer_loader, what_the_driver_refuses_is_passed_on)
