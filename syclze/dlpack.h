/**
 * @file
 * DLPack: tensors of other libraries as memory and buffers, and back.
 *
 *     const int64_t shape[] = {1024};
 *     syclze_dlpack_desc desc = {.shape = shape, .dimensions = 1, .type_code = kDLFloat};
 *     desc.bits = 32;
 *     DLManagedTensor *tensor;
 *     ze_result_t result =
 *         syclze_dlpack_export(memory, context, (syclze_owner){0}, &desc, &tensor);
 *
 * A tensor's device is kDLOneAPI with the ordinal of a root device among those that the environment
 * selects (syclze_device_get_selected), or kDLCPU with SYCLZE_DLPACK_HOST. The deleter of an
 * exported tensor calls the owner's release, once. A stream of the protocol is a queue:
 * syclze_dlpack_order orders two.
 *
 * The structs are those of dlpack.h, version 0.8, which may be included before this header.
 *
 * Threads: any thread may call any function; deleters run on the thread that calls them.
 */
#ifndef SYCLZE_DLPACK_H
#define SYCLZE_DLPACK_H

#include "command.h"
#include "command/host_accessor.h"
#include "device_query.h"
#include "owner.h"
#include "selector.h"
#include "usm_query.h"

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_
typedef enum { kDLCPU = 1, kDLOneAPI = 14 } DLDeviceType;
typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6
} DLDataTypeCode;
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;
typedef struct {
  uint8_t code, bits;
  uint16_t lanes;
} DLDataType;
typedef struct {
  void *data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t *shape, *strides; /* in elements; null strides: rows of C */
  uint64_t byte_offset;
} DLTensor;
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct DLManagedTensor *self); /* may be null */
} DLManagedTensor;
#endif

SYCLZE_EXTERN_C_BEGIN

/** How memory is exported. */
typedef enum syclze_dlpack_flag {
  SYCLZE_DLPACK_HOST = 1 << 0 /* as kDLCPU; of shared and host memory */
} syclze_dlpack_flag;

/** The elements of a tensor. */
typedef struct syclze_dlpack_desc {
  const int64_t *shape;   /* `dimensions` of them, in elements; copied */
  const int64_t *strides; /* as many, in elements; default, null: rows of C */
  uint32_t dimensions;    /* 0 to 16 */
  uint32_t type_code;     /* a DLDataTypeCode; default: kDLInt */
  uint32_t bits;          /* of a lane */
  uint32_t lanes;         /* default: 1 */
  uint64_t byte_offset;   /* of the first element */
  uint32_t flags;         /* of syclze_dlpack_flag */
} syclze_dlpack_desc;

/**
 * Returns the ordinal of a device in DLPack: of its root device, among those that the environment
 * selects.
 *
 * @param[in] device  Null is an error.
 * @param[out] ordinal  Not null; -1 on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `ordinal` is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the environment does not select the device.
 * - what syclze_device_get_selected returns.
 * @see SYCL 2020 4.6.4 (no counterpart); DLPack's DLDevice
 */
SYCLZE_COLD ze_result_t syclze_dlpack_get_ordinal(syclze_device device, int32_t *ordinal)
    SYCLZE_LINK_NAME(syclze_dlpack_get_ordinal);

/**
 * Exports USM.
 *
 * @param[in] memory  An allocation of the context, or part of one; null is an error.
 * @param[in] context  Null is an error.
 * @param[in] owner  Called by the deleter; without `release` the memory stays the caller's, and
 * must outlive the tensor. After an error it is not called.
 * @param[in] desc  Not null.
 * @param[out] tensor  Not null; set to null on failure. The caller owns it, and ends it by its
 * deleter.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory`, `desc`, `tensor` or a shape of one dimension or
 * more is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null.
 * - SYCLZE_RESULT_ERROR_INVALID: the memory is not USM of the context, is device memory with
 *   SYCLZE_DLPACK_HOST, or does not contain the elements; more than 16 dimensions; no bits, or no
 *   whole bytes.
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory.
 * - what zeMemGetAllocProperties or syclze_dlpack_get_ordinal returns.
 * @see SYCL 2020 4.8 (no counterpart); DLPack's DLManagedTensor
 */
SYCLZE_COLD ze_result_t syclze_dlpack_export(void *memory, syclze_context context,
    syclze_owner owner, const syclze_dlpack_desc *desc, struct DLManagedTensor **tensor)
    SYCLZE_LINK_NAME(syclze_dlpack_export);

/**
 * Exports a buffer through a host accessor, which the deleter releases: it waits for the buffer's
 * work, and later work waits for the deleter. The tensor is the host's if the accessor's memory is
 * not USM.
 *
 * @param[in] buffer  Null is an error. The tensor keeps it.
 * @param[in] desc  Not null.
 * @param[out] tensor  Not null; set to null on failure. The caller owns it, and ends it by its
 * deleter.
 * @return as syclze_dlpack_export, such as ZE_RESULT_ERROR_INVALID_NULL_HANDLE, and as
 * syclze_host_accessor_create.
 * @see SYCL 2020 4.7.6.10 (no counterpart); DLPack's DLManagedTensor
 */
SYCLZE_COLD ze_result_t syclze_dlpack_export_buffer(
    syclze_buffer buffer, const syclze_dlpack_desc *desc, struct DLManagedTensor **tensor)
    SYCLZE_LINK_NAME(syclze_dlpack_export_buffer);

/**
 * Returns the memory of a tensor of another library, which must be USM of the context without gaps.
 *
 * @param[in] tensor  Not null; stays the caller's.
 * @param[in] context  Null is an error.
 * @param[out] memory  Not null; the first element, null on failure. Valid as long as the tensor.
 * @param[out] size  Not null; in bytes.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `tensor`, `memory` or `size` is null.
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null.
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the device is neither kDLOneAPI nor kDLCPU, or the
 *   strides leave gaps.
 * - SYCLZE_RESULT_ERROR_INVALID: the memory is not USM of the context, or the size exceeds all
 *   memory.
 * - what zeMemGetAllocProperties returns.
 * @see SYCL 2020 4.8 (no counterpart); DLPack's DLTensor
 */
SYCLZE_COLD ze_result_t syclze_dlpack_get_memory(const struct DLManagedTensor *tensor,
    syclze_context context, void **memory, size_t *size) SYCLZE_LINK_NAME(syclze_dlpack_get_memory);

/**
 * Makes a buffer of one dimension of a tensor's memory. Its last release calls the deleter, after
 * the buffer's work.
 *
 * @param[in] tensor  Not null. Ownership afterwards: the buffer's; after an error the caller's.
 * @param[in] context  Null is an error. The buffer keeps it.
 * @param[out] buffer  Not null; set to null on failure.
 * @return as syclze_dlpack_get_memory, such as ZE_RESULT_ERROR_INVALID_NULL_HANDLE, and as
 * syclze_make_buffer; SYCLZE_RESULT_ERROR_INVALID too for a tensor without elements.
 * @see SYCL 2020 4.7.2 (no counterpart); DLPack's DLManagedTensor
 */
SYCLZE_COLD ze_result_t syclze_dlpack_import_buffer(struct DLManagedTensor *tensor,
    syclze_context context, syclze_buffer *buffer) SYCLZE_LINK_NAME(syclze_dlpack_import_buffer);

/**
 * Makes later work of a queue wait for all earlier work of another, as the stream argument of
 * DLPack's protocol demands. Nothing waits on the host.
 *
 * @param[in] producer, consumer  Null is an error. The same queue twice has no effect.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: a queue is null.
 * - what syclze_queue_submit_barrier and syclze_queue_submit_barrier_after return.
 * @see SYCL 2020 4.6.5 (no counterpart); DLPack's __dlpack__
 */
SYCLZE_COLD ze_result_t syclze_dlpack_order(syclze_queue producer, syclze_queue consumer)
    SYCLZE_LINK_NAME(syclze_dlpack_order);

SYCLZE_EXTERN_C_END

#include "detail/objects/dlpack.h"

#ifdef SYCLZE_CHECK
/* Its call site. */
#define syclze_dlpack_import_buffer(...) (SYCLZE__HERE(syclze_dlpack_import_buffer)(__VA_ARGS__))
#endif

#endif
