/* Trusted files of the user or of the system: regular, owned by the effective user or by root, not
 * writable by others. */
#ifndef SYCLZE_OFFLOAD_DETAIL_OWN_FILE_H
#define SYCLZE_OFFLOAD_DETAIL_OWN_FILE_H

#include "../../config.h"

#include <fcntl.h>
#include <sys/stat.h>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* O_NOFOLLOW and O_CLOEXEC, which strict C modes do not define. */
#ifdef _WIN32
#define SYCLZE__OWN_FILE_FLAGS O_BINARY
#elif defined(O_NOFOLLOW) && defined(O_CLOEXEC)
#define SYCLZE__OWN_FILE_FLAGS (O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
#else
#define SYCLZE__OWN_FILE_FLAGS (__O_NOFOLLOW | __O_CLOEXEC | O_NONBLOCK)
#endif

#ifdef _MSC_VER
#define SYCLZE__IS_REGULAR(mode) (((mode)&S_IFMT) == S_IFREG)
#else
#define SYCLZE__IS_REGULAR(mode) S_ISREG(mode)
#endif

/* Opens such a file for reading and writes its size; -1 for any other file. Does not
 * wait for the writer of a FIFO. */
SYCLZE_LOCAL int syclze__own_file_open(const char *path, uint64_t *size) {
  struct stat properties;
  int file = open(path, O_RDONLY | SYCLZE__OWN_FILE_FLAGS);
  if (file < 0) return -1;
  bool is_own = fstat(file, &properties) == 0 && SYCLZE__IS_REGULAR(properties.st_mode);
#ifndef _WIN32
  is_own = is_own && (properties.st_uid == geteuid() || properties.st_uid == 0) &&
           (properties.st_mode & 022) == 0;
#endif
  if (!is_own) {
    close(file);
    return -1;
  }
  *size = (uint64_t)properties.st_size;
  return file;
}

/* Creates a file that only the user can read and write; -1 if there is one of any kind. */
SYCLZE_LOCAL int syclze__own_file_create(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | SYCLZE__OWN_FILE_FLAGS, 0600);
}

/* Opens or creates a file that only the user can write, for a lock; -1 if it is no such file. */
SYCLZE_LOCAL int syclze__own_file_lockable(const char *path) {
  return open(path, O_RDWR | O_CREAT | SYCLZE__OWN_FILE_FLAGS, 0600);
}

SYCLZE_LOCAL bool syclze__own_file_read(int file, void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    const unsigned part = size - done < 1u << 30 ? (unsigned)(size - done) : 1u << 30;
    const ptrdiff_t count = read(file, (char *)data + done, part);
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

SYCLZE_LOCAL bool syclze__own_file_write(int file, const void *data, size_t size) {
  for (size_t done = 0; done < size;) {
    const unsigned part = size - done < 1u << 30 ? (unsigned)(size - done) : 1u << 30;
    const ptrdiff_t count = write(file, (const char *)data + done, part);
    if (count <= 0) return false;
    done += (size_t)count;
  }
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
