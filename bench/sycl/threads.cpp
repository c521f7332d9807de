// Scaling over threads of SYCL's runtime and of syclze, in one program on the same driver: for each
// operation and number of threads the nanoseconds of one thread's operation by either, and how many
// times as long the runtime takes. Then those of the same submissions by hand, and how many times
// as long the runtime takes without them, which excludes the driver. Each thread has native objects
// of its own; the context is common.
//
// threads NATIVE MOST-THREADS. NATIVE is a module with the kernels of tests/kernels/native.c.
#include "bench/sycl/world.hpp"

#include <pthread.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

namespace {

using bundle_type = sycl::kernel_bundle<sycl::bundle_state::executable>;
constexpr int rounds = 3; // the best of them counts, after one more that warms up
constexpr long waits_after = 256;

// Objects of one thread, of either side.
struct dpcpp {
  sycl::context context;
  sycl::queue queue;
  bundle_type bundle;
  sycl::kernel nothing, axpy;
  sycl::buffer<float, 1> x, y;
};

struct own {
  syclze_context context;
  syclze_queue queue;
  syclze_kernel_bundle bundle;
  syclze_kernel nothing, axpy;
  syclze_buffer x, y;
};

// Objects for the calls by hand.
struct by_hand {
  ze_command_list_handle_t list;
  ze_kernel_handle_t nothing, axpy;
  std::array<ze_event_handle_t, waits_after> events; // in turn
  size_t next;
};

struct worker {
  world native;
  ze_command_list_handle_t made_list; // for makes alone
  ze_kernel_handle_t made_kernel;
  by_hand hand;
  std::unique_ptr<dpcpp> peer;
  own mine;
  double nanoseconds;
};

const syclze_nd_range one = {{1, 0, 0}, {1, 0, 0}, {0, 0, 0}, 1};

syclze_buffer make_own_buffer(const worker &w, void *memory) {
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {1024, 0, 0}};
  syclze_buffer buffer;
  OK(syclze_make_buffer(&input, w.mine.context, &buffer));
  return buffer;
}

syclze_queue make_own_queue(const worker &w, ze_command_list_handle_t list) {
  syclze_queue_input input = {syclze_native_queue_of(list), w.native.own_device,
      SYCLZE_OWNERSHIP_KEEP,
      {SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER, 0, 0}};
  syclze_queue queue;
  OK(syclze_make_queue(&input, w.mine.context, &queue));
  return queue;
}

syclze_kernel make_own_kernel(const worker &w, ze_kernel_handle_t handle) {
  syclze_kernel_input input = {w.mine.bundle, handle, SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel kernel;
  OK(syclze_make_kernel(&input, w.mine.context, &kernel));
  return kernel;
}

// Events for a wait of the host, of a pool of their own.
void make_hand_events(worker &w) {
  ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
      ZE_EVENT_POOL_FLAG_HOST_VISIBLE, (uint32_t)w.hand.events.size()};
  ze_event_desc_t desc = {
      ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_pool_handle_t pool = nullptr;
  OK(zeEventPoolCreate(w.native.native_context, &pool_desc, 1, &w.native.native_device, &pool));
  for (auto &event : w.hand.events) {
    OK(zeEventCreate(pool, &desc, &event));
    desc.index++;
  }
  w.hand.next = 0;
}

// Native objects of the thread's own in the common context.
void make_natives(worker &w, const char *native) {
  make_queues(w.native);
  make_event(w.native);
  make_kernels(w.native, native);
  make_hand_events(w);
  w.hand.list = w.native.other_list;
  w.hand.nothing = new_kernel(w.native.module, "nothing");
  w.hand.axpy = new_kernel(w.native.module, "axpy");
  w.made_list = w.native.list;
  w.made_kernel = new_kernel(w.native.module, "nothing");
  make_queues(w.native);
  ze_device_mem_alloc_desc_t desc = {};
  desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  for (auto &memory : w.native.memory)
    OK(zeMemAllocDevice(w.native.native_context, &desc, 4096, 64, w.native.native_device, &memory));
}

void make_objects(worker &w, const sycl::context &context) {
  auto bundle = sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
      {w.native.module, keep}, context);
  auto queue = sycl::make_queue<backend>(
      {w.native.list, w.native.device, keep, {sycl::property::queue::in_order()}}, context);
  w.peer.reset(new dpcpp{context, queue, bundle,
      sycl::make_kernel<backend>({bundle, w.native.nothing[0], keep}, context),
      sycl::make_kernel<backend>({bundle, w.native.axpy[0], keep}, context),
      sycl::make_buffer<backend, float>({w.native.memory[0], keep}, context),
      sycl::make_buffer<backend, float>({w.native.memory[1], keep}, context)});
  w.mine.context = w.native.own_context;
  w.mine.queue = make_own_queue(w, w.native.other_list);
  syclze_kernel_bundle_input input = {w.native.module, SYCLZE_OWNERSHIP_KEEP};
  OK(syclze_make_kernel_bundle(&input, w.mine.context, &w.mine.bundle));
  w.mine.nothing = make_own_kernel(w, w.native.nothing[1]);
  w.mine.axpy = make_own_kernel(w, w.native.axpy[1]);
  w.mine.x = make_own_buffer(w, w.native.memory[2]);
  w.mine.y = make_own_buffer(w, w.native.memory[3]);
}

void launch_by_hand(worker &w, ze_kernel_handle_t kernel, ze_event_handle_t signal) {
  const ze_group_count_t group = {1, 1, 1};
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  OK(zeCommandListAppendLaunchKernel(w.hand.list, kernel, &group, signal, 0, nullptr));
}

struct operation {
  const char *name;
  void (*dpcpp)(worker &w);
  void (*own)(worker &w);
  void (*hand)(worker &w); // the same submission; null for what submits nothing
};

const operation operations[] = {
    {"make + release, event",
        [](worker &w) {
          sycl::make_event<backend>({w.native.event, keep}, w.peer->context);
        },
        [](worker &w) {
          syclze_event_input input = {w.native.event, SYCLZE_OWNERSHIP_KEEP};
          syclze_event event;
          OK(syclze_make_event(&input, w.mine.context, &event));
          OK(syclze_event_release(event));
        },
        nullptr},
    {"make + release, queue",
        [](worker &w) {
          sycl::make_queue<backend>(
              {w.made_list, w.native.device, keep, {sycl::property::queue::in_order()}},
              w.peer->context);
        },
        [](worker &w) { OK(syclze_queue_release(make_own_queue(w, w.made_list))); }, nullptr},
    {"make + release, kernel",
        [](worker &w) {
          sycl::make_kernel<backend>({w.peer->bundle, w.made_kernel, keep}, w.peer->context);
        },
        [](worker &w) { OK(syclze_kernel_release(make_own_kernel(w, w.made_kernel))); }, nullptr},
    {"make + release, buffer",
        [](worker &w) {
          sycl::make_buffer<backend, float>({w.native.memory[0], keep}, w.peer->context);
        },
        [](worker &w) { OK(syclze_buffer_release(make_own_buffer(w, w.native.memory[2]))); },
        nullptr},
    {"submit a kernel, no event",
        [](worker &w) {
          experimental::nd_launch(w.peer->queue, sycl::nd_range<1>(1, 1), w.peer->nothing);
        },
        [](worker &w) {
          syclze_group group = syclze_group_begin(w.mine.queue);
          OK(syclze_group_launch(&group, w.mine.nothing, &one, nullptr, 0, nullptr));
        },
        [](worker &w) { launch_by_hand(w, w.hand.nothing, nullptr); }},
    {"submit a USM copy, no event",
        [](worker &w) {
          experimental::memcpy(w.peer->queue, w.native.memory[1], w.native.memory[0], 64);
        },
        [](worker &w) {
          OK(syclze_queue_copy(
              w.mine.queue, w.native.memory[3], w.native.memory[2], 64, nullptr, 0, nullptr));
        },
        [](worker &w) {
          OK(zeCommandListAppendMemoryCopy(
              w.hand.list, w.native.memory[3], w.native.memory[2], 64, nullptr, 0, nullptr));
        }},
    {"submit a kernel, with an event",
        [](worker &w) {
          w.peer->queue.submit([&](sycl::handler &group) {
            group.parallel_for(sycl::nd_range<1>(1, 1), w.peer->nothing);
          });
        },
        [](worker &w) {
          syclze_event event;
          syclze_group group = syclze_group_begin(w.mine.queue);
          OK(syclze_group_launch(&group, w.mine.nothing, &one, nullptr, 0, &event));
          OK(syclze_event_release(event));
        },
        [](worker &w) {
          const ze_event_handle_t event = w.hand.events[w.hand.next++ % w.hand.events.size()];
          OK(zeEventHostReset(event));
          launch_by_hand(w, w.hand.nothing, event);
        }},
    {"submit a kernel, two accessors",
        [](worker &w) {
          w.peer->queue.submit([&](sycl::handler &group) {
            sycl::accessor in(w.peer->x, group, sycl::read_only);
            sycl::accessor out(w.peer->y, group, sycl::read_write);
            group.set_args(0.0f, in, out);
            group.parallel_for(sycl::nd_range<1>(1, 1), w.peer->axpy);
          });
        },
        [](worker &w) {
          syclze_group group = syclze_group_begin(w.mine.queue);
          syclze_accessor in = syclze_require(&group, w.mine.x, SYCLZE_ACCESS_READ);
          syclze_accessor out = syclze_require(&group, w.mine.y, SYCLZE_ACCESS_READ_WRITE);
          OK(syclze_launch(&group, w.mine.axpy, &one, nullptr, syclze_arg(0.0f), syclze_arg(in),
              syclze_arg(out)));
        },
        [](worker &w) {
          const float factor = 0;
          OK(zeKernelSetArgumentValue(w.hand.axpy, 0, sizeof factor, &factor));
          OK(zeKernelSetArgumentValue(w.hand.axpy, 1, sizeof(void *), &w.native.memory[2]));
          OK(zeKernelSetArgumentValue(w.hand.axpy, 2, sizeof(void *), &w.native.memory[3]));
          launch_by_hand(w, w.hand.axpy, nullptr);
        }}};

enum class side { dpcpp, own, hand };

void wait(const worker &w, side by) {
  if (by == side::dpcpp)
    w.peer->queue.wait();
  else if (by == side::own)
    OK(syclze_queue_wait(w.mine.queue));
  else
    OK(zeCommandListHostSynchronize(w.hand.list, UINT64_MAX));
}

void run(worker &w, const operation &op, side by, long count) {
  const auto step = by == side::dpcpp ? op.dpcpp : by == side::own ? op.own : op.hand;
  for (long i = 0; i < count; i++) {
    step(w);
    if (op.hand && (i % waits_after == waits_after - 1 || i == count - 1)) wait(w, by);
  }
}

// The mean over the threads of the best round, waits included.
double measure_on(std::vector<worker> &workers, const operation &op, side by, int threads) {
  constexpr long first = 256;
  constexpr double round_time = 20e6; // nanoseconds
  const double alone = nanoseconds(1, [&] { run(workers[0], op, by, first); }) / first;
  const long count = std::max(first, std::min(200000L, (long)(round_time / alone)));
  pthread_barrier_t gate;
  pthread_barrier_init(&gate, nullptr, (unsigned)threads);
  std::vector<std::thread> started;
  double sum = 0;
  for (int i = 0; i < threads; i++)
    started.emplace_back([&, i] {
      worker &w = workers[(size_t)i];
      w.nanoseconds = 1e12;
      for (int round = 0; round <= rounds; round++) {
        pthread_barrier_wait(&gate);
        const double each = nanoseconds(1, [&] { run(w, op, by, count); }) / (double)count;
        if (round > 0) w.nanoseconds = std::min(w.nanoseconds, each);
      }
    });
  for (auto &thread : started)
    thread.join();
  pthread_barrier_destroy(&gate);
  for (int i = 0; i < threads; i++)
    sum += workers[(size_t)i].nanoseconds;
  return sum / threads;
}

struct times {
  double dpcpp, own, hand; // nanoseconds
};

void print_title(const char *title, int most, int width) {
  printf("%-32s", title);
  for (int threads = 1; threads <= most; threads *= 2)
    printf("%*d thr.", width, threads);
  puts("");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  const int most = std::max(1, std::min(128, atoi(argv[2])));
  world common = make_world(argv[1]);
  common.context_input = {common.native_context, &common.own_device, 1, SYCLZE_OWNERSHIP_KEEP};
  OK(syclze_make_context(&common.context_input, &common.own_context));
  auto context = sycl::make_context<backend>({common.native_context, {common.device}, keep});
  std::vector<worker> workers((size_t)most);
  for (auto &w : workers) {
    w.native = common;
    make_natives(w, argv[1]);
    make_objects(w, context);
  }
  print_title("ns: DPC++, syclze, times as long", most, 18);
  std::vector<std::vector<times>> measured;
  for (const auto &op : operations) {
    printf("%-32s", op.name);
    measured.emplace_back();
    for (int threads = 1; threads <= most; threads *= 2) {
      const times found = {measure_on(workers, op, side::dpcpp, threads),
          measure_on(workers, op, side::own, threads),
          op.hand ? measure_on(workers, op, side::hand, threads) : 0};
      printf("%9.0f %7.1f %4.1fx", found.dpcpp, found.own, found.dpcpp / found.own);
      fflush(stdout);
      measured.back().push_back(found);
    }
    puts("");
  }
  print_title("by hand, times as long without", most, 11);
  for (size_t i = 0; i < measured.size(); i++) {
    if (!operations[i].hand) continue;
    printf("%-32s", operations[i].name);
    for (const auto &found : measured[i])
      printf("%9.1f %5.1fx", found.hand, (found.dpcpp - found.hand) / (found.own - found.hand));
    puts("");
  }
  fflush(stdout);
  _Exit(0);
}
