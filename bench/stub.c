/* A minimal Level Zero loader, so that measurements show syclze alone: one driver with two devices,
   constant handles, no checks. Destroyed objects can be created again.

   Built twice: with STUB_NEWER=1 it has the entry points of newer loaders, with 0 those of Level
   Zero 1.4. It calls no other library, so that calls of the C library are the caller's. */
#include <level_zero/ze_api.h>

#include <stdbool.h>

#define STUB_ENTRY ze_result_t ZE_APICALL

/* An entry point that older headers lack: under another name in C, so that its types need not be
 * those of newer headers. */
#define STUB_LATER(name, ...)                                                                      \
  STUB_ENTRY later_##name(__VA_ARGS__) __asm__(#name);                                             \
  STUB_ENTRY later_##name(__VA_ARGS__)

/* The objects of each kind; a handle is the address of one. */
static char driver, device[2], context, queue, module;
/* The lists of a kind have a handle each, until they are used up and given again. */
enum list_kind { PLAIN, IN_ORDER, SYNCHRONOUS, LIST_KINDS };
enum { LISTS = 1 << 17 };
static char lists[LIST_KINDS][LISTS];

static char *create_list(enum list_kind kind) {
  static size_t created[LIST_KINDS];
  return &lists[kind][created[kind]++ % LISTS];
}

/* Each allocation has its own of these bytes, until they are used up and given again. */
enum { ALLOCATION = 256 };
static char memory[4096 * ALLOCATION] __attribute__((aligned(ALLOCATION)));
static size_t allocated_bytes;

/* All larger ones are this. */
static char large[1 << 20];

static void *allocate(size_t size) {
  if (size > ALLOCATION) return large;
  return &memory[(allocated_bytes += ALLOCATION) % sizeof memory];
}

/* An event's handle is the address of its state. A pool's handle is that of its first event; the
   states of old pools are used again. */
enum event_state { SIGNALLED, PENDING, AWAITED };
enum { EVENTS = 1 << 20 };
static uint32_t events[EVENTS];
static uint32_t event_count;

/* While set no event looks signalled to queries. Written only when it changes: threads read it. */
static ze_result_t status = ZE_RESULT_SUCCESS;

static ze_result_t set_status(ze_result_t now) {
  if (status != now) status = now;
  return now;
}

enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129, SLICE = 1000000 /* nanoseconds */ };

/* Without the C library. Where the call is not known here, waits spin. */
static void futex(uint32_t *word, int operation, uint32_t value, const void *limit) {
#if defined(__x86_64__)
  register const void *time __asm__("r10") = limit;
  long result = 202;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(word), "S"((long)operation), "d"((long)value), "r"(time)
                   : "rcx", "r11", "memory");
#else
  (void)word, (void)operation, (void)value, (void)limit;
#endif
}

/* A signal that misses a waiter, which has no locked instruction, delays it by a slice. */
static void signal_event(ze_event_handle_t handle) {
  uint32_t *event = (uint32_t *)(void *)handle;
  if (event == NULL) return;
  const uint32_t before = __atomic_load_n(event, __ATOMIC_RELAXED);
  __atomic_store_n(event, SIGNALLED, __ATOMIC_RELEASE);
  if (before == AWAITED) futex(event, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL);
}

/* A kernel's handle is the address of its name. */
static const char kernels[][8] = {"axpy", "iota", "nothing"};

enum { KERNELS = sizeof kernels / sizeof *kernels };

STUB_ENTRY zeInit(ze_init_flags_t flags) {
  (void)flags;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  *count = 1;
  if (drivers != NULL) drivers[0] = (ze_driver_handle_t)(void *)&driver;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeDeviceGet(ze_driver_handle_t of, uint32_t *count, ze_device_handle_t *devices) {
  (void)of;
  *count = 2;
  for (uint32_t i = 0; devices != NULL && i < 2; i++)
    devices[i] = (ze_device_handle_t)(void *)&device[i];
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeDeviceGetSubDevices(
    ze_device_handle_t of, uint32_t *count, ze_device_handle_t *devices) {
  (void)of, (void)devices;
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t of, uint32_t *count, ze_command_queue_group_properties_t *groups) {
  (void)of;
  *count = 1;
  if (groups == NULL) return ZE_RESULT_SUCCESS;
  groups[0].flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE;
  groups[0].numQueues = 1;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeContextCreate(
    ze_driver_handle_t of, const ze_context_desc_t *desc, ze_context_handle_t *created) {
  (void)of, (void)desc;
  *created = (ze_context_handle_t)(void *)&context;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeContextCreateEx(ze_driver_handle_t of, const ze_context_desc_t *desc, uint32_t count,
    ze_device_handle_t *devices, ze_context_handle_t *created) {
  (void)count, (void)devices;
  return zeContextCreate(of, desc, created);
}

STUB_ENTRY zeContextGetStatus(ze_context_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeContextDestroy(ze_context_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandQueueCreate(ze_context_handle_t in, ze_device_handle_t on,
    const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *created) {
  (void)in, (void)on, (void)desc;
  *created = (ze_command_queue_handle_t)(void *)&queue;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandQueueDestroy(ze_command_queue_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListCreateImmediate(ze_context_handle_t in, ze_device_handle_t on,
    const ze_command_queue_desc_t *desc, ze_command_list_handle_t *created) {
  (void)in, (void)on;
  /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers lack. */
  const enum list_kind kind = desc->flags >> 1 & 1 ? IN_ORDER : PLAIN;
  *created = (ze_command_list_handle_t)(void *)create_list(
      desc->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS ? SYNCHRONOUS : kind);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListCreate(ze_context_handle_t in, ze_device_handle_t on,
    const ze_command_list_desc_t *desc, ze_command_list_handle_t *created) {
  (void)in, (void)on, (void)desc;
  *created = (ze_command_list_handle_t)(void *)create_list(PLAIN);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListClose(ze_command_list_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListReset(ze_command_list_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t on, uint32_t count,
    ze_command_list_handle_t *executed, ze_fence_handle_t fence) {
  (void)on, (void)count, (void)executed, (void)fence;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListDestroy(ze_command_list_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendBarrier(ze_command_list_handle_t on, ze_event_handle_t signal,
    uint32_t count, ze_event_handle_t *waits) {
  (void)on, (void)count, (void)waits;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendSignalEvent(ze_command_list_handle_t on, ze_event_handle_t signal) {
  (void)on;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t on, uint32_t count, ze_event_handle_t *waits) {
  (void)on, (void)count, (void)waits;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendMemoryFill(ze_command_list_handle_t on, void *target,
    const void *pattern, size_t pattern_size, size_t size, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  (void)on, (void)target, (void)pattern, (void)pattern_size, (void)size;
  (void)count, (void)waits;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendMemoryCopy(ze_command_list_handle_t on, void *target,
    const void *source, size_t size, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  (void)on, (void)target, (void)source, (void)size, (void)count, (void)waits;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t on, void *target,
    const ze_copy_region_t *to, uint32_t to_pitch, uint32_t to_slice, const void *source,
    const ze_copy_region_t *from, uint32_t from_pitch, uint32_t from_slice,
    ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits) {
  (void)on, (void)target, (void)to, (void)to_pitch, (void)to_slice, (void)source;
  (void)from, (void)from_pitch, (void)from_slice, (void)count, (void)waits;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendMemoryPrefetch(
    ze_command_list_handle_t on, const void *memory_of, size_t size) {
  (void)on, (void)memory_of, (void)size;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendMemAdvise(ze_command_list_handle_t on, ze_device_handle_t of,
    const void *memory_of, size_t size, ze_memory_advice_t advice) {
  (void)on, (void)of, (void)memory_of, (void)size, (void)advice;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandListAppendLaunchKernel(ze_command_list_handle_t on, ze_kernel_handle_t handle,
    const ze_group_count_t *groups, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) {
  (void)on, (void)handle, (void)groups, (void)count, (void)waits;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeEventPoolCreate(ze_context_handle_t in, const ze_event_pool_desc_t *desc,
    uint32_t count, ze_device_handle_t *devices, ze_event_pool_handle_t *created) {
  uint32_t first = __atomic_fetch_add(&event_count, desc->count, __ATOMIC_RELAXED) % EVENTS;
  if (first + desc->count > EVENTS) first = 0;
  (void)in, (void)count, (void)devices;
  *created = (ze_event_pool_handle_t)(void *)&events[first];
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeEventPoolDestroy(ze_event_pool_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeEventCreate(
    ze_event_pool_handle_t from, const ze_event_desc_t *desc, ze_event_handle_t *created) {
  uint32_t *event = (uint32_t *)(void *)from + desc->index;
  *event = PENDING;
  *created = (ze_event_handle_t)(void *)event;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeEventDestroy(ze_event_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeEventHostReset(ze_event_handle_t handle) {
  *(uint32_t *)(void *)handle = PENDING;
  return ZE_RESULT_SUCCESS;
}

/* A wait of one nanosecond leaves all events pending, as queries see them, until the next wait that
   lasts. */
STUB_ENTRY zeEventHostSynchronize(ze_event_handle_t handle, uint64_t timeout) {
  uint32_t *event = (uint32_t *)(void *)handle, state;
  const struct { long seconds, nanoseconds; } slice = {0, SLICE};
  if (timeout == 1) return set_status(ZE_RESULT_NOT_READY);
  for (;;) {
    state = __atomic_load_n(event, __ATOMIC_ACQUIRE);
    if (state == SIGNALLED) return timeout == 0 ? status : set_status(ZE_RESULT_SUCCESS);
    if (timeout <= SLICE) return ZE_RESULT_NOT_READY;
    timeout -= SLICE;
    __atomic_compare_exchange_n(event, &state, AWAITED, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    futex(event, FUTEX_WAIT_PRIVATE, AWAITED, &slice);
  }
}

STUB_ENTRY zeEventHostSignal(ze_event_handle_t handle) {
  signal_event(handle);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeImageCreate(ze_context_handle_t in, ze_device_handle_t on, const ze_image_desc_t *desc,
    ze_image_handle_t *created) {
  (void)in, (void)on, (void)desc;
  *created = NULL;
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

STUB_ENTRY zeSamplerCreate(ze_context_handle_t in, ze_device_handle_t on,
    const ze_sampler_desc_t *desc, ze_sampler_handle_t *created) {
  (void)in, (void)on, (void)desc;
  *created = NULL;
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

STUB_ENTRY zeModuleCreate(ze_context_handle_t in, ze_device_handle_t on,
    const ze_module_desc_t *desc, ze_module_handle_t *created, ze_module_build_log_handle_t *log) {
  (void)in, (void)on, (void)desc;
  *created = (ze_module_handle_t)(void *)&module;
  if (log != NULL) *log = NULL;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeModuleDestroy(ze_module_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeModuleGetProperties(ze_module_handle_t of, ze_module_properties_t *properties) {
  (void)of;
  properties->flags = 0;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeModuleGetKernelNames(ze_module_handle_t of, uint32_t *count, const char **names) {
  (void)of;
  uint32_t room = *count < KERNELS ? *count : KERNELS;
  for (uint32_t i = 0; names != NULL && i < room; i++)
    names[i] = kernels[i];
  *count = *count == 0 ? KERNELS : room;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeModuleBuildLogGetString(
    ze_module_build_log_handle_t handle, size_t *size, char *text) {
  (void)handle, (void)text;
  *size = 0;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeModuleBuildLogDestroy(ze_module_build_log_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeKernelCreate(
    ze_module_handle_t of, const ze_kernel_desc_t *desc, ze_kernel_handle_t *created) {
  (void)of;
  for (uint32_t i = 0; i < KERNELS; i++) {
    size_t at = 0;
    while (kernels[i][at] == desc->pKernelName[at] && kernels[i][at] != '\0')
      at++;
    if (kernels[i][at] != desc->pKernelName[at]) continue;
    *created = (ze_kernel_handle_t)(uintptr_t)kernels[i];
    return ZE_RESULT_SUCCESS;
  }
  return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
}

STUB_ENTRY zeKernelDestroy(ze_kernel_handle_t handle) {
  (void)handle;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeKernelGetName(ze_kernel_handle_t handle, size_t *size, char *name) {
  const char *its_name = (const char *)(const void *)handle;
  size_t length = 0;
  do {
    if (name != NULL && length < *size) name[length] = its_name[length];
  } while (its_name[length++] != '\0');
  *size = length;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeKernelGetProperties(ze_kernel_handle_t handle, ze_kernel_properties_t *properties) {
  static const uint32_t counts[KERNELS] = {3, 2, 0};
  properties->numKernelArgs = counts[((uintptr_t)handle - (uintptr_t)kernels) / sizeof *kernels];
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeEventQueryStatus(ze_event_handle_t handle) {
  const uint32_t *event = (const uint32_t *)(void *)handle;
  return __atomic_load_n(event, __ATOMIC_ACQUIRE) == SIGNALLED ? status : ZE_RESULT_NOT_READY;
}

STUB_ENTRY zeKernelSetArgumentValue(
    ze_kernel_handle_t of, uint32_t index, size_t size, const void *value) {
  (void)of, (void)index, (void)size, (void)value;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeKernelSetIndirectAccess(
    ze_kernel_handle_t of, ze_kernel_indirect_access_flags_t flags) {
  (void)of, (void)flags;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeKernelSetGroupSize(ze_kernel_handle_t of, uint32_t x, uint32_t y, uint32_t z) {
  (void)of, (void)x, (void)y, (void)z;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeMemAllocDevice(ze_context_handle_t in, const ze_device_mem_alloc_desc_t *desc,
    size_t size, size_t alignment, ze_device_handle_t on, void **allocated) {
  (void)in, (void)desc, (void)alignment, (void)on;
  *allocated = allocate(size);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeMemAllocHost(ze_context_handle_t in, const ze_host_mem_alloc_desc_t *desc, size_t size,
    size_t alignment, void **allocated) {
  (void)in, (void)desc, (void)alignment;
  *allocated = allocate(size);
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeMemAllocShared(ze_context_handle_t in, const ze_device_mem_alloc_desc_t *device_desc,
    const ze_host_mem_alloc_desc_t *desc, size_t size, size_t alignment, ze_device_handle_t on,
    void **allocated) {
  (void)device_desc, (void)on;
  return zeMemAllocHost(in, desc, size, alignment, allocated);
}

STUB_ENTRY zeMemGetAllocProperties(ze_context_handle_t in, const void *allocated,
    ze_memory_allocation_properties_t *properties, ze_device_handle_t *on) {
  (void)in, (void)allocated;
  properties->type = ZE_MEMORY_TYPE_DEVICE;
  if (on != NULL) *on = (ze_device_handle_t)(void *)&device[0];
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeMemGetAddressRange(
    ze_context_handle_t in, const void *allocated, void **base, size_t *size) {
  (void)in;
  const bool is_large = (uintptr_t)allocated - (uintptr_t)large < sizeof large;
  if (base != NULL)
    *base = is_large ? large : (void *)((uintptr_t)allocated / ALLOCATION * ALLOCATION);
  if (size != NULL) *size = is_large ? sizeof large : (size_t)ALLOCATION;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeMemFree(ze_context_handle_t in, void *allocated) {
  (void)in, (void)allocated;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeCommandQueueSynchronize(ze_command_queue_handle_t on, uint64_t timeout) {
  (void)on, (void)timeout;
  return ZE_RESULT_SUCCESS;
}

/* A function of an extension, for both sides: without it a graph is another operation. */
STUB_LATER(zeCommandListImmediateAppendCommandListsExp, ze_command_list_handle_t on, uint32_t count,
    ze_command_list_handle_t *appended, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  (void)on, (void)count, (void)appended, (void)wait_count, (void)waits;
  signal_event(signal);
  return ZE_RESULT_SUCCESS;
}

/* Mutable command lists, in both too. */
STUB_LATER(zeCommandListGetNextCommandIdExp, ze_command_list_handle_t on, const void *desc,
    uint64_t *command) {
  (void)on, (void)desc;
  *command = 1;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeCommandListUpdateMutableCommandsExp, ze_command_list_handle_t on, const void *desc) {
  (void)on, (void)desc;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeCommandListGetNextCommandIdWithKernelsExp, ze_command_list_handle_t on,
    const void *desc, uint32_t count, ze_kernel_handle_t *of, uint64_t *command) {
  (void)on, (void)desc, (void)count, (void)of;
  *command = 1;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeCommandListUpdateMutableCommandKernelsExp, ze_command_list_handle_t on, uint32_t count,
    uint64_t *commands, ze_kernel_handle_t *of) {
  (void)on, (void)count, (void)commands, (void)of;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeDeviceGetProperties(ze_device_handle_t of, ze_device_properties_t *properties) {
  enum { MUTABLE = 0x00020015, GRAPHS = 0x00020047, ALL = 15 | 64, IMMUTABLE = 1 };
  struct mutable_properties {
    ze_structure_type_t stype;
    void *next;
    uint32_t list_flags, command_flags;
  } *updates = properties->pNext;
  (void)of;
  if (updates != NULL && (int)updates->stype == MUTABLE) updates->command_flags = ALL;
  if (updates != NULL && (int)updates->stype == GRAPHS) updates->list_flags = IMMUTABLE;
  return ZE_RESULT_SUCCESS;
}

/* The driver's own graphs, in both too. */
STUB_LATER(zeGraphCreateExt, ze_context_handle_t in, const void *next, void **graph) {
  (void)in, (void)next;
  *graph = create_list(PLAIN);
  return ZE_RESULT_SUCCESS;
}
STUB_LATER(zeCommandListBeginCaptureIntoGraphExt, ze_command_list_handle_t on, void *graph,
    const void *next) {
  (void)on, (void)graph, (void)next;
  return ZE_RESULT_SUCCESS;
}
STUB_LATER(
    zeCommandListEndGraphCaptureExt, ze_command_list_handle_t on, const void *next, void **graph) {
  (void)on, (void)next;
  *graph = create_list(PLAIN);
  return ZE_RESULT_SUCCESS;
}
STUB_LATER(zeGraphInstantiateExt, void *graph, const void *next, void **executable) {
  (void)next;
  *executable = graph;
  return ZE_RESULT_SUCCESS;
}
STUB_LATER(zeCommandListAppendGraphExt, ze_command_list_handle_t on, void *executable,
    const void *next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  (void)on, (void)executable, (void)next, (void)signal, (void)wait_count, (void)waits;
  return ZE_RESULT_SUCCESS;
}
STUB_LATER(zeExecutableGraphDestroyExt, void *executable) {
  (void)executable;
  return ZE_RESULT_SUCCESS;
}
STUB_LATER(zeGraphDestroyExt, void *graph) {
  (void)graph;
  return ZE_RESULT_SUCCESS;
}

STUB_ENTRY zeDriverGetExtensionProperties(
    ze_driver_handle_t of, uint32_t *count, ze_driver_extension_properties_t *extensions) {
  (void)of, (void)extensions;
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

/* No other function is looked up by name. */
STUB_ENTRY zeDriverGetExtensionFunctionAddress(
    ze_driver_handle_t of, const char *name, void **address) {
  (void)of, (void)name, (void)address;
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

#if STUB_NEWER
static bool is_list_of(ze_command_list_handle_t handle, enum list_kind kind) {
  return (uintptr_t)handle - (uintptr_t)lists[kind] < LISTS;
}

STUB_LATER(zeCommandListIsImmediate, ze_command_list_handle_t of, ze_bool_t *immediate) {
  (void)of;
  *immediate = 1;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeCommandListGetContextHandle, ze_command_list_handle_t of, ze_context_handle_t *its) {
  (void)of;
  *its = (ze_context_handle_t)(void *)&context;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeCommandListGetDeviceHandle, ze_command_list_handle_t of, ze_device_handle_t *its) {
  (void)of;
  *its = (ze_device_handle_t)(void *)&device[0];
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(
    zeCommandListImmediateGetFlags, ze_command_list_handle_t of, ze_command_queue_flags_t *flags) {
  *flags = is_list_of(of, IN_ORDER) ? 1u << 1 : 0;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(
    zeCommandListImmediateGetMode, ze_command_list_handle_t of, ze_command_queue_mode_t *mode) {
  *mode = is_list_of(of, SYNCHRONOUS) ? ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
                                      : ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeCommandListHostSynchronize, ze_command_list_handle_t of, uint64_t timeout) {
  (void)of, (void)timeout;
  return set_status(ZE_RESULT_SUCCESS);
}

STUB_LATER(zeEventGetEventPool, ze_event_handle_t of, ze_event_pool_handle_t *its) {
  (void)of;
  *its = (ze_event_pool_handle_t)(void *)&events[0];
  return ZE_RESULT_SUCCESS;
}

STUB_LATER(zeEventPoolGetContextHandle, ze_event_pool_handle_t of, ze_context_handle_t *its) {
  (void)of;
  *its = (ze_context_handle_t)(void *)&context;
  return ZE_RESULT_SUCCESS;
}
#endif
