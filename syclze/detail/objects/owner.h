/* Owners of native handles.
 *
 * An object's record is linked from its slot, since an object in use is in no list: objects need no
 * further member, and each linked image finds the record. Only setting an owner refers to the
 * functions that end one. */
#ifndef SYCLZE_DETAIL_OBJECTS_OWNER_H
#define SYCLZE_DETAIL_OBJECTS_OWNER_H

#include "../../owner.h"
#include "../sync/fork.h"
#include "../ref.h"

SYCLZE_EXTERN_C_BEGIN

/* Flags of ref.ownership, beside SYCLZE__KEPT and SYCLZE__LAUNCHED. */
enum {
  SYCLZE__OWNER_CLAIMED = 4, /* a thread sets the owner */
  SYCLZE__OWNED = 8          /* the slot links to the record; set once that is complete */
};

struct syclze__owned {
  ze_result_t (*end)(struct syclze__owned *owned);
  syclze_owner owner;
  const void *native;
  const char *function; /* that releases the object */
};

SYCLZE_INLINE bool syclze__ref_is_owned(const struct syclze__ref *ref) {
  return (__atomic_load_n(&ref->ownership, __ATOMIC_ACQUIRE) & SYCLZE__OWNED) != 0;
}

/* Calls the object's owner, if any, after the last release. */
SYCLZE_INLINE ze_result_t syclze__owner_end(const struct syclze__ref *ref) {
  if (!syclze__ref_is_owned(ref)) return ZE_RESULT_SUCCESS;
  struct syclze__owned *owned = (struct syclze__owned *)(void *)ref->slot.next;
  return owned->end(owned);
}

#if SYCLZE__BODIES

/* Calls the owner, and reports its failure. */
SYCLZE_LOCAL ze_result_t syclze__owned_end(struct syclze__owned *owned) {
  const struct syclze__owned ended = *owned;
  free(owned);
  if (syclze__is_forked()) return ZE_RESULT_SUCCESS;
  SYCLZE__HELD_NONE();
  ze_result_t result = ended.owner.release(ended.owner.data);
  return result == ZE_RESULT_SUCCESS
             ? result
             : syclze__fail(result, ended.function, "the owner's release failed", ended.native);
}

/* True for the one thread that may set the owner. */
SYCLZE_LOCAL bool syclze__owner_claim(struct syclze__ref *ref) {
  return (__atomic_fetch_or(&ref->ownership, SYCLZE__OWNER_CLAIMED, __ATOMIC_ACQUIRE) &
             SYCLZE__OWNER_CLAIMED) == 0;
}

/* Sets the owner's complete record; false if the object has an owner. */
SYCLZE_LOCAL bool syclze__owner_link(struct syclze__ref *ref, struct syclze__owned *owned) {
  if (!syclze__owner_claim(ref)) return false;
  ref->slot.next = (struct syclze__slot *)(void *)owned;
  /* Changes both flags at once: submissions read if the handle is kept. */
  __atomic_fetch_xor(&ref->ownership,
      (__atomic_load_n(&ref->ownership, __ATOMIC_RELAXED) & SYCLZE__KEPT) | SYCLZE__OWNED,
      __ATOMIC_RELEASE);
  return true;
}

/* Sets the owner of an object that is not null. `released` is the function that will call the
 * owner. */
SYCLZE_LOCAL struct syclze__status syclze__owner_attach(
    struct syclze__ref *ref, const void *native, syclze_owner owner, const char *released) {
  const struct syclze__status status = syclze__check_fork();
  if (owner.release == NULL) return syclze__null_pointer("the owner's release is null");
  if (status.result != ZE_RESULT_SUCCESS) return status;
  struct syclze__owned *owned = (struct syclze__owned *)calloc(1, sizeof *owned);
  if (owned == NULL) return syclze__out_of_memory();
  owned->end = syclze__owned_end;
  owned->owner = owner;
  owned->native = native;
  owned->function = released;
  if (!syclze__owner_link(ref, owned)) {
    free(owned);
    return syclze__invalid("the object has an owner already");
  }
  SYCLZE__CHECK_OWNED(native);
  return syclze__allowed();
}

/* Sets the owner, and reports a failure. */
SYCLZE_LOCAL ze_result_t syclze__owner_set(struct syclze__ref *ref, const void *native,
    syclze_owner owner, const char *function, const char *released) {
  const struct syclze__status status = syclze__owner_attach(ref, native, owner, released);
  return syclze__finish(status, function, native);
}

/* The body of a kind's function that sets an object's owner. `obstacle` is null, or the rule that
 * forbids it. */
#define SYCLZE__OWNER_SET(kind, object, native, obstacle)                                          \
  do {                                                                                             \
    const char *const function = "syclze_" #kind "_set_owner";                                     \
    const char *forbids;                                                                           \
    if ((object).rep == NULL)                                                                      \
      return syclze__fail(                                                                         \
          ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the object is null", NULL);              \
    SYCLZE__CHECK_USE(object, function, SYCLZE_RESULT_ERROR_INVALID);                              \
    forbids = obstacle;                                                                            \
    if (forbids != NULL)                                                                           \
      return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function, forbids, native);                 \
    return syclze__owner_set((struct syclze__ref *)(void *)(object).rep, native, owner, function,  \
        "syclze_" #kind "_release");                                                               \
  } while (0)

SYCLZE_LOCAL syclze_owner syclze__owner_get(const struct syclze__ref *ref) {
  const syclze_owner none = {NULL, NULL};
  return syclze__ref_is_owned(ref)
             ? ((const struct syclze__owned *)(const void *)ref->slot.next)->owner
             : none;
}

#endif

SYCLZE_EXTERN_C_END

#endif
