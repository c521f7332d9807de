#include "engine/cuda/ptx/native.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 8192 }; /* CUDA's limit on their bytes is 32,764 */

/* Past spaces and comments. */
static size_t skip(const char *at, size_t i, size_t size) {
  while (i < size) {
    if (strchr(" \t\r\n", at[i]) && at[i]) {
      i++;
    } else if (i + 1 < size && at[i] == '/' && at[i + 1] == '/') {
      while (i < size && at[i] != '\n')
        i++;
    } else if (i + 1 < size && at[i] == '/' && at[i + 1] == '*') {
      for (i += 2; i + 1 < size && !(at[i] == '*' && at[i + 1] == '/');)
        i++;
      i = i + 2 < size ? i + 2 : size;
    } else {
      break;
    }
  }
  return i;
}

enum zecl_ptx_kind zecl_ptx_kind_of(const void *bytes, size_t size) {
  static const unsigned char fatbin[] = {0x50, 0xed, 0x55, 0xba};
  static const unsigned char elf[] = {0x7f, 'E', 'L', 'F', 2, 1};
  static const char version[] = ".version";
  enum { MACHINE = 18, CUDA = 190 };
  const unsigned char *at = bytes;
  if (size >= sizeof fatbin && memcmp(at, fatbin, sizeof fatbin) == 0) return ZECL_PTX_FATBIN;
  if (size >= 64 && memcmp(at, elf, sizeof elf) == 0)
    return at[MACHINE] == CUDA && at[MACHINE + 1] == 0 ? ZECL_PTX_CUBIN : ZECL_PTX_NONE;
  const size_t start = skip(bytes, 0, size);
  return size - start >= sizeof version && memcmp(at + start, version, sizeof version - 1) == 0
             ? ZECL_PTX_TEXT
             : ZECL_PTX_NONE;
}

struct zecl_ptx_kernel *zecl_ptx_add_kernel(struct zecl_ptx *ptx, const char *name, size_t length) {
  struct zecl_ptx_kernel *kernels =
      realloc(ptx->kernels, (ptx->kernel_count + 1) * sizeof *ptx->kernels);
  if (!kernels) return NULL;
  ptx->kernels = kernels;
  struct zecl_ptx_kernel *kernel = &kernels[ptx->kernel_count++];
  *kernel = (struct zecl_ptx_kernel){.name = strndup(name, length), .entry = strndup(name, length)};
  return kernel->name && kernel->entry ? kernel : NULL;
}

bool zecl_ptx_set_arg(
    struct zecl_ptx_kernel *kernel, uint32_t index, enum zecl_arg_kind kind, uint32_t size) {
  if (index >= MOST_PARAMETERS) return false;
  if (index >= kernel->arg_count) {
    struct zecl_arg *args = realloc(kernel->args, (index + 1) * sizeof *args);
    if (!args) return false;
    memset(args + kernel->arg_count, 0, (index + 1 - kernel->arg_count) * sizeof *args);
    kernel->args = args;
    kernel->arg_count = index + 1;
  }
  kernel->args[index] = (struct zecl_arg){.kind = kind, .size = size};
  return true;
}

static struct zecl_ptx_kernel *find(struct zecl_ptx *ptx, const char *name, size_t length) {
  for (uint32_t i = 0; i < ptx->kernel_count; i++)
    if (strlen(ptx->kernels[i].name) == length && memcmp(ptx->kernels[i].name, name, length) == 0)
      return &ptx->kernels[i];
  return NULL;
}

/* Leaves out the kernels that DPC++ adds for launches with an offset: they take one parameter more.
 */
static void pair_twins(struct zecl_ptx *ptx) {
  static const char ending[] = "_with_offset";
  for (uint32_t i = 0; i < ptx->kernel_count;) {
    struct zecl_ptx_kernel *twin = &ptx->kernels[i];
    const size_t length = strlen(twin->name), end = sizeof ending - 1;
    struct zecl_ptx_kernel *plain = length > end && strcmp(twin->name + length - end, ending) == 0
                                        ? find(ptx, twin->name, length - end)
                                        : NULL;
    if (!plain || twin->arg_count != plain->arg_count + 1) {
      i++;
      continue;
    }
    plain->offset = ZECL_PTX_OFFSET_TWIN;
    free(twin->name);
    free(twin->entry);
    free(twin->args);
    memmove(twin, twin + 1, (ptx->kernel_count - i - 1) * sizeof *twin);
    ptx->kernel_count--;
  }
}

bool zecl_ptx_read(const void *bytes, size_t size, struct zecl_ptx *ptx, struct zecl_text *log) {
  *ptx = (struct zecl_ptx){.kind = zecl_ptx_kind_of(bytes, size)};
  if (ptx->kind == ZECL_PTX_NONE) {
    zecl_text_add(log, "neither PTX, a cubin nor a fat binary\n");
    return false;
  }
  while (ptx->kind == ZECL_PTX_TEXT && size && ((const char *)bytes)[size - 1] == 0)
    size--;
  ptx->size = size;
  ptx->image = malloc(size + 1);
  if (!ptx->image) return false;
  memcpy(ptx->image, bytes, size);
  ptx->image[size] = 0;
  const bool good = ptx->kind == ZECL_PTX_TEXT    ? zecl_ptx_read_text(ptx, log)
                    : ptx->kind == ZECL_PTX_CUBIN ? zecl_ptx_read_cubin(ptx, log)
                                                  : true;
  if (good)
    pair_twins(ptx);
  else
    zecl_ptx_free(ptx);
  return good;
}
