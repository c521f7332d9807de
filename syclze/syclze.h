/* syclze: SYCL's Level Zero backend for C. Everything of the interop layer:
 *
 * - version.h, config.h: versions; Level Zero's headers and what the compiler can do
 * - result.h: results, error codes, diagnostics
 * - platform.h, device.h, context.h, queue.h, event.h, kernel_bundle.h, kernel.h: the objects
 * - buffer.h, image.h: memory
 * - object.h: tagged unions, for kinds that are known at run time
 * - native.h: syclze_make_native and syclze_get_native
 * - selector.h: ONEAPI_DEVICE_SELECTOR, SYCL_DEVICE_FILTER, filter strings
 * - usm.h: allocations
 * - command/, EXPERIMENTAL: command groups, by group.h and accessor.h; launch.h, copy.h and
 *   host_task.h are their actions, interop_handle.h what a host task sees; queue_work.h waits,
 *   profiling.h tells times, submit.h falls back on a second queue
 * - trace/xpti/binding.h, EXPERIMENTAL: what SYCL's tracing framework is told; detail/call_site.h,
 * where in the program. Not included: trace/level_zero.h, which tells it of Level Zero's calls, and
 *   trace/writer.h, a trace for those who have no tool
 * - scope.h: cleanup guards
 * - image_format.h: channel orders and types, and Level Zero's formats
 * - check.h: the debug checker, with SYCLZE_CHECK
 * - lock.h, pool.h, state.h, entry.h, ref.h, event_pool.h, memory_object.h, kernel_names.h: what
 *   stands behind the objects
 *
 * Read the header of an object for its rules of ownership and threads. */
#include "version.h"

#ifndef SYCLZE_SYCLZE_H
#define SYCLZE_SYCLZE_H

#include "object.h"
#include "buffer.h"
#include "command/host_task.h"
#include "command/launch.h"
#include "command/queue_sync.h"
#include "command/submit.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "event.h"
#include "image.h"
#include "kernel.h"
#include "kernel_bundle.h"
#include "native.h"
#include "platform.h"
#include "queue.h"
#include "detail/ref.h"
#include "result.h"
#include "scope.h"
#include "selector.h"
#include "usm.h"

#include "check.h"

#endif
