/* Functions of the application that append a node to their native queue, and what follows them. */
#ifndef TESTS_ORDERS_NATIVE_TASK_H
#define TESTS_ORDERS_NATIVE_TASK_H

#include "scene.h"

enum way { WAITS, NAMES, LEAVES, WAYS };
enum { IN_ORDER, OUT_OF_ORDER, COMMAND_QUEUE, KINDS };

/* A host task that appends a launch of `node` to its native queue. */
struct task {
  struct node *node;
  enum way way;
  ze_event_pool_handle_t pool;
  ze_event_handle_t done;
  ze_kernel_handle_t kernel;
  ze_command_list_handle_t list;
  ze_result_t result;  /* what the function returns in the end */
  uint32_t runs, goes; /* whether the function runs, and whether it may go on */
};

syclze_queue scene_queue_of(const struct scene_base *scene, int kind);

void wait_for(const uint32_t *word);

struct task task_begin(
    const struct scene_base *scene, struct node *node, enum way way, bool of_list);
void task_end(struct task *task);

/* Appends the node of the task once it may go on, behind what the group waits for. */
ze_result_t task_run(syclze_interop_handle handle, void *argument);

/* Launches the kernel "node", behind an event; null for none. */
void scene_launch(syclze_queue queue, syclze_kernel kernel, struct node *node, syclze_event before,
    syclze_event *event);

#endif
