#include "engine/cuda/ptx/cache.h"

#include "core/hash.h"
#include "core/tool.h"
#include "engine/cuda/ptx/library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Stands before the kernels' offsets, a byte each, and the image. */
struct head {
  char format[8];
  uint64_t size, hash; /* of what follows */
};

static const char format[8] = "zptx 1\n";

static bool make_folder(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    const bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
    *at = '/';
    if (!good) return false;
  }
  return true;
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
  if (length < 0 || (size_t)length >= size || !make_folder(path)) *path = 0;
}

struct hashes {
  uint64_t one, other;
};

static void add(struct hashes *hashes, const void *bytes, size_t size) {
  hashes->one = zecl_hash(bytes, size, hashes->one);
  hashes->other = zecl_hash(bytes, size, hashes->other);
}

/* A program or a library as it is installed. */
static void add_file(struct hashes *hashes, const char *path) {
  struct stat stat_of;
  add(hashes, path, strlen(path) + 1);
  if (stat(path, &stat_of)) return;
  const int64_t parts[] = {stat_of.st_size, stat_of.st_mtim.tv_sec, stat_of.st_mtim.tv_nsec};
  add(hashes, parts, sizeof parts);
}

void zecl_ptx_key(const struct zecl_llvm *llvm, const struct zecl_spirv *spirv, const char *flags,
    unsigned capability, struct zecl_ptx_key *key) {
  char folder[400];
  find_folder(folder, sizeof folder);
  key->path[0] = 0;
  if (!*folder) return;
  struct hashes hashes = {ZECL_HASH_START, ~ZECL_HASH_START};
  const uint32_t numbers[] = {(uint32_t)llvm->version, capability, spirv->kernel_count};
  add(&hashes, numbers, sizeof numbers);
  add(&hashes, spirv->words, spirv->word_count * sizeof *spirv->words);
  add(&hashes, flags ? flags : "", flags ? strlen(flags) + 1 : 1);
  add(&hashes, zecl_ptx_library, (size_t)(zecl_ptx_library_end - zecl_ptx_library));
  add_file(&hashes, llvm->translator);
  add_file(&hashes, llvm->builtins);
  snprintf(key->path, sizeof key->path, "%s%016llx%016llx.ptx", folder,
      (unsigned long long)hashes.one, (unsigned long long)hashes.other);
}

bool zecl_ptx_read_cache(const struct zecl_ptx_key *key, struct zecl_ptx *ptx) {
  struct zecl_text file = {0}, ignored = {0};
  struct head head;
  if (!key->path[0] || access(key->path, R_OK)) return false;
  bool good = zecl_tool_read(key->path, &file, &ignored) && file.length >= sizeof head;
  zecl_text_free(&ignored);
  if (good) memcpy(&head, file.data, sizeof head);
  good = good && memcmp(head.format, format, sizeof format) == 0 &&
         head.size == file.length - sizeof head && head.size > ptx->kernel_count &&
         head.hash == zecl_hash(file.data + sizeof head, head.size, ZECL_HASH_START);
  if (good) {
    const char *offsets = file.data + sizeof head;
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

/* Under another name first, so that no reader finds a part of it. */
static void write_whole(const char *path, const struct zecl_text *file) {
  char other[560];
  struct zecl_text ignored = {0};
  snprintf(other, sizeof other, "%s.XXXXXX", path);
  const int made = mkstemp(other);
  if (made < 0) return;
  close(made);
  if (!zecl_tool_write(other, file->data, file->length, &ignored) || rename(other, path))
    unlink(other);
  zecl_text_free(&ignored);
}

void zecl_ptx_write_cache(const struct zecl_ptx_key *key, const struct zecl_ptx *ptx) {
  if (!key->path[0]) return;
  struct head head = {.size = ptx->kernel_count + ptx->size};
  struct zecl_text file = {0};
  memcpy(head.format, format, sizeof format);
  zecl_text_add_bytes(&file, &head, sizeof head);
  for (uint32_t i = 0; i < ptx->kernel_count; i++)
    zecl_text_add_bytes(&file, &(char){(char)ptx->kernels[i].offset}, 1);
  zecl_text_add_bytes(&file, ptx->image, ptx->size);
  if (file.length == sizeof head + head.size) {
    head.hash = zecl_hash(file.data + sizeof head, head.size, ZECL_HASH_START);
    memcpy(file.data, &head, sizeof head);
    write_whole(key->path, &file);
  }
  zecl_text_free(&file);
}
