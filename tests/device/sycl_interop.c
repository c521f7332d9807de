/* Objects of SYCL by pointers (sycl_interop.h), over a SYCL runtime of the test's own: the same
   object there and back, references, the order of host tasks of both sides, and what is refused. */
#undef SYCLZE_DECLARATIONS
#include "support/fake_sycl.h"
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include <pthread.h>

enum { SIZE = 64 };

static struct world {
  struct given g;
  ze_command_list_handle_t list; /* in-order */
  struct syclze__sycl_object context, queue;
  syclze_device device;
  unsigned char *memory; /* shared */
} w;

static struct syclze__sycl_object sycl_queue_of(ze_command_list_handle_t list, bool in_order) {
  struct syclze__sycl_object queue = fake_object(list);
  struct fake_impl *impl = fake_of(&queue);
  impl->is_list = 1;
  impl->in_order = in_order;
  impl->device = fake_sycl.device;
  impl->context = syclze__sycl_retain(&w.context);
  return queue;
}

static void begin(void) {
  memset(&w, 0, sizeof w);
  memset(&fake_sycl, 0, sizeof fake_sycl);
  w.g = given();
  given_needs_execution();
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .ordinal = w.g.ordinal,
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
      .flags = 1u << 1 /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER */};
  if (zeCommandListCreateImmediate(w.g.context, w.g.device, &desc, &w.list) != ZE_RESULT_SUCCESS)
    check_skip("the driver has no in-order lists");
  w.device = made_device(&w.g);
  struct syclze__sycl_object object = fake_object(w.g.driver);
  fake_sycl.platform = fake_of(&object);
  fake_sycl.platform->name = "Level-Zero V2";
  object = fake_object(w.g.device);
  fake_sycl.device = fake_of(&object);
  w.context = fake_object(w.g.context);
  fake_of(&w.context)->device = fake_sycl.device;
  w.queue = sycl_queue_of(w.list, true);
}

static void end(void) {
  struct syclze__sycl_object device = {fake_sycl.device, &fake_sycl.device->counts},
                             platform = {fake_sycl.platform, &fake_sycl.platform->counts};
  syclze__sycl_release(&w.queue);
  syclze__sycl_release(&w.context);
  syclze__sycl_release(&device);
  syclze__sycl_release(&platform);
  CHECK_EQ(fake_sycl.alive, 0);
  CHECK_EQ(fake_sycl.tasks_run, fake_sycl.task_count);
  CHECK_EQ(zeCommandListDestroy(w.list), ZE_RESULT_SUCCESS);
  given_end(&w.g);
}

static syclze_queue from(struct syclze__sycl_object *queue) {
  syclze_queue made;
  CHECK_EQ(syclze_queue_from_sycl(queue, &made), ZE_RESULT_SUCCESS);
  return made;
}

static syclze_context own_context(void) {
  syclze_context context;
  CHECK_EQ(syclze_context_from_sycl(&w.context, &context), ZE_RESULT_SUCCESS);
  return context;
}

static unsigned char *shared_memory(syclze_context context) {
  void *memory;
  CHECK_EQ(syclze_malloc_shared(SIZE, w.device, context, &memory), ZE_RESULT_SUCCESS);
  return memset(memory, 0, SIZE);
}

/* The object that was made is another reference to SYCL's. */
static void check_same(void *made, const void *object) {
  CHECK(fake_of(made) == fake_of(object));
  syclze_sycl_delete(made);
}

TEST(each_kind_is_the_same_there_and_back) { // shows promises 14
  begin();
  given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
  struct syclze__sycl_object platform = {fake_sycl.platform, &fake_sycl.platform->counts},
                             device = {fake_sycl.device, NULL}, kernel = fake_object(w.g.kernel),
                             bundle = fake_object(NULL), image = fake_object(w.g.module),
                             event = fake_object(given_event(&w.g));
  fake_of(&bundle)->context = syclze__sycl_retain(&w.context);
  fake_of(&bundle)->images[0] = image;
  fake_of(&bundle)->image_count = 1;
  fake_of(&kernel)->context = syclze__sycl_retain(&bundle);
  fake_of(&event)->references = 1;
  fake_of(&event)->status = FAKE_SUBMITTED;
  const syclze_context context = own_context();
  syclze_object made;
  void *back;
  const syclze_queue none = {NULL};
#define THERE_AND_BACK(kind, object)                                                               \
  do {                                                                                             \
    CHECK_EQ(syclze_##kind##_from_sycl(&(object), &made.kind), ZE_RESULT_SUCCESS);                 \
    CHECK_EQ(syclze_##kind##_to_sycl(made.kind, &back), ZE_RESULT_SUCCESS);                        \
    check_same(back, &(object));                                                                   \
    CHECK_EQ(syclze_release(made.kind), ZE_RESULT_SUCCESS);                                        \
  } while (0)
  THERE_AND_BACK(platform, platform);
  THERE_AND_BACK(device, device);
  THERE_AND_BACK(context, w.context);
  THERE_AND_BACK(queue, w.queue);
  THERE_AND_BACK(kernel_bundle, bundle);
  THERE_AND_BACK(kernel, kernel);
#undef THERE_AND_BACK
  CHECK_EQ(syclze_event_from_sycl(&event, context, &made.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_to_sycl(made.event, none, &back), ZE_RESULT_SUCCESS);
  check_same(back, &event);
  const ze_event_handle_t native = syclze_get_native(made.event);
  CHECK_EQ(syclze_release(made.event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  syclze__sycl_release(&kernel);
  syclze__sycl_release(&bundle);
  syclze__sycl_release(&event);
  CHECK_EQ(fake_sycl.makes, 0);
  end();
}

TEST(one_list_is_one_queue_which_keeps_sycls) { // shows promises 14
  begin();
  struct syclze__sycl_object copy = syclze__sycl_retain(&w.queue);
  const syclze_queue one = from(&w.queue), two = from(&copy);
  CHECK(one.rep == two.rep);
  syclze__sycl_release(&copy);
  CHECK_EQ(syclze_release(two), ZE_RESULT_SUCCESS);
  struct fake_impl *impl = fake_of(&w.queue);
  CHECK_EQ(impl->counts.references, 2);
  CHECK_EQ(syclze_release(one), ZE_RESULT_SUCCESS);
  CHECK_EQ(impl->counts.references, 1);
  impl->properties = 1u << SYCLZE__SYCL_PROFILING;
  const syclze_queue again = from(&w.queue);
  CHECK(syclze_queue_get_properties(again).flags ==
        (SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER |
            SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING));
  CHECK_EQ(syclze_release(again), ZE_RESULT_SUCCESS);
  end();
}

static void fill(syclze_queue queue, unsigned char value, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(w.memory), &value, 1, SIZE, event),
      ZE_RESULT_SUCCESS);
}

static bool is_done(syclze_event event) {
  syclze_event_status status;
  CHECK_EQ(syclze_event_get_status(event, &status), ZE_RESULT_SUCCESS);
  return status == SYCLZE_EVENT_STATUS_COMPLETE;
}

/* Submits a host task to SYCL's queue, which has no native event. */
static void submit_sycl_task(void) {
  struct syclze__sycl_object task = fake_object(NULL);
  struct fake_impl *queue = fake_of(&w.queue);
  fake_of(&task)->status = FAKE_SUBMITTED;
  syclze__sycl_release(&queue->last);
  queue->last = task;
  queue->is_empty = false;
}

TEST(a_pending_task_of_sycl_holds_back_what_is_submitted_after_it) { // shows promises 14
  begin();
  syclze_event filled;
  submit_sycl_task();
  const syclze_queue queue = from(&w.queue), same = from(&w.queue);
  CHECK_EQ(fake_sycl.task_count, 1); /* the second time nothing is new */
  CHECK_EQ(fake_sycl.tasks[0].depends_on, 1);
  w.memory = shared_memory(syclze_queue_get_context(queue));
  fill(queue, 2, &filled);
  CHECK(!is_done(filled) && w.memory[0] == 0);
  fake_run();
  CHECK_EQ(syclze_event_wait(filled), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[0], 2);
  CHECK_EQ(syclze_release(from(&w.queue)), ZE_RESULT_SUCCESS);
  CHECK_EQ(fake_sycl.task_count, 1);
  CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w.memory, syclze_queue_get_context(queue)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(same), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

/* A host task of this library's, which ends when the test opens it. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t opens;
  bool is_open;
} gate = {.lock = PTHREAD_MUTEX_INITIALIZER, .opens = PTHREAD_COND_INITIALIZER};

static ze_result_t pass(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  pthread_mutex_lock(&gate.lock);
  while (!gate.is_open)
    pthread_cond_wait(&gate.opens, &gate.lock);
  pthread_mutex_unlock(&gate.lock);
  return ZE_RESULT_SUCCESS;
}

static void open_gate(bool is_open) {
  pthread_mutex_lock(&gate.lock);
  gate.is_open = is_open;
  pthread_cond_broadcast(&gate.opens);
  pthread_mutex_unlock(&gate.lock);
}

TEST(a_pending_task_of_this_library_holds_back_sycl) { // shows promises 14
  begin();
  syclze_event event;
  void *made;
  open_gate(false);
  submit_sycl_task();
  const syclze_queue queue = from(&w.queue);
  w.memory = shared_memory(syclze_queue_get_context(queue));
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, pass, NULL, NULL), ZE_RESULT_SUCCESS);
  fill(queue, 3, &event);
  CHECK_EQ(syclze_queue_to_sycl(queue, &made), ZE_RESULT_SUCCESS);
  check_same(made, &w.queue);
  CHECK_EQ(syclze_event_to_sycl(event, queue, &made), ZE_RESULT_SUCCESS);
  CHECK(fake_of(made) == fake_of(&fake_sycl.tasks[2].event));
  syclze_sycl_delete(made);
  CHECK_EQ(fake_sycl.task_count, 3);
  CHECK_EQ(fake_sycl.tasks[1].depends_on, 1); /* on the join */
  fake_of(&w.queue)->state = 1;
  REFUSED(made, syclze_queue_to_sycl(queue, &made), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_to_sycl", "records", queue.rep);
  fake_of(&w.queue)->state = 0;
  fake_run();
  open_gate(true);
  fake_run();
  fake_run();
  CHECK(is_done(event) && w.memory[SIZE - 1] == 3);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w.memory, syclze_queue_get_context(queue)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

TEST(the_event_of_a_command_is_a_barrier_of_sycl) { // shows promises 14
  begin();
  const syclze_queue queue = from(&w.queue);
  syclze_event last, other;
  void *made;
  w.memory = shared_memory(syclze_queue_get_context(queue));
  fill(queue, 1, &other);
  fill(queue, 2, &last);
  for (unsigned i = 0; i < 2; i++) {
    CHECK_EQ(syclze_event_to_sycl(i == 0 ? last : other, queue, &made), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventQueryStatus((ze_event_handle_t)fake_of(made)->native), ZE_RESULT_SUCCESS);
    syclze_sycl_delete(made);
    CHECK_EQ(fake_sycl.barriers, i + 1);
  }
  CHECK_EQ(fake_sycl.makes, 1); /* one gate, which stays the library's */
  CHECK(fake_sycl.keeps);
  /* A marker is enough where SYCL makes one; not the last event that it has. */
  fake_sycl.makes_markers = true;
  CHECK_EQ(syclze_event_to_sycl(last, queue, &made), ZE_RESULT_SUCCESS);
  CHECK_EQ(fake_of(made)->counts.references, 1);
  syclze_sycl_delete(made);
  CHECK(fake_sycl.markers == 1 && fake_sycl.barriers == 2);
  fake_of(&w.queue)->last = fake_object(NULL);
  CHECK_EQ(syclze_event_to_sycl(last, queue, &made), ZE_RESULT_SUCCESS);
  CHECK(fake_of(made) != fake_of(&fake_of(&w.queue)->last));
  syclze_sycl_delete(made);
  CHECK(fake_sycl.markers == 1 && fake_sycl.barriers == 3);
  const syclze_queue none = {NULL};
  REFUSED(made, syclze_event_to_sycl(last, none, &made), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_to_sycl", "the library's own", last.rep);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w.memory, syclze_queue_get_context(queue)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

/* Markers of adapter v1 wait on the host, and not for native commands. */
TEST(no_marker_of_adapter_v1_stands_for_an_event) { // shows promises 14
  begin();
  const syclze_context context = own_context();
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of(w.list),
      .device = w.device,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .properties = {
          .flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER}};
  syclze_queue queue;
  syclze_event last;
  void *made;
  fake_sycl.platform->name = "Level-Zero";
  fake_sycl.makes_markers = true;
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  w.memory = shared_memory(context);
  fill(queue, 1, &last);
  CHECK_EQ(syclze_event_to_sycl(last, queue, &made), ZE_RESULT_SUCCESS);
  syclze_sycl_delete(made);
  CHECK(fake_sycl.markers == 0 && fake_sycl.barriers == 1);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w.memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  end();
}

TEST(an_event_without_a_native_one_is_signalled_by_a_task) { // shows promises 14
  begin();
  const syclze_context context = own_context();
  for (int kind = 0; kind < 3; kind++) {
    struct syclze__sycl_object event = fake_object(NULL);
    struct fake_impl *impl = fake_of(&event);
    const ze_event_handle_t native = kind == 2 ? given_event(&w.g) : NULL;
    syclze_event own;
    /* Pending; complete; complete, and its native event is in use again. */
    impl->status = kind == 0 ? FAKE_SUBMITTED : SYCLZE__SYCL_COMPLETE;
    impl->references = kind == 2;
    impl->native = (uintptr_t)native;
    CHECK_EQ(syclze_event_from_sycl(&event, context, &own), ZE_RESULT_SUCCESS);
    CHECK_EQ(is_done(own), kind != 0);
    if (kind == 0) fake_run();
    CHECK(is_done(own));
    CHECK_EQ(impl->counts.references, 2);
    CHECK_EQ(syclze_release(own), ZE_RESULT_SUCCESS);
    if (native != NULL) CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
    syclze__sycl_release(&event);
  }
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  end();
}

TEST(own_objects_are_handed_over_once_and_kept_ones_stay) { // shows promises 14
  for (int kept = 0; kept < 2; kept++) {
    begin();
    given_kernel(&w.g, "tests/kernels/basic.spv", "iota");
    const syclze_ownership ownership = kept ? SYCLZE_OWNERSHIP_KEEP : SYCLZE_OWNERSHIP_TRANSFER;
    const syclze_context context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
    const syclze_kernel_bundle bundle = made_kernel_bundle(context, w.g.module, ownership);
    const syclze_kernel kernel = made_kernel(bundle, w.g.kernel, context, ownership);
    const ze_event_handle_t native = given_event(&w.g);
    const syclze_event event = made_event(context, native, ownership);
    const syclze_queue_input input = {.native_handle = syclze_native_queue_of(given_list(&w.g)),
        .device = w.device,
        .ownership = ownership};
    const syclze_queue none = {NULL};
    syclze_queue queue;
    void *made[2];
    CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
#define TWICE(call)                                                                                \
  do {                                                                                             \
    const unsigned makes = fake_sycl.makes;                                                        \
    for (int i = 0; i < 2; i++) {                                                                  \
      void **const result = &made[i];                                                              \
      CHECK_EQ(call, ZE_RESULT_SUCCESS);                                                           \
    }                                                                                              \
    CHECK_EQ(fake_sycl.keeps, kept != 0);                                                          \
    CHECK(fake_sycl.makes - makes <= 3 && fake_of(made[0]) == fake_of(made[1]));                   \
    syclze_sycl_delete(made[0]), syclze_sycl_delete(made[1]);                                      \
  } while (0)
    TWICE(syclze_kernel_to_sycl(kernel, result));
    TWICE(syclze_event_to_sycl(event, none, result));
    TWICE(syclze_queue_to_sycl(queue, result));
    TWICE(syclze_kernel_bundle_to_sycl(bundle, result));
#undef TWICE
    CHECK_EQ(syclze_context_to_sycl(context, &made[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(fake_of(made[0])->native, (uintptr_t)w.g.context);
    syclze_sycl_delete(made[0]);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
    if (kept) {
      CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
      CHECK_EQ(zeCommandListDestroy(input.native_handle.list), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
    end();
  }
}

TEST(one_context_of_sycl_is_one_context) { // shows promises 14
  begin();
  const syclze_context one = own_context(), two = own_context();
  const syclze_queue queue = from(&w.queue);
  CHECK(one.rep == two.rep && syclze_queue_get_context(queue).rep == one.rep);
  CHECK_EQ(fake_of(&w.context)->counts.references, 3); /* the queue's, and one of the wrapper */
  CHECK_EQ(syclze_release(one), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(two), ZE_RESULT_SUCCESS);
  /* The queue keeps the former, of which there is no reference: another is made. */
  const syclze_context other = own_context();
  CHECK(other.rep != one.rep);
  CHECK(other.rep == own_context().rep);
  CHECK_EQ(fake_of(&w.context)->counts.references, 4);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(fake_of(&w.context)->counts.references, 3);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_known_queue_is_found_without_its_list) { // shows promises 14
  begin();
  const syclze_queue one = from(&w.queue);
  const unsigned asked = fake_sycl.natives_asked;
  const syclze_queue two = from(&w.queue);
  CHECK(one.rep == two.rep && fake_sycl.natives_asked == asked);
  /* Another queue of SYCL's of that list. */
  struct syclze__sycl_object same_list = sycl_queue_of(w.list, true);
  const syclze_queue three = from(&same_list);
  CHECK(three.rep == one.rep && fake_sycl.natives_asked == asked + 1);
  syclze__sycl_release(&same_list);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_release(one), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_context_lives_as_long_as_sycls) { // shows promises 14
  begin();
  syclze_context context;
  void *made;
  CHECK_EQ(syclze_context_create(&w.device, 1, &context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_to_sycl(context, &made), ZE_RESULT_SUCCESS);
  const ze_context_handle_t native = syclze_get_native(context);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextGetStatus(native), ZE_RESULT_SUCCESS);
  syclze_sycl_delete(made); /* ends both */
  end();
}

static ze_result_t end_nothing(void *data) {
  (void)data;
  return ZE_RESULT_SUCCESS;
}

/* from_sycl of the object is refused, also as of another backend. */
#define REFUSED_FROM(kind, object, code, text)                                                     \
  REFUSED(made.kind, syclze_##kind##_from_sycl(&(object), &made.kind), code,                       \
      "syclze_" #kind "_from_sycl", text, &(object))
#define REFUSED_BACKEND(kind, object)                                                              \
  do {                                                                                             \
    fake_of(&(object))->backend = 1;                                                               \
    REFUSED_FROM(kind, object, SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "another backend");           \
    fake_of(&(object))->backend = SYCLZE__SYCL_LEVEL_ZERO;                                         \
  } while (0)

TEST(objects_that_cannot_be_shared_are_refused) { // shows promises 14
  begin();
  struct syclze__sycl_object platform = {fake_sycl.platform, &fake_sycl.platform->counts},
                             device = {fake_sycl.device, NULL}, bundle = fake_object(NULL),
                             kernel = fake_object(NULL), event = fake_object(NULL);
  struct fake_impl *queue = fake_of(&w.queue);
  syclze_object made;
  fake_of(&event)->references = 1;
  REFUSED_BACKEND(platform, platform);
  REFUSED_BACKEND(device, device);
  REFUSED_BACKEND(context, w.context);
  const syclze_context context = own_context();
  REFUSED_BACKEND(queue, w.queue);
  REFUSED_BACKEND(kernel_bundle, bundle);
  REFUSED_BACKEND(kernel, kernel);
  fake_of(&event)->backend = 1;
  REFUSED(made.event, syclze_event_from_sycl(&event, context, &made.event),
      SYCLZE_RESULT_ERROR_BACKEND_MISMATCH, "syclze_event_from_sycl", "another backend", &event);
  REFUSED_FROM(kernel_bundle, bundle, SYCLZE_RESULT_ERROR_INVALID, "one module");
  queue->state = 1;
  REFUSED_FROM(queue, w.queue, SYCLZE_RESULT_ERROR_INVALID, "records");
  queue->state = 0;
  queue->is_list = 0;
  REFUSED_FROM(queue, w.queue, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "batches");
  queue->is_list = 1;
  fake_sycl.platform->name = "Level-Zero";
  REFUSED_FROM(queue, w.queue, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "not one in-order list");
  fake_sycl.platform->name = "Level-Zero V2";
  CHECK_EQ(queue->counts.references, 1);
  syclze__sycl_release(&kernel);
  syclze__sycl_release(&bundle);
  syclze__sycl_release(&event);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_runtime_without_host_tasks_is_refused_where_one_is_pending) { // shows promises 14
  begin();
  syclze_queue queue = from(&w.queue);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  SYCLZE__STATE.sycl->missing[SYCLZE__SYCL_TASK] = "a symbol";
  CHECK_EQ(syclze_queue_from_sycl(&w.queue, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  submit_sycl_task();
  REFUSED(queue, syclze_queue_from_sycl(&w.queue, &queue),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_queue_from_sycl", "host tasks are pending",
      &w.queue);
  SYCLZE__STATE.sycl->missing[SYCLZE__SYCL_TASK] = NULL;
  end();
}

TEST(queues_that_sycl_cannot_order_are_refused) { // shows promises 14
  begin();
  const syclze_context context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  const syclze_owner owner = {end_nothing, NULL};
  const ze_command_list_handle_t list = given_list(&w.g);
  syclze_queue queue;
  syclze_event event = made_event(context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  void *made;
  syclze_queue_input input = {.native_handle = syclze_native_queue_of(w.g.queue),
      .device = w.device,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
#define REFUSED_TO(code, text)                                                                     \
  REFUSED(made, syclze_queue_to_sycl(queue, &made), code, "syclze_queue_to_sycl", text, queue.rep)
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  REFUSED_TO(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "immediate");
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  input.native_handle = syclze_native_queue_of(list);
  input.properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  REFUSED_TO(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "not known to be in-order");
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  input.properties.flags = 0;
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  fake_sycl.platform->name = "Level-Zero";
  fake_sycl.replaces_lists = true;
  REFUSED_TO(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "replaces the native list");
  fake_sycl.replaces_lists = false;
  REFUSED(made, syclze_event_to_sycl(event, queue, &made), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_to_sycl", "not in-order", event.rep);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_queue(&input, context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_set_owner(queue, owner), ZE_RESULT_SUCCESS);
  fake_sycl.platform->name = "Level-Zero V2";
  REFUSED_TO(SYCLZE_RESULT_ERROR_INVALID, "owner that is not SYCL's");
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(list), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(each_kind_is_the_same_there_and_back, one_list_is_one_queue_which_keeps_sycls,
    a_pending_task_of_sycl_holds_back_what_is_submitted_after_it,
    a_pending_task_of_this_library_holds_back_sycl, the_event_of_a_command_is_a_barrier_of_sycl,
    no_marker_of_adapter_v1_stands_for_an_event, one_context_of_sycl_is_one_context,
    a_known_queue_is_found_without_its_list, an_event_without_a_native_one_is_signalled_by_a_task,
    own_objects_are_handed_over_once_and_kept_ones_stay, a_context_lives_as_long_as_sycls,
    objects_that_cannot_be_shared_are_refused,
    a_runtime_without_host_tasks_is_refused_where_one_is_pending,
    queues_that_sycl_cannot_order_are_refused)
