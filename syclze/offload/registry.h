/**
 * @file
 * Images that compilers register with the program when it starts, and images that a program
 * registers itself.
 *
 *     if (syclze_register_image(syclze_bytes_of(file, file_size)) == ZE_RESULT_SUCCESS)
 *       syclze_unregister_image(syclze_bytes_of(file, file_size));
 *
 * A program that is compiled with `clang++ -fsycl` calls __sycl_register_lib before main, and
 * __sycl_unregister_lib at its end. One file of it, in C or C++, defines them outside of any
 * function:
 *
 *     #include "syclze/offload/registry.h"
 *     SYCLZE_DEFINE_SYCL_REGISTER
 *
 * From then on its kernels are in syclze_offload_registered(), the default of programs (program.h).
 * Ownership: registered bytes and descriptors must stay in memory until they are unregistered. A
 * malformed descriptor registers nothing, and notifies the diagnostic handler, if there is one by
 * then. Threads: any. In the child of a fork (platform.h) nothing is registered or removed.
 */
#ifndef SYCLZE_OFFLOAD_REGISTRY_H
#define SYCLZE_OFFLOAD_REGISTRY_H

#include "embed.h"
#include "image_set.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Registers the images of a file's bytes. Registering the same bytes again is counted.
 *
 * @param[in] bytes  may be any bytes; their address is the key for their removal, and may be null
 *   if they are empty.
 * The caller keeps the bytes.
 * @return as syclze_offload_set_add_bytes; ZE_RESULT_ERROR_UNINITIALIZED in the child of a fork.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_register_image(syclze_bytes bytes)
    SYCLZE_LINK_NAME(syclze_register_image);

/**
 * Removes a registration of the same bytes; the last removal removes the images, as
 * syclze_offload_set_remove.
 *
 * @param[in] bytes  as they were registered, the caller's; only their address is read. May be null.
 * @return the number of images removed.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD uint32_t syclze_unregister_image(syclze_bytes bytes)
    SYCLZE_LINK_NAME(syclze_unregister_image);

#ifdef __ELF__
/**
 * Registers the images that are embedded in the caller's program or shared object (embed.h).
 *
 * @return as syclze_register_image.
 * Threads: as the head of this file.
 * @see offload design, SYCL runtime
 */
SYCLZE_INLINE ze_result_t syclze_register_embedded(void);
#endif

/**
 * Registers the argument of __sycl_register_lib, counted like bytes, in each form that compilers
 * write: an Offload Binary and its size (clang 23); a descriptor (clang 22, DPC++).
 *
 * @param[in] descriptor  the caller's; not null; the pointers in it are trusted.
 * @param[in] size  in bytes, of an Offload Binary; not read for a descriptor.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `descriptor` is null
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: an unknown version
 * - the errors of syclze_register_image
 * @see offload design, Generation of wrapped object
 */
SYCLZE_COLD ze_result_t syclze_register_descriptor(const void *descriptor, size_t size)
    SYCLZE_LINK_NAME(syclze_register_descriptor);

/**
 * Removes a registration of the argument of __sycl_unregister_lib, as syclze_unregister_image.
 *
 * @param[in] descriptor  as it was registered, the caller's; only the address is read. May be null.
 * @return the number of images removed.
 * @see offload design, Generation of wrapped object
 */
SYCLZE_COLD uint32_t syclze_unregister_descriptor(const void *descriptor)
    SYCLZE_LINK_NAME(syclze_unregister_descriptor);

/** Defines __sycl_register_lib and __sycl_unregister_lib. Older compilers pass one argument, newer
 * ones two: the first one's target distinguishes them. */
#define SYCLZE_DEFINE_SYCL_REGISTER                                                                \
  SYCLZE_EXTERN_C_BEGIN                                                                            \
  void __sycl_register_lib(const void *, size_t);                                                  \
  void __sycl_unregister_lib(const void *, size_t);                                                \
  void __sycl_register_lib(const void *descriptor, size_t size) {                                  \
    syclze_register_descriptor(descriptor, size);                                                  \
  }                                                                                                \
  void __sycl_unregister_lib(const void *descriptor, size_t size) {                                \
    (void)size;                                                                                    \
    syclze_unregister_descriptor(descriptor);                                                      \
  }                                                                                                \
  SYCLZE_EXTERN_C_END

SYCLZE_EXTERN_C_END

#include "detail/registry.h"

#endif
