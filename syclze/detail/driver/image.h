/* Linked images that may be closed, such as plugins.
 *
 * An image may attach records to objects of other images, such as the state of a queue or the
 * access of a memory object. They refer to functions and pools of the image, so it stays loaded
 * from then on: dlclose does not unmap it, and a later dlopen finds it unchanged. An image that
 * used only its own objects is unmapped by dlclose. */
#ifndef SYCLZE_DETAIL_DRIVER_IMAGE_H
#define SYCLZE_DETAIL_DRIVER_IMAGE_H

#include "../memory/pool.h"

#if SYCLZE_HAS_DLSYM && !defined(_WIN32)
#include <dlfcn.h>
#endif

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#if SYCLZE_HAS_DLSYM && !defined(_WIN32)
/* Dl_info, and dladdr under another name: strict C modes do not declare them. */
struct syclze__image_info {
  const char *path;
  void *base;
  const char *symbol;
  void *address;
};

extern int syclze__dladdr(const void *address, struct syclze__image_info *info) __asm__("dladdr");

/* Keeps the linked image loaded. No lock of the library is held: a thread that holds the dynamic
 * linker's lock may wait for it. */
SYCLZE_LOCAL void syclze__image_stay(void) {
  struct syclze__image_info info;
  const int no_delete = 0x1000 /* RTLD_NODELETE */, loaded = 0x4 /* RTLD_NOLOAD */;
  if (__atomic_exchange_n(&SYCLZE__STATE.stays, 1, __ATOMIC_RELAXED) != 0) return;
  if (syclze__dladdr(&SYCLZE__STATE, &info) == 0 || info.path == NULL) return;
  void *image = dlopen(info.path, RTLD_LAZY | no_delete | loaded);
  if (image != NULL) dlclose(image);
}
#else
#define syclze__image_stay() ((void)0)
#endif

/* Keeps the image loaded if the object is another image's. */
SYCLZE_INLINE void syclze__image_attach(const struct syclze__slot *slot) {
  if (SYCLZE__LIKELY(syclze__pool_offset(slot->pool) < sizeof SYCLZE__STATE.pools)) return;
  if (SYCLZE__UNLIKELY(__atomic_load_n(&SYCLZE__STATE.stays, __ATOMIC_RELAXED) == 0))
    syclze__image_stay();
}

#endif

SYCLZE_EXTERN_C_END

#endif
