// What the programs of this folder share: cases that may throw, the device, and native objects that
// destroy themselves unless they were given away.
#ifndef TESTS_SYCL_SUPPORT_NATIVES_HPP
#define TESTS_SYCL_SUPPORT_NATIVES_HPP

#include "tests/check.h"

#include <level_zero/ze_api.h>
#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>

#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace level_zero = sycl::ext::oneapi::level_zero;
constexpr auto backend = sycl::backend::ext_oneapi_level_zero;
constexpr auto keep = level_zero::ownership::keep;
constexpr auto transfer = level_zero::ownership::transfer;

// A case in C++: an exception fails it, so that what it holds is destroyed on the way out. What the
// runtime or the adapter does not offer skips it.
struct unavailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void run_case(void (*body)(), const char *file) {
  std::string failure, reason;
  try {
    body();
  } catch (const unavailable &error) {
    reason = error.what();
  } catch (const std::exception &error) {
    failure = error.what();
  }
  if (!reason.empty()) check_skip(reason.c_str());
  if (!failure.empty()) check_fail(file, 0, "%s", failure.c_str());
}

#define SYCL_TEST(name)                                                                            \
  static void name##_body();                                                                       \
  TEST(name) {                                                                                     \
    run_case(name##_body, __FILE__);                                                               \
  }                                                                                                \
  static void name##_body()

#define REQUIRE(condition)                                                                         \
  do {                                                                                             \
    if (!(condition))                                                                              \
      throw std::logic_error("line " + std::to_string(__LINE__) + ": " #condition);                \
  } while (0)

#define REQUIRE_ZE(call)                                                                           \
  do {                                                                                             \
    ze_result_t result_ = (call);                                                                  \
    if (result_ != ZE_RESULT_SUCCESS)                                                              \
      throw std::logic_error("line " + std::to_string(__LINE__) + ": " #call " returned " +        \
                             std::to_string((unsigned)result_));                                   \
  } while (0)

template <class F> sycl::errc code_thrown_by(F f) {
  try {
    f();
  } catch (const sycl::exception &error) {
    return (sycl::errc)error.code().value();
  }
  return sycl::errc::success;
}

inline sycl::device first_device() {
  for (const auto &platform : sycl::platform::get_platforms())
    if (platform.get_backend() == backend) return platform.get_devices()[0];
  throw std::logic_error("no device of Level Zero");
}

inline bool is_v2() {
  return first_device().get_platform().get_info<sycl::info::platform::name>().find("V2") !=
         std::string::npos;
}

inline ze_device_handle_t native_device() {
  return sycl::get_native<backend>(first_device());
}

inline ze_driver_handle_t native_driver() {
  return sycl::get_native<backend>(first_device().get_platform());
}

template <class Handle, ze_result_t (*Destroy)(Handle)> struct destroyer {
  using pointer = Handle;
  void operator()(Handle handle) const {
    Destroy(handle);
  }
};
template <class Handle, ze_result_t (*Destroy)(Handle)>
using native = std::unique_ptr<Handle, destroyer<Handle, Destroy>>;
using native_context = native<ze_context_handle_t, zeContextDestroy>;
using native_list = native<ze_command_list_handle_t, zeCommandListDestroy>;
using native_queue = native<ze_command_queue_handle_t, zeCommandQueueDestroy>;
using native_pool = native<ze_event_pool_handle_t, zeEventPoolDestroy>;
using native_event = native<ze_event_handle_t, zeEventDestroy>;
using native_module = native<ze_module_handle_t, zeModuleDestroy>;
using native_kernel = native<ze_kernel_handle_t, zeKernelDestroy>;
using native_image = native<ze_image_handle_t, zeImageDestroy>;

inline native_context new_context() {
  ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  ze_context_handle_t handle = nullptr;
  REQUIRE_ZE(zeContextCreate(native_driver(), &desc, &handle));
  return native_context(handle);
}

inline ze_command_queue_desc_t queue_desc(bool in_order) {
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  desc.flags = in_order ? ZE_COMMAND_QUEUE_FLAG_IN_ORDER : 0;
  return desc;
}

inline native_list new_list(ze_context_handle_t context, bool in_order = true) {
  ze_command_queue_desc_t desc = queue_desc(in_order);
  ze_command_list_handle_t handle = nullptr;
  REQUIRE_ZE(zeCommandListCreateImmediate(context, native_device(), &desc, &handle));
  return native_list(handle);
}

inline native_queue new_queue(ze_context_handle_t context) {
  ze_command_queue_desc_t desc = queue_desc(false);
  ze_command_queue_handle_t handle = nullptr;
  REQUIRE_ZE(zeCommandQueueCreate(context, native_device(), &desc, &handle));
  return native_queue(handle);
}

inline native_pool new_pool(ze_context_handle_t context, uint32_t count = 8) {
  ze_event_pool_desc_t desc = {
      ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, count};
  ze_device_handle_t device = native_device();
  ze_event_pool_handle_t handle = nullptr;
  REQUIRE_ZE(zeEventPoolCreate(context, &desc, 1, &device, &handle));
  return native_pool(handle);
}

inline native_event new_event(ze_event_pool_handle_t pool, uint32_t index = 0) {
  ze_event_desc_t desc = {ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, index, ZE_EVENT_SCOPE_FLAG_HOST,
      ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t handle = nullptr;
  REQUIRE_ZE(zeEventCreate(pool, &desc, &handle));
  return native_event(handle);
}

inline std::vector<char> file_bytes(const std::string &name) {
  std::ifstream file("tests/kernels/" + name, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline native_module new_module(ze_context_handle_t context, const std::string &name) {
  std::vector<char> bytes = file_bytes(name);
  ze_module_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = bytes.size();
  desc.pInputModule = (const uint8_t *)bytes.data();
  ze_module_handle_t handle = nullptr;
  REQUIRE_ZE(zeModuleCreate(context, native_device(), &desc, &handle, nullptr));
  return native_module(handle);
}

inline native_kernel new_kernel(ze_module_handle_t module, const char *name) {
  ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t handle = nullptr;
  REQUIRE_ZE(zeKernelCreate(module, &desc, &handle));
  return native_kernel(handle);
}

inline void *new_device_memory(ze_context_handle_t context, size_t size) {
  ze_device_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  void *memory = nullptr;
  REQUIRE_ZE(zeMemAllocDevice(context, &desc, size, 64, native_device(), &memory));
  return memory;
}

inline bool is_allocated(ze_context_handle_t context, void *memory) {
  ze_memory_allocation_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  REQUIRE_ZE(zeMemGetAllocProperties(context, memory, &properties, nullptr));
  return properties.type != ZE_MEMORY_TYPE_UNKNOWN;
}

// The embedded device refuses handles that were destroyed.
inline bool is_alive(ze_context_handle_t context) {
  return zeContextGetStatus(context) == ZE_RESULT_SUCCESS;
}
inline bool is_alive(ze_command_list_handle_t list) {
  return zeCommandListHostSynchronize(list, 0) != ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
inline bool is_alive(ze_command_queue_handle_t queue) {
  return zeCommandQueueSynchronize(queue, 0) != ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
inline bool is_alive(ze_event_handle_t event) {
  return zeEventQueryStatus(event) != ZE_RESULT_ERROR_INVALID_ARGUMENT;
}
inline bool is_alive(ze_module_handle_t module) {
  uint32_t count = 0;
  return zeModuleGetKernelNames(module, &count, nullptr) == ZE_RESULT_SUCCESS;
}
inline bool is_alive(ze_kernel_handle_t kernel) {
  size_t size = 0;
  return zeKernelGetName(kernel, &size, nullptr) == ZE_RESULT_SUCCESS;
}

#endif
