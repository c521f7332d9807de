/* Body of embed.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_EMBED_H
#define SYCLZE_OFFLOAD_DETAIL_EMBED_H

#include "../embed.h"

#ifdef __ELF__

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_offload_file_cursor syclze_embedded_images(void) {
  size_t size = (size_t)((uintptr_t)syclze__embedded_end - (uintptr_t)syclze__embedded_begin);
  return syclze__offload_file_begin_section(
      syclze_bytes_of(syclze__embedded_begin, size), "sycl_images");
}

SYCLZE_EXTERN_C_END

#endif

#endif
