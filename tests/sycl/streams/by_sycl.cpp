// The program on SYCL's runtime; by_syclze.c is the same on syclze, phase by phase.
#include "program.h"

#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>

namespace {

constexpr auto backend = sycl::backend::ext_oneapi_level_zero;
using sycl::accessor;
using sycl::handler;

sycl::device first_device() {
  for (const auto &platform : sycl::platform::get_platforms())
    if (platform.get_backend() == backend) return platform.get_devices()[0];
  exit(1);
}

void launch(
    sycl::queue &queue, sycl::kernel &kernel, sycl::buffer<float> &x, sycl::buffer<float> &y) {
  queue.submit([&](handler &group) {
    accessor in(x, group, sycl::read_only);
    accessor out(y, group, sycl::read_write);
    group.set_args(2.0f, in, out);
    group.parallel_for(sycl::nd_range<1>(ITEMS, GROUP), kernel);
  });
}

void with_buffers(sycl::queue &queue, sycl::kernel &kernel) {
  static float values[ITEMS];
  const auto context = sycl::get_native<backend>(queue.get_context());
  const auto device = sycl::get_native<backend>(queue.get_device());
  program_name(values, "values");
  void *memory[] = {program_memory(context, device, "x"), program_memory(context, device, "y")};
  program_phase("make buffers");
  {
    auto x = sycl::make_buffer<backend, float>({memory[0]}, queue.get_context());
    auto y = sycl::make_buffer<backend, float>({memory[1]}, queue.get_context());
    program_phase("first kernel");
    launch(queue, kernel, x, y);
    program_phase("second kernel");
    launch(queue, kernel, x, y);
    program_phase("host task");
    queue.submit([&](handler &group) {
      accessor all(y, group, sycl::read_write);
      group.host_task([=](sycl::interop_handle handle) { handle.get_native_mem<backend>(all); });
    });
    queue.wait();
    program_phase("copy from buffer");
    queue.submit([&](handler &group) {
      accessor all(y, group, sycl::read_only);
      group.copy(all, values);
    });
    queue.wait();
    program_phase("release buffers");
  }
  for (void *freed : memory)
    program_name(freed, nullptr);
}

void with_image(sycl::queue &queue) {
  const auto native = program_image(sycl::get_native<backend>(queue.get_context()),
      sycl::get_native<backend>(queue.get_device()));
  program_phase("make image");
  {
    auto image = sycl::make_image<backend, 2>(
        {native, sycl::image_channel_order::rgba, sycl::image_channel_type::fp32,
            sycl::range<2>(8, 4), sycl::ext::oneapi::level_zero::ownership::transfer},
        queue.get_context());
    program_phase("release image");
  }
  program_name(native, nullptr);
}

// On an in-order queue.
void with_usm(sycl::context &context, sycl::device &on, sycl::kernel &kernel) {
  program_phase("create other queue");
  sycl::queue queue(context, on, sycl::property::queue::in_order());
  program_phase("allocate");
  float *shared = sycl::malloc_shared<float>(ITEMS, queue);
  float *device = sycl::malloc_device<float>(ITEMS, queue);
  program_name(shared, "shared");
  program_name(device, "device memory");
  program_phase("fill");
  sycl::event filled = queue.memset(shared, 0, BYTES);
  program_phase("wait for fill");
  filled.wait();
  program_phase("copy");
  sycl::event copied = queue.memcpy(device, shared, BYTES);
  program_phase("kernel on pointers");
  queue.submit([&](handler &group) {
    group.depends_on(copied);
    group.set_args(2.0f, shared, device);
    group.parallel_for(sycl::nd_range<1>(ITEMS, GROUP), kernel);
  });
  program_phase("barrier");
  queue.ext_oneapi_submit_barrier();
  program_phase("wait for queue");
  queue.wait();
  program_phase("prefetch");
  queue.prefetch(shared, BYTES);
  queue.wait();
  program_phase("advise");
  queue.mem_advise(shared, BYTES, 1 << 1); // UR_USM_ADVICE_FLAG_SET_READ_MOSTLY
  queue.wait();
  program_phase("release events");
  filled = copied = sycl::event();
  program_phase("free");
  sycl::free(shared, queue);
  sycl::free(device, queue);
  program_phase("release other queue");
}

void with_queue(sycl::context &context, sycl::device &device) {
  program_phase("create queue");
  sycl::queue queue(context, device);
  const auto native_context = sycl::get_native<backend>(context);
  const auto native_device = sycl::get_native<backend>(device);
  const auto module = program_module(native_context, native_device);
  program_phase("make kernel");
  auto bundle =
      sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>({module}, context);
  auto kernel = sycl::make_kernel<backend>({bundle, program_kernel(module)}, context);
  program_phase("natives");
  sycl::get_native<backend>(context);
  sycl::get_native<backend>(queue);
  sycl::get_native<backend>(kernel);
  program_phase("memory of buffers");
  with_buffers(queue, kernel);
  with_image(queue);
  with_usm(context, device, kernel);
  program_phase("release queue and kernel");
}

} // namespace

int main() {
  sycl::device device = first_device();
  program_name(sycl::get_native<backend>(device), "device");
  program_phase("create context");
  {
    sycl::context context(device);
    program_name(sycl::get_native<backend>(context), "context");
    with_queue(context, device);
    program_phase("release context");
  }
  program_phase("end");
}
