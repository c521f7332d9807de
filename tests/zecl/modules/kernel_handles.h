/* The images and samplers among a kernel's arguments. The block of arguments of a kernel, and that
 * of a launch, holds a reference to each; null is an argument that was not set. */
#ifndef ZECL_MODULES_KERNEL_HANDLES_H
#define ZECL_MODULES_KERNEL_HANDLES_H

#include "modules/function.h"

#include <level_zero/ze_api.h>

/* Sets an argument of a kernel from the caller's value, and releases the previous one. */
ze_result_t zecl_handle_take_image(
    unsigned char *place, const struct zecl_arg *arg, size_t size, const void *value);
ze_result_t zecl_handle_take_sampler(unsigned char *place, size_t size, const void *value);

/* UNSUPPORTED_FEATURE for a combination that the engine does wrong. `needs_opaque`: the function
 * must set the alpha of what it reads with samplers, since the engine does that wrong. */
ze_result_t zecl_handles_check(
    const struct zecl_function *function, const unsigned char *block, bool *needs_opaque);

void zecl_handles_retain(const struct zecl_function *function, const unsigned char *block);
void zecl_handles_release(const struct zecl_function *function, const unsigned char *block);

/* Sets the argument of the engine's kernel. */
ze_result_t zecl_handle_set(
    struct zecl_engine_kernel *kernel, uint32_t index, enum zecl_arg_kind kind, const void *value);

bool zecl_handles_must_settle(const struct zecl_function *function, const unsigned char *block);
ze_result_t zecl_handles_settle(const struct zecl_function *function, const unsigned char *block,
    struct zecl_engine_queue *queue);

#endif
