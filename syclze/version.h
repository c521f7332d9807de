/* The version of the library, and the macro by which a program tests for the backend.
 *
 * Two generations of this folder may live in one program, each in files of its own: whatever is
 * shared by the files of a linked image carries SYCLZE_ABI in its symbol. In one file they may not
 * meet. */
#ifdef SYCLZE_VERSION_H
#if SYCLZE_VERSION_MAJOR != 0 || SYCLZE_VERSION_MINOR != 1 || SYCLZE_VERSION_PATCH != 0
#error "syclze: two versions of the library are included in one file"
#endif
#else
#define SYCLZE_VERSION_H

#define SYCLZE_VERSION_MAJOR 0
#define SYCLZE_VERSION_MINOR 1
#define SYCLZE_VERSION_PATCH 0

/* Generation of the shared state's layout and of the functions that work on it. */
#define SYCLZE_ABI 1

/* Feature-test macro of the Level-Zero backend specification (section 1): its revision 5. The queue
 * inputs of earlier revisions are there too, by names of their own. */
#define SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO 5

#endif
