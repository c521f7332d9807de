/* Names of a module's kernels, cached by the kernel bundle. */
#ifndef SYCLZE_KERNEL_NAMES_H
#define SYCLZE_KERNEL_NAMES_H

#include "loader.h"
#include "result.h"

SYCLZE_EXTERN_C_BEGIN

/* One allocation with the texts behind the list; freed as a whole. */
struct syclze__kernel_names {
  size_t count;
  struct {
    size_t size;      /* with the terminator */
    const char *text; /* padded with zeros to a multiple of 8 bytes */
  } name[1];
};

/* True if the name, of `size` bytes with its terminator, is one of them. Its buffer has at least 8
 * bytes, padded with zeros if the name is shorter. */
SYCLZE_INLINE bool syclze__kernel_names_have(
    const struct syclze__kernel_names *names, const char *name, size_t size) {
  /* Compares words; the last one overlaps the one before. */
  size_t last = size > sizeof(uint64_t) ? size - sizeof(uint64_t) : 0;
  for (size_t i = 0; i < names->count; i++) {
    if (names->name[i].size != size) continue;
    for (size_t at = 0;; at += sizeof(uint64_t)) {
      uint64_t ours, theirs;
      if (at > last) at = last;
      memcpy(&ours, name + at, sizeof ours);
      memcpy(&theirs, names->name[i].text + at, sizeof theirs);
      if (ours != theirs) break;
      if (at == last) return true;
    }
  }
  return false;
}

#if SYCLZE__BODIES

/* Copies `count` names into one allocation; null without memory. */
SYCLZE_LOCAL struct syclze__kernel_names *syclze__kernel_names_new(
    const char *const *texts, uint32_t count) {
  const size_t head = sizeof(struct syclze__kernel_names) +
                      count * sizeof(((struct syclze__kernel_names *)0)->name[0]);
  size_t size = head;
  struct syclze__kernel_names *names;
  char *text;
  for (uint32_t i = 0; i < count; i++)
    size += (strlen(texts[i]) / 8 + 1) * 8;
  names = (struct syclze__kernel_names *)calloc(1, size);
  if (names == NULL) return NULL;
  text = (char *)names + head;
  names->count = count;
  for (uint32_t i = 0; i < count; i++) {
    const size_t length = strlen(texts[i]);
    memcpy(text, texts[i], length);
    names->name[i].size = length + 1;
    names->name[i].text = text;
    text += (length / 8 + 1) * 8;
  }
  return names;
}

/* Queries the module. Error: what zeModuleGetKernelNames returns. */
SYCLZE_LOCAL ze_result_t syclze__kernel_names_get(
    ze_module_handle_t module, struct syclze__kernel_names **names) {
  uint32_t count = 0;
  ze_result_t result = SYCLZE__ZE(zeModuleGetKernelNames)(module, &count, NULL);
  const char **texts = (const char **)calloc((size_t)count + 1, sizeof *texts);
  *names = NULL;
  if (texts == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (result == ZE_RESULT_SUCCESS && count != 0)
    result = SYCLZE__ZE(zeModuleGetKernelNames)(module, &count, texts);
  if (result == ZE_RESULT_SUCCESS) {
    *names = syclze__kernel_names_new(texts, count);
    if (*names == NULL) result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  free((void *)texts);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
