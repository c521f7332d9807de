/* The functions of zlib and zstd, found at run time if the libraries are installed. */
#ifndef SYCLZE_OFFLOAD_DETAIL_COMPRESSION_H
#define SYCLZE_OFFLOAD_DETAIL_COMPRESSION_H

#include "../../detail/driver/shared_library.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

/* Names with the version of the ABI; tests define others. */
#ifndef SYCLZE__ZLIB_LIBRARY
#ifdef __APPLE__
#define SYCLZE__ZLIB_LIBRARY "libz.1.dylib"
#define SYCLZE__ZSTD_LIBRARY "libzstd.1.dylib"
#elif defined(_WIN32)
#define SYCLZE__ZLIB_LIBRARY "zlib1.dll"
#define SYCLZE__ZSTD_LIBRARY "libzstd.dll"
#else
#define SYCLZE__ZLIB_LIBRARY "libz.so.1"
#define SYCLZE__ZSTD_LIBRARY "libzstd.so.1"
#endif
#endif

#define SYCLZE__ZLIB_MISSING "compressed with zlib, and libz is not installed"
#define SYCLZE__ZSTD_MISSING "compressed with zstd, and libzstd is not installed"

/* The functions of zlib, then of zstd. Their types are declared here, so that the headers of the
 * libraries are not needed. */
struct syclze__zlib {
  unsigned long (*bound)(unsigned long);
  int (*deflate)(uint8_t *, unsigned long *, const uint8_t *, unsigned long, int);
  int (*inflate)(uint8_t *, unsigned long *, const uint8_t *, unsigned long);
};

struct syclze__zstd {
  size_t (*bound)(size_t);
  size_t (*deflate)(void *, size_t, const void *, size_t, int);
  size_t (*inflate)(void *, size_t, const void *, size_t);
  unsigned (*is_error)(size_t);
  unsigned long long (*content_size)(const void *, size_t);
};

#if SYCLZE__BODIES

#define SYCLZE__ZSTD_SIZE_UNKNOWN (0ull - 1)
#define SYCLZE__ZSTD_SIZE_ERROR (0ull - 2)

/* Finds functions by their names, into an array of pointers; false if one is missing. The library
 * stays open: `opened` is null before the first call, and its own address without a library. */
SYCLZE_LOCAL bool syclze__library_functions(
    const char *library, void **opened, const char *const *names, size_t count, void *functions) {
#if SYCLZE_HAS_DLSYM
  void *handle = __atomic_load_n(opened, __ATOMIC_ACQUIRE);
  if (handle == NULL) {
    handle = syclze__library_open(library);
    if (handle == NULL) handle = (void *)opened;
    __atomic_store_n(opened, handle, __ATOMIC_RELEASE);
  }
  for (size_t i = 0; i < count; i++) {
    void *address = handle != (void *)opened ? syclze__library_find(handle, names[i]) : NULL;
    if (address == NULL) return false;
    memcpy((char *)functions + i * sizeof address, &address, sizeof address);
  }
  return true;
#else
  (void)library, (void)opened, (void)names, (void)count, (void)functions;
  return false;
#endif
}

SYCLZE_LOCAL bool syclze__zlib_find(struct syclze__zlib *zlib) {
  static const char *const names[] = {"compressBound", "compress2", "uncompress"};
  static void *library;
  memset(zlib, 0, sizeof *zlib);
  return syclze__library_functions(SYCLZE__ZLIB_LIBRARY, &library, names, 3, zlib);
}

SYCLZE_LOCAL bool syclze__zstd_find(struct syclze__zstd *zstd) {
  static const char *const names[] = {"ZSTD_compressBound", "ZSTD_compress", "ZSTD_decompress",
      "ZSTD_isError", "ZSTD_getFrameContentSize"};
  static void *library;
  memset(zstd, 0, sizeof *zstd);
  return syclze__library_functions(SYCLZE__ZSTD_LIBRARY, &library, names, 5, zstd);
}

#endif

SYCLZE_EXTERN_C_END

#endif
