/* The folder, the limits and the eviction of cached native binaries.
 *
 * Files without recent use are removed, then the least recently used ones until the rest takes less
 * than the limit. A use sets the time of a file. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DISK_EVICT_H
#define SYCLZE_OFFLOAD_DETAIL_DISK_EVICT_H

#include "../../detail/driver/environment.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#ifndef _WIN32
#include <dirent.h>
#include <utime.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__DISK_NAME = 32 }; /* of an entry: hexadecimal digits */

/* Limits by SYCL's variables; 0 is none. */
struct syclze__disk_limits {
  uint64_t total;             /* bytes of all entries */
  uint64_t age;               /* seconds without use */
  uint64_t smallest, largest; /* bytes of an image that gets an entry */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL uint64_t syclze__disk_number(const char *variable, uint64_t unit, uint64_t otherwise) {
  const char *text = syclze__environment(variable);
  char *end = NULL;
  if (text == NULL || *text < '0' || *text > '9') return otherwise;
  unsigned long long number = strtoull(text, &end, 10);
  return *end != '\0' || number > UINT64_MAX / unit ? otherwise : (uint64_t)number * unit;
}

SYCLZE_LOCAL struct syclze__disk_limits syclze__disk_limits_make(void) {
  struct syclze__disk_limits limits;
  const uint64_t megabyte = 1u << 20, day = 24 * 60 * 60;
  limits.total = syclze__disk_number("SYCL_CACHE_MAX_SIZE", megabyte, 8192 * megabyte);
  limits.age = syclze__disk_number("SYCL_CACHE_THRESHOLD", day, 7 * day);
  limits.smallest = syclze__disk_number("SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE", 1, 0);
  limits.largest = syclze__disk_number("SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE", 1, 1u << 30);
  if (syclze__environment("SYCL_CACHE_EVICTION_DISABLE") != NULL) limits.total = limits.age = 0;
  return limits;
}

SYCLZE_INLINE bool syclze__disk_is_worth(const struct syclze__disk_limits *limits, size_t size) {
  return size >= limits->smallest && (limits->largest == 0 || size <= limits->largest);
}

/* Allocates the path of a cache's folder: the given one, else that of the environment; empty for
 * none. Null without memory. */
SYCLZE_LOCAL char *syclze__disk_folder(const char *given) {
  const char *behind = "";
  if (given == NULL) given = syclze__environment("SYCLZE_CACHE_DIR");
  if (given == NULL) {
    const char *persistent = syclze__environment("SYCL_CACHE_PERSISTENT");
    const char *home = NULL;
    behind = "/syclze";
    if (persistent != NULL && strcmp(persistent, "1") == 0) {
      given = syclze__environment("SYCL_CACHE_DIR");
      if (given == NULL) given = syclze__environment("XDG_CACHE_HOME");
      if (given == NULL) home = syclze__environment("HOME");
    }
    if (home != NULL) given = home, behind = "/.cache/syclze";
  }
  if (given == NULL || *given == '\0') given = behind = "";
  size_t size = strlen(given) + strlen(behind) + 1;
  char *folder = (char *)malloc(size);
  if (folder != NULL) snprintf(folder, size, "%s%s", given, behind);
  return folder;
}

#ifndef _WIN32
struct syclze__disk_file {
  time_t used;
  uint64_t size;
  char name[80];
};

/* Compares files: the least recently used is first. */
SYCLZE_LOCAL int syclze__disk_file_compare(const void *left, const void *right) {
  const struct syclze__disk_file *a = (const struct syclze__disk_file *)left,
                                 *b = (const struct syclze__disk_file *)right;
  return (a->used > b->used) - (a->used < b->used);
}

SYCLZE_LOCAL void syclze__disk_remove(const char *folder, const char *name) {
  char path[4096];
  if (snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path) remove(path);
}

/* True for the names of entries, of locks, and of unfinished entries, which have numbers behind
 * dots. */
SYCLZE_LOCAL bool syclze__disk_is_own(const char *name) {
  if (strspn(name, "0123456789abcdef") != SYCLZE__DISK_NAME) return false;
  name += SYCLZE__DISK_NAME;
  if (name[0] == '\0' || strcmp(name, ".lock") == 0) return true;
  const size_t digits = strspn(name + 1, "0123456789");
  return name[0] == '.' && digits != 0 && name[1 + digits] == '.';
}

/* Lists the cache's own files of a folder. */
SYCLZE_LOCAL struct syclze__disk_file *syclze__disk_list(const char *folder, size_t *count) {
  struct syclze__disk_file *files = NULL;
  size_t room = 0;
  DIR *directory = opendir(folder);
  *count = 0;
  for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
    char path[4096];
    struct stat properties;
    if (!syclze__disk_is_own(entry->d_name) || strlen(entry->d_name) >= sizeof files->name ||
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
        stat(path, &properties) != 0 || !S_ISREG(properties.st_mode))
      continue;
    if (*count == room) {
      room = room != 0 ? 2 * room : 64;
      struct syclze__disk_file *grown =
          (struct syclze__disk_file *)realloc(files, room * sizeof *files);
      if (grown == NULL) break;
      files = grown;
    }
    struct syclze__disk_file *file = &files[(*count)++];
    file->used = properties.st_mtime;
    file->size = (uint64_t)properties.st_size;
    strcpy(file->name, entry->d_name);
  }
  if (directory != NULL) closedir(directory);
  return files;
}

SYCLZE_LOCAL void syclze__disk_evict(const char *folder, const struct syclze__disk_limits *limits) {
  size_t count;
  uint64_t total = 0, kept = limits->total;
  if (limits->total == 0 && limits->age == 0) return;
  struct syclze__disk_file *files = syclze__disk_list(folder, &count);
  time_t now = time(NULL);
  for (size_t i = 0; i < count; i++)
    total += files[i].size;
  if (limits->total != 0 && total > limits->total) kept -= limits->total / 8;
  if (count != 0) qsort(files, count, sizeof *files, syclze__disk_file_compare);
  for (size_t i = 0; i < count; i++) {
    bool is_old =
        limits->age != 0 && now > files[i].used && (uint64_t)(now - files[i].used) > limits->age;
    if (!is_old && (limits->total == 0 || total <= kept)) break;
    syclze__disk_remove(folder, files[i].name);
    total -= files[i].size;
  }
  free(files);
}

/* Marks an entry as used now. */
SYCLZE_INLINE void syclze__disk_use(const char *path) {
  utime(path, NULL);
}
#else
SYCLZE_INLINE void syclze__disk_evict(
    const char *folder, const struct syclze__disk_limits *limits) {
  (void)folder, (void)limits;
}

SYCLZE_INLINE void syclze__disk_use(const char *path) {
  (void)path;
}
#endif

#endif

SYCLZE_EXTERN_C_END

#endif
