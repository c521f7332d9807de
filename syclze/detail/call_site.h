/* Call sites: file, function and line of a call of the library, for trace points.
 *
 * Included at the end of trace/xpti.h and trace/writer.h. In files that include one of them these
 * functions are macros too; other files carry no file names. A program may define
 * SYCLZE_INSTRUMENTATION_METADATA as 0 to have none anywhere. The functions keep their addresses.
 * There are none under SYCLZE_CHECK, whose macros these would be. */
#ifndef SYCLZE_CALL_SITE_H
#define SYCLZE_CALL_SITE_H

#include "trace_hooks.h"

/* Functions are declared before they are macros. */
#include "../buffer_create.h"
#include "../command.h"

#if XPTI_ENABLE_INSTRUMENTATION && defined(SYCLZE_INSTRUMENTATION_METADATA) &&                     \
    SYCLZE_INSTRUMENTATION_METADATA && !defined(SYCLZE_CHECK)

SYCLZE_EXTERN_C_BEGIN

/* The table that call sites go to; null for none. */
SYCLZE_INLINE const struct syclze__trace_commands *syclze__call_site_table(void) {
  const struct syclze__trace_commands *commands = syclze__traced_commands();
  return SYCLZE__UNLIKELY(commands != NULL && commands->call_site != NULL) ? commands : NULL;
}

/* Sets the thread's call site and returns the one before. */
SYCLZE_INLINE const struct syclze__trace_call_site *syclze__call_site_set(
    const struct syclze__trace_commands *table, const struct syclze__trace_call_site *site) {
  return SYCLZE__UNLIKELY(table != NULL) ? table->call_site(site) : NULL;
}

SYCLZE_EXTERN_C_END

/* The names have the type: an accessor's call may be an argument, and its names would shadow these.
 */
#define SYCLZE__AT_CALL_SITE(call) SYCLZE__AT_CALL_SITE_OF(ze_result_t, call)
#define SYCLZE__AT_CALL_SITE_OF(type, call)                                                        \
  (__extension__({                                                                                 \
    static const struct syclze__trace_call_site syclze__at_##type = {                              \
        __func__, __FILE__, __LINE__};                                                             \
    const struct syclze__trace_commands *syclze__to_##type = syclze__call_site_table();            \
    const struct syclze__trace_call_site *syclze__before_##type =                                  \
        syclze__call_site_set(syclze__to_##type, &syclze__at_##type);                              \
    const type syclze__made_##type = call;                                                         \
    syclze__call_site_set(syclze__to_##type, syclze__before_##type);                               \
    syclze__made_##type;                                                                           \
  }))
#define syclze_make_platform(...) SYCLZE__AT_CALL_SITE(syclze_make_platform(__VA_ARGS__))
#define syclze_make_device(...) SYCLZE__AT_CALL_SITE(syclze_make_device(__VA_ARGS__))
#define syclze_make_context(...) SYCLZE__AT_CALL_SITE(syclze_make_context(__VA_ARGS__))
#define syclze_context_create(...) SYCLZE__AT_CALL_SITE(syclze_context_create(__VA_ARGS__))
#define syclze_make_queue(...) SYCLZE__AT_CALL_SITE(syclze_make_queue(__VA_ARGS__))
#define syclze_make_queue_v1(...) SYCLZE__AT_CALL_SITE(syclze_make_queue_v1(__VA_ARGS__))
#define syclze_make_queue_v3(...) SYCLZE__AT_CALL_SITE(syclze_make_queue_v3(__VA_ARGS__))
#define syclze_make_event(...) SYCLZE__AT_CALL_SITE(syclze_make_event(__VA_ARGS__))
#define syclze_event_create(...) SYCLZE__AT_CALL_SITE(syclze_event_create(__VA_ARGS__))
#define syclze_make_kernel_bundle(...) SYCLZE__AT_CALL_SITE(syclze_make_kernel_bundle(__VA_ARGS__))
#define syclze_kernel_bundle_create(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_kernel_bundle_create(__VA_ARGS__))
#define syclze_make_kernel(...) SYCLZE__AT_CALL_SITE(syclze_make_kernel(__VA_ARGS__))
#define syclze_kernel_create(...) SYCLZE__AT_CALL_SITE(syclze_kernel_create(__VA_ARGS__))
#define syclze_malloc_device(...) SYCLZE__AT_CALL_SITE(syclze_malloc_device(__VA_ARGS__))
#define syclze_malloc_shared(...) SYCLZE__AT_CALL_SITE(syclze_malloc_shared(__VA_ARGS__))
#define syclze_malloc_host(...) SYCLZE__AT_CALL_SITE(syclze_malloc_host(__VA_ARGS__))
#define syclze_aligned_alloc_device(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_aligned_alloc_device(__VA_ARGS__))
#define syclze_aligned_alloc_shared(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_aligned_alloc_shared(__VA_ARGS__))
#define syclze_aligned_alloc_host(...) SYCLZE__AT_CALL_SITE(syclze_aligned_alloc_host(__VA_ARGS__))
#define syclze_free(...) SYCLZE__AT_CALL_SITE(syclze_free(__VA_ARGS__))
#define syclze_queue_create(...) SYCLZE__AT_CALL_SITE(syclze_queue_create(__VA_ARGS__))
#define syclze_buffer_create(...) SYCLZE__AT_CALL_SITE(syclze_buffer_create(__VA_ARGS__))
#define syclze_buffer_create_sub(...) SYCLZE__AT_CALL_SITE(syclze_buffer_create_sub(__VA_ARGS__))
#define syclze_buffer_reinterpret(...) SYCLZE__AT_CALL_SITE(syclze_buffer_reinterpret(__VA_ARGS__))
#define syclze_make_buffer(...) SYCLZE__AT_CALL_SITE(syclze_make_buffer(__VA_ARGS__))
#define syclze_make_buffer_after(...) SYCLZE__AT_CALL_SITE(syclze_make_buffer_after(__VA_ARGS__))
#define syclze_make_image(...) SYCLZE__AT_CALL_SITE(syclze_make_image(__VA_ARGS__))
#define syclze_make_image_after(...) SYCLZE__AT_CALL_SITE(syclze_make_image_after(__VA_ARGS__))
#define syclze_image_create(...) SYCLZE__AT_CALL_SITE(syclze_image_create(__VA_ARGS__))
#define syclze_group_require_buffer(...)                                                           \
  SYCLZE__AT_CALL_SITE_OF(syclze_accessor, syclze_group_require_buffer(__VA_ARGS__))
#define syclze_group_require_image(...)                                                            \
  SYCLZE__AT_CALL_SITE_OF(syclze_accessor, syclze_group_require_image(__VA_ARGS__))
#define syclze_group_require_sampled_image(...)                                                    \
  SYCLZE__AT_CALL_SITE_OF(syclze_accessor, syclze_group_require_sampled_image(__VA_ARGS__))
#define syclze_group_launch(...) SYCLZE__AT_CALL_SITE(syclze_group_launch(__VA_ARGS__))
#define syclze_group_copy(...) SYCLZE__AT_CALL_SITE(syclze_group_copy(__VA_ARGS__))
#define syclze_group_copy_part(...) SYCLZE__AT_CALL_SITE(syclze_group_copy_part(__VA_ARGS__))
#define syclze_group_copy_2d(...) SYCLZE__AT_CALL_SITE(syclze_group_copy_2d(__VA_ARGS__))
#define syclze_group_fill_2d(...) SYCLZE__AT_CALL_SITE(syclze_group_fill_2d(__VA_ARGS__))
#define syclze_group_update_host(...) SYCLZE__AT_CALL_SITE(syclze_group_update_host(__VA_ARGS__))
#define syclze_group_fill(...) SYCLZE__AT_CALL_SITE(syclze_group_fill(__VA_ARGS__))
#define syclze_group_prefetch(...) SYCLZE__AT_CALL_SITE(syclze_group_prefetch(__VA_ARGS__))
#define syclze_group_advise(...) SYCLZE__AT_CALL_SITE(syclze_group_advise(__VA_ARGS__))
#define syclze_group_copy_to_image(...)                                                            \
  SYCLZE__AT_CALL_SITE(syclze_group_copy_to_image(__VA_ARGS__))
#define syclze_group_copy_from_image(...)                                                          \
  SYCLZE__AT_CALL_SITE(syclze_group_copy_from_image(__VA_ARGS__))
#define syclze_group_copy_image(...) SYCLZE__AT_CALL_SITE(syclze_group_copy_image(__VA_ARGS__))
#define syclze_group_barrier(...) SYCLZE__AT_CALL_SITE(syclze_group_barrier(__VA_ARGS__))
#define syclze_group_host_task(...) SYCLZE__AT_CALL_SITE(syclze_group_host_task(__VA_ARGS__))
#define syclze_group_native_command(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_group_native_command(__VA_ARGS__))
#define syclze_queue_submit_barrier(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_queue_submit_barrier(__VA_ARGS__))
#define syclze_queue_submit_barrier_after(...)                                                     \
  SYCLZE__AT_CALL_SITE(syclze_queue_submit_barrier_after(__VA_ARGS__))
#define syclze_queue_copy(...) SYCLZE__AT_CALL_SITE(syclze_queue_copy(__VA_ARGS__))
#define syclze_queue_fill(...) SYCLZE__AT_CALL_SITE(syclze_queue_fill(__VA_ARGS__))
#define syclze_queue_copy_2d(...) SYCLZE__AT_CALL_SITE(syclze_queue_copy_2d(__VA_ARGS__))
#define syclze_queue_fill_2d(...) SYCLZE__AT_CALL_SITE(syclze_queue_fill_2d(__VA_ARGS__))
#define syclze_queue_prefetch(...) SYCLZE__AT_CALL_SITE(syclze_queue_prefetch(__VA_ARGS__))
#define syclze_queue_advise(...) SYCLZE__AT_CALL_SITE(syclze_queue_advise(__VA_ARGS__))
#define syclze_queue_launch_arguments(...)                                                         \
  SYCLZE__AT_CALL_SITE(syclze_queue_launch_arguments(__VA_ARGS__))
#define syclze_queue_launch_sampled(...)                                                           \
  SYCLZE__AT_CALL_SITE(syclze_queue_launch_sampled(__VA_ARGS__))
#define syclze_queue_is_empty(...) SYCLZE__AT_CALL_SITE(syclze_queue_is_empty(__VA_ARGS__))
#define syclze_queue_set_external_event(...)                                                       \
  SYCLZE__AT_CALL_SITE(syclze_queue_set_external_event(__VA_ARGS__))
#define syclze_queue_submit_profiling_tag(...)                                                     \
  SYCLZE__AT_CALL_SITE(syclze_queue_submit_profiling_tag(__VA_ARGS__))
#define syclze_queue_wait(...) SYCLZE__AT_CALL_SITE(syclze_queue_wait(__VA_ARGS__))
#define syclze_event_wait(...) SYCLZE__AT_CALL_SITE(syclze_event_wait(__VA_ARGS__))
#define syclze_events_wait(...) SYCLZE__AT_CALL_SITE(syclze_events_wait(__VA_ARGS__))
#define syclze_event_get_status(...) SYCLZE__AT_CALL_SITE(syclze_event_get_status(__VA_ARGS__))

/* Generic forms: macros in C, overloads in C++. */
#undef SYCLZE__CALL_SITE
#define SYCLZE__CALL_SITE(call) SYCLZE__AT_CALL_SITE(call)
#ifdef __cplusplus
#define syclze_make_native(...) SYCLZE__AT_CALL_SITE((syclze_make_native)(__VA_ARGS__))
#define syclze_launch(...) SYCLZE__AT_CALL_SITE((syclze_launch)(__VA_ARGS__))
#define syclze_queue_launch(...) SYCLZE__AT_CALL_SITE((syclze_queue_launch)(__VA_ARGS__))
#define syclze_copy(...) SYCLZE__AT_CALL_SITE((syclze_copy)(__VA_ARGS__))
#define syclze_fill(...) SYCLZE__AT_CALL_SITE((syclze_fill)(__VA_ARGS__))
#define syclze_require(...) SYCLZE__AT_CALL_SITE_OF(syclze_accessor, (syclze_require)(__VA_ARGS__))
#endif

#endif

/* Those of headers that traces do not include. */
#ifdef SYCLZE_COMMAND_GRAPH_H
#include "call_site_graph.h"
#endif
#ifdef SYCLZE_COMMAND_HOST_ACCESSOR_H
#include "call_site_host.h"
#endif

#endif
