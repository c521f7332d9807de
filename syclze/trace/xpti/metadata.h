/* Metadata of events: devices, call sites, kernels, memory. */
#ifndef SYCLZE_TRACE_METADATA_H
#define SYCLZE_TRACE_METADATA_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "../../command/launch.h"
#include "notify.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__xpti_add(const struct syclze__xpti *xpti, void *event, const char *key,
    enum syclze__xpti_value_type type, const void *data, size_t size) {
  xpti->AddMetadata(event, key, xpti->RegisterObject((const char *)data, size, (uint8_t)type));
}

/* Adds a text, unless it is empty. */
SYCLZE_LOCAL void syclze__xpti_add_text(
    const struct syclze__xpti *xpti, void *event, const char *key, const char *text) {
  if (text != NULL && text[0] != 0)
    syclze__xpti_add(xpti, event, key, SYCLZE__XPTI_STRING, text, strlen(text));
}

SYCLZE_LOCAL void syclze__xpti_add_word(
    const struct syclze__xpti *xpti, void *event, const char *key, uint64_t value) {
  syclze__xpti_add(xpti, event, key, SYCLZE__XPTI_UNSIGNED, &value, sizeof value);
}

/* Adds the thread's call site. C has no columns. */
SYCLZE_LOCAL void syclze__xpti_add_call_site(const struct syclze__xpti *xpti, void *event) {
  const struct syclze__trace_call_site *site = syclze__xpti_site();
  if (site == NULL) return;
  const int32_t line = (int32_t)site->line, column = 0;
  syclze__xpti_add_text(xpti, event, "sym_function_name", site->function);
  syclze__xpti_add_text(xpti, event, "sym_source_file_name", site->file);
  syclze__xpti_add(xpti, event, "sym_line_no", SYCLZE__XPTI_SIGNED, &line, sizeof line);
  syclze__xpti_add(xpti, event, "sym_column_no", SYCLZE__XPTI_SIGNED, &column, sizeof column);
}

/* Queries the properties of a device; caches them while there is room. */
SYCLZE_LOCAL struct syclze__xpti_device syclze__xpti_device_get(
    struct syclze__xpti *xpti, ze_device_handle_t device) {
  struct syclze__xpti_device found = {NULL, 0, 0, 0};
  syclze__lock_acquire(&xpti->lock);
  for (uint32_t i = 0; i < SYCLZE__XPTI_DEVICES && found.native == NULL; i++)
    if (xpti->devices[i].native == device) found = xpti->devices[i];
  syclze__lock_release(&xpti->lock);
  if (device == NULL || found.native != NULL) return found;
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  if (SYCLZE__ZE(zeDeviceGetProperties)(device, &properties) != ZE_RESULT_SUCCESS) return found;
  const char *accelerator = syclze__xpti_is_current(xpti) ? "ACCELERATOR" : "ACC";
  const char *type = properties.type == ZE_DEVICE_TYPE_GPU    ? "GPU"
                     : properties.type == ZE_DEVICE_TYPE_CPU  ? "CPU"
                     : properties.type == ZE_DEVICE_TYPE_FPGA ? accelerator
                                                              : "UNKNOWN";
  const char *name = properties.name[0] != 0 ? properties.name : "unknown";
  const uint64_t id = SYCLZE__WORD(device);
  found.native = device;
  found.id =
      xpti->RegisterObject((const char *)(const void *)&id, sizeof id, SYCLZE__XPTI_UNSIGNED);
  found.type = xpti->RegisterObject(type, strlen(type), SYCLZE__XPTI_STRING);
  found.name = xpti->RegisterObject(name, strlen(name), SYCLZE__XPTI_STRING);
  syclze__lock_acquire(&xpti->lock);
  uint32_t i = 0;
  while (i < SYCLZE__XPTI_DEVICES && xpti->devices[i].native != NULL)
    i++;
  if (i < SYCLZE__XPTI_DEVICES) xpti->devices[i] = found;
  syclze__lock_release(&xpti->lock);
  return found;
}

SYCLZE_LOCAL void syclze__xpti_add_device(
    struct syclze__xpti *xpti, void *event, ze_device_handle_t device) {
  const struct syclze__xpti_device found = syclze__xpti_device_get(xpti, device);
  if (found.native == NULL) return;
  xpti->AddMetadata(event, "sycl_device", found.id);
  xpti->AddMetadata(event, "sycl_device_type", found.type);
  xpti->AddMetadata(event, "sycl_device_name", found.name);
}

/* Adds the device of a host task, in place of the queue's. */
SYCLZE_LOCAL void syclze__xpti_add_host_task(const struct syclze__xpti *xpti, void *event) {
  syclze__xpti_add_text(xpti, event, "sycl_device_type", "HOST");
  syclze__xpti_add_text(xpti, event, "kernel_name", "host task");
}

/* The level of detail that subscribers of the stream want. */
enum { SYCLZE__XPTI_BASIC = 1, SYCLZE__XPTI_NORMAL = 2, SYCLZE__XPTI_VERBOSE = 3 };

SYCLZE_INLINE uint8_t syclze__xpti_detail_level(const struct syclze__xpti *xpti) {
  if (xpti->GetEffectiveStreamDetailLevel == NULL) return SYCLZE__XPTI_NORMAL;
  return xpti->GetEffectiveStreamDetailLevel(xpti->streams[SYCLZE__STREAM_SYCL]);
}

/* The driver's properties of an allocation. */
struct syclze__xpti_memory {
  const char *type;
  ze_device_handle_t device; /* null for the host's */
  bool is_allocation;
};

SYCLZE_LOCAL struct syclze__xpti_memory syclze__xpti_memory_get(
    ze_context_handle_t context, const void *memory) {
  struct syclze__xpti_memory found = {"host", NULL, false};
  SYCLZE__ZE_STRUCT(ze_memory_allocation_properties_t, properties, MEMORY_ALLOCATION_PROPERTIES);
  if (memory == NULL || SYCLZE__ZE(zeMemGetAllocProperties)(
                            context, memory, &properties, &found.device) != ZE_RESULT_SUCCESS)
    return found;
  found.is_allocation = properties.type != ZE_MEMORY_TYPE_UNKNOWN;
  if (properties.type == ZE_MEMORY_TYPE_DEVICE) found.type = "device";
  if (properties.type == ZE_MEMORY_TYPE_SHARED) found.type = "shared";
  return found;
}

/* sycl::detail::kernel_param_kind_t. */
enum {
  SYCLZE__XPTI_ARGUMENT_ACCESSOR = 0,
  SYCLZE__XPTI_ARGUMENT_VALUE = 1,
  SYCLZE__XPTI_ARGUMENT_POINTER = 3
};

/* sycl::access::target. */
enum {
  SYCLZE__XPTI_TARGET_DEVICE = 2014,
  SYCLZE__XPTI_TARGET_LOCAL = 2016,
  SYCLZE__XPTI_TARGET_IMAGE = 2017,
  SYCLZE__XPTI_TARGET_HOST = 2018
};

/* xpti::offload_kernel_arg_data_t. */
struct syclze__xpti_argument {
  int32_t kind;
  int32_t unused;
  const void *value;
  int32_t size, index;
};

enum { SYCLZE__XPTI_KERNEL_ARGUMENTS = 16 }; /* arguments that are reported, the first ones */

SYCLZE_INLINE uint32_t syclze__xpti_argument_count(const struct syclze__trace_kernel_info *kernel) {
  const uint32_t most = SYCLZE__XPTI_KERNEL_ARGUMENTS;
  return kernel->count < most ? kernel->count : most;
}

/* The kind of an argument. Bytes that are the address of an allocation of the context count as a
 * pointer. */
SYCLZE_LOCAL int32_t syclze__xpti_argument_kind(
    ze_context_handle_t context, const syclze_argument *argument) {
  const void *pointer;
  if (argument->kind == SYCLZE__ARGUMENT_ACCESSOR || argument->kind == SYCLZE__ARGUMENT_LOCAL)
    return SYCLZE__XPTI_ARGUMENT_ACCESSOR;
  if (argument->size != sizeof pointer) return SYCLZE__XPTI_ARGUMENT_VALUE;
  memcpy(&pointer, argument->of.bytes, sizeof pointer);
  return pointer != NULL && syclze__xpti_memory_get(context, pointer).is_allocation
             ? SYCLZE__XPTI_ARGUMENT_POINTER
             : SYCLZE__XPTI_ARGUMENT_VALUE;
}

/* xpti::offload_kernel_enqueue_data_t, and an offload_kernel_arg_data_t for each argument. */
SYCLZE_LOCAL void syclze__xpti_add_kernel(const struct syclze__xpti *xpti, void *event,
    const char *name, const struct syclze__trace_command_info *command) {
  const struct syclze__trace_kernel_info *kernel = command->kernel;
  const uint8_t from_source = 1;
  syclze__xpti_add_text(xpti, event, "kernel_name", name);
  const uint8_t level = syclze__xpti_detail_level(xpti);
  if (level < SYCLZE__XPTI_NORMAL) return;
  syclze__xpti_add(xpti, event, "from_source", SYCLZE__XPTI_BOOL, &from_source, 1);
  if (level < SYCLZE__XPTI_VERBOSE) return;
  /* Global, local, offset, arguments. Unused dimensions have one item. */
  const syclze_nd_range *range = kernel->range;
  size_t sizes[10];
  for (uint32_t i = 0; i < 3; i++) {
    sizes[i] = range->global[i];
    sizes[3 + i] = range->local[i];
    sizes[6 + i] = range->offset[i];
    if (i != 0 && sizes[i] == 0) sizes[i] = 1;
    if (i != 0 && sizes[3] != 0 && sizes[3 + i] == 0) sizes[3 + i] = 1;
  }
  sizes[9] = kernel->count;
  syclze__xpti_add(xpti, event, "enqueue_kernel_data", SYCLZE__XPTI_BINARY, sizes, sizeof sizes);
  const uint32_t count = syclze__xpti_argument_count(kernel);
  for (uint32_t i = 0; i < count; i++) {
    char key[16];
    snprintf(key, sizeof key, "arg%u", i);
    const syclze_argument *argument = &kernel->arguments[i];
    struct syclze__xpti_argument data = {syclze__xpti_argument_kind(command->context, argument), 0,
        syclze__argument_bytes(argument), (int32_t)argument->size, (int32_t)i};
    /* Today's runtimes put the target there. */
    if (syclze__xpti_is_current(xpti) && data.kind == SYCLZE__XPTI_ARGUMENT_ACCESSOR)
      data.size = argument->kind == SYCLZE__ARGUMENT_ACCESSOR ? SYCLZE__XPTI_TARGET_DEVICE
                                                              : SYCLZE__XPTI_TARGET_LOCAL;
    syclze__xpti_add(xpti, event, key, SYCLZE__XPTI_BINARY, &data, sizeof data);
  }
}

SYCLZE_INLINE uint32_t syclze__xpti_access_mode(uint32_t mode) {
  return 1024 + mode; /* sycl::access::mode has the same order */
}

/* The type of a transfer's node: today's runtimes name copies and fills of plain memory. */
SYCLZE_LOCAL const char *syclze__xpti_transfer_type(
    const struct syclze__xpti *xpti, const struct syclze__trace_transfer_info *transfer) {
  if (syclze__xpti_is_current(xpti) && transfer->to.object == NULL &&
      transfer->from.object == NULL) {
    if (transfer->kind == SYCLZE__TRACE_FILL) return "memory_transfer_node::memset";
    if (transfer->kind == SYCLZE__TRACE_COPY) return "memory_transfer_node::memcpy";
  }
  return "memory_transfer_node";
}

/* The memory of an operand. An image is a handle, not an allocation, and belongs to the command's
 * device. */
SYCLZE_LOCAL struct syclze__xpti_memory syclze__xpti_operand_memory(
    const struct syclze__trace_command_info *command, const struct syclze__trace_operand *operand) {
  const struct syclze__xpti_memory image = {"image", command->device, false};
  return operand->object != NULL && operand->base == NULL
             ? image
             : syclze__xpti_memory_get(command->context, operand->native);
}

/* Adds a transfer. Between two memory objects the written one is reported. */
SYCLZE_LOCAL void syclze__xpti_add_transfer(struct syclze__xpti *xpti, void *event,
    const struct syclze__trace_transfer_info *transfer,
    const struct syclze__trace_command_info *command) {
  const struct syclze__xpti_device device = syclze__xpti_device_get(xpti, command->device);
  if (device.native != NULL) {
    xpti->AddMetadata(event, "device_id", device.id);
    xpti->AddMetadata(event, "device_name", device.name);
  }
  const struct syclze__trace_operand *written =
      transfer->to.native != NULL ? &transfer->to : &transfer->from;
  const struct syclze__trace_operand *reported =
      written->object != NULL || transfer->from.native == NULL ? written : &transfer->from;
  const struct syclze__xpti_memory to = syclze__xpti_operand_memory(command, written);
  syclze__xpti_add_text(
      xpti, event, "allocation_type", syclze__xpti_operand_memory(command, reported).type);
  if (reported->object != NULL)
    syclze__xpti_add_word(xpti, event, "memory_object", SYCLZE__WORD(reported->object));
  if (reported->base != NULL) {
    const uint64_t offset =
        (uint64_t)((const char *)reported->native - (const char *)reported->base);
    syclze__xpti_add_word(xpti, event, "offset", offset);
    syclze__xpti_add_word(xpti, event, "access_range_start", offset);
    syclze__xpti_add_word(xpti, event, "access_range_end", offset + transfer->size);
  }
  if (transfer->size != 0) syclze__xpti_add_word(xpti, event, "memory_size", transfer->size);
  if (transfer->to.native != NULL && transfer->from.native != NULL) {
    const struct syclze__xpti_memory from = syclze__xpti_operand_memory(command, &transfer->from);
    syclze__xpti_add_word(xpti, event, "copy_from", SYCLZE__WORD(from.device));
    syclze__xpti_add_word(xpti, event, "copy_to", SYCLZE__WORD(to.device));
    syclze__xpti_add_word(xpti, event, "src_memory_ptr", SYCLZE__WORD(transfer->from.native));
    syclze__xpti_add_word(xpti, event, "dest_memory_ptr", SYCLZE__WORD(transfer->to.native));
  } else
    syclze__xpti_add_word(xpti, event, "memory_ptr", SYCLZE__WORD(written->native));
  if (transfer->value != NULL && transfer->value_size <= 8) {
    uint64_t value = 0;
    memcpy(&value, transfer->value, transfer->value_size);
    const int32_t number = (int32_t)value;
    if (syclze__xpti_is_current(xpti) && transfer->value_size <= sizeof number)
      syclze__xpti_add(xpti, event, "value_set", SYCLZE__XPTI_SIGNED, &number, sizeof number);
    else
      syclze__xpti_add_word(xpti, event, "value_set", value);
  }
  if (syclze__xpti_is_current(xpti))
    syclze__xpti_add_word(xpti, event, "queue_id", syclze__xpti_thread_get()->queue_id);
}

SYCLZE_EXTERN_C_END

#endif

#endif
