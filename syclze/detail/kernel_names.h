/* The names of a module's kernels, as a kernel bundle keeps them. */
#ifndef SYCLZE_KERNEL_NAMES_H
#define SYCLZE_KERNEL_NAMES_H

#include "../result.h"

SYCLZE_EXTERN_C_BEGIN

/* One allocation, the texts behind the list: free() it as a whole. */
struct syclze__kernel_names {
  size_t count;
  struct {
    size_t size;      /* with the terminator */
    const char *text; /* padded with zeros to a multiple of 8 bytes */
  } name[1];
};

/* Whether the name, of `size` bytes with its terminator, is among them. What holds it is at least 8
 * bytes, and padded with zeros if the name is shorter. */
SYCLZE_INLINE bool syclze__kernel_names_have(
    const struct syclze__kernel_names *names, const char *name, size_t size) {
  /* By words; the last one overlaps the one before. */
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

/* Asks the module. Passes through what zeModuleGetKernelNames returns. */
SYCLZE_LOCAL ze_result_t syclze__kernel_names_get(
    ze_module_handle_t module, struct syclze__kernel_names **names) {
  uint32_t count = 0;
  ze_result_t result = SYCLZE__ZE(zeModuleGetKernelNames)(module, &count, NULL);
  const char **texts = (const char **)calloc((size_t)count + 1, sizeof *texts);
  if (texts == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (result == ZE_RESULT_SUCCESS && count != 0)
    result = SYCLZE__ZE(zeModuleGetKernelNames)(module, &count, texts);
  size_t head = sizeof(struct syclze__kernel_names) + count * sizeof((*names)->name[0]);
  size_t size = head;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++)
    size += (strlen(texts[i]) / 8 + 1) * 8;
  struct syclze__kernel_names *got = NULL;
  if (result == ZE_RESULT_SUCCESS) {
    got = (struct syclze__kernel_names *)calloc(1, size);
    if (got == NULL) result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (got != NULL) {
    char *text = (char *)got + head;
    got->count = count;
    for (uint32_t i = 0; i < count; i++) {
      size_t length = strlen(texts[i]);
      memcpy(text, texts[i], length);
      got->name[i].size = length + 1;
      got->name[i].text = text;
      text += (length / 8 + 1) * 8;
    }
    *names = got;
  }
  free((void *)texts);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
