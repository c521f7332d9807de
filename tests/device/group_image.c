/* Command groups on images: copies from and to memory, between images and of regions, their
   dependencies, the native image in a host task, and images with samplers. */
#include "support/made.h"
#include "support/refused.h"

enum { WIDTH = 8, HEIGHT = 4, PIXELS = WIDTH * HEIGHT };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[3]; /* in order, out of order, on a command queue */
  syclze_image images[2]; /* of 32-bit integers */
  uint32_t *in, *out;     /* accessible to the device */
  void *memory;
};

enum { QUEUES = 3 };

static struct world begin(void) {
  given_needs_execution();
  struct world w = {.g = given()};
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  static const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 2,
      .range = {WIDTH, HEIGHT}};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  for (int i = 0; i < 2; i++) {
    ze_result_t result = syclze_image_create(w.context, w.device, &input, &w.images[i]);
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_create(w.context, w.device, &in_order, &w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &w.queues[1]), ZE_RESULT_SUCCESS);
  w.queues[2] =
      made_queue(&w.g, w.context, syclze_native_queue_of(w.g.queue), SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_malloc_shared(2 * PIXELS * sizeof *w.in, w.device, w.context, &w.memory),
      ZE_RESULT_SUCCESS);
  w.in = w.memory;
  w.out = w.in + PIXELS;
  for (uint32_t i = 0; i < PIXELS; i++)
    w.in[i] = 1000 + i, w.out[i] = 0;
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(w->images[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static void write_image(syclze_queue queue, syclze_image image, const uint32_t *from,
    const ze_image_region_t *region, syclze_event after) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, after);
  syclze_accessor to = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, to, syclze_mem_arg(from), region, NULL),
      ZE_RESULT_SUCCESS);
}

static void read_image(
    syclze_queue queue, syclze_image image, uint32_t *to, const ze_image_region_t *region) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor from = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(to), from, region, NULL),
      ZE_RESULT_SUCCESS);
}

static void copy_image(syclze_queue queue, syclze_image target, syclze_image source) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor to = syclze_require(&group, target, SYCLZE_ACCESS_WRITE);
  syclze_accessor from = syclze_require(&group, source, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy_image(&group, to, from, NULL), ZE_RESULT_SUCCESS);
}

/* Into one image, to the other and out, each on another kind of queue, after a gate: the accessors
   are the only ordering. */
TEST(images_are_ordered_between_queues) {
  for (int turn = 0; turn < QUEUES; turn++) {
    struct world w = begin();
    syclze_event gate;
    CHECK_EQ(syclze_event_create(w.context, 0, &gate), ZE_RESULT_SUCCESS);
    write_image(w.queues[turn], w.images[0], w.in, NULL, gate);
    copy_image(w.queues[(turn + 1) % QUEUES], w.images[1], w.images[0]);
    read_image(w.queues[(turn + 2) % QUEUES], w.images[1], w.out, NULL);
    CHECK_EQ(w.out[0], 0);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
    for (int i = 0; i < QUEUES; i++)
      CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (uint32_t i = 0; i < PIXELS; i++)
      CHECK_EQ(w.out[i], 1000 + i);
    CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST(exactly_the_regions_are_copied) {
  struct world w = begin();
  const syclze_event none = {NULL};
  const ze_image_region_t inner = {2, 1, 0, 3, 2, 1}; /* 3 wide and 2 high at 2, 1 */
  const uint32_t six[6] = {1, 2, 3, 4, 5, 6};
  for (int i = 0; i < QUEUES; i++) {
    uint32_t read[6] = {0};
    write_image(w.queues[i], w.images[0], w.in, NULL, none);
    write_image(w.queues[i], w.images[0], six, &inner, none);
    read_image(w.queues[i], w.images[0], w.out, NULL);
    read_image(w.queues[i], w.images[0], read, &inner);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (uint32_t k = 0; k < PIXELS; k++) {
      uint32_t column = k % WIDTH - inner.originX, row = k / WIDTH - inner.originY;
      bool inside = column < inner.width && row < inner.height;
      CHECK_EQ(w.out[k], inside ? six[row * inner.width + column] : 1000 + k);
    }
    CHECK(memcmp(read, six, sizeof six) == 0);
  }
  end(&w);
}

struct seen {
  syclze_accessor read, written, unregistered;
  struct world *w;
};

/* Copies between the images through Level Zero alone. */
static ze_result_t copy_natively(syclze_interop_handle handle, void *argument) {
  const struct seen *seen = argument;
  ze_image_handle_t from, to, none;
  syclze_backend_return native;
  void *memory;
  CHECK_EQ(syclze_get_native_mem(handle, seen->read, &from), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_get_native_mem(handle, seen->written, &to), ZE_RESULT_SUCCESS);
  CHECK_EQ(from, seen->read.native);
  CHECK_EQ(to, seen->written.native);
  CHECK_EQ(syclze_get_native_mem(handle, seen->unregistered, &none), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ((uintptr_t)none, 0);
  CHECK_EQ(syclze_get_native_mem(handle, seen->read, &memory), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_interop_handle_get_native(handle, SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO,
               SYCLZE_OBJECT_IMAGE, &seen->written, &native),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(native.kind, SYCLZE_OBJECT_IMAGE);
  CHECK_EQ(native.image, to);
  ze_command_list_handle_t list = seen->w->g.list;
  CHECK_EQ(zeCommandListAppendImageCopy(list, to, from, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  ze_event_handle_t done = given_event(&seen->w->g);
  CHECK_EQ(zeCommandListAppendBarrier(list, done, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(done, UINT64_MAX), ZE_RESULT_SUCCESS);
  return zeEventDestroy(done);
}

TEST(a_host_task_works_on_the_native_images) { // shows interop 2 3 13 15 16
  const syclze_event none = {NULL};
  for (int i = 0; i < QUEUES; i++) {
    struct world w = begin();
    struct seen seen = {.w = &w};
    write_image(w.queues[i], w.images[0], w.in, NULL, none);
    syclze_group other = syclze_group_begin(w.queues[i]);
    seen.unregistered = syclze_require(&other, w.images[1], SYCLZE_ACCESS_READ);
    syclze_group group = syclze_group_begin(w.queues[i]);
    seen.read = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ);
    seen.written = syclze_require(&group, w.images[1], SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_group_host_task(&group, copy_natively, &seen, NULL), ZE_RESULT_SUCCESS);
    read_image(w.queues[i], w.images[1], w.out, NULL);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (uint32_t k = 0; k < PIXELS; k++)
      CHECK_EQ(w.out[k], 1000 + k);
    end(&w);
  }
}

TEST(accessors_of_buffers_and_read_only_images_are_refused) {
  struct world w = begin();
  const ze_command_queue_handle_t native = w.queues[1].rep->native.queue;
  syclze_group group = syclze_group_begin(w.queues[1]);
  syclze_accessor image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ);
  FAILED(syclze_group_copy_to_image(&group, image, syclze_mem_arg(w.in), NULL, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_group_copy_to_image", "only reads", native);
  group = syclze_group_begin(w.queues[1]);
  image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_WRITE);
  FAILED(syclze_group_copy(&group, syclze_mem_arg(image), syclze_mem_arg(w.in), 4, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_group_copy", "must be a buffer's", native);
  /* Memory that is written. */
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(PIXELS * sizeof *w.in, w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = memory, .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[1]);
  image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ);
  syclze_accessor read = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  FAILED(syclze_group_copy_from_image(&group, syclze_mem_arg(read), image, NULL, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_group_copy_from_image", "only reads", native);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[1]);
  image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ);
  syclze_accessor other = syclze_require(&group, w.images[1], SYCLZE_ACCESS_READ);
  FAILED(syclze_group_copy_image(&group, image, other, NULL), SYCLZE_RESULT_ERROR_ACCESSOR,
      "syclze_group_copy_image", "only reads", native);
  group = syclze_group_begin(w.queues[1]);
  image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_WRITE);
  const syclze_accessor none = {0};
  FAILED(syclze_group_copy_image(&group, image, none, NULL), SYCLZE_RESULT_ERROR_ACCESSOR,
      "syclze_group_copy_image", "does not belong to the command group", native);
  end(&w);
}

/* Memory for half of an image. */
TEST(memory_smaller_than_the_region_is_refused) {
  struct world w = begin();
  const ze_command_queue_handle_t native = w.queues[1].rep->native.queue;
  const ze_image_region_t half = {0, 0, 0, WIDTH, HEIGHT / 2, 1};
  void *memory;
  syclze_buffer buffer;
  CHECK_EQ(syclze_malloc_shared(PIXELS * 4 / 2, w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 7, PIXELS * 4 / 2);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {PIXELS / 2, 0, 0}};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  for (int to_image = 0; to_image < 2; to_image++)
    for (int fits = 0; fits < 2; fits++) {
      syclze_group group = syclze_group_begin(w.queues[1]);
      syclze_accessor bytes = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
      syclze_accessor image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ_WRITE);
      const ze_image_region_t *region = fits ? &half : NULL;
      if (to_image && fits)
        CHECK_EQ(syclze_group_copy_to_image(&group, image, syclze_mem_arg(bytes), region, NULL),
            ZE_RESULT_SUCCESS);
      else if (fits)
        CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(bytes), image, region, NULL),
            ZE_RESULT_SUCCESS);
      else if (to_image)
        FAILED(syclze_group_copy_to_image(&group, image, syclze_mem_arg(bytes), region, NULL),
            SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy_to_image", "smaller", native);
      else
        FAILED(syclze_group_copy_from_image(&group, syclze_mem_arg(bytes), image, region, NULL),
            SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy_from_image", "smaller", native);
    }
  CHECK_EQ(syclze_queue_wait(w.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

/* The last one overflows 64 bits. */
TEST(a_region_outside_the_image_is_refused) {
  struct world w = begin();
  const ze_command_queue_handle_t native = w.queues[1].rep->native.queue;
  static const ze_image_region_t beside[] = {{0, 0, 0, WIDTH + 1, HEIGHT, 1},
      {1, 0, 0, WIDTH, HEIGHT, 1}, {0, HEIGHT, 0, 1, 1, 1}, {0, 0, 0, 1, 1, 2},
      {UINT32_MAX, 0, 0, 1, 1, 1}, {0, 0, 0, 1u << 31, 1u << 31, 4}};
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) {
    syclze_group group = syclze_group_begin(w.queues[1]);
    syclze_accessor image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ_WRITE);
    FAILED(syclze_group_copy_to_image(&group, image, syclze_mem_arg(w.in), &beside[i], NULL),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy_to_image", "in the image", native);
    group = syclze_group_begin(w.queues[1]);
    image = syclze_require(&group, w.images[0], SYCLZE_ACCESS_READ_WRITE);
    FAILED(syclze_group_copy_from_image(&group, syclze_mem_arg(w.out), image, &beside[i], NULL),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy_from_image", "in the image", native);
  }
  end(&w);
}

static ze_result_t tell_image(syclze_interop_handle handle, void *argument) {
  const syclze_accessor *accessor = argument;
  ze_image_handle_t image;
  ze_result_t result = syclze_get_native_mem(handle, *accessor, &image);
  CHECK_EQ(image, accessor->native);
  return result;
}

/* Written on one queue, read through a sampler by a kernel and by a host task on others. */
TEST(a_sampled_image_is_read_by_kernels_and_host_tasks) { // shows interop 14
  struct world w = begin();
  static const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {WIDTH, HEIGHT}};
  static const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
      .addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
      .filterMode = ZE_SAMPLER_FILTER_MODE_NEAREST};
  static const syclze_nd_range range = {.global = {WIDTH, HEIGHT}, .local = {WIDTH, 1}};
  const syclze_event none = {NULL};
  syclze_image image;
  ze_sampler_handle_t sampler;
  void *read;
  CHECK_EQ(syclze_image_create(w.context, w.device, &input, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeSamplerCreate(w.g.context, w.g.device, &desc, &sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(4 * PIXELS * sizeof(float), w.device, w.context, &read),
      ZE_RESULT_SUCCESS);
  float *texels = read;
  for (uint32_t i = 0; i < PIXELS; i++) {
    const float value = (float)i + 0.5f;
    memcpy(&w.in[i], &value, sizeof value);
    texels[4 * i] = -1;
  }
  syclze_kernel_bundle bundle = made_kernel_bundle(
      w.context, given_module(&w.g, "tests/kernels/images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, "read_image", &kernel), ZE_RESULT_SUCCESS);
  write_image(w.queues[1], image, w.in, NULL, none);
  syclze_group group = syclze_group_begin(w.queues[0]);
  syclze_accessor sampled = syclze_group_require_sampled_image(&group, image);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(sampled), syclze_arg(sampler),
               syclze_arg(read)),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[2]);
  sampled = syclze_group_require_sampled_image(&group, image);
  CHECK_EQ(syclze_group_host_task(&group, tell_image, &sampled, NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < PIXELS; i++)
    CHECK(texels[4 * i] == (float)i + 0.5f);
  group = syclze_group_begin(w.queues[0]);
  sampled = syclze_group_require_sampled_image(&group, image);
  FAILED(syclze_group_copy_to_image(&group, sampled, syclze_mem_arg(w.in), NULL, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_group_copy_to_image", "only reads",
      w.queues[0].rep->native.queue);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeSamplerDestroy(sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(read, w.context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(images_are_ordered_between_queues, exactly_the_regions_are_copied,
    memory_smaller_than_the_region_is_refused, a_region_outside_the_image_is_refused,
    a_host_task_works_on_the_native_images, accessors_of_buffers_and_read_only_images_are_refused,
    a_sampled_image_is_read_by_kernels_and_host_tasks)
