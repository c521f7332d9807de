/* Implementation of dlpack.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_DLPACK_H
#define SYCLZE_DETAIL_OBJECTS_DLPACK_H

#include "../../dlpack.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__DLPACK_DIMENSIONS = 16 };

/* An exported tensor, and the owner or accessor that its deleter ends. */
struct syclze__dlpack_tensor {
  DLManagedTensor managed;
  syclze_owner owner;            /* of USM */
  syclze_host_accessor accessor; /* of a buffer, else null */
  syclze_buffer buffer;
  int64_t shape[SYCLZE__DLPACK_DIMENSIONS], strides[SYCLZE__DLPACK_DIMENSIONS];
};

SYCLZE_COLD ze_result_t syclze_dlpack_get_ordinal(syclze_device device, int32_t *ordinal) {
  const char *const function = "syclze_dlpack_get_ordinal";
  uint32_t count = 0;
  syclze_device *devices;
  ze_result_t result;
  if (ordinal != NULL) *ordinal = -1;
  if (ordinal == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  if (device.rep == NULL) return syclze__fail_handle(function, "the device is null");
  syclze_device root = syclze_device_get_root(device);
  result = syclze_device_get_selected(&count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  devices = (syclze_device *)malloc((count + 1) * sizeof *devices);
  if (devices == NULL) return syclze__fail_memory(function, device.rep->native);
  result = syclze_device_get_selected(&count, devices);
  for (uint32_t i = 0; result == ZE_RESULT_SUCCESS && i < count && *ordinal < 0; i++)
    if (devices[i].rep == root.rep || devices[i].rep == device.rep) *ordinal = (int32_t)i;
  free(devices);
  if (result == ZE_RESULT_SUCCESS && *ordinal < 0)
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
        "the device must be one that the environment selects", device.rep->native);
  return result;
}

SYCLZE_LOCAL void syclze__dlpack_delete(DLManagedTensor *self) {
  struct syclze__dlpack_tensor *tensor = (struct syclze__dlpack_tensor *)self;
  if (tensor->accessor.rep != NULL) {
    (void)syclze_host_accessor_release(tensor->accessor);
    (void)syclze_buffer_release(tensor->buffer);
  }
  if (tensor->owner.release != NULL) (void)tensor->owner.release(tensor->owner.data);
  free(tensor);
}

/* Checks a description, and computes the end of its elements, in bytes from `data`; UINT64_MAX
 * for one behind all memory. */
SYCLZE_LOCAL struct syclze__status syclze__dlpack_check(
    const syclze_dlpack_desc *desc, uint64_t *end) {
  const uint64_t most = (uint64_t)1 << 41; /* elements, of at most 2^21 bytes */
  uint64_t last = 0;
  bool empty = false;
  if (desc == NULL || (desc->shape == NULL && desc->dimensions != 0))
    return syclze__null_pointer("the description or its shape is null");
  if (desc->dimensions > SYCLZE__DLPACK_DIMENSIONS)
    return syclze__invalid("a tensor must have at most 16 dimensions");
  if (desc->bits == 0 || desc->bits > 255 || desc->bits % 8 != 0 || desc->lanes > 65535)
    return syclze__invalid("an element must have whole bytes");
  if ((desc->flags & ~(uint32_t)SYCLZE_DLPACK_HOST) != 0)
    return syclze__invalid("the flags must be of syclze_dlpack_flag");
  if (desc->byte_offset > INT64_MAX) return syclze__invalid("the offset must be below 2^63");
  for (uint32_t i = desc->dimensions, row = 1; i-- > 0;) {
    const int64_t extent = desc->shape[i], stride = desc->strides != NULL ? desc->strides[i] : 0;
    if (extent < 0 || extent > INT32_MAX || stride < 0 || stride > INT32_MAX)
      return syclze__invalid("extents and strides must be 0 to 2^31 - 1");
    empty = empty || extent == 0;
    if (extent > 1 && desc->strides != NULL) last += (uint64_t)(extent - 1) * (uint64_t)stride;
    if (last > most) last = most;
    if (desc->strides != NULL) continue;
    if (extent != 0 && row > UINT32_MAX / (uint64_t)extent)
      return syclze__invalid("a tensor must have fewer than 2^32 elements");
    row *= (uint32_t)extent;
    last = row == 0 ? 0 : row - 1;
  }
  *end = desc->byte_offset;
  if (!empty) *end += (last + 1) * (desc->lanes + (desc->lanes == 0)) * (desc->bits / 8);
  if (!empty && last == most) *end = UINT64_MAX;
  return syclze__allowed();
}

/* Fills a tensor from a checked description. */
SYCLZE_LOCAL void syclze__dlpack_fill(struct syclze__dlpack_tensor *made,
    const syclze_dlpack_desc *desc, void *data, bool on_host, int32_t ordinal) {
  DLTensor *tensor = &made->managed.dl_tensor;
  int64_t row = 1;
  made->managed.manager_ctx = made;
  made->managed.deleter = syclze__dlpack_delete;
  tensor->data = data;
  tensor->device.device_type = on_host ? kDLCPU : kDLOneAPI;
  tensor->device.device_id = on_host ? 0 : ordinal;
  tensor->ndim = (int32_t)desc->dimensions;
  tensor->dtype.code = (uint8_t)desc->type_code;
  tensor->dtype.bits = (uint8_t)desc->bits;
  tensor->dtype.lanes = (uint16_t)(desc->lanes + (desc->lanes == 0));
  tensor->byte_offset = desc->byte_offset;
  tensor->shape = made->shape;
  tensor->strides = made->strides;
  for (uint32_t i = desc->dimensions; i-- > 0;) {
    made->shape[i] = desc->shape[i];
    made->strides[i] = desc->strides != NULL ? desc->strides[i] : row;
    if (desc->strides == NULL) row *= desc->shape[i];
  }
}

/* Finds the device of a tensor of USM; `known` is false for other memory. */
SYCLZE_LOCAL struct syclze__status syclze__dlpack_place(void *memory, syclze_context context,
    uint32_t flags, uint64_t end, bool *known, bool *on_host, int32_t *ordinal) {
  syclze_usm_info info;
  ze_result_t result = syclze_usm_get_info(memory, context, &info);
  *known = result == ZE_RESULT_SUCCESS && info.type != ZE_MEMORY_TYPE_UNKNOWN;
  *on_host = !*known || (flags & SYCLZE_DLPACK_HOST) != 0;
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "syclze_usm_get_info failed");
  if (!*known) return syclze__allowed();
  if (end > info.size - (size_t)((char *)memory - (char *)info.base))
    return syclze__invalid("the elements must lie in the allocation");
  if (*on_host) {
    if (info.type == ZE_MEMORY_TYPE_DEVICE)
      return syclze__invalid("device memory must not be exported as the host's");
    return syclze__allowed();
  }
  if (info.device.rep == NULL) info.device = syclze_context_get_device(context, 0);
  result = syclze_dlpack_get_ordinal(info.device, ordinal);
  return result == ZE_RESULT_SUCCESS ? syclze__allowed()
                                     : syclze__status_of(result, "the device has no ordinal");
}

SYCLZE_COLD ze_result_t syclze_dlpack_export(void *memory, syclze_context context,
    syclze_owner owner, const syclze_dlpack_desc *desc, struct DLManagedTensor **tensor) {
  const char *const function = "syclze_dlpack_export";
  struct syclze__dlpack_tensor *made;
  bool known = false, on_host = false;
  int32_t ordinal = 0;
  uint64_t end = 0;
  if (tensor != NULL) *tensor = NULL;
  if (tensor == NULL || memory == NULL)
    return syclze__fail_pointer(function, "the memory's or the result's pointer is null");
  struct syclze__status status = syclze__dlpack_check(desc, &end);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__dlpack_place(memory, context, desc->flags, end, &known, &on_host, &ordinal);
  if (status.result == ZE_RESULT_SUCCESS && !known)
    status = syclze__invalid("the memory must be USM of the context");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, memory);
  made = (struct syclze__dlpack_tensor *)calloc(1, sizeof *made);
  if (made == NULL) return syclze__fail_memory(function, memory);
  made->owner = owner;
  syclze__dlpack_fill(made, desc, memory, on_host, ordinal);
  *tensor = &made->managed;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_dlpack_export_buffer(
    syclze_buffer buffer, const syclze_dlpack_desc *desc, struct DLManagedTensor **tensor) {
  const char *const function = "syclze_dlpack_export_buffer";
  struct syclze__dlpack_tensor *made;
  bool known = false, on_host = false;
  int32_t ordinal = 0;
  uint64_t end = 0;
  ze_result_t result;
  if (tensor != NULL) *tensor = NULL;
  if (tensor == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  struct syclze__status status = syclze__dlpack_check(desc, &end);
  if (status.result == ZE_RESULT_SUCCESS && buffer.rep == NULL)
    status = syclze__null_handle("the buffer is null");
  if (status.result == ZE_RESULT_SUCCESS && end > syclze_buffer_byte_size(buffer))
    status = syclze__invalid("the elements must lie in the buffer");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  made = (struct syclze__dlpack_tensor *)calloc(1, sizeof *made);
  if (made == NULL) return syclze__fail_memory(function, NULL);
  result = syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ_WRITE, &made->accessor);
  if (result != ZE_RESULT_SUCCESS) {
    free(made);
    return result;
  }
  (void)syclze_buffer_retain(buffer);
  made->buffer = buffer;
  void *data = syclze_host_accessor_get_part_pointer(made->accessor);
  status = syclze__dlpack_place(
      data, syclze_buffer_get_context(buffer), desc->flags, end, &known, &on_host, &ordinal);
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze__dlpack_delete(&made->managed);
    return syclze__finish(status, function, data);
  }
  syclze__dlpack_fill(made, desc, data, on_host, ordinal);
  *tensor = &made->managed;
  return ZE_RESULT_SUCCESS;
}

/* Size of a tensor without gaps, in bytes. */
SYCLZE_LOCAL struct syclze__status syclze__dlpack_size(const DLTensor *tensor, size_t *size) {
  const size_t element = ((size_t)tensor->dtype.bits * tensor->dtype.lanes + 7) / 8;
  size_t row = 1;
  bool empty = false;
  if (tensor->device.device_type != kDLOneAPI && tensor->device.device_type != kDLCPU)
    return syclze__unsupported("the tensor's device must be kDLOneAPI or kDLCPU");
  for (int32_t i = 0; i < tensor->ndim; i++)
    empty = empty || tensor->shape[i] == 0;
  for (int32_t i = tensor->ndim; i-- > 0 && !empty;) {
    const uint64_t extent = (uint64_t)tensor->shape[i];
    if (tensor->strides != NULL && extent > 1 && (uint64_t)tensor->strides[i] != row)
      return syclze__unsupported("the tensor must have no gaps");
    if (row * element > SIZE_MAX / extent)
      return syclze__invalid("the tensor's size exceeds all memory");
    row *= (size_t)extent;
  }
  *size = empty ? 0 : row * element;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_dlpack_get_memory(
    const struct DLManagedTensor *tensor, syclze_context context, void **memory, size_t *size) {
  const char *const function = "syclze_dlpack_get_memory";
  struct syclze__status status = syclze__allowed();
  syclze_usm_info info;
  char *data;
  ze_result_t result;
  if (memory != NULL) *memory = NULL;
  if (tensor == NULL || memory == NULL || size == NULL)
    return syclze__fail_pointer(function, "the tensor or a result's pointer is null");
  status = syclze__dlpack_size(&tensor->dl_tensor, size);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, tensor->dl_tensor.data);
  data = (char *)tensor->dl_tensor.data + tensor->dl_tensor.byte_offset;
  result = syclze_usm_get_info(data, context, &info);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (info.type == ZE_MEMORY_TYPE_UNKNOWN)
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
        "the tensor's memory must be USM of the context", data);
  *memory = data;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL ze_result_t syclze__dlpack_owner(void *data) {
  DLManagedTensor *tensor = (DLManagedTensor *)data;
  if (tensor->deleter != NULL) tensor->deleter(tensor);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_dlpack_import_buffer(
    struct DLManagedTensor *tensor, syclze_context context, syclze_buffer *buffer) {
  syclze_owner owner;
  size_t size = 0;
  ze_result_t result;
  SYCLZE__ZEROED(syclze_buffer_input, input);
  if (buffer == NULL)
    return syclze__fail_pointer("syclze_dlpack_import_buffer", "the result's pointer is null");
  buffer->rep = NULL;
  result = syclze_dlpack_get_memory(tensor, context, &input.native_handle, &size);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (size == 0) /* would be the default, the whole allocation */
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_dlpack_import_buffer",
        "the tensor has no elements", input.native_handle);
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  input.element_size =
      ((size_t)tensor->dl_tensor.dtype.bits * tensor->dl_tensor.dtype.lanes + 7) / 8;
  input.dimensions = 1;
  input.range[0] = size / input.element_size;
  result = syclze_make_buffer(&input, context, buffer);
  if (result != ZE_RESULT_SUCCESS) return result;
  owner.release = syclze__dlpack_owner;
  owner.data = tensor;
  result = syclze_buffer_set_owner(*buffer, owner);
  if (result != ZE_RESULT_SUCCESS) {
    (void)syclze_buffer_release(*buffer);
    buffer->rep = NULL;
  }
  return result;
}

SYCLZE_COLD ze_result_t syclze_dlpack_order(syclze_queue producer, syclze_queue consumer) {
  syclze_event done;
  if (producer.rep == NULL || consumer.rep == NULL)
    return syclze__fail_handle("syclze_dlpack_order", "a queue is null");
  if (producer.rep == consumer.rep) return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze_queue_submit_barrier(producer, &done);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze_queue_submit_barrier_after(consumer, &done, 1, NULL);
  (void)syclze_event_release(done);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
