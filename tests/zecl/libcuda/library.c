/* Libraries of PTX, whose kernels, parameters and variables are read from the text, and cubins, of
 * which nothing is read. */
#include "libcuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN_LIMIT = 48 << 10 };

struct variable {
  struct variable *next;
  char *name;
  CUdeviceptr address;
  size_t size;
};

struct CUlib_st {
  struct CUlib_st *older;
  bool is_unloaded;
  struct CUkern_st *kernels;
  struct variable *variables;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUlib_st *newest; /* unloaded ones too */

static size_t type_size(const char *type) {
  const char *digits = type + strcspn(type, "0123456789");
  return (size_t)atoi(digits) / 8;
}

/* Reads `.type name[count]`, from behind the type's dot. */
static size_t declared_size(const char *type, const char **name, size_t *length) {
  const char *at = type + strcspn(type, " \t");
  at += strspn(at, " \t\n");
  if (strncmp(at, ".ptr", 4) == 0) at = strchr(at, ' ') + strspn(strchr(at, ' '), " ");
  while (
      strncmp(at, ".global", 7) == 0 || strncmp(at, ".align", 6) == 0 || (*at >= '0' && *at <= '9'))
    at += strcspn(at, " ") + strspn(at + strcspn(at, " "), " ");
  *name = at;
  *length = strcspn(at, " \t\n[](),;=");
  const size_t count = at[*length] == '[' ? (size_t)atol(at + *length + 1) : 1;
  return count * type_size(type);
}

static const char *skip_words(const char *at) {
  while (strncmp(at, ".align", 6) == 0) {
    at += 6;
    at += strspn(at, " 0123456789");
  }
  return at;
}

static void read_kernel(struct CUlib_st *library, const char *at) {
  struct CUkern_st *kernel = calloc(1, sizeof *kernel);
  at += strspn(at, " \t\n");
  const size_t length = strcspn(at, "( \t\n");
  const char *end = at + strcspn(at, "{");
  if (!kernel) libcuda_broken("no more memory");
  kernel->name = strndup(at, length);
  kernel->library = library;
  kernel->dynamic_limit = OWN_LIMIT;
  while ((at = strstr(at, ".param")) && at < end) {
    const char *name;
    size_t name_length;
    at += strlen(".param");
    at = skip_words(at + strspn(at, " \t"));
    kernel->parameter_sizes[kernel->parameter_count++] =
        (unsigned)declared_size(at, &name, &name_length);
  }
  kernel->next = library->kernels;
  library->kernels = kernel;
}

static void read_variable(struct CUlib_st *library, const char *at, int device) {
  const char *name;
  size_t length;
  at = skip_words(at + strspn(at, " \t"));
  const size_t size = declared_size(at, &name, &length);
  struct variable *variable = calloc(1, sizeof *variable);
  if (!variable) libcuda_broken("no more memory");
  variable->name = strndup(name, length);
  variable->size = size;
  variable->address = libcuda_allocate(LIBCUDA_DEVICE_MEMORY, device, size ? size : 1);
  variable->next = library->variables;
  library->variables = variable;
}

static void read_ptx(struct CUlib_st *library, const char *text, int device) {
  for (const char *at = text; (at = strstr(at, ".entry"));)
    read_kernel(library, at += strlen(".entry"));
  for (const char *at = text; (at = strstr(at, "\n.visible .global"));)
    read_variable(library, at += strlen("\n.visible .global"), device);
}

/* Runs the command of LIBCUDA_PTXAS on the text. False where it fails, with what it printed in
 * `words`. */
static bool assemble(const char *text, char *words, size_t size) {
  const char *ptxas = getenv("LIBCUDA_PTXAS");
  char path[] = "/tmp/libcuda-XXXXXX", command[4096];
  if (!ptxas) return true;
  FILE *file = fdopen(mkstemp(path), "w");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0) libcuda_broken("no file for PTX");
  snprintf(command, sizeof command, "{ %s %s; } 2>&1", ptxas, path);
  FILE *output = popen(command, "r");
  if (!output) libcuda_broken("no process for LIBCUDA_PTXAS");
  words[fread(words, 1, size - 1, output)] = '\0';
  while (getc(output) != EOF)
    ;
  const bool is_good = pclose(output) == 0;
  unlink(path);
  return is_good;
}

CUresult cuLibraryLoadData(CUlibrary *loaded, const void *image, CUjit_option *options,
    void **values, unsigned count, CUlibraryOption *library_options, void **library_values,
    unsigned library_count) {
  const int device = libcuda_context("cuLibraryLoadData")->device;
  const bool is_ptx = strstr(image, ".version") != NULL;
  const bool is_cubin = memcmp(image, "\177ELF", 4) == 0;
  (void)library_options, (void)library_values;
  if (library_count) libcuda_broken("cuLibraryLoadData with options of libraries");
  char words[1024] = "ptxas fatal: the words of the compiler";
  if (!is_cubin && (!is_ptx || strstr(image, "junk") || !assemble(image, words, sizeof words))) {
    for (unsigned i = 0; i < count; i++)
      if (options[i] == CU_JIT_ERROR_LOG_BUFFER) strcpy(values[i], words);
    return CUDA_ERROR_INVALID_PTX;
  }
  struct CUlib_st *library = calloc(1, sizeof *library);
  if (!library) return CUDA_ERROR_OUT_OF_MEMORY;
  if (is_ptx) read_ptx(library, image, device);
  pthread_mutex_lock(&lock);
  library->older = newest;
  newest = library;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_LIBRARIES], 1, __ATOMIC_SEQ_CST);
  *loaded = library;
  return CUDA_SUCCESS;
}

static void check(const char *call, const struct CUlib_st *library) {
  pthread_mutex_lock(&lock);
  const struct CUlib_st *known = newest;
  while (known && known != library)
    known = known->older;
  pthread_mutex_unlock(&lock);
  if (!known) libcuda_broken("%s of what is no library", call);
  if (known->is_unloaded) libcuda_broken("%s of an unloaded library", call);
}

CUresult cuLibraryUnload(CUlibrary library) {
  check("cuLibraryUnload", library);
  libcuda_wait_for_all("cuLibraryUnload");
  library->is_unloaded = true;
  for (struct variable *variable = library->variables; variable; variable = variable->next)
    libcuda_release("cuLibraryUnload", LIBCUDA_DEVICE_MEMORY, variable->address);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_LIBRARIES], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

CUresult cuLibraryGetKernel(CUkernel *found, CUlibrary library, const char *name) {
  check("cuLibraryGetKernel", library);
  struct CUkern_st *kernel = library->kernels;
  while (kernel && strcmp(kernel->name, name) != 0)
    kernel = kernel->next;
  *found = kernel;
  return kernel ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuLibraryGetGlobal(
    CUdeviceptr *address, size_t *size, CUlibrary library, const char *name) {
  check("cuLibraryGetGlobal", library);
  for (const struct variable *variable = library->variables; variable; variable = variable->next) {
    if (strcmp(variable->name, name) != 0) continue;
    *address = variable->address;
    *size = variable->size;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_NOT_FOUND;
}

struct CUkern_st *libcuda_kernel(const char *call, const void *handle) {
  struct CUkern_st *found = NULL;
  bool is_loaded = false;
  pthread_mutex_lock(&lock);
  for (const struct CUlib_st *library = newest; library && !found; library = library->older)
    for (struct CUkern_st *kernel = library->kernels; kernel && !found; kernel = kernel->next)
      if ((const void *)kernel == handle) {
        found = kernel;
        is_loaded = !library->is_unloaded;
      }
  pthread_mutex_unlock(&lock);
  if (!found) libcuda_broken("%s of what is no kernel", call);
  if (!is_loaded) libcuda_broken("%s of a kernel of an unloaded library", call);
  return found;
}

CUresult cuKernelGetAttribute(
    int *value, CUfunction_attribute what, CUkernel handle, CUdevice device) {
  (void)device;
  const struct CUkern_st *kernel = libcuda_kernel("cuKernelGetAttribute", handle);
  *value = what == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK           ? 1024
           : what == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ? kernel->dynamic_limit
                                                                     : 0;
  return CUDA_SUCCESS;
}

CUresult cuKernelSetAttribute(
    CUfunction_attribute what, int value, CUkernel handle, CUdevice device) {
  (void)device;
  struct CUkern_st *kernel = libcuda_kernel("cuKernelSetAttribute", handle);
  if (what != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value > 232448)
    return CUDA_ERROR_INVALID_VALUE;
  kernel->dynamic_limit = value;
  return CUDA_SUCCESS;
}
