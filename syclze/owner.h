/**
 * @file
 * Owners: what ends the life of a native handle that another runtime shares.
 *
 *     #include "syclze/syclze.h"
 *     static ze_result_t drop(void *data) {
 *       free(data);
 *       return ZE_RESULT_SUCCESS;
 *     }
 *     static void share(syclze_queue queue) {
 *       const syclze_owner owner = {drop, malloc(64)};
 *       if (syclze_set_owner(queue, owner) != ZE_RESULT_SUCCESS) free(owner.data);
 *     }
 *
 * The last release of the object calls owner.release, once, in place of Level Zero's destroy, and
 * where a transferred handle would be destroyed: after the object's work and its children, before
 * it drops its own context or bundle. sycl.hpp is made of it.
 *
 * When: at any time while the caller holds a reference, once. An owner is neither replaced nor
 * removed. A kept kernel is given its owner before its first launch, because launches of kept
 * kernels are not counted.
 *
 * Ownership: from then on the handle is neither kept nor transferred, but the owner's: a queue
 * waits for its work in the background before it calls the owner, and a buffer or an image does not
 * block in its release, as with transfer. The library's own native events (syclze_event_create,
 * events of commands) and platforms and devices, which are never released, can have no owner.
 *
 * The callback runs with no lock of the library held, on the thread of the last release, or on one
 * of the library's threads if work had to be awaited. It may call the library, but not use the
 * object. A code that it returns is what the release returns, after a diagnostic; the object is
 * released anyway. It is not called in the child of a fork, nor for an object whose work cannot be
 * known to be done, as in a lost context: this one is never destroyed.
 *
 * With SYCLZE_CHECK a handle that has an owner counts as transferred: another transfer of it is
 * refused.
 *
 * Threads: any thread may call any function, with a reference of its own to the object. Of several
 * that set an owner the first one does, and the others fail.
 */
#ifndef SYCLZE_OWNER_H
#define SYCLZE_OWNER_H

#include "config.h"

SYCLZE_EXTERN_C_BEGIN

/** An owner of a native handle; without `release` it is none. */
typedef struct syclze_owner {
  ze_result_t (*release)(void *data); /* called once; what it returns is what the release returns */
  void *data;                         /* what it is called with; may be null */
} syclze_owner;

SYCLZE_EXTERN_C_END

#include "detail/objects/owner.h"

#endif
