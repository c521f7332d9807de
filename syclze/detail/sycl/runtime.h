/* The SYCL runtime (DPC++'s libsycl) that the process has loaded: its functions by their symbols.
 */
#ifndef SYCLZE_DETAIL_SYCL_RUNTIME_H
#define SYCLZE_DETAIL_SYCL_RUNTIME_H

#include "../result.h"
#include "abi.h"

SYCLZE_EXTERN_C_BEGIN

/* Purposes of the functions: a group that lacks one is refused as a whole. */
enum syclze__sycl_group {
  SYCLZE__SYCL_READ, /* natives, properties and states of objects */
  SYCLZE__SYCL_TASK, /* host tasks of SYCL's */
  SYCLZE__SYCL_MAKE, /* objects of SYCL's; needs the first too */
  SYCLZE__SYCL_GROUPS
};

/* Group, result, name, parameters, symbol. Members have the object first. Where devices are shared
 * pointers, as before DPC++ 2026, their copy constructor is not exported. */
/* clang-format off */
#define SYCLZE__SYCL_FUNCTIONS(X) \
  X(READ, void, operator_delete, (void *), "_ZdlPv") \
  X(READ, void, operator_delete_array, (void *), "_ZdaPv") \
  X(READ, char, platform_backend, (const void *), "_ZNK4sycl3_V18platform11get_backendEv") \
  X(READ, void *, platform_native, (const void *), "_ZNK4sycl3_V18platform9getNativeEv") \
  X(READ, struct syclze__sycl_result, platform_name, (const void *), \
      "_ZNK4sycl3_V18platform13get_info_implINS0_4info8platform4nameEEENS0_6detail11ABINeutralTINS6_" \
      "21is_platform_info_descIT_E11return_typeEE4typeEv") \
  X(READ, void, device_copy, (void *, const void *), "_ZN4sycl3_V16deviceC1ERKS1_") \
  X(READ, char, device_backend, (const void *), "_ZNK4sycl3_V16device11get_backendEv") \
  X(READ, void *, device_native, (const void *), "_ZNK4sycl3_V16device9getNativeEv") \
  X(READ, struct syclze__sycl_result, device_platform, (const void *), \
      "_ZNK4sycl3_V16device12get_platformEv") \
  X(READ, char, context_backend, (const void *), "_ZNK4sycl3_V17context11get_backendEv") \
  X(READ, void *, context_native, (const void *), "_ZNK4sycl3_V17context9getNativeEv") \
  X(READ, struct syclze__sycl_result, context_devices, (const void *), \
      "_ZNK4sycl3_V17context11get_devicesEv") \
  X(READ, char, queue_backend, (const void *), "_ZNK4sycl3_V15queue11get_backendEv") \
  X(READ, void *, queue_native, (const void *, int32_t *), \
      "_ZNK4sycl3_V15queue9getNativeERi") \
  X(READ, struct syclze__sycl_result, queue_context, (const void *), \
      "_ZNK4sycl3_V15queue11get_contextEv") \
  X(READ, struct syclze__sycl_result, queue_device, (const void *), \
      "_ZNK4sycl3_V15queue10get_deviceEv") \
  X(READ, bool, queue_is_in_order, (const void *), "_ZNK4sycl3_V15queue11is_in_orderEv") \
  X(READ, const uint32_t *, queue_properties, (const void *), \
      "_ZNK4sycl3_V15queue11getPropListEv") \
  X(READ, int, queue_state, (const void *), "_ZNK4sycl3_V15queue20ext_oneapi_get_stateEv") \
  X(READ, bool, queue_is_empty, (const void *), "_ZNK4sycl3_V15queue16ext_oneapi_emptyEv") \
  X(READ, struct syclze__sycl_result, queue_last_event, (const void *), \
      "_ZNK4sycl3_V15queue30ext_oneapi_get_last_event_implEv") \
  X(READ, char, event_backend, (const void *), "_ZNK4sycl3_V15event11get_backendEv") \
  X(READ, void *, event_native, (const void *), "_ZNK4sycl3_V15event9getNativeEv") \
  X(READ, uint32_t, event_references, (const void *), \
      "_ZNK4sycl3_V15event8get_infoINS0_4info5event15reference_countEEENS0_6detail18is_event_info_" \
      "descIT_E11return_typeEv") \
  X(READ, int, event_status, (const void *), \
      "_ZNK4sycl3_V15event8get_infoINS0_4info5event24command_execution_statusEEENS0_6detail18is_" \
      "event_info_descIT_E11return_typeEv") \
  X(READ, char, kernel_backend, (const void *), "_ZNK4sycl3_V16kernel11get_backendEv") \
  X(READ, void *, kernel_native, (const void *), "_ZNK4sycl3_V16kernel9getNativeEv") \
  X(READ, struct syclze__sycl_result, kernel_bundle, (const void *), \
      "_ZNK4sycl3_V16kernel17get_kernel_bundleEv") \
  X(READ, char, bundle_backend, (const void *), \
      "_ZNK4sycl3_V16detail19kernel_bundle_plain11get_backendEv") \
  X(READ, struct syclze__sycl_result, bundle_context, (const void *), \
      "_ZNK4sycl3_V16detail19kernel_bundle_plain11get_contextEv") \
  X(READ, const struct syclze__sycl_object *, bundle_begin, (const void *), \
      "_ZNK4sycl3_V16detail19kernel_bundle_plain5beginEv") \
  X(READ, const struct syclze__sycl_object *, bundle_end, (const void *), \
      "_ZNK4sycl3_V16detail19kernel_bundle_plain3endEv") \
  X(READ, void *, image_native, (const void *), \
      "_ZNK4sycl3_V16detail18device_image_plain9getNativeEv") \
  X(TASK, struct syclze__sycl_result, queue_submit, \
      (const void *, const void *, const void *, const void *, bool), \
      "_ZNK4sycl3_V15queue22submit_with_event_implERKNS0_6detail19type_erased_cgfo_tyERKNS2_3_V114" \
      "SubmissionInfoERKNS2_13code_locationEb") \
  X(TASK, void, handler_depends_on, (void *, const struct syclze__sycl_vector *), \
      "_ZN4sycl3_V17handler10depends_onERKSt6vectorINS0_5eventESaIS3_EE") \
  X(TASK, void, handler_host_task, (void *, struct syclze__sycl_function *), \
      "_ZN4sycl3_V17handler11SetHostTaskESt8functionIFvvEE") \
  X(MAKE, void *, operator_new, (size_t), "_Znwm") \
  X(MAKE, struct syclze__sycl_result, queue_barrier, \
      (const void *, const struct syclze__sycl_vector *, const void *), \
      "_ZN4sycl3_V15queue25ext_oneapi_submit_barrierERKSt6vectorINS0_5eventESaIS3_EERKNS0_6detail13" \
      "code_locationE") \
  X(MAKE, struct syclze__sycl_result, make_platform, (void *, char), \
      "_ZN4sycl3_V16detail13make_platformEmNS0_7backendE") \
  X(MAKE, struct syclze__sycl_result, make_device, (void *, char), \
      "_ZN4sycl3_V16detail11make_deviceEmNS0_7backendE") \
  X(MAKE, struct syclze__sycl_result, make_context, \
      (void *, const struct syclze__sycl_function *, char, bool, \
          const struct syclze__sycl_vector *), \
      "_ZN4sycl3_V16detail12make_contextEmRKSt8functionIFvNS0_14exception_listEEENS0_7backendEbRKSt6" \
      "vectorINS0_6deviceESaISA_EE") \
  X(MAKE, struct syclze__sycl_result, make_queue, \
      (void *, int32_t, const void *, const void *, bool, const void *, \
          const struct syclze__sycl_function *, char), \
      "_ZN4sycl3_V16detail10make_queueEmiRKNS0_7contextEPKNS0_6deviceEbRKNS0_13property_listERKSt8" \
      "functionIFvNS0_14exception_listEEENS0_7backendE") \
  X(MAKE, void, queue_construct, (void *, const void *, const void *, const void *), \
      "_ZN4sycl3_V15queueC1ERKNS0_7contextERKNS0_6deviceERKNS0_13property_listE") \
  X(MAKE, struct syclze__sycl_result, make_event, (void *, const void *, bool, char), \
      "_ZN4sycl3_V16detail10make_eventEmRKNS0_7contextEbNS0_7backendE") \
  X(MAKE, struct syclze__sycl_result, make_kernel_bundle, \
      (void *, const void *, bool, char, char), \
      "_ZN4sycl3_V16detail18make_kernel_bundleEmRKNS0_7contextEbNS0_12bundle_stateENS0_7backendE") \
  X(MAKE, struct syclze__sycl_result, make_kernel, \
      (const void *, const void *, void *, bool, char), \
      "_ZN4sycl3_V16detail11make_kernelERKNS0_7contextERKNS0_13kernel_bundleILNS0_12bundle_" \
      "stateE2EEEmbNS0_7backendE")
/* clang-format on */

/* Values of the runtime's enumerations. */
enum {
  SYCLZE__SYCL_LEVEL_ZERO = 2, /* sycl::backend */
  SYCLZE__SYCL_EXECUTING = 0,  /* queue_state */
  SYCLZE__SYCL_COMPLETE = 0,   /* event_command_status */
  SYCLZE__SYCL_EXECUTABLE = 2, /* bundle_state */
  SYCLZE__SYCL_PROFILING = 2,  /* bits of a property list */
  SYCLZE__SYCL_IN_ORDER = 3
};

struct syclze__sycl {
#define SYCLZE__SYCL_MEMBER(group, result, name, parameters, symbol) result(*name) parameters;
  SYCLZE__SYCL_FUNCTIONS(SYCLZE__SYCL_MEMBER)
#undef SYCLZE__SYCL_MEMBER
  const char *missing[SYCLZE__SYCL_GROUPS]; /* a symbol of each, or null */
  /* Owners' functions, by which the objects of all files of the linked image are known. */
  ze_result_t (*end)(void *shared);
  ze_result_t (*end_context)(void *shared);
  /* The handler of asynchronous errors in contexts; atomic, of find.h or sycl.hpp. */
  void (*handle_errors)(void *const *data, void *errors);
  uint32_t exchange; /* a mutex of shared.h */
  uint32_t joins_mutex;
  uint32_t join_count, join_capacity; /* of `joins` */
  struct syclze__sycl_object *joins;  /* weak; host tasks of order.h */
};

SYCLZE_EXTERN_C_END

#endif
