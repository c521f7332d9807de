/**
 * @file
 * The source of Level Zero's functions.
 *
 * By default a program links with Level Zero's loader, and does not need this header. A
 * program or library that must not link with it defines SYCLZE_LOADER_DYNAMIC, in every file that
 * includes the library: then Level Zero is called through a table. The first call fills it from
 * the loader that SYCLZE_LOADER names in the environment, else from SYCLZE_LOADER_NAME
 * ("libze_loader.so.1"; on Windows "ze_loader.dll"), which dlopen() or LoadLibrary() finds. An
 * application that has the functions already sets them instead, before the library's first call:
 *
 *     #define SYCLZE_LOADER_DYNAMIC
 *     #include <dlfcn.h>
 *     #include "syclze/syclze.h"
 *
 *     static syclze_loader_function find(const char *name, void *loader) {
 *       return (syclze_loader_function)dlsym(loader, name);
 *     }
 *     static ze_result_t use_loader(void *loader) {
 *       return syclze_loader_set(find, loader);
 *     }
 *
 * The program calls any function of Level Zero, also of zes, zet and zer, through the same table
 * without linking the loader: syclze_ze(zeDeviceGetProperties)(device, &properties), for all
 * functions that its headers declare. loader_names.h, included by name, has them under their own
 * names. loader_close.h closes the loader, for plugins.
 *
 * Without a loader each call that needs Level Zero returns ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE,
 * and a diagnostic has the system's message. A function that the loader lacks returns
 * ZE_RESULT_ERROR_UNSUPPORTED_FEATURE. The table belongs to the linked image, as the state does:
 * two images that vendor the library may use two loaders. It stays, and a loader that the library
 * opened stays open, until syclze_loader_close. Any thread may call any function.
 */
#ifndef SYCLZE_LOADER_H
#define SYCLZE_LOADER_H

#include "result.h"

/** The shared object to open if the environment has no SYCLZE_LOADER. */
#ifndef SYCLZE_LOADER_NAME
#ifdef _WIN32
#define SYCLZE_LOADER_NAME "ze_loader.dll"
#else
#define SYCLZE_LOADER_NAME "libze_loader.so.1"
#endif
#endif

SYCLZE_EXTERN_C_BEGIN

#ifdef SYCLZE_LOADER_DYNAMIC

/** A function of Level Zero, with any parameters. */
typedef void (*syclze_loader_function)(void);

/** Returns the function with the name, such as "zeInit", or null. */
typedef syclze_loader_function (*syclze_loader_find)(const char *name, void *user);

/**
 * Fills the table with functions of the application's.
 *
 * @param[in] find  Called for each function that the library may call, before this returns, and for
 *   those of newer loaders later; not null. It and the functions that it gives must stay callable.
 * @param[in] user  Passed to `find`; may be null. The caller owns it.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `find` is null.
 * - ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE: `find` returns no zeInit or no zeDriverGet.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the table.
 * - SYCLZE_RESULT_ERROR_INVALID: the table is filled already.
 * After an error the table is unchanged.
 * Threads: any.
 * @see Level Zero, loader; SYCL has no counterpart
 */
SYCLZE_COLD ze_result_t syclze_loader_set(syclze_loader_find find, void *user)
    SYCLZE_LINK_NAME(syclze_loader_set);

/**
 * Fills the table from a shared object.
 *
 * @param[in] name  As dlopen() or LoadLibrary() takes it; null for the default (see the head of
 * this file). Not kept.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE: it cannot be opened, or has no zeInit or zeDriverGet.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the table.
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the library opens no shared objects on the
 *   system (SYCLZE_HAS_DLSYM is 0).
 * - SYCLZE_RESULT_ERROR_INVALID: the table is filled already.
 * After an error the table is unchanged, and the shared object closed.
 * Threads: any.
 * @see Level Zero, loader; SYCL has no counterpart
 */
SYCLZE_COLD ze_result_t syclze_loader_open(const char *name) SYCLZE_LINK_NAME(syclze_loader_open);

/** A function of Level Zero through the table, of the type that its header declares; if the loader
 * lacks it, it returns an error. Used inside functions. Without SYCLZE_LOADER_DYNAMIC it is the
 * function itself. */
#define syclze_ze(name)                                                                            \
  ((__typeof__(*(name)) *)__extension__({                                                          \
    static struct syclze__loader_slot syclze__slot;                                                \
    syclze__loader_slot_get(&syclze__slot, #name);                                                 \
  }))
#else
#define syclze_ze(name) (name)
#endif

SYCLZE_EXTERN_C_END

#include "detail/driver/loader.h"

#endif
