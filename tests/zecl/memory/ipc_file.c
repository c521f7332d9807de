/* The files of shared memory are sealed: none can shrink under those that map it. */
#include "memory/ipc_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int zecl_ipc_file_new(size_t size, int seals) {
  const int made = memfd_create("zecl", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (made >= 0 && ftruncate(made, (off_t)size) == 0 &&
      fcntl(made, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL | seals) == 0)
    return made;
  if (made >= 0) close(made);
  return -1;
}

/* A file of this driver, by its link in /proc, before it is opened: opening another may block, or
 * have effects. */
static bool is_named_ours(const char *path) {
  char link[64];
  const ssize_t length = readlink(path, link, sizeof link);
  static const char ours[] = "/memfd:zecl ";
  return length >= (ssize_t)sizeof ours - 1 && memcmp(link, ours, sizeof ours - 1) == 0;
}

static bool is_ours(int candidate) {
  char path[64];
  const int wanted = F_SEAL_SHRINK | F_SEAL_SEAL;
  snprintf(path, sizeof path, "/proc/self/fd/%d", candidate);
  return candidate >= 0 && (fcntl(candidate, F_GET_SEALS) & (wanted | F_SEAL_WRITE)) == wanted &&
         is_named_ours(path);
}

static bool is_the_file(int candidate, const struct zecl_ipc_name *name) {
  struct stat status;
  return is_ours(candidate) && fstat(candidate, &status) == 0 && status.st_dev == name->device &&
         status.st_ino == name->inode && name->size <= (uint64_t)status.st_size &&
         name->offset <= (uint64_t)status.st_size - name->size;
}

int zecl_ipc_file_open(const struct zecl_ipc_name *name) {
  char path[64];
  if (is_the_file(name->file, name)) return fcntl(name->file, F_DUPFD_CLOEXEC, 0);
  snprintf(path, sizeof path, "/proc/%d/fd/%d", name->process, name->file);
  int opened = is_named_ours(path) ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (opened >= 0 && !is_the_file(opened, name)) {
    close(opened);
    opened = -1;
  }
  return opened;
}

bool zecl_ipc_file_complete(struct zecl_ipc_name *name) {
  struct stat status;
  if (!is_ours(name->file) || fstat(name->file, &status)) return false;
  name->device = status.st_dev;
  name->inode = status.st_ino;
  name->offset = 0;
  name->size = (uint64_t)status.st_size;
  return true;
}
