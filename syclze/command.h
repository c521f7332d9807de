/**
 * @file
 * Command groups: submissions to queues, with SYCL's dependencies between them. EXPERIMENTAL.
 *
 * - command/group.h: a group, what it requires and what it depends on
 * - command/accessor.h: what a group accesses of a buffer or an image
 * - command/launch.h: kernels
 * - command/copy.h: copies, fills, hints, image copies
 * - command/host_task.h: host tasks and native commands
 * - command/interop_handle.h: native handles inside a host task or a native command
 * - command/queue_sync.h: barriers, waits, a second queue to fall back on
 * - command/queue_order.h: whether a queue is empty, its last event, an event before its next
 *   command, wait lists, profiling tags
 * - command/queue_submit.h: copies, fills, hints, kernels and barriers without a group object
 * - buffer_create.h: buffers of the library's memory, of data of the host, of parts of others
 *
 * command/graph.h, graphs of command groups that are submitted many times, is included by name.
 *
 * syclze/syclze.h, which has the objects, does not include this file.
 */
#ifndef SYCLZE_COMMAND_H
#define SYCLZE_COMMAND_H

#include "buffer_create.h"
#include "command/accessor.h"
#include "command/copy.h"
#include "command/group.h"
#include "command/host_task.h"
#include "command/interop_handle.h"
#include "command/launch.h"
#include "command/queue_order.h"
#include "command/queue_submit.h"
#include "command/queue_sync.h"

#endif
