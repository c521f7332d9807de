// Crossings while work is pending: the order of queues that are not in-order, profiled events,
// natives whose SYCL objects are gone, and one queue of SYCL that several threads cross with.
// shows promises 14
#include "syclze/sycl.hpp"
#include "syclze/command.h"

#include "tests/sycl/support/natives.hpp"

#include <atomic>
#include <mutex>
#include <thread>

namespace {

constexpr int size = 256;

sycl::queue shareable_queue(const sycl::context &context) {
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  if (!is_v2()) throw unavailable("the adapter's queue is not one in-order list");
  return queue;
}

void fill(syclze_queue queue, int *memory, int value, syclze_event *event = nullptr) {
  REQUIRE_ZE(syclze_queue_fill(
      queue, memory, &value, sizeof value, size * sizeof value, nullptr, 0, event));
}

// A native event that holds the list back until it opens; opens by itself where a test fails.
class gate {
  native_pool pool;
  native_event event;

public:
  explicit gate(ze_context_handle_t context)
      : pool(new_pool(context)), event(new_event(pool.get())) {
  }
  void hold(ze_command_list_handle_t list) const {
    ze_event_handle_t awaited = event.get();
    REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &awaited));
  }
  void open() const {
    zeEventHostSignal(event.get());
  }
  ~gate() {
    open();
  }
};

bool is_done(syclze_event event) {
  syclze_event_status status = SYCLZE_EVENT_STATUS_SUBMITTED;
  REQUIRE_ZE(syclze_event_get_status(event, &status));
  return status == SYCLZE_EVENT_STATUS_COMPLETE;
}

} // namespace

SYCL_TEST(a_wait_for_a_queue_without_order_waits_for_commands_of_syclze) {
  sycl::queue queue(sycl::context(first_device()), first_device());
  if (std::holds_alternative<ze_command_queue_handle_t>(sycl::get_native<backend>(queue)))
    throw unavailable("the adapter batches commands in command queues");
  const syclze_queue same = syclze::from_sycl(queue);
  int *memory = sycl::malloc_shared<int>(size, queue);
  for (int round = 1; round <= 50; round++) {
    syclze_event done = {};
    fill(same, memory, round, &done);
    queue.wait();
    REQUIRE(memory[0] == round && memory[size - 1] == round);
    const bool is_refused =
        code_thrown_by([&] { syclze::to_sycl(done, same); }) == sycl::errc::invalid;
    REQUIRE(is_refused && is_done(done));
    REQUIRE_ZE(syclze_release(done));
  }
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

// SYCL's event is of the marker behind the command, whose time it has.
SYCL_TEST(events_of_a_profiling_queue_have_times_on_both_sides) {
  if (!is_v2()) throw unavailable("adapter v1 makes no marker with a time");
  const syclze_context context = syclze::from_sycl(sycl::context(first_device()));
  const syclze_device device = syclze_context_get_device(context, 0);
  const syclze_property_list properties = {
      SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING, 0, 0};
  syclze_queue own = {};
  REQUIRE_ZE(syclze_queue_create(context, device, &properties, &own));
  sycl::queue queue = syclze::to_sycl(own);
  int *memory = sycl::malloc_shared<int>(size, queue);
  syclze_event done = {};
  fill(own, memory, 5, &done);
  sycl::event handed = syclze::to_sycl(done, own);
  sycl::event after = queue.memset(memory, 0, sizeof(int));
  handed.wait();
  after.wait();
  REQUIRE(memory[0] == 0 && memory[size - 1] == 5);
  using sycl::info::event_profiling::command_end;
  using sycl::info::event_profiling::command_start;
  uint64_t start = 0, end = 0;
  REQUIRE_ZE(syclze_event_get_profiling(done, device, &start, &end));
  REQUIRE(start != 0 && start <= end);
  REQUIRE(handed.get_profiling_info<command_start>() >= end);
  REQUIRE(after.get_profiling_info<command_start>() >= handed.get_profiling_info<command_start>());
  REQUIRE_ZE(syclze_release(done));
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(syclze_release(context));
  sycl::free(memory, queue);
}

// The last reference to the native queue is dropped by syclze, with work that a thread releases
// later.
SYCL_TEST(work_is_pending_when_the_objects_of_sycl_are_gone) {
  syclze_queue same = {};
  std::unique_ptr<gate> held;
  {
    sycl::queue queue = shareable_queue(sycl::context(first_device()));
    same = syclze::from_sycl(queue);
    held.reset(new gate(sycl::get_native<backend>(queue.get_context())));
  }
  const syclze_context context = syclze_queue_get_context(same);
  REQUIRE_ZE(syclze_retain(context));
  void *memory = nullptr;
  REQUIRE_ZE(
      syclze_malloc_shared(size * sizeof(int), syclze_queue_get_device(same), context, &memory));
  held->hold(syclze_get_native(same).list);
  syclze_event done = {};
  fill(same, static_cast<int *>(memory), 6, &done);
  REQUIRE(!is_done(done));
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    held->open();
  });
  const ze_result_t released = syclze_release(same);
  opener.join();
  REQUIRE_ZE(released);
  REQUIRE_ZE(syclze_event_wait(done));
  REQUIRE(static_cast<int *>(memory)[size - 1] == 6);
  REQUIRE_ZE(syclze_release(done));
  REQUIRE_ZE(syclze_free(memory, context));
  held.reset();
  REQUIRE_ZE(syclze_release(context));
}

// The native list is for one thread at a time, the objects are not.
SYCL_TEST(eight_threads_cross_with_one_queue) {
  constexpr int threads = 8, rounds = 100;
  sycl::queue queue = shareable_queue(sycl::context(first_device()));
  int *memory = sycl::malloc_shared<int>(threads * size, queue);
  std::atomic<int> failures{0};
  std::mutex list;
  auto body = [&](int thread) {
    try {
      int *own = memory + thread * size;
      for (int round = 1; round <= rounds; round++) {
        std::unique_lock<std::mutex> lock(list);
        const syclze_queue same = syclze::from_sycl(queue);
        syclze_event done = {};
        if (round % 4 == 0) queue.submit([&](sycl::handler &group) { group.host_task([] {}); });
        fill(same, own, round, &done);
        sycl::event handed = syclze::to_sycl(done, same);
        lock.unlock();
        handed.wait();
        REQUIRE(own[0] == round && own[size - 1] == round);
        REQUIRE_ZE(syclze_release(done));
        lock.lock();
        REQUIRE_ZE(syclze_release(same));
      }
    } catch (const std::exception &error) {
      failures++;
      std::fprintf(stderr, "thread %d: %s\n", thread, error.what());
    }
  };
  std::vector<std::thread> all;
  for (int i = 0; i < threads; i++)
    all.emplace_back(body, i);
  for (std::thread &thread : all)
    thread.join();
  queue.wait();
  sycl::free(memory, queue);
  REQUIRE(failures == 0);
}

TEST_MAIN(a_wait_for_a_queue_without_order_waits_for_commands_of_syclze,
    events_of_a_profiling_queue_have_times_on_both_sides,
    work_is_pending_when_the_objects_of_sycl_are_gone, eight_threads_cross_with_one_queue)
