/* PTI as a subscriber: the view of Intel's tools on syclze's submissions. PTI is loaded by name;
   its wheel has no headers, so its interface is declared here. */
// shows promises 61
#define _POSIX_C_SOURCE 200809L
#include "tests/device/support/made.h"
#include "syclze/trace/current.h"

#include <dlfcn.h>
#include <unistd.h>

enum view { KERNELS = 1, DRIVER_CALLS = 3, RUNTIME_CALLS = 6, COPIES = 8, FILLS = 9 };
enum { SYCL = 3, ITEMS = 256, BYTES = ITEMS * 4, MOST = 256, ROOM = 1 << 20 };

struct call {
  int32_t kind;
  uint64_t start, end;
  uint32_t group, function, process, thread, correlation, result;
};
/* The common part of records of device work. */
struct work {
  char address[16];
  uint8_t uuid[16];
};
struct times {
  uint64_t append, start, end, submit;
};
struct kernel {
  int32_t kind;
  ze_command_list_handle_t queue;
  ze_context_handle_t context;
  const char *name, *file;
  uint64_t line, id;
  uint32_t correlation, thread;
  struct work on;
  struct times times;
  uint64_t task_begin, enqueue_begin, node, queue_id;
  uint32_t invocation;
};
struct copy {
  int32_t kind, type, from, to;
  ze_command_list_handle_t queue;
  ze_context_handle_t context;
  const char *name;
  struct work on;
  uint64_t id;
  uint32_t correlation, thread;
  struct times times;
  uint64_t bytes, queue_id;
};
struct fill {
  int32_t kind, type;
  ze_command_list_handle_t queue;
  ze_context_handle_t context;
  const char *name;
  struct work on;
  uint64_t id;
  uint32_t correlation, thread;
  struct times times;
  uint64_t bytes, value, queue_id;
};

#define FUNCTIONS(X)                                                                               \
  X(int, ptiViewSetCallbacks,                                                                      \
      (void (*)(unsigned char **, size_t *), void (*)(unsigned char *, size_t, size_t)))           \
  X(int, ptiViewEnable, (int))                                                                     \
  X(int, ptiViewDisable, (int))                                                                    \
  X(int, ptiFlushAllViews, (void))                                                                 \
  X(int, ptiViewGetNextRecord, (unsigned char *, size_t, void **))                                 \
  X(int, ptiViewGetApiIdName, (int, uint32_t, const char **))
#define FUNCTION(type, name, parameters) static type(*name) parameters;
FUNCTIONS(FUNCTION)

static struct call calls[MOST];
static struct kernel kernels[MOST];
static struct copy copies[MOST];
static struct fill fills[MOST];
static uint32_t call_count, kernel_count, copy_count, fill_count, driver_calls;
static int32_t views[] = {RUNTIME_CALLS, KERNELS, COPIES, FILLS, DRIVER_CALLS};

#if ZE_API_VERSION_CURRENT < ZE_MAKE_VERSION(1, 5)
/* Referenced by PTI and missing in loaders of these headers' age: part of system management, which
   is not used here. */
ze_result_t zesInit(uint32_t flags);
ze_result_t zesInit(uint32_t flags) {
  (void)flags;
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}
#endif

static void give_room(unsigned char **buffer, size_t *size) {
  *buffer = (unsigned char *)calloc(1, ROOM);
  *size = *buffer != NULL ? ROOM : 0;
}

#define KEEP(all, count, record)                                                                   \
  do {                                                                                             \
    if ((count) < MOST) memcpy(&(all)[(count)++], record, sizeof *(all));                          \
  } while (0)

/* Called on a PTI thread. */
static void take(unsigned char *buffer, size_t size, size_t used) {
  void *record = NULL;
  (void)size;
  while (buffer != NULL && ptiViewGetNextRecord(buffer, used, &record) == 0 && record != NULL)
    switch (*(const int32_t *)record) {
    case RUNTIME_CALLS:
      KEEP(calls, call_count, record);
      break;
    case KERNELS:
      KEEP(kernels, kernel_count, record);
      break;
    case COPIES:
      KEEP(copies, copy_count, record);
      break;
    case FILLS:
      KEEP(fills, fill_count, record);
      break;
    case DRIVER_CALLS:
      driver_calls++;
      break;
    }
  free(buffer);
}

/* Selects the form that PTI reads, and the tracing layer, before the loader starts. PTI sets the
   framework's variables itself. */
__attribute__((constructor)) static void load(void) {
  setenv("SYCLZE_TRACE_FORM", "current", 1);
  setenv("ZE_ENABLE_TRACING_LAYER", "1", 1);
  void *library = dlopen("libpti_view.so", RTLD_NOW), *address;
  if (library == NULL) fprintf(stderr, "%s\n", dlerror());
#define FIND(type, name, parameters)                                                               \
  address = library != NULL ? dlsym(library, #name) : NULL;                                        \
  memcpy(&name, &address, sizeof address);
  FUNCTIONS(FIND)
}

struct program {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue; /* in order */
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  void *shared;
};

static void run(struct program *p) {
  const syclze_nd_range whole = {.global = {ITEMS}, .local = {64}};
  const uint32_t seven = 7;
  static uint32_t values[ITEMS];
  const syclze_argument arguments[] = {syclze_arg(p->shared), syclze_arg(3)};
  syclze_group group = syclze_group_begin(p->queue);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(p->shared), &seven, 4, BYTES, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(p->queue);
  CHECK_EQ(syclze_group_launch(&group, p->kernel, &whole, arguments, 2, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(p->queue);
  CHECK_EQ(
      syclze_group_copy(&group, syclze_mem_arg(values), syclze_mem_arg(p->shared), BYTES, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(p->queue), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < ITEMS; i++)
    CHECK_EQ(values[i], 3 + i);
  /* Waiting for an out-of-order queue makes other runtime calls. */
  syclze_queue other;
  CHECK_EQ(syclze_queue_create(p->context, p->device, NULL, &other), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(other);
  CHECK_EQ(
      syclze_group_prefetch(&group, syclze_mem_arg(p->shared), BYTES, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(other), ZE_RESULT_SUCCESS);
}

/* The runtime functions that the program calls, in order. A context also makes a device. */
static const char *const called[] = {"urPlatformCreateWithNativeHandle",
    "urDeviceCreateWithNativeHandle", "urDeviceCreateWithNativeHandle",
    "urContextCreateWithNativeHandle", "urQueueCreate", "urProgramCreateWithNativeHandle",
    "urKernelCreateWithNativeHandle", "urUSMSharedAlloc", "urEnqueueUSMFill",
    "urEnqueueKernelLaunchWithArgsExp", "urEnqueueUSMMemcpy", "urQueueFinish", "urQueueCreate",
    "urEnqueueUSMPrefetch", "urQueueFinish", "urQueueRelease", "urUSMFree", "urKernelRelease",
    "urProgramRelease", "urQueueRelease", "urContextRelease"};

/* PTI delivers records in no order. */
static int compare_starts(const void *left, const void *right) {
  const struct call *a = (const struct call *)left, *b = (const struct call *)right;
  return (a->start > b->start) - (a->start < b->start);
}

static void run_watched(void) {
  struct program p;
  static bool done;
  if (done) return;
  done = true;
  CHECK(ptiViewSetCallbacks != NULL);
  CHECK_EQ(ptiViewSetCallbacks(give_room, take), 0);
  for (size_t i = 0; i < sizeof views / sizeof *views; i++)
    CHECK_EQ(ptiViewEnable(views[i]), 0);
  p.g = given();
  syclze_platform platform;
  CHECK_EQ(syclze_make_platform(p.g.driver, &platform), ZE_RESULT_SUCCESS);
  p.device = made_device(&p.g);
  p.context = made_context(&p.g, SYCLZE_OWNERSHIP_KEEP);
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  CHECK_EQ(syclze_queue_create(p.context, p.device, &in_order, &p.queue), ZE_RESULT_SUCCESS);
  given_kernel(&p.g, "tests/kernels/basic.spv", "iota");
  p.bundle = made_kernel_bundle(p.context, p.g.module, SYCLZE_OWNERSHIP_KEEP);
  p.kernel = made_kernel(p.bundle, p.g.kernel, p.context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_malloc_shared(BYTES, p.device, p.context, &p.shared), ZE_RESULT_SUCCESS);
  run(&p);
  CHECK_EQ(syclze_free(p.shared, p.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(p.kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(p.bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(p.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(p.context), ZE_RESULT_SUCCESS);
  for (size_t i = 0; i < sizeof views / sizeof *views; i++)
    CHECK_EQ(ptiViewDisable(views[i]), 0);
  CHECK_EQ(ptiFlushAllViews(), 0);
  qsort(calls, call_count, sizeof *calls, compare_starts);
  given_end(&p.g);
}

static const char *name_of(const struct call *call) {
  const char *name = NULL;
  CHECK_EQ(ptiViewGetApiIdName((int)call->group, call->function, &name), 0);
  return name;
}

/* The single call of a function. */
static const struct call *call_of(const char *name) {
  const struct call *found = NULL;
  for (uint32_t i = 0; i < call_count; i++)
    if (strcmp(name_of(&calls[i]), name) == 0) {
      CHECK(found == NULL);
      found = &calls[i];
    }
  if (found == NULL) CHECK_STR_EQ(name, NULL);
  return found;
}

/* Device work of a call: its times are in order, and its call and thread are right. */
static void check_work(
    const struct times *times, uint32_t correlation, uint32_t thread, const char *name) {
  const struct call *call = call_of(name);
  CHECK_EQ(correlation, call->correlation);
  CHECK_EQ(thread, call->thread);
  CHECK(times->append >= call->start && times->append <= call->end);
  CHECK(times->append <= times->submit && times->submit <= times->start);
  CHECK(times->start < times->end);
}

TEST(syclze_calls_appear_as_runtime_calls) {
  given_needs_execution();
  run_watched();
  uint64_t last = 0;
  for (uint32_t i = 0; i < call_count && i < sizeof called / sizeof *called; i++) {
    CHECK_STR_EQ(name_of(&calls[i]), called[i]);
    CHECK_EQ(calls[i].group, SYCL);
    CHECK_EQ(calls[i].process, (uint32_t)getpid());
    CHECK_EQ(calls[i].result, 0);
    CHECK(calls[i].start >= last && calls[i].end > calls[i].start);
    last = calls[i].end;
  }
  CHECK_EQ(call_count, sizeof called / sizeof *called);
  CHECK(driver_calls >= call_count);
}

TEST(syclze_kernels_appear_as_kernels) {
  given_needs_execution();
  run_watched();
  CHECK_EQ(kernel_count, 1);
  CHECK_STR_EQ(kernels[0].name, "iota");
  check_work(&kernels[0].times, kernels[0].correlation, kernels[0].thread,
      "urEnqueueKernelLaunchWithArgsExp");
  CHECK(kernels[0].task_begin != 0 && kernels[0].task_begin <= kernels[0].enqueue_begin);
  CHECK(kernels[0].enqueue_begin <= kernels[0].times.append);
  CHECK(kernels[0].node != 0);
  CHECK(kernels[0].file != NULL && strstr(kernels[0].file, "pti.c") != NULL);
}

TEST(syclze_fills_and_copies_appear_on_their_queue) {
  given_needs_execution();
  run_watched();
  CHECK_EQ(fill_count, 1);
  CHECK_EQ(fills[0].bytes, BYTES);
  check_work(&fills[0].times, fills[0].correlation, fills[0].thread, "urEnqueueUSMFill");
  CHECK_EQ(copy_count, 1);
  CHECK_EQ(copies[0].bytes, BYTES);
  check_work(&copies[0].times, copies[0].correlation, copies[0].thread, "urEnqueueUSMMemcpy");
  CHECK(fills[0].times.end <= kernels[0].times.start);
  CHECK(kernels[0].times.end <= copies[0].times.start);
  CHECK_EQ(fills[0].queue_id, kernels[0].queue_id);
  CHECK_EQ(copies[0].queue_id, kernels[0].queue_id);
  CHECK_EQ(fills[0].queue, kernels[0].queue);
  CHECK_EQ(copies[0].context, kernels[0].context);
}

TEST_MAIN(syclze_calls_appear_as_runtime_calls, syclze_kernels_appear_as_kernels,
    syclze_fills_and_copies_appear_on_their_queue)
