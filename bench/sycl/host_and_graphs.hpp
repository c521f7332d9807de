// Rows beside makes and submissions: what a queue is asked, memory, data that the host reads,
// graphs.
#ifndef BENCH_SYCL_HOST_AND_GRAPHS_HPP
#define BENCH_SYCL_HOST_AND_GRAPHS_HPP

#include "bench/sycl/world.hpp"
#include "syclze/buffer_create.h"
#include "syclze/command/graph.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/usm.h"

#include <sycl/ext/oneapi/experimental/graph.hpp>

#include <vector>

namespace {

enum { RECORDED = 10 };

void measure_asked(const world &w, const sycl::context &context, sycl::queue &queue,
    syclze_queue own, const action &settle) {
  measure("dpcpp", "queue create + release",
      [&] { sycl::queue created(context, w.device, sycl::property::queue::in_order()); });
  measure("syclze", "queue create + release", [&] {
    const syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, 0};
    syclze_queue created;
    OK(syclze_queue_create(w.own_context, w.own_device, &in_order, &created));
    OK(syclze_release(created));
  });
  measure(
      "dpcpp", "queue wait, nothing pending", [&] { queue.wait(); }, settle);
  measure("syclze", "queue wait, nothing pending", [&] { OK(syclze_queue_wait(own)); });
  measure("dpcpp", "queue empty", [&] {
    bool empty = queue.ext_oneapi_empty();
    opaque(empty);
  });
  measure("syclze", "queue empty", [&] {
    bool empty;
    OK(syclze_queue_is_empty(own, &empty));
    opaque(empty);
  });
  measure("dpcpp", "malloc_device + free",
      [&] { sycl::free(sycl::malloc_device(256, w.device, context), context); });
  measure("syclze", "malloc_device + free", [&] {
    void *memory;
    OK(syclze_malloc_device(256, w.own_device, w.own_context, &memory));
    OK(syclze_free(memory, w.own_context));
  });
}

void measure_host_data(const world &w) {
  std::vector<int> data(1024), own_data(1024);
  sycl::buffer<int> buffer(data);
  syclze_buffer_desc desc = {};
  desc.host_data = own_data.data();
  desc.element_size = sizeof(int);
  desc.range[0] = 1024;
  syclze_buffer own;
  OK(syclze_buffer_create(w.own_context, &desc, &own));
  measure("dpcpp", "sub-buffer make + release",
      [&] { sycl::buffer<int> part(buffer, sycl::id<1>(0), sycl::range<1>(256)); });
  measure("syclze", "sub-buffer make + release", [&] {
    const size_t offset[3] = {0, 0, 0}, size[3] = {256, 0, 0};
    syclze_buffer part;
    OK(syclze_buffer_create_sub(own, offset, size, &part));
    OK(syclze_release(part));
  });
  measure("dpcpp", "host accessor, nothing pending", [&] {
    sycl::host_accessor accessor(buffer);
    opaque(accessor[0]);
  });
  measure("syclze", "host accessor, nothing pending", [&] {
    syclze_host_accessor accessor;
    OK(syclze_host_accessor_create(own, SYCLZE_ACCESS_READ_WRITE, &accessor));
    OK(syclze_host_accessor_release(accessor));
  });
  OK(syclze_release(own));
}

// Ten launches of a kernel, one behind the other.
void measure_graphs(const world &w, const sycl::context &context, sycl::queue &queue,
    const sycl::kernel &kernel, const action &settle, syclze_queue own, syclze_kernel own_kernel,
    const action &own_settle) {
  namespace property = experimental::property::graph;
  try {
    experimental::command_graph graph(context, w.device), updatable(context, w.device);
    experimental::dynamic_parameter<float> factor(0.0f);
    graph.begin_recording(queue);
    for (int i = 0; i < RECORDED; i++)
      experimental::nd_launch(
          queue, sycl::nd_range<1>(1, 1), kernel, 0.0f, w.memory[0], w.memory[1]);
    graph.end_recording(queue);
    auto executable = graph.finalize();
    auto node = updatable.add([&](sycl::handler &group) {
      group.set_arg(0, factor);
      group.set_arg(1, w.memory[0]);
      group.set_arg(2, w.memory[1]);
      group.parallel_for(sycl::nd_range<1>(1, 1), kernel);
    });
    auto updated = updatable.finalize(property::updatable());
    measure(
        "dpcpp", "graph of ten kernels, replay",
        [&] { experimental::execute_graph(queue, executable); }, settle);
    measure(
        "dpcpp", "graph: update an argument, replay, wait",
        [&] {
          factor.update(0.0f);
          updated.update(node);
          experimental::execute_graph(queue, updated);
          queue.wait();
        },
        settle);
  } catch (const std::exception &error) {
    printf("dpcpp|100|graph of ten kernels, replay|refused: %.60s\n", error.what());
  }
  syclze_graph graph;
  syclze_executable_graph executable, updated;
  const syclze_nd_range range = {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1};
  for (int times : {1, +RECORDED}) {
    OK(syclze_graph_create(w.own_context, w.own_device, &graph));
    OK(syclze_graph_begin_recording(graph, own));
    for (int i = 0; i < times; i++)
      OK(syclze_queue_launch(own, own_kernel, &range, nullptr, 0, nullptr, syclze_arg(0.0f),
          syclze_arg(w.memory[2]), syclze_arg(w.memory[3])));
    OK(syclze_graph_end_recording(graph, own));
    if (times == 1)
      OK(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &updated));
    else
      OK(syclze_graph_finalize(graph, 0, &executable));
    OK(syclze_graph_release(graph));
  }
  measure(
      "syclze", "graph of ten kernels, replay",
      [&] { OK(syclze_queue_submit_graph(own, executable, nullptr)); }, own_settle);
  measure(
      "syclze", "graph: update an argument, replay, wait",
      [&] {
        const syclze_argument argument = syclze_arg(0.0f);
        OK(syclze_executable_graph_update_argument(updated, 0, 0, &argument));
        OK(syclze_queue_submit_graph(own, updated, nullptr));
        OK(syclze_queue_wait(own));
      },
      own_settle);
  OK(syclze_executable_graph_release(executable));
  OK(syclze_executable_graph_release(updated));
}

} // namespace

#endif
