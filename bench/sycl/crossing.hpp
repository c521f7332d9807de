// Objects of SYCL's as syclze's, and back (syclze/sycl.hpp). In DPC++'s columns stand its own
// functions alone that a crossing calls.
#ifndef BENCH_SYCL_CROSSING_HPP
#define BENCH_SYCL_CROSSING_HPP

#include "bench/sycl/world.hpp"
#include "syclze/queue_commands.h"
#include "syclze/sycl.hpp"

namespace {

// Results in memory.
template <class T> void used(const T &value) {
  const T *at = &value;
  opaque(at);
}

template <class T> void drop(T object) {
  opaque(object.rep);
  OK(syclze_release(object));
}

void measure_crossings(const world &w) {
  sycl::context context(w.device);
  sycl::queue queue(context, w.device, {sycl::property::queue::in_order()});
  char *memory = sycl::malloc_device<char>(4096, queue);
  sycl::event event = queue.memset(memory, 0, 4096);
  event.wait();
  measure("dpcpp", "from_sycl + release, a context", [&] {
    auto handle = sycl::get_native<backend>(context);
    used(handle);
    context.get_devices();
  });
  measure("dpcpp", "from_sycl + release, a known queue", [&] {
    bool empty = queue.ext_oneapi_empty();
    auto state = queue.ext_oneapi_get_state();
    used(empty), used(state);
  });
  measure("dpcpp", "from_sycl + release, an event", [&] {
    auto handle = sycl::get_native<backend>(event);
    auto status = event.get_info<sycl::info::event::command_execution_status>();
    used(handle), used(status);
  });
  measure("dpcpp", "to_sycl, a known queue", [&] {
    sycl::queue copy(queue);
    used(copy);
  });
  sycl::queue known(queue);
  const action settle = [&] { known.wait(); };
  try {
    syclze_context own_context = syclze::from_sycl(context);
    syclze_queue own = syclze::from_sycl(queue);
    measure("syclze", "from_sycl + release, a context", [&] { drop(syclze::from_sycl(context)); });
    measure(
        "syclze", "from_sycl + release, a known queue", [&] { drop(syclze::from_sycl(queue)); });
    measure("syclze", "from_sycl + release, an event",
        [&] { drop(syclze::from_sycl(event, own_context)); });
    measure("syclze", "to_sycl, a known queue", [&] {
      sycl::queue copy = syclze::to_sycl(own);
      used(copy);
    });
    measure(
        "dpcpp", "copy, its event to_sycl",
        [&] {
          queue.memcpy(memory, memory + 64, 64);
          queue.ext_oneapi_submit_barrier({event});
        },
        settle);
    measure(
        "syclze", "copy, its event to_sycl",
        [&] {
          syclze_event copied;
          OK(syclze_queue_copy(own, memory, memory + 64, 64, nullptr, 0, &copied));
          sycl::event result = syclze::to_sycl(copied, own);
          used(result);
          OK(syclze_release(copied));
        },
        settle);
    OK(syclze_release(own));
    OK(syclze_release(own_context));
  } catch (const sycl::exception &error) { // in-order queues of adapter v1
    if (error.code() != sycl::errc::feature_not_supported) throw;
  }
  sycl::free(memory, context);
}

} // namespace

#endif
