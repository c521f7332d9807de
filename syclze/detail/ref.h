/* Reference counts and ownership of wrapped handles.
 *
 * A transferred handle is destroyed once, by the release of the last reference; a kept one is never
 * destroyed by the library. Counts are atomic: any number of threads may retain and release one
 * object, each of which holds a reference.
 *
 * Every counted object has the same functions: _new makes it with one reference, _release drops a
 * reference, and the last one calls _destroy for a transferred handle, then _free, which returns
 * the object to its pool and drops its reference to its context or bundle. */
#ifndef SYCLZE_REF_H
#define SYCLZE_REF_H

#include "check.h"

SYCLZE_EXTERN_C_BEGIN

/* The values of syclze_ownership. */
enum { SYCLZE__TRANSFERRED = 0, SYCLZE__KEPT = 1 };

/* The first member of every counted object. */
struct syclze__ref {
  struct syclze__slot slot;
  uint32_t count; /* 0 once the object is free; the checker reads it behind the slot */
  uint32_t ownership;
};

/* Memory of an object of this kind; null without memory. */
SYCLZE_INLINE void *syclze__object_acquire(enum syclze__pool_kind kind, size_t size) {
  return syclze__pool_acquire(&SYCLZE__STATE.pools[kind], size);
}

SYCLZE_INLINE void syclze__ref_init(struct syclze__ref *ref, uint32_t ownership) {
  __atomic_store_n(&ref->count, 1, __ATOMIC_RELAXED);
  ref->ownership = ownership;
}

SYCLZE_INLINE void syclze__ref_retain(struct syclze__ref *ref) {
  __atomic_fetch_add(&ref->count, 1, __ATOMIC_RELAXED);
}

/* Drops a reference. Returns how many are left: 0 after the last one, a negative number if there
 * was none (syclze__ref_underflow). The holder of the only reference needs no locked instruction.
 */
SYCLZE_INLINE int32_t syclze__ref_release(struct syclze__ref *ref) {
  if (SYCLZE__LIKELY(__atomic_load_n(&ref->count, __ATOMIC_ACQUIRE) == 1)) {
    __atomic_store_n(&ref->count, 0, __ATOMIC_RELAXED);
    return 0;
  }
  return (int32_t)__atomic_sub_fetch(&ref->count, 1, __ATOMIC_ACQ_REL);
}

/* The same of an object's reference to its context or bundle, which is hardly ever the last. */
SYCLZE_INLINE int32_t syclze__ref_drop(struct syclze__ref *ref) {
  return (int32_t)__atomic_sub_fetch(&ref->count, 1, __ATOMIC_ACQ_REL);
}

/* After a release without a reference, which is detected until the memory of the object is used
 * again: undoes and reports it. */
SYCLZE_COLD ze_result_t syclze__ref_underflow(struct syclze__ref *ref, const char *function)
    SYCLZE_LINK_NAME(syclze__ref_underflow);

/* What every make checks of its handle. */
SYCLZE_INLINE struct syclze__status syclze__check_handle(const void *native, uint32_t ownership) {
  const char *twice;
  if (native == NULL) return syclze__null_handle("the native handle is null");
  if (ownership > SYCLZE__KEPT)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "Level-Zero backend 4.4: ownership is transfer or keep");
  if (ownership == SYCLZE__KEPT) return syclze__allowed();
  twice = SYCLZE__CHECK_TRANSFERRED(native);
  return twice == NULL ? syclze__allowed() : syclze__invalid(twice);
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__ref_underflow(struct syclze__ref *ref, const char *function) {
  __atomic_fetch_add(&ref->count, 1, __ATOMIC_RELAXED);
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "Level-Zero backend 4.4: the object has no reference left", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
