/* A library for check.py: what programs of DPC++ register with it are images for syclze, whose
   kernels are built and launched by name. It stands in for SYCL's runtime: the entry points below
   are found before that library's. */
#include "syclze/syclze.h"
#include "syclze/offload/launch.h"
#include "syclze/offload/offload.h"

SYCLZE_DEFINE_SYCL_REGISTER

static syclze_device device;
static syclze_context context;
static syclze_program program;
static syclze_queue queue;

/* Every kernel of every image, in the order of their addition. */
static char **names;
static uint32_t name_count, image_count, unreadable_count, removed_count, property_count;

ze_result_t images_begin(void);
ze_result_t images_end(void);
uint32_t images_index(void);
uint32_t images_number(int what);
const char *images_name(uint32_t index);
ze_result_t images_build(const char *name, char *log, size_t log_size);
ze_result_t images_forget(void);
const char *images_result(ze_result_t result);
void *images_memory(size_t size);
void images_free(void *memory);
ze_result_t images_run(const char *name, size_t items, uint32_t count, const int *types,
    const size_t *sizes, const void *const *values);

#define TRY(call)                                                                                  \
  do {                                                                                             \
    ze_result_t result_ = (call);                                                                  \
    if (result_ != ZE_RESULT_SUCCESS) return result_;                                              \
  } while (0)

ze_result_t images_begin(void) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  uint32_t one = 1;
  syclze_platform platform;
  TRY(syclze_platform_get(&one, &platform));
  TRY(syclze_device_get(platform, &one, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, &in_order, &queue));
  return syclze_program_create(context, NULL, &program);
}

ze_result_t images_end(void) {
  for (uint32_t i = 0; i < name_count; i++)
    free(names[i]);
  free((void *)names);
  names = NULL, name_count = 0;
  TRY(syclze_queue_release(queue));
  TRY(syclze_program_release(program));
  return syclze_context_release(context);
}

static void add_image(const syclze_offload_image *image) {
  static syclze_kernel_info info;
  syclze_spirv_index index;
  syclze_property_sets sets;
  image_count++;
  if (syclze_spirv_index_make(image->bytes, &index) != ZE_RESULT_SUCCESS) {
    unreadable_count++;
    return;
  }
  if (syclze_property_sets_open(image, &sets) == ZE_RESULT_SUCCESS) {
    property_count += (uint32_t)syclze_property_count(sets);
    syclze_property_sets_close(sets);
  } else {
    unreadable_count++;
  }
  for (uint32_t k = 0; k < index.kernel_count; k++) {
    const syclze_spirv_kernel *kernel = &index.kernels[k];
    if (syclze_kernel_info_read(image, kernel->name, &info) != ZE_RESULT_SUCCESS ||
        (info.source_argument_count != 0 && info.argument_count != kernel->argument_count))
      unreadable_count++;
    removed_count += info.source_argument_count > info.argument_count;
    names[name_count++] = strdup(kernel->name);
  }
  syclze_spirv_index_end(&index);
}

/* Reads every registered image. Returns the number of kernels. */
uint32_t images_index(void) {
  uint32_t count = 0;
  syclze_offload_set set = syclze_offload_registered();
  syclze_offload_set_list(set, &count, NULL);
  syclze_offload_found *found = calloc(count + 1, sizeof *found);
  names = calloc((size_t)count * 16 + 1, sizeof *names);
  if (found == NULL || names == NULL) abort();
  syclze_offload_set_list(set, &count, found);
  for (uint32_t i = 0; i < count; i++)
    add_image(&found[i].image);
  free(found);
  return name_count;
}

/* 0: images; 1: unreadable images, properties or masks; 2: kernels with removed arguments;
   3: properties. */
uint32_t images_number(int what) {
  const uint32_t numbers[] = {image_count, unreadable_count, removed_count, property_count};
  return numbers[what];
}

const char *images_name(uint32_t index) {
  return names[index];
}

ze_result_t images_build(const char *name, char *log, size_t log_size) {
  const syclze_program_request request = {name, NULL, 0, log, log_size};
  syclze_kernel kernel;
  TRY(syclze_program_get_kernel(program, device, &request, &kernel));
  return syclze_kernel_release(kernel);
}

/* Frees what was built. */
ze_result_t images_forget(void) {
  TRY(syclze_program_release(program));
  return syclze_program_create(context, NULL, &program);
}

const char *images_result(ze_result_t result) {
  return syclze_result_string(result);
}

void *images_memory(size_t size) {
  void *memory = NULL;
  return syclze_malloc_shared(size, device, context, &memory) == ZE_RESULT_SUCCESS ? memory : NULL;
}

void images_free(void *memory) {
  syclze_free(memory, context);
}

ze_result_t images_run(const char *name, size_t items, uint32_t count, const int *types,
    const size_t *sizes, const void *const *values) {
  enum { MOST = 16 };
  syclze_argument arguments[MOST];
  const syclze_program_request request = {.kernel = name};
  const syclze_nd_range range = {.global = {items}, .local = {items}};
  syclze_event done;
  if (count > MOST) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (uint32_t i = 0; i < count; i++) {
    arguments[i] = syclze_argument_value(values[i], sizes[i]);
    arguments[i].type = (uint8_t)types[i];
  }
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_program_launch(program, &group, &request, &range, arguments, count, &done));
  TRY(syclze_event_wait(done));
  return syclze_event_release(done);
}
