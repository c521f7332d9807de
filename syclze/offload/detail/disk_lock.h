/* One build of an entry at a time among processes: a file beside the entry, locked while it is
 * built. Without such a lock, each process builds. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DISK_LOCK_H
#define SYCLZE_OFFLOAD_DETAIL_DISK_LOCK_H

#include "../../detail/sync/lock.h"
#include "disk_cache.h"

#ifndef _WIN32
#include <sys/file.h>
#endif

SYCLZE_EXTERN_C_BEGIN

struct syclze__disk_lock {
  int file; /* -1: none */
  char *path;
};

#if SYCLZE__BODIES

enum {
  SYCLZE__DISK_NAP = 2000000,           /* nanoseconds, the longest is 32 times as long */
  SYCLZE__DISK_PATIENCE = 2 * 60 * 1000 /* milliseconds, for a process that is stopped */
};

/* Waits for another process that builds the entry. Once that process has ended its build, no lock
 * is needed: it stored the entry, or could not, and those that waited must not build in turn. */
SYCLZE_LOCAL struct syclze__disk_lock syclze__disk_lock_acquire(
    const char *folder, syclze_bytes key) {
  struct syclze__disk_lock lock = {-1, NULL};
#ifndef _WIN32
  struct stat properties;
  uint32_t none = 0;
  long nap = SYCLZE__DISK_NAP, left = SYCLZE__DISK_PATIENCE;
  bool is_locked = false;
  lock.path = syclze__disk_path(folder, key, ".lock");
  if (lock.path == NULL) return lock;
  lock.file = syclze__own_file_lockable(lock.path);
  if (lock.file < 0) {
    syclze__disk_make_folder(folder);
    lock.file = syclze__own_file_lockable(lock.path);
  }
  while (lock.file >= 0 && !(is_locked = flock(lock.file, LOCK_EX | LOCK_NB) == 0) &&
         errno == EWOULDBLOCK && left > 0) {
    syclze__word_sleep(&none, 0, nap);
    left -= nap / 1000000;
    if (nap < 32 * SYCLZE__DISK_NAP) nap *= 2;
  }
  if (lock.file >= 0 &&
      (!is_locked || (fstat(lock.file, &properties) == 0 && properties.st_nlink == 0))) {
    close(lock.file);
    lock.file = -1;
  }
#else
  (void)folder, (void)key;
#endif
  return lock;
}

/* Removes the file before it unlocks it, so that no file remains. A child that the program forked
 * meanwhile also has the open file, and would keep it locked. */
SYCLZE_LOCAL void syclze__disk_lock_release(const struct syclze__disk_lock *lock) {
#ifndef _WIN32
  if (lock->file >= 0) {
    remove(lock->path);
    flock(lock->file, LOCK_UN);
    close(lock->file);
  }
#endif
  free(lock->path);
}

#endif

SYCLZE_EXTERN_C_END

#endif
