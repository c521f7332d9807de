/* Native binaries kept in a folder, by all of their inputs.
 *
 * One file for each entry, named after a hash of its key; the file holds the key itself, which is
 * compared in full, so that two keys of one hash only replace each other. A file is written under
 * another name and then renamed: readers and writers of any number of processes see whole files or
 * none. A torn or changed file fails its checksum, and is ignored, as is a file that is not the
 * user's own (own_file.h). A file that cannot be read or written is not an error: its entry is not
 * cached. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DISK_CACHE_H
#define SYCLZE_OFFLOAD_DETAIL_DISK_CACHE_H

#include "disk_evict.h"
#include "hash.h"
#include "own_file.h"

#include <stdio.h>
#ifdef _WIN32
#include <direct.h>
#include <process.h>
#endif

SYCLZE_EXTERN_C_BEGIN

struct syclze__disk_head {
  char magic[8];
  uint64_t key_size;
  uint64_t binary_size;
  uint64_t checksum; /* of both */
};

#if SYCLZE__BODIES

#define SYCLZE__DISK_MAGIC "SYCLZEC2"
#ifdef _WIN32
#define SYCLZE__DISK_SEPARATORS "/\\"
#else
#define SYCLZE__DISK_SEPARATORS "/"
#endif

SYCLZE_INLINE uint64_t syclze__disk_checksum(syclze_bytes key, syclze_bytes binary) {
  struct syclze__hash_key sum = {{1, 0}, false, 0};
  sum.words[1] = syclze__hash(&sum, key.data, key.size);
  return syclze__hash(&sum, binary.data, binary.size);
}

/* The path of a key's file; null without memory. The caller frees it. */
SYCLZE_LOCAL char *syclze__disk_path(const char *folder, syclze_bytes key, const char *suffix) {
  size_t size = strlen(folder) + strlen(suffix) + 40;
  char *path = (char *)malloc(size);
  const struct syclze__hash_key keys[2] = {{{2, 0}, false, 0}, {{3, 0}, false, 0}};
  if (path != NULL)
    snprintf(path, size, "%s/%016llx%016llx%s", folder,
        (unsigned long long)syclze__hash(&keys[0], key.data, key.size),
        (unsigned long long)syclze__hash(&keys[1], key.data, key.size), suffix);
  return path;
}

SYCLZE_LOCAL bool syclze__disk_read_file(
    int file, uint64_t file_size, syclze_bytes key, syclze_bytes *binary) {
  struct syclze__disk_head head;
  if (file_size < sizeof head || !syclze__own_file_read(file, &head, sizeof head) ||
      memcmp(head.magic, SYCLZE__DISK_MAGIC, sizeof head.magic) != 0 || head.key_size != key.size)
    return false;
  const uint64_t size = file_size - sizeof head;
  if (!syclze__within(size, head.key_size, head.binary_size) ||
      size != head.key_size + head.binary_size)
    return false;
  uint8_t *content = (uint8_t *)malloc((size_t)size + 1);
  if (content == NULL) return false;
  bool is_whole = syclze__own_file_read(file, content, (size_t)size);
  binary->data = content + key.size;
  binary->size = (size_t)head.binary_size;
  if (is_whole && memcmp(content, key.data, key.size) == 0 &&
      syclze__disk_checksum(key, *binary) == head.checksum) {
    memmove(content, binary->data, binary->size);
    binary->data = content;
    return true;
  }
  free(content);
  *binary = syclze_bytes_of(NULL, 0);
  return false;
}

/* Reads an entry. `is_use`: marks it as used, in a folder that is also written. */
SYCLZE_LOCAL bool syclze__disk_cache_read(
    const char *folder, syclze_bytes key, bool is_use, syclze_bytes *binary) {
  uint64_t size = 0;
  *binary = syclze_bytes_of(NULL, 0);
  char *path = syclze__disk_path(folder, key, "");
  int file = path != NULL ? syclze__own_file_open(path, &size) : -1;
  bool is_there = file >= 0 && syclze__disk_read_file(file, size, key, binary);
  if (is_there && is_use) syclze__disk_use(path);
  if (file >= 0) close(file);
  free(path);
  return is_there;
}

/* Creates the folder and its parents. */
SYCLZE_LOCAL void syclze__disk_make_folder(const char *folder) {
  size_t size = strlen(folder);
  char *path = (char *)malloc(size + 1);
  for (size_t i = 1; path != NULL && i <= size; i++) {
    if (strchr(SYCLZE__DISK_SEPARATORS, folder[i]) == NULL) continue; /* finds the end too */
    memcpy(path, folder, i);
    path[i] = '\0';
#ifdef _WIN32
    _mkdir(path);
#else
    mkdir(path, 0700);
#endif
  }
  free(path);
}

SYCLZE_LOCAL bool syclze__disk_cache_write(
    const char *folder, syclze_bytes key, syclze_bytes binary) {
  static uint32_t writes;
  char suffix[64];
#ifdef _WIN32
  int process = _getpid();
#else
  int process = (int)getpid();
#endif
  /* Unique among processes by the process number, within one by the variable's address and value.
   */
  snprintf(suffix, sizeof suffix, ".%d.%p.%u", process, (void *)&writes,
      __atomic_fetch_add(&writes, 1, __ATOMIC_RELAXED));
  struct syclze__disk_head head;
  memcpy(head.magic, SYCLZE__DISK_MAGIC, sizeof head.magic);
  head.key_size = key.size;
  head.binary_size = binary.size;
  head.checksum = syclze__disk_checksum(key, binary);
  char *path = syclze__disk_path(folder, key, ""),
       *unfinished = syclze__disk_path(folder, key, suffix);
  bool is_kept = false;
  if (path != NULL && unfinished != NULL) {
    int file = syclze__own_file_create(unfinished);
    if (file < 0) {
      syclze__disk_make_folder(folder);
      file = syclze__own_file_create(unfinished);
    }
    if (file >= 0) {
      is_kept = syclze__own_file_write(file, &head, sizeof head) &&
                syclze__own_file_write(file, key.data, key.size) &&
                syclze__own_file_write(file, binary.data, binary.size);
      is_kept = close(file) == 0 && is_kept;
#ifdef _WIN32
      if (is_kept) remove(path); /* rename replaces no file there */
#endif
      is_kept = is_kept && rename(unfinished, path) == 0;
      if (!is_kept) remove(unfinished);
    }
  }
  free(path);
  free(unfinished);
  return is_kept;
}

SYCLZE_LOCAL void syclze__disk_cache_remove(const char *folder, syclze_bytes key) {
  char *path = syclze__disk_path(folder, key, "");
  if (path != NULL) remove(path);
  free(path);
}

#endif

SYCLZE_EXTERN_C_END

#endif
