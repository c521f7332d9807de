/**
 * @file
 * Level Zero's header, capabilities of the compiler and the system, and linkage.
 *
 * Every SYCLZE_HAS_* macro may be defined by the program before the first include.
 *
 * By default each source file gets only the functions that it uses: they are static in C, and
 * inline in C++. A program of many files may define SYCLZE_DECLARATIONS in all of them, and include
 * implementation.h, before any other header of syclze, in exactly one:
 *
 *     #include "syclze/implementation.h"
 *
 * Then the functions that are not inlined exist once, in that file's object, hidden from other
 * linked images. Files with and without SYCLZE_DECLARATIONS may be linked into one program. Only
 * the state (detail/state.h) is shared.
 */
#ifndef SYCLZE_CONFIG_H
#define SYCLZE_CONFIG_H

#include "version.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

/* The include of a file that does not exist ends the compilation, which #error does not. */
#if !defined(__GNUC__) && !defined(__clang__)
#error "syclze: a compiler with GNU C's atomics and attributes is needed (GCC, Clang, clang-cl)"
#include "syclze: a compiler with GNU C's atomics and attributes is needed"
#elif defined(__cplusplus) ? __cplusplus < 201103L : __STDC_VERSION__ < 201112L
#error "syclze: C11 or C++11 is needed"
#include "syclze: C11 or C++11 is needed"
#endif

/* Under a sanitizer that checks memory each object is an allocation, so that a use after release is
 * detected, and threads keep no free ones. */
#ifndef SYCLZE_HAS_POOLS
#if defined(__SANITIZE_ADDRESS__)
#define SYCLZE_HAS_POOLS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SYCLZE_HAS_POOLS 0
#endif
#endif
#endif
#ifndef SYCLZE_HAS_POOLS
#define SYCLZE_HAS_POOLS 1
#endif

/* One thread-local pointer for each linked image (detail/thread_pointer.h). */
#if defined(__linux__) && defined(__LP64__) && defined(__ELF__)
#define SYCLZE__HAS_THREAD_POINTER 1
#else
#define SYCLZE__HAS_THREAD_POINTER 0
#endif

/* Per-thread caches (detail/memory/thread_cache.h). */
#ifndef SYCLZE_HAS_THREAD_CACHE
#if SYCLZE__HAS_THREAD_POINTER
#define SYCLZE_HAS_THREAD_CACHE SYCLZE_HAS_POOLS
#else
#define SYCLZE_HAS_THREAD_CACHE 0
#endif
#endif

/* ThreadSanitizer does not see that a thread's end precedes what another one does. */
#if defined(__SANITIZE_THREAD__)
#define SYCLZE__SEES_ENDS_OF_THREADS 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SYCLZE__SEES_ENDS_OF_THREADS 0
#endif
#endif
#ifndef SYCLZE__SEES_ENDS_OF_THREADS
#define SYCLZE__SEES_ENDS_OF_THREADS 1
#endif

/* Entry points that older loaders lack are looked up by name at run time: by dlsym, or
 * GetProcAddress of 64-bit Windows. */
#ifndef SYCLZE_HAS_DLSYM
#if defined(_WIN32) && !defined(_WIN64)
#define SYCLZE_HAS_DLSYM 0
#else
#define SYCLZE_HAS_DLSYM 1
#endif
#endif

/* Trace points of SYCL's framework (detail/trace_hooks.h). */
#ifndef XPTI_ENABLE_INSTRUMENTATION
#define XPTI_ENABLE_INSTRUMENTATION SYCLZE_HAS_DLSYM
#endif

/* A file with the bodies of some headers leaves a module of several files with undefined symbols,
 * which its linker accepts. */
#if defined(SYCLZE_IMPLEMENTATION) && !defined(SYCLZE__ALL_BODIES)
#error "syclze: the file with the bodies must include syclze/implementation.h, before other headers"
#include "syclze: the file with the bodies must include syclze/implementation.h"
#endif
#if defined(SYCLZE_IMPLEMENTATION) && !defined(SYCLZE_DECLARATIONS)
#define SYCLZE_DECLARATIONS
#endif
/* 1 if this file gets the bodies of functions that are not inlined. */
#if defined(SYCLZE_DECLARATIONS) && !defined(SYCLZE_IMPLEMENTATION)
#define SYCLZE__BODIES 0
#else
#define SYCLZE__BODIES 1
#endif

/* 1 if the library checks its own invariants: locks that functions need, their order
 * (detail/sync/rank.h), and states before a transition. For its own tests; a violation is reported
 * and ends the program. */
#ifndef SYCLZE__INVARIANTS
#define SYCLZE__INVARIANTS 0
#endif

/* Clang's -Wthread-safety then finds paths through a function that leave a lock held. */
#if SYCLZE__INVARIANTS && defined(__clang__)
#define SYCLZE__LOCKABLE(name) __attribute__((capability(name)))
#define SYCLZE__ACQUIRES(lock) __attribute__((acquire_capability(lock)))
#define SYCLZE__ACQUIRES_IF(result, lock) __attribute__((try_acquire_capability(result, lock)))
#define SYCLZE__RELEASES(lock) __attribute__((release_capability(lock)))
#define SYCLZE__ASSERTS(lock) __attribute__((assert_capability(lock)))
#define SYCLZE__LOCKS_UNSEEN __attribute__((no_thread_safety_analysis))
#else
#define SYCLZE__LOCKABLE(name)
#define SYCLZE__ACQUIRES(lock)
#define SYCLZE__ACQUIRES_IF(result, lock)
#define SYCLZE__RELEASES(lock)
#define SYCLZE__ASSERTS(lock)
#define SYCLZE__LOCKS_UNSEEN
#endif

/* Part of each link name: functions differ between generations, between files with and without the
 * debug checker (check.h), between files with and without trace points, and between files with and
 * without invariants. */
#if defined(SYCLZE_CHECK) && XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__VARIANT_POINTS c
#elif defined(SYCLZE_CHECK)
#define SYCLZE__VARIANT_POINTS cn
#elif XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__VARIANT_POINTS
#else
#define SYCLZE__VARIANT_POINTS n
#endif
#define SYCLZE__VARIANT_ADD(variant, letter) SYCLZE__VARIANT_ADD_(variant, letter)
#define SYCLZE__VARIANT_ADD_(variant, letter) variant##letter
#if SYCLZE__INVARIANTS
#define SYCLZE__VARIANT_CHECKS SYCLZE__VARIANT_ADD(SYCLZE__VARIANT_POINTS, i)
#else
#define SYCLZE__VARIANT_CHECKS SYCLZE__VARIANT_POINTS
#endif
#ifdef SYCLZE_LOADER_DYNAMIC
#define SYCLZE__VARIANT SYCLZE__VARIANT_ADD(SYCLZE__VARIANT_CHECKS, d)
#else
#define SYCLZE__VARIANT SYCLZE__VARIANT_CHECKS
#endif
#define SYCLZE__SUFFIX(abi, variant) SYCLZE__SUFFIX_(abi, variant)
#define SYCLZE__SUFFIX_(abi, variant) "v" #abi #variant

/* Hot paths. Without the attribute compilers emit calls, because cold functions call them too: the
 * call would be most of the cost of a make. */
#define SYCLZE_INLINE static inline __attribute__((always_inline))

/* Functions off the hot path:
 * - SYCLZE_COLD, and SYCLZE_WARM for those that run often where they run at all: public, or called
 *   by inlined functions. Each is declared once with SYCLZE_LINK_NAME outside `#if SYCLZE__BODIES`.
 * - SYCLZE_LOCAL and SYCLZE_LOCAL_WARM: called by the former only; need no declaration. */
#ifdef _WIN32
/* Symbols of a PE image are its own unless they are exported. */
#define SYCLZE__HIDDEN
#else
#define SYCLZE__HIDDEN __attribute__((visibility("hidden")))
#endif
#ifdef SYCLZE_DECLARATIONS
#define SYCLZE_COLD SYCLZE__HIDDEN __attribute__((cold))
#define SYCLZE_WARM SYCLZE__HIDDEN
#define SYCLZE_LOCAL static __attribute__((unused, noinline, cold))
#define SYCLZE_LOCAL_WARM static __attribute__((unused, noinline))
#define SYCLZE_LINK_NAME(name)                                                                     \
  SYCLZE__LINK_NAME(__USER_LABEL_PREFIX__, name, SYCLZE_ABI, SYCLZE__VARIANT)
#define SYCLZE__LINK_NAME(prefix, name, abi, variant) SYCLZE__LINK_NAME_(prefix, name, abi, variant)
#define SYCLZE__LINK_NAME_(prefix, name, abi, variant) __asm__(#prefix #name "_v" #abi #variant)
#else
/* Names of MSVC's C++ carry no tag of the variant. */
#if defined(__cplusplus) && !defined(_MSC_VER)
#define SYCLZE__INLINE_ONCE                                                                        \
  inline SYCLZE__HIDDEN                                                                            \
      __attribute__((abi_tag("syclze_" SYCLZE__SUFFIX(SYCLZE_ABI, SYCLZE__VARIANT))))
#define SYCLZE_COLD SYCLZE__INLINE_ONCE __attribute__((cold))
#define SYCLZE_WARM SYCLZE__INLINE_ONCE
#elif defined(__OPTIMIZE__)
#define SYCLZE_COLD static __attribute__((unused, noinline, cold))
#define SYCLZE_WARM static __attribute__((unused, noinline))
#else
/* Without optimisation GCC emits unused static functions, except inline ones. */
#define SYCLZE_COLD static inline __attribute__((unused, cold))
#define SYCLZE_WARM static inline __attribute__((unused))
#endif
#define SYCLZE_LOCAL SYCLZE_COLD
#define SYCLZE_LOCAL_WARM SYCLZE_WARM
#define SYCLZE_LINK_NAME(name)
#endif

/* Functions that GCC takes for cold. Clang would inline more into them. */
#ifdef __clang__
#define SYCLZE__HOT
#else
#define SYCLZE__HOT __attribute__((hot))
#endif

/* A function of Level Zero, as the library calls it: through a table with SYCLZE_LOADER_DYNAMIC
 * (loader.h), else by name, in parentheses so that macros of these names do not apply (check.h). */
#ifdef SYCLZE_LOADER_DYNAMIC
#define SYCLZE__ZE(function) (syclze__loader_table()->p_##function)
#else
#define SYCLZE__ZE(function) (function)
#endif

/* Declares a struct of zeros; {0} and {} each warn in one of the languages. */
#define SYCLZE__ZEROED(struct_type, name)                                                          \
  struct_type name;                                                                                \
  memset(&name, 0, sizeof name)

/* Declares a struct of Level Zero with its ze_structure_type_t; all else is zero. */
#define SYCLZE__ZE_STRUCT(struct_type, name, of_type)                                              \
  SYCLZE__ZEROED(struct_type, name);                                                               \
  name.stype = ZE_STRUCTURE_TYPE_##of_type

#define SYCLZE__LIKELY(condition) __builtin_expect(!!(condition), 1)
#define SYCLZE__UNLIKELY(condition) __builtin_expect(!!(condition), 0)

/* One implementation serves files in C and in C++. */
#if defined(__cplusplus) && defined(SYCLZE_DECLARATIONS)
#define SYCLZE_EXTERN_C_BEGIN extern "C" {
#define SYCLZE_EXTERN_C_END }
#elif defined(__cplusplus)
#define SYCLZE_EXTERN_C_BEGIN
#define SYCLZE_EXTERN_C_END
#else
/* Programs that keep to C90's order of declarations warn of C11's elsewhere. */
#define SYCLZE_EXTERN_C_BEGIN                                                                      \
  _Pragma("GCC diagnostic push")                                                                   \
      _Pragma("GCC diagnostic ignored \"-Wdeclaration-after-statement\"")
#define SYCLZE_EXTERN_C_END _Pragma("GCC diagnostic pop")
#endif

#endif
