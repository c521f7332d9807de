// The same operations by SYCL's runtime and by syclze, on the same native objects, in one program.
//
// cost NATIVE [TEXT]: times each operation whose name contains the text, in nanoseconds: the least
// of nine rounds. Under callgrind it dumps each one instead, as `side|count|operation`, for
// count.py. NATIVE is tests/kernels/native.c, built.
#include "bench/sycl/crossing.hpp"
#include "bench/sycl/host_and_graphs.hpp"
#include "bench/sycl/world.hpp"

namespace {

syclze_queue_input queue_input(const world &w, ze_command_list_handle_t list) {
  return {syclze_native_queue_of(list), w.own_device, SYCLZE_OWNERSHIP_KEEP,
      {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, 0}};
}

void measure_roots(world &w, const sycl::context &) {
  measure("dpcpp", "make platform", [&] {
    auto handle = w.driver;
    opaque(handle);
    (void)sycl::make_platform<backend>(handle);
  });
  measure("syclze", "make platform", [&] {
    auto handle = w.driver;
    opaque(handle);
    syclze_platform platform;
    OK(syclze_make_platform(handle, &platform));
  });
  measure("dpcpp", "make device", [&] {
    auto handle = w.native_device;
    opaque(handle);
    (void)sycl::make_device<backend>(handle);
  });
  measure("syclze", "make device", [&] {
    auto handle = w.native_device;
    opaque(handle);
    syclze_device device;
    OK(syclze_make_device(handle, &device));
  });
  measure(
      "dpcpp", "make + release, context",
      [&] {
        sycl::make_context<backend>({w.native_context, {w.device}, keep});
      },
      [] {}, 20);
  measure("syclze", "make + release, context", [&] {
    syclze_context context;
    OK(syclze_make_context(&w.context_input, &context));
    OK(syclze_release(context));
  });
}

void measure_queues(world &w, const sycl::context &context) {
  measure("dpcpp", "make + release, queue on an immediate list", [&] {
    sycl::make_queue<backend>(
        {w.list, w.device, keep, {sycl::property::queue::in_order()}}, context);
  });
  measure("syclze", "make + release, queue on an immediate list", [&] {
    auto handle = w.list;
    opaque(handle);
    syclze_queue_input input = queue_input(w, handle);
    syclze_queue queue;
    OK(syclze_make_queue(&input, w.own_context, &queue));
    OK(syclze_release(queue));
  });
  measure("dpcpp", "make + release, queue on a command queue", [&] {
    sycl::make_queue<backend>({w.queue, w.device, keep}, context);
  });
  measure("syclze", "make + release, queue on a command queue", [&] {
    auto handle = w.queue;
    opaque(handle);
    syclze_queue_input input = {
        syclze_native_queue_of(handle), w.own_device, SYCLZE_OWNERSHIP_KEEP, {0, 0, 0}};
    syclze_queue queue;
    OK(syclze_make_queue(&input, w.own_context, &queue));
    OK(syclze_release(queue));
  });
  measure("dpcpp", "make + release, event", [&] {
    sycl::make_event<backend>({w.event, keep}, context);
  });
  measure("syclze", "make + release, event", [&] {
    auto handle = w.event;
    opaque(handle);
    syclze_event_input input = {handle, SYCLZE_OWNERSHIP_KEEP};
    syclze_event event;
    OK(syclze_make_event(&input, w.own_context, &event));
    OK(syclze_release(event));
  });
}

using bundle_type = sycl::kernel_bundle<sycl::bundle_state::executable>;
bundle_type make_bundle(const world &w, const sycl::context &context) {
  return sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
      {w.module, keep}, context);
}

syclze_kernel_bundle make_own_bundle(const world &w) {
  auto handle = w.module;
  opaque(handle);
  syclze_kernel_bundle_input input = {handle, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel_bundle bundle;
  OK(syclze_make_kernel_bundle(&input, w.own_context, &bundle));
  return bundle;
}

syclze_kernel make_own_kernel(
    const world &w, syclze_kernel_bundle bundle, ze_kernel_handle_t handle) {
  opaque(handle);
  syclze_kernel_input input = {bundle, handle, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel kernel;
  OK(syclze_make_kernel(&input, w.own_context, &kernel));
  return kernel;
}

syclze_buffer make_own_buffer(const world &w, void *memory) {
  opaque(memory);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {1024, 0, 0}};
  syclze_buffer buffer;
  OK(syclze_make_buffer(&input, w.own_context, &buffer));
  return buffer;
}

void measure_kernels(world &w, const sycl::context &context) {
  auto bundle = make_bundle(w, context);
  syclze_kernel_bundle own = make_own_bundle(w);
  measure("dpcpp", "make + release, kernel bundle", [&] { make_bundle(w, context); });
  measure(
      "syclze", "make + release, kernel bundle", [&] { OK(syclze_release(make_own_bundle(w))); });
  measure("dpcpp", "make + release, kernel", [&] {
    sycl::make_kernel<backend>({bundle, w.nothing[0], keep}, context);
  });
  measure("syclze", "make + release, kernel",
      [&] { OK(syclze_release(make_own_kernel(w, own, w.nothing[1]))); });
  measure("dpcpp", "make + release, buffer", [&] {
    sycl::make_buffer<backend, int>({w.memory[0], keep}, context);
  });
  measure("syclze", "make + release, buffer",
      [&] { OK(syclze_release(make_own_buffer(w, w.memory[2]))); });
  OK(syclze_release(own));
}

struct objects {
  sycl::queue queue;
  sycl::event event;
  bundle_type bundle;
  sycl::kernel nothing, axpy;
  syclze_queue own_queue;
  syclze_event own_event;
  syclze_kernel_bundle own_bundle;
  syclze_kernel own_nothing, own_axpy;
};

objects make_objects(const world &w, const sycl::context &context) {
  auto bundle = make_bundle(w, context);
  objects o = {sycl::make_queue<backend>(
                   {w.list, w.device, keep, {sycl::property::queue::in_order()}}, context),
      sycl::make_event<backend>({w.event, keep}, context), bundle,
      sycl::make_kernel<backend>({bundle, w.nothing[0], keep}, context),
      sycl::make_kernel<backend>({bundle, w.axpy[0], keep}, context), {}, {}, make_own_bundle(w),
      {}, {}};
  syclze_queue_input queue = queue_input(w, w.other_list);
  OK(syclze_make_queue(&queue, w.own_context, &o.own_queue));
  syclze_event_input event = {w.event, SYCLZE_OWNERSHIP_KEEP};
  OK(syclze_make_event(&event, w.own_context, &o.own_event));
  o.own_nothing = make_own_kernel(w, o.own_bundle, w.nothing[1]);
  o.own_axpy = make_own_kernel(w, o.own_bundle, w.axpy[1]);
  return o;
}

template <class D, class S> void measure_get(const char *name, D dpcpp, S own) {
  void *sink = nullptr;
  measure("dpcpp", name, [&] {
    sink = (void *)dpcpp();
    opaque(sink);
  });
  measure("syclze", name, [&] {
    sink = (void *)own();
    opaque(sink);
  });
}

void measure_natives(world &w, const sycl::context &context, objects &o) {
  measure_get(
      "get_native, context", [&] { return sycl::get_native<backend>(context); },
      [&] { return syclze_get_native(w.own_context); });
  measure_get(
      "get_native, queue",
      [&] { return std::get<ze_command_list_handle_t>(sycl::get_native<backend>(o.queue)); },
      [&] { return syclze_get_native(o.own_queue).list; });
  measure_get(
      "get_native, event", [&] { return sycl::get_native<backend>(o.event); },
      [&] { return syclze_get_native(o.own_event); });
  measure_get(
      "get_native, kernel bundle", [&] { return sycl::get_native<backend>(o.bundle)[0]; },
      [&] { return syclze_get_native(o.own_bundle).modules[0]; });
  measure_get(
      "get_native, kernel", [&] { return sycl::get_native<backend>(o.nothing); },
      [&] { return syclze_get_native(o.own_nothing); });
}

syclze_nd_range opaque_range() {
  syclze_nd_range range = {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1};
  opaque(range.global[0]);
  opaque(range.local[0]);
  return range;
}

void measure_launches(objects &o, const action &settle) {
  measure(
      "dpcpp", "submit a kernel, no event",
      [&] { experimental::nd_launch(o.queue, sycl::nd_range<1>(1, 1), o.nothing); }, settle);
  measure(
      "dpcpp", "submit a kernel, with an event",
      [&] {
        o.queue.submit(
            [&](sycl::handler &group) { group.parallel_for(sycl::nd_range<1>(1, 1), o.nothing); });
      },
      settle);
}

// On an in-order queue of syclze: of the program's list, or of one that syclze created.
void measure_own_launches(
    const char *side, syclze_queue queue, objects &o, const action &own_settle) {
  measure(
      side, "submit a kernel, no event",
      [&] {
        syclze_nd_range range = opaque_range();
        syclze_group group = syclze_group_begin(queue);
        OK(syclze_group_launch(&group, o.own_nothing, &range, nullptr, 0, nullptr));
      },
      own_settle);
  measure(
      side, "submit a kernel, with an event",
      [&] {
        syclze_nd_range range = opaque_range();
        syclze_event event;
        syclze_group group = syclze_group_begin(queue);
        OK(syclze_group_launch(&group, o.own_nothing, &range, nullptr, 0, &event));
        OK(syclze_release(event));
      },
      own_settle);
}

void measure_accessors(const world &w, const sycl::context &context, objects &o,
    const action &settle, const action &own_settle) {
  auto x = sycl::make_buffer<backend, float>({w.memory[0], keep}, context);
  auto y = sycl::make_buffer<backend, float>({w.memory[1], keep}, context);
  syclze_buffer own_x = make_own_buffer(w, w.memory[2]), own_y = make_own_buffer(w, w.memory[3]);
  measure(
      "dpcpp", "submit a kernel, two accessors",
      [&] {
        o.queue.submit([&](sycl::handler &group) {
          sycl::accessor in(x, group, sycl::read_only);
          sycl::accessor out(y, group, sycl::read_write);
          group.set_args(0.0f, in, out);
          group.parallel_for(sycl::nd_range<1>(1, 1), o.axpy);
        });
      },
      settle);
  measure(
      "syclze", "submit a kernel, two accessors",
      [&] {
        syclze_nd_range range = opaque_range();
        syclze_group group = syclze_group_begin(o.own_queue);
        syclze_accessor in = syclze_require(&group, own_x, SYCLZE_ACCESS_READ);
        syclze_accessor out = syclze_require(&group, own_y, SYCLZE_ACCESS_READ_WRITE);
        OK(syclze_launch(&group, o.own_axpy, &range, nullptr, syclze_arg(0.0f), syclze_arg(in),
            syclze_arg(out)));
      },
      own_settle);
  measure(
      "dpcpp", "host task with an accessor",
      [&] {
        o.queue.submit([&](sycl::handler &group) {
          sycl::accessor out(y, group, sycl::read_write);
          group.host_task([=](sycl::interop_handle handle) {
            void *memory = handle.get_native_mem<backend>(out);
            opaque(memory);
          });
        });
        settle();
      },
      settle);
  static syclze_accessor out;
  measure(
      "syclze", "host task with an accessor",
      [&] {
        syclze_group group = syclze_group_begin(o.own_queue);
        out = syclze_require(&group, own_y, SYCLZE_ACCESS_READ_WRITE);
        OK(syclze_group_host_task(
            &group,
            [](syclze_interop_handle handle, void *) -> ze_result_t {
              void *memory;
              ze_result_t result = syclze_get_native_mem(handle, out, &memory);
              opaque(memory);
              return result;
            },
            nullptr, nullptr));
        own_settle();
      },
      own_settle);
  settle();
  own_settle();
  OK(syclze_release(own_x));
  OK(syclze_release(own_y));
}

void measure_copies(const world &w, objects &o, const action &settle) {
  measure(
      "dpcpp", "USM copy, no event",
      [&] { experimental::memcpy(o.queue, w.memory[1], w.memory[0], 64); }, settle);
}

void measure_own_copies(
    const char *side, const world &w, syclze_queue queue, const action &own_settle) {
  measure(
      side, "USM copy, no event",
      [&] {
        syclze_group group = syclze_group_begin(queue);
        OK(syclze_group_copy(
            &group, syclze_mem_arg(w.memory[3]), syclze_mem_arg(w.memory[2]), 64, nullptr));
      },
      own_settle);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 1;
  if (argc > 2) only = argv[2];
  world w = make_world(argv[1]);
  w.context_input = {w.native_context, &w.own_device, 1, SYCLZE_OWNERSHIP_KEEP};
  OK(syclze_make_context(&w.context_input, &w.own_context));
  auto context = sycl::make_context<backend>({w.native_context, {w.device}, keep});
  measure_roots(w, context);
  measure_queues(w, context);
  measure_kernels(w, context);
  objects o = make_objects(w, context);
  measure_natives(w, context, o);
  action settle = [&] { o.queue.wait(); };
  action own_settle = [&] { OK(syclze_queue_wait(o.own_queue)); };
  syclze_property_list properties = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, 0};
  syclze_queue created;
  OK(syclze_queue_create(w.own_context, w.own_device, &properties, &created));
  action created_settle = [&] { OK(syclze_queue_wait(created)); };
  measure_launches(o, settle);
  measure_own_launches("syclze", o.own_queue, o, own_settle);
  measure_own_launches("created", created, o, created_settle);
  measure_accessors(w, context, o, settle, own_settle);
  measure_copies(w, o, settle);
  measure_own_copies("syclze", w, o.own_queue, own_settle);
  measure_own_copies("created", w, created, created_settle);
  measure_asked(w, context, o.queue, created, settle);
  measure_host_data(w);
  measure_graphs(w, context, o.queue, o.axpy, settle, created, o.own_axpy, created_settle);
  measure_crossings(w);
  fflush(stdout);
  _Exit(0);
}
