// Kernel bundles and kernels of the Level Zero backend, there and back; launches of native kernels.
#include "tests/sycl/support/natives.hpp"

#include <sycl/ext/oneapi/experimental/graph.hpp>

namespace {

// A context of the program's, wrapped, and an in-order queue on it.
struct world {
  native_context handle = new_context();
  sycl::context context = sycl::make_context<backend>({handle.get(), {first_device()}, keep});
  sycl::queue queue{context, first_device(), sycl::property::queue::in_order()};

  sycl::kernel_bundle<sycl::bundle_state::executable> bundle(
      ze_module_handle_t module, level_zero::ownership ownership = keep) {
    return sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
        {module, ownership}, context);
  }
};

// A kernel of basic.spv, wrapped.
struct program : world {
  explicit program(const char *name) : handle_of_kernel(new_kernel(module.get(), name)) {
  }
  native_module module = new_module(handle.get(), "basic.spv");
  native_kernel handle_of_kernel;
  sycl::kernel kernel =
      sycl::make_kernel<backend>({bundle(module.get()), handle_of_kernel.get(), keep}, context);
};

void check_ownership(level_zero::ownership ownership) {
  world world;
  native_module module = new_module(world.handle.get(), "basic.spv");
  native_kernel kernel = new_kernel(module.get(), "nothing");
  bool had_module = false;
  {
    std::vector<sycl::kernel> kernels;
    {
      auto bundle = world.bundle(module.get(), ownership);
      REQUIRE(sycl::get_native<backend>(bundle).at(0) == module.get());
      kernels.push_back(
          sycl::make_kernel<backend>({bundle, kernel.get(), ownership}, world.context));
    }
    REQUIRE(sycl::get_native<backend>(kernels[0]) == kernel.get());
    had_module = is_alive(module.get());
    world.queue.submit([&](sycl::handler &group) { group.single_task(kernels[0]); });
    world.queue.wait();
  }
  bool has_kernel = is_alive(kernel.get()), has_module = is_alive(module.get());
  if (!has_kernel) kernel.release();
  if (!has_module) module.release();
  REQUIRE(had_module);
  REQUIRE(has_kernel == (ownership == keep));
  REQUIRE(has_module == (ownership == keep));
}

} // namespace

SYCL_TEST(a_kept_module_and_kernel_stay) {
  check_ownership(keep);
}

SYCL_TEST(a_transferred_module_lives_as_long_as_its_kernel) {
  check_ownership(transfer);
}

SYCL_TEST(a_bundle_of_a_native_module_has_no_ids_and_is_executable) {
  world world;
  native_module module = new_module(world.handle.get(), "basic.spv");
  auto bundle = world.bundle(module.get());
  REQUIRE(bundle.get_context() == world.context);
  REQUIRE(bundle.get_devices().at(0) == first_device());
  REQUIRE(bundle.get_kernel_ids().empty());
}

SYCL_TEST(axpy_over_a_range) {
  program world("axpy");
  float *x = sycl::malloc_shared<float>(1024, world.queue);
  float *y = sycl::malloc_shared<float>(1024, world.queue);
  for (int i = 0; i < 1024; i++) {
    x[i] = (float)i;
    y[i] = 1;
  }
  for (int i = 0; i < 2; i++)
    world.queue.submit([&](sycl::handler &group) {
      group.set_args(2.0f, x, y);
      group.parallel_for(sycl::range<1>(1024), world.kernel);
    });
  world.queue.wait();
  for (int i = 0; i < 1024; i++)
    REQUIRE(y[i] == 4 * (float)i + 1);
  sycl::free(x, world.queue);
  sycl::free(y, world.queue);
}

SYCL_TEST(local_memory_and_groups) {
  program world("local_sum");
  int *in = sycl::malloc_shared<int>(256, world.queue);
  int *out = sycl::malloc_shared<int>(4, world.queue);
  for (int i = 0; i < 256; i++)
    in[i] = i;
  world.queue
      .submit([&](sycl::handler &group) {
        sycl::local_accessor<int, 1> scratch(64, group);
        group.set_args(in, out, scratch);
        group.parallel_for(sycl::nd_range<1>(256, 64), world.kernel);
      })
      .wait();
  for (int i = 0; i < 4; i++)
    REQUIRE(out[i] == 64 * 64 * i + 63 * 64 / 2);
  sycl::free(in, world.queue);
  sycl::free(out, world.queue);
}

SYCL_TEST(three_dimensions) {
  program world("where");
  int *out = sycl::malloc_shared<int>(8 * 4 * 2, world.queue);
  world.queue
      .submit([&](sycl::handler &group) {
        group.set_args(out, (int *)nullptr);
        group.parallel_for(
            sycl::range<3>(2, 4, 8), world.kernel); // the last dimension is Level Zero's first
      })
      .wait();
  for (int i = 0; i < 64; i++)
    REQUIRE(out[i] == i % 8 + 100 * (i / 8 % 4) + 10000 * (i / 32));
  sycl::free(out, world.queue);
}

SYCL_TEST(a_fixed_group_size_is_reported) {
  program world("fixed_group");
  auto size = world.kernel.get_info<sycl::info::kernel_device_specific::compile_work_group_size>(
      first_device());
  // In Level Zero's order, and not in that of SYCL's ranges.
  REQUIRE(size[0] == 8 && size[1] == 2 && size[2] == 1);
  REQUIRE(world.kernel.get_info<sycl::info::kernel::num_args>() == 1);
  REQUIRE(world.kernel.get_info<sycl::info::kernel::function_name>() == "fixed_group");
}

SYCL_TEST(a_kernel_of_spir_v_by_the_kernel_compiler) {
  namespace experimental = sycl::ext::oneapi::experimental;
  sycl::queue queue(first_device(), sycl::property::queue::in_order());
  std::vector<char> text = file_bytes("basic.spv");
  std::vector<std::byte> bytes((std::byte *)text.data(), (std::byte *)text.data() + text.size());
  auto source = experimental::create_kernel_bundle_from_source(
      queue.get_context(), experimental::source_language::spirv, bytes);
  auto bundle = experimental::build(source);
  REQUIRE(bundle.ext_oneapi_has_kernel("iota") && !bundle.ext_oneapi_has_kernel("absent"));
  sycl::kernel kernel = bundle.ext_oneapi_get_kernel("iota");
  int *out = sycl::malloc_shared<int>(128, queue);
  queue.submit([&](sycl::handler &group) {
    group.set_args(out, 5);
    group.parallel_for(sycl::nd_range<1>(128, 32), kernel);
  });
  queue.wait();
  for (int i = 0; i < 128; i++)
    REQUIRE(out[i] == i + 5);
  REQUIRE(sycl::get_native<backend>(kernel) != nullptr);
  REQUIRE(is_alive(sycl::get_native<backend>(bundle).at(0)));
  sycl::free(out, queue);
}

SYCL_TEST(many_launches_run_in_order) {
  program world("axpy");
  float *x = sycl::malloc_shared<float>(64, world.queue);
  float *y = sycl::malloc_shared<float>(64, world.queue);
  for (int i = 0; i < 64; i++)
    x[i] = 1, y[i] = 0;
  for (int i = 0; i < 1000; i++)
    world.queue.submit([&](sycl::handler &group) {
      group.set_args(1.0f, x, y);
      group.parallel_for(sycl::nd_range<1>(64, 64), world.kernel);
    });
  world.queue.wait();
  for (int i = 0; i < 64; i++)
    REQUIRE(y[i] == 1000);
  sycl::free(x, world.queue);
  sycl::free(y, world.queue);
}

// The driver's mutable lists serve DPC++'s own: an argument and a range are updated.
SYCL_TEST(a_graph_of_sycl_is_updated) {
  namespace graphs = sycl::ext::oneapi::experimental;
  program iota("iota");
  if (!first_device().has(sycl::aspect::ext_oneapi_graph))
    throw unavailable("the adapter updates no graphs on this driver");
  int *memory = sycl::malloc_shared<int>(64, iota.queue);
  graphs::command_graph graph(iota.context, first_device());
  graphs::dynamic_parameter<int> first(3);
  auto node = graph.add([&](sycl::handler &group) {
    group.set_arg(0, memory);
    group.set_arg(1, first);
    group.parallel_for(sycl::nd_range<1>(64, 8), iota.kernel);
  });
  auto executable = graph.finalize(graphs::property::graph::updatable());
  iota.queue.ext_oneapi_graph(executable).wait();
  REQUIRE(memory[0] == 3 && memory[63] == 66);
  first.update(10);
  node.update_nd_range(sycl::nd_range<1>(32, 8));
  executable.update(node);
  iota.queue.ext_oneapi_graph(executable).wait();
  REQUIRE(memory[0] == 10 && memory[31] == 41 && memory[32] == 35);
  sycl::free(memory, iota.queue);
}

TEST_MAIN(a_kept_module_and_kernel_stay, a_transferred_module_lives_as_long_as_its_kernel,
    a_bundle_of_a_native_module_has_no_ids_and_is_executable, axpy_over_a_range,
    local_memory_and_groups, three_dimensions, a_fixed_group_size_is_reported,
    a_kernel_of_spir_v_by_the_kernel_compiler, many_launches_run_in_order,
    a_graph_of_sycl_is_updated)
