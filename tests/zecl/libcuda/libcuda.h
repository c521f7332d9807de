/* A libcuda.so.1 of the tests' own. It runs no kernels, but copies, fills, writes of words, waits
 * and functions of the host in the order of their streams, each of which is a thread; and it checks
 * every call: handles that are not live, streams of another context than the thread's, memory that
 * is not CUDA's or was freed, arrays, their textures and surfaces, managed memory beyond what is
 * free. The first broken rule is printed, and ends the process by abort().
 *
 * A stream that is captured takes copies, fills and kernels into a graph, and no function of the host;
 * it is not asked, awaited or destroyed meanwhile. A graph runs what was recorded last first, unless
 * it depends on something else.
 *
 * A stream takes LIBCUDA_DEPTH operations; a call into a full one blocks, and for a second at most.
 *
 * Device memory has no access rights where the address says it is: its bytes are elsewhere. Native
 * kernels of some names do something with the address that they are given: zecl_clock writes the
 * time, as the engine's does; spin waits for a word that is not 0; groups adds one to the word of
 * that number of groups in x, and what it is launched with otherwise to the words behind 64 of
 * them: 1 for a cooperative launch; trap loses the device, for all streams, which take and run
 * nothing any more. */
#ifndef LIBCUDA_H
#define LIBCUDA_H

#include "engine/cuda/driver.h"
#include "libcuda/kinds.h"

#include <pthread.h>

/* Environment: devices (LIBCUDA_DEVICES, 1), megabytes of each (LIBCUDA_MEMORY, 8192), and a
 * command that is given a file of PTX as its last word, and fails where CUDA's assembler would
 * (LIBCUDA_PTXAS, none). */
enum { LIBCUDA_MAX_DEVICES = 8, LIBCUDA_DEPTH = 1000, LIBCUDA_PROCESSORS = 132 };

__attribute__((noreturn, format(printf, 1, 2))) void libcuda_broken(const char *format, ...);

/* The number of live objects of a kind. Tests find it by dlsym. */
__attribute__((visibility("default"))) long libcuda_live(enum libcuda_kind kind);
extern long libcuda_counts[LIBCUDA_KINDS];

struct CUctx_st {
  int device;
};

/* The context of the thread, or the end of the process. */
CUcontext libcuda_context(const char *call);

/* The bytes at an address. Ends the process if some are not of one allocation. */
char *libcuda_bytes(const char *call, CUdeviceptr address, size_t size);

/* The bytes at a reserved address; null if none is reserved. */
char *libcuda_mapped_bytes(const char *call, CUdeviceptr address, size_t size);
bool libcuda_is_mapped(CUdeviceptr address);

/* The bytes of a part of a row of an array. x and the width are in bytes. */
char *libcuda_array_row(
    const char *call, CUarray array, size_t x, size_t y, size_t z, size_t width);

/* External semaphores: a use is counted from the call to its end, which a destruction may not
 * precede. A wait that has not ended returns false. */
void libcuda_semaphore_begin(const char *call, CUexternalSemaphore semaphore);
void libcuda_semaphore_signal(CUexternalSemaphore semaphore, uint64_t value);
bool libcuda_semaphore_wait(CUexternalSemaphore semaphore, uint64_t value);

CUdeviceptr libcuda_allocate(enum libcuda_kind kind, int device, size_t size);
void libcuda_release(const char *call, enum libcuda_kind kind, CUdeviceptr address);

/* Waits until no stream has work, which frees do; the end of the process if that takes too long. */
void libcuda_wait_for_all(const char *call);

/* A kernel of a loaded library. */
struct CUkern_st {
  struct CUlib_st *library;
  struct CUkern_st *next;
  char *name;
  unsigned parameter_count, parameter_sizes[256];
  int dynamic_limit; /* bytes of shared memory that a launch may ask for */
};

struct CUkern_st *libcuda_kernel(const char *call, const void *handle);

#define LIBCUDA_EXPORT __attribute__((visibility("default")))

/* The prototypes of all functions, so that a definition of another type does not compile. */
#define LIBCUDA_DECLARE(name, symbol, parameters) LIBCUDA_EXPORT CUresult symbol parameters;
ZECL_CUDA_FUNCTIONS(LIBCUDA_DECLARE)
ZECL_CUDA_GRAPH_FUNCTIONS(LIBCUDA_DECLARE)
#undef LIBCUDA_DECLARE

#endif
