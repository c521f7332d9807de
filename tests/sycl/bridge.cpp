// Objects of SYCL as syclze's and back (syclze/sycl.hpp), in one program.
#include "syclze/sycl.hpp"
#include "syclze/command.h"

#include "tests/sycl/support/natives.hpp"

#include <thread>

SYCL_TEST(syclze_adds_work_between_commands_of_sycl) {
  sycl::queue queue(first_device(), sycl::property::queue::in_order());
  syclze_queue same = syclze::from_sycl(queue);
  REQUIRE(syclze::to_sycl(same) == queue);
  char *memory = sycl::malloc_shared<char>(4096, queue);
  queue.memset(memory, 1, 4096);
  syclze_event done = {};
  const char two = 2;
  syclze_group group = syclze_group_begin(same);
  REQUIRE_ZE(syclze_group_fill(&group, syclze_mem_arg(memory), &two, 1, 2048, &done));
  sycl::event after = syclze::to_sycl(done, same);
  REQUIRE_ZE(syclze_release(done));
  std::vector<char> result(4096);
  queue.submit([&](sycl::handler &handler) {
    handler.depends_on(after);
    handler.memcpy(result.data(), memory, 4096);
  });
  queue.wait();
  REQUIRE(result[0] == 2 && result[2047] == 2 && result[2048] == 1);
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

TEST_MAIN(syclze_adds_work_between_commands_of_sycl)
