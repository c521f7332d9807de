/* The Level Zero headers that this is compiled against, and what later ones add. The driver offers
 * the same entry points whatever headers it is built with: those before ZE_API_VERSION_CURRENT_M
 * count as 1.4, Debian 12's, the oldest that are supported. */
#ifndef ZECL_CORE_HEADERS_H
#define ZECL_CORE_HEADERS_H

#include <stdbool.h>
#include <level_zero/ze_api.h>

#ifdef ZE_API_VERSION_CURRENT_M
#define ZECL_HEADERS_MINOR (ZE_API_VERSION_CURRENT_M & 0xffff)
#else
#define ZECL_HEADERS_MINOR 4
#endif

enum { ZECL_API_MINOR = 17 }; /* what the driver reports */

#if ZECL_HEADERS_MINOR < 6
typedef struct {
  uint64_t kernelStart, kernelEnd;
} ze_synchronized_timestamp_data_ext_t;

typedef struct {
  ze_synchronized_timestamp_data_ext_t global, context;
} ze_synchronized_timestamp_result_ext_t;

typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  ze_kernel_timestamp_result_t *pKernelTimestampsBuffer;
  ze_synchronized_timestamp_result_ext_t *pSynchronizedTimestampsBuffer;
} ze_event_query_kernel_timestamps_results_ext_properties_t;
#endif

#if ZECL_HEADERS_MINOR < 10
typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags;
} ze_init_driver_type_desc_t;
#endif

#if ZECL_HEADERS_MINOR < 12
typedef struct _ze_external_semaphore_ext_handle_t *ze_external_semaphore_ext_handle_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags;
} ze_external_semaphore_ext_desc_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  int fd;
} ze_external_semaphore_fd_ext_desc_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint64_t value;
} ze_external_semaphore_signal_params_ext_t, ze_external_semaphore_wait_params_ext_t;
#endif

#if ZECL_HEADERS_MINOR < 13
typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  uint32_t vector_width_size;
  uint32_t preferred_vector_width_char, preferred_vector_width_short, preferred_vector_width_int,
      preferred_vector_width_long, preferred_vector_width_float, preferred_vector_width_double,
      preferred_vector_width_half;
  uint32_t native_vector_width_char, native_vector_width_short, native_vector_width_int,
      native_vector_width_long, native_vector_width_float, native_vector_width_double,
      native_vector_width_half;
} ze_device_vector_width_properties_ext_t;
#endif

#if ZECL_HEADERS_MINOR < 14
typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  uint64_t base;
  size_t size;
  ze_memory_type_t type;
  uint32_t argIndex;
} ze_kernel_allocation_exp_properties_t;
#endif

#if ZECL_HEADERS_MINOR < 15
typedef uint32_t ze_event_counter_based_flags_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  ze_event_counter_based_flags_t flags;
  ze_event_scope_flags_t signal, wait;
} ze_event_counter_based_desc_t;

typedef struct {
  char data[ZE_MAX_IPC_HANDLE_SIZE];
} ze_ipc_event_counter_based_handle_t;

typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  uint64_t id, size;
} ze_physical_mem_properties_t;
#endif

#if ZECL_HEADERS_MINOR < 16
typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  void *requirementsSrc; /* the module, or the graph */
} ze_runtime_requirements_module_desc_t, ze_runtime_requirements_graph_desc_t;

typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  int result;
} ze_validate_runtime_requirements_output_t;
#endif

/* The extension of descriptors of event pools, of headers 1.10. */
struct zecl_event_pool_counter_based_desc {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags;
};

#if ZECL_HEADERS_MINOR < 9
typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags;
} ze_mutable_command_id_exp_desc_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint32_t flags;
} ze_mutable_commands_exp_desc_t;

typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  uint32_t mutableCommandListFlags, mutableCommandFlags;
} ze_mutable_command_list_exp_properties_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint64_t commandId;
  uint32_t argIndex;
  size_t argSize;
  const void *pArgValue;
} ze_mutable_kernel_argument_exp_desc_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint64_t commandId;
  const ze_group_count_t *pGroupCount;
} ze_mutable_group_count_exp_desc_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint64_t commandId;
  uint32_t groupSizeX, groupSizeY, groupSizeZ;
} ze_mutable_group_size_exp_desc_t;

typedef struct {
  ze_structure_type_t stype;
  const void *pNext;
  uint64_t commandId;
  uint32_t offsetX, offsetY, offsetZ;
} ze_mutable_global_offset_exp_desc_t;
#endif

#if ZECL_HEADERS_MINOR < 17
typedef struct _ze_graph_handle_t *ze_graph_handle_t;
typedef struct _ze_executable_graph_handle_t *ze_executable_graph_handle_t;

typedef struct {
  ze_structure_type_t stype;
  void *pNext;
  uint32_t graphFlags;
} ze_record_replay_graph_ext_properties_t;
#endif

/* Numbers, since older headers lack the names. */
enum {
  ZECL_STYPE_LAUNCH_COOPERATIVE = 0x00020036,
  ZECL_STYPE_MUTABLE_PROPERTIES = 0x00020015,
  ZECL_STYPE_MUTABLE_LIST = 0x00020016,
  ZECL_STYPE_MUTABLE_ARGUMENT = 0x00020019,
  ZECL_STYPE_MUTABLE_GROUP_COUNT = 0x0002001a,
  ZECL_STYPE_MUTABLE_GROUP_SIZE = 0x0002001b,
  ZECL_STYPE_MUTABLE_OFFSET = 0x0002001c,
  ZECL_MUTABLE_LAUNCH = 0x7f, /* all of a launch: arguments, groups, offset, events, kernel */
  ZECL_MUTABLE_KNOWN = 0xff,
  ZECL_STYPE_GRAPH_PROPERTIES = 0x00020047,
  ZECL_STYPE_IPC_MEM_HANDLE_TYPE = 0x0002003d,
  ZECL_IPC_FABRIC = 2,
  ZECL_STYPE_REQUIREMENTS_MODULE = 0x00020044,
  ZECL_STYPE_REQUIREMENTS_GRAPH = 0x00020045,
  ZECL_REQUIREMENTS_NOT_APPLICABLE = 0,
  ZECL_REQUIREMENTS_MET = 1,
  ZECL_REQUIREMENTS_NOT_MET = 3,
  ZECL_GRAPH_IMMUTABLE = 1,
  ZECL_STYPE_EVENT_POOL_COUNTER_BASED = 0x00020014,
  ZECL_STYPE_EXTERNAL_SEMAPHORE_FD = 0x00020024,
  ZECL_SEMAPHORE_OPAQUE_FD = 1,
  ZECL_SEMAPHORE_TIMELINE_FD = 1 << 7,
  ZECL_INIT_DRIVER_TYPE_GPU = 1,
  ZECL_LIST_IN_ORDER = 8,  /* of zeCommandListCreate */
  ZECL_QUEUE_IN_ORDER = 2, /* of zeCommandListCreateImmediate */
  ZECL_COUNTER_BASED_IMMEDIATE = 1,
  ZECL_COUNTER_BASED_NON_IMMEDIATE = 2,
  ZECL_COUNTER_BASED_HOST_VISIBLE = 4,
  ZECL_COUNTER_BASED_IPC = 8,
  ZECL_COUNTER_BASED_DEVICE_TIMESTAMP = 16,
  ZECL_COUNTER_BASED_HOST_TIMESTAMP = 32,
  ZECL_COUNTER_BASED_KNOWN = 0x7f
};

#endif
