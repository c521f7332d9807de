/* Samplers: ownership of the native one, and launches that read through it, by every way that a
   launch takes, and keep it until they are done. */
#include "support/failing_each.h"
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/command/image_host_accessor.h"
#include "syclze/queue_commands.h"

#include <sched.h>

enum { WIDTH = 8, HEIGHT = 4, PIXELS = WIDTH * HEIGHT, QUEUES = 3 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES]; /* in order, out of order, on a command queue */
  syclze_image image;          /* pixel i is i + 0.5 */
  syclze_kernel_bundle bundle;
  syclze_kernel kernel; /* reads all pixels through a sampler */
  float *out;           /* four for each pixel */
  syclze_buffer buffer; /* over `out` */
  syclze_event gate;    /* not signalled */
};

static const syclze_nd_range range = {.global = {WIDTH, HEIGHT}, .local = {WIDTH, 1}};
static const syclze_sampler_desc at_edge = {.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE};
static const syclze_event none;

static void begin(struct world *w) {
  static const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  static const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {WIDTH, HEIGHT}};
  float pixels[PIXELS];
  void *memory;
  given_needs_execution();
  memset(w, 0, sizeof *w);
  w->g = given();
  w->device = made_device(&w->g);
  w->context = made_context(&w->g, SYCLZE_OWNERSHIP_KEEP);
  const ze_result_t result = syclze_image_create(w->context, w->device, &input, &w->image);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w->context, w->device, &in_order, &w->queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w->context, w->device, NULL, &w->queues[1]), ZE_RESULT_SUCCESS);
  w->queues[2] =
      made_queue(&w->g, w->context, syclze_native_queue_of(w->g.queue), SYCLZE_OWNERSHIP_KEEP);
  w->bundle = made_kernel_bundle(
      w->context, given_module(&w->g, "tests/kernels/images.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_create(w->bundle, "read_image", &w->kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(4 * PIXELS * sizeof(float), w->device, w->context, &memory),
      ZE_RESULT_SUCCESS);
  w->out = memory;
  const syclze_buffer_input buffer = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_TRANSFER,
      .element_size = sizeof(float)};
  CHECK_EQ(syclze_make_buffer(&buffer, w->context, &w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(w->context, 0, &w->gate), ZE_RESULT_SUCCESS);
  for (int i = 0; i < PIXELS; i++)
    pixels[i] = (float)i + 0.5f;
  CHECK_EQ(syclze_image_write(w->image, NULL, pixels, 0, 0), ZE_RESULT_SUCCESS);
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++) {
    CHECK_EQ(syclze_queue_wait(w->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static syclze_sampler sampler_of(const struct world *w) {
  syclze_sampler sampler;
  CHECK_EQ(syclze_sampler_create(w->context, w->device, &at_edge, &sampler), ZE_RESULT_SUCCESS);
  return sampler;
}

/* Requirements of the launch besides the sampler. */
enum way {
  BARE,        /* nothing: the image by its handle */
  BARE_EVENT,  /* the same, with an event */
  ONE,         /* the image */
  TWO,         /* the image, and the memory that is written */
  ON_POINTERS, /* nothing, without a group object */
  WAYS
};

static ze_result_t launch(const struct world *w, syclze_queue queue, enum way way,
    syclze_sampler sampler, syclze_event after, syclze_event *event) {
  const ze_image_handle_t native = (ze_image_handle_t)w->image.rep->memory.native;
  syclze_accessor image = {0}, out = {0};
  if (way == ON_POINTERS) {
    const ze_sampler_handle_t handle = sampler.rep != NULL ? syclze_get_native(sampler) : NULL;
    const syclze_argument arguments[] = {
        syclze_arg(native), syclze_arg(handle), syclze_arg(w->out)};
    return syclze_queue_launch_sampled(
        queue, w->kernel, &range, arguments, 3, &sampler, 1, &after, after.rep != NULL, event);
  }
  syclze_group group = syclze_group_begin(queue);
  if (way == ONE || way == TWO) image = syclze_group_require_sampled_image(&group, w->image);
  if (way == TWO) out = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
  syclze_accessor by = syclze_group_require_sampler(&group, sampler);
  syclze_group_depends_on(&group, after);
  const syclze_argument arguments[] = {
      way == ONE || way == TWO ? syclze_arg(image) : syclze_arg(native), syclze_arg(by),
      way == TWO ? syclze_arg(out) : syclze_arg(w->out)};
  return syclze_group_launch(&group, w->kernel, &range, arguments, 3, event);
}

static void check_read(struct world *w) {
  for (int i = 0; i < PIXELS; i++) {
    CHECK(w->out[4 * i] == (float)i + 0.5f);
    w->out[4 * i] = -1;
  }
}

/* Several times, since the second launch of a queue takes a shorter way than the first. */
TEST(a_kernel_reads_through_a_sampler_whatever_else_it_requires) { // shows host_data 18
  for (int way = 0; way < WAYS; way++) {
    struct world w;
    begin(&w);
    syclze_sampler sampler = sampler_of(&w);
    for (int q = 0; q < QUEUES; q++)
      for (int turn = 0; turn < 3; turn++) {
        syclze_event event = none;
        CHECK_EQ(launch(&w, w.queues[q], (enum way)way, sampler, none,
                     way == BARE_EVENT ? &event : NULL),
            ZE_RESULT_SUCCESS);
        CHECK_EQ(event.rep != NULL, way == BARE_EVENT);
        CHECK_EQ(syclze_queue_wait(w.queues[q]), ZE_RESULT_SUCCESS);
        CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
        check_read(&w);
      }
    CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

/* No release waits; a transferred sampler lives until its last launch is done. */
TEST(launches_keep_the_sampler_until_they_are_done) { // shows host_data 19
  for (int way = 0; way < WAYS; way++)
    for (int q = 0; q < QUEUES; q++) {
      struct world w;
      begin(&w);
      syclze_sampler sampler = sampler_of(&w);
      const void *native = syclze_get_native(sampler);
      CHECK_EQ(launch(&w, w.queues[q], (enum way)way, sampler, w.gate, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(launch(&w, w.queues[q], (enum way)way, sampler, none, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
      CHECK_EQ(spy_destroys_of(native), 0);
      CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
      while (spy_destroys_of(native) == 0)
        sched_yield();
      CHECK_EQ(syclze_queue_wait(w.queues[q]), ZE_RESULT_SUCCESS);
      check_read(&w);
      end(&w);
    }
}

/* Nor does the release of a kept one wait, which is the caller's to destroy. */
TEST(a_kept_sampler_is_the_callers) { // shows host_data 19
  struct world w;
  begin(&w);
  const ze_sampler_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC, .addressMode = ZE_SAMPLER_ADDRESS_MODE_CLAMP};
  syclze_sampler_input input = {.ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_sampler sampler;
  CHECK_EQ(
      zeSamplerCreate(w.g.context, w.g.device, &desc, &input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_native(&input, w.context, &sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_get_native(sampler), input.native_handle);
  CHECK_EQ(launch(&w, w.queues[0], TWO, sampler, w.gate, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
  check_read(&w);
  CHECK_EQ(spy_destroys_of(input.native_handle), 0);
  CHECK_EQ(zeSamplerDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  end(&w);
}

static ze_result_t run_task(syclze_interop_handle handle, void *argument) {
  (void)handle;
  return zeEventHostSynchronize(*(const ze_event_handle_t *)argument, UINT64_MAX);
}

/* The launch is copied, and appended by a worker. */
TEST(a_launch_behind_a_host_task_keeps_its_sampler) { // shows host_data 19
  for (int q = 0; q < QUEUES; q++) {
    struct world w;
    begin(&w);
    syclze_sampler sampler = sampler_of(&w);
    const void *native = syclze_get_native(sampler);
    ze_event_handle_t gate = syclze_get_native(w.gate);
    syclze_event task;
    syclze_group group = syclze_group_begin(w.queues[1]);
    CHECK_EQ(syclze_group_host_task(&group, run_task, &gate, &task), ZE_RESULT_SUCCESS);
    CHECK_EQ(launch(&w, w.queues[q], TWO, sampler, task, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(native), 0);
    CHECK_EQ(zeEventHostSignal(gate), ZE_RESULT_SUCCESS);
    while (spy_destroys_of(native) == 0)
      sched_yield();
    CHECK_EQ(syclze_queue_wait(w.queues[q]), ZE_RESULT_SUCCESS);
    check_read(&w);
    CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST(a_graph_keeps_the_samplers_of_its_launches) { // shows host_data 19, graphs 12
  struct world w;
  begin(&w);
  syclze_sampler sampler = sampler_of(&w);
  const void *native = syclze_get_native(sampler);
  syclze_graph graph;
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_create(w.context, w.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(&w, w.queues[0], ONE, sampler, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(&w, w.queues[0], TWO, sampler, none, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 2);
  CHECK_EQ(syclze_graph_end_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  for (int turn = 0; turn < 2; turn++) {
    CHECK_EQ(syclze_queue_submit_graph(w.queues[1], executable, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[1]), ZE_RESULT_SUCCESS);
    check_read(&w);
    CHECK_EQ(spy_destroys_of(native), 0);
  }
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  while (spy_destroys_of(native) == 0)
    sched_yield();
  end(&w);
}

TEST(an_owner_gets_the_sampler_back_after_the_launch) { // shows host_data 19
  struct world w;
  begin(&w);
  const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
  syclze_sampler_input input = {.ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_sampler sampler;
  CHECK_EQ(
      zeSamplerCreate(w.g.context, w.g.device, &desc, &input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_sampler(&input, w.context, &sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(&w, w.queues[0], ONE, sampler, w.gate, NULL), ZE_RESULT_SUCCESS);
  const syclze_owner owner = {
      .release = (ze_result_t(*)(void *))zeSamplerDestroy, .data = input.native_handle};
  CHECK_EQ(syclze_set_owner(sampler, owner), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_get_owner(sampler).data, (void *)input.native_handle);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 0);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w.gate)), ZE_RESULT_SUCCESS);
  while (spy_destroys_of(input.native_handle) == 0)
    sched_yield();
  end(&w);
}

/* Between and beyond pixels of a row of 0.5, 1.5, ... 7.5. */
TEST(modes_of_a_sampler_decide_what_is_read) { // shows host_data 18
  static const struct {
    syclze_sampler_desc desc;
    float at, expected;
  } cases[] = {{{.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE}, -3, 0.5f},
      {{.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE}, 100, 7.5f},
      {{.addressing = SYCLZE_ADDRESSING_MODE_CLAMP}, 100, 0},
      {{.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE,
           .filtering = SYCLZE_FILTERING_MODE_LINEAR},
          2, 2},
      {{.addressing = SYCLZE_ADDRESSING_MODE_REPEAT,
           .coordinates = SYCLZE_COORDINATE_MODE_NORMALIZED},
          1.0f + 2.5f / WIDTH, 2.5f},
      {{.addressing = SYCLZE_ADDRESSING_MODE_MIRRORED_REPEAT,
           .coordinates = SYCLZE_COORDINATE_MODE_NORMALIZED},
          1.0f + 2.5f / WIDTH, 5.5f}};
  struct world w;
  begin(&w);
  syclze_kernel sample;
  void *memory;
  CHECK_EQ(syclze_kernel_create(w.bundle, "sample_2d", &sample), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_malloc_shared(4 * sizeof(float), w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  float *coordinates = memory;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const bool normalized = cases[i].desc.coordinates == SYCLZE_COORDINATE_MODE_NORMALIZED;
    syclze_sampler sampler;
    CHECK_EQ(
        syclze_sampler_create(w.context, w.device, &cases[i].desc, &sampler), ZE_RESULT_SUCCESS);
    coordinates[0] = cases[i].at;
    coordinates[1] = normalized ? 0.5f / HEIGHT : 0.5f;
    static const syclze_nd_range one = {.global = {1}, .local = {1}};
    syclze_group group = syclze_group_begin(w.queues[0]);
    syclze_accessor image = syclze_group_require_sampled_image(&group, w.image);
    syclze_accessor by = syclze_group_require_sampler(&group, sampler);
    CHECK_EQ(syclze_launch(&group, sample, &one, NULL, syclze_arg(image), syclze_arg(by),
                 syclze_arg(coordinates), syclze_arg(w.out)),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
    CHECK(w.out[0] == cases[i].expected);
  }
  CHECK_EQ(syclze_release(sample), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w.context), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(samplers_that_do_not_go_with_the_queue_are_refused) { // shows host_data 20
  struct world w;
  begin(&w);
  const syclze_sampler null = {NULL};
  syclze_context other;
  syclze_sampler foreign, sampler = sampler_of(&w);
  CHECK_EQ(syclze_context_create(&w.device, 1, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_sampler_create(other, w.device, &at_edge, &foreign), ZE_RESULT_SUCCESS);
  for (int q = 0; q < QUEUES; q++)
    for (int way = 0; way < WAYS; way++) {
      syclze_event event = {(struct syclze__event *)&w};
      CHECK_EQ(launch(&w, w.queues[q], (enum way)way, null, none, &event),
          ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
      CHECK_EQ(event.rep, NULL);
      CHECK_EQ(launch(&w, w.queues[q], (enum way)way, foreign, none, &event),
          SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
      CHECK_EQ(event.rep, NULL);
      /* The kernel and the queue are as before. */
      CHECK_EQ(launch(&w, w.queues[q], (enum way)way, sampler, none, NULL), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_queue_wait(w.queues[q]), ZE_RESULT_SUCCESS);
      check_read(&w);
    }
  FAILED(launch(&w, w.queues[0], BARE, null, none, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_group_launch", "the sampler is null", w.queues[0].rep->native.queue);
  FAILED(launch(&w, w.queues[0], BARE, foreign, none, NULL),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_group_launch", "another context",
      w.queues[0].rep->native.queue);
  CHECK_EQ(spy_destroys_of(syclze_get_native(foreign)), 0);
  CHECK_EQ(syclze_release(foreign), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  end(&w);
}

/* A sampler's accessor is for a kernel only. */
TEST(accessors_of_samplers_are_refused_elsewhere) { // shows host_data 20
  struct world w;
  begin(&w);
  const void *native = w.queues[1].rep->native.queue;
  syclze_sampler sampler = sampler_of(&w);
  syclze_group group = syclze_group_begin(w.queues[1]);
  syclze_accessor by = syclze_group_require_sampler(&group, sampler);
  CHECK_EQ(syclze_accessor_get_pointer(by), NULL);
  FAILED(syclze_group_copy_from_image(&group, syclze_mem_arg(w.out), by, NULL, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_group_copy_from_image", "sampler", native);
  group = syclze_group_begin(w.queues[1]);
  by = syclze_group_require_sampler(&group, sampler);
  FAILED(syclze_group_copy(&group, syclze_mem_arg(w.out), syclze_mem_arg(by), 4, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_group_copy", "must be a buffer's", native);
  group = syclze_group_begin(w.queues[1]);
  by = syclze_group_require_sampler(&group, sampler);
  const syclze_argument arguments[] = {
      syclze_arg(w.image.rep->memory.native), syclze_arg(by), syclze_arg(w.out)};
  FAILED(syclze_queue_launch_arguments(w.queues[1], w.kernel, &range, arguments, 3, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_ACCESSOR, "syclze_queue_launch", "does not belong", native);
  syclze_group_end(&group);
  FAILED(
      syclze_queue_launch_sampled(w.queues[1], w.kernel, &range, NULL, 0, NULL, 1, NULL, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_group_launch", "samplers", native);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  end(&w);
}

/* Each allocation, or each call, of a sampler's life fails once. */
static bool live(struct world *w, long nth, bool of_calls, int q) {
  syclze_sampler sampler = {NULL};
  failing_nth(nth, of_calls);
  ze_result_t result = syclze_sampler_create(w->context, w->device, &at_edge, &sampler);
  CHECK_EQ(sampler.rep != NULL, result == ZE_RESULT_SUCCESS);
  if (result == ZE_RESULT_SUCCESS) result = launch(w, w->queues[q], ONE, sampler, none, NULL);
  if (result == ZE_RESULT_SUCCESS) result = launch(w, w->queues[q], TWO, sampler, none, NULL);
  const bool failed = failing_nth_end(of_calls, syclze_get_native(w->context));
  CHECK(result == ZE_RESULT_SUCCESS || failed);
  CHECK_EQ(syclze_queue_wait(w->queues[q]), ZE_RESULT_SUCCESS);
  if (result == ZE_RESULT_SUCCESS) check_read(w);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  return failed;
}

static bool attempt(long nth, bool of_calls) {
  struct world w;
  begin(&w);
  const bool failed = live(&w, nth, of_calls, of_calls ? 0 : 1);
  end(&w); /* checks that each native sampler was destroyed once */
  return failed;
}

TEST(every_failed_allocation_is_returned_and_leaves_nothing) { // shows host_data 20
  CHECK(failing_each(attempt, false) >= 3);
}

TEST(every_failed_call_is_returned_and_leaves_nothing) { // shows host_data 20
  CHECK(failing_each(attempt, true) >= 3);
}

/* Without execution. */
TEST(native_samplers_are_destroyed_as_the_ownership_says) { // shows host_data 17
  struct given g = given();
  syclze_device device = made_device(&g);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  const ze_sampler_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
  for (int own = 0; own < 2; own++) {
    syclze_sampler_input input = {
        .ownership = own ? SYCLZE_OWNERSHIP_TRANSFER : SYCLZE_OWNERSHIP_KEEP};
    const ze_result_t result = zeSamplerCreate(g.context, g.device, &desc, &input.native_handle);
    /* Intel's driver has the second code on a device without images. */
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE || result == ZE_RESULT_ERROR_UNINITIALIZED)
      SKIP("the device has no samplers");
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    /* Destroys of an earlier sampler at this address. */
    const unsigned before = spy_destroys_of(input.native_handle);
    syclze_sampler sampler, refused;
    const syclze_sampler_input null = {.ownership = input.ownership};
    REFUSED(refused, syclze_make_sampler(&null, context, &refused),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_sampler", "null", NULL);
    REFUSED(refused, syclze_make_sampler(&input, made_no_context(), &refused),
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_sampler", "context", input.native_handle);
    CHECK_EQ(spy_destroys_of(input.native_handle), before);
    CHECK_EQ(syclze_make_sampler(&input, context, &sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_sampler_get_native(sampler), input.native_handle);
    CHECK_EQ(syclze_retain(sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(input.native_handle), before);
    CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(input.native_handle), before + (unsigned)own);
    if (!own) CHECK_EQ(zeSamplerDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  }
  for (int mode = 0; mode < 5; mode++) {
    const syclze_sampler_desc all = {.addressing = (syclze_addressing_mode)mode,
        .filtering = SYCLZE_FILTERING_MODE_LINEAR,
        .coordinates = SYCLZE_COORDINATE_MODE_NORMALIZED};
    syclze_sampler sampler;
    CHECK_EQ(syclze_sampler_create(context, device, &all, &sampler), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(native_samplers_are_destroyed_as_the_ownership_says,
    a_kernel_reads_through_a_sampler_whatever_else_it_requires,
    launches_keep_the_sampler_until_they_are_done, a_kept_sampler_is_the_callers,
    a_launch_behind_a_host_task_keeps_its_sampler, a_graph_keeps_the_samplers_of_its_launches,
    an_owner_gets_the_sampler_back_after_the_launch, modes_of_a_sampler_decide_what_is_read,
    samplers_that_do_not_go_with_the_queue_are_refused, accessors_of_samplers_are_refused_elsewhere,
    every_failed_allocation_is_returned_and_leaves_nothing,
    every_failed_call_is_returned_and_leaves_nothing)
