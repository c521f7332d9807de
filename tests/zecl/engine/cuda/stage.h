/* Work of the host in a stream: memory of malloc is not the device's, and CUDA's own copies of it
 * wait for the stream, which may itself wait for the caller. So a function of the host runs in the
 * stream, and data for the device passes through the queue's stage. */
#ifndef ZECL_ENGINE_CUDA_STAGE_H
#define ZECL_ENGINE_CUDA_STAGE_H

#include "engine/cuda/cuda.h"

/* Calls a function of the host, unless the queue is cancelled meanwhile. */
ze_result_t zecl_cuda_call(
    struct zecl_engine_queue *queue, zecl_host_function *function, void *user);

/* True if only the host can access the memory. */
bool zecl_cuda_needs_host(const void *pointer);

/* The queue's stage, of ZECL_CUDA_STAGE bytes; null when there is no memory. */
char *zecl_cuda_stage(struct zecl_engine_queue *queue);

/* Takes the stage of a queue that is released, for a later queue. */
void zecl_cuda_stage_give(char *stage);

/* Copies where one end at least needs the host. */
ze_result_t zecl_cuda_copy_by_host(
    struct zecl_engine_queue *queue, void *to, const void *from, size_t size);

ze_result_t zecl_cuda_fill_by_host(struct zecl_engine_queue *queue, void *to, size_t size,
    const void *pattern, size_t pattern_size);

/* Fills the device's memory with any pattern: it is laid down once, and then doubled. */
ze_result_t zecl_cuda_fill_doubling(struct zecl_engine_queue *queue, void *to, size_t size,
    const void *pattern, size_t pattern_size);

#endif
