/* Queues, kernels and images shared by the random graphs of a thread. */
#ifndef TESTS_DEVICE_GRAPH_WORLD_H
#define TESTS_DEVICE_GRAPH_WORLD_H

#include "made.h"
#include "tests/soon.h"

enum { GRAPH_QUEUES = 5, GRAPH_IN_ORDER = 1 << 0 | 1 << 1 };

struct graph_world {
  syclze_device device;
  syclze_context context;
  syclze_queue queues[GRAPH_QUEUES]; /* two in order, two out of order, one on a command queue */
  syclze_kernel set, mix, sum, local;
  /* Null where the driver has no images; graphs then have none. */
  syclze_kernel_bundle images;
  syclze_kernel set_image, mix_image;
  ze_command_list_handle_t list; /* synchronous */
};

/* The bundle is built from tests/kernels/graph.spv. */
void graph_world_begin(
    struct graph_world *world, const struct given *g, syclze_context context, syclze_kernel_bundle);
void graph_world_end(struct graph_world *world);

/* Creates a native image for an object of a graph; reads its contents. */
ze_image_handle_t graph_world_image(const struct graph_world *world, const uint32_t *contents);
/* Makes an image of such a native one. */
syclze_image graph_world_make_image(
    const struct graph_world *world, ze_image_handle_t native, syclze_ownership ownership);
void graph_world_read(const struct graph_world *world, ze_image_handle_t image, uint32_t *contents);

/* Returns once the test's reference is the kernel's last: workers end the last runs of graphs. */
static inline void await_unused(syclze_kernel kernel) {
  CHECK_SOON(__atomic_load_n(&kernel.rep->ref.others, __ATOMIC_ACQUIRE) == 0);
}

#endif
