#include "offload.h"

#include "works.h"

static void *shared(const struct offload *o) {
  void *memory = NULL;
  CHECK_EQ(syclze_malloc_shared(OFFLOAD_ITEMS * sizeof(double), o->device, o->context, &memory),
      ZE_RESULT_SUCCESS);
  memset(memory, 0, OFFLOAD_ITEMS * sizeof(double));
  return memory;
}

void offload_begin(struct offload *o, const char *cache_folder) {
  memset(o, 0, sizeof *o);
  o->g = given();
  o->device = made_device(&o->g);
  o->context = made_context(&o->g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_offload_set_create(&o->set), ZE_RESULT_SUCCESS);
  const syclze_program_desc desc = {
      .set = o->set, .cache_folder = cache_folder ? cache_folder : ""};
  CHECK_EQ(syclze_program_create(o->context, &desc, &o->program), ZE_RESULT_SUCCESS);
  o->in = shared(o);
  o->out = shared(o);
  o->ints = shared(o);
}

void offload_add(struct offload *o, const char *path) {
  CHECK(o->file_count < OFFLOAD_FILES);
  const struct given_file file = given_file(path);
  o->files[o->file_count++] = file;
  CHECK_EQ(syclze_offload_set_add_bytes(o->set, syclze_bytes_of(file.bytes, file.size), file.bytes),
      ZE_RESULT_SUCCESS);
}

void offload_end(struct offload *o) {
  syclze_free(o->in, o->context);
  syclze_free(o->out, o->context);
  syclze_free(o->ints, o->context);
  CHECK_EQ(syclze_program_release(o->program), ZE_RESULT_SUCCESS);
  syclze_offload_set_release(o->set);
  syclze_context_release(o->context);
  for (int i = 0; i < o->file_count; i++)
    free(o->files[i].bytes);
  given_end(&o->g);
}

syclze_queue offload_queue(const struct offload *o) {
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of(o->g.list),
      .device = o->device,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_queue queue;
  CHECK_EQ(syclze_make_queue(&input, o->context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

uint8_t *offload_native_binary(struct offload *o, const char *kernel, size_t *size) {
  const syclze_program_request request = {.kernel = kernel};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_program_get_bundle(o->program, o->device, &request, &bundle), ZE_RESULT_SUCCESS);
  ze_module_handle_t module = syclze_kernel_bundle_get_native(bundle).modules[0];
  *size = 0;
  CHECK_EQ(zeModuleGetNativeBinary(module, size, NULL), ZE_RESULT_SUCCESS);
  uint8_t *binary = malloc(*size);
  CHECK(binary != NULL);
  CHECK_EQ(zeModuleGetNativeBinary(module, size, binary), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  return binary;
}

syclze_kernel offload_kernel(
    struct offload *o, const char *name, const syclze_spec_value *values, uint32_t count) {
  static char log[4096];
  const syclze_program_request request = {name, values, count, log, sizeof log};
  syclze_kernel kernel;
  const ze_result_t result = syclze_program_get_kernel(o->program, o->device, &request, &kernel);
  if (result != ZE_RESULT_SUCCESS)
    check_fail(__FILE__, __LINE__, "%s: %s: %s", name, syclze_result_string(result), log);
  return kernel;
}

void offload_argument(syclze_kernel kernel, uint32_t index, const void *value, size_t size) {
  CHECK_EQ(zeKernelSetArgumentValue(syclze_kernel_get_native(kernel), index, size, value), 0);
}

void offload_run(struct offload *o, syclze_kernel kernel, uint32_t groups, uint32_t size) {
  const ze_group_count_t counts = {groups, 1, 1};
  ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  CHECK_EQ(zeKernelSetGroupSize(native, size, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendLaunchKernel(o->g.list, native, &counts, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  works_wait(&o->g, o->g.list);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
}

void offload_run_axpy(struct offload *o, float a) {
  const uint32_t n = OFFLOAD_ITEMS - 1;
  for (int i = 0; i < OFFLOAD_ITEMS; i++) {
    o->in[i] = (float)i;
    o->out[i] = 1.0f;
  }
  syclze_kernel axpy = offload_kernel(o, "axpy", NULL, 0);
  offload_argument(axpy, 0, &o->out, sizeof o->out);
  offload_argument(axpy, 1, &o->in, sizeof o->in);
  offload_argument(axpy, 2, &a, sizeof a);
  offload_argument(axpy, 3, &n, sizeof n);
  offload_run(o, axpy, OFFLOAD_ITEMS / 64, 64);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o->out[i] == (i < OFFLOAD_ITEMS - 1 ? a * (float)i + 1.0f : 1.0f));
}
