/* What the tests wrap, made by plain Level Zero alone: the application's side.

     struct given g = given();
     ...
     given_end(&g); */
#ifndef TESTS_DEVICE_GIVEN_H
#define TESTS_DEVICE_GIVEN_H

#include <stdbool.h>
#include <stddef.h>
#include <level_zero/ze_api.h>

enum { GIVEN_EVENTS = 64 };

struct given {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  uint32_t ordinal; /* of the first queue group that computes */
  ze_context_handle_t context;
  ze_command_list_handle_t list;   /* immediate, asynchronous */
  ze_command_queue_handle_t queue; /* asynchronous */
  ze_event_pool_handle_t pool;     /* of GIVEN_EVENTS, which the host sees */
  uint32_t events;                 /* made of the pool so far */
  ze_module_handle_t module;       /* null until given_kernel */
  ze_kernel_handle_t kernel;       /* null until given_kernel */
};

/* Starts the spy and makes everything on the first device of the first driver. */
struct given given(void);

/* The same on a device of the caller's choice. */
struct given given_on(ze_driver_handle_t driver, ze_device_handle_t device);

/* Destroys what is still alive of it, children first, and checks that nothing else is alive and
   that nothing was destroyed twice (spy_end). */
void given_end(struct given *g);

/* Further handles, which the caller destroys. */
ze_event_handle_t given_event(struct given *g);
ze_context_handle_t given_context(const struct given *g);
ze_command_list_handle_t given_list(const struct given *g);
ze_command_list_handle_t given_regular_list(const struct given *g);
ze_command_queue_handle_t given_queue(const struct given *g);

/* A whole file. The caller frees the bytes. */
struct given_file {
  unsigned char *bytes;
  size_t size;
};
struct given_file given_file(const char *path);

/* The module in a file, built so that other modules may import its functions, and a kernel of a
 * module. Skips the case where the engine of the embedded device cannot link the module. */
ze_module_handle_t given_module(const struct given *g, const char *path);
ze_kernel_handle_t given_kernel_of(ze_module_handle_t module, const char *name);

/* Puts the module in a file and its kernel of that name into g->module and g->kernel. */
void given_kernel(struct given *g, const char *path, const char *name);

/* How many drivers, devices of the first driver, and sub-devices of its first device there are, and
   the handles of up to `room` of them. */
uint32_t given_drivers(ze_driver_handle_t *drivers, uint32_t room);
uint32_t given_devices(ze_driver_handle_t driver, ze_device_handle_t *devices, uint32_t room);
uint32_t given_sub_devices(ze_device_handle_t device, ze_device_handle_t *devices, uint32_t room);

/* Whether this loader and driver answer a getter that older ones lack, such as
   zeCommandListIsImmediate, for a handle. */
bool given_can_tell(const char *getter, void *handle);

/* Sets a variable; null takes it away. What the embedded driver reads when it is loaded is set by a
   constructor. */
void given_environment(const char *variable, const char *value);

/* Whether what is appended is carried out. SYCLZE_NO_EXECUTION=1 says that it is not: the driver
   takes every command and waits for none. */
bool given_executes(void);

/* Ends the case as skipped where it is not. */
void given_needs_execution(void);

/* Ends the case as skipped unless there are two of what is counted, or more. The embedded driver
   simulates as many as were asked for, so fewer are a failure there. */
void given_needs_two(ze_driver_handle_t driver, uint32_t count);

/* Whether the driver is the embedded one. */
bool given_is_zecl(ze_driver_handle_t driver);

/* Ends the case as skipped unless the driver is the embedded one: what follows is its simulation,
   or undefined behaviour that it alone defines. */
void given_needs_zecl(ze_driver_handle_t driver);

#endif
