/* Names of a module's kernels, cached by the kernel bundle. */
#ifndef SYCLZE_DETAIL_OBJECTS_KERNEL_NAMES_H
#define SYCLZE_DETAIL_OBJECTS_KERNEL_NAMES_H

#include "../driver/loader.h"
#include "../result.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__kernel_name {
  size_t size;      /* with the terminator */
  uint64_t head;    /* the first 8 bytes, padded with zeros */
  const char *text; /* the whole name */
};

/* One allocation, with the texts behind the list. */
struct syclze__kernel_names {
  size_t count;
  const void *signatures; /* of the debug checker (kernel_signatures.h); null for none */
  struct syclze__kernel_name name[1];
};

/* True if two names of `size` bytes, more than 8, are equal behind the first 8. */
SYCLZE_INLINE bool syclze__kernel_names_equal(const char *a, const char *b, size_t size) {
  const size_t last = size - sizeof(uint64_t);
  size_t at = 0;
  do {
    uint64_t of_a, of_b;
    at += sizeof of_a;
    if (at > last) at = last; /* overlaps the word before */
    memcpy(&of_a, a + at, sizeof of_a);
    memcpy(&of_b, b + at, sizeof of_b);
    if (of_a != of_b) return false;
  } while (at != last);
  return true;
}

/* True if the name, of `size` bytes with its terminator, is among `names`. Its buffer has at least
 * 8 bytes, padded with zeros if the name is shorter. */
SYCLZE_INLINE bool syclze__kernel_names_have(
    const struct syclze__kernel_names *names, const char *name, size_t size) {
  const struct syclze__kernel_name *known = names->name, *end = known + names->count;
  uint64_t head;
  memcpy(&head, name, sizeof head);
  for (; known != end; known++)
    if (known->size == size && known->head == head &&
        (size <= sizeof head || syclze__kernel_names_equal(known->text, name, size)))
      return true;
  return false;
}

#if SYCLZE__BODIES

/* Copies `count` names into one allocation; null without memory. */
SYCLZE_LOCAL struct syclze__kernel_names *syclze__kernel_names_new(
    const char *const *texts, uint32_t count) {
  const size_t head =
      sizeof(struct syclze__kernel_names) + count * sizeof(struct syclze__kernel_name);
  size_t size = head;
  for (uint32_t i = 0; i < count; i++)
    size += strlen(texts[i]) + 1;
  struct syclze__kernel_names *names = (struct syclze__kernel_names *)calloc(1, size);
  if (names == NULL) return NULL;
  char *text = (char *)names + head;
  names->count = count;
  for (uint32_t i = 0; i < count; i++) {
    struct syclze__kernel_name *name = &names->name[i];
    name->size = strlen(texts[i]) + 1;
    name->text = (const char *)memcpy(text, texts[i], name->size);
    memcpy(&name->head, text, name->size < sizeof name->head ? name->size : sizeof name->head);
    text += name->size;
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
