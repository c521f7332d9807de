/* Reference counts and ownership of what is wrapped.
 *
 * A transferred handle is destroyed once, by the release that drops the last reference; a kept one
 * is never destroyed by the library. Counts are atomic: one object may be retained and released
 * from any number of threads, each of which holds a reference. */
#ifndef SYCLZE_REF_H
#define SYCLZE_REF_H

#include "check.h"

/* Level-Zero backend, 4.4. */
typedef enum syclze_ownership {
  SYCLZE_OWNERSHIP_TRANSFER = 0, /* the library destroys the handle; the default */
  SYCLZE_OWNERSHIP_KEEP = 1      /* the application destroys it, after the last release */
} syclze_ownership;

SYCLZE_EXTERN_C_BEGIN

/* Begins every counted object; the native handle follows. */
struct syclze__ref {
  struct syclze__slot slot;
  uint32_t count;
  uint32_t ownership; /* a syclze_ownership */
};

SYCLZE_INLINE void syclze__ref_init(struct syclze__ref *ref, syclze_ownership ownership) {
  __atomic_store_n(&ref->count, 1, __ATOMIC_RELAXED);
  ref->ownership = (uint32_t)ownership;
}

SYCLZE_INLINE void syclze__ref_retain(struct syclze__ref *ref) {
  __atomic_fetch_add(&ref->count, 1, __ATOMIC_RELAXED);
}

/* True for the release that drops the last reference. */
SYCLZE_INLINE bool syclze__ref_release(struct syclze__ref *ref) {
  return __atomic_fetch_sub(&ref->count, 1, __ATOMIC_ACQ_REL) == 1;
}

/* What holds for every handle that is wrapped. */
SYCLZE_INLINE struct syclze__status syclze__check_handle(
    const void *native, syclze_ownership ownership) {
  if (native == NULL) return syclze__null_handle("the native handle is null");
  if ((uint32_t)ownership > (uint32_t)SYCLZE_OWNERSHIP_KEEP)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "Level-Zero backend 4.4: ownership is transfer or keep");
  if (ownership == SYCLZE_OWNERSHIP_KEEP) return syclze__allowed();
  const char *twice = SYCLZE__CHECK_TRANSFERRED(native);
  return twice == NULL ? syclze__allowed() : syclze__invalid(twice);
}

SYCLZE_EXTERN_C_END

#endif
