/* Native binaries kept in a folder, by all of their inputs.
 *
 * One file for each entry, named after a hash of its key; the file holds the key itself, which is
 * compared in full, so that two keys of one hash only replace each other. A file is written under
 * another name and then renamed: readers and writers of any number of processes see whole files or
 * none. A torn or changed file fails its checksum, and is ignored. What cannot be read or written
 * is not cached, which is no error. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DISK_CACHE_H
#define SYCLZE_OFFLOAD_DETAIL_DISK_CACHE_H

#include "hash.h"

#include <stdio.h>
#include <sys/stat.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__disk_head {
  char magic[8];
  uint64_t key_size;
  uint64_t binary_size;
  uint64_t checksum; /* of both */
};

#if SYCLZE__BODIES

#ifdef _WIN32
#include <direct.h>
#include <process.h>
#else
#include <unistd.h>
#endif
#define SYCLZE__DISK_MAGIC "SYCLZEC2"

SYCLZE_INLINE uint64_t syclze__disk_checksum(syclze_bytes key, syclze_bytes binary) {
  struct syclze__hash_key sum = {{1, 0}};
  sum.words[1] = syclze__hash(&sum, key.data, key.size);
  return syclze__hash(&sum, binary.data, binary.size);
}

/* The path of a key's file; null without memory. The caller frees it. */
SYCLZE_LOCAL char *syclze__disk_path(const char *folder, syclze_bytes key, const char *suffix) {
  size_t size = strlen(folder) + strlen(suffix) + 40;
  char *path = (char *)malloc(size);
  const struct syclze__hash_key keys[2] = {{{2, 0}}, {{3, 0}}};
  if (path != NULL)
    snprintf(path, size, "%s/%016llx%016llx%s", folder,
        (unsigned long long)syclze__hash(&keys[0], key.data, key.size),
        (unsigned long long)syclze__hash(&keys[1], key.data, key.size), suffix);
  return path;
}

SYCLZE_LOCAL bool syclze__disk_read_file(FILE *file, syclze_bytes key, syclze_bytes *binary) {
  struct syclze__disk_head head;
  if (fread(&head, 1, sizeof head, file) != sizeof head ||
      memcmp(head.magic, SYCLZE__DISK_MAGIC, sizeof head.magic) != 0 || head.key_size != key.size)
    return false;
  long begin = ftell(file);
  if (begin < 0 || fseek(file, 0, SEEK_END) != 0) return false;
  long end = ftell(file);
  if (end < begin || fseek(file, begin, SEEK_SET) != 0 ||
      !syclze__within((uint64_t)(end - begin), head.key_size, head.binary_size) ||
      (uint64_t)(end - begin) != head.key_size + head.binary_size)
    return false;
  uint8_t *content = (uint8_t *)malloc((size_t)(end - begin) + 1);
  if (content == NULL) return false;
  bool is_whole = fread(content, 1, (size_t)(end - begin), file) == (size_t)(end - begin);
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

SYCLZE_LOCAL bool syclze__disk_cache_read(
    const char *folder, syclze_bytes key, syclze_bytes *binary) {
  *binary = syclze_bytes_of(NULL, 0);
  char *path = syclze__disk_path(folder, key, "");
  FILE *file = path != NULL ? fopen(path, "rb") : NULL;
  bool is_there = file != NULL && syclze__disk_read_file(file, key, binary);
  if (file != NULL) fclose(file);
  free(path);
  return is_there;
}

SYCLZE_INLINE void syclze__disk_make_folder(const char *folder) {
#ifdef _WIN32
  _mkdir(folder);
#else
  mkdir(folder, 0700);
#endif
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
  /* Unique among processes by their number, in one by the variable's address and value. */
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
    FILE *file = fopen(unfinished, "wb");
    if (file == NULL) {
      syclze__disk_make_folder(folder);
      file = fopen(unfinished, "wb");
    }
    if (file != NULL) {
      is_kept = fwrite(&head, 1, sizeof head, file) == sizeof head &&
                fwrite(key.data, 1, key.size, file) == key.size &&
                fwrite(binary.data, 1, binary.size, file) == binary.size;
      is_kept = fclose(file) == 0 && is_kept && rename(unfinished, path) == 0;
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
