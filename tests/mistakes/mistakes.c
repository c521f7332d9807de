/* Typical mistakes, one for each run: `mistakes NAME`. With the debug checker where SYCLZE_CHECK is
   defined; run.sh makes the table of what is said. `mistakes` alone lists them. */
#ifdef SYCLZE_CHECK
#define SYCLZE_CHECK_FREE
#endif
#include "mistakes.h"

#include <pthread.h>

/* Makes. */
static void null_handle(void) {
  const syclze_event_input input = {NULL, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event;
  syclze_make_event(&input, context, &event);
}
static void null_input(void) {
  syclze_event event;
  syclze_make_event(NULL, context, &event);
}
static void null_result(void) {
  const syclze_event_input input = {native_event(native_context), SYCLZE_OWNERSHIP_KEEP};
  syclze_make_event(&input, context, NULL);
}
static void ownership_out_of_range(void) {
  const syclze_event_input input = {native_event(native_context), (syclze_ownership)7};
  syclze_event event;
  syclze_make_event(&input, context, &event);
}
static void context_without_devices(void) {
  const syclze_context_input input = {native_context, NULL, 0, SYCLZE_OWNERSHIP_KEEP};
  syclze_context made;
  syclze_make_context(&input, &made);
}
static void queue_without_device(void) {
  const syclze_queue_input input = {.native_handle = syclze_native_queue_of(immediate_list())};
  syclze_queue made;
  syclze_make_queue(&input, context, &made);
}
static void kernel_without_bundle(void) {
  const syclze_kernel kernel = kernel_made("axpy");
  const syclze_kernel_input input = {
      .native_handle = syclze_get_native(kernel), .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel made;
  syclze_make_kernel(&input, context, &made);
}
static void kernel_of_an_unknown_name(void) {
  syclze_kernel kernel;
  syclze_kernel_create(bundle_made(SYCLZE_OWNERSHIP_TRANSFER), "no_such_kernel", &kernel);
}
static void buffer_of_memory(void *memory, size_t element_size, uint32_t dimensions, size_t count) {
  const syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = element_size,
      .dimensions = dimensions,
      .range = {count, 1, 1}};
  syclze_buffer buffer;
  syclze_make_buffer(&input, context, &buffer);
}
static void buffer_of_host_memory(void) {
  buffer_of_memory(data, 4, 1, COUNT);
}
static void buffer_larger_than_its_memory(void) {
  buffer_of_memory(device_memory(), 4, 1, 9000);
}
static void buffer_of_four_dimensions(void) {
  buffer_of_memory(device_memory(), 4, 4, COUNT);
}
static void two_kinds_of_host_data(void) {
  const syclze_buffer_desc desc = {
      .host_data = data, .const_host_data = data, .element_size = 4, .range = {COUNT}};
  syclze_buffer buffer;
  syclze_buffer_create(context, &desc, &buffer);
}
static void buffer_without_range(void) {
  const syclze_buffer_desc desc = {.host_data = data, .element_size = 4};
  syclze_buffer buffer;
  syclze_buffer_create(context, &desc, &buffer);
}
static void sub_buffer_outside(void) {
  const size_t offset = COUNT - 1, count = 2;
  syclze_buffer part;
  syclze_buffer_create_sub(buffer_of(data), &offset, &count, &part);
}
static void sub_buffer_of_a_sub_buffer(void) {
  const size_t offset = 0, count = 2;
  syclze_buffer part, of_part;
  NEED(syclze_buffer_create_sub(buffer_of(data), &offset, &count, &part));
  syclze_buffer_create_sub(part, &offset, &count, &of_part);
}
static void queue_with(syclze_property_list properties) {
  syclze_queue created;
  syclze_queue_create(context, device, &properties, &created);
}
static void queue_of_two_priorities(void) {
  queue_with((syclze_property_list){
      SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW | SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH, 0, 0});
}
static void queue_of_an_unknown_group(void) {
  queue_with((syclze_property_list){SYCLZE_QUEUE_PROPERTY_ORDINAL, 0, 99});
}
static void queue_of_unknown_properties(void) {
  queue_with((syclze_property_list){1u << 30, 0, 0});
}

/* Ownership. */
static void transferred_twice(void) {
  const syclze_event_input input = {native_event(native_context), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event first, second;
  NEED(syclze_make_event(&input, context, &first));
  syclze_make_event(&input, context, &second);
}
static void destroyed_while_wrapped(void) {
  const syclze_event event = event_made(SYCLZE_OWNERSHIP_KEEP);
  zeEventDestroy(syclze_get_native(event));
}
static void context_destroyed_before_its_queue(void) {
  NEED(syclze_release(context));
  zeContextDestroy(native_context);
}
static void module_destroyed_before_its_kernel(void) {
  const syclze_kernel_bundle bundle = bundle_made(SYCLZE_OWNERSHIP_KEEP);
  const ze_module_handle_t module = syclze_get_native(bundle).modules[0];
  syclze_kernel kernel;
  NEED(syclze_kernel_create(bundle, "axpy", &kernel));
  NEED(syclze_release(bundle));
  zeModuleDestroy(module);
}
static void released_twice(void) {
  const syclze_event event = event_made(SYCLZE_OWNERSHIP_TRANSFER);
  NEED(syclze_release(event));
  syclze_release(event);
}
static void released_twice_after_another_make(void) {
  const syclze_event event = event_made(SYCLZE_OWNERSHIP_TRANSFER);
  NEED(syclze_release(event));
  event_made(SYCLZE_OWNERSHIP_TRANSFER);
  syclze_release(event);
}
static void used_after_release(void) {
  const syclze_event event = event_made(SYCLZE_OWNERSHIP_TRANSFER);
  NEED(syclze_release(event));
  (void)syclze_get_native(event);
}
static void waited_for_after_release(void) {
  syclze_event event;
  NEED(syclze_event_create(context, 0, &event));
  NEED(syclze_release(event));
  syclze_event_wait(event);
}
static void native_of_null(void) {
  static syclze_queue none;
  printf("%s", syclze_queue_get_native(none).list != NULL ? "a handle\n" : "");
}
static void graph_released_twice(void) {
  syclze_graph graph;
  NEED(syclze_graph_create(context, device, &graph));
  NEED(syclze_release(graph));
  syclze_release(graph);
}
static void event_never_released(void) {
  event_made(SYCLZE_OWNERSHIP_KEEP);
  NEED(syclze_release(queue));
  NEED(syclze_release(context));
  is_kept = true;
}
static void graph_never_released(void) {
  syclze_graph graph;
  NEED(syclze_graph_create(context, device, &graph));
  is_kept = true;
}
static void freed_without_context(void) {
  static syclze_context none;
  syclze_free(device_memory(), none);
}
static void buffer_s_memory_freed(void) {
  void *memory;
  NEED(syclze_malloc_shared(SIZE, device, context, &memory));
  buffer_of_memory(memory, 4, 1, COUNT);
  syclze_free(memory, context);
}

/* Groups. */
static void group_without_queue(void) {
  static syclze_queue none;
  syclze_group group = syclze_group_begin(none);
  syclze_group_barrier(&group, NULL);
}
static void group_without_an_end(void) {
  const syclze_buffer buffer = buffer_of(data);
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  NEED(syclze_release(buffer));
  NEED(syclze_release(queue));
  NEED(syclze_release(context));
  is_kept = true;
}
static void group_submitted_twice(void) {
  syclze_group group = syclze_group_begin(queue);
  NEED(syclze_group_barrier(&group, NULL));
  syclze_group_barrier(&group, NULL);
}
static void access_mode_out_of_range(void) {
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer_of(data), (syclze_access_mode)77);
  syclze_group_barrier(&group, NULL);
}
static void released_object_in_a_group(void) {
  const syclze_event event = event_made(SYCLZE_OWNERSHIP_TRANSFER);
  NEED(zeEventHostSignal(syclze_get_native(event)));
  NEED(syclze_release(event));
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, event);
  syclze_group_barrier(&group, NULL);
}
static void wait_list_without_events(void) {
  const uint32_t value = 1;
  syclze_queue_fill(queue, device_memory(), &value, 4, SIZE, NULL, 3, NULL);
}
static void host_task_without_function(void) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_host_task(&group, NULL, NULL, NULL);
}

/* Memory. */
static void copy_of_null(void) {
  syclze_queue_copy(queue, NULL, data, SIZE, NULL, 0, NULL);
}
static void copy_beyond_the_allocation(void) {
  static uint32_t more[4 * COUNT];
  syclze_queue_copy(queue, device_memory(), more, 4 * SIZE, NULL, 0, NULL);
}
static void fill_beyond_the_allocation(void) {
  const uint32_t value = 1;
  syclze_queue_fill(queue, device_memory(), &value, 4, 4 * SIZE, NULL, 0, NULL);
}
static void copy_to_a_read_accessor(void) {
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor to = syclze_require(&group, buffer_of(data), SYCLZE_ACCESS_READ);
  const uint32_t value = 1;
  syclze_group_fill(&group, syclze_mem_arg(to), &value, 4, SIZE, NULL);
}
static void copy_beyond_an_accessor(void) {
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor to = syclze_require(&group, buffer_of(data), SYCLZE_ACCESS_WRITE);
  const uint32_t value = 1;
  syclze_group_fill(&group, syclze_mem_arg(to), &value, 4, 2 * SIZE, NULL);
}
static void accessor_of_another_group(void) {
  const syclze_buffer buffer = buffer_of(data);
  syclze_group first = syclze_group_begin(queue), second = syclze_group_begin(queue);
  const syclze_accessor to = syclze_require(&first, buffer, SYCLZE_ACCESS_WRITE);
  const uint32_t value = 1;
  syclze_group_fill(&second, syclze_mem_arg(to), &value, 4, SIZE, NULL);
}
static void pitch_below_the_width(void) {
  syclze_queue_copy_2d(queue, device_memory(), 4, data, 4, 8, 4, NULL, 0, NULL);
}
static void rows_that_the_pattern_does_not_fill(void) {
  const uint32_t value = 1;
  syclze_queue_fill_2d(queue, device_memory(), 16, &value, 4, 6, 4, NULL, 0, NULL);
}
static void read_beyond_the_buffer(void) {
  uint32_t values[2];
  syclze_buffer_read(buffer_of(data), values, SIZE - 4, 8);
}
static void host_data_freed_early(void) {
  void *memory = calloc(COUNT, 4);
  const syclze_buffer buffer = buffer_of(memory);
  free(memory);
  syclze_release(buffer);
}
static void host_data_unmapped_early(void) {
  void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const syclze_buffer buffer = buffer_of(memory);
  munmap(memory, SIZE);
  syclze_release(buffer);
}
static __attribute__((noinline)) syclze_buffer buffer_of_local_data(void) {
  uint32_t local[COUNT];
  memset(local, 0, sizeof local);
  return buffer_of(local);
}
static void host_data_of_a_function_that_returned(void) {
  const syclze_buffer buffer = buffer_of_local_data();
  syclze_release(buffer);
}
static void ipc_handle_of_other_bytes(void) {
  syclze_ipc_handle handle;
  syclze_ipc_memory opened;
  memset(&handle, 0xab, sizeof handle);
  syclze_ipc_memory_open(&handle, 0, device, context, &opened);
}

/* Launches. */
static const syclze_nd_range range = {.global = {COUNT}, .local = {16}};

static void too_few_arguments(void) {
  const syclze_kernel kernel = kernel_made("axpy");
  void *x = device_memory();
  const float a = 2;
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(&group, kernel, &range, NULL, syclze_arg(a), syclze_arg(x));
}
static void too_many_arguments(void) {
  const syclze_kernel kernel = kernel_made("axpy");
  void *x = device_memory();
  const float a = 2;
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(
      &group, kernel, &range, NULL, syclze_arg(a), syclze_arg(x), syclze_arg(x), syclze_arg(a));
}
static void double_for_a_float(void) {
  const syclze_kernel kernel = kernel_made("axpy");
  void *x = device_memory();
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(&group, kernel, &range, NULL, syclze_arg(2.0), syclze_arg(x), syclze_arg(x));
}
static void integer_for_a_float(void) {
  const syclze_kernel kernel = kernel_made("axpy");
  void *x = device_memory();
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(&group, kernel, &range, NULL, syclze_arg(2), syclze_arg(x), syclze_arg(x));
}
static void value_for_a_pointer(void) {
  const syclze_kernel kernel = kernel_made("iota");
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(&group, kernel, &range, NULL, syclze_arg(data[0]), syclze_arg(1));
}
static void pointer_for_local_memory(void) {
  const syclze_kernel kernel = kernel_made("local_sum");
  void *x = device_memory();
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(&group, kernel, &range, NULL, syclze_arg(x), syclze_arg(x), syclze_arg(x));
}
static void range_that_groups_do_not_divide(void) {
  const syclze_nd_range odd = {.global = {COUNT}, .local = {48}};
  const syclze_kernel kernel = kernel_made("axpy");
  void *x = device_memory();
  const float a = 2;
  syclze_group group = syclze_group_begin(queue);
  syclze_launch(&group, kernel, &odd, NULL, syclze_arg(a), syclze_arg(x), syclze_arg(x));
}

/* Waits. */
static void wait_with_a_held_accessor(void) {
  const syclze_buffer buffer = buffer_of(data);
  syclze_host_accessor accessor;
  const uint32_t value = 1;
  NEED(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &accessor));
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor to = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  NEED(syclze_group_fill(&group, syclze_mem_arg(to), &value, 4, SIZE, NULL));
  syclze_queue_wait(queue);
  NEED(syclze_host_accessor_release(accessor));
}
static void second_accessor_of_the_thread(void) {
  const syclze_buffer buffer = buffer_of(data);
  syclze_host_accessor accessor, second;
  NEED(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_WRITE, &accessor));
  syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &second);
  NEED(syclze_host_accessor_release(accessor));
}
static ze_result_t wait_for_queue(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  syclze_queue_wait(queue);
  return ZE_RESULT_SUCCESS;
}
static void native_command_that_waits_for_its_queue(void) {
  syclze_group group = syclze_group_begin(queue);
  NEED(syclze_group_native_command(&group, wait_for_queue, NULL, NULL));
}
static void host_task_that_waits_for_its_queue(void) {
  syclze_group group = syclze_group_begin(queue);
  NEED(syclze_group_host_task(&group, wait_for_queue, NULL, NULL));
  NEED(syclze_queue_wait(queue));
}
static void accessor_never_released(void) {
  syclze_host_accessor accessor;
  NEED(syclze_host_accessor_create(buffer_of(data), SYCLZE_ACCESS_READ, &accessor));
  is_kept = true;
}
static void accessor_released_twice(void) {
  syclze_host_accessor accessor;
  NEED(syclze_host_accessor_create(buffer_of(data), SYCLZE_ACCESS_READ, &accessor));
  NEED(syclze_host_accessor_release(accessor));
  syclze_host_accessor_release(accessor);
}
static syclze_interop_handle kept_handle;
static ze_result_t keep_handle(syclze_interop_handle handle, void *argument) {
  (void)argument;
  kept_handle = handle;
  return ZE_RESULT_SUCCESS;
}
static void interop_handle_after_its_function(void) {
  syclze_native_queue native;
  syclze_group group = syclze_group_begin(queue);
  NEED(syclze_group_native_command(&group, keep_handle, NULL, NULL));
  syclze_interop_handle_get_native_queue(kept_handle, &native);
}

/* Two calls that are in the list at once: the second within the first, as by another thread. */
static ze_command_list_handle_t shared_list;
static void *append_as_another(void *argument) {
  (void)argument;
  zeCommandListAppendBarrier(shared_list, NULL, 0, NULL);
  return NULL;
}
static uint32_t with_another_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, append_as_another, NULL) == 0) pthread_join(thread, NULL);
  return 0;
}
static void two_threads_in_one_list(void) {
  shared_list = syclze_get_native(queue).list;
  zeCommandListAppendBarrier(shared_list, NULL, with_another_thread(), NULL);
}

/* Graphs. */
static syclze_graph graph_of_a_fill(syclze_event *event) {
  const uint32_t value = 1;
  syclze_graph graph;
  NEED(syclze_graph_create(context, device, &graph));
  NEED(syclze_graph_begin_recording(graph, queue));
  NEED(syclze_queue_fill(queue, device_memory(), &value, 4, SIZE, NULL, 0, event));
  return graph;
}
static void wait_for_a_recorded_event(void) {
  syclze_event event;
  graph_of_a_fill(&event);
  syclze_event_wait(event);
}
static void native_of_a_recorded_event(void) {
  syclze_event event;
  graph_of_a_fill(&event);
  (void)syclze_get_native(event);
}
static void wait_for_a_queue_that_records(void) {
  graph_of_a_fill(NULL);
  syclze_queue_wait(queue);
}
static void recording_begun_twice(void) {
  const syclze_graph graph = graph_of_a_fill(NULL);
  syclze_graph_begin_recording(graph, queue);
}
static void host_access_while_recorded(void) {
  const syclze_buffer buffer = buffer_of(NULL);
  syclze_graph graph;
  uint32_t value = 1;
  NEED(syclze_graph_create(context, device, &graph));
  NEED(syclze_graph_begin_recording(graph, queue));
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor to = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  NEED(syclze_group_fill(&group, syclze_mem_arg(to), &value, 4, SIZE, NULL));
  syclze_buffer_read(buffer, &value, 0, 4);
}
static void update_of_a_graph_that_is_not_updatable(void) {
  const syclze_graph graph = graph_of_a_fill(NULL);
  syclze_executable_graph executable;
  NEED(syclze_graph_end_recording(graph, queue));
  NEED(syclze_graph_finalize(graph, 0, &executable));
  const float value = 1;
  const syclze_argument argument = syclze_arg(value);
  syclze_executable_graph_update_argument(executable, 0, 0, &argument);
}

/* Without the checker the behaviour is undefined, and not tried, or the program waits for ever. */
enum { UNDEFINED = 1, HANGS };
static const struct {
  const char *name, *words;
  void (*make)(void);
  int flags;
} mistakes[] = {
#define MISTAKE(name, words, flags) {#name, words, name, flags},
#include "mistakes.def"
};

int main(int count, char **arguments) {
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
    if (count < 2)
      printf("%s\t%s\t%s\n", mistakes[i].name, mistakes[i].flags == UNDEFINED ? "undefined" : "run",
          mistakes[i].words);
    else if (strcmp(arguments[1], mistakes[i].name) == 0) {
      begin();
      alarm(mistakes[i].flags == HANGS && !SYCLZE__CHECKED ? 1 : 60);
      mistakes[i].make();
      fflush(stdout);
      if (!is_kept) _exit(0);
      return 0;
    }
  }
  return count < 2 ? 0 : 2;
}
