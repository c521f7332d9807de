/* Entries of the table of traced commands for each transfer: the memory objects on both sides. */
#include "support/scene.h"

#include "syclze/detail/trace_hooks.h"

static struct scene_base scene;
static syclze_queue queue;

static struct syclze__trace_transfer_info given;

static struct syclze__trace_node *trace_begin(const struct syclze__trace_command_info *command) {
  CHECK(command->transfer != NULL);
  given = *command->transfer;
  return NULL;
}

static void trace_end(struct syclze__trace_node *node, ze_result_t result, bool over) {
  (void)node, (void)result, (void)over;
}

static void trace_host_begin(struct syclze__trace_node *node) {
  (void)node;
}

static void trace_host_end(struct syclze__trace_node *node, bool ran) {
  (void)node, (void)ran;
}

static const struct syclze__trace_commands tracing = {.command_begin = trace_begin,
    .command_end = trace_end,
    .host_task_begin = trace_host_begin,
    .host_task_end = trace_host_end};

static syclze_image image_of_eight_pixels(void) {
  syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 1,
      .range = {8}};
  syclze_image image;
  CHECK_EQ(syclze_image_create(scene.context, scene.device, &input, &image), ZE_RESULT_SUCCESS);
  return image;
}

static void check_given(
    enum syclze__trace_transfer kind, const void *to, const void *from, size_t size) {
  CHECK_EQ(given.kind, kind);
  CHECK_EQ(given.to.object, to);
  CHECK_EQ(given.from.object, from);
  CHECK_EQ(given.size, size);
  memset(&given, 0, sizeof given);
}

TEST(transfers_are_given_with_their_objects) {
  const uint64_t value = 7;
  uint64_t host[16] = {0};
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer a = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL),
                b = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  syclze_image images[2] = {image_of_eight_pixels(), image_of_eight_pixels()};
  const void *of_a = &a.rep->memory, *of_b = &b.rep->memory;
  const void *of_images[2] = {&images[0].rep->memory, &images[1].rep->memory};
  __atomic_store_n(&SYCLZE__STATE.trace_commands, &tracing, __ATOMIC_RELEASE);

  syclze_group group = syclze_group_begin(queue);
  syclze_accessor to = syclze_require(&group, a, SYCLZE_ACCESS_WRITE);
  syclze_accessor from = syclze_require(&group, b, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(to), syclze_mem_arg(from), 16, NULL), 0);
  check_given(SYCLZE__TRACE_COPY, of_a, of_b, 16);
  group = syclze_group_begin(queue);
  to = syclze_require(&group, a, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(to), syclze_mem_arg(host), 16, NULL), 0);
  check_given(SYCLZE__TRACE_COPY, of_a, NULL, 16);
  group = syclze_group_begin(queue);
  to = syclze_group_require_range(&group, a, SYCLZE_ACCESS_WRITE, 2, 3);
  from = syclze_group_require_range(&group, b, SYCLZE_ACCESS_READ, 1, 3);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(to), syclze_mem_arg(from), NULL), 0);
  check_given(SYCLZE__TRACE_COPY, of_a, of_b, 24);
  group = syclze_group_begin(queue);
  to = syclze_require(&group, a, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(to), &value, sizeof value, 32, NULL), 0);
  check_given(SYCLZE__TRACE_FILL, of_a, NULL, 32);
  group = syclze_group_begin(queue);
  to = syclze_require(&group, images[0], SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, to, syclze_mem_arg(host), NULL, NULL), 0);
  check_given(SYCLZE__TRACE_IMAGE_WRITE, of_images[0], NULL, 128);
  group = syclze_group_begin(queue);
  to = syclze_require(&group, images[1], SYCLZE_ACCESS_WRITE);
  from = syclze_require(&group, images[0], SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy_image(&group, to, from, NULL), 0);
  check_given(SYCLZE__TRACE_IMAGE_COPY, of_images[1], of_images[0], 128);
  group = syclze_group_begin(queue);
  from = syclze_require(&group, images[1], SYCLZE_ACCESS_READ);
  const ze_image_region_t half = {4, 0, 0, 4, 1, 1};
  CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(host), from, &half, NULL), 0);
  CHECK_EQ(given.origin[0], 4);
  CHECK_EQ(given.extent[0], 4);
  check_given(SYCLZE__TRACE_IMAGE_READ, NULL, of_images[1], 64);

  __atomic_store_n(&SYCLZE__STATE.trace_commands, NULL, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_release(images[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(a), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(b), ZE_RESULT_SUCCESS);
  scene_end(&scene);
}

TEST_MAIN(transfers_are_given_with_their_objects)
