/**
 * @file
 * Owners: callbacks that destroy native handles shared with another runtime.
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
 * The last release of the object calls owner.release, once, in place of Level Zero's destroy: after
 * the object's work and its children, before it drops its own context or bundle. sycl.hpp uses it.
 *
 * When: once, at any time while the caller holds a reference. An owner cannot be replaced or
 * removed. A kept kernel must get its owner before its first launch, because launches of kept
 * kernels are not counted.
 *
 * Ownership: from then on the handle is the owner's. As with transfer, a queue waits for its work
 * in the background before it calls the owner, and a release of a buffer or an image does not
 * block. The library's own native events (syclze_event_create, events of commands), and platforms
 * and devices, which are never released, cannot have an owner.
 *
 * The callback runs with no lock of the library held, on the thread of the last release, or on one
 * of the library's threads if work had to be awaited. It may call the library, but not use the
 * object. The release returns its error, after a diagnostic; the object is released anyway. It is
 * not called in the child of a fork, nor for an object if the completion of its work is unknown, as
 * in a lost context: such an object is never destroyed.
 *
 * With SYCLZE_CHECK a handle with an owner counts as transferred: another transfer is refused.
 *
 * Threads: any thread may call any function, with a reference of its own to the object. If several
 * set an owner, the first one succeeds, and the others fail.
 */
#ifndef SYCLZE_OWNER_H
#define SYCLZE_OWNER_H

#include "config.h"

SYCLZE_EXTERN_C_BEGIN

/** An owner of a native handle; none without `release`. */
typedef struct syclze_owner {
  ze_result_t (*release)(void *data); /* called once; the object's release returns its result */
  void *data;                         /* its argument; may be null */
} syclze_owner;

SYCLZE_EXTERN_C_END

#include "detail/objects/owner.h"

#endif
