/**
 * @file
 * The bodies of all functions, for programs of many files that define SYCLZE_DECLARATIONS.
 *
 *     #include "syclze/implementation.h"
 *
 * Included in exactly one file of the program or library, before any other header of syclze. All
 * files must define the same macros that change what is compiled: SYCLZE_CHECK,
 * SYCLZE_LOADER_DYNAMIC, XPTI_ENABLE_INSTRUMENTATION. Including a trace (trace/xpti.h,
 * trace/writer.h, trace/level_zero.h) installs it; the include follows this one in the same file.
 *
 * The functions are hidden from other linked images. With -ffunction-sections and -fdata-sections
 * for this file, and -Wl,--gc-sections, the linked image holds those that it uses.
 */
#ifndef SYCLZE_IMPLEMENTATION_H
#define SYCLZE_IMPLEMENTATION_H

#ifndef SYCLZE_CONFIG_H
#ifndef SYCLZE_IMPLEMENTATION
#define SYCLZE_IMPLEMENTATION
#endif
#define SYCLZE__ALL_BODIES
#elif defined(SYCLZE_DECLARATIONS) && !defined(SYCLZE_IMPLEMENTATION)
#error "syclze/implementation.h must be the first header of syclze in its file"
#include "syclze: implementation.h must be the first header of syclze in its file"
#endif

#include "syclze.h"

#include "aspect.h"
#include "async_memory.h"
#include "bindless_image.h"
#include "buffer_create.h"
#include "command.h"
#include "command/copy_3d.h"
#include "command/event_sync.h"
#include "command/external_semaphore.h"
#include "command/graph_capture.h"
#include "command/graph_nodes.h"
#include "command/graph_update.h"
#include "command/host_accessor.h"
#include "command/image_fill.h"
#include "command/image_host_accessor.h"
#include "command/launch_cooperative.h"
#include "composite_device.h"
#include "device_global.h"
#include "device_query.h"
#include "external_memory.h"
#include "growable_memory.h"
#include "ipc.h"
#include "dlpack.h"
#include "kernel_query.h"
#include "library.h"
#include "loader_close.h"
#include "offload/assert.h"
#include "offload/bitcode.h"
#include "offload/division.h"
#include "offload/global.h"
#include "offload/kernel_source.h"
#include "offload/launch.h"
#include "offload/offload.h"
#include "setup.h"
#include "sycl_interop.h"
#include "usm_query.h"

#endif
