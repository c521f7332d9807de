/* Reference counts and ownership of wrapped handles.
 *
 * A transferred handle is destroyed once, by the release of the last reference; a kept one is never
 * destroyed by the library. Counts are atomic: any number of threads may retain and release one
 * object, each of which holds a reference.
 *
 * Every counted object has the same functions: _new creates it with one reference; _release drops a
 * reference. The last release calls _free, which returns the object to its pool and drops its
 * reference to its context or bundle; or first _last, out of line, which destroys a transferred
 * handle. */
#ifndef SYCLZE_REF_H
#define SYCLZE_REF_H

#include "check.h"
#include "trace_hooks.h"

SYCLZE_EXTERN_C_BEGIN

/* The values of syclze_ownership, and a flag of ref.ownership beside those of owner.h. */
enum { SYCLZE__TRANSFERRED = 0, SYCLZE__KEPT = 1, SYCLZE__WEAK = 16 };

SYCLZE_INLINE void syclze__ref_init(struct syclze__ref *ref, uint32_t ownership) {
  /* In this order the two are one store. */
  ref->ownership = ownership;
  ref->others = 0;
}

SYCLZE_INLINE void syclze__ref_retain(struct syclze__ref *ref) {
  __atomic_fetch_add(&ref->others, 1, __ATOMIC_RELAXED);
}

/* The body of a kind's retain function. `rep` is null or an object, which begins with its count. */
SYCLZE_INLINE ze_result_t syclze__retain(syclze_object_kind kind, void *rep, const char *function) {
  struct syclze__ref *ref = (struct syclze__ref *)rep;
  if (rep != NULL) SYCLZE__CHECK_USE_OF(rep, function, SYCLZE_RESULT_ERROR_INVALID);
  SYCLZE__RETURN_IF_TRACED(retain, kind, ref);
  if (rep != NULL) syclze__ref_retain(ref);
  (void)kind;
  (void)function;
  return ZE_RESULT_SUCCESS;
}

/* Adds a reference to an object from a table that holds none (SYCLZE__WEAK). False if none is
 * left. */
SYCLZE_INLINE bool syclze__ref_try_retain(struct syclze__ref *ref) {
  int32_t others = __atomic_load_n(&ref->others, __ATOMIC_RELAXED);
  while (others >= 0)
    if (__atomic_compare_exchange_n(
            &ref->others, &others, others + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
  return false;
}

/* True if another thread may add a reference without holding one. */
SYCLZE_INLINE bool syclze__ref_is_weak(const struct syclze__ref *ref) {
  return (__atomic_load_n(&ref->ownership, __ATOMIC_RELAXED) & SYCLZE__WEAK) != 0;
}

/* Drops a reference; true while others are left. A load recognises the only reference: no other
 * thread can add or drop one, unless the object is weak. */
SYCLZE_INLINE bool syclze__ref_release(struct syclze__ref *ref) {
  if (SYCLZE__LIKELY(
          __atomic_load_n(&ref->others, __ATOMIC_ACQUIRE) == 0 && !syclze__ref_is_weak(ref))) {
    __atomic_store_n(&ref->others, -1, __ATOMIC_RELAXED);
    return false;
  }
  return __atomic_sub_fetch(&ref->others, 1, __ATOMIC_ACQ_REL) >= 0;
}

/* Results of a release. */
enum syclze__dropped {
  SYCLZE__DROPPED_ONE,       /* other references */
  SYCLZE__DROPPED_ONLY_KEPT, /* no reference to a kept object, and this was the only one */
  SYCLZE__DROPPED_LAST       /* no reference; or there was none before */
};

/* True for the only reference. Its holder recognises it by a load: no other thread can add or drop
 * one. */
SYCLZE_INLINE bool syclze__ref_is_only(const struct syclze__ref *ref) {
  return __atomic_load_n(&ref->others, __ATOMIC_ACQUIRE) == 0;
}

/* Drops a reference. */
SYCLZE_INLINE enum syclze__dropped syclze__ref_drop(struct syclze__ref *ref) {
  if (SYCLZE__LIKELY(syclze__ref_is_only(ref))) {
    if (SYCLZE__LIKELY(ref->ownership == SYCLZE__KEPT)) {
      __atomic_store_n(&ref->others, -1, __ATOMIC_RELAXED);
      return SYCLZE__DROPPED_ONLY_KEPT;
    }
    if (SYCLZE__LIKELY(!syclze__ref_is_weak(ref))) {
      __atomic_store_n(&ref->others, -1, __ATOMIC_RELAXED);
      return SYCLZE__DROPPED_LAST;
    }
  }
  return __atomic_sub_fetch(&ref->others, 1, __ATOMIC_ACQ_REL) >= 0 ? SYCLZE__DROPPED_ONE
                                                                    : SYCLZE__DROPPED_LAST;
}

/* Drops a reference unless it is the last. */
SYCLZE_INLINE bool syclze__ref_drop_other(struct syclze__ref *ref) {
  int32_t others = __atomic_load_n(&ref->others, __ATOMIC_RELAXED);
  while (others > 0)
    if (__atomic_compare_exchange_n(
            &ref->others, &others, others - 1, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return true;
  return false;
}

/* True if a release without a reference left none. */
SYCLZE_INLINE bool syclze__ref_is_missing(const struct syclze__ref *ref) {
  return SYCLZE__UNLIKELY(__atomic_load_n(&ref->others, __ATOMIC_RELAXED) != -1);
}

/* Separates two tests of a fast path, whose branches compilers would merge into arithmetic. */
#define SYCLZE__SEPARATE() __asm__ volatile("")

/* Separates two uses of a pointer, so that no member's address is kept in a register of its own. */
#define SYCLZE__APART(pointer) __asm__("" : "+r"(pointer))

/* Reports a make without input or result. `object` is the result's pointer, or null. */
SYCLZE_COLD ze_result_t syclze__fail_null(const char *function, void *object)
    SYCLZE_LINK_NAME(syclze__fail_null);

/* Undoes and reports a release without a reference, which is detected until the object's memory is
 * reused. */
SYCLZE_COLD ze_result_t syclze__ref_underflow(struct syclze__ref *ref, const char *function)
    SYCLZE_LINK_NAME(syclze__ref_underflow);

/* True if the handle is kept. Another thread may set an owner (owner.h), which ends that. */
SYCLZE_INLINE bool syclze__ref_is_kept(const struct syclze__ref *ref) {
  return (__atomic_load_n(&ref->ownership, __ATOMIC_RELAXED) & SYCLZE__KEPT) != 0;
}

/* Checks a make's handle. */
SYCLZE_INLINE struct syclze__status syclze__check_handle(const void *native, uint32_t ownership) {
  if (native == NULL) return syclze__null_handle("the native handle is null");
  if (ownership > SYCLZE__KEPT)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "Level-Zero backend 4.4: ownership must be transfer or keep");
  if (ownership == SYCLZE__KEPT) return syclze__allowed();
  const char *twice = SYCLZE__CHECK_TRANSFERRED(native);
  return twice == NULL ? syclze__allowed() : syclze__invalid(twice);
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__fail_null(const char *function, void *object) {
  /* Every object is a pointer in a struct. */
  if (object != NULL) memset(object, 0, sizeof(void *));
  return syclze__fail_pointer(function, "the input's or the result's pointer is null");
}

/* Ends a make whose object was filled; `rep` is null after an error, which is reported. */
SYCLZE_LOCAL struct syclze__made syclze__make_end(struct syclze__status status, void *rep,
    const char *kind, const char *function, const void *native, uint32_t ownership) {
  struct syclze__made made = {rep, status.result};
  if (rep != NULL)
    SYCLZE__CHECK_WRAPPED((struct syclze__ref *)rep, kind, native, ownership);
  else
    made.result = syclze__finish(status, function, native);
  (void)kind, (void)ownership;
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
