/* The metadata of transfers: which memory, where in it, how much, and between which devices. */
#define _POSIX_C_SOURCE 200809L
#include "support/traced.h"

#include "syclze/trace/xpti.h"

__attribute__((constructor)) static void set_environment(void) {
  setenv("TRACE_LEVEL", "2", 1);
  setenv("CHECKER_ONLY", "urEnqueueUSM", 1); /* images have other sizes here */
}

#define WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

static struct checker c;

/* Metadata of the last node. */
static void check_range(syclze_buffer buffer, uint64_t offset, uint64_t size) {
  CHECK_EQ(c.value("memory_object"), WORD(buffer.rep));
  CHECK_EQ(c.value("offset"), offset);
  CHECK_EQ(c.value("access_range_start"), offset);
  CHECK_EQ(c.value("access_range_end"), offset + size);
  CHECK_EQ(c.value("memory_size"), size);
}

static void copy_parts(struct traced *t) {
  static uint32_t values[64];
  const size_t offset[3] = {16, 0, 0}, range[3] = {64, 0, 0};
  syclze_group group = syclze_group_begin(t->queue);
  syclze_accessor part =
      syclze_group_require_range_nd(&group, t->a, SYCLZE_ACCESS_READ, offset, range);
  CHECK_EQ(syclze_group_copy_part(&group, syclze_mem_arg(values), syclze_mem_arg(part), NULL),
      ZE_RESULT_SUCCESS);
  check_range(t->a, 64, 256);
  CHECK_EQ(c.value("dest_memory_ptr"), WORD(values));
  CHECK_EQ(c.value("copy_from"), WORD(t->g.device));
  CHECK_EQ(c.value("copy_to"), 0);
  group = syclze_group_begin(t->queue);
  part = syclze_group_require_range_nd(&group, t->a, SYCLZE_ACCESS_READ, offset, range);
  CHECK_EQ(syclze_group_update_host(&group, values, part, NULL), ZE_RESULT_SUCCESS);
  check_range(t->a, 64, 256);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
}

static void copy_all(struct traced *t) {
  static uint32_t values[256];
  syclze_group group = syclze_group_begin(t->queue);
  syclze_accessor from = syclze_require(&group, t->a, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(values), syclze_mem_arg(from), 128, NULL),
      ZE_RESULT_SUCCESS);
  check_range(t->a, 0, 128);
  group = syclze_group_begin(t->queue);
  syclze_accessor to = syclze_require(&group, t->b, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(to), syclze_mem_arg(values), 128, NULL),
      ZE_RESULT_SUCCESS);
  check_range(t->b, 0, 128);
  CHECK_EQ(c.value("src_memory_ptr"), WORD(values));
  CHECK_EQ(c.value("copy_from"), 0);
  CHECK_EQ(c.value("copy_to"), WORD(t->g.device));
  group = syclze_group_begin(t->queue);
  from = syclze_require(&group, t->a, SYCLZE_ACCESS_READ);
  to = syclze_require(&group, t->b, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy(&group, syclze_mem_arg(to), syclze_mem_arg(from), 64, NULL),
      ZE_RESULT_SUCCESS);
  check_range(t->b, 0, 64);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
}

static void copy_rows(struct traced *t) {
  static const uint8_t seven = 7;
  static uint32_t values[64];
  void *memory;
  CHECK_EQ(syclze_malloc_shared(128, t->device, t->context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_copy_2d(t->queue, values, 16, memory, 32, 8, 4, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(c.value("memory_size"), 8 * 4);
  CHECK_EQ(c.value("src_memory_ptr"), WORD(memory));
  CHECK_EQ(c.value("dest_memory_ptr"), WORD(values));
  CHECK_EQ(syclze_queue_fill_2d(t->queue, memory, 32, &seven, 1, 8, 4, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(c.value("memory_size"), 8 * 4);
  CHECK_EQ(c.value("memory_ptr"), WORD(memory));
  CHECK_EQ(c.value("value_set"), 7);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, t->context), ZE_RESULT_SUCCESS);
  for (int stream = CHECKER_UR; stream <= CHECKER_UR_DEBUG; stream++) {
    CHECK_EQ(c.seen(stream, 0, "urEnqueueUSMMemcpy2D"), 1);
    CHECK_EQ(c.seen(stream, 0, "urEnqueueUSMFill2D"), 1);
  }
}

static void copy_image(struct traced *t) {
  static uint32_t pixels[32];
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 2,
      .range = {8, 4}};
  const ze_image_region_t part = {2, 1, 0, 3, 2, 1};
  syclze_image image;
  if (syclze_image_create(t->context, t->device, &input, &image) != ZE_RESULT_SUCCESS) return;
  syclze_group group = syclze_group_begin(t->queue);
  syclze_accessor accessor = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, accessor, syclze_mem_arg(pixels), NULL, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(c.value("memory_object"), WORD(image.rep));
  CHECK_EQ(c.value("memory_size"), sizeof pixels);
  CHECK_EQ(c.value("copy_from"), 0);
  CHECK_EQ(c.value("copy_to"), WORD(t->g.device));
  group = syclze_group_begin(t->queue);
  accessor = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(pixels), accessor, &part, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(c.value("memory_object"), WORD(image.rep));
  CHECK_EQ(c.value("memory_size"), 3 * 2 * 4);
  CHECK_EQ(c.value("copy_from"), WORD(t->g.device));
  CHECK_EQ(c.value("copy_to"), 0);
  CHECK_EQ(syclze_queue_wait(t->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
}

// shows promises 64, queues 16, tracing 14
TEST(transfers_have_the_memory_the_range_and_the_devices_of_the_call) {
  given_needs_execution();
  c = traced_subscribe("framework_2025.so");
  struct traced t = traced_begin();
  copy_parts(&t);
  copy_all(&t);
  copy_rows(&t);
  copy_image(&t);
  traced_end(&t);
  CHECK_STR_EQ(c.wrong(), NULL);
}

TEST_MAIN(transfers_have_the_memory_the_range_and_the_devices_of_the_call)
