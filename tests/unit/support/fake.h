/* A Level Zero of the test's own: it stands in the program and takes the place of the loader's.
 *
 * Every case begins with fake_begin() and ends with fake_end(), which fails the case if anything
 * was used wrongly (a handle of another kind, destroyed before or twice, a parent destroyed before
 * its child), if a handle is still alive, or if memory of the library is still allocated. In
 * between, drivers, devices and handles are made by the functions below; calls and destroys are
 * counted, and any call can be made to fail.
 *
 * Calls are counted with relaxed atomics and no lock is taken, so that the fake adds no order
 * between the threads of a test. */
#ifndef TESTS_UNIT_FAKE_H
#define TESTS_UNIT_FAKE_H

#include "syclze/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
#define FAKE_FUNCTIONS(X) \
  X(zeInit) X(zeInitDrivers) X(zeDriverGet) \
  X(zeDeviceGet) X(zeDeviceGetSubDevices) X(zeDeviceGetCommandQueueGroupProperties) \
  X(zeContextCreateEx) X(zeContextGetStatus) X(zeContextDestroy) \
  X(zeCommandQueueDestroy) X(zeCommandListCreateImmediate) X(zeCommandListDestroy) \
  X(zeCommandListIsImmediate) X(zeCommandListGetContextHandle) X(zeCommandListGetDeviceHandle) \
  X(zeEventPoolCreate) X(zeEventPoolDestroy) X(zeEventPoolGetContextHandle) \
  X(zeEventCreate) X(zeEventDestroy) X(zeEventHostReset) X(zeEventGetEventPool) \
  X(zeEventQueryStatus) X(zeEventHostSynchronize) \
  X(zeModuleCreate) X(zeModuleDestroy) X(zeModuleGetProperties) X(zeModuleGetKernelNames) \
  X(zeModuleBuildLogGetString) X(zeModuleBuildLogDestroy) \
  X(zeKernelCreate) X(zeKernelDestroy) X(zeKernelGetName) \
  X(zeMemAllocDevice) X(zeMemAllocShared) X(zeMemAllocHost) X(zeMemFree) \
  X(zeMemGetAllocProperties) X(zeMemGetAddressRange) X(zeImageCreate) X(zeImageDestroy)
// clang-format on

#define FAKE_ENUMERATOR(function) FAKE_##function,
enum fake_function { FAKE_FUNCTIONS(FAKE_ENUMERATOR) FAKE_FUNCTION_COUNT };
#undef FAKE_ENUMERATOR

/* Back to a process that has not called Level Zero: no drivers, no handles, counts of zero, the
 * library's shared state as at the start. */
void fake_begin(void);
#define fake_end() fake_end_at(__FILE__, __LINE__)
void fake_end_at(const char *file, int line);

/* For a case that makes a destroy fail: from here on fake_end looks at the library's memory only,
 * and not at what is alive. */
void fake_forgive(void);

/* How the fake behaves; fake_begin sets the defaults. */
struct fake_settings {
  int old_loader;            /* the newer entry points are not found */
  int cannot_tell;           /* the newer entry points of lists and events are not supported */
  int no_sub_devices;        /* zeDeviceGetSubDevices is not supported */
  int name_size_as_asked;    /* zeKernelGetName leaves a size that was large enough as it was */
  int no_in_order_lists;     /* an in-order immediate list is refused */
  int silent_build;          /* a failed build has no log */
  uint32_t group_count;      /* queue groups of every device, default 2: copy only, then compute */
  uint32_t group_flags[4];   /* of each group */
  const char *build_imports; /* a module from zeModuleCreate imports this name; default none */
};
extern struct fake_settings fake;

/* What the library last passed to the function of the name, on this thread. */
struct fake_seen {
  uint32_t init_flags;
  uint32_t init_drivers_flags;
  ze_command_queue_desc_t list_desc;
  ze_event_pool_desc_t pool_desc;
  uint32_t pool_devices;
  ze_event_desc_t event_desc;
  ze_module_format_t module_format;
  const char *build_flags;
  const void *constants;
  const void *context, *device; /* of the last allocation or image */
  size_t size, alignment;
  ze_image_desc_t image_desc;
};
extern __thread struct fake_seen fake_seen;

/* Drivers and devices, all gone with fake_end. A hidden driver is one that only zeInitDrivers
 * gives; a broken one fails zeDeviceGet with the code. */
ze_driver_handle_t fake_driver(void);
ze_driver_handle_t fake_hidden_driver(void);
void fake_break_driver(ze_driver_handle_t driver, ze_result_t code);
ze_device_handle_t fake_device(ze_driver_handle_t driver);
ze_device_handle_t fake_sub_device(ze_device_handle_t device);

/* Handles that an application would have made; not counted as calls. */
ze_context_handle_t fake_context(ze_driver_handle_t driver);
ze_command_queue_handle_t fake_queue(ze_context_handle_t context, ze_device_handle_t device);
ze_command_list_handle_t fake_list(ze_context_handle_t context, ze_device_handle_t device);
ze_command_list_handle_t fake_regular_list(ze_context_handle_t context, ze_device_handle_t device);
ze_event_pool_handle_t fake_event_pool(ze_context_handle_t context);
ze_event_handle_t fake_event(ze_event_pool_handle_t pool);
/* `names` are the kernels' names, separated by spaces. */
ze_module_handle_t fake_module(ze_context_handle_t context, const char *names);
void fake_module_import(ze_module_handle_t module, int linked);
ze_kernel_handle_t fake_kernel(ze_module_handle_t module, const char *name);
ze_image_handle_t fake_image(ze_context_handle_t context);
/* Memory of which only the size is told; it must not be touched. A null device is for host memory
 * or for shared memory of no device. */
void *fake_allocation(
    ze_context_handle_t context, ze_memory_type_t type, ze_device_handle_t device, size_t size);

/* Destroys a handle of any kind, as the application would. */
void fake_destroy(const void *handle);

int fake_is_alive(const void *handle);
/* How often the handle was destroyed with success. */
unsigned fake_destroys(const void *handle);
/* When it was destroyed: 1 for the first destroy since fake_begin, 0 for a living handle. */
unsigned fake_destroyed_as(const void *handle);
unsigned fake_all_destroys(void);
/* Whether an event is signalled; and how to signal it. */
int fake_is_signalled(ze_event_handle_t event);
void fake_signal(ze_event_handle_t event);

unsigned fake_calls(enum fake_function function);
unsigned fake_all_calls(void);
/* The n-th call from now on fails with the code: of the function, or of all. */
void fake_fail(enum fake_function function, unsigned nth, ze_result_t code);
void fake_fail_nth_call(unsigned nth, ze_result_t code);
/* The function whose call failed by request; FAKE_FUNCTION_COUNT if none did. */
enum fake_function fake_failed_function(void);

#ifdef __cplusplus
}
#endif

#endif
