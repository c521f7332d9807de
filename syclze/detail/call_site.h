/* Where in the program a call stands, for trace points.
 *
 * With SYCLZE_INSTRUMENTATION_METADATA, which is 1 unless it is defined as 0, these functions are
 * macros too that leave file, function and line of the call to its thread, if there is tracing at
 * all. The functions keep their addresses, and calls of C++'s overloads are without a place. So are
 * all under SYCLZE_CHECK, whose macros they would be. Included after all else. */
#ifndef SYCLZE_TRACE_HERE_H
#define SYCLZE_TRACE_HERE_H

#include "trace_hooks.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE_INSTRUMENTATION_METADATA && !defined(SYCLZE_CHECK)
#define SYCLZE__PLACED(call) (SYCLZE__TRACE_HERE(), call)
#define syclze_queue_create(...) SYCLZE__PLACED(syclze_queue_create(__VA_ARGS__))
#define syclze_make_buffer(...) SYCLZE__PLACED(syclze_make_buffer(__VA_ARGS__))
#define syclze_make_buffer_after(...) SYCLZE__PLACED(syclze_make_buffer_after(__VA_ARGS__))
#define syclze_make_image(...) SYCLZE__PLACED(syclze_make_image(__VA_ARGS__))
#define syclze_make_image_after(...) SYCLZE__PLACED(syclze_make_image_after(__VA_ARGS__))
#define syclze_image_create(...) SYCLZE__PLACED(syclze_image_create(__VA_ARGS__))
#define syclze_group_require_buffer(...) SYCLZE__PLACED(syclze_group_require_buffer(__VA_ARGS__))
#define syclze_group_require_image(...) SYCLZE__PLACED(syclze_group_require_image(__VA_ARGS__))
#define syclze_group_require_sampled_image(...)                                                    \
  SYCLZE__PLACED(syclze_group_require_sampled_image(__VA_ARGS__))
#define syclze_group_launch(...) SYCLZE__PLACED(syclze_group_launch(__VA_ARGS__))
#define syclze_group_copy(...) SYCLZE__PLACED(syclze_group_copy(__VA_ARGS__))
#define syclze_group_copy_part(...) SYCLZE__PLACED(syclze_group_copy_part(__VA_ARGS__))
#define syclze_group_update_host(...) SYCLZE__PLACED(syclze_group_update_host(__VA_ARGS__))
#define syclze_group_fill(...) SYCLZE__PLACED(syclze_group_fill(__VA_ARGS__))
#define syclze_group_prefetch(...) SYCLZE__PLACED(syclze_group_prefetch(__VA_ARGS__))
#define syclze_group_advise(...) SYCLZE__PLACED(syclze_group_advise(__VA_ARGS__))
#define syclze_group_copy_to_image(...) SYCLZE__PLACED(syclze_group_copy_to_image(__VA_ARGS__))
#define syclze_group_copy_from_image(...) SYCLZE__PLACED(syclze_group_copy_from_image(__VA_ARGS__))
#define syclze_group_copy_image(...) SYCLZE__PLACED(syclze_group_copy_image(__VA_ARGS__))
#define syclze_group_barrier(...) SYCLZE__PLACED(syclze_group_barrier(__VA_ARGS__))
#define syclze_group_host_task(...) SYCLZE__PLACED(syclze_group_host_task(__VA_ARGS__))
#define syclze_group_native_command(...) SYCLZE__PLACED(syclze_group_native_command(__VA_ARGS__))
#define syclze_queue_submit_barrier(...) SYCLZE__PLACED(syclze_queue_submit_barrier(__VA_ARGS__))
#define syclze_queue_wait(...) SYCLZE__PLACED(syclze_queue_wait(__VA_ARGS__))
#define syclze_event_wait(...) SYCLZE__PLACED(syclze_event_wait(__VA_ARGS__))
#endif

#endif
