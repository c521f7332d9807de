/* What every zecl handle begins with. A handle is a pointer to a struct whose first member is a
 * zecl_object; the kind tells a driver from an event, and a destroyed handle from a live one. */
#ifndef ZECL_OBJECT_H
#define ZECL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

enum zecl_kind {
  ZECL_DEAD = 0, /* destroyed, or never a handle of ours */
  ZECL_DRIVER = 0x5a454331,
  ZECL_DEVICE,
  ZECL_CONTEXT,
  ZECL_EVENT_POOL,
  ZECL_EVENT,
  ZECL_FENCE,
  ZECL_QUEUE,
  ZECL_LIST,
  ZECL_MODULE,
  ZECL_BUILD_LOG,
  ZECL_KERNEL,
  ZECL_IMAGE,
  ZECL_SAMPLER
};

struct zecl_object {
  _Atomic(enum zecl_kind) kind;
  atomic_uint references; /* the handle's own and one for each piece of work in flight */
};

#endif
