/* The six programs in C++17, on syclze.hpp: see programs.c. */
#include "syclze/syclze.hpp"

#include "tests/check.h"

#include <array>
#include <atomic>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

namespace {

constexpr std::size_t COUNT = 64;
const syclze_nd_range EACH = {{COUNT, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0};

struct world {
  syclze::device device = syclze::devices().at(0);
  syclze::context context{{device}};
  syclze::queue queue{context, device};

  syclze::kernel kernel(const char *name) const {
    std::ifstream file("tests/kernels/basic.spv", std::ios::binary);
    const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
    return {syclze::kernel_bundle::from_spirv(context, device, code), name};
  }
};

/* Elements of a derived class have another size. */
struct derived : world {
  int more;
};
static_assert(std::is_convertible_v<std::vector<world> &, syclze::span<const world>>);
static_assert(!std::is_convertible_v<std::vector<derived> &, syclze::span<world>>);

#define TRY(call) CHECK_EQ(call, ZE_RESULT_SUCCESS)

TEST(adopt_a_native_queue_and_event) {
  const world w;
  ze_command_queue_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  ze_command_list_handle_t list;
  TRY(zeCommandListCreateImmediate(
      syclze_get_native(w.context.get()), syclze_get_native(w.device), &desc, &list));
  syclze_queue_input of_list{};
  of_list.native_handle = syclze_native_queue_of(list);
  of_list.device = w.device;
  const syclze::queue adopted(of_list, w.context);
  CHECK(syclze_get_native(adopted.get()).list == list);

  const syclze::event other(w.context);
  syclze_event_input of_event{};
  of_event.native_handle = syclze_get_native(other.get());
  of_event.ownership = SYCLZE_OWNERSHIP_KEEP;
  const syclze::event event(of_event, w.context);
  TRY(zeCommandListAppendSignalEvent(list, syclze_get_native(event.get())));
  event.wait();
}

TEST(add_vectors) {
  const world w;
  auto x = syclze::memory<float>::shared(w.context, w.device, COUNT);
  auto y = syclze::memory<float>::shared(w.context, w.device, COUNT);
  std::iota(x.begin(), x.end(), 0.0f);
  std::fill(y.begin(), y.end(), 100.0f);
  w.queue.launch(w.kernel("axpy"), EACH, 1.0f, x.data(), y.data());
  w.queue.wait();
  CHECK(y[0] == 100.0f && y[COUNT - 1] == 99.0f + static_cast<float>(COUNT));
}

std::atomic<bool> is_run;
void run(syclze::interop) {
  is_run = true;
}

TEST(buffers_and_a_host_task) {
  const world w;
  std::array<int, COUNT> data{};
  std::atomic<int> sum{0};
  {
    const syclze::buffer<int> buffer(w.context, data);
    w.queue.submit([&](syclze::group &group) {
      const auto out = group.write(buffer);
      group.launch(w.kernel("iota"), EACH, out, 5);
    });
    syclze::event done;
    w.queue.submit([&](syclze::group &group) {
      const auto in = group.read(buffer);
      group.host_task(done, [in, &sum](syclze::interop host) {
        const auto values = host.span(in);
        sum = std::accumulate(values.begin(), values.end(), 0);
      });
    });
    done.wait();
    CHECK_EQ(sum.load(), COUNT * 5 + COUNT * (COUNT - 1) / 2);
    const syclze::host_accessor<int> seen(buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(seen.size(), COUNT);
    CHECK_EQ(seen[1], 6);
  }
  CHECK_EQ(data[COUNT - 1], 5 + COUNT - 1);
  const std::vector<int> unchanged(COUNT, 3);
  int row[] = {1, 2};
  {
    const syclze::buffer<int> read(w.context, unchanged), write(w.context, row);
    CHECK_EQ(syclze_buffer_byte_size(read.get()), sizeof(int) * COUNT);
    const syclze::host_accessor<int> of_read(read), of_write(write);
    of_read[0] = of_write[0] = 4;
  }
  CHECK(unchanged[0] == 3 && row[0] == 4 && row[1] == 2);
  /* A variable is unchanged after it became a task; functions and constant objects are tasks too. */
  std::vector<int> added(COUNT, 1);
  auto add = [added, &sum](syclze::interop) { sum += static_cast<int>(added.size()); };
  const auto constant = add;
  sum = 0;
  is_run = false;
  w.queue.submit([&](syclze::group &group) { group.host_task(add); });
  w.queue.submit([&](syclze::group &group) { group.host_task(add); });
  w.queue.submit([&](syclze::group &group) { group.host_task(constant); });
  w.queue.submit([&](syclze::group &group) { group.host_task(&constant); });
  w.queue.submit([](syclze::group &group) { group.host_task(run); });
  w.queue.wait();
  CHECK(sum == 4 * COUNT && is_run);
}

TEST(a_graph) {
  const world w;
  auto memory = syclze::memory<int>::shared(w.context, w.device, COUNT);
  int ran = 0;
  auto task = [&](syclze::interop) { ran += memory[0]; };
  const syclze::graph graph(w.context, w.device);
  graph.record(w.queue, [&] {
    w.queue.fill(memory.data(), 9, COUNT);
    w.queue.submit([&](syclze::group &group) { group.host_task(&task); });
    try {
      w.queue.submit([&](syclze::group &group) { group.host_task([](syclze::interop) {}); });
      CHECK(false && "a recorded task would be gone after its first run");
    } catch (const syclze::error &error) {
      CHECK_EQ(error.code(), SYCLZE_ERRC_INVALID);
    }
  });
  CHECK_EQ(syclze_graph_get_node_count(graph), 2);
  const syclze::executable_graph executable = graph.finalize();
  for (int i = 1; i <= 2; i++) {
    w.queue.fill(memory.data(), 0, COUNT);
    w.queue.wait();
    w.queue.submit(executable);
    w.queue.wait();
    CHECK(memory[0] == 9 && memory[COUNT - 1] == 9);
    CHECK_EQ(ran, 9 * i);
  }
}

TEST(an_image) {
  const world w;
  syclze_image_input input{};
  input.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R;
  input.chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32;
  input.dimensions = 2;
  input.range[0] = 4, input.range[1] = 2;
  const syclze::image image(w.context, w.device, input);
  const std::array<float, 8> pixels = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<float, 8> back{};
  image.write(pixels.data());
  image.read(back.data());
  CHECK(pixels == back);
}

TEST(errors_and_what_is_left_behind) {
  const world w;
  try {
    const syclze::buffer<int> buffer(syclze_context{}, COUNT);
    CHECK(false && "a null context is refused");
  } catch (const syclze::error &error) {
    CHECK_EQ(error.result(), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
    CHECK_STR_EQ(error.what(), "ZE_RESULT_ERROR_INVALID_NULL_HANDLE");
  }
  /* The size in bytes has no representation: it is not cut off. */
  try {
    const auto memory = syclze::memory<int>::shared(w.context, w.device, SIZE_MAX / 4 + 2);
    CHECK(memory.data() == nullptr);
  } catch (const syclze::error &error) {
    CHECK_EQ(error.result(), ZE_RESULT_ERROR_INVALID_SIZE);
  }
  /* An exception leaves a group without a submission. */
  try {
    w.queue.submit([](syclze::group &) { throw 1; });
    CHECK(false && "the exception of the function is the caller's");
  } catch (int thrown) {
    CHECK_EQ(thrown, 1);
  }
  w.queue.submit([](syclze::group &group) {
    group.host_task([](syclze::interop) { throw std::string("any"); });
  });
  try {
    w.queue.wait();
    CHECK(false && "the exception of a host task is an asynchronous error");
  } catch (const syclze::error &error) {
    CHECK_EQ(error.result(), SYCLZE_RESULT_ERROR_RUNTIME);
  }
  /* Copies hold references of their own. */
  syclze::event first(w.context), second = first, third = std::move(first);
  CHECK(!first && second.get().rep == third.get().rep);
  second = syclze::event();
  CHECK(third && syclze_event_get_context(third).rep == w.context.get().rep);
}

} // namespace

TEST_MAIN(adopt_a_native_queue_and_event, add_vectors, buffers_and_a_host_task, a_graph, an_image,
    errors_and_what_is_left_behind)
