/* One native handle of each kind in the world's context, and the objects around them. */
#ifndef TESTS_UNIT_ZOO_H
#define TESTS_UNIT_ZOO_H

#include "world.h"

#ifdef __cplusplus
extern "C" {
#endif

struct zoo {
  ze_context_handle_t context;
  ze_command_list_handle_t list;
  ze_command_queue_handle_t queue;
  ze_event_pool_handle_t event_pool;
  ze_event_handle_t event;
  ze_module_handle_t module; /* kernels "add" and "scale" */
  ze_kernel_handle_t kernel; /* "add" */
  void *memory;              /* 64 bytes on the device */
  ze_image_handle_t image;
  ze_sampler_handle_t sampler;
  syclze_kernel_bundle bundle; /* of the module, under keep */
};
extern struct zoo zoo;

/* world_begin, and the handles. */
void zoo_begin(void);
/* Destroys the handles that are still alive. */
void zoo_end(void);

/* For the handle of the kind. */
syclze_backend_input zoo_input(syclze_object_kind kind, syclze_ownership ownership);

#ifdef __cplusplus
}
#endif

#endif
