// Objects of SYCL by pointers, in C (syclze/sycl_interop.h): what sycl.hpp gives by types,
// ownership, order, what is refused. The names of C are used alone; C++ makes SYCL's objects.
// shows promises 14
#include "syclze/sycl_interop.h"
#include "syclze/sycl.hpp"

#include "tests/sycl/support/natives.hpp"

#include <sycl/ext/oneapi/experimental/graph.hpp>

#include <atomic>
#include <random>
#include <thread>

namespace {

// The thread's allocation of C that fails; 0 for none.
thread_local int failing = 0;

} // namespace

extern "C" {
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *calloc(size_t count, size_t bytes) {
  return failing != 0 && --failing == 0 ? nullptr : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes) {
  return failing != 0 && --failing == 0 ? nullptr : __libc_realloc(memory, bytes);
}
}

namespace {

constexpr int size = 256;

sycl::queue shareable_queue(const sycl::context &context) {
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  if (!is_v2()) throw unavailable("the adapter's queue is not one in-order list");
  return queue;
}

// The object that a function of C has made, which this ends.
template <class Object> Object taken(void *made) {
  const Object object = *static_cast<Object *>(made);
  syclze_sycl_delete(made);
  return object;
}

syclze_queue from(const sycl::queue &queue) {
  syclze_queue made = {};
  REQUIRE_ZE(syclze_queue_from_sycl(&queue, &made));
  return made;
}

sycl::queue to(syclze_queue queue) {
  void *made = nullptr;
  REQUIRE_ZE(syclze_queue_to_sycl(queue, &made));
  return taken<sycl::queue>(made);
}

struct diagnostics : syclze_diagnostic_handler {
  std::string rule;
  unsigned count = 0;
  diagnostics() {
    user = this;
    notify = [](void *self, const syclze_diagnostic *diagnostic) {
      auto *to = static_cast<diagnostics *>(self);
      to->rule = diagnostic->rule;
      to->count++;
    };
    syclze_diagnostic_set_handler(this);
  }
  ~diagnostics() {
    syclze_diagnostic_set_handler(nullptr);
  }
};

// The call is refused by one diagnostic with the text.
void require_refused(
    ze_result_t expected, const char *text, const std::function<ze_result_t()> &call) {
  diagnostics handler;
  const ze_result_t result = call();
  if (result != expected || handler.count != 1 || handler.rule.find(text) == std::string::npos)
    throw std::logic_error(std::string(text) + ": " + std::to_string((unsigned)result) + ", " +
                           std::to_string(handler.count) + " diagnostics: " + handler.rule);
}

void fill(syclze_queue queue, char *memory, char value, syclze_event *event = nullptr) {
  syclze_group group = syclze_group_begin(queue);
  REQUIRE_ZE(syclze_group_fill(&group, syclze_mem_arg(memory), &value, 1, size, event));
}

} // namespace

SYCL_TEST(pointers_give_the_objects_that_types_give) {
  const sycl::device device = first_device();
  const sycl::platform platform = device.get_platform();
  const sycl::context context(device);
  syclze_platform its_platform = {};
  syclze_device its_device = {};
  syclze_context its_context = {};
  REQUIRE_ZE(syclze_platform_from_sycl(&platform, &its_platform));
  REQUIRE_ZE(syclze_device_from_sycl(&device, &its_device));
  REQUIRE_ZE(syclze_context_from_sycl(&context, &its_context));
  REQUIRE(its_platform.rep == syclze::from_sycl(platform).rep);
  REQUIRE(its_device.rep == syclze::from_sycl(device).rep);
  REQUIRE(syclze_get_native(its_context) == sycl::get_native<backend>(context));
  REQUIRE(syclze_context_get_device(its_context, 0).rep == its_device.rep);
  void *made = nullptr;
  REQUIRE_ZE(syclze_platform_to_sycl(its_platform, &made));
  REQUIRE(taken<sycl::platform>(made) == platform);
  REQUIRE_ZE(syclze_device_to_sycl(its_device, &made));
  REQUIRE(taken<sycl::device>(made) == device);
  REQUIRE_ZE(syclze_context_to_sycl(its_context, &made));
  REQUIRE(taken<sycl::context>(made) == context);
  REQUIRE_ZE(syclze_release(its_context));
}

SYCL_TEST(a_queue_by_pointer_is_the_queue_by_type) {
  sycl::queue queue = shareable_queue(sycl::context(first_device()));
  const syclze_queue one = from(queue), two = syclze::from_sycl(queue);
  REQUIRE(one.rep == two.rep);
  REQUIRE(to(one) == queue && syclze::to_sycl(one) == queue);
  REQUIRE_ZE(syclze_release(one));
  REQUIRE_ZE(syclze_release(two));
}

SYCL_TEST(profiling_and_order_are_those_of_the_queue) {
  const sycl::context context(first_device());
  for (int profiling = 0; profiling < 2; profiling++)
    for (int in_order = 0; in_order < 1 + is_v2(); in_order++) {
      namespace property = sycl::property::queue;
      const sycl::property_list list =
          profiling && in_order
              ? sycl::property_list{property::enable_profiling(), property::in_order()}
          : profiling ? sycl::property_list{property::enable_profiling()}
          : in_order  ? sycl::property_list{property::in_order()}
                      : sycl::property_list{};
      sycl::queue queue(context, first_device(), list);
      if (std::holds_alternative<ze_command_queue_handle_t>(sycl::get_native<backend>(queue)))
        throw unavailable("the adapter batches commands in command queues");
      const syclze_queue same = from(queue);
      const uint32_t flags = syclze_queue_get_properties(same).flags;
      REQUIRE(((flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0) == (profiling != 0));
      REQUIRE(((flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0) == (in_order != 0));
      REQUIRE_ZE(syclze_release(same));
    }
}

SYCL_TEST(the_pointers_object_may_end_after_the_call) {
  auto queue = std::make_unique<sycl::queue>(shareable_queue(sycl::context(first_device())));
  const syclze_queue same = from(*queue);
  const ze_command_list_handle_t list = syclze_get_native(same).list;
  queue.reset();
  REQUIRE(is_alive(list));
  void *memory = nullptr;
  REQUIRE_ZE(syclze_malloc_shared(
      size, syclze_queue_get_device(same), syclze_queue_get_context(same), &memory));
  syclze_event done = {};
  fill(same, static_cast<char *>(memory), 7, &done);
  void *handed = nullptr;
  REQUIRE_ZE(syclze_event_to_sycl(done, same, &handed));
  REQUIRE_ZE(syclze_release(done));
  std::unique_ptr<sycl::event> event(static_cast<sycl::event *>(handed)); // C++ deletes it
  event->wait();
  event.reset();
  REQUIRE(static_cast<char *>(memory)[size - 1] == 7);
  REQUIRE_ZE(syclze_free(memory, syclze_queue_get_context(same)));
  REQUIRE_ZE(syclze_release(same));
  REQUIRE(!is_alive(list));
}

SYCL_TEST(events_by_pointer_order_both_sides) {
  sycl::context context(first_device());
  sycl::queue queue(context, first_device());
  syclze_context same = {};
  REQUIRE_ZE(syclze_context_from_sycl(&context, &same));
  char *memory = sycl::malloc_shared<char>(size, queue);
  std::atomic<bool> go{false};
  const sycl::event task = queue.submit([&](sycl::handler &group) {
    group.host_task([&, memory] {
      while (!go)
        std::this_thread::yield();
      memory[0] = 4;
    });
  });
  syclze_event held = {}, complete = {};
  REQUIRE_ZE(syclze_event_from_sycl(&task, same, &held));
  syclze_event_status status = SYCLZE_EVENT_STATUS_COMPLETE;
  REQUIRE_ZE(syclze_event_get_status(held, &status));
  REQUIRE(status != SYCLZE_EVENT_STATUS_COMPLETE);
  void *made = nullptr;
  REQUIRE_ZE(syclze_event_to_sycl(held, syclze_queue{}, &made));
  REQUIRE(taken<sycl::event>(made) == task);
  go = true;
  REQUIRE_ZE(syclze_event_wait(held));
  REQUIRE(memory[0] == 4);
  const sycl::event filled = queue.memset(memory, 5, size);
  REQUIRE_ZE(syclze_event_from_sycl(&filled, same, &complete));
  REQUIRE_ZE(syclze_event_wait(complete));
  REQUIRE(memory[size - 1] == 5);
  REQUIRE_ZE(syclze_release(held));
  REQUIRE_ZE(syclze_release(complete));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

SYCL_TEST(kernels_and_bundles_by_pointer) {
  sycl::context context(first_device());
  native_module module = new_module(sycl::get_native<backend>(context), "basic.spv");
  native_kernel native = new_kernel(module.get(), "axpy");
  const ze_kernel_handle_t handle = native.get();
  auto bundle = sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
      {module.release(), transfer}, context);
  auto kernel = sycl::make_kernel<backend>({bundle, native.release(), transfer}, context);
  syclze_kernel same = {};
  syclze_kernel_bundle its_bundle = {};
  REQUIRE_ZE(syclze_kernel_from_sycl(&kernel, &same));
  REQUIRE_ZE(syclze_kernel_bundle_from_sycl(&bundle, &its_bundle));
  REQUIRE(syclze_get_native(same) == handle);
  void *made = nullptr;
  REQUIRE_ZE(syclze_kernel_to_sycl(same, &made));
  REQUIRE(taken<sycl::kernel>(made) == kernel);
  REQUIRE_ZE(syclze_kernel_bundle_to_sycl(its_bundle, &made));
  REQUIRE(taken<syclze::executable_bundle>(made) == bundle);
  REQUIRE_ZE(syclze_release(same));
  REQUIRE_ZE(syclze_release(its_bundle));
}

// None of them keeps a reference to the queue.
SYCL_TEST(threads_that_cross_with_a_new_queue_at_once_share_it) {
  const sycl::context context(first_device());
  syclze_context same = {};
  REQUIRE_ZE(syclze_context_from_sycl(&context, &same));
  for (int round = 0; round < 50; round++) {
    const ze_command_list_handle_t list = new_list(syclze_get_native(same)).release();
    const syclze_queue_input input = {syclze_native_queue_of(list),
        syclze_context_get_device(same, 0), SYCLZE_OWNERSHIP_TRANSFER,
        {SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER, 0, 0}};
    syclze_queue own = {};
    REQUIRE_ZE(syclze_make_queue(&input, same, &own));
    std::atomic<int> ready{0};
    void *made[4] = {};
    std::vector<std::thread> threads;
    for (void *&its : made)
      threads.emplace_back([&] {
        for (ready++; ready < 4;)
          std::this_thread::yield();
        (void)syclze_queue_to_sycl(own, &its);
      });
    for (std::thread &thread : threads)
      thread.join();
    for (void *its : made) {
      REQUIRE(its != nullptr &&
              *static_cast<sycl::queue *>(its) == *static_cast<sycl::queue *>(made[0]));
      if (its != made[0]) syclze_sycl_delete(its);
    }
    syclze_sycl_delete(made[0]);
    REQUIRE_ZE(syclze_release(own));
    REQUIRE(!is_alive(list));
  }
  REQUIRE_ZE(syclze_release(same));
}

// What a refused crossing leaves is crossed by the next.
SYCL_TEST(crossings_without_memory_are_refused_and_keep_the_order) {
  const sycl::context context(first_device());
  int made = 0, refused = 0;
  for (int failed = 1; made == refused; failed++, made++) {
    sycl::queue queue = shareable_queue(context);
    const syclze_queue kept = from(queue);
    int *memory = sycl::malloc_shared<int>(3, queue);
    std::atomic<bool> go{false};
    memory[0] = 0;
    queue.submit([&](sycl::handler &group) {
      group.host_task([&] {
        while (!go)
          std::this_thread::yield();
        memory[1] = memory[0];
      });
    });
    syclze_queue same = {};
    syclze_event done = {};
    void *its = nullptr;
    const int one = 1;
    failing = failed;
    refused += syclze_queue_from_sycl(&queue, &same) == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    failing = 0;
    REQUIRE_ZE(syclze_release(same));
    REQUIRE_ZE(syclze_release(from(queue)));
    REQUIRE_ZE(syclze_queue_fill(kept, memory, &one, sizeof one, sizeof one, nullptr, 0, &done));
    failing = failed;
    const ze_result_t crossed = syclze_queue_to_sycl(kept, &its);
    const bool failed_none = failing != 0;
    failing = 0;
    syclze_sycl_delete(its);
    REQUIRE(crossed == (failed_none ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY));
    REQUIRE(to(kept) == queue);
    queue.memcpy(memory + 2, memory, sizeof(int));
    go = true;
    queue.wait();
    REQUIRE(memory[0] == 1 && memory[1] == 0 && memory[2] == 1);
    REQUIRE_ZE(syclze_release(done));
    REQUIRE_ZE(syclze_release(kept));
    sycl::free(memory, queue);
  }
  REQUIRE(refused >= 2);
}

// Each linked image finds the runtime by its first call, which may be this one.
SYCL_TEST(an_object_of_another_linked_image_is_ended) {
  auto queue = std::make_unique<sycl::queue>(shareable_queue(sycl::context(first_device())));
  const syclze_queue same = from(*queue);
  const ze_command_list_handle_t list = syclze_get_native(same).list;
  void *made = nullptr;
  REQUIRE_ZE(syclze_queue_to_sycl(same, &made));
  REQUIRE_ZE(syclze_release(same));
  struct syclze__sycl *const found = std::exchange(SYCLZE__STATE.sycl, nullptr);
  syclze_sycl_delete(made);
  std::free(std::exchange(SYCLZE__STATE.sycl, found));
  queue.reset();
  REQUIRE(!is_alive(list));
}

SYCL_TEST(a_runtime_without_a_function_is_refused) {
  sycl::context context(first_device());
  sycl::queue queue(context, first_device());
  syclze_context same = {};
  REQUIRE_ZE(syclze_context_from_sycl(&context, &same));
  std::atomic<bool> go{false};
  const sycl::event task = queue.submit([&](sycl::handler &group) {
    group.host_task([&] {
      while (!go)
        std::this_thread::yield();
    });
  });
  syclze_event held = {};
  const struct syclze__sycl found = *SYCLZE__STATE.sycl;
  SYCLZE__STATE.sycl->make_context = nullptr;
  SYCLZE__STATE.sycl->missing[SYCLZE__SYCL_MAKE] = "make_context";
  const ze_result_t result = syclze_event_from_sycl(&task, same, &held);
  *SYCLZE__STATE.sycl = found;
  go = true;
  queue.wait();
  REQUIRE(result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED && held.rep == nullptr);
  REQUIRE_ZE(syclze_release(same));
}

SYCL_TEST(what_cannot_be_shared_is_refused_by_one_diagnostic) {
  sycl::context context(first_device());
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  syclze_queue same = {};
  void *made = nullptr;
  require_refused(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "null",
      [&] { return syclze_queue_from_sycl(nullptr, &same); });
  require_refused(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "result's pointer",
      [&] { return syclze_queue_from_sycl(&queue, nullptr); });
  require_refused(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "object is null",
      [&] { return syclze_queue_to_sycl(syclze_queue{}, &made); });
  const sycl::event event = queue.ext_oneapi_submit_barrier();
  syclze_event its_event = {};
  require_refused(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "context is null",
      [&] { return syclze_event_from_sycl(&event, syclze_context{}, &its_event); });
  syclze_sycl_delete(nullptr);
  if (!is_v2()) {
    require_refused(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "order commands by events",
        [&] { return syclze_queue_from_sycl(&queue, &same); });
    REQUIRE(same.rep == nullptr);
    return;
  }
  same = from(queue);
  char *memory = sycl::malloc_shared<char>(size, queue);
  fill(same, memory, 1, &its_event);
  require_refused(SYCLZE_RESULT_ERROR_INVALID, "the library's own",
      [&] { return syclze_event_to_sycl(its_event, syclze_queue{}, &made); });
  REQUIRE(made == nullptr);
  namespace graphs = sycl::ext::oneapi::experimental;
  graphs::command_graph<graphs::graph_state::modifiable> graph(context, first_device());
  graph.begin_recording(queue);
  syclze_queue recording = {};
  require_refused(SYCLZE_RESULT_ERROR_INVALID, "records",
      [&] { return syclze_queue_from_sycl(&queue, &recording); });
  graph.end_recording(queue);
  REQUIRE_ZE(syclze_event_wait(its_event));
  REQUIRE_ZE(syclze_release(its_event));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

namespace {

// Step k finds k in the state, notes what it has found, and leaves k + 1, as a command or a host
// task, of either side.
struct sequence {
  static constexpr int count = 10000;
  sycl::queue queue;
  int *state, *found, *values;
  explicit sequence(const sycl::queue &its) : queue(its) {
    state = sycl::malloc_shared<int>(2 * count + 2, queue);
    found = state + 1, values = found + count;
    for (int i = 0; i < count; i++)
      found[i] = -1, values[i] = i + 1;
    *state = 0;
  }
  ~sequence() {
    queue.wait();
    sycl::free(state, queue);
  }
};

struct step {
  sequence *all;
  int number;
  void run() const {
    all->found[number] = *all->state;
    *all->state = number + 1;
  }
};

ze_result_t run_step(syclze_interop_handle, void *argument) {
  const std::unique_ptr<step> self(static_cast<step *>(argument));
  self->run();
  return ZE_RESULT_SUCCESS;
}

void submit_to_sycl(sequence &all, int number, bool is_task) {
  if (is_task)
    all.queue.submit([&](sycl::handler &group) {
      group.host_task([&all, number] { step{&all, number}.run(); });
    });
  else {
    all.queue.memcpy(all.found + number, all.state, sizeof(int));
    all.queue.memcpy(all.state, all.values + number, sizeof(int));
  }
}

void submit_to_syclze(
    sequence &all, syclze_queue queue, int number, bool is_task, syclze_event *event = nullptr) {
  syclze_group group = syclze_group_begin(queue);
  if (is_task) {
    REQUIRE_ZE(syclze_group_host_task(&group, run_step, new step{&all, number}, event));
    return;
  }
  REQUIRE_ZE(syclze_group_copy(
      &group, syclze_mem_arg(all.found + number), syclze_mem_arg(all.state), sizeof(int), nullptr));
  group = syclze_group_begin(queue);
  REQUIRE_ZE(syclze_group_copy(
      &group, syclze_mem_arg(all.state), syclze_mem_arg(all.values + number), sizeof(int), event));
}

// Submits `count` steps, each to a side that `random` chooses, and crosses where the side changes,
// by the queue, or from syclze also by the event of its last step. Returns whether the last step
// was syclze's.
bool submit_at_random(sequence &all, syclze_queue queue, int count, std::mt19937 &random) {
  bool is_syclze = random() % 2 != 0;
  if (is_syclze) REQUIRE_ZE(syclze_release(from(all.queue)));
  for (int i = 0; i < count; i++) {
    const bool is_task = random() % 3 == 0, changes = random() % 2 != 0,
               by_event = random() % 2 != 0;
    syclze_event event = {};
    if (!is_syclze)
      submit_to_sycl(all, i, is_task);
    else
      submit_to_syclze(all, queue, i, is_task, changes && by_event ? &event : nullptr);
    if (!changes || i == count - 1) {
      REQUIRE_ZE(syclze_release(event));
      continue;
    }
    void *handed = nullptr;
    if (!is_syclze)
      REQUIRE_ZE(syclze_release(from(all.queue)));
    else if (by_event) {
      REQUIRE_ZE(syclze_event_to_sycl(event, queue, &handed));
      syclze_sycl_delete(handed);
    } else
      REQUIRE(to(queue) == all.queue);
    REQUIRE_ZE(syclze_release(event));
    is_syclze = !is_syclze;
  }
  return is_syclze;
}

} // namespace

// Each begins with an idle queue, and is awaited by either side.
SYCL_TEST(ten_thousand_interleavings_of_both_sides_keep_order_and_values) {
  constexpr int most = 6;
  sequence all(shareable_queue(sycl::context(first_device())));
  const syclze_queue kept = from(all.queue);
  for (unsigned seed = 0; seed < 10000; seed++) {
    std::mt19937 random(seed);
    const int count = 2 + (int)(random() % (most - 1));
    *all.state = 0;
    std::fill(all.found, all.found + most, -1);
    const bool is_syclze = submit_at_random(all, kept, count, random);
    if (random() % 2 != 0) {
      if (is_syclze) REQUIRE(to(kept) == all.queue);
      all.queue.wait();
    } else {
      if (!is_syclze) REQUIRE_ZE(syclze_release(from(all.queue)));
      REQUIRE_ZE(syclze_queue_wait(kept));
    }
    bool is_right = *all.state == count;
    for (int i = 0; i < most; i++)
      is_right = is_right && all.found[i] == (i < count ? i : -1);
    if (!is_right) throw std::logic_error("interleaving " + std::to_string(seed));
  }
  REQUIRE_ZE(syclze_release(kept));
}

SYCL_TEST(random_submissions_of_both_sides_keep_the_order_of_a_queue) {
  sequence all(shareable_queue(sycl::context(first_device())));
  std::mt19937 random(1);
  const syclze_queue kept = from(all.queue);
  bool is_syclze = false;
  for (int i = 0; i < sequence::count; i++) {
    const bool now = random() % 2, is_task = random() % 8 == 0;
    if (now != is_syclze) {
      if (now)
        REQUIRE_ZE(syclze_release(from(all.queue)));
      else
        REQUIRE(to(kept) == all.queue);
    }
    is_syclze = now;
    if (now)
      submit_to_syclze(all, kept, i, is_task);
    else
      submit_to_sycl(all, i, is_task);
    if (random() % 256 == 0) REQUIRE_ZE(syclze_queue_wait(kept));
    if (random() % 256 == 0) all.queue.wait();
  }
  (void)to(kept);
  all.queue.wait();
  REQUIRE_ZE(syclze_queue_wait(kept));
  for (int i = 0; i < sequence::count; i++)
    if (all.found[i] != i)
      throw std::logic_error(
          "step " + std::to_string(i) + " found " + std::to_string(all.found[i]));
  REQUIRE(*all.state == sequence::count);
  REQUIRE_ZE(syclze_release(kept));
}

TEST_MAIN(pointers_give_the_objects_that_types_give, a_queue_by_pointer_is_the_queue_by_type,
    profiling_and_order_are_those_of_the_queue, the_pointers_object_may_end_after_the_call,
    events_by_pointer_order_both_sides, kernels_and_bundles_by_pointer,
    threads_that_cross_with_a_new_queue_at_once_share_it,
    crossings_without_memory_are_refused_and_keep_the_order,
    an_object_of_another_linked_image_is_ended, a_runtime_without_a_function_is_refused,
    what_cannot_be_shared_is_refused_by_one_diagnostic,
    ten_thousand_interleavings_of_both_sides_keep_order_and_values,
    random_submissions_of_both_sides_keep_the_order_of_a_queue)
