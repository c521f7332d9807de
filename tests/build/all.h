/* Everything that the library has, as one file. What a program pays for by including it stands
 * under a macro that the program defines before: SYCLZE_WITH_TRACE_XPTI for SYCL's trace streams,
 * SYCLZE_WITH_TRACE_XPTI_CURRENT for those in the form of today's runtimes too,
 * SYCLZE_WITH_TRACE_LEVEL_ZERO for the calls of Level Zero in them, SYCLZE_WITH_TRACE_WRITER for
 * the trace that is written to a file. Each is defined in one source file of a program. */
#ifndef SYCLZE_ALL_H
#define SYCLZE_ALL_H

#define SYCLZE__ALL_BODIES
#include "syclze/syclze.h"

#include "syclze/command.h"
#include "syclze/command/copy_3d.h"
#include "syclze/command/event_sync.h"
#include "syclze/command/external_semaphore.h"
#include "syclze/command/graph_capture.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/command/image_fill.h"
#include "syclze/command/image_host_accessor.h"
#include "syclze/command/launch_cooperative.h"

#include "syclze/aspect.h"
#include "syclze/async_memory.h"
#include "syclze/bindless_image.h"
#include "syclze/buffer_create.h"
#include "syclze/composite_device.h"
#include "syclze/device_global.h"
#include "syclze/device_query.h"
#include "syclze/external_memory.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#include "syclze/kernel_query.h"
#include "syclze/setup.h"
#include "syclze/usm_query.h"

#include "syclze/offload/assert.h"
#include "syclze/offload/bitcode.h"
#include "syclze/offload/division.h"
#include "syclze/offload/global.h"
#include "syclze/offload/kernel_source.h"
#include "syclze/offload/launch.h"
#include "syclze/offload/offload.h"

#ifdef SYCLZE_WITH_TRACE_XPTI_CURRENT
#include "syclze/trace/current.h"
#endif
#ifdef SYCLZE_WITH_TRACE_XPTI
#include "syclze/trace/xpti.h"
#endif
#ifdef SYCLZE_WITH_TRACE_LEVEL_ZERO
#include "syclze/trace/level_zero.h"
#endif
#ifdef SYCLZE_WITH_TRACE_WRITER
#include "syclze/trace/writer.h"
#endif

#endif
