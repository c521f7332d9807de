/* Bodies of ../xpti.h: installs the emitter. */
#ifndef SYCLZE_TRACE_EMITTER_H
#define SYCLZE_TRACE_EMITTER_H

#include "../xpti.h"

#include "../../command.h"
#include "../../syclze.h"

#if XPTI_ENABLE_INSTRUMENTATION

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__xpti_install(void) SYCLZE_LINK_NAME(syclze__xpti_install);

SYCLZE_EXTERN_C_END

#if SYCLZE__BODIES

#include "tables.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__xpti_install(void) {
  if (SYCLZE__STATE.trace_attach != NULL) return;
  SYCLZE__STATE.trace_attach = syclze__xpti_attach;
  SYCLZE__STATE.xpti_calls = syclze__xpti_calls();
  SYCLZE__STATE.xpti_commands = syclze__xpti_commands();
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  syclze__xpti_switch(0);
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
}

SYCLZE_EXTERN_C_END

#endif

/* Each file that includes this has one; the first one installs the emitter. */
__attribute__((constructor)) static void syclze__xpti_constructor(void) {
  syclze__xpti_install();
}

#endif

#include "../../detail/call_site.h"

#endif
