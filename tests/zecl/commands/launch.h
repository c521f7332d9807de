/* One launch of a kernel: a snapshot, made by zeCommandListAppendLaunchKernel and run later, of the
 * arguments, group size and group count, so that the kernel may change or be destroyed afterwards.
 */
#ifndef ZECL_COMMANDS_LAUNCH_H
#define ZECL_COMMANDS_LAUNCH_H

#include <stdbool.h>
#include <level_zero/ze_api.h>

struct zecl_engine_queue;
struct zecl_launch;

/* Takes the snapshot. Errors are those of zeCommandListAppendLaunchKernel. */
ze_result_t zecl_launch_create(
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, struct zecl_launch **launch);

/* Creates launches whose groups wait for each other, those of
 * zeCommandListAppendLaunchCooperativeKernel. */
ze_result_t zecl_launch_create_cooperative(
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, struct zecl_launch **launch);

/* Runs it, any number of times, from any thread. A kernel of the engine is enqueued on `queue` and
 * may still run on return; a native kernel is called in-line. `groups`: null for those of the
 * snapshot, else a count read at run time (indirect launches). */
ze_result_t zecl_launch_run(
    struct zecl_launch *launch, const ze_group_count_t *groups, struct zecl_engine_queue *queue);

/* The name of its kernel. */
const char *zecl_launch_name(const struct zecl_launch *launch);

/* True when zecl_launch_run calls in-line and needs no command queue. */
int zecl_launch_is_native(const struct zecl_launch *launch);

/* True if the kernel writes to images whose texels must be corrected once it has ended. */
bool zecl_launch_must_settle(const struct zecl_launch *launch);

/* Does so, on a queue whose kernels are finished. */
ze_result_t zecl_launch_settle(const struct zecl_launch *launch, struct zecl_engine_queue *queue);

/* Change a launch that does not run. Errors are those of the functions of kernels; arguments that
 * are images or samplers, and launches of groups that wait for each other, are UNSUPPORTED_FEATURE.
 * Without `applies` they only check. */
ze_result_t zecl_launch_set_argument(
    struct zecl_launch *launch, uint32_t index, size_t size, const void *value, bool applies);
ze_result_t zecl_launch_set_groups(
    struct zecl_launch *launch, const ze_group_count_t *groups, bool applies);
ze_result_t zecl_launch_set_group_size(
    struct zecl_launch *launch, const uint32_t *size, bool applies);
ze_result_t zecl_launch_set_offset(
    struct zecl_launch *launch, const uint32_t *offset, bool applies);

/* True if a live kernel may replace that of the launch. */
bool zecl_launch_takes(const struct zecl_launch *launch, ze_kernel_handle_t kernel);

/* Makes the launch one of such a kernel, with as many groups; arguments may be missing still. */
ze_result_t zecl_launch_replace(struct zecl_launch **launch, ze_kernel_handle_t kernel);

void zecl_launch_destroy(struct zecl_launch *launch);

#endif
