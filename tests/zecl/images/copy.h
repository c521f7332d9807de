/* Copies of texels between images and memory, on the calling thread; the engine does its part on a
 * queue, and has done it on return. */
#ifndef ZECL_IMAGES_COPY_H
#define ZECL_IMAGES_COPY_H

#include "images/image.h"

struct zecl_image_region {
  size_t origin[3], size[3];
};

/* One side is an image, the other another image or memory. */
struct zecl_image_copy {
  struct zecl_image *to_image, *from_image; /* a reference to each that is not null */
  struct zecl_image_region to, from;        /* of the images; of equal sizes */
  char *to_memory;                          /* where to_image is null */
  const char *from_memory;                  /* where from_image is null */
  size_t row_pitch, slice_pitch;            /* of the memory, in bytes */
};

ze_result_t zecl_run_image_copy(
    const struct zecl_image_copy *copy, struct zecl_engine_queue *queue);

/* Queues a copy in a stream, in the stream's order. */
ze_result_t zecl_queue_image_copy(
    const struct zecl_image_copy *copy, struct zecl_engine_queue *queue);

void zecl_image_copy_free(struct zecl_image_copy *copy);

/* Held from the start of a kernel that writes to a widened image until that is settled, and while
 * texels of one are copied: putting an image right must not undo what others write elsewhere in
 * it. */
void zecl_image_lock(void);
void zecl_image_unlock(void);

/* After a kernel wrote to a widened image: gives all components the values that reading them must
 * give, those that no channel stands for and those that were rounded. What the kernel copied, texel
 * by texel, from one of the `sources`, images that it only reads, keeps all bits. */
ze_result_t zecl_image_settle(struct zecl_image *image, struct zecl_image *const *sources,
    uint32_t source_count, struct zecl_engine_queue *queue);

/* The whole of an image. */
struct zecl_image_region zecl_image_whole(const struct zecl_image *image);

#endif
