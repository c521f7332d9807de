/** @file
 * The objects of SYCL's Level Zero backend, for C.
 *
 * - version.h, config.h: versions; Level Zero's headers and what the compiler can do
 * - result.h: results, error codes, diagnostics
 * - platform.h, device.h, context.h, queue.h, event.h, kernel_bundle.h, kernel.h: the objects
 * - buffer.h, image.h, sampler.h: memory, and how images are read
 * - kinds.h: the list of the kinds of objects
 * - object.h: tagged unions, for kinds that are known at run time
 * - native.h: syclze_make_native and syclze_get_native
 * - selector.h: ONEAPI_DEVICE_SELECTOR, SYCL_DEVICE_FILTER, filter strings
 * - usm.h: allocations
 * - owner.h: owners of handles that another runtime shares
 * - loader.h: Level Zero by a table, with SYCLZE_LOADER_DYNAMIC; by name loader_names.h, its
 *   functions under their own names, and loader_close.h
 * - scope.h: cleanup guards
 * - image_format.h: channel orders and types, and Level Zero's formats
 * - check.h: the debug checker, with SYCLZE_CHECK
 * - implementation.h: all bodies, for one file of a program with SYCLZE_DECLARATIONS
 *
 * Included by name:
 *
 * - setup.h: device, context, queue, kernels and a guard in a line each
 * - device_query.h, kernel_query.h, usm_query.h, aspect.h: queries of devices, kernels, allocations
 * - composite_device.h: cards of several devices
 * - queue_commands.h: commands of queues on pointers
 * - buffer_create.h: buffers of data of the host and of parts of others
 * - command.h: command groups, with the two before
 * - ipc.h, ipc_handle.h: memory and events of other processes
 * - external_memory.h, command/external_semaphore.h: memory and semaphores of other interfaces
 * - growable_memory.h: memory that grows in place
 * - async_memory.h: memory that commands allocate and free
 * - device_global.h: variables of modules
 * - bindless_image.h: images over memory of the caller, and bindless ones
 * - dlpack.h: tensors of DLPack
 * - offload/offload.h: device images
 * - trace/writer.h, trace/xpti.h, trace/current.h, trace/level_zero.h: traces
 * - sycl_interop.h, sycl.hpp: objects of a SYCL runtime, in C and in C++
 * - syclze.hpp: classes for C++17
 * - library.h: functions that only libsyclze.so has, which `make library` builds
 *
 * Read the header of an object for its rules of ownership and threads. */
#include "version.h"

#ifndef SYCLZE_SYCLZE_H
#define SYCLZE_SYCLZE_H

#include "object.h"
#include "buffer.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "event.h"
#include "image.h"
#include "kernel.h"
#include "kernel_bundle.h"
#include "kinds.h"
#include "loader.h"
#include "native.h"
#include "owner.h"
#include "platform.h"
#include "queue.h"
#include "result.h"
#include "sampler.h"
#include "scope.h"
#include "selector.h"
#include "usm.h"

#include "check.h"

#endif
