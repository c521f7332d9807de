// A C library on syclze adds work between the commands of a SYCL program, in the program's queue,
// and hands back an event that a second queue waits for.
#include "library.h"
#include "syclze/sycl.hpp"

#include <cstdio>
#include <vector>

int main(int argc, char **argv) {
  const size_t count = 1 << 16;
  sycl::queue queue{sycl::property::queue::in_order()};
  sycl::queue other{queue.get_context(), queue.get_device()};
  float *x = sycl::malloc_device<float>(count, queue),
        *y = sycl::malloc_device<float>(count, queue);
  std::vector<float> numbers(count), sums(count);
  for (size_t i = 0; i < count; i++)
    numbers[i] = (float)i;

  syclze_queue same = syclze::from_sycl(queue);
  library *library = library_open(same, argc > 1 ? argv[1] : "examples/saxpy.spv");
  if (library == nullptr) return 1;

  queue.memcpy(x, numbers.data(), count * sizeof *x);
  queue.memset(y, 0, count * sizeof *y);
  syclze_event event;
  if (library_saxpy(library, 2, x, y, count, &event) != ZE_RESULT_SUCCESS) return 1;
  sycl::event done = syclze::to_sycl(event, same);
  syclze_release(event);
  other.submit([&](sycl::handler &group) {
    group.depends_on(done);
    group.memcpy(sums.data(), y, count * sizeof *y);
  });
  other.wait();

  size_t wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += sums[i] != 2 * numbers[i];
  library_close(library);
  bool is_same = syclze::to_sycl(same) == queue;
  syclze_release(same);
  sycl::free(x, queue);
  sycl::free(y, queue);
  std::printf(
      "%zu numbers, %zu wrong; the queue is %s\n", count, wrong, is_same ? "the same" : "another");
  return wrong != 0 || !is_same;
}
