/* External semaphores: an opaque one is an eventfd that counts by ones, a timeline a file that
 * begins with its 64-bit value. */
#include "libcuda.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct CUextSemaphore_st {
  struct CUextSemaphore_st *older;
  int file;
  bool is_timeline, is_destroyed;
  unsigned uses; /* in streams */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUextSemaphore_st *newest; /* destroyed ones too */

/* The caller holds the lock. */
static void check(const char *call, CUexternalSemaphore semaphore) {
  const struct CUextSemaphore_st *found = newest;
  while (found && found != semaphore)
    found = found->older;
  if (!found) libcuda_broken("%s of what is no semaphore", call);
  if (found->is_destroyed) libcuda_broken("%s of a semaphore that was destroyed", call);
}

CUresult cuImportExternalSemaphore(
    CUexternalSemaphore *imported, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *desc) {
  const bool is_timeline = desc->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  struct stat status;
  libcuda_context("cuImportExternalSemaphore");
  if (desc->flags || (!is_timeline && desc->type != CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD))
    libcuda_broken("cuImportExternalSemaphore: flags, or another type");
  if (fstat(desc->handle.fd, &status)) return CUDA_ERROR_INVALID_VALUE;
  const bool is_file = S_ISREG(status.st_mode) && status.st_size >= (off_t)sizeof(uint64_t);
  const bool is_eventfd = (status.st_mode & S_IFMT) == 0;
  if (is_timeline ? !is_file : !is_eventfd) return CUDA_ERROR_INVALID_VALUE;
  struct CUextSemaphore_st *made = calloc(1, sizeof *made);
  if (!made) return CUDA_ERROR_OUT_OF_MEMORY;
  made->file = desc->handle.fd;
  made->is_timeline = is_timeline;
  pthread_mutex_lock(&lock);
  made->older = newest;
  newest = made;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_SEMAPHORES], 1, __ATOMIC_SEQ_CST);
  *imported = made;
  return CUDA_SUCCESS;
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore semaphore) {
  libcuda_context("cuDestroyExternalSemaphore");
  pthread_mutex_lock(&lock);
  check("cuDestroyExternalSemaphore", semaphore);
  if (semaphore->uses) libcuda_broken("cuDestroyExternalSemaphore of one that a stream uses");
  semaphore->is_destroyed = true;
  close(semaphore->file);
  pthread_mutex_unlock(&lock);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_SEMAPHORES], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

void libcuda_semaphore_begin(const char *call, CUexternalSemaphore semaphore) {
  pthread_mutex_lock(&lock);
  check(call, semaphore);
  semaphore->uses++;
  pthread_mutex_unlock(&lock);
}

static void end(CUexternalSemaphore semaphore) {
  pthread_mutex_lock(&lock);
  semaphore->uses--;
  pthread_mutex_unlock(&lock);
}

static uint64_t read_value(CUexternalSemaphore semaphore) {
  uint64_t value = 0;
  if (pread(semaphore->file, &value, sizeof value, 0) != (ssize_t)sizeof value)
    libcuda_broken("a timeline without a value");
  return value;
}

void libcuda_semaphore_signal(CUexternalSemaphore semaphore, uint64_t value) {
  const uint64_t one = 1;
  ssize_t written = (ssize_t)sizeof value;
  if (!semaphore->is_timeline)
    written = write(semaphore->file, &one, sizeof one);
  else if (read_value(semaphore) < value)
    written = pwrite(semaphore->file, &value, sizeof value, 0);
  if (written != (ssize_t)sizeof value) libcuda_broken("a semaphore that takes no signal");
  end(semaphore);
}

bool libcuda_semaphore_wait(CUexternalSemaphore semaphore, uint64_t value) {
  struct pollfd counter = {.fd = semaphore->file, .events = POLLIN};
  uint64_t taken;
  if (semaphore->is_timeline ? read_value(semaphore) < value : poll(&counter, 1, 0) != 1)
    return false;
  if (!semaphore->is_timeline &&
      read(semaphore->file, &taken, sizeof taken) != (ssize_t)sizeof taken)
    libcuda_broken("a semaphore that gives no signal");
  end(semaphore);
  return true;
}
