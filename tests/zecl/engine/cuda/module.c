/* Programs and kernels. A program is a library of CUDA's, which any device may run; its kernels are
 * as engine/cuda/ptx.h describes them. */
#include "engine/cuda/cuda.h"
#include "engine/cuda/ptx.h"
#include "modules/program.h"

#include <stdlib.h>
#include <string.h>

enum { LOG_SIZE = 1 << 14 };

struct zecl_engine_program {
  CUlibrary library;
  struct zecl_ptx ptx;
  struct zecl_engine_function *functions; /* of a native one */
};

struct zecl_engine_kernel {
  CUkernel kernel, with_offset; /* the twin, or null */
  const struct zecl_ptx_kernel *of;
  void **parameters; /* one for each argument, and the offset */
  uint64_t values[]; /* of pointers, and of the places of local memory */
};

static void log_error(struct zecl_text *log, CUresult error, const char *words) {
  const char *name = NULL;
  zecl_cuda.error_name(error, &name);
  zecl_text_add(log, "CUDA does not load the module: %s\n%s%s", name ? name : "unknown error",
      words, *words ? "\n" : "");
}

static struct zecl_engine_program *load(struct zecl_ptx *ptx, struct zecl_text *log) {
  struct zecl_engine_program *program = calloc(1, sizeof *program);
  char *words = calloc(1, LOG_SIZE);
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[] = {words, (void *)(uintptr_t)(LOG_SIZE - 1)};
  CUresult error = CUDA_ERROR_OUT_OF_MEMORY;
  if (program && words) {
    zecl_cuda_use(&zecl_cuda_devices[0]);
    error =
        zecl_cuda.library_load(&program->library, ptx->image, options, values, 2, NULL, NULL, 0);
    if (error != CUDA_SUCCESS) log_error(log, error, words);
  }
  free(words);
  if (error == CUDA_SUCCESS) {
    program->ptx = *ptx;
    return program;
  }
  zecl_ptx_free(ptx);
  free(program);
  return NULL;
}

struct zecl_engine_program *zecl_cuda_program_build(
    const struct zecl_program *program, struct zecl_text *log) {
  struct zecl_ptx ptx;
  if (!zecl_ptx_build(&program->spirv, program->flags, zecl_cuda_devices[0].capability, &ptx, log))
    return NULL;
  return load(&ptx, log);
}

static bool list_functions(struct zecl_engine_program *program) {
  program->functions = calloc(program->ptx.kernel_count + 1, sizeof *program->functions);
  for (uint32_t i = 0; program->functions && i < program->ptx.kernel_count; i++) {
    const struct zecl_ptx_kernel *kernel = &program->ptx.kernels[i];
    struct zecl_engine_function *function = &program->functions[i];
    function->name = kernel->name;
    function->arg_count = kernel->arg_count;
    function->args = kernel->args;
    memcpy(function->required_group_size, kernel->required_group_size,
        sizeof function->required_group_size);
  }
  return program->functions != NULL;
}

struct zecl_engine_program *zecl_cuda_program_load(
    const void *bytes, size_t size, struct zecl_text *log) {
  struct zecl_ptx ptx;
  if (!zecl_ptx_read(bytes, size, &ptx, log)) return NULL;
  struct zecl_engine_program *program = load(&ptx, log);
  if (program && !list_functions(program)) {
    zecl_cuda_program_release(program);
    return NULL;
  }
  return program;
}

const struct zecl_engine_function *zecl_cuda_program_functions(
    struct zecl_engine_program *program, uint32_t *count) {
  *count = program->ptx.kernel_count;
  return program->functions;
}

void *zecl_cuda_program_variable(
    struct zecl_engine_program *program, uint32_t device, const char *name, size_t *size) {
  CUdeviceptr address = 0;
  size_t bytes = 0;
  char *symbol = zecl_ptx_symbol(name);
  zecl_cuda_use(&zecl_cuda_devices[device]);
  const bool found = symbol && zecl_cuda.library_global(
                                   &address, &bytes, program->library, symbol) == CUDA_SUCCESS;
  free(symbol);
  if (found && size) *size = bytes;
  return found ? (void *)(uintptr_t)address : NULL;
}

void zecl_cuda_program_release(struct zecl_engine_program *program) {
  zecl_cuda_use(&zecl_cuda_devices[0]);
  zecl_cuda.library_unload(program->library);
  zecl_ptx_free(&program->ptx);
  free(program->functions);
  free(program);
}

static const struct zecl_ptx_kernel *find(
    const struct zecl_engine_program *program, const char *name) {
  for (uint32_t i = 0; i < program->ptx.kernel_count; i++)
    if (strcmp(program->ptx.kernels[i].name, name) == 0) return &program->ptx.kernels[i];
  return NULL;
}

static int attribute(CUkernel kernel, CUfunction_attribute what) {
  int value = 0;
  zecl_cuda.kernel_attribute(&value, what, kernel, zecl_cuda_devices[0].device);
  return value;
}

static bool takes_local(const struct zecl_ptx_kernel *of) {
  for (uint32_t i = 0; i < of->arg_count; i++)
    if (of->args[i].kind == ZECL_ARG_LOCAL) return true;
  return false;
}

/* Lets launches take all of the local memory that the kernel's own leaves. */
static void allow_local(CUkernel kernel) {
  const int own = attribute(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  for (uint32_t i = 0; i < zecl_cuda_device_count; i++)
    zecl_cuda.kernel_set(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
        (int)zecl_cuda_properties[i].local_size - own, kernel, zecl_cuda_devices[i].device);
}

static CUresult find_twin(const struct zecl_engine_program *program, const char *entry,
    struct zecl_engine_kernel *kernel) {
  static const char suffix[] = "_with_offset";
  const size_t length = strlen(entry);
  char *name = malloc(length + sizeof suffix);
  if (!name) return CUDA_ERROR_OUT_OF_MEMORY;
  memcpy(name, entry, length);
  memcpy(name + length, suffix, sizeof suffix);
  const CUresult error = zecl_cuda.library_kernel(&kernel->with_offset, program->library, name);
  free(name);
  return error;
}

struct zecl_engine_kernel *zecl_cuda_kernel_create(
    struct zecl_engine_program *program, const char *name, ze_result_t *result) {
  const struct zecl_ptx_kernel *of = find(program, name);
  *result = ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  if (!of) return NULL;
  struct zecl_engine_kernel *kernel =
      calloc(1, sizeof *kernel + (of->arg_count + 1) * (sizeof(uint64_t) + sizeof(void *)));
  *result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (!kernel) return NULL;
  kernel->of = of;
  kernel->parameters = (void **)(void *)(kernel->values + of->arg_count + 1);
  CUresult error = zecl_cuda.library_kernel(&kernel->kernel, program->library, of->entry);
  if (error == CUDA_SUCCESS && of->offset == ZECL_PTX_OFFSET_TWIN)
    error = find_twin(program, of->entry, kernel);
  *result = zecl_cuda_result(error);
  if (error != CUDA_SUCCESS) {
    free(kernel);
    return NULL;
  }
  if (takes_local(of)) {
    allow_local(kernel->kernel);
    if (kernel->with_offset) allow_local(kernel->with_offset);
  }
  return kernel;
}

void zecl_cuda_kernel_release(struct zecl_engine_kernel *kernel) {
  free(kernel);
}

void zecl_cuda_kernel_get_limits(
    struct zecl_engine_kernel *kernel, struct zecl_engine_kernel_limits *limits) {
  const int most = attribute(kernel->kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  limits->max_group_size = most > 0 ? (uint32_t)most : 1;
  limits->preferred_multiple = zecl_cuda_properties[0].sub_group_sizes[0];
  limits->local_size = (uint32_t)attribute(kernel->kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  limits->private_size = (uint32_t)attribute(kernel->kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
}

/* The local memory of arguments is not included, since only a launch has it: CUDA refuses one that
 * is too large. */
uint32_t zecl_cuda_cooperating_groups(struct zecl_engine_kernel *kernel, uint32_t items) {
  int of_processor = 0;
  zecl_cuda_use(&zecl_cuda_devices[0]);
  const CUresult error =
      zecl_cuda.occupancy(&of_processor, (CUfunction)(void *)kernel->kernel, (int)items, 0);
  return error == CUDA_SUCCESS && of_processor > 0
             ? (uint32_t)of_processor * zecl_cuda_properties[0].compute_units
             : 1;
}

ze_result_t zecl_cuda_set_value(
    struct zecl_engine_kernel *kernel, uint32_t index, size_t size, const void *value) {
  (void)size;
  kernel->parameters[index] = (void *)(uintptr_t)value; /* CUDA reads it */
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_cuda_set_pointer(
    struct zecl_engine_kernel *kernel, uint32_t index, void *pointer) {
  kernel->values[index] = (uintptr_t)pointer;
  kernel->parameters[index] = &kernel->values[index];
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_cuda_set_local(struct zecl_engine_kernel *kernel, uint32_t index, size_t size) {
  kernel->values[index] = size; /* until the launch, which places it */
  kernel->parameters[index] = NULL;
  return ZE_RESULT_SUCCESS;
}

/* Places the arguments of local memory one after another. Returns the bytes they take. */
static size_t place_local(
    const struct zecl_engine_kernel *kernel, uint32_t *places, void **parameters) {
  const struct zecl_ptx_kernel *of = kernel->of;
  size_t end = 0;
  for (uint32_t i = 0; i < of->arg_count; i++) {
    if (of->args[i].kind != ZECL_ARG_LOCAL) continue;
    places[i] = (uint32_t)end;
    parameters[i] = &places[i];
    end += (kernel->values[i] + ZECL_PTX_LOCAL_ALIGN - 1) / ZECL_PTX_LOCAL_ALIGN *
           ZECL_PTX_LOCAL_ALIGN;
  }
  return end;
}

ze_result_t zecl_cuda_enqueue(struct zecl_engine_queue *queue, struct zecl_engine_kernel *kernel,
    const size_t offset[3], const size_t global[3], const size_t local[3], bool cooperative) {
  const struct zecl_ptx_kernel *of = kernel->of;
  uint32_t first[3] = {0, 0, 0};
  unsigned groups[3], items[3];
  for (int i = 0; i < 3; i++) {
    if (offset) first[i] = (uint32_t)offset[i];
    items[i] = local ? (unsigned)local[i] : 1;
    groups[i] = (unsigned)(global[i] / items[i]);
    if (groups[i] > zecl_cuda_properties[0].max_groups[i])
      return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  }
  const bool is_offset = first[0] || first[1] || first[2];
  CUkernel run = kernel->kernel;
  if (of->offset == ZECL_PTX_OFFSET_TWIN && is_offset) run = kernel->with_offset;
  uint32_t places[of->arg_count + 1];
  const size_t local_size = place_local(kernel, places, kernel->parameters);
  kernel->parameters[of->arg_count] = first; /* unread where the kernel takes none */
  const CUfunction function = (CUfunction)(void *)run;
  zecl_cuda_use(queue->device);
  if (cooperative)
    return zecl_cuda_result(zecl_cuda.launch_cooperative(function, groups[0], groups[1], groups[2],
        items[0], items[1], items[2], (unsigned)local_size, queue->stream, kernel->parameters));
  return zecl_cuda_result(zecl_cuda.launch(function, groups[0], groups[1], groups[2], items[0],
      items[1], items[2], (unsigned)local_size, queue->stream, kernel->parameters, NULL));
}
