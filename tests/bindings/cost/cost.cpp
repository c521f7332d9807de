/* The operations of cost.c by syclze.hpp, and the same by the functions of C in the same place. */
#include "syclze/syclze.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" void mark_begin(void);
extern "C" void mark_end(const char *name);

template <typename Function>
[[gnu::noinline]] static void measure(const char *name, Function function) {
  for (int i = 0; i < 100; i++)
    function();
  mark_begin();
  for (int i = 0; i < 1000; i++)
    function();
  mark_end(name);
}
#define MEASURE(name, ...) measure(name, [&]() __attribute__((always_inline)) __VA_ARGS__)

int main() {
  constexpr std::size_t COUNT = 64;
  const syclze::device device = syclze::devices().at(0);
  const syclze::context context({device});
  syclze_property_list properties{};
  properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  const syclze::queue queue(context, device, properties);
  const syclze::event event(context);
  std::ifstream file("tests/kernels/basic.spv", std::ios::binary);
  const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  const syclze::kernel kernel(syclze::kernel_bundle::from_spirv(context, device, code), "axpy");
  const auto x = syclze::memory<float>::shared(context, device, COUNT);
  const auto y = syclze::memory<int>::shared(context, device, COUNT);
  syclze_buffer_input of_buffer{};
  of_buffer.native_handle = x.data();
  of_buffer.element_size = 4;
  of_buffer.range[0] = COUNT;
  of_buffer.dimensions = 1;
  of_buffer.ownership = SYCLZE_OWNERSHIP_KEEP;
  const syclze::buffer<int> buffer(of_buffer, context);
  syclze_event_input of_event{};
  of_event.native_handle = syclze_get_native(event.get());
  of_event.ownership = SYCLZE_OWNERSHIP_KEEP;
  const syclze_nd_range range = {{COUNT, 0, 0}, {COUNT, 0, 0}, {0, 0, 0}, 0};

  MEASURE("get_native", {
    volatile ze_event_handle_t native = syclze_get_native(event.get());
    (void)native;
  });
  MEASURE("make_event", { const syclze::event made(of_event, context); });
  MEASURE("fill", { queue.fill(y.data(), 0, COUNT); });
  MEASURE("launch", { queue.launch(kernel, range, 2.0f, x.data(), y.data()); });
  MEASURE("group",
      { queue.submit([&](syclze::group &group) { group.fill(group.write(buffer), 0); }); });

  const auto attempt = [](ze_result_t result) {
    if (result != ZE_RESULT_SUCCESS) std::abort();
  };
  MEASURE("c_get_native", {
    volatile ze_event_handle_t native = syclze_event_get_native(event);
    (void)native;
  });
  MEASURE("c_make_event", {
    syclze_event made;
    attempt(syclze_make_event(&of_event, context, &made));
    attempt(syclze_event_release(made));
  });
  MEASURE("c_fill", {
    const int zero = 0;
    attempt(syclze_queue_fill(queue, y.data(), &zero, 4, 4 * COUNT, nullptr, 0, nullptr));
  });
  MEASURE("c_launch", {
    const syclze_argument arguments[] = {
        syclze_arg(2.0f), syclze_arg(x.data()), syclze_arg(y.data())};
    attempt((syclze_queue_launch_arguments)(queue, kernel, &range, arguments, 3, nullptr, 0, nullptr));
  });
  MEASURE("c_group", {
    const int zero = 0;
    syclze_group group = syclze_group_begin(queue);
    const syclze_accessor all = syclze_group_require_buffer(&group, buffer, SYCLZE_ACCESS_WRITE);
    attempt(syclze_group_fill(&group, syclze_mem_arg(all), &zero, 4, all.size, nullptr));
    syclze_group_end(&group);
  });
}
