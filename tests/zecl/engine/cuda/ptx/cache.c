#include "engine/cuda/ptx/cache.h"

#include "core/hash.h"
#include "engine/cuda/ptx/library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stands before the key, the kernels' offsets, a byte each, and the image. */
struct head {
  char format[8];
  uint64_t key_size, size, hash; /* of the key, of what follows it, and a hash of both */
};

static const char format[8] = "zptx 2\n";

static bool make_folder(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    const bool good = mkdir(path, 0700) == 0 || errno == EEXIST;
    *at = '/';
    if (!good) return false;
  }
  return true;
}

/* True for a file of the user's own, which no other user may write. */
static bool is_own(const struct stat *properties) {
  return properties->st_uid == geteuid() && (properties->st_mode & 022) == 0;
}

static bool is_own_folder(const char *path) {
  struct stat properties;
  return stat(path, &properties) == 0 && S_ISDIR(properties.st_mode) && is_own(&properties);
}

/* The folder with a slash; empty where there is none. */
static void find_folder(char *path, size_t size) {
  const char *turned = secure_getenv("ZECL_CACHE"), *folder = secure_getenv("XDG_CACHE_HOME");
  const char *home = secure_getenv("HOME");
  int length = 0;
  *path = 0;
  if (turned && strcmp(turned, "0") == 0) return;
  if (folder && *folder == '/')
    length = snprintf(path, size, "%s/zecl/", folder);
  else if (home && *home == '/')
    length = snprintf(path, size, "%s/.cache/zecl/", home);
  if (length < 0 || (size_t)length >= size || !make_folder(path) || !is_own_folder(path)) *path = 0;
}

/* A part of a key, behind its size. */
static void add(struct zecl_text *key, const void *bytes, size_t size) {
  const uint64_t length = size;
  zecl_text_add_bytes(key, &length, sizeof length);
  zecl_text_add_bytes(key, bytes, size);
}

/* A program or a library as it is installed. */
static void add_file(struct zecl_text *key, const char *path) {
  struct stat stat_of;
  add(key, path, strlen(path));
  if (stat(path, &stat_of)) return;
  const int64_t parts[] = {stat_of.st_size, stat_of.st_mtim.tv_sec, stat_of.st_mtim.tv_nsec};
  add(key, parts, sizeof parts);
}

void zecl_ptx_key(const struct zecl_llvm *llvm, const struct zecl_spirv *spirv, const char *flags,
    unsigned capability, struct zecl_ptx_key *key) {
  char folder[400];
  *key = (struct zecl_ptx_key){0};
  find_folder(folder, sizeof folder);
  if (!*folder) return;
  const uint32_t numbers[] = {(uint32_t)llvm->version, capability, spirv->kernel_count};
  add(&key->bytes, numbers, sizeof numbers);
  add(&key->bytes, spirv->words, spirv->word_count * sizeof *spirv->words);
  add(&key->bytes, flags ? flags : "", flags ? strlen(flags) : 0);
  add(&key->bytes, zecl_ptx_library, (size_t)(zecl_ptx_library_end - zecl_ptx_library));
  add_file(&key->bytes, llvm->translator);
  add_file(&key->bytes, llvm->builtins);
  snprintf(key->path, sizeof key->path, "%s%016llx%016llx.ptx", folder,
      (unsigned long long)zecl_hash(key->bytes.data, key->bytes.length, ZECL_HASH_START),
      (unsigned long long)zecl_hash(key->bytes.data, key->bytes.length, ~ZECL_HASH_START));
}

void zecl_ptx_key_free(struct zecl_ptx_key *key) {
  zecl_text_free(&key->bytes);
}

/* Reads a file of the user's own; false for any other. Does not wait for the writer of a FIFO. */
static bool read_own(const char *path, struct zecl_text *file) {
  struct stat properties;
  char part[4096];
  ssize_t length = 0;
  const int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0) return false;
  bool good = fstat(from, &properties) == 0 && S_ISREG(properties.st_mode) && is_own(&properties);
  while (good && (length = read(from, part, sizeof part)) > 0)
    zecl_text_add_bytes(file, part, (size_t)length);
  good = good && length == 0 && file->length == (size_t)properties.st_size;
  close(from);
  return good;
}

/* True if the file is complete and belongs to the key. */
static bool check(const struct zecl_text *file, const struct zecl_ptx_key *key, struct head *head) {
  if (file->length < sizeof *head) return false;
  memcpy(head, file->data, sizeof *head);
  const uint64_t rest = file->length - sizeof *head;
  return memcmp(head->format, format, sizeof format) == 0 && head->key_size == key->bytes.length &&
         head->key_size <= rest && head->size == rest - head->key_size &&
         memcmp(file->data + sizeof *head, key->bytes.data, head->key_size) == 0 &&
         head->hash == zecl_hash(file->data + sizeof *head, rest, ZECL_HASH_START);
}

bool zecl_ptx_read_cache(const struct zecl_ptx_key *key, struct zecl_ptx *ptx) {
  struct zecl_text file = {0};
  struct head head;
  if (!key->path[0]) return false;
  bool good =
      read_own(key->path, &file) && check(&file, key, &head) && head.size > ptx->kernel_count;
  if (good) {
    const char *offsets = file.data + sizeof head + head.key_size;
    for (uint32_t i = 0; i < ptx->kernel_count; i++)
      ptx->kernels[i].offset = (enum zecl_ptx_offset)offsets[i];
    ptx->kind = ZECL_PTX_TEXT;
    ptx->size = head.size - ptx->kernel_count;
    ptx->image = malloc(ptx->size + 1);
    if (ptx->image) memcpy(ptx->image, offsets + ptx->kernel_count, ptx->size + 1);
    good = ptx->image != NULL;
  }
  zecl_text_free(&file);
  return good;
}

/* Under another name first, so that no reader finds a part of it. The file is new and the user's
 * alone: mkstemp has O_EXCL and mode 0600. */
static void write_whole(const char *path, const struct zecl_text *file) {
  char other[560];
  size_t done = 0;
  snprintf(other, sizeof other, "%s.XXXXXX", path);
  const int made = mkstemp(other);
  if (made < 0) return;
  for (ssize_t length; done < file->length; done += (size_t)length)
    if ((length = write(made, file->data + done, file->length - done)) <= 0) break;
  if (close(made) || done < file->length || rename(other, path)) unlink(other);
}

void zecl_ptx_write_cache(const struct zecl_ptx_key *key, const struct zecl_ptx *ptx) {
  if (!key->path[0]) return;
  struct head head = {.key_size = key->bytes.length, .size = ptx->kernel_count + ptx->size};
  struct zecl_text file = {0};
  memcpy(head.format, format, sizeof format);
  zecl_text_add_bytes(&file, &head, sizeof head);
  zecl_text_add_bytes(&file, key->bytes.data, key->bytes.length);
  for (uint32_t i = 0; i < ptx->kernel_count; i++)
    zecl_text_add_bytes(&file, &(char){(char)ptx->kernels[i].offset}, 1);
  zecl_text_add_bytes(&file, ptx->image, ptx->size);
  if (file.length == sizeof head + head.key_size + head.size) {
    head.hash = zecl_hash(file.data + sizeof head, file.length - sizeof head, ZECL_HASH_START);
    memcpy(file.data, &head, sizeof head);
    write_whole(key->path, &file);
  }
  zecl_text_free(&file);
}
