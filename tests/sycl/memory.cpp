// USM; buffers of the program's memory and of the runtime's, seen by kernels, copies and the host.
#include "tests/sycl/support/natives.hpp"

#include <numeric>
#include <thread>

namespace {

struct world {
  native_context handle = new_context();
  sycl::context context = sycl::make_context<backend>({handle.get(), {first_device()}, keep});
  sycl::queue queue{context, first_device()};
  native_module module = new_module(handle.get(), "basic.spv");
  native_kernel native = new_kernel(module.get(), "iota");
  sycl::kernel iota =
      sycl::make_kernel<backend>({sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
                                      {module.get(), keep}, context),
                                     native.get(), keep},
          context);

  sycl::event count(sycl::buffer<int> &buffer, int first) {
    return queue.submit([&](sycl::handler &group) {
      sycl::accessor out(buffer, group, sycl::write_only);
      group.set_args(out, first);
      group.parallel_for(sycl::range<1>(buffer.size()), iota);
    });
  }
};

void check_usm(sycl::usm::alloc kind) {
  sycl::queue queue(first_device());
  char *memory = (char *)sycl::aligned_alloc(256, 4096, queue, kind);
  REQUIRE(memory && (size_t)memory % 256 == 0);
  REQUIRE(sycl::get_pointer_type(memory, queue.get_context()) == kind);
  if (kind != sycl::usm::alloc::host)
    REQUIRE(sycl::get_pointer_device(memory, queue.get_context()) == first_device());
  std::vector<char> from(4096), to(4096);
  std::iota(from.begin(), from.end(), (char)0);
  sycl::event written = queue.memcpy(memory, from.data(), 4096);
  sycl::event set = queue.memset(memory + 1024, 9, 1024, written);
  queue.memcpy(to.data(), memory, 4096, set).wait();
  std::fill(from.begin() + 1024, from.begin() + 2048, (char)9);
  REQUIRE(from == to);
  sycl::free(memory, queue);
}

// The runtime's one thread of host tasks drops what a task holds, its context too, before it begins
// another.
void flush_host_tasks() {
  sycl::queue queue(sycl::context(first_device()), first_device());
  queue.submit([](sycl::handler &group) { group.host_task([] {}); }).wait();
}

void check_buffer(level_zero::ownership ownership) {
  world world;
  void *memory = new_device_memory(world.handle.get(), 1024 * sizeof(int));
  {
    auto buffer = sycl::make_buffer<backend, int>({memory, ownership}, world.context);
    REQUIRE(buffer.size() == 1024);
    world.count(buffer, 3);
    {
      sycl::host_accessor host(buffer, sycl::read_write);
      REQUIRE(host[0] == 3 && host[1023] == 1026);
      host[0] = 77;
    }
    void *seen = nullptr;
    world.queue.submit([&](sycl::handler &group) {
      sycl::accessor access(buffer, group, sycl::read_write);
      group.host_task([&seen, access](sycl::interop_handle handle) {
        seen = handle.get_native_mem<backend>(access);
      });
    });
    world.queue.wait();
    REQUIRE(seen == memory);
  }
  world.queue.wait();
  flush_host_tasks();
  bool is_there = is_allocated(world.handle.get(), memory);
  int first = 0;
  if (is_there) {
    world.queue.memcpy(&first, memory, sizeof first).wait();
    REQUIRE_ZE(zeMemFree(world.handle.get(), memory));
  }
  REQUIRE(is_there == (ownership == keep));
  REQUIRE(first == (ownership == keep ? 77 : 0));
}

} // namespace

SYCL_TEST(device_memory) {
  check_usm(sycl::usm::alloc::device);
}

SYCL_TEST(host_memory) {
  check_usm(sycl::usm::alloc::host);
}

SYCL_TEST(shared_memory) {
  check_usm(sycl::usm::alloc::shared);
}

SYCL_TEST(memory_of_the_program_is_usm_too) {
  world world;
  void *memory = new_device_memory(world.handle.get(), 256);
  REQUIRE(sycl::get_pointer_type(memory, world.context) == sycl::usm::alloc::device);
  world.queue.memset(memory, 3, 256).wait();
  std::vector<char> to(256);
  world.queue.memcpy(to.data(), memory, 256).wait();
  REQUIRE(to[0] == 3 && to[255] == 3);
  REQUIRE_ZE(zeMemFree(world.handle.get(), memory));
}

// PyTorch's mem_get_info asks sysman for it.
SYCL_TEST(a_device_reports_what_is_free_of_its_memory) {
  const sycl::device device = first_device();
  REQUIRE(device.has(sycl::aspect::ext_intel_free_memory));
  const uint64_t all = device.get_info<sycl::info::device::global_mem_size>(),
                 available = device.get_info<sycl::ext::intel::info::device::free_memory>();
  REQUIRE(available != 0 && available <= all);
}

SYCL_TEST(prefetch_and_advice) {
  sycl::queue queue(first_device());
  int *memory = sycl::malloc_shared<int>(1024, queue);
  queue.prefetch(memory, 4096).wait();
  queue.mem_advise(memory, 4096, 0).wait();
  queue.memset(memory, 0, 4096).wait();
  REQUIRE(memory[1023] == 0);
  sycl::free(memory, queue);
}

SYCL_TEST(a_kept_buffer_stays_with_its_contents) {
  check_buffer(keep);
}

SYCL_TEST(a_transferred_buffer_is_freed) {
  check_buffer(transfer);
}

SYCL_TEST(a_buffer_waits_for_its_available_event) {
  world world;
  native_pool pool = new_pool(world.handle.get());
  native_event gate = new_event(pool.get());
  void *memory = new_device_memory(world.handle.get(), 256 * sizeof(int));
  {
    auto available = sycl::make_event<backend>({gate.get(), keep}, world.context);
    auto buffer = sycl::make_buffer<backend, int>({memory, keep}, world.context, available);
    // The submission itself waits, on both adapters.
    std::thread signals([&] { zeEventHostSignal(gate.get()); });
    sycl::event done = world.count(buffer, 0);
    signals.join();
    done.wait();
  }
  int last = 0;
  world.queue.memcpy(&last, (int *)memory + 255, sizeof last).wait();
  REQUIRE(last == 255);
  REQUIRE_ZE(zeMemFree(world.handle.get(), memory));
}

SYCL_TEST(a_buffer_of_host_memory_is_written_back) {
  world world;
  std::vector<int> data(512, 1);
  {
    sycl::buffer<int> buffer(data.data(), data.size());
    world.count(buffer, 10);
  }
  REQUIRE(data[0] == 10 && data[511] == 521);
}

SYCL_TEST(sub_buffers_are_parts) {
  world world;
  std::vector<int> data(2048, 0);
  {
    sycl::buffer<int> whole(data.data(), data.size());
    sycl::buffer<int> part(whole, sycl::id<1>(1024), sycl::range<1>(1024));
    world.count(part, 100);
  }
  REQUIRE(data[1023] == 0 && data[1024] == 100 && data[2047] == 1123);
}

SYCL_TEST(copies_between_accessors) {
  world world;
  std::vector<int> data(64 * 32);
  std::iota(data.begin(), data.end(), 0);
  std::vector<int> out(64 * 32, -1);
  {
    sycl::buffer<int, 2> from(data.data(), sycl::range<2>(64, 32));
    sycl::buffer<int, 2> to(out.data(), sycl::range<2>(64, 32));
    world.queue.submit([&](sycl::handler &group) {
      sycl::accessor source(from, group, sycl::range<2>(8, 4), sycl::id<2>(2, 3), sycl::read_only);
      sycl::accessor target(to, group, sycl::range<2>(8, 4), sycl::id<2>(5, 7), sycl::write_only);
      group.copy(source, target);
    });
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++)
      REQUIRE(out[(5 + i) * 32 + 7 + j] == data[(2 + i) * 32 + 3 + j]);
}

SYCL_TEST(a_buffer_is_filled) {
  world world;
  std::vector<int> out(256);
  {
    sycl::buffer<int> buffer(out.data(), out.size());
    world.queue.submit([&](sycl::handler &group) {
      sycl::accessor target(buffer, group, sycl::write_only);
      group.fill(target, 0x12345678);
    });
  }
  REQUIRE(out[0] == 0x12345678 && out[255] == 0x12345678);
}

SYCL_TEST(two_queues_depend_through_a_buffer) {
  world world;
  sycl::queue other(world.context, first_device());
  std::vector<int> out(256);
  {
    sycl::buffer<int> buffer(out.data(), out.size());
    for (int i = 0; i < 20; i++) {
      world.count(buffer, i);
      other.submit([&](sycl::handler &group) {
        sycl::accessor target(buffer, group, sycl::range<1>(1), sycl::id<1>(0), sycl::write_only);
        group.fill(target, -i);
      });
    }
  }
  REQUIRE(out[0] == -19 && out[1] == 20 && out[255] == 274);
}

TEST_MAIN(device_memory, host_memory, shared_memory, memory_of_the_program_is_usm_too,
    a_device_reports_what_is_free_of_its_memory, prefetch_and_advice,
    a_kept_buffer_stays_with_its_contents, a_transferred_buffer_is_freed,
    a_buffer_waits_for_its_available_event, a_buffer_of_host_memory_is_written_back,
    sub_buffers_are_parts, copies_between_accessors, a_buffer_is_filled,
    two_queues_depend_through_a_buffer)
