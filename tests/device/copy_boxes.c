/* Copies of boxes (syclze/command/copy_3d.h) and fills of images (syclze/command/image_fill.h), on
   queues of every kind, with events and without. */
#include "support/made.h"
#include "support/refused.h"

#include "syclze/command/copy_3d.h"
#include "syclze/command/graph.h"
#include "syclze/command/image_fill.h"

enum { QUEUES = 3, X = 16, Y = 8, Z = 6, ALL = X * Y * Z };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES];
  syclze_event gate;
  int *from, *to; /* ALL each */
};

static struct world begin(void) {
  static const uint32_t kinds[QUEUES] = {
      SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST};
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  made_queues(w.context, w.device, kinds, w.queues, QUEUES);
  w.gate = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(
      syclze_malloc_shared(2 * ALL * sizeof(int), w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  w.from = memory;
  w.to = w.from + ALL;
  for (int i = 0; i < ALL; i++)
    w.from[i] = i + 1;
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->from, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static struct world begin_to_run(void) {
  given_needs_execution();
  return begin();
}

static const size_t box[3] = {3 * sizeof(int), 4, 2};
static const size_t pitches[2] = {X * sizeof(int), X *Y * sizeof(int)};

static int place(int x, int y, int z) {
  return (z * Y + y) * X + x;
}

/* Out of the middle of the one array into that of the other, and nothing else. */
TEST(a_box_is_copied_and_nothing_around_it) { // shows queues 26
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    syclze_event done;
    memset(w.to, 0, ALL * sizeof(int));
    CHECK_EQ(syclze_queue_copy_3d(w.queues[i], &w.to[place(1, 2, 3)], pitches,
                 &w.from[place(5, 1, 2)], pitches, box, &w.gate, 1, &done),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(done, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(w.to[place(1, 2, 3)], 0);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    for (int z = 0; z < Z; z++)
      for (int y = 0; y < Y; y++)
        for (int x = 0; x < X; x++) {
          const bool is_in = x >= 1 && x < 4 && y >= 2 && y < 6 && z >= 3 && z < 5;
          CHECK_EQ(w.to[place(x, y, z)], is_in ? w.from[place(x + 4, y - 1, z - 1)] : 0);
        }
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Packed on one side, of one slice, of nothing. */
TEST(boxes_of_any_shape_are_copied) { // shows queues 26
  struct world w = begin_to_run();
  static const size_t plane[3] = {3 * sizeof(int), 4, 1}, none[3] = {4, 0, 2};
  for (int i = 0; i < QUEUES; i++) {
    memset(w.to, 0, ALL * sizeof(int));
    CHECK_EQ(syclze_queue_copy_3d(w.queues[i], w.to, NULL, w.from, pitches, box, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (int j = 0; j < 24; j++)
      CHECK_EQ(w.to[j], w.from[place(j % 3, j / 3 % 4, j / 12)]);
    CHECK_EQ(w.to[24], 0);
    CHECK_EQ(
        syclze_queue_copy_3d(w.queues[i], &w.to[24], NULL, w.from, pitches, plane, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
    syclze_event done;
    CHECK_EQ(syclze_queue_copy_3d(
                 w.queues[i], &w.to[36], pitches, w.from, pitches, none, NULL, 0, &done),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (int j = 0; j < 12; j++)
      CHECK_EQ(w.to[24 + j], w.from[place(j % 3, j / 3, 0)]);
    CHECK_EQ(w.to[36], 0);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

static ze_result_t add_one(syclze_interop_handle handle, void *argument) {
  int *numbers = argument;
  (void)handle;
  for (int i = 0; i < ALL; i++)
    numbers[i]++;
  return ZE_RESULT_SUCCESS;
}

/* Which defers the copy, and orders it by an accessor. */
TEST(a_box_of_an_accessor_follows_a_host_task) { // shows queues 26
  struct world w = begin_to_run();
  const syclze_buffer_input input = {.native_handle = w.from, .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_native(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queues[1]);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  syclze_group_depends_on(&group, w.gate);
  CHECK_EQ(syclze_group_host_task(&group, add_one, w.from, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[0]);
  const syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  syclze_event done;
  CHECK_EQ(syclze_group_copy_3d(&group, syclze_mem_arg((void *)w.to), NULL, syclze_mem_arg(all),
               pitches, box, &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  for (int j = 0; j < 24; j++)
    CHECK_EQ(w.to[j], place(j % 3, j / 3 % 4, j / 12) + 2);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(wrong_boxes_are_refused) { // shows queues 26
  struct world w = begin();
  static const size_t low_row[2] = {8, 1024}, low_slice[2] = {64, 255};
  static const size_t far_row[2] = {(size_t)1 << 32, (size_t)1 << 40};
  static const size_t wide[3] = {(size_t)1 << 32, 1, 1};
  const ze_command_list_handle_t list = syclze_get_native(w.queues[0]).list;
  const char *const function = "syclze_queue_copy_3d";
  const struct {
    void *to;
    const size_t *pitches, *extent;
    ze_result_t result;
    const char *rule;
  } all[] = {
      {w.to, low_row, box, SYCLZE_RESULT_ERROR_INVALID, "pitch of rows"},
      {w.to, low_slice, box, SYCLZE_RESULT_ERROR_INVALID, "pitch of slices"},
      {w.to, far_row, box, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "4 GiB"},
      {w.to, NULL, wide, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "2^32"},
      {w.to, NULL, NULL, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "the extent's pointer is null"},
      {NULL, NULL, box, ZE_RESULT_ERROR_INVALID_NULL_POINTER, "the memory's pointer is null"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    syclze_event done;
    REFUSED(done,
        syclze_queue_copy_3d(
            w.queues[0], all[i].to, all[i].pitches, w.from, NULL, all[i].extent, NULL, 0, &done),
        all[i].result, function, all[i].rule, list);
    syclze_group group = syclze_group_begin(w.queues[0]);
    REFUSED(done,
        syclze_group_copy_3d(&group, syclze_mem_arg(all[i].to), NULL,
            syclze_mem_arg((void *)w.from), all[i].pitches, all[i].extent, &done),
        all[i].result, "syclze_group_copy_3d", all[i].rule, list);
  }
  end(&w);
}

/* 32-bit integers of two dimensions. */
static syclze_image made_image(const struct world *w) {
  static const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 2,
      .range = {X, Y}};
  syclze_image image;
  const ze_result_t result = syclze_image_create(w->context, w->device, &input, &image);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  return image;
}

static void fill_image(syclze_queue queue, syclze_image image, uint32_t value,
    const ze_image_region_t *region, syclze_event gate, syclze_event *done) {
  const uint32_t pixel[4] = {value, value + 1, value + 2, value + 3};
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_fill_image(&group, all, pixel, region, done), ZE_RESULT_SUCCESS);
}

TEST(images_are_filled_whole_and_in_part) { // shows queues 27
  struct world w = begin_to_run();
  const syclze_image image = made_image(&w);
  const ze_image_region_t region = {3, 2, 0, 5, 4, 1};
  const syclze_event none = {0};
  for (int i = 0; i < QUEUES; i++) {
    static uint32_t read[X * Y][4];
    syclze_event done;
    fill_image(w.queues[i], image, 10, NULL, w.gate, NULL);
    fill_image(w.queues[(i + 1) % QUEUES], image, 70, &region, none, &done);
    CHECK_EQ(syclze_event_wait_for(done, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(w.queues[i]);
    const syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg((void *)read), all, NULL, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    for (uint32_t j = 0; j < X * Y; j++) {
      const uint32_t x = j % X, y = j / X;
      const uint32_t value = x >= 3 && x < 8 && y >= 2 && y < 6 ? 70 : 10;
      for (uint32_t c = 0; c < 4; c++)
        CHECK_EQ(read[j][c], value + c);
    }
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(wrong_fills_of_images_are_refused) { // shows queues 27
  struct world w = begin();
  const syclze_image image = made_image(&w);
  const ze_image_region_t beyond = {X, 0, 0, 1, 1, 1};
  const uint32_t pixel[4] = {0};
  const ze_command_list_handle_t list = syclze_get_native(w.queues[0]).list;
  const char *const function = "syclze_group_copy_to_image";
  syclze_event done;
  syclze_group group = syclze_group_begin(w.queues[0]);
  syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  REFUSED(done, syclze_group_fill_image(&group, all, NULL, NULL, &done),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the pixel's pointer is null", list);
  group = syclze_group_begin(w.queues[0]);
  all = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  REFUSED(done, syclze_group_fill_image(&group, all, pixel, &beyond, &done),
      SYCLZE_RESULT_ERROR_INVALID, function, "does not lie in the image", list);
  /* Neither the row behind the last one, of which a height of 0 is one, nor nothing is a part. */
  static const ze_image_region_t outside[] = {{0, Y, 0, X, 0, 0}, {0, 0, 1, X, 1, 0}, {0}};
  for (int i = 0; i < 3; i++) {
    group = syclze_group_begin(w.queues[0]);
    const syclze_accessor part = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
    REFUSED(done, syclze_group_fill_image(&group, part, pixel, &outside[i], &done),
        SYCLZE_RESULT_ERROR_INVALID, function, "does not lie in the image", list);
  }
  group = syclze_group_begin(w.queues[0]);
  all = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  REFUSED(done, syclze_group_fill_image(&group, all, pixel, NULL, &done),
      SYCLZE_RESULT_ERROR_ACCESSOR, function, "only reads", list);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(boxes_and_fills_of_images_are_not_recorded) { // shows queues 27
  struct world w = begin();
  const syclze_image image = made_image(&w);
  const uint32_t pixel[4] = {0};
  const ze_command_list_handle_t list = syclze_get_native(w.queues[0]).list,
                                 other = syclze_get_native(w.queues[1]).list;
  syclze_graph graph;
  syclze_event done;
  CHECK_EQ(syclze_graph_create(w.context, w.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  REFUSED(done, syclze_queue_copy_3d(w.queues[0], w.to, NULL, w.from, NULL, box, NULL, 0, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_copy_3d", "recorded to a graph", list);
  syclze_group group = syclze_group_begin(w.queues[0]);
  const syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  REFUSED(done, syclze_group_fill_image(&group, all, pixel, NULL, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy_to_image", "are not recorded", list);
  /* Nor does another queue begin to record. */
  syclze_event recorded;
  CHECK_EQ(syclze_queue_submit_barrier(w.queues[0], &recorded), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[1]);
  syclze_group_depends_on(&group, recorded);
  const syclze_accessor whole = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  REFUSED(done, syclze_group_fill_image(&group, whole, pixel, NULL, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy_to_image", "are not recorded", other);
  CHECK(!syclze_queue_is_recording(w.queues[1]));
  CHECK_EQ(syclze_release(recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(a_box_is_copied_and_nothing_around_it, boxes_of_any_shape_are_copied,
    a_box_of_an_accessor_follows_a_host_task, wrong_boxes_are_refused,
    images_are_filled_whole_and_in_part, wrong_fills_of_images_are_refused,
    boxes_and_fills_of_images_are_not_recorded)
