// What the measured operations share: how they are timed or counted, and the native objects.
#ifndef BENCH_SYCL_WORLD_HPP
#define BENCH_SYCL_WORLD_HPP

#include "syclze/syclze.h"

#include "syclze/command.h"

#include <level_zero/ze_api.h>
#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_functions.hpp>

#include <valgrind/callgrind.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

namespace level_zero = sycl::ext::oneapi::level_zero;
namespace experimental = sycl::ext::oneapi::experimental;
constexpr auto backend = sycl::backend::ext_oneapi_level_zero;
constexpr auto keep = level_zero::ownership::keep;

namespace {

void check(ze_result_t result, int line) {
  if (result == ZE_RESULT_SUCCESS) return;
  fprintf(stderr, "cost.cpp:%d: %s\n", line, syclze_result_string(result));
  exit(1);
}
#define OK(call) check(call, __LINE__)

const char *only = ""; // the text that names of operations contain

template <class T> __attribute__((noinline)) void opaque(T &value) {
  asm volatile("" : "+r"(value));
}

using action = std::function<void()>;

template <class F> double nanoseconds(int count, F run) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < count; i++)
    run();
  std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
  return taken.count() / count;
}

// `settle` waits for what was submitted; it is not counted.
template <class F>
void measure(
    const char *side, const char *name, F run, const action &settle = [] {}, int count = 100) {
  if (!strstr(name, only)) return;
  std::string text = std::string(side) + "|" + std::to_string(count) + "|" + name;
  try {
    for (int i = 0; i < count; i++)
      run();
    settle();
    if (RUNNING_ON_VALGRIND) {
      CALLGRIND_DUMP_STATS;
      for (int i = 0; i < count; i++)
        run();
      CALLGRIND_DUMP_STATS_AT(text.c_str());
      settle();
    } else {
      double least = 1e12;
      for (int round = 0; round < 9; round++) {
        least = std::min(least, nanoseconds(count, run));
        settle();
      }
      printf("%s|%.0f\n", text.c_str(), least);
    }
  } catch (const std::exception &error) {
    printf("%s|refused: %.60s\n", text.c_str(), error.what());
  }
  fflush(stdout);
}

struct world {
  sycl::device device;
  ze_device_handle_t native_device = nullptr;
  ze_driver_handle_t driver = nullptr;
  ze_context_handle_t native_context = nullptr;
  ze_command_list_handle_t list = nullptr, other_list = nullptr;
  ze_command_queue_handle_t queue = nullptr;
  ze_event_handle_t event = nullptr;
  ze_module_handle_t module = nullptr;
  ze_kernel_handle_t nothing[2], axpy[2];
  void *memory[4];
  syclze_platform platform;
  syclze_device own_device;
  syclze_context_input context_input;
  syclze_context own_context;
};

ze_kernel_handle_t new_kernel(ze_module_handle_t module, const char *name) {
  ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, nullptr, 0, name};
  ze_kernel_handle_t kernel = nullptr;
  OK(zeKernelCreate(module, &desc, &kernel));
  return kernel;
}

void make_queues(world &w) {
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  OK(zeCommandQueueCreate(w.native_context, w.native_device, &desc, &w.queue));
  desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
  OK(zeCommandListCreateImmediate(w.native_context, w.native_device, &desc, &w.list));
  OK(zeCommandListCreateImmediate(w.native_context, w.native_device, &desc, &w.other_list));
}

void make_event(world &w) {
  ze_event_pool_desc_t pool_desc = {
      ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
  ze_event_desc_t desc = {
      ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_pool_handle_t pool = nullptr;
  OK(zeEventPoolCreate(w.native_context, &pool_desc, 1, &w.native_device, &pool));
  OK(zeEventCreate(pool, &desc, &w.event));
  OK(zeEventHostSignal(w.event));
}

void make_kernels(world &w, const char *native) {
  std::ifstream file(native, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ze_module_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_NATIVE;
  desc.inputSize = bytes.size();
  desc.pInputModule = (const uint8_t *)bytes.data();
  OK(zeModuleCreate(w.native_context, w.native_device, &desc, &w.module, nullptr));
  for (int i = 0; i < 2; i++) {
    w.nothing[i] = new_kernel(w.module, "nothing");
    w.axpy[i] = new_kernel(w.module, "axpy");
  }
}

world make_world(const char *native) {
  world w;
  for (const auto &platform : sycl::platform::get_platforms())
    if (platform.get_backend() == backend) w.device = platform.get_devices()[0];
  w.native_device = sycl::get_native<backend>(w.device);
  w.driver = sycl::get_native<backend>(w.device.get_platform());
  ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
  OK(zeContextCreate(w.driver, &desc, &w.native_context));
  make_queues(w);
  make_event(w);
  make_kernels(w, native);
  ze_device_mem_alloc_desc_t memory_desc = {};
  memory_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  for (auto &memory : w.memory)
    OK(zeMemAllocDevice(w.native_context, &memory_desc, 4096, 64, w.native_device, &memory));
  OK(syclze_make_platform(w.driver, &w.platform));
  OK(syclze_make_device(w.native_device, &w.own_device));
  return w;
}

} // namespace

#endif
