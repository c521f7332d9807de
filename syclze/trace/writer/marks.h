/* Bodies of ../marks.h. */
#ifndef SYCLZE_TRACE_WRITER_MARKS_H
#define SYCLZE_TRACE_WRITER_MARKS_H

#include "../../detail/sync/clock.h"
#include "../marks.h"

#if SYCLZE__BODIES
#include "state.h"
#endif

SYCLZE_EXTERN_C_BEGIN

/* Records a range. */
SYCLZE_COLD void syclze__trace_range_add(const char *name, uint64_t start)
    SYCLZE_LINK_NAME(syclze__trace_range_add);

SYCLZE_INLINE syclze_trace_range syclze_trace_range_begin(const char *name) {
  syclze_trace_range range;
  range.name = name;
  range.start = 0;
  if (SYCLZE__UNLIKELY(__atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE) != NULL))
    range.start = syclze__clock_now();
  return range;
}

SYCLZE_INLINE void syclze_trace_range_end(syclze_trace_range range) {
  if (SYCLZE__UNLIKELY(range.start != 0)) syclze__trace_range_add(range.name, range.start);
}

#if SYCLZE__BODIES

SYCLZE_COLD void syclze__trace_range_add(const char *name, uint64_t start) {
  const struct syclze__recorder *recorder =
      __atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE);
  if (recorder != NULL)
    syclze__record_add(
        recorder->rings, SYCLZE__RECORD_CALL, name, start, syclze__clock_now() - start, 0, 0);
}

SYCLZE_COLD ze_result_t syclze_trace_name_object(const void *native, const char *name) {
  struct syclze__recorder *recorder = __atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE);
  if (name == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_trace_name_object",
        "the name is null", native);
  if (recorder == NULL || native == NULL ||
      __atomic_load_n(&recorder->rings->stopped, __ATOMIC_RELAXED))
    return ZE_RESULT_SUCCESS;
  syclze__mutex_lock(&recorder->lock);
  struct syclze__map_entry *entry = syclze__map_put(&recorder->tracks, (uint64_t)(uintptr_t)native);
  if (entry != NULL) entry->name = syclze__recorder_intern(recorder, name);
  syclze__mutex_unlock(&recorder->lock);
  if (entry != NULL) return ZE_RESULT_SUCCESS;
  return syclze__fail_memory("syclze_trace_name_object", native);
}

#endif

SYCLZE_EXTERN_C_END

#endif
