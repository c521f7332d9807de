/* Each call, allocation, thread and lock fails in turn while a subscriber of XPTI is notified: the
   program does what it does without, and the subscriber sees no begin without its end. */
#define _POSIX_C_SOURCE 200809L
#undef SYCLZE_DECLARATIONS
#include "support/chain.h"
#include "support/sweep.h"

#include "syclze/command/host_accessor.h"
#include "syclze/trace/current.h"
#include "tests/trace/subscriber/checker.h"

#include <dlfcn.h>
#include <stdatomic.h>

enum { LAUNCHES = 3 };

static const char *form;
static atomic_int runs;

static checker_wrong_function subscribe(void) {
  checker_wrong_function wrong;
  setenv("SYCLZE_TRACE_FORM", form, 1);
  setenv("XPTI_FRAMEWORK_DISPATCHER", TRACE_LIBRARIES "/framework_2025.so", 1);
  setenv("XPTI_SUBSCRIBERS", TRACE_LIBRARIES "/checker.so", 1);
  setenv("XPTI_TRACE_ENABLE", "1", 1);
  setenv("CHECKER_ONLY", "begin", 1); /* the program is not the one whose values it knows */
  void *library = dlopen(TRACE_LIBRARIES "/checker.so", RTLD_LAZY);
  CHECK(library != NULL);
  void *symbol = dlsym(library, "checker_wrong");
  CHECK(symbol != NULL);
  memcpy(&wrong, &symbol, sizeof wrong);
  return wrong;
}

static ze_result_t count_run(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  atomic_fetch_add(&runs, 1);
  return ZE_RESULT_SUCCESS;
}

/* Its release's result is the failure's, if anything. */
static void try_objects(const struct scene_base *scene) {
  syclze_queue queue;
  syclze_event event;
  void *memory;
  sweep_check_result(syclze_queue_create(scene->context, scene->device, NULL, &queue));
  if (queue.rep != NULL) sweep_check_result(syclze_release(queue));
  sweep_check_result(syclze_event_create(scene->context, 0, &event));
  if (event.rep != NULL) sweep_check_result(syclze_release(event));
  sweep_check_result(syclze_malloc_shared(64, scene->device, scene->context, &memory));
  if (memory != NULL) sweep_check_result(syclze_free(memory, scene->context));
}

static void try_scope(syclze_buffer buffer) {
  syclze_host_accessor accessor;
  sweep_check_result(syclze_host_accessor_begin(buffer, SYCLZE_ACCESS_READ, &accessor, NULL));
  if (accessor.rep == NULL) return;
  sweep_check_result(syclze_host_accessor_wait(accessor));
  sweep_check_result(syclze_host_accessor_release(accessor));
}

/* A buffer of 256 items of four bytes, which a launch has too. */
enum { ITEMS = 256 };

static syclze_buffer items_buffer(const struct scene_base *scene, void *memory) {
  syclze_buffer buffer;
  const syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = 4,
      .dimensions = 1,
      .range = {ITEMS, 0, 0}};
  CHECK_EQ(syclze_make_buffer(&input, scene->context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

static void scenario(void) {
  struct scene_base scene;
  struct node nodes[LAUNCHES];
  void *memory;
  syclze_event done = {NULL};
  const checker_wrong_function wrong = subscribe();
  atomic_store(&runs, 0);
  memset(nodes, 0, sizeof nodes);
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  CHECK_EQ(
      syclze_malloc_shared(ITEMS * 4, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, ITEMS * 4);
  syclze_buffer buffer = items_buffer(&scene, memory);

  sweep_arm();
  try_objects(&scene);
  chain_launch(queue, kernel, buffer, ITEMS, 64, nodes, LAUNCHES);
  try_scope(buffer);
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  const ze_result_t submitted = syclze_group_host_task(&group, count_run, NULL, &done);
  sweep_check_result(submitted);
  const ze_result_t waited = syclze_queue_wait(queue);
  sweep_disarm();
  /* Where the wait for the host task fails for good, the context is lost. */
  const bool lost = waited != ZE_RESULT_SUCCESS && syclze_queue_wait(queue) != ZE_RESULT_SUCCESS;
  CHECK(!lost || sweep_stays());
  if (lost) {
    /* Their releases may say so too. */
    if (done.rep != NULL) syclze_release(done);
    syclze_release(buffer);
    syclze_release(kernel);
    syclze_release(queue);
    syclze_release(scene.bundle);
    syclze_release(scene.context);
    sweep_settle(2);
    return;
  }
  chain_check(nodes, LAUNCHES, memory);
  if (submitted != ZE_RESULT_SUCCESS) CHECK_EQ(atomic_load(&runs), 0);
  if (!sweep_failed()) CHECK_EQ(atomic_load(&runs), 1);
  if (done.rep != NULL) CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  sweep_check_result(syclze_release(buffer));
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(2);
  CHECK_STR_EQ(wrong(), NULL);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  if (!sweep_failed()) CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

TEST(subscribers_in_the_form_of_the_specification) {
  form = "";
  sweep_all(scenario);
}

TEST(subscribers_in_the_form_of_todays_runtimes) {
  form = "current";
  sweep_all(scenario);
}

TEST_MAIN(subscribers_in_the_form_of_the_specification, subscribers_in_the_form_of_todays_runtimes)
