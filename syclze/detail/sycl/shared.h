/* The owner of an object that is shared with SYCL: SYCL's object, and, where that does not own the
 * native handle, the function that destroys this. */
#ifndef SYCLZE_DETAIL_SYCL_SHARED_H
#define SYCLZE_DETAIL_SYCL_SHARED_H

#include "../../object.h"
#include "known.h"
#include "runtime.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__sycl_shared {
  struct syclze__sycl_entry entry;      /* of contexts and queues; the others have its `object` */
  ze_result_t (*destroy)(void *native); /* null where SYCL's object, or the application, does */
  void *native;
};

/* The owner of a context that SYCL did not make: SYCL's context holds a reference to it, and so is
 * not held itself. */
struct syclze__sycl_context {
  struct syclze__sycl_object weak;
  ze_context_handle_t native;
  bool is_kept;
};

#if SYCLZE__BODIES

/* Mutexes that are held while either runtime is called: without a rank, and acquired before any
 * lock of the library. 0 is free, 1 held, 2 held while others may sleep. */
SYCLZE_INLINE void syclze__sycl_mutex_acquire(uint32_t *mutex) {
  uint32_t state = 0;
  if (SYCLZE__LIKELY(
          __atomic_compare_exchange_n(mutex, &state, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)))
    return;
  while (__atomic_exchange_n(mutex, 2, __ATOMIC_ACQUIRE) != 0)
    syclze__word_sleep(mutex, 2, SYCLZE__LOCK_SLEEP);
}

SYCLZE_INLINE void syclze__sycl_mutex_release(uint32_t *mutex) {
  if (SYCLZE__UNLIKELY(__atomic_exchange_n(mutex, 0, __ATOMIC_RELEASE) == 2))
    syclze__word_wake(mutex, 1);
}

SYCLZE_LOCAL void syclze__sycl_gate_destroy(struct syclze__sycl_entry *entry) {
  syclze__sycl_release(&entry->gate);
  if (entry->signalled != NULL) (void)SYCLZE__ZE(zeEventDestroy)(entry->signalled);
  if (entry->pool != NULL) (void)SYCLZE__ZE(zeEventPoolDestroy)(entry->pool);
  entry->signalled = NULL;
  entry->pool = NULL;
}

/* The owner's release. */
SYCLZE_LOCAL ze_result_t syclze__sycl_shared_end(void *data) {
  struct syclze__sycl_shared *shared = (struct syclze__sycl_shared *)data;
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__sycl_known_remove(&shared->entry);
  syclze__sycl_gate_destroy(&shared->entry);
  syclze__sycl_release_weak(&shared->entry.seen);
  syclze__sycl_release(&shared->entry.object);
  if (shared->destroy != NULL) result = shared->destroy(shared->native);
  free(shared);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__sycl_context_end(void *data) {
  struct syclze__sycl_context *shared = (struct syclze__sycl_context *)data;
  const ze_result_t result =
      shared->is_kept ? ZE_RESULT_SUCCESS : SYCLZE__ZE(zeContextDestroy)(shared->native);
  syclze__sycl_release_weak(&shared->weak);
  free(shared);
  return result;
}

SYCLZE_LOCAL syclze_object syclze__sycl_any(syclze_object_kind kind, void *rep) {
  syclze_object object;
  object.kind = kind;
  object.queue.rep = (struct syclze__queue *)rep; /* all members are one pointer */
  return object;
}

/* The owner of an object; `*shared` is null if it has none. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_shared_get(
    const struct syclze__sycl *sycl, syclze_object object, struct syclze__sycl_shared **shared) {
  const syclze_owner owner = syclze_object_get_owner(object);
  *shared = NULL;
  if (owner.release != NULL && owner.release != sycl->end)
    return syclze__invalid(
        "the object has an owner that is not SYCL's, or is of another shared object's syclze");
  *shared = (struct syclze__sycl_shared *)owner.data;
  return syclze__allowed();
}

/* Sets an owner with a reference to SYCL's object, which may have none. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_share(const struct syclze__sycl *sycl,
    syclze_object own, const struct syclze__sycl_object *object,
    struct syclze__sycl_shared **shared) {
  struct syclze__sycl_shared *made = (struct syclze__sycl_shared *)calloc(1, sizeof *made);
  if (made == NULL) return syclze__out_of_memory();
  const syclze_owner owner = {sycl->end, made};
  const ze_result_t result = syclze_object_set_owner(own, owner);
  if (result != ZE_RESULT_SUCCESS) {
    free(made);
    return syclze__status_of(result, "the owner could not be set");
  }
  made->entry.object = syclze__sycl_retain(object);
  *shared = made;
  return syclze__allowed();
}

/* Makes SYCL's object the owner of what was wrapped under keep, and releases the wrapper on
 * failure. `result` is that of the make. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_own(const struct syclze__sycl *sycl,
    ze_result_t result, syclze_object own, const void *object,
    struct syclze__sycl_shared **shared) {
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the native handle could not be wrapped");
  const struct syclze__status status =
      syclze__sycl_share(sycl, own, (const struct syclze__sycl_object *)object, shared);
  if (status.result != ZE_RESULT_SUCCESS) (void)syclze_object_release(own);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
