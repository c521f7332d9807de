// Kernels of SYCL source, compiled while the program runs.
#include "tests/sycl/support/natives.hpp"

#include <cmath>

namespace experimental = sycl::ext::oneapi::experimental;

namespace {

constexpr const char *prelude = R"(
#include <sycl/sycl.hpp>
namespace experimental = sycl::ext::oneapi::experimental;
namespace work_item = sycl::ext::oneapi::this_work_item;
#define KERNEL extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>))
template <typename T> void add(T *sum, T value) {
  sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device> ref(*sum);
  ref.fetch_add(value);
}
)";

// Memory for 128 integers, given to a kernel of the source as its only argument.
struct program {
  sycl::queue queue{first_device(), sycl::property::queue::in_order()};
  int *memory = sycl::malloc_shared<int>(128, queue);

  ~program() {
    sycl::free(memory, queue);
  }

  void run(const char *text) {
    auto source = experimental::create_kernel_bundle_from_source(
        queue.get_context(), experimental::source_language::sycl, prelude + std::string(text));
    sycl::kernel kernel = experimental::build(source).ext_oneapi_get_kernel("tried");
    queue
        .submit([&](sycl::handler &group) {
          group.set_args(memory);
          group.parallel_for(sycl::nd_range<1>(128, 32), kernel);
        })
        .wait();
  }

  // Runs code that needs functions beyond OpenCL 1.2.
  void run_beyond_1_2(const char *text) {
    try {
      run(text);
    } catch (const sycl::exception &) {
      if (first_device().get_info<sycl::info::device::name>().find("pthread") == std::string::npos)
        throw;
      throw unavailable("the engine has OpenCL 1.2's functions only");
    }
  }
};

} // namespace

SYCL_TEST(a_kernel_of_sycl_source) {
  program program;
  program.run(R"(
    KERNEL void tried(int *out) {
      size_t i = work_item::get_nd_item<1>().get_global_linear_id();
      out[i] = 7 + (int)i;
    })");
  for (int i = 0; i < 128; i++)
    REQUIRE(program.memory[i] == i + 7);
}

SYCL_TEST(functions_of_double) {
  program program;
  program.run(R"(
    KERNEL void tried(int *out) {
      size_t i = work_item::get_nd_item<1>().get_global_linear_id();
      out[i] = (int)(1e6 * (sycl::sin((double)i) + sycl::sqrt((double)i)));
    })");
  for (int i = 0; i < 128; i++)
    REQUIRE(std::abs(program.memory[i] - 1e6 * (std::sin(i) + std::sqrt(i))) < 2);
}

SYCL_TEST(atomics_by_a_template) {
  program program;
  program.memory[0] = 0;
  program.run(R"(
    KERNEL void tried(int *sum) {
      add(sum, (int)work_item::get_nd_item<1>().get_global_linear_id());
    })");
  REQUIRE(program.memory[0] == 127 * 128 / 2);
}

SYCL_TEST(a_group_barrier) {
  program program;
  for (int i = 0; i < 128; i++)
    program.memory[i] = i;
  program.run(R"(
    KERNEL void tried(int *values) {
      auto group = work_item::get_nd_item<1>().get_group();
      int *part = values + 32 * group.get_group_linear_id();
      size_t i = group.get_local_linear_id();
      int other = part[31 - i];
      sycl::group_barrier(group);
      part[i] = other;
    })");
  for (int i = 0; i < 128; i++)
    REQUIRE(program.memory[i] == i / 32 * 32 + 31 - i % 32);
}

SYCL_TEST(atomics_of_floats) {
  program program;
  program.memory[0] = 0;
  program.run_beyond_1_2(R"(
    KERNEL void tried(int *sum) {
      add((float *)sum, 0.5f);
    })");
  REQUIRE(*(float *)program.memory == 64);
}

SYCL_TEST(reductions_over_a_group) {
  program program;
  program.run_beyond_1_2(R"(
    KERNEL void tried(int *out) {
      auto item = work_item::get_nd_item<1>();
      int i = (int)item.get_global_linear_id();
      out[i] = sycl::reduce_over_group(item.get_group(), i, sycl::plus<>());
    })");
  for (int i = 0; i < 128; i++)
    REQUIRE(program.memory[i] == i / 32 * 32 * 32 + 31 * 32 / 2);
}

SYCL_TEST(sub_groups) {
  program program;
  program.run_beyond_1_2(R"(
    KERNEL void tried(int *out) {
      auto item = work_item::get_nd_item<1>();
      auto group = item.get_sub_group();
      out[item.get_global_linear_id()] = sycl::reduce_over_group(group, 1, sycl::plus<>()) -
          (int)group.get_local_linear_range();
    })");
  for (int i = 0; i < 128; i++)
    REQUIRE(program.memory[i] == 0);
}

SYCL_TEST(an_error_in_the_source_is_reported) {
  program program;
  REQUIRE(code_thrown_by([&] { program.run("KERNEL void tried(int *out) { *out = absent; }"); }) ==
          sycl::errc::build);
}

TEST_MAIN(a_kernel_of_sycl_source, functions_of_double, atomics_by_a_template, a_group_barrier,
    atomics_of_floats, reductions_over_a_group, sub_groups, an_error_in_the_source_is_reported)
