/* The native handles of the tests, created by Level Zero alone as an application would.

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
  uint32_t ordinal; /* of the first compute queue group */
  ze_context_handle_t context;
  ze_command_list_handle_t list;   /* immediate, asynchronous */
  ze_command_queue_handle_t queue; /* asynchronous */
  ze_event_pool_handle_t pool;     /* GIVEN_EVENTS events, host-visible */
  uint32_t events;                 /* created from the pool so far */
  ze_module_handle_t module;       /* null until given_kernel */
  ze_kernel_handle_t kernel;       /* null until given_kernel */
};

/* Starts the spy and creates everything on the first device of the first driver. */
struct given given(void);

/* given() on this device. */
struct given given_on(ze_driver_handle_t driver, ze_device_handle_t device);

/* Destroys the remaining handles, children first, and checks that nothing else is alive and that
   nothing was destroyed twice (spy_end). */
void given_end(struct given *g);

/* Further handles, destroyed by the caller. */
ze_event_handle_t given_event(struct given *g);
ze_context_handle_t given_context(const struct given *g);
ze_command_list_handle_t given_list(const struct given *g);
ze_command_list_handle_t given_regular_list(const struct given *g);
ze_command_queue_handle_t given_queue(const struct given *g);

/* Reads a file. The caller frees the bytes. */
struct given_file {
  unsigned char *bytes;
  size_t size;
};
struct given_file given_file(const char *path);

/* Builds the module in a file so that other modules may import its functions, and creates a kernel
   of a module. Skips the case where the OpenCL engine cannot link the module. */
ze_module_handle_t given_module(const struct given *g, const char *path);
ze_kernel_handle_t given_kernel_of(ze_module_handle_t module, const char *name);

/* Creates g->module from a file and g->kernel by its name. */
void given_kernel(struct given *g, const char *path, const char *name);

/* Counts the drivers, the devices of the first driver, and the sub-devices of its first device, and
   returns the handles of up to `room` of them. */
uint32_t given_drivers(ze_driver_handle_t *drivers, uint32_t room);
uint32_t given_devices(ze_driver_handle_t driver, ze_device_handle_t *devices, uint32_t room);
uint32_t given_sub_devices(ze_device_handle_t device, ze_device_handle_t *devices, uint32_t room);

/* True if loader and driver support a getter that older ones lack, such as
   zeCommandListIsImmediate, for a handle. */
bool given_has_getter(const char *getter, void *handle);

/* Sets a variable; null unsets it. Variables that the embedded driver reads when loaded must be set
   by a constructor. */
void given_environment(const char *variable, const char *value);

/* True if the driver executes commands. SYCLZE_NO_EXECUTION=1 declares a driver that accepts every
   command and executes none. */
bool given_executes(void);

/* Skips the case if the driver does not execute commands. */
void given_needs_execution(void);

/* Skips the case if there are fewer than two. On the embedded driver, which simulates the requested
   number, fewer are a failure. */
void given_needs_two(ze_driver_handle_t driver, uint32_t count);

/* True for the embedded driver. */
bool given_is_zecl(ze_driver_handle_t driver);

/* Skips the case on other drivers: it depends on the embedded driver's simulation, or on behaviour
   that only this driver defines. */
void given_needs_zecl(ze_driver_handle_t driver);

#endif
