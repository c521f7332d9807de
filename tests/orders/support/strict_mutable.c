/* Lists whose launches are updated, and lists that are captured into graphs of the driver's own.
 * Found by name; what older headers do not declare is described here again. */
#include "strict_object.h"

enum {
  MUTABLE_PROPERTIES = 0x00020015,
  CAPTURE_PROPERTIES = 0x00020047,
  ARGUMENT = 0x00020019,
  GROUP_COUNT = 0x0002001a,
  GROUP_SIZE = 0x0002001b,
  OFFSET = 0x0002001c,
  LAUNCH = 15, /* all four */
  KERNEL = 64
};

/* Begins all structures of a chain. */
struct link {
  uint32_t type;
  struct link *next;
};

struct mutable_properties {
  struct link link;
  uint32_t list_flags, command_flags;
};

struct capture_properties {
  struct link link;
  uint32_t flags;
};

struct value {
  struct link link;
  uint64_t command;
  uint32_t index; /* of an argument */
  size_t size;
  const void *argument;
};

void strict_fill_mutable(void *chain) {
  for (struct link *link = chain; link != NULL; link = link->next) {
    if (link->type == MUTABLE_PROPERTIES) {
      struct mutable_properties *properties = (struct mutable_properties *)(void *)link;
      properties->list_flags = 0;
      properties->command_flags = LAUNCH | KERNEL;
    }
    if (link->type == CAPTURE_PROPERTIES) ((struct capture_properties *)(void *)link)->flags = 1;
  }
}

ze_result_t ZE_APICALL strict_next_command(ze_command_list_handle_t list, const void *desc,
    uint64_t *command) __asm__("zeCommandListGetNextCommandIdExp");
ze_result_t ZE_APICALL strict_update_commands(ze_command_list_handle_t list,
    const struct link *desc) __asm__("zeCommandListUpdateMutableCommandsExp");
ze_result_t ZE_APICALL strict_next_of_kernels(ze_command_list_handle_t list, const void *desc,
    uint32_t count, ze_kernel_handle_t *kernels,
    uint64_t *command) __asm__("zeCommandListGetNextCommandIdWithKernelsExp");
ze_result_t ZE_APICALL strict_update_kernels(ze_command_list_handle_t list, uint32_t count,
    uint64_t *commands,
    ze_kernel_handle_t *kernels) __asm__("zeCommandListUpdateMutableCommandKernelsExp");
ze_result_t ZE_APICALL strict_get_ordinal(
    ze_command_queue_handle_t queue, uint32_t *ordinal) __asm__("zeCommandQueueGetOrdinal");
ze_result_t ZE_APICALL strict_graph_create(
    ze_context_handle_t context, const void *next, void **graph) __asm__("zeGraphCreateExt");
ze_result_t ZE_APICALL strict_begin_capture(ze_command_list_handle_t list, void *graph,
    const void *next) __asm__("zeCommandListBeginCaptureIntoGraphExt");
ze_result_t ZE_APICALL strict_end_capture(ze_command_list_handle_t list, const void *next,
    void **graph) __asm__("zeCommandListEndGraphCaptureExt");
ze_result_t ZE_APICALL strict_instantiate(void *graph, const void *next, void **executable) __asm__(
    "zeGraphInstantiateExt");
ze_result_t ZE_APICALL strict_append_graph(ze_command_list_handle_t list, void *executable,
    const void *next, ze_event_handle_t signal, uint32_t count,
    ze_event_handle_t *waits) __asm__("zeCommandListAppendGraphExt");
ze_result_t ZE_APICALL strict_destroy_executable(void *executable) __asm__(
    "zeExecutableGraphDestroyExt");
ze_result_t ZE_APICALL strict_destroy_graph(void *graph) __asm__("zeGraphDestroyExt");

ze_result_t ZE_APICALL strict_get_ordinal(ze_command_queue_handle_t queue, uint32_t *ordinal) {
  STRICT_ENTER();
  strict_lock();
  (void)strict_object(queue, STRICT_QUEUE, __func__);
  strict_unlock();
  *ordinal = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_next_command(
    ze_command_list_handle_t list, const void *desc, uint64_t *command) {
  STRICT_ENTER();
  (void)desc;
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  if (object != NULL && (object->immediate || object->closed))
    strict_report("%s: the list is immediate or closed", __func__);
  *command = strict_clock();
  if (object != NULL) object->next_command = *command;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

/* The driver reads the kernels: no other thread uses them meanwhile. */
ze_result_t ZE_APICALL strict_next_of_kernels(ze_command_list_handle_t list, const void *desc,
    uint32_t count, ze_kernel_handle_t *kernels, uint64_t *command) {
  const ze_result_t result = strict_next_command(list, desc, command);
  if (result != ZE_RESULT_SUCCESS) return result;
  for (uint32_t i = 0; i < count; i++)
    strict_alone_begin(kernels[i], __func__);
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  if (count > STRICT_KERNELS) strict_report("%s: more kernels than it has room for", __func__);
  for (uint32_t i = 0; i < count && i < STRICT_KERNELS; i++)
    object->next_kernels[i] = strict_object(kernels[i], STRICT_KERNEL, __func__);
  strict_unlock();
  for (uint32_t i = 0; i < count; i++)
    strict_alone_end(kernels[i]);
  return result;
}

static struct strict_command *command_of(const struct strict_list *list, uint64_t identifier) {
  struct strict_command *command = list->first;
  while (command != NULL && command->identifier != identifier)
    command = command->next;
  return command;
}

/* The memory that the command refers to is that of its values, and no longer that of others. */
static void use_again(struct strict_command *command) {
  const struct strict_object *kernel = NULL, *signal = NULL;
  struct strict_object *kept[2];
  uint32_t count = 0;
  if (command->signal != NULL) signal = &command->signal->object;
  for (uint32_t i = 0; i < command->used_count; i++) {
    struct strict_object *used = command->used[i];
    if (used->kind == STRICT_KERNEL && kernel == NULL) kept[count++] = command->used[i];
    if (used->kind == STRICT_KERNEL) kernel = used;
    if (used == signal && count < 2) kept[count++] = used;
  }
  command->used_count = 0;
  for (uint32_t i = 0; i < count; i++)
    strict_command_use(command, kept[i]);
  for (uint32_t i = 0; i < command->values->count; i++)
    strict_use_argument(command, command->values->bytes[i], "an update");
}

/* A list that runs is not updated; one that was updated is closed again. */
static void begin_update(struct strict_list *list, const char *function) {
  if (list == NULL) return;
  if (!list->closed && !list->updated) strict_report("%s: the list is not closed", function);
  if (list->object.uses != 0) strict_report("%s: the list's commands did not run", function);
  list->closed = false;
  list->updated = true;
}

/* Gives the command the kernel's function, without arguments and a shape. */
static void replace_kernel(
    struct strict_command *command, struct strict_program_kernel *kernel, const char *function) {
  bool is_given = false;
  for (uint32_t i = 0; i < STRICT_KERNELS; i++)
    is_given = is_given || command->kernels[i] == (const void *)kernel;
  if (!is_given) strict_report("%s: the launch was recorded without this kernel", function);
  command->function = kernel->entry->function;
  command->lost = (1u << command->values->count) - 1;
  for (uint32_t type = GROUP_COUNT; type <= OFFSET; type++)
    command->lost |= 1u << (STRICT_ARGUMENTS + type - ARGUMENT);
  for (uint32_t i = 0; i < command->used_count; i++)
    if (command->used[i]->kind == STRICT_KERNEL) command->used[i] = &kernel->object;
  memset(command->values->bytes, 0, sizeof command->values->bytes);
}

ze_result_t ZE_APICALL strict_update_kernels(ze_command_list_handle_t list, uint32_t count,
    uint64_t *commands, ze_kernel_handle_t *kernels) {
  STRICT_ENTER();
  strict_alone_begin(list, __func__);
  for (uint32_t i = 0; i < count; i++)
    strict_alone_begin(kernels[i], __func__);
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  begin_update(object, __func__);
  for (uint32_t i = 0; i < count && object != NULL; i++) {
    struct strict_program_kernel *kernel = strict_object(kernels[i], STRICT_KERNEL, __func__);
    struct strict_command *command = command_of(object, commands[i]);
    if (command != NULL && kernel != NULL)
      replace_kernel(command, kernel, __func__);
    else
      strict_report("%s: the list has no such command", __func__);
  }
  strict_unlock();
  for (uint32_t i = 0; i < count; i++)
    strict_alone_end(kernels[i]);
  strict_alone_end(list);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_update_commands(
    ze_command_list_handle_t list, const struct link *desc) {
  STRICT_ENTER();
  strict_alone_begin(list, __func__);
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  begin_update(object, __func__);
  for (const struct link *link = desc->next; object != NULL && link != NULL; link = link->next) {
    const struct value *value = (const struct value *)(const void *)link;
    struct strict_command *command = command_of(object, value->command);
    if (command == NULL) {
      strict_report("%s: the list has no such command", __func__);
      continue;
    }
    if (link->type != ARGUMENT) { /* no kernel sees its shape */
      command->lost &= ~(1u << (STRICT_ARGUMENTS + link->type - ARGUMENT));
      continue;
    }
    if (value->index >= STRICT_ARGUMENTS || value->size > STRICT_ARGUMENT_SIZE) {
      strict_report("%s: an argument that the kernel does not have", __func__);
      continue;
    }
    command->lost &= ~(1u << value->index);
    memset(command->values->bytes[value->index], 0, STRICT_ARGUMENT_SIZE);
    if (value->argument != NULL)
      memcpy(command->values->bytes[value->index], value->argument, value->size);
    use_again(command);
  }
  strict_unlock();
  strict_alone_end(list);
  return ZE_RESULT_SUCCESS;
}

/* A driver's graph is a closed list of what was captured; so is the executable that is made of it,
 * whose commands are the graph's. */
ze_result_t ZE_APICALL strict_graph_create(
    ze_context_handle_t context, const void *next, void **graph) {
  STRICT_ENTER();
  (void)next;
  strict_lock();
  struct strict_object *parent = strict_object(context, STRICT_CONTEXT, __func__);
  struct strict_list *made = strict_object_new(sizeof *made, STRICT_GRAPH, parent);
  made->last = &made->first;
  *graph = made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_begin_capture(
    ze_command_list_handle_t list, void *graph, const void *next) {
  STRICT_ENTER();
  (void)next;
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  if (object != NULL) object->captured_by = strict_object(graph, STRICT_GRAPH, __func__);
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_end_capture(
    ze_command_list_handle_t list, const void *next, void **graph) {
  STRICT_ENTER();
  (void)next;
  strict_lock();
  struct strict_list *object = strict_object(list, STRICT_LIST, __func__);
  *graph = object != NULL ? object->captured_by : NULL;
  if (object != NULL) object->captured_by = NULL;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_instantiate(void *graph, const void *next, void **executable) {
  STRICT_ENTER();
  (void)next;
  strict_lock();
  struct strict_list *object = strict_object(graph, STRICT_GRAPH, __func__);
  if (object != NULL) object->closed = true;
  *executable = strict_object_new(sizeof(struct strict_object), STRICT_EXECUTABLE, &object->object);
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_append_graph(ze_command_list_handle_t list, void *executable,
    const void *next, ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits) {
  STRICT_ENTER();
  (void)next;
  strict_alone_begin(list, __func__);
  strict_lock();
  struct strict_list *target = strict_object(list, STRICT_LIST, __func__);
  struct strict_object *object = strict_object(executable, STRICT_EXECUTABLE, __func__);
  struct strict_command *command =
      strict_command_new(target, STRICT_PLAIN, NULL, signal, count, waits, __func__);
  if (!target->in_order) strict_report("%s: the list is not like the captured one", __func__);
  strict_command_use(command, object);
  strict_command_execute(command, (struct strict_list *)(void *)object->parent);
  strict_command_append(command);
  strict_unlock();
  strict_alone_end(list);
  if (target->synchronous) strict_wait_for_list(target, UINT64_MAX);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_destroy_executable(void *executable) {
  STRICT_ENTER();
  strict_lock();
  const ze_result_t result = strict_object_destroy(executable, STRICT_EXECUTABLE, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL strict_destroy_graph(void *graph) {
  STRICT_ENTER();
  strict_lock();
  struct strict_list *object = strict_object(graph, STRICT_GRAPH, __func__);
  if (object != NULL) strict_list_clear(object);
  const ze_result_t result = strict_object_destroy(graph, STRICT_GRAPH, __func__);
  strict_unlock();
  return result;
}
