/* Includes Level Zero, and settles what the compiler and the system can do.
 *
 * Every SYCLZE_HAS_* macro may be set by the program before the first include. */
#ifndef SYCLZE_CONFIG_H
#define SYCLZE_CONFIG_H

#include "version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

#if !defined(__GNUC__)
#error "syclze: a compiler with GNU C's atomics and attributes is needed (GCC, Clang)"
#elif defined(__cplusplus) ? __cplusplus < 201103L : __STDC_VERSION__ < 201112L
#error "syclze: C11 or C++11 is needed"
#endif

/* Under a sanitizer that watches memory every object is an allocation of its own, so that a use
 * after release is seen. */
#ifndef SYCLZE_HAS_POOLS
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SYCLZE_HAS_POOLS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define SYCLZE_HAS_POOLS 0
#endif
#endif
#endif
#ifndef SYCLZE_HAS_POOLS
#define SYCLZE_HAS_POOLS 1
#endif

/* Entry points that the loader may lack are looked up by name at run time. */
#ifndef SYCLZE_HAS_DLSYM
#ifdef _WIN32
#define SYCLZE_HAS_DLSYM 0
#else
#define SYCLZE_HAS_DLSYM 1
#endif
#endif

/* Trace points of SYCL's framework (detail/trace_hooks.h). */
#ifndef XPTI_ENABLE_INSTRUMENTATION
#define XPTI_ENABLE_INSTRUMENTATION SYCLZE_HAS_DLSYM
#endif

/* Hot paths. Left to itself the compiler calls them, since cold functions of the headers call them
 * too: most of what a make costs would be the call. */
#define SYCLZE_INLINE static inline __attribute__((always_inline))

/* Long functions off the hot path: one copy in a linked image, seen by no other image. Each is
 * declared once with SYCLZE_LINK_NAME, so that two generations in one image stay apart. Warm ones
 * run often where they run at all, and are made for speed. */
#ifdef _WIN32
#define SYCLZE_COLD static __attribute__((unused, noinline, cold))
#define SYCLZE_WARM static __attribute__((unused, noinline))
#define SYCLZE_LINK_NAME(name)
#else
#ifdef __cplusplus
#define SYCLZE_COLD inline __attribute__((visibility("hidden"), cold))
#define SYCLZE_WARM inline __attribute__((visibility("hidden")))
#else
#define SYCLZE_COLD __attribute__((weak, visibility("hidden"), noinline, cold))
#define SYCLZE_WARM __attribute__((weak, visibility("hidden"), noinline))
#endif
/* Files with and without the debug checker (check.h) stay apart too, and those without trace
 * points. */
#if defined(SYCLZE_CHECK) && XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__VARIANT c
#elif defined(SYCLZE_CHECK)
#define SYCLZE__VARIANT cn
#elif XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__VARIANT
#else
#define SYCLZE__VARIANT n
#endif
#define SYCLZE_LINK_NAME(name)                                                                     \
  SYCLZE__LINK_NAME(__USER_LABEL_PREFIX__, name, SYCLZE_ABI, SYCLZE__VARIANT)
#define SYCLZE__LINK_NAME(prefix, name, abi, variant) SYCLZE__LINK_NAME_(prefix, name, abi, variant)
#define SYCLZE__LINK_NAME_(prefix, name, abi, variant) __asm__(#prefix #name "_v" #abi #variant)
#endif

#define SYCLZE__LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SYCLZE__UNLIKELY(condition) __builtin_expect(!!(condition), 0)

#ifdef __cplusplus
#define SYCLZE_EXTERN_C_BEGIN extern "C" {
#define SYCLZE_EXTERN_C_END }
#else
#define SYCLZE_EXTERN_C_BEGIN
#define SYCLZE_EXTERN_C_END
#endif

#endif
