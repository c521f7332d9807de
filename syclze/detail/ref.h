/* Reference counts and ownership of wrapped handles.
 *
 * A transferred handle is destroyed once, by the release of the last reference; a kept one is never
 * destroyed by the library. Counts are atomic: any number of threads may retain and release one
 * object, each of which holds a reference.
 *
 * Every counted object has the same functions: _new makes it with one reference; _release drops a
 * reference; the last one calls _free, which returns the object to its pool and drops its reference
 * to its context or bundle, or first _last, out of line, which destroys a transferred handle. */
#ifndef SYCLZE_REF_H
#define SYCLZE_REF_H

#include "check.h"

SYCLZE_EXTERN_C_BEGIN

/* The values of syclze_ownership. */
enum { SYCLZE__TRANSFERRED = 0, SYCLZE__KEPT = 1 };

/* Memory of an object of this kind, for a fast path: null if none was released before. */
SYCLZE_INLINE void *syclze__object_take(enum syclze__pool_kind kind) {
  return syclze__pool_take(&SYCLZE__STATE.pools[kind]);
}

/* Memory of an object of this kind; null without memory. */
SYCLZE_INLINE void *syclze__object_acquire(enum syclze__pool_kind kind, size_t size) {
  return syclze__pool_acquire(&SYCLZE__STATE.pools[kind], size);
}

SYCLZE_INLINE void syclze__ref_init(struct syclze__ref *ref, uint32_t ownership) {
  /* In this order the two are one store. */
  ref->ownership = ownership;
  ref->others = 0;
}

SYCLZE_INLINE void syclze__ref_retain(struct syclze__ref *ref) {
  __atomic_fetch_add(&ref->others, 1, __ATOMIC_RELAXED);
}

/* Drops a reference; true while others are left. The comparison with 0 uses the flags of the
 * subtraction. */
SYCLZE_INLINE bool syclze__ref_release(struct syclze__ref *ref) {
  return __atomic_sub_fetch(&ref->others, 1, __ATOMIC_ACQ_REL) >= 0;
}

/* After a release that left no reference: true if there was none before either. Not atomic, so that
 * it is a comparison with memory. */
SYCLZE_INLINE bool syclze__ref_is_missing(const struct syclze__ref *ref) {
  return SYCLZE__UNLIKELY(ref->others != -1);
}

/* Between two tests of a fast path: compilers merge their branches into arithmetic otherwise. */
#define SYCLZE__SEPARATE() __asm__ volatile("")

/* Result of a make out of line. By value, as are the inputs: what has its address taken is kept in
 * memory by the caller. */
struct syclze__made {
  void *rep; /* null after an error */
  ze_result_t result;
};

/* A make without input or result. `object` is where the object was to go, or null. */
SYCLZE_COLD ze_result_t syclze__fail_null(const char *function, void *object)
    SYCLZE_LINK_NAME(syclze__fail_null);

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

SYCLZE_COLD ze_result_t syclze__fail_null(const char *function, void *object) {
  /* Every object is a pointer in a struct. */
  if (object != NULL) memset(object, 0, sizeof(void *));
  return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
      "the input's or the result's pointer is null", NULL);
}

SYCLZE_LOCAL struct syclze__made syclze__make_succeeded(void *rep) {
  const struct syclze__made made = {rep, ZE_RESULT_SUCCESS};
  return made;
}

/* Reports the failure of a make. */
SYCLZE_LOCAL struct syclze__made syclze__make_failed(
    struct syclze__status status, const char *function, const void *handle) {
  struct syclze__made made = {NULL, ZE_RESULT_SUCCESS};
  made.result = syclze__fail(status.result, function, status.rule, handle);
  return made;
}

SYCLZE_COLD ze_result_t syclze__ref_underflow(struct syclze__ref *ref, const char *function) {
  __atomic_fetch_add(&ref->others, 1, __ATOMIC_RELAXED);
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "Level-Zero backend 4.4: the object has no reference left", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
