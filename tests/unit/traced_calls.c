/* The table of traced functions: each public function calls its own member, and nothing else; so
   does each make after others have made its fast way ready. */
#include "support/zoo.h"
#include "syclze/command/queue_order.h"
#include "tests/check.h"

#include <stddef.h>

enum { TRACED = 0x7a5d0001 };

typedef ze_result_t traced_function(void);

static unsigned member; /* that was called last, from 1 */
static struct syclze__trace_calls table;

/* In the place of a member, whatever its parameters: the caller removes them. */
#define MEMBER(n)                                                                                  \
  static ze_result_t member_##n(void) {                                                            \
    member = n;                                                                                    \
    return (ze_result_t)TRACED;                                                                    \
  }
#define MEMBERS(X)                                                                                 \
  X(1)                                                                                             \
  X(2)                                                                                             \
  X(3)                                                                                             \
  X(4)                                                                                             \
  X(5)                                                                                             \
  X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19) X(20) X(21)      \
      X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32) X(33) X(34) X(35) X(36)    \
          X(37) X(38) X(39) X(40) X(41) X(42) X(43) X(44) X(45) X(46) X(47) X(48) X(49) X(50)
MEMBERS(MEMBER)

/* One member serves the retains of all kinds, and one the releases. */
static syclze_object_kind member_kind;

static ze_result_t member_retain(syclze_object_kind kind, struct syclze__ref *ref) {
  (void)ref;
  member = offsetof(struct syclze__trace_calls, retain) / sizeof(traced_function *) + 1;
  member_kind = kind;
  return (ze_result_t)TRACED;
}

static ze_result_t member_release(syclze_object_kind kind, void *rep) {
  (void)rep;
  member = offsetof(struct syclze__trace_calls, release) / sizeof(traced_function *) + 1;
  member_kind = kind;
  return (ze_result_t)TRACED;
}

static void fill_table(void) {
#define NAME(n) member_##n,
  static traced_function *const functions[] = {MEMBERS(NAME)};
  _Static_assert(sizeof table <= sizeof functions, "the table has more members");
  memcpy(&table, functions, sizeof table);
  table.retain = member_retain;
  table.release = member_release;
}

/* The call returns what its member of the table returns, and calls nothing of Level Zero. */
#define CHECK_TRACED(name, call)                                                                   \
  do {                                                                                             \
    const unsigned calls = fake_all_calls();                                                       \
    member = 0;                                                                                    \
    CHECK_EQ(call, (ze_result_t)TRACED);                                                           \
    CHECK_EQ(member, offsetof(struct syclze__trace_calls, name) / sizeof(traced_function *) + 1);  \
    CHECK_EQ(fake_all_calls(), calls);                                                             \
  } while (0)

#define CHECK_COUNT_TRACED(name, kind, call)                                                       \
  do {                                                                                             \
    member_kind = SYCLZE_OBJECT_NONE;                                                              \
    CHECK_TRACED(name, call);                                                                      \
    CHECK_EQ(member_kind, kind);                                                                   \
  } while (0)

static struct {
  syclze_context_input context;
  syclze_queue_input queue;
  syclze_event_input event;
  syclze_kernel_bundle_input bundle;
  syclze_kernel_input kernel;
  syclze_buffer_input buffer;
  syclze_image_input image;
  syclze_sampler_input sampler;
} input;

static struct {
  syclze_queue queue;
  syclze_event event;
  syclze_kernel kernel;
  syclze_buffer buffer;
  syclze_image image;
  syclze_sampler sampler;
} made;

static void begin(void) {
  zoo_begin();
  fill_table();
  memset(&input, 0, sizeof input);
  input.context = (syclze_context_input){zoo.context, &world.device, 1, SYCLZE_OWNERSHIP_KEEP};
  input.queue.native_handle = syclze_native_queue_of(zoo.list);
  input.queue.device = world.device;
  input.queue.ownership = SYCLZE_OWNERSHIP_KEEP;
  input.event = (syclze_event_input){zoo.event, SYCLZE_OWNERSHIP_KEEP};
  input.bundle = (syclze_kernel_bundle_input){zoo.module, SYCLZE_OWNERSHIP_KEEP};
  input.kernel = (syclze_kernel_input){zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  input.buffer.native_handle = zoo.memory;
  input.buffer.ownership = SYCLZE_OWNERSHIP_KEEP;
  input.image.native_handle = zoo.image;
  input.image.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA;
  input.image.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32;
  input.image.dimensions = 1;
  input.image.range[0] = 4;
  input.image.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_OK(syclze_make_queue(&input.queue, world.context, &made.queue));
  CHECK_OK(syclze_make_event(&input.event, world.context, &made.event));
  CHECK_OK(syclze_make_kernel(&input.kernel, world.context, &made.kernel));
  CHECK_OK(syclze_make_buffer(&input.buffer, world.context, &made.buffer));
  input.sampler = (syclze_sampler_input){zoo.sampler, SYCLZE_OWNERSHIP_KEEP};
  CHECK_OK(syclze_make_image(&input.image, world.context, &made.image));
  CHECK_OK(syclze_make_sampler(&input.sampler, world.context, &made.sampler));
}

static void end(void) {
  __atomic_store_n(&SYCLZE__STATE.trace_calls, NULL, __ATOMIC_RELAXED);
  CHECK_OK(syclze_release(made.queue));
  CHECK_OK(syclze_release(made.event));
  CHECK_OK(syclze_release(made.kernel));
  CHECK_OK(syclze_release(made.buffer));
  CHECK_OK(syclze_release(made.image));
  CHECK_OK(syclze_release(made.sampler));
  zoo_end();
}

static void trace(void) {
  __atomic_store_n(&SYCLZE__STATE.trace_calls, &table, __ATOMIC_RELAXED);
}

TEST(makes_are_traced) {
  syclze_platform platform;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_buffer buffer;
  syclze_image image;
  syclze_sampler sampler;
  begin();
  trace();
  CHECK_TRACED(make_platform, syclze_make_platform(world.driver, &platform));
  CHECK_TRACED(make_device, syclze_make_device(world.root, &device));
  CHECK_TRACED(make_context, syclze_make_context(&input.context, &context));
  CHECK_TRACED(make_queue, syclze_make_queue(&input.queue, world.context, &queue));
  CHECK_TRACED(make_event, syclze_make_event(&input.event, world.context, &event));
  CHECK_TRACED(
      make_kernel_bundle, syclze_make_kernel_bundle(&input.bundle, world.context, &bundle));
  CHECK_TRACED(make_kernel, syclze_make_kernel(&input.kernel, world.context, &kernel));
  CHECK_TRACED(make_buffer, syclze_make_buffer(&input.buffer, world.context, &buffer));
  CHECK_TRACED(make_buffer_after,
      syclze_make_buffer_after(&input.buffer, world.context, made.event, &buffer));
  CHECK_TRACED(make_image, syclze_make_image(&input.image, world.context, &image));
  CHECK_TRACED(
      make_image_after, syclze_make_image_after(&input.image, world.context, made.event, &image));
  CHECK_TRACED(make_sampler, syclze_make_sampler(&input.sampler, world.context, &sampler));
  end();
}

TEST(creations_are_traced) {
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_image image;
  syclze_sampler sampler;
  const syclze_sampler_desc sampling = {0};
  void *memory;
  syclze_kernel_bundle_desc desc = {0};
  desc.spirv = "add";
  desc.size = 3;
  begin();
  trace();
  CHECK_TRACED(context_create, syclze_context_create(&world.device, 1, &context));
  CHECK_TRACED(queue_create, syclze_queue_create(world.context, world.device, NULL, &queue));
  CHECK_TRACED(kernel_bundle_create,
      syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle));
  CHECK_TRACED(kernel_create, syclze_kernel_create(zoo.bundle, "add", &kernel));
  CHECK_TRACED(
      image_create, syclze_image_create(world.context, world.device, &input.image, &image));
  CHECK_TRACED(
      sampler_create, syclze_sampler_create(world.context, world.device, &sampling, &sampler));
  CHECK_TRACED(usm_allocate, syclze_malloc_device(8, world.device, world.context, &memory));
  CHECK_TRACED(usm_allocate, syclze_malloc_shared(8, world.device, world.context, &memory));
  CHECK_TRACED(usm_allocate, syclze_malloc_host(8, world.context, &memory));
  CHECK_TRACED(free, syclze_free(zoo.memory, world.context));
  end();
}

TEST(references_and_waits_are_traced) { // shows queues 1, host_data 30
  syclze_event_status status;
  bool empty;
  begin();
  trace();
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_CONTEXT, syclze_context_retain(world.context));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_CONTEXT, syclze_context_release(world.context));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_QUEUE, syclze_queue_retain(made.queue));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_QUEUE, syclze_queue_release(made.queue));
  CHECK_TRACED(queue_flush, syclze_queue_flush(made.queue));
  CHECK_TRACED(queue_is_empty, syclze_queue_is_empty(made.queue, &empty));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_EVENT, syclze_event_retain(made.event));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_EVENT, syclze_event_release(made.event));
  CHECK_TRACED(event_wait, syclze_event_wait(made.event));
  CHECK_TRACED(event_wait, syclze_events_wait(&made.event, 1));
  CHECK_TRACED(event_get_status, syclze_event_get_status(made.event, &status));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_KERNEL_BUNDLE, syclze_kernel_bundle_retain(zoo.bundle));
  CHECK_COUNT_TRACED(
      release, SYCLZE_OBJECT_KERNEL_BUNDLE, syclze_kernel_bundle_release(zoo.bundle));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_KERNEL, syclze_kernel_retain(made.kernel));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_KERNEL, syclze_kernel_release(made.kernel));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_BUFFER, syclze_buffer_retain(made.buffer));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_BUFFER, syclze_buffer_release(made.buffer));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_IMAGE, syclze_image_retain(made.image));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_IMAGE, syclze_image_release(made.image));
  CHECK_COUNT_TRACED(retain, SYCLZE_OBJECT_SAMPLER, syclze_sampler_retain(made.sampler));
  CHECK_COUNT_TRACED(release, SYCLZE_OBJECT_SAMPLER, syclze_sampler_release(made.sampler));
  end();
}

TEST_MAIN(makes_are_traced, creations_are_traced, references_and_waits_are_traced)
