/* Each call, allocation, thread and lock fails in turn while images are made, filled, copied and
   released. */
#include "support/scene.h"
#include "support/sweep.h"

static bool is_created, is_kept;

static ze_image_desc_t image_desc(void) {
  return (ze_image_desc_t){.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_1D,
      .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_32, .type = ZE_IMAGE_FORMAT_TYPE_UINT},
      .width = SEGMENTS * 2,
      .height = 1,
      .depth = 1};
}

/* Null after a failure. */
static syclze_image image_of(const struct scene_base *scene, ze_image_handle_t native) {
  syclze_image image = {NULL};
  syclze_image_input input = {.native_handle = native,
      .chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 1,
      .range = {SEGMENTS * 2},
      .ownership = is_kept ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER};
  const ze_result_t result =
      is_created ? syclze_image_create(scene->context, scene->device, &input, &image)
                 : syclze_make_image(&input, scene->context, &image);
  sweep_check_result(result);
  CHECK((result == ZE_RESULT_SUCCESS) == (image.rep != NULL));
  return image;
}

static void scenario(void) {
  struct scene_base scene;
  uint64_t *memory;
  ze_image_handle_t natives[2] = {NULL};
  const ze_image_desc_t desc = image_desc();
  const uint64_t pattern = 0x0102030405060708;
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory);
  for (int i = 0; i < 2 && !is_created; i++)
    CHECK_EQ(zeImageCreate(scene.native, scene.handle, &desc, &natives[i]), ZE_RESULT_SUCCESS);

  sweep_arm();
  syclze_image images[2] = {image_of(&scene, natives[0]), image_of(&scene, natives[1])};
  const bool made = images[0].rep != NULL && images[1].rep != NULL;
  bool copied = made;
  for (int step = 0; step < 4 && copied; step++) {
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor a, b;
    ze_result_t result;
    if (step == 0) {
      a = syclze_require(&group, buffer, SYCLZE_ACCESS_DISCARD_WRITE);
      result = syclze_group_fill(
          &group, syclze_mem_arg(a), &pattern, sizeof pattern, SEGMENTS * sizeof pattern, NULL);
    } else if (step == 1) {
      a = syclze_require(&group, images[0], SYCLZE_ACCESS_DISCARD_WRITE);
      b = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
      const ze_image_region_t all = {0, 0, 0, SEGMENTS * 2, 1, 1};
      result = syclze_group_copy_to_image(&group, a, syclze_mem_arg(b), &all, NULL);
    } else if (step == 2) {
      a = syclze_require(&group, images[1], SYCLZE_ACCESS_DISCARD_WRITE);
      b = syclze_require(&group, images[0], SYCLZE_ACCESS_READ);
      result = syclze_group_copy_image(&group, a, b, NULL);
    } else {
      a = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
      b = syclze_require(&group, images[1], SYCLZE_ACCESS_READ);
      const ze_image_region_t half = {0, 0, 0, SEGMENTS, 1, 1};
      result = syclze_group_copy_from_image(&group, syclze_mem_arg(a), b, &half, NULL);
    }
    sweep_check_result(result);
    copied = result == ZE_RESULT_SUCCESS;
  }
  /* Under keep the release waits for the work; under transfer the image goes when that is done. */
  for (int i = 0; i < 2; i++) {
    sweep_check_result(syclze_image_release(images[i]));
    if (images[i].rep == NULL && natives[i] != NULL && !is_kept) CHECK(strict_is_alive(natives[i]));
  }
  sweep_check_result(syclze_buffer_release(buffer));
  sweep_disarm();
  if (copied && !sweep_failed())
    for (uint32_t i = 0; i < SEGMENTS; i++)
      CHECK_EQ(memory[i], pattern);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  unsigned kept = 2; /* the context, the buffer's memory */
  for (int i = 0; i < 2; i++)
    kept += natives[i] != NULL && (is_kept || images[i].rep == NULL);
  sweep_settle(kept);
  if (sweep_failed()) return;
  CHECK(made);
  for (int i = 0; i < 2 && is_kept && !is_created; i++)
    CHECK_EQ(zeImageDestroy(natives[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

TEST(images_that_are_created) {
  is_created = true;
  is_kept = false;
  sweep_all(scenario);
}

TEST(images_that_are_transferred) {
  is_created = is_kept = false;
  sweep_all(scenario);
}

TEST(images_that_are_kept) {
  is_created = false;
  is_kept = true;
  sweep_all(scenario);
}

TEST_MAIN(images_that_are_created, images_that_are_transferred, images_that_are_kept)
