/**
 * @file
 * The version of the library, and the feature-test macro of the backend.
 *
 * Two generations of this folder may be used in one program, in different source files: every
 * symbol that the files of a linked image share carries SYCLZE_ABI. One source file must not
 * include two of them.
 */
#ifdef SYCLZE_VERSION_H
#if SYCLZE_VERSION_MAJOR != 1 || SYCLZE_VERSION_MINOR != 0 || SYCLZE_VERSION_PATCH != 0
#error "syclze: one source file includes two versions of the library"
#endif
#else
#define SYCLZE_VERSION_H

#define SYCLZE_VERSION_MAJOR 1
#define SYCLZE_VERSION_MINOR 0
#define SYCLZE_VERSION_PATCH 0

/** Generation of the shared state's layout, and of the functions that use it. */
#define SYCLZE_ABI 3

/**
 * Feature-test macro of the Level-Zero backend: revision 5. The queue inputs of earlier revisions
 * are available under names of their own (queue.h).
 * @see Level-Zero backend 1
 */
#define SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO 5

#endif
