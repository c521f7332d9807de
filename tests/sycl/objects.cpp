// Platform, device, context, queue and event of the Level Zero backend, there and back, with both
// ownerships.
#include "tests/sycl/support/natives.hpp"

SYCL_TEST(a_platform_is_the_same_there_and_back) {
  sycl::platform platform = first_device().get_platform();
  ze_driver_handle_t handle = sycl::get_native<backend>(platform);
  uint32_t count = 1;
  ze_driver_handle_t first = nullptr;
  REQUIRE_ZE(zeDriverGet(&count, &first));
  REQUIRE(handle == first);
  REQUIRE(sycl::make_platform<backend>(handle) == platform);
}

SYCL_TEST(a_device_is_the_same_there_and_back) {
  sycl::device device = first_device();
  ze_device_handle_t handle = sycl::get_native<backend>(device);
  ze_device_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(handle, &properties));
  REQUIRE(device.get_info<sycl::info::device::name>() == properties.name);
  REQUIRE(sycl::make_device<backend>(handle) == device);
}

SYCL_TEST(a_kept_context_stays) {
  native_context handle = new_context();
  {
    auto context = sycl::make_context<backend>({handle.get(), {first_device()}, keep});
    REQUIRE(sycl::get_native<backend>(context) == handle.get());
    REQUIRE(context.get_devices()[0] == first_device());
  }
  REQUIRE(is_alive(handle.get()));
}

// Adapters ignore the transfer (README.md); the handle stays the program's.
SYCL_TEST(a_transferred_context_works) {
  native_context handle = new_context();
  {
    auto context = sycl::make_context<backend>({handle.get(), {first_device()}, transfer});
    void *memory = sycl::malloc_device(64, first_device(), context);
    REQUIRE(memory && is_allocated(handle.get(), memory));
    sycl::free(memory, context);
  }
  if (!is_alive(handle.get())) handle.release();
}

SYCL_TEST(a_context_of_sycl_ends_with_it) {
  ze_context_handle_t handle = nullptr;
  {
    sycl::context context(first_device());
    handle = sycl::get_native<backend>(context);
    REQUIRE(is_alive(handle));
    if (sycl::get_native<backend>(sycl::context(first_device())) == handle)
      throw unavailable("all contexts share the driver's default context");
  }
  REQUIRE(!is_alive(handle));
}

static void check_list(level_zero::ownership ownership) {
  native_context owner = new_context();
  auto context = sycl::make_context<backend>({owner.get(), {first_device()}, keep});
  native_list list = new_list(owner.get());
  {
    auto queue = sycl::make_queue<backend>(
        {list.get(), first_device(), ownership, {sycl::property::queue::in_order()}}, context);
    auto back = sycl::get_native<backend>(queue);
    REQUIRE(std::get<ze_command_list_handle_t>(back) == list.get());
    REQUIRE(queue.is_in_order());
    REQUIRE(queue.get_context() == context);
    std::vector<int> from(64, 7), to(64);
    queue.memcpy(to.data(), from.data(), 64 * sizeof(int)).wait();
    REQUIRE(from == to);
  }
  REQUIRE(is_alive(list.get()) == (ownership == keep));
  if (ownership == transfer) list.release();
}

SYCL_TEST(a_kept_list_stays) {
  check_list(keep);
}

SYCL_TEST(a_transferred_list_ends_with_the_queue) {
  check_list(transfer);
}

SYCL_TEST(a_command_queue_there_and_back) {
  native_context owner = new_context();
  auto context = sycl::make_context<backend>({owner.get(), {first_device()}, keep});
  native_queue handle = new_queue(owner.get());
  if (is_v2()) {
    auto make = [&] { sycl::make_queue<backend>({handle.get(), first_device(), keep}, context); };
    REQUIRE(code_thrown_by(make) != sycl::errc::success);
    throw unavailable("adapter v2 takes immediate lists only");
  }
  {
    auto queue = sycl::make_queue<backend>({handle.get(), first_device(), keep}, context);
    REQUIRE(std::get<ze_command_queue_handle_t>(sycl::get_native<backend>(queue)) == handle.get());
    std::vector<int> from(64, 7), to(64);
    queue.memcpy(to.data(), from.data(), 64 * sizeof(int)).wait();
    REQUIRE(from == to);
  }
  REQUIRE(is_alive(handle.get()));
}

SYCL_TEST(the_native_queue_of_sycl_takes_commands) {
  sycl::queue queue(first_device(), sycl::property::queue::in_order());
  auto handle = sycl::get_native<backend>(queue);
  if (!std::holds_alternative<ze_command_list_handle_t>(handle))
    throw unavailable("the adapter batches into command queues");
  auto list = std::get<ze_command_list_handle_t>(handle);
  int *memory = sycl::malloc_shared<int>(1024, queue);
  queue.memset(memory, 1, 1024 * sizeof(int));
  int pattern = 5;
  REQUIRE_ZE(zeCommandListAppendMemoryFill(
      list, memory, &pattern, sizeof pattern, 512 * sizeof(int), nullptr, 0, nullptr));
  std::vector<int> result(1024);
  queue.memcpy(result.data(), memory, 1024 * sizeof(int)).wait();
  REQUIRE(result[0] == 5 && result[511] == 5 && result[512] == 0x01010101);
  sycl::free(memory, queue);
}

static void check_event(level_zero::ownership ownership) {
  native_context owner = new_context();
  native_pool pool = new_pool(owner.get());
  native_event handle = new_event(pool.get());
  bool is_destroyed = false;
  {
    auto context = sycl::make_context<backend>({owner.get(), {first_device()}, keep});
    auto event = sycl::make_event<backend>({handle.get(), ownership}, context);
    REQUIRE(sycl::get_native<backend>(event) == handle.get());
    using status = sycl::info::event::command_execution_status;
    REQUIRE(event.get_info<status>() != sycl::info::event_command_status::complete);
    REQUIRE_ZE(zeEventHostSignal(handle.get()));
    REQUIRE(event.get_info<status>() == sycl::info::event_command_status::complete);
    event.wait();
  }
  is_destroyed = !is_alive(handle.get());
  if (is_destroyed) handle.release();
  REQUIRE(is_destroyed == (ownership == transfer));
}

SYCL_TEST(a_kept_event_stays) {
  check_event(keep);
}

// Adapter v1 destroys it with the context, at the latest; so does this case.
SYCL_TEST(a_transferred_event_is_destroyed) {
  check_event(transfer);
}

SYCL_TEST(a_native_event_gates_commands) {
  native_context owner = new_context();
  native_pool pool = new_pool(owner.get());
  native_event handle = new_event(pool.get());
  auto context = sycl::make_context<backend>({owner.get(), {first_device()}, keep});
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  int *memory = sycl::malloc_shared<int>(64, queue);
  queue.memset(memory, 0, 64 * sizeof(int)).wait();
  auto gate = sycl::make_event<backend>({handle.get(), keep}, context);
  sycl::event done = queue.submit([&](sycl::handler &group) {
    group.depends_on(gate);
    group.memset(memory, 1, 64 * sizeof(int));
  });
  REQUIRE(memory[0] == 0);
  REQUIRE_ZE(zeEventHostSignal(handle.get()));
  done.wait();
  REQUIRE(memory[63] == 0x01010101);
  sycl::free(memory, queue);
}

SYCL_TEST(the_native_event_of_a_command_is_signalled_with_it) {
  sycl::queue queue(first_device());
  int *memory = sycl::malloc_shared<int>(64, queue);
  sycl::event done = queue.memset(memory, 2, 64 * sizeof(int));
  ze_event_handle_t handle = sycl::get_native<backend>(done);
  done.wait();
  REQUIRE(zeEventQueryStatus(handle) == ZE_RESULT_SUCCESS);
  sycl::free(memory, queue);
}

TEST_MAIN(a_platform_is_the_same_there_and_back, a_device_is_the_same_there_and_back,
    a_kept_context_stays, a_transferred_context_works, a_context_of_sycl_ends_with_it,
    a_kept_list_stays, a_transferred_list_ends_with_the_queue, a_command_queue_there_and_back,
    the_native_queue_of_sycl_takes_commands, a_kept_event_stays, a_transferred_event_is_destroyed,
    a_native_event_gates_commands, the_native_event_of_a_command_is_signalled_with_it)
