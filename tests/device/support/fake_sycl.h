/* A SYCL runtime of the test's own, over native handles of the driver: the functions of libsycl
   that syclze/detail/sycl/runtime.h looks up, exported from the program (wrap.txt).

   An object is a shared pointer, of which all are counted. A host task runs when the test says so.
 */
#ifndef TESTS_DEVICE_FAKE_SYCL_H
#define TESTS_DEVICE_FAKE_SYCL_H

#include "syclze/sycl_interop.h"
#include "tests/check.h"

#include <dlfcn.h>

enum { FAKE_TASKS = 16, FAKE_SUBMITTED = 2 };

struct fake_impl {
  struct syclze__sycl_counts counts;
  uintptr_t native;
  char backend;
  int32_t is_list, state, status;
  bool in_order, is_empty;
  uint32_t properties, references;
  struct syclze__sycl_object context, last; /* of a kernel its bundle */
  void *device, *other_device;
  struct syclze__sycl_object images[2]; /* of a bundle */
  uint32_t image_count;
  const char *name;
  ze_result_t (*destroy)(void *native); /* of a handle that was handed over */
  struct syclze__sycl_function handler; /* of a context */
};

struct fake_task {
  struct syclze__sycl_object event;
  struct syclze__sycl_function function;
  uint32_t depends_on; /* that many events */
};

static struct {
  int alive;      /* objects */
  unsigned makes; /* of SYCL's objects of native handles */
  bool keeps;     /* the last one stayed the application's */
  struct fake_task tasks[FAKE_TASKS];
  unsigned task_count, tasks_run, barriers;
  struct fake_impl *device, *platform;
  bool replaces_lists;
  bool makes_markers; /* in a queue without a last event */
  unsigned markers, natives_asked;
} fake_sycl;

static struct fake_impl *fake_of(const void *object) {
  return *(struct fake_impl *const *)object;
}

static void fake_dispose(struct syclze__sycl_counts *counts) {
  struct fake_impl *impl = (struct fake_impl *)counts;
  if (impl->destroy != NULL) CHECK_EQ(impl->destroy((void *)impl->native), ZE_RESULT_SUCCESS);
  if (impl->handler.manage != NULL)
    impl->handler.manage(impl->handler.data, impl->handler.data, SYCLZE__SYCL_DESTROY);
  syclze__sycl_release(&impl->last);
  syclze__sycl_release(&impl->images[0]);
  syclze__sycl_release(&impl->images[1]);
  syclze__sycl_release(&impl->context);
  fake_sycl.alive--;
}

static void fake_destroy(struct syclze__sycl_counts *counts) {
  free(counts);
}

static struct syclze__sycl_object fake_object(void *native) {
  static const struct syclze__sycl_counts_table table = {{NULL, NULL}, fake_dispose, fake_destroy};
  struct fake_impl *impl = calloc(1, sizeof *impl);
  impl->counts.table = &table;
  impl->counts.references = impl->counts.weak = 1;
  impl->native = (uintptr_t)native;
  impl->backend = SYCLZE__SYCL_LEVEL_ZERO;
  impl->is_empty = true;
  fake_sycl.alive++;
  struct syclze__sycl_object object = {impl, &impl->counts};
  return object;
}

static struct syclze__sycl_result fake_result(struct syclze__sycl_object object) {
  struct syclze__sycl_result result = {{object.impl, object.counts, NULL, NULL}};
  return result;
}

/* Memory that C++ deletes. */
static void *fake_memory(const char *operator_new, size_t size) {
  void *(*function)(size_t);
  void *found = dlsym(NULL, operator_new);
  memcpy((void *)&function, &found, sizeof found);
  return function(size);
}

/* Runs the next host task. */
static void fake_run(void) {
  struct fake_task *task = &fake_sycl.tasks[fake_sycl.tasks_run++];
  void *address[2];
  CHECK(fake_sycl.tasks_run <= fake_sycl.task_count);
  (void)task->function.manage(address, task->function.data, SYCLZE__SYCL_ADDRESS_OF);
  CHECK(address[0] == task->function.data);
  (void)task->function.manage(address, task->function.data, SYCLZE__SYCL_TYPE_OF);
  CHECK(address[0] == NULL);
  task->function.call(task->function.data, NULL);
  fake_of(&task->event)->status = SYCLZE__SYCL_COMPLETE;
  (void)task->function.manage(task->function.data, task->function.data, SYCLZE__SYCL_DESTROY);
  syclze__sycl_release(&task->event);
}

/* A function of libsycl, by its symbol. */
#define FAKE(result, name, parameters, symbol)                                                     \
  result name parameters __asm__(symbol);                                                          \
  result name parameters

/* clang-format off */
FAKE(char, fake_platform_backend, (const void *o), "_ZNK4sycl3_V18platform11get_backendEv") { return fake_of(o)->backend; }
FAKE(uintptr_t, fake_platform_native, (const void *o), "_ZNK4sycl3_V18platform9getNativeEv") { return fake_of(o)->native; }
FAKE(char, fake_device_backend, (const void *o), "_ZNK4sycl3_V16device11get_backendEv") { return fake_of(o)->backend; }
FAKE(uintptr_t, fake_device_native, (const void *o), "_ZNK4sycl3_V16device9getNativeEv") { return fake_of(o)->native; }
FAKE(void, fake_device_copy, (void *to, const void *from), "_ZN4sycl3_V16deviceC1ERKS1_") { memcpy(to, from, sizeof(void *)); }
FAKE(char, fake_context_backend, (const void *o), "_ZNK4sycl3_V17context11get_backendEv") { return fake_of(o)->backend; }
FAKE(uintptr_t, fake_context_native, (const void *o), "_ZNK4sycl3_V17context9getNativeEv") { return fake_of(o)->native; }
FAKE(char, fake_queue_backend, (const void *o), "_ZNK4sycl3_V15queue11get_backendEv") { return fake_of(o)->backend; }
FAKE(bool, fake_queue_is_in_order, (const void *o), "_ZNK4sycl3_V15queue11is_in_orderEv") { return fake_of(o)->in_order; }
FAKE(const uint32_t *, fake_queue_properties, (const void *o), "_ZNK4sycl3_V15queue11getPropListEv") { return &fake_of(o)->properties; }
FAKE(int, fake_queue_state, (const void *o), "_ZNK4sycl3_V15queue20ext_oneapi_get_stateEv") { return fake_of(o)->state; }
FAKE(bool, fake_queue_is_empty, (const void *o), "_ZNK4sycl3_V15queue16ext_oneapi_emptyEv") { return __atomic_load_n(&fake_of(o)->is_empty, __ATOMIC_ACQUIRE); }
FAKE(char, fake_event_backend, (const void *o), "_ZNK4sycl3_V15event11get_backendEv") { return fake_of(o)->backend; }
FAKE(uintptr_t, fake_event_native, (const void *o), "_ZNK4sycl3_V15event9getNativeEv") { return fake_of(o)->native; }
FAKE(uint32_t, fake_event_references, (const void *o), "_ZNK4sycl3_V15event8get_infoINS0_4info5event15reference_countEEENS0_6detail18is_event_info_descIT_E11return_typeEv") { return fake_of(o)->references; }
FAKE(int, fake_event_status, (const void *o), "_ZNK4sycl3_V15event8get_infoINS0_4info5event24command_execution_statusEEENS0_6detail18is_event_info_descIT_E11return_typeEv") { return fake_of(o)->status; }
FAKE(char, fake_kernel_backend, (const void *o), "_ZNK4sycl3_V16kernel11get_backendEv") { return fake_of(o)->backend; }
FAKE(uintptr_t, fake_kernel_native, (const void *o), "_ZNK4sycl3_V16kernel9getNativeEv") { return fake_of(o)->native; }
FAKE(struct syclze__sycl_result, fake_kernel_bundle, (const void *o), "_ZNK4sycl3_V16kernel17get_kernel_bundleEv") { return fake_result(syclze__sycl_retain(&fake_of(o)->context)); }
FAKE(char, fake_bundle_backend, (const void *o), "_ZNK4sycl3_V16detail19kernel_bundle_plain11get_backendEv") { return fake_of(o)->backend; }
FAKE(struct syclze__sycl_result, fake_bundle_context, (const void *o), "_ZNK4sycl3_V16detail19kernel_bundle_plain11get_contextEv") { return fake_result(syclze__sycl_retain(&fake_of(o)->context)); }
FAKE(const struct syclze__sycl_object *, fake_bundle_begin, (const void *o), "_ZNK4sycl3_V16detail19kernel_bundle_plain5beginEv") { return fake_of(o)->images; }
FAKE(const struct syclze__sycl_object *, fake_bundle_end, (const void *o), "_ZNK4sycl3_V16detail19kernel_bundle_plain3endEv") { return fake_of(o)->images + fake_of(o)->image_count; }
FAKE(uintptr_t, fake_image_native, (const void *o), "_ZNK4sycl3_V16detail18device_image_plain9getNativeEv") { return fake_of(o)->native; }
FAKE(struct syclze__sycl_result, fake_queue_context, (const void *o), "_ZNK4sycl3_V15queue11get_contextEv") { return fake_result(syclze__sycl_retain(&fake_of(o)->context)); }
/* clang-format on */

FAKE(struct syclze__sycl_result, fake_queue_device, (const void *o),
    "_ZNK4sycl3_V15queue10get_deviceEv") {
  const struct syclze__sycl_object device = {fake_of(o)->device, NULL};
  return fake_result(device);
}

FAKE(struct syclze__sycl_result, fake_device_platform, (const void *o),
    "_ZNK4sycl3_V16device12get_platformEv") {
  struct syclze__sycl_object platform = {fake_sycl.platform, &fake_sycl.platform->counts};
  (void)o;
  return fake_result(syclze__sycl_retain(&platform));
}

FAKE(struct syclze__sycl_result, fake_platform_name, (const void *o),
    "_ZNK4sycl3_V18platform13get_info_implINS0_4info8platform4nameEEENS0_6detail11ABINeutralTINS6_"
    "21is_platform_info_descIT_E11return_typeEE4typeEv") {
  struct syclze__sycl_result result = {{fake_memory("_Znam", 32)}};
  strcpy(result.words[0], fake_of(o)->name);
  return result;
}

FAKE(struct syclze__sycl_result, fake_context_devices, (const void *o),
    "_ZNK4sycl3_V17context11get_devicesEv") {
  void **devices = fake_memory("_Znwm", sizeof *devices);
  struct syclze__sycl_result result = {{devices, devices + 1, devices + 1, NULL}};
  *devices = fake_of(o)->device;
  return result;
}

FAKE(uintptr_t, fake_queue_native, (const void *o, int32_t *is_list),
    "_ZNK4sycl3_V15queue9getNativeERi") {
  *is_list = fake_of(o)->is_list;
  __atomic_add_fetch(&fake_sycl.natives_asked, 1, __ATOMIC_RELAXED);
  return fake_of(o)->native;
}

FAKE(struct syclze__sycl_result, fake_queue_last_event, (const void *o),
    "_ZNK4sycl3_V15queue30ext_oneapi_get_last_event_implEv") {
  const bool marks = fake_sycl.makes_markers && fake_of(o)->last.counts == NULL;
  struct syclze__sycl_result result =
      fake_result(marks ? fake_object(NULL) : syclze__sycl_retain(&fake_of(o)->last));
  result.words[2] = (void *)(uintptr_t)(result.words[1] != NULL);
  fake_sycl.markers += marks;
  return result;
}

FAKE(void, fake_depends_on, (void *handler, const struct syclze__sycl_vector *events),
    "_ZN4sycl3_V17handler10depends_onERKSt6vectorINS0_5eventESaIS3_EE") {
  struct fake_task *task = handler;
  task->depends_on = (uint32_t)(((char *)events->end - (char *)events->begin) / 16);
}

FAKE(void, fake_host_task, (void *handler, struct syclze__sycl_function *function),
    "_ZN4sycl3_V17handler11SetHostTaskESt8functionIFvvEE") {
  struct fake_task *task = handler;
  task->function = *function;
  if (fake_sycl.task_count % 2 == 0)
    function->manage = NULL; /* moved */
  else
    (void)function->manage(task->function.data, function->data, SYCLZE__SYCL_CLONE);
}

FAKE(struct syclze__sycl_result, fake_submit,
    (const void *o, const void *group, const void *info, const void *place, bool top),
    "_ZNK4sycl3_V15queue22submit_with_event_implERKNS0_6detail19type_erased_cgfo_tyERKNS2_3_V114"
    "SubmissionInfoERKNS2_13code_locationEb") {
  const struct {
    const void *object;
    void (*call)(const void *object, void *handler);
  } *submitted = group;
  struct fake_task *task = &fake_sycl.tasks[fake_sycl.task_count];
  (void)info, (void)place, (void)top;
  CHECK(fake_sycl.task_count < FAKE_TASKS);
  submitted->call(submitted->object, task);
  fake_sycl.task_count++;
  task->event = fake_object(NULL);
  fake_of(&task->event)->status = FAKE_SUBMITTED;
  syclze__sycl_release(&fake_of(o)->last);
  fake_of(o)->last = syclze__sycl_retain(&task->event);
  __atomic_store_n(&fake_of(o)->is_empty, false, __ATOMIC_RELEASE);
  return fake_result(syclze__sycl_retain(&task->event));
}

FAKE(struct syclze__sycl_result, fake_barrier,
    (const void *o, const struct syclze__sycl_vector *events, const void *place),
    "_ZN4sycl3_V15queue25ext_oneapi_submit_barrierERKSt6vectorINS0_5eventESaIS3_EERKNS0_6detail13"
    "code_locationE") {
  struct syclze__sycl_object event = fake_object((void *)fake_of(events->begin)->native);
  (void)o, (void)place;
  fake_sycl.barriers++;
  return fake_result(event);
}

/* The object that SYCL makes of a native handle, which `destroy` ends unless it is kept. */
static struct syclze__sycl_object fake_made(
    uintptr_t native, bool keep, ze_result_t (*destroy)(void *), const void *parent) {
  struct syclze__sycl_object made = fake_object((void *)native);
  fake_of(&made)->destroy = keep ? NULL : destroy;
  if (parent != NULL) fake_of(&made)->context = syclze__sycl_retain(parent);
  fake_of(&made)->device = fake_sycl.device;
  fake_sycl.makes++;
  fake_sycl.keeps = keep;
  return made;
}

#define FAKE_DESTROY(kind, function, handle)                                                       \
  static ze_result_t fake_destroy_##kind(void *native) {                                           \
    return function((handle)native);                                                               \
  }
FAKE_DESTROY(list, zeCommandListDestroy, ze_command_list_handle_t)
FAKE_DESTROY(event, zeEventDestroy, ze_event_handle_t)
FAKE_DESTROY(module, zeModuleDestroy, ze_module_handle_t)
FAKE_DESTROY(kernel, zeKernelDestroy, ze_kernel_handle_t)

FAKE(struct syclze__sycl_result, fake_make_platform, (uintptr_t native, char backend),
    "_ZN4sycl3_V16detail13make_platformEmNS0_7backendE") {
  CHECK_EQ(backend, SYCLZE__SYCL_LEVEL_ZERO);
  CHECK_EQ(native, fake_sycl.platform->native);
  return fake_device_platform(NULL);
}

FAKE(struct syclze__sycl_result, fake_make_device, (uintptr_t native, char backend),
    "_ZN4sycl3_V16detail11make_deviceEmNS0_7backendE") {
  const struct syclze__sycl_object device = {fake_sycl.device, NULL};
  CHECK_EQ(backend, SYCLZE__SYCL_LEVEL_ZERO);
  CHECK_EQ(native, fake_sycl.device->native);
  return fake_result(device);
}

FAKE(struct syclze__sycl_result, fake_make_context,
    (uintptr_t native, const struct syclze__sycl_function *handler, char backend, bool keep,
        const struct syclze__sycl_vector *devices),
    "_ZN4sycl3_V16detail12make_contextEmRKSt8functionIFvNS0_14exception_listEEENS0_7backendEbRKSt6"
    "vectorINS0_6deviceESaISA_EE") {
  struct syclze__sycl_object made = fake_made(native, keep, NULL, NULL);
  (void)backend;
  CHECK(keep && *(void **)devices->begin == fake_sycl.device);
  fake_of(&made)->handler = *handler;
  (void)handler->manage(fake_of(&made)->handler.data, handler->data, SYCLZE__SYCL_CLONE);
  return fake_result(made);
}

FAKE(struct syclze__sycl_result, fake_make_queue,
    (uintptr_t native, int32_t is_list, const void *context, const void *device, bool keep,
        const void *properties, const struct syclze__sycl_function *handler, char backend),
    "_ZN4sycl3_V16detail10make_queueEmiRKNS0_7contextEPKNS0_6deviceEbRKNS0_13property_listERKSt8"
    "functionIFvNS0_14exception_listEEENS0_7backendE") {
  struct syclze__sycl_object made = fake_made(native, keep, fake_destroy_list, context);
  struct fake_impl *impl = fake_of(&made);
  (void)backend;
  CHECK(fake_of(device) == fake_sycl.device && handler->manage == NULL);
  impl->is_list = is_list && !fake_sycl.replaces_lists;
  impl->properties = *(const uint32_t *)properties;
  impl->in_order = (impl->properties >> SYCLZE__SYCL_IN_ORDER & 1) != 0;
  return fake_result(made);
}

FAKE(void, fake_queue_construct,
    (void *queue, const void *context, const void *device, const void *properties),
    "_ZN4sycl3_V15queueC1ERKNS0_7contextERKNS0_6deviceERKNS0_13property_listE") {
  const struct syclze__sycl_object made = fake_made(0, true, NULL, context);
  CHECK(fake_of(device) == fake_sycl.device && *(const uint32_t *)properties == 0);
  memcpy(queue, &made, sizeof made);
}

FAKE(struct syclze__sycl_result, fake_make_event,
    (uintptr_t native, const void *context, bool keep, char backend),
    "_ZN4sycl3_V16detail10make_eventEmRKNS0_7contextEbNS0_7backendE") {
  (void)backend;
  return fake_result(fake_made(native, keep, fake_destroy_event, context));
}

FAKE(struct syclze__sycl_result, fake_make_kernel_bundle,
    (uintptr_t native, const void *context, bool keep, char state, char backend),
    "_ZN4sycl3_V16detail18make_kernel_bundleEmRKNS0_7contextEbNS0_12bundle_stateENS0_7backendE") {
  (void)backend;
  CHECK_EQ(state, SYCLZE__SYCL_EXECUTABLE);
  return fake_result(fake_made(native, keep, fake_destroy_module, context));
}

FAKE(struct syclze__sycl_result, fake_make_kernel,
    (const void *context, const void *bundle, uintptr_t native, bool keep, char backend),
    "_ZN4sycl3_V16detail11make_kernelERKNS0_7contextERKNS0_13kernel_bundleILNS0_12bundle_"
    "stateE2EEEmbNS0_7backendE") {
  (void)backend;
  CHECK(fake_of(context) == fake_of(&fake_of(bundle)->context));
  return fake_result(fake_made(native, keep, fake_destroy_kernel, bundle));
}

#endif
