/* Host accessors of images (SYCL 2020 4.7.6.14), and arrays of images: orders against command
   groups both ways, contents, regions and pitches, what is refused and what fails. */
#include "support/failing_each.h"
#include "support/made.h"
#include "support/refused.h"
#include "support/two_queues.h"

#include "syclze/command/image_host_accessor.h"

enum { WIDTH = 8, HEIGHT = 4, PIXELS = WIDTH * HEIGHT, LAYERS = 3 };

struct world {
  struct two_queues two;
  syclze_image image; /* of 32-bit integers */
  uint32_t *memory;   /* shared: PIXELS of each value below 10, in their order */
};

static const syclze_event none;

static syclze_image_input input_of(uint32_t dimensions, uint32_t layers) {
  return (syclze_image_input){.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = dimensions,
      .range = {WIDTH, HEIGHT, 2},
      .array_size = layers};
}

static void begin(struct world *w) {
  const syclze_image_input input = input_of(2, 0);
  void *memory;
  given_needs_execution();
  two_queues_begin(&w->two);
  const syclze_context context = w->two.context;
  const ze_result_t result = syclze_image_create(context, w->two.device, &input, &w->image);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(10 * PIXELS * sizeof *w->memory, w->two.device, context, &memory),
      ZE_RESULT_SUCCESS);
  w->memory = memory;
  for (uint32_t i = 0; i < 10 * PIXELS; i++)
    w->memory[i] = i / PIXELS;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_wait(w->two.other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w->two.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_release(w->image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->two.context), ZE_RESULT_SUCCESS);
  two_queues_end(&w->two);
}

/* Sets all pixels, after the gate if it is not null. */
static void fill(const struct world *w, syclze_queue queue, uint32_t value, syclze_event gate) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor to = syclze_require(&group, w->image, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  CHECK_EQ(syclze_group_copy_to_image(
               &group, to, syclze_mem_arg(w->memory + value * PIXELS), NULL, NULL),
      ZE_RESULT_SUCCESS);
}

static uint32_t *open_scope(
    const struct world *w, syclze_access_mode mode, syclze_host_accessor *accessor) {
  CHECK_EQ(syclze_image_host_accessor_create(w->image, mode, NULL, accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_byte_size(*accessor), PIXELS * sizeof(uint32_t));
  CHECK_EQ(syclze_host_accessor_get_row_pitch(*accessor), WIDTH * sizeof(uint32_t));
  CHECK_EQ(syclze_host_accessor_get_slice_pitch(*accessor), PIXELS * sizeof(uint32_t));
  return syclze_host_accessor_get_pointer(*accessor);
}

static void check_all(const struct world *w, uint32_t value) {
  uint32_t seen[PIXELS];
  CHECK_EQ(syclze_image_read(w->image, NULL, seen, 0, 0), ZE_RESULT_SUCCESS);
  for (int i = 0; i < PIXELS; i++)
    CHECK_EQ(seen[i], value);
}

TEST(the_host_sees_what_groups_wrote_and_groups_what_the_host_wrote) { // shows host_data 13
  struct world w;
  begin(&w);
  for (uint32_t round = 1; round < 9; round++) {
    syclze_host_accessor accessor;
    fill(&w, round % 2 ? w.two.queue : w.two.other, round, none);
    uint32_t *pixels = open_scope(&w, SYCLZE_ACCESS_READ_WRITE, &accessor);
    for (int i = 0; i < PIXELS; i++) {
      CHECK_EQ(pixels[i], round);
      pixels[i] = round + 1000;
    }
    CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
    syclze_group group = syclze_group_begin(w.two.queue);
    syclze_accessor from = syclze_require(&group, w.image, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_copy_from_image(&group, syclze_mem_arg(w.memory), from, NULL, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.two.queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(w.memory[PIXELS - 1], round + 1000);
    check_all(&w, round + 1000);
  }
  end(&w);
}

/* Neither submission blocks, nor does the group run before the scope has ended. */
TEST(groups_that_depend_on_an_open_scope_are_deferred) { // shows host_data 13
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 1, none);
  syclze_host_accessor accessor, reader;
  uint32_t *pixels = open_scope(&w, SYCLZE_ACCESS_READ, &accessor);
  CHECK_EQ(open_scope(&w, SYCLZE_ACCESS_READ, &reader)[0], 1);
  CHECK_EQ(syclze_host_accessor_release(reader), ZE_RESULT_SUCCESS);
  fill(&w, w.two.queue, 2, none);
  fill(&w, w.two.other, 3, none);
  for (int i = 0; i < PIXELS; i++)
    CHECK_EQ(pixels[i], 1);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  check_all(&w, 3);
  end(&w);
}

TEST(an_event_says_when_the_host_may) { // shows host_data 13
  struct world w;
  begin(&w);
  fill(&w, w.two.other, 7, w.two.gate);
  syclze_host_accessor accessor;
  syclze_event ready;
  CHECK_EQ(
      syclze_image_host_accessor_begin(w.image, SYCLZE_ACCESS_READ_WRITE, NULL, &accessor, &ready),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(ready)), ZE_RESULT_NOT_READY);
  fill(&w, w.two.queue, 8, none);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.two.gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(ready), ZE_RESULT_SUCCESS);
  const uint32_t *pixels = syclze_host_accessor_get_pointer(accessor);
  for (int i = 0; i < PIXELS; i++)
    CHECK_EQ(pixels[i], 7);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(ready), ZE_RESULT_SUCCESS);
  check_all(&w, 8);
  end(&w);
}

TEST(an_image_that_an_event_makes_available_is_waited_for) { // shows host_data 13
  struct world w;
  begin(&w);
  syclze_image_input input = input_of(2, 0);
  syclze_image after;
  syclze_event ready;
  syclze_host_accessor accessor;
  input.native_handle = (ze_image_handle_t)w.image.rep->memory.native;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_EQ(syclze_make_image_after(&input, w.two.context, w.two.gate, &after), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_image_host_accessor_begin(after, SYCLZE_ACCESS_DISCARD_WRITE, NULL, &accessor, &ready),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventQueryStatus(syclze_event_get_native(ready)), ZE_RESULT_NOT_READY);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.two.gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait(accessor), ZE_RESULT_SUCCESS);
  memcpy(
      syclze_host_accessor_get_pointer(accessor), w.memory + 4 * PIXELS, PIXELS * sizeof(uint32_t));
  /* The accessor keeps the image. */
  CHECK_EQ(syclze_image_release(after), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(ready), ZE_RESULT_SUCCESS);
  check_all(&w, 4);
  end(&w);
}

/* Regions of two host accessors; groups require all of an image. */
TEST(a_region_waits_for_no_other_region) { // shows host_data 13
  struct world w;
  begin(&w);
  fill(&w, w.two.queue, 1, none);
  const ze_image_region_t left = {0, 0, 0, 3, HEIGHT, 0}, right = {3, 1, 0, 2, 2, 1};
  syclze_host_accessor first, second;
  CHECK_EQ(syclze_image_host_accessor_create(w.image, SYCLZE_ACCESS_DISCARD_WRITE, &left, &first),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_host_accessor_create(w.image, SYCLZE_ACCESS_READ_WRITE, &right, &second),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_get_row_pitch(second), 2 * sizeof(uint32_t));
  CHECK_EQ(syclze_host_accessor_byte_size(second), 4 * sizeof(uint32_t));
  uint32_t *pixels = syclze_host_accessor_get_pointer(first);
  for (int i = 0; i < 3 * HEIGHT; i++)
    pixels[i] = 2;
  pixels = syclze_host_accessor_get_pointer(second);
  for (int i = 0; i < 4; i++)
    pixels[i] += 4;
  CHECK_EQ(syclze_host_accessor_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(first), ZE_RESULT_SUCCESS);
  uint32_t seen[PIXELS];
  CHECK_EQ(syclze_image_read(w.image, NULL, seen, 0, 0), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < PIXELS; i++) {
    const uint32_t x = i % WIDTH, y = i / WIDTH;
    CHECK_EQ(seen[i], x < 3 ? 2u : x < 5 && y >= 1 && y < 3 ? 5u : 1u);
  }
  end(&w);
}

static ze_result_t copy_layer(const struct world *w, syclze_image image, uint32_t *memory,
    const ze_image_region_t *region, bool to_image) {
  syclze_group group = syclze_group_begin(w->two.queue);
  syclze_accessor accessor =
      syclze_require(&group, image, to_image ? SYCLZE_ACCESS_WRITE : SYCLZE_ACCESS_READ);
  return to_image
             ? syclze_group_copy_to_image(&group, accessor, syclze_mem_arg(memory), region, NULL)
             : syclze_group_copy_from_image(&group, syclze_mem_arg(memory), accessor, region, NULL);
}

/* Every kind of image: rows and layers with gaps on the host, a layer by a group, all by the
   host. */
TEST(images_and_arrays_of_every_kind_are_read_and_written) { // shows host_data 14
  static const struct {
    uint32_t dimensions, layers;
  } shapes[] = {{1, 0}, {2, 0}, {3, 0}, {1, LAYERS}, {2, LAYERS}};
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
    struct world w;
    begin(&w);
    const syclze_image_input input = input_of(shapes[s].dimensions, shapes[s].layers);
    enum { ROW = WIDTH + 3, SLICE = ROW * HEIGHT + 5, ALL = SLICE * LAYERS };
    uint32_t out[ALL], in[ALL];
    syclze_image image;
    CHECK_EQ(syclze_image_create(w.two.context, w.two.device, &input, &image), ZE_RESULT_SUCCESS);
    const size_t rows = syclze_image_get_range(image, 1), slices = syclze_image_get_range(image, 2);
    CHECK_EQ(syclze_image_get_array_size(image), shapes[s].layers);
    for (uint32_t i = 0; i < ALL; i++)
      out[i] = i, in[i] = UINT32_MAX;
    CHECK_EQ(syclze_image_write(image, NULL, out, ROW * sizeof *out, SLICE * sizeof *out),
        ZE_RESULT_SUCCESS);
    /* The last row or layer comes from a group. */
    ze_image_region_t last = {0, (uint32_t)rows - 1, (uint32_t)slices - 1, WIDTH, 1, 1};
    for (uint32_t i = 0; i < WIDTH; i++)
      w.memory[i] = 7777 + i;
    CHECK_EQ(copy_layer(&w, image, w.memory, &last, true), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_image_read(image, NULL, in, ROW * sizeof *in, SLICE * sizeof *in),
        ZE_RESULT_SUCCESS);
    for (size_t i = 0; i < ALL; i++) {
      const size_t x = i % SLICE % ROW, y = i % SLICE / ROW, z = i / SLICE;
      const bool inside = x < WIDTH && y < rows && z < slices;
      const bool is_last = y == rows - 1 && z == slices - 1;
      CHECK_EQ(in[i], !inside ? UINT32_MAX : is_last ? 7777 + x : i);
    }
    CHECK_EQ(copy_layer(&w, image, w.memory + WIDTH, &last, false), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.two.queue), ZE_RESULT_SUCCESS);
    CHECK(memcmp(w.memory, w.memory + WIDTH, WIDTH * sizeof *w.memory) == 0);
    CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

/* An accessor of a group: each layer gets its number. */
TEST(kernels_write_the_layers_of_arrays) { // shows host_data 14
  for (uint32_t dimensions = 1; dimensions <= 2; dimensions++) {
    struct world w;
    begin(&w);
    syclze_image_input input = input_of(dimensions, LAYERS), wrapped = input;
    input.chan_order = wrapped.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
    syclze_image image, other;
    CHECK_EQ(syclze_image_create(w.two.context, w.two.device, &input, &image), ZE_RESULT_SUCCESS);
    wrapped.native_handle = (ze_image_handle_t)image.rep->memory.native;
    wrapped.ownership = SYCLZE_OWNERSHIP_KEEP;
    CHECK_EQ(syclze_make_image(&wrapped, w.two.context, &other), ZE_RESULT_SUCCESS);
    syclze_kernel_bundle bundle = made_kernel_bundle(w.two.context,
        given_module(&w.two.g, "tests/kernels/images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
    syclze_kernel kernel;
    CHECK_EQ(syclze_kernel_create(
                 bundle, dimensions == 1 ? "write_ui_1d_array" : "write_ui_2d_array", &kernel),
        ZE_RESULT_SUCCESS);
    const size_t rows = dimensions == 1 ? LAYERS : HEIGHT, slices = dimensions == 1 ? 1 : LAYERS;
    const size_t texels = WIDTH * rows * slices;
    void *memory;
    CHECK_EQ(
        syclze_malloc_shared(16 * texels, w.two.device, w.two.context, &memory), ZE_RESULT_SUCCESS);
    uint32_t *from = memory, seen[4 * WIDTH * HEIGHT * LAYERS];
    for (uint32_t i = 0; i < 4 * texels; i++)
      from[i] = 100 + i;
    const syclze_nd_range all = {.global = {WIDTH, rows, slices}, .local = {WIDTH, 1, 1}};
    syclze_group group = syclze_group_begin(w.two.other);
    syclze_accessor to = syclze_require(&group, image, SYCLZE_ACCESS_DISCARD_WRITE);
    CHECK_EQ(syclze_launch(&group, kernel, &all, NULL, syclze_arg(to), syclze_arg(from)),
        ZE_RESULT_SUCCESS);
    /* Uses the object that was made of the handle, which is ordered with the other one. */
    CHECK_EQ(syclze_image_read(other, NULL, seen, 0, 0), ZE_RESULT_SUCCESS);
    CHECK(memcmp(seen, from, 16 * texels) == 0);
    CHECK_EQ(syclze_image_release(other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.two.other), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(memory, w.two.context), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

/* More than one stage of 4 MiB. */
TEST(a_large_image_is_copied_in_pieces) { // shows host_data 14
  struct world w;
  begin(&w);
  enum { SIDE = 1200 };
  syclze_image_input input = input_of(2, 2);
  input.range[0] = input.range[1] = SIDE;
  syclze_image image;
  uint32_t *out = malloc(2 * SIDE * SIDE * sizeof *out), *in = calloc(2 * SIDE * SIDE, sizeof *in);
  CHECK(out != NULL && in != NULL);
  for (uint32_t i = 0; i < 2 * SIDE * SIDE; i++)
    out[i] = i * 2654435761u;
  CHECK_EQ(syclze_image_create(w.two.context, w.two.device, &input, &image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_write(image, NULL, out, 0, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_read(image, NULL, in, 0, 0), ZE_RESULT_SUCCESS);
  CHECK(memcmp(in, out, 2 * SIDE * SIDE * sizeof *out) == 0);
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  free(in);
  free(out);
  end(&w);
}

TEST(what_is_refused_changes_nothing) { // shows host_data 15
  struct world w;
  begin(&w);
  const syclze_image null = {NULL};
  const void *native = w.image.rep->memory.native;
  const char *const create = "syclze_image_host_accessor_create";
  const ze_image_region_t outside[] = {{0, 0, 0, WIDTH + 1, HEIGHT, 1}, {1, 0, 0, WIDTH, 1, 1},
      {0, HEIGHT, 0, 1, 1, 1}, {0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 1, 1}};
  syclze_host_accessor accessor;
  syclze_event ready;
  uint32_t data[PIXELS] = {0};
  REFUSED(accessor, syclze_image_host_accessor_create(null, SYCLZE_ACCESS_READ, NULL, &accessor),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, create, "null", NULL);
  REFUSED(accessor,
      syclze_image_host_accessor_create(w.image, (syclze_access_mode)9, NULL, &accessor),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, create, "access mode", native);
  for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
    REFUSED(accessor,
        syclze_image_host_accessor_create(w.image, SYCLZE_ACCESS_READ, &outside[i], &accessor),
        SYCLZE_RESULT_ERROR_INVALID, create, "region", native);
    FAILED(syclze_image_write(w.image, &outside[i], data, 0, 0), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_image_write", "region", native);
  }
  REFUSED(accessor,
      syclze_image_host_accessor_begin(w.image, (syclze_access_mode)-1, NULL, &accessor, &ready),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_image_host_accessor_begin", "access mode",
      native);
  CHECK_EQ(ready.rep, NULL);
  FAILED(syclze_image_host_accessor_create(w.image, SYCLZE_ACCESS_READ, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, create, "null", native);
  FAILED(syclze_image_read(w.image, NULL, NULL, 0, 0), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_image_read", "null", native);
  FAILED(syclze_image_read(w.image, NULL, data, WIDTH * 4 - 1, 0), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_image_read", "row pitch", native);
  FAILED(syclze_image_read(w.image, NULL, data, SIZE_MAX, 0), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_image_read", "row pitch", native);
  FAILED(syclze_image_read(w.image, NULL, data, 0, PIXELS * 4 - 1), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_image_read", "slice pitch", native);
  end(&w);
}

/* Each allocation, or each call, of a scope and its copies fails once: an error is returned, and
   what was submitted behind the scope goes on. */
static bool live(struct world *w, long nth, bool of_calls) {
  syclze_host_accessor accessor;
  uint32_t pixels[PIXELS], expected = 1;
  fill(w, w->two.queue, 1, none);
  failing_nth(nth, of_calls);
  ze_result_t result =
      syclze_image_host_accessor_create(w->image, SYCLZE_ACCESS_READ_WRITE, NULL, &accessor);
  if (result == ZE_RESULT_SUCCESS) {
    memcpy(syclze_host_accessor_get_pointer(accessor), w->memory + 2 * PIXELS, sizeof pixels);
    result = syclze_host_accessor_release(accessor);
    if (result == ZE_RESULT_SUCCESS) expected = 2;
  } else
    CHECK_EQ(accessor.rep, NULL);
  const bool is_known = result == ZE_RESULT_SUCCESS;
  if (syclze_image_read(w->image, NULL, pixels, 0, 0) == ZE_RESULT_SUCCESS && is_known)
    CHECK_EQ(pixels[PIXELS - 1], expected);
  const bool failed = failing_nth_end(of_calls, syclze_get_native(w->two.context));
  fill(w, w->two.other, 3, none);
  check_all(w, 3);
  return failed;
}

static bool attempt(long nth, bool of_calls) {
  struct world w;
  begin(&w);
  const bool failed = live(&w, nth, of_calls);
  end(&w);
  return failed;
}

TEST(every_failed_allocation_is_returned_and_leaves_nothing) { // shows host_data 15
  CHECK(failing_each(attempt, false) >= 3);
}

TEST(every_failed_call_is_returned_and_leaves_nothing) { // shows host_data 15
  CHECK(failing_each(attempt, true) >= 3);
}

TEST_MAIN(the_host_sees_what_groups_wrote_and_groups_what_the_host_wrote,
    groups_that_depend_on_an_open_scope_are_deferred, an_event_says_when_the_host_may,
    an_image_that_an_event_makes_available_is_waited_for, a_region_waits_for_no_other_region,
    images_and_arrays_of_every_kind_are_read_and_written, kernels_write_the_layers_of_arrays,
    a_large_image_is_copied_in_pieces, what_is_refused_changes_nothing,
    every_failed_allocation_is_returned_and_leaves_nothing,
    every_failed_call_is_returned_and_leaves_nothing)
