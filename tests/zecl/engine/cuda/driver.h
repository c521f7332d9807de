/* CUDA's driver API as far as the engine calls it, found by dlopen: nothing of CUDA is needed to
 * build. With ZECL_CUDA_HEADER the types are those of cuda.h, by which the declarations here are
 * checked. What is not in the list of functions is not called. */
#ifndef ZECL_ENGINE_CUDA_DRIVER_H
#define ZECL_ENGINE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef ZECL_CUDA_HEADER
#include <cuda.h>
#else

typedef enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_IMAGE = 200,
  CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
  CUDA_ERROR_INVALID_PTX = 218,
  CUDA_ERROR_NOT_FOUND = 500,
  CUDA_ERROR_NOT_READY = 600,
  CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
  CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
  CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
  CUDA_ERROR_NOT_SUPPORTED = 801
} CUresult;

typedef enum {
  CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 1,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X = 2,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y = 3,
  CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z = 4,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X = 5,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y = 6,
  CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z = 7,
  CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
  CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS = 29,
  CU_DEVICE_ATTRIBUTE_PCI_BUS_ID = 33,
  CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 34,
  CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 36,
  CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 37,
  CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE = 38,
  CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 50,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH = 55,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH = 58,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH = 61,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH = 63,
  CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS = 65,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
  CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
  CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS = 89,
  CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97
} CUdevice_attribute;

typedef enum {
  CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
  CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
  CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
  CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} CUfunction_attribute;

typedef enum {
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
  CU_POINTER_ATTRIBUTE_IS_MANAGED = 8
} CUpointer_attribute;

typedef enum {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
} CUmemorytype;

typedef enum {
  CU_AD_FORMAT_UNSIGNED_INT8 = 1,
  CU_AD_FORMAT_UNSIGNED_INT16 = 2,
  CU_AD_FORMAT_UNSIGNED_INT32 = 3,
  CU_AD_FORMAT_SIGNED_INT8 = 8,
  CU_AD_FORMAT_SIGNED_INT16 = 9,
  CU_AD_FORMAT_SIGNED_INT32 = 10,
  CU_AD_FORMAT_HALF = 16,
  CU_AD_FORMAT_FLOAT = 32
} CUarray_format;

typedef enum {
  CU_TR_ADDRESS_MODE_WRAP = 0,
  CU_TR_ADDRESS_MODE_CLAMP = 1,
  CU_TR_ADDRESS_MODE_MIRROR = 2,
  CU_TR_ADDRESS_MODE_BORDER = 3
} CUaddress_mode;

typedef enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 } CUfilter_mode;

typedef enum { CU_RESOURCE_TYPE_ARRAY = 0 } CUresourcetype;

enum { CUDA_ARRAY3D_LAYERED = 1, CUDA_ARRAY3D_SURFACE_LDST = 2 };
enum { CU_TRSF_READ_AS_INTEGER = 1, CU_TRSF_NORMALIZED_COORDINATES = 2 };

typedef enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1 } CUmemAllocationType;
typedef enum {
  CU_MEM_HANDLE_TYPE_NONE = 0,
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1
} CUmemAllocationHandleType;
typedef enum { CU_MEM_LOCATION_TYPE_DEVICE = 1 } CUmemLocationType;
typedef enum { CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0 } CUmemAllocationGranularity_flags;
typedef enum {
  CU_MEM_ACCESS_FLAGS_PROT_NONE = 0,
  CU_MEM_ACCESS_FLAGS_PROT_READ = 1,
  CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3
} CUmemAccess_flags;

typedef enum { CU_JIT_ERROR_LOG_BUFFER = 5, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6 } CUjit_option;

typedef enum { CU_LIBRARY_BINARY_IS_PRESERVED = 1 } CUlibraryOption;

typedef enum {
  CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD = 1,
  CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD = 9
} CUexternalSemaphoreHandleType;

typedef enum { CU_STREAM_CAPTURE_MODE_RELAXED = 2 } CUstreamCaptureMode;
typedef enum { CU_STREAM_CAPTURE_STATUS_ACTIVE = 1 } CUstreamCaptureStatus;

enum { CU_STREAM_NON_BLOCKING = 1 };
enum { CU_STREAM_WAIT_VALUE_AND = 2 };
enum { CU_STREAM_SET_CAPTURE_DEPENDENCIES = 1 };
enum { CU_MEM_ATTACH_GLOBAL = 1 };
enum { CU_MEMHOSTALLOC_PORTABLE = 1, CU_MEMHOSTALLOC_DEVICEMAP = 2 };
enum { CU_MEMHOSTREGISTER_PORTABLE = 1, CU_MEMHOSTREGISTER_DEVICEMAP = 2 };
enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1, CU_IPC_HANDLE_SIZE = 64 };

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef uint32_t cuuint32_t;
typedef struct CUctx_st *CUcontext;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef struct CUstream_st *CUstream;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct CUarray_st *CUarray;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef void (*CUhostFn)(void *user);

typedef struct {
  char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;

typedef struct {
  size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void *srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void *reserved0;
  size_t srcPitch, srcHeight;
  size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void *dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void *reserved1;
  size_t dstPitch, dstHeight;
  size_t WidthInBytes, Height, Depth;
} CUDA_MEMCPY3D;

typedef struct {
  size_t Width, Height, Depth;
  CUarray_format Format;
  unsigned NumChannels, Flags;
} CUDA_ARRAY3D_DESCRIPTOR;

typedef struct {
  CUresourcetype resType;
  union {
    struct {
      CUarray hArray;
    } array;
    struct {
      int reserved[32];
    } reserved;
  } res;
  unsigned flags;
} CUDA_RESOURCE_DESC;

typedef struct {
  CUaddress_mode addressMode[3];
  CUfilter_mode filterMode;
  unsigned flags, maxAnisotropy;
  CUfilter_mode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
  float borderColor[4];
  int reserved[12];
} CUDA_TEXTURE_DESC;

typedef unsigned long long CUmemGenericAllocationHandle;

typedef struct {
  CUmemLocationType type;
  int id;
} CUmemLocation;

typedef struct {
  CUmemAllocationType type;
  CUmemAllocationHandleType requestedHandleTypes;
  CUmemLocation location;
  void *win32HandleMetaData;
  unsigned char allocFlags[8];
} CUmemAllocationProp;

typedef struct {
  CUmemLocation location;
  CUmemAccess_flags flags;
} CUmemAccessDesc;

typedef struct CUgraphEdgeData_st CUgraphEdgeData; /* none is given */
typedef unsigned long long cuuint64_t;

typedef struct CUDA_RESOURCE_VIEW_DESC_st CUDA_RESOURCE_VIEW_DESC; /* none is given */

typedef struct CUextSemaphore_st *CUexternalSemaphore;

typedef struct {
  CUexternalSemaphoreHandleType type;
  union {
    int fd;
    struct {
      void *handle;
      const void *name;
    } win32;
  } handle;
  unsigned flags, reserved[16];
} CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC;

typedef struct {
  struct {
    struct {
      unsigned long long value;
    } fence;
    unsigned long long others[2];
    unsigned reserved[12];
  } params;
  unsigned flags, reserved[16];
} CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS;

typedef struct {
  struct {
    struct {
      unsigned long long value;
    } fence;
    unsigned long long others[3];
    unsigned reserved[10];
  } params;
  unsigned flags, reserved[16];
} CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS;
#endif

/* Each function: its name here, its symbol, its parameters. */
#define ZECL_CUDA_FUNCTIONS(F)                                                                     \
  F(init, cuInit, (unsigned))                                                                      \
  F(driver_version, cuDriverGetVersion, (int *))                                                   \
  F(error_name, cuGetErrorName, (CUresult, const char **))                                         \
  F(device_count, cuDeviceGetCount, (int *))                                                       \
  F(device_get, cuDeviceGet, (CUdevice *, int))                                                    \
  F(device_name, cuDeviceGetName, (char *, int, CUdevice))                                         \
  F(device_memory, cuDeviceTotalMem_v2, (size_t *, CUdevice))                                      \
  F(device_attribute, cuDeviceGetAttribute, (int *, CUdevice_attribute, CUdevice))                 \
  F(can_access_peer, cuDeviceCanAccessPeer, (int *, CUdevice, CUdevice))                           \
  F(enable_peer, cuCtxEnablePeerAccess, (CUcontext, unsigned))                                     \
  F(context_retain, cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))                             \
  F(context_set, cuCtxSetCurrent, (CUcontext))                                                     \
  F(priorities, cuCtxGetStreamPriorityRange, (int *, int *))                                       \
  F(memory_info, cuMemGetInfo_v2, (size_t *, size_t *))                                            \
  F(alloc_device, cuMemAlloc_v2, (CUdeviceptr *, size_t))                                          \
  F(alloc_managed, cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned))                           \
  F(alloc_host, cuMemHostAlloc, (void **, size_t, unsigned))                                       \
  F(free_device, cuMemFree_v2, (CUdeviceptr))                                                      \
  F(free_host, cuMemFreeHost, (void *))                                                            \
  F(host_register, cuMemHostRegister_v2, (void *, size_t, unsigned))                               \
  F(host_unregister, cuMemHostUnregister, (void *))                                                \
  F(granularity, cuMemGetAllocationGranularity,                                                    \
      (size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags))                   \
  F(address_reserve, cuMemAddressReserve,                                                          \
      (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long))                            \
  F(address_free, cuMemAddressFree, (CUdeviceptr, size_t))                                         \
  F(physical_create, cuMemCreate,                                                                  \
      (CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *, unsigned long long))   \
  F(physical_release, cuMemRelease, (CUmemGenericAllocationHandle))                                \
  F(physical_export, cuMemExportToShareableHandle,                                                 \
      (void *, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long))       \
  F(physical_import, cuMemImportFromShareableHandle,                                               \
      (CUmemGenericAllocationHandle *, void *, CUmemAllocationHandleType))                         \
  F(map, cuMemMap,                                                                                 \
      (CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long))             \
  F(unmap, cuMemUnmap, (CUdeviceptr, size_t))                                                      \
  F(set_access, cuMemSetAccess, (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t))            \
  F(pointer_attributes, cuPointerGetAttributes,                                                    \
      (unsigned, CUpointer_attribute *, void **, CUdeviceptr))                                     \
  F(address_range, cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr))                \
  F(ipc_get, cuIpcGetMemHandle, (CUipcMemHandle *, CUdeviceptr))                                   \
  F(ipc_open, cuIpcOpenMemHandle_v2, (CUdeviceptr *, CUipcMemHandle, unsigned))                    \
  F(ipc_close, cuIpcCloseMemHandle, (CUdeviceptr))                                                 \
  F(stream_create, cuStreamCreateWithPriority, (CUstream *, unsigned, int))                        \
  F(stream_destroy, cuStreamDestroy_v2, (CUstream))                                                \
  F(stream_query, cuStreamQuery, (CUstream))                                                       \
  F(stream_synchronize, cuStreamSynchronize, (CUstream))                                           \
  F(stream_write, cuStreamWriteValue32_v2, (CUstream, CUdeviceptr, cuuint32_t, unsigned))          \
  F(stream_wait, cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, cuuint32_t, unsigned))            \
  F(stream_call, cuLaunchHostFunc, (CUstream, CUhostFn, void *))                                   \
  F(copy, cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                             \
  F(copy_3d, cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *, CUstream))                                \
  F(array_create, cuArray3DCreate_v2, (CUarray *, const CUDA_ARRAY3D_DESCRIPTOR *))                \
  F(array_destroy, cuArrayDestroy, (CUarray))                                                      \
  F(texture_create, cuTexObjectCreate,                                                             \
      (CUtexObject *, const CUDA_RESOURCE_DESC *, const CUDA_TEXTURE_DESC *,                       \
          const CUDA_RESOURCE_VIEW_DESC *))                                                        \
  F(texture_destroy, cuTexObjectDestroy, (CUtexObject))                                            \
  F(surface_create, cuSurfObjectCreate, (CUsurfObject *, const CUDA_RESOURCE_DESC *))              \
  F(surface_destroy, cuSurfObjectDestroy, (CUsurfObject))                                          \
  F(semaphore_import, cuImportExternalSemaphore,                                                   \
      (CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *))                        \
  F(semaphore_destroy, cuDestroyExternalSemaphore, (CUexternalSemaphore))                          \
  F(semaphore_signal, cuSignalExternalSemaphoresAsync,                                             \
      (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *, unsigned,       \
          CUstream))                                                                               \
  F(semaphore_wait, cuWaitExternalSemaphoresAsync,                                                 \
      (const CUexternalSemaphore *, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *, unsigned,         \
          CUstream))                                                                               \
  F(set_8, cuMemsetD8Async, (CUdeviceptr, unsigned char, size_t, CUstream))                        \
  F(set_16, cuMemsetD16Async, (CUdeviceptr, unsigned short, size_t, CUstream))                     \
  F(set_32, cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream))                           \
  F(library_load, cuLibraryLoadData,                                                               \
      (CUlibrary *, const void *, CUjit_option *, void **, unsigned, CUlibraryOption *, void **,   \
          unsigned))                                                                               \
  F(library_unload, cuLibraryUnload, (CUlibrary))                                                  \
  F(library_kernel, cuLibraryGetKernel, (CUkernel *, CUlibrary, const char *))                     \
  F(library_global, cuLibraryGetGlobal, (CUdeviceptr *, size_t *, CUlibrary, const char *))        \
  F(kernel_attribute, cuKernelGetAttribute, (int *, CUfunction_attribute, CUkernel, CUdevice))     \
  F(kernel_set, cuKernelSetAttribute, (CUfunction_attribute, int, CUkernel, CUdevice))             \
  F(launch, cuLaunchKernel,                                                                        \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
          void **, void **))                                                                       \
  F(launch_cooperative, cuLaunchCooperativeKernel,                                                 \
      (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
          void **))                                                                                \
  F(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor, (int *, CUfunction, int, size_t))

/* Functions for graphs, which drivers before 12.3 lack: all are null then. */
#define ZECL_CUDA_GRAPH_FUNCTIONS(F)                                                               \
  F(capture_begin, cuStreamBeginCapture_v2, (CUstream, CUstreamCaptureMode))                       \
  F(capture_end, cuStreamEndCapture, (CUstream, CUgraph *))                                        \
  F(capture_info, cuStreamGetCaptureInfo_v3,                                                       \
      (CUstream, CUstreamCaptureStatus *, cuuint64_t *, CUgraph *, const CUgraphNode **,           \
          const CUgraphEdgeData **, size_t *))                                                     \
  F(capture_depend, cuStreamUpdateCaptureDependencies_v2,                                          \
      (CUstream, CUgraphNode *, const CUgraphEdgeData *, size_t, unsigned))                        \
  F(graph_instantiate, cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))  \
  F(graph_launch, cuGraphLaunch, (CUgraphExec, CUstream))                                          \
  F(graph_destroy, cuGraphDestroy, (CUgraph))                                                      \
  F(graph_exec_destroy, cuGraphExecDestroy, (CUgraphExec))

struct zecl_cuda_driver {
#define ZECL_CUDA_MEMBER(name, symbol, parameters) CUresult(*name) parameters;
  ZECL_CUDA_FUNCTIONS(ZECL_CUDA_MEMBER)
  ZECL_CUDA_GRAPH_FUNCTIONS(ZECL_CUDA_MEMBER)
#undef ZECL_CUDA_MEMBER
};

/* Filled once libcuda.so.1 is loaded; null before. */
extern struct zecl_cuda_driver zecl_cuda;

/* Loads libcuda.so.1. False where there is none, or one that is too old: `missing` is then the
 * function that it lacks, or null. */
bool zecl_cuda_load(const char **missing);

#endif
