/**
 * @file
 * Command groups: submissions to queues, with SYCL's dependencies between them.
 *
 * - command/group.h: a group, its requirements and dependencies
 * - command/accessor.h: accessors of buffers and images
 * - command/launch.h: kernels
 * - command/copy.h: copies, fills, hints, image copies
 * - command/host_task.h: host tasks and native commands
 * - command/interop_handle.h: native handles inside a host task or a native command
 * - command/queue_sync.h: barriers of groups, a second queue to fall back on
 * - command/queue_order.h: whether a queue is empty, its last event, an event before its next
 *   command, wait lists, profiling tags
 * - queue_commands.h: copies, fills, hints, kernels, barriers and waits without a group object
 * - buffer_create.h: buffers of the library's memory, of data of the host, of parts of others
 *
 * Included by name: command/graph.h, graphs of command groups that are submitted many times;
 * command/event_sync.h, events of the application, waits with a time limit and callbacks;
 * command/launch_cooperative.h, kernels whose groups wait for each other; command/copy_3d.h and
 * command/image_fill.h.
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
#include "command/queue_sync.h"
#include "queue_commands.h"

#endif
