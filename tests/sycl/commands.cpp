// Command groups: dependencies, barriers, host tasks with interop handles, profiling, graphs,
// threads.
#include "tests/sycl/support/natives.hpp"

#include <atomic>
#include <thread>

namespace experimental = sycl::ext::oneapi::experimental;

SYCL_TEST(events_order_commands) {
  sycl::queue queue(first_device());
  char *memory = sycl::malloc_shared<char>(4096, queue);
  sycl::event last = queue.memset(memory, 0, 4096);
  for (int i = 1; i <= 100; i++)
    last = queue.submit([&](sycl::handler &group) {
      group.depends_on(last);
      group.memset(memory, i, 4096);
    });
  last.wait();
  REQUIRE(memory[0] == 100 && memory[4095] == 100);
  sycl::free(memory, queue);
}

SYCL_TEST(a_barrier_waits_for_all_before) {
  sycl::queue queue(first_device());
  std::vector<char *> parts;
  for (int i = 0; i < 8; i++) {
    parts.push_back(sycl::malloc_shared<char>(4096, queue));
    queue.memset(parts.back(), i, 4096);
  }
  queue.ext_oneapi_submit_barrier().wait();
  for (int i = 0; i < 8; i++) {
    REQUIRE(parts[(size_t)i][4095] == i);
    sycl::free(parts[(size_t)i], queue);
  }
}

SYCL_TEST(a_barrier_waits_for_an_event_of_another_queue) {
  sycl::context context(first_device());
  sycl::queue one(context, first_device()), other(context, first_device());
  char *memory = sycl::malloc_shared<char>(64, one);
  sycl::event done = one.memset(memory, 4, 64);
  other.ext_oneapi_submit_barrier({done}).wait();
  REQUIRE(memory[63] == 4);
  sycl::free(memory, one);
}

SYCL_TEST(a_host_task_runs_between_commands) {
  sycl::queue queue(first_device(), sycl::property::queue::in_order());
  char *memory = sycl::malloc_shared<char>(64, queue);
  queue.memset(memory, 1, 64);
  queue.submit([&](sycl::handler &group) {
    group.host_task([memory] { memory[0] = (char)(memory[0] + 10); });
  });
  std::vector<char> result(64);
  queue.memcpy(result.data(), memory, 64).wait();
  REQUIRE(result[0] == 11 && result[1] == 1);
  sycl::free(memory, queue);
}

SYCL_TEST(an_interop_handle_has_the_native_objects) {
  native_context owner = new_context();
  auto context = sycl::make_context<backend>({owner.get(), {first_device()}, keep});
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  ze_context_handle_t in_task = nullptr;
  ze_device_handle_t device_in_task = nullptr;
  sycl::backend served = sycl::backend::host;
  queue.submit([&](sycl::handler &group) {
    group.host_task([&](sycl::interop_handle handle) {
      served = handle.get_backend();
      in_task = handle.get_native_context<backend>();
      device_in_task = handle.get_native_device<backend>();
    });
  });
  queue.wait();
  REQUIRE(served == backend);
  REQUIRE(in_task == owner.get());
  REQUIRE(device_in_task == native_device());
}

// get_native_queue of an interop handle does not compile (README.md).
SYCL_TEST(an_interop_handle_has_the_memory_of_an_accessor) {
  sycl::queue queue(first_device());
  std::vector<int> data(256, 3);
  {
    sycl::buffer<int> buffer(data.data(), data.size());
    queue.submit([&](sycl::handler &group) {
      sycl::accessor access(buffer, group, sycl::read_write);
      group.host_task([=](sycl::interop_handle handle) {
        ze_context_handle_t context = handle.get_native_context<backend>();
        ze_device_handle_t device = handle.get_native_device<backend>();
        ze_command_queue_desc_t desc = {};
        desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        ze_command_list_handle_t list = nullptr;
        if (zeCommandListCreateImmediate(context, device, &desc, &list) != ZE_RESULT_SUCCESS)
          return;
        int pattern = 8;
        (void)zeCommandListAppendMemoryFill(list, handle.get_native_mem<backend>(access), &pattern,
            sizeof pattern, 128 * sizeof(int), nullptr, 0, nullptr);
        (void)zeCommandListDestroy(list);
      });
    });
  }
  REQUIRE(data[0] == 8 && data[127] == 8 && data[128] == 3);
}

SYCL_TEST(an_interop_handle_refuses_another_backend) {
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
  // SYCL 2020 wants backend_mismatch here.
  REQUIRE(code == sycl::errc::invalid);
}

SYCL_TEST(an_error_of_a_host_task_is_asynchronous) {
  std::atomic<int> errors{0};
  sycl::queue queue(first_device(), [&](sycl::exception_list list) { errors += (int)list.size(); });
  queue.submit([&](sycl::handler &group) {
    group.host_task([] { throw std::runtime_error("of the task"); });
  });
  queue.wait_and_throw();
  REQUIRE(errors == 1);
}

SYCL_TEST(profiled_commands_have_times_in_order) {
  sycl::queue queue(first_device(), sycl::property::queue::enable_profiling());
  std::vector<char> from(1 << 20, 1);
  char *memory = sycl::malloc_device<char>(1 << 20, queue);
  sycl::event event = queue.memcpy(memory, from.data(), 1 << 20);
  event.wait();
  namespace profiling = sycl::info::event_profiling;
  auto submitted = event.get_profiling_info<profiling::command_submit>();
  auto started = event.get_profiling_info<profiling::command_start>();
  auto ended = event.get_profiling_info<profiling::command_end>();
  REQUIRE(started >= submitted && ended >= started);
  sycl::free(memory, queue);
}

SYCL_TEST(a_recorded_graph_runs_again_and_again) {
  sycl::queue queue(first_device(), sycl::property::queue::in_order());
  if (!first_device().has(sycl::aspect::ext_oneapi_limited_graph))
    throw unavailable("the adapter has no graphs on this driver");
  char *from = sycl::malloc_shared<char>(256, queue), *to = sycl::malloc_shared<char>(256, queue);
  experimental::command_graph graph(queue.get_context(), first_device());
  graph.begin_recording(queue);
  queue.memset(from, 6, 256);
  queue.memcpy(to, from, 256);
  graph.end_recording(queue);
  auto executable = graph.finalize();
  for (int i = 0; i < 10; i++) {
    queue.memset(to, 0, 256).wait();
    REQUIRE(to[0] == 0);
    queue.ext_oneapi_graph(executable).wait();
    REQUIRE(to[0] == 6 && to[255] == 6);
  }
  sycl::free(from, queue);
  sycl::free(to, queue);
}

SYCL_TEST(a_graph_of_explicit_nodes_keeps_its_edges) {
  sycl::queue queue(first_device());
  if (!first_device().has(sycl::aspect::ext_oneapi_limited_graph))
    throw unavailable("the adapter has no graphs on this driver");
  char *memory = sycl::malloc_shared<char>(3 * 64, queue);
  experimental::command_graph graph(queue.get_context(), first_device());
  auto first = graph.add([&](sycl::handler &group) { group.memset(memory, 1, 64); });
  auto second = graph.add([&](sycl::handler &group) { group.memcpy(memory + 64, memory, 64); },
      {experimental::property::node::depends_on(first)});
  graph.add([&](sycl::handler &group) { group.memcpy(memory + 128, memory + 64, 64); },
      {experimental::property::node::depends_on(second)});
  auto executable = graph.finalize();
  queue.memset(memory, 0, 3 * 64).wait();
  queue.ext_oneapi_graph(executable).wait();
  REQUIRE(memory[0] == 1 && memory[64] == 1 && memory[191] == 1);
  sycl::free(memory, queue);
}

SYCL_TEST(eight_threads_have_queues_of_their_own) {
  sycl::context context(first_device());
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
      int *memory = sycl::malloc_shared<int>(256, queue);
      for (int i = 0; i < 50; i++) {
        queue.memset(memory, t, 1024);
        std::vector<char> result(1024);
        queue.memcpy(result.data(), memory, 1024).wait();
        if (result[0] != t || result[1023] != t) wrong++;
      }
      sycl::free(memory, queue);
    });
  for (auto &thread : threads)
    thread.join();
  REQUIRE(wrong == 0);
}

TEST_MAIN(events_order_commands, a_barrier_waits_for_all_before,
    a_barrier_waits_for_an_event_of_another_queue, a_host_task_runs_between_commands,
    an_interop_handle_has_the_native_objects, an_interop_handle_has_the_memory_of_an_accessor,
    an_interop_handle_refuses_another_backend, an_error_of_a_host_task_is_asynchronous,
    profiled_commands_have_times_in_order, a_recorded_graph_runs_again_and_again,
    a_graph_of_explicit_nodes_keeps_its_edges, eight_threads_have_queues_of_their_own)
