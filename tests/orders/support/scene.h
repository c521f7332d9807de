/* The setup of most programs on the strict device: a device, a kept context, a bundle. */
#ifndef TESTS_ORDERS_SCENE_H
#define TESTS_ORDERS_SCENE_H

#include "random_world.h"

struct scene_base {
  ze_driver_handle_t driver;
  ze_device_handle_t handle;
  ze_context_handle_t native;
  syclze_device device;
  syclze_context context;
  syclze_kernel_bundle bundle;
};

/* Begins a scene with the kernels of the table; the first is "node": node_run with a node and a
 * pointer. */
void scene_begin(struct scene_base *scene);

/* Begins a scene and creates the kernel "node", on a device that holds all commands until it is let
 * go, and then runs the command that was appended last among those that may run. */
syclze_kernel scene_begin_held(struct scene_base *scene);

/* Releases the objects of scene_begin; the context and other kept objects stay. */
void scene_release(struct scene_base *scene);

/* Releases what scene_begin made, and destroys the kept context once it is the last handle alive.
 */
void scene_end(struct scene_base *scene);

/* Ends a scene, after a release of the kernel. */
void scene_end_with(struct scene_base *scene, syclze_kernel kernel);

/* Runs what was submitted. A wait for it is then one call of the driver's; else it is several where
 * the work takes longer than the library waits at a time. */
void scene_run_all(void);

/* A node that notes what it finds, with the next number of the scene, and must come after another
 * one; null for none. */
struct node *node_after(struct node *before);

/* It ran once and found what it should; the node goes. */
void node_end(struct node *node);

syclze_queue scene_queue(const struct scene_base *scene, uint32_t flags);
/* Lets the device go, waits for the queue, and releases it. */
void scene_end_queue(syclze_queue queue);
syclze_kernel scene_kernel(const struct scene_base *scene, const char *name);

/* A buffer of SEGMENTS segments of zero, in shared memory. */
syclze_buffer scene_buffer(
    const struct scene_base *scene, syclze_ownership ownership, uint64_t **memory);

/* Submits a group that fills such a buffer. */
void scene_fill(syclze_queue queue, syclze_buffer buffer, uint64_t value);

#endif
