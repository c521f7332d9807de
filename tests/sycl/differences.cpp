// The rows of syclze/manual/peers.md, on both sides: the SYCL runtime and syclze, with the same native
// handles in one program. A case that fails is a row to be changed.
#include "syclze/syclze.h"

#include "tests/sycl/support/natives.hpp"

#include <thread>

namespace {

// A context of the program's, wrapped by both.
struct world {
  native_context handle = new_context();
  sycl::context context = sycl::make_context<backend>({handle.get(), {first_device()}, keep});
  syclze_device device = {};
  syclze_context own = {};

  world() {
    REQUIRE_ZE(syclze_make_device(native_device(), &device));
    own = wrap(handle.get(), SYCLZE_OWNERSHIP_KEEP);
  }
  ~world() {
    syclze_release(own);
  }
  syclze_context wrap(ze_context_handle_t native, syclze_ownership ownership) {
    syclze_context_input input = {native, &device, 1, ownership};
    syclze_context made = {};
    REQUIRE_ZE(syclze_make_context(&input, &made));
    return made;
  }
  ze_result_t make_queue(ze_command_list_handle_t list, syclze_queue *queue) {
    syclze_queue_input input = {
        syclze_native_queue_of(list), device, SYCLZE_OWNERSHIP_KEEP, {0, 0, 0}};
    return syclze_make_queue(&input, own, queue);
  }
};

bool accepts(const std::function<void()> &make) {
  return code_thrown_by(make) == sycl::errc::success;
}

} // namespace

// The driver reads the variable when it is loaded.
__attribute__((constructor)) static void choose_devices() {
  setenv("ZECL_DEVICES", "2", 1);
}

SYCL_TEST(a_context_of_a_garbage_handle) {
  static char garbage[256];
  world world;
  auto handle = (ze_context_handle_t)(void *)garbage;
  bool is_accepted = accepts([&] {
    sycl::make_context<backend>({handle, {first_device()}, keep});
  });
  REQUIRE(is_accepted == !is_v2()); // whose first allocation is refused
  syclze_context_input input = {handle, &world.device, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context = {};
  REQUIRE(syclze_make_context(&input, &context) != ZE_RESULT_SUCCESS);
}

SYCL_TEST(a_buffer_in_a_context_of_two_devices) {
  world world;
  auto devices = first_device().get_platform().get_devices();
  REQUIRE(devices.size() == 2);
  auto context = sycl::make_context<backend>({world.handle.get(), devices, keep});
  void *memory = new_device_memory(world.handle.get(), 4096);
  REQUIRE(accepts([&] { sycl::make_buffer<backend, int>({memory, keep}, context); }));
  syclze_device both[2] = {world.device, {}};
  REQUIRE_ZE(syclze_make_device(sycl::get_native<backend>(devices[1]), &both[1]));
  syclze_context_input input = {world.handle.get(), both, 2, SYCLZE_OWNERSHIP_KEEP};
  syclze_context own = {};
  REQUIRE_ZE(syclze_make_context(&input, &own));
  syclze_buffer_input buffer_input = {memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {1024, 0, 0}};
  syclze_buffer buffer = {};
  REQUIRE(syclze_make_buffer(&buffer_input, own, &buffer) != ZE_RESULT_SUCCESS);
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(zeMemFree(world.handle.get(), memory));
}

SYCL_TEST(a_transferred_context) {
  world world;
  native_context one = new_context(), other = new_context();
  { sycl::make_context<backend>({one.get(), {first_device()}, transfer}); }
  REQUIRE(is_alive(one.get()));
  REQUIRE_ZE(syclze_release(world.wrap(other.get(), SYCLZE_OWNERSHIP_TRANSFER)));
  REQUIRE(!is_alive(other.get()));
  other.release();
}

SYCL_TEST(a_queue_of_a_regular_list) {
  world world;
  ze_command_list_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_command_list_handle_t list = nullptr;
  REQUIRE_ZE(zeCommandListCreate(world.handle.get(), native_device(), &desc, &list));
  native_list owner(list);
  bool is_accepted = accepts([&] {
    sycl::make_queue<backend>({list, first_device(), keep}, world.context);
  });
  REQUIRE(is_accepted == !is_v2());
  syclze_queue queue = {};
  REQUIRE(world.make_queue(list, &queue) != ZE_RESULT_SUCCESS);
}

SYCL_TEST(a_queue_of_a_list_of_another_context) {
  world world;
  native_context other = new_context();
  native_list list = new_list(other.get());
  REQUIRE(accepts([&] {
    sycl::make_queue<backend>({list.get(), first_device(), keep}, world.context);
  }));
  syclze_queue queue = {};
  REQUIRE(world.make_queue(list.get(), &queue) != ZE_RESULT_SUCCESS);
}

SYCL_TEST(the_native_queue_of_an_out_of_order_queue_twice) {
  world world;
  sycl::queue queue(world.context, first_device());
  bool is_same = sycl::get_native<backend>(queue) == sycl::get_native<backend>(queue);
  REQUIRE(is_same == !is_v2());
  native_list list = new_list(world.handle.get(), false);
  syclze_queue own = {};
  REQUIRE_ZE(world.make_queue(list.get(), &own));
  REQUIRE(syclze_get_native(own).list == syclze_get_native(own).list);
  REQUIRE_ZE(syclze_release(own));
}

SYCL_TEST(the_release_of_a_kept_queue_with_work) {
  world world;
  native_pool pool = new_pool(world.handle.get());
  native_event gate = new_event(pool.get()), other_gate = new_event(pool.get(), 1);
  ze_event_handle_t handle = gate.get(), other = other_gate.get();
  native_list list = new_list(world.handle.get()), other_list = new_list(world.handle.get());
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(other_list.get(), 1, &other));
  syclze_queue own = {};
  REQUIRE_ZE(world.make_queue(other_list.get(), &own));
  REQUIRE_ZE(syclze_release(own)); // would not return if it waited
  REQUIRE_ZE(zeEventHostSignal(other));
  REQUIRE_ZE(zeCommandListHostSynchronize(other_list.get(), UINT64_MAX));
  std::atomic<bool> is_released{false};
  std::thread signals([&] {
    if (is_v2()) // it waits, so that the gate has to open before
      zeEventHostSignal(handle);
    while (!is_released)
      std::this_thread::yield();
    if (!is_v2()) zeEventHostSignal(handle);
  });
  {
    auto queue = sycl::make_queue<backend>({list.get(), first_device(), keep}, world.context);
    REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list.get(), 1, &handle));
  }
  bool was_done = zeCommandListHostSynchronize(list.get(), 0) == ZE_RESULT_SUCCESS;
  is_released = true;
  signals.join();
  REQUIRE_ZE(zeCommandListHostSynchronize(list.get(), UINT64_MAX));
  REQUIRE(was_done == is_v2());
}

SYCL_TEST(a_transferred_event) {
  native_context handle = new_context();
  native_pool pool = new_pool(handle.get());
  native_event one = new_event(pool.get()), other = new_event(pool.get(), 1);
  bool at_release = false;
  {
    auto context = sycl::make_context<backend>({handle.get(), {first_device()}, keep});
    { sycl::make_event<backend>({one.get(), transfer}, context); }
    at_release = !is_alive(one.get());
  }
  bool with_context = !is_alive(one.get());
  if (with_context) one.release();
  REQUIRE(at_release == is_v2() && with_context);
  world world;
  syclze_context context = world.wrap(handle.get(), SYCLZE_OWNERSHIP_KEEP);
  syclze_event_input input = {other.get(), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event = {};
  REQUIRE_ZE(syclze_make_event(&input, context, &event));
  REQUIRE_ZE(syclze_release(event));
  REQUIRE(!is_alive(other.get()));
  other.release();
  REQUIRE_ZE(syclze_release(context));
}

SYCL_TEST(an_event_of_another_contexts_pool) {
  world world;
  native_context other = new_context();
  native_pool pool = new_pool(other.get());
  native_event handle = new_event(pool.get());
  REQUIRE_ZE(zeEventHostSignal(handle.get()));
  REQUIRE(accepts([&] { sycl::make_event<backend>({handle.get(), keep}, world.context); }));
  syclze_event_input input = {handle.get(), SYCLZE_OWNERSHIP_KEEP};
  syclze_event event = {};
  REQUIRE(syclze_make_event(&input, world.own, &event) != ZE_RESULT_SUCCESS);
}

SYCL_TEST(a_module_with_unresolved_imports) {
  world world;
  native_module module = new_module(world.handle.get(), "imports.spv");
  REQUIRE(accepts([&] {
    sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
        {module.get(), keep}, world.context);
  }));
  syclze_kernel_bundle_input input = {module.get(), SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel_bundle bundle = {};
  REQUIRE(syclze_make_kernel_bundle(&input, world.own, &bundle) != ZE_RESULT_SUCCESS);
}

SYCL_TEST(a_kernel_of_another_module) {
  world world;
  native_module module = new_module(world.handle.get(), "basic.spv");
  native_module other = new_module(world.handle.get(), "mixed.spv");
  native_kernel kernel = new_kernel(module.get(), "nothing");
  REQUIRE(accepts([&] {
    auto bundle = sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
        {other.get(), keep}, world.context);
    sycl::make_kernel<backend>({bundle, kernel.get(), keep}, world.context);
  }));
  syclze_kernel_bundle_input bundle_input = {other.get(), SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel_bundle bundle = {};
  REQUIRE_ZE(syclze_make_kernel_bundle(&bundle_input, world.own, &bundle));
  syclze_kernel_input input = {bundle, kernel.get(), SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel made = {};
  REQUIRE(syclze_make_kernel(&input, world.own, &made) != ZE_RESULT_SUCCESS);
  REQUIRE_ZE(syclze_release(bundle));
}

// syclze's side: device/host_task.c.
SYCL_TEST(an_interop_handle_of_another_backend) {
  sycl::errc code = sycl::errc::success;
  sycl::queue queue(first_device(), [&](sycl::exception_list errors) {
    for (const auto &error : errors)
      code = code_thrown_by([&] { std::rethrow_exception(error); });
  });
  queue.submit([&](sycl::handler &group) {
    group.host_task([](sycl::interop_handle handle) {
      (void)handle.get_native_context<sycl::backend::opencl>();
    });
  });
  queue.wait_and_throw();
  REQUIRE(code == sycl::errc::invalid);
}

TEST_MAIN(a_context_of_a_garbage_handle, a_buffer_in_a_context_of_two_devices,
    a_transferred_context, a_queue_of_a_regular_list, a_queue_of_a_list_of_another_context,
    the_native_queue_of_an_out_of_order_queue_twice, the_release_of_a_kept_queue_with_work,
    a_transferred_event, an_event_of_another_contexts_pool, a_module_with_unresolved_imports,
    a_kernel_of_another_module, an_interop_handle_of_another_backend)
