/* The emitter's tables of callbacks, and the call site of a thread. */
#ifndef SYCLZE_TRACE_TABLES_H
#define SYCLZE_TRACE_TABLES_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "commands.h"
#include "traced_calls.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL const struct syclze__trace_calls *syclze__xpti_calls(void) {
  static const struct syclze__trace_calls table = {syclze__traced_make_platform,
      syclze__traced_make_device, syclze__traced_make_context, syclze__traced_context_create,
      syclze__traced_make_queue, syclze__traced_queue_create, syclze__traced_queue_wait,
      syclze__traced_queue_flush, syclze__traced_queue_is_empty, syclze__traced_make_event,
      syclze__traced_event_wait, syclze__traced_event_get_status, syclze__traced_make_kernel_bundle,
      syclze__traced_kernel_bundle_create, syclze__traced_make_kernel, syclze__traced_kernel_create,
      syclze__traced_make_buffer, syclze__traced_make_buffer_after, syclze__traced_make_image,
      syclze__traced_make_image_after, syclze__traced_image_create, syclze__traced_make_sampler,
      syclze__traced_sampler_create, syclze__traced_usm_allocate, syclze__traced_free,
      syclze__xpti_call_begin, syclze__xpti_call_end, syclze__traced_retain, syclze__traced_release,
      syclze__traced_get_native, syclze__xpti_diagnostic};
  return &table;
}

/* Sets the first call site of a thread, which may bind the framework. */
SYCLZE_LOCAL const struct syclze__trace_call_site *syclze__xpti_call_site_first(
    const struct syclze__trace_call_site *site) {
  if (syclze__xpti_now() != NULL) syclze__xpti_thread_get()->site = site;
  return NULL;
}

SYCLZE_LOCAL_WARM const struct syclze__trace_call_site *syclze__xpti_call_site(
    const struct syclze__trace_call_site *site) {
  struct syclze__xpti_thread *thread = syclze__trace_thread_own()->xpti;
  if (SYCLZE__UNLIKELY(thread == NULL)) return syclze__xpti_call_site_first(site);
  const struct syclze__trace_call_site *before = thread->site;
  thread->site = site;
  return before;
}

SYCLZE_LOCAL const struct syclze__trace_commands *syclze__xpti_commands(void) {
  static const struct syclze__trace_commands table = {syclze__xpti_call_site, syclze__xpti_depends,
      syclze__xpti_accesses_wanted, syclze__xpti_access, syclze__xpti_host_access,
      syclze__xpti_command_begin, syclze__xpti_command_end, syclze__xpti_command_discard, NULL,
      syclze__xpti_host_task_begin, syclze__xpti_host_task_end, syclze__xpti_storage_begin,
      syclze__xpti_memory_created, syclze__xpti_memory_destroyed, syclze__xpti_queue_destroyed};
  return &table;
}

SYCLZE_EXTERN_C_END

#endif

#endif
