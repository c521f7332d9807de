// Objects of SYCL as syclze's and back (syclze/sycl.hpp): the same object comes back, commands keep
// their order, and native handles end once, whichever side goes first. That none is left behind is
// what run.sh checks.
#include "syclze/sycl.hpp"
#include "syclze/command.h"

#include "tests/sycl/support/natives.hpp"

#include <sycl/ext/oneapi/experimental/graph.hpp>

#include <atomic>
#include <thread>

namespace {

constexpr int size = 4096;

bool batches(const sycl::queue &queue) {
  return std::holds_alternative<ze_command_queue_handle_t>(sycl::get_native<backend>(queue));
}

// An in-order queue that is one native list, which takes commands of both sides.
sycl::queue shareable_queue(const sycl::context &context) {
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  if (!is_v2()) throw unavailable("the adapter's queue is not one in-order list");
  return queue;
}

ze_command_list_handle_t list_of(const sycl::queue &queue) {
  return std::get<ze_command_list_handle_t>(sycl::get_native<backend>(queue));
}

// Fills the first half.
void fill(syclze_queue queue, char *memory, char value, syclze_event *event = nullptr) {
  syclze_group group = syclze_group_begin(queue);
  REQUIRE_ZE(syclze_group_fill(&group, syclze_mem_arg(memory), &value, 1, size / 2, event));
}

syclze_context created_context() {
  const syclze_device device = syclze::from_sycl(first_device());
  syclze_context context = {};
  REQUIRE_ZE(syclze_context_create(&device, 1, &context));
  return context;
}

// An in-order queue on an immediate list, whatever the environment prefers.
syclze_queue created_queue(syclze_context context) {
  syclze_queue_input input = {};
  input.native_handle = syclze_native_queue_of(new_list(syclze_get_native(context)).release());
  input.device = syclze_context_get_device(context, 0);
  input.properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  syclze_queue queue = {};
  REQUIRE_ZE(syclze_make_queue(&input, context, &queue));
  return queue;
}

// False where all contexts of SYCL's share the driver's default context, as adapter v2's do on
// newer loaders: this one is never destroyed.
bool contexts_are_apart() {
  const sycl::context one(first_device()), two(first_device());
  return sycl::get_native<backend>(one) != sycl::get_native<backend>(two);
}

sycl::errc code_and_text(const std::function<void()> &call, const char *text) {
  try {
    call();
  } catch (const sycl::exception &error) {
    if (std::string(error.what()).find(text) == std::string::npos)
      throw std::logic_error(std::string("not the rule: ") + error.what());
    return (sycl::errc)error.code().value();
  }
  return sycl::errc::success;
}

} // namespace

SYCL_TEST(platforms_and_devices_are_the_same_there_and_back) {
  const sycl::device device = first_device();
  REQUIRE(syclze::to_sycl(syclze::from_sycl(device)) == device);
  REQUIRE(syclze::to_sycl(syclze::from_sycl(device.get_platform())) == device.get_platform());
  REQUIRE(syclze_device_get_platform(syclze::from_sycl(device)).rep ==
          syclze::from_sycl(device.get_platform()).rep);
}

SYCL_TEST(a_context_of_sycl_lives_as_long_as_either_side) {
  for (int sycl_first = 0; sycl_first < 2; sycl_first++) {
    auto context = std::make_unique<sycl::context>(first_device());
    const syclze_context same = syclze::from_sycl(*context);
    const ze_context_handle_t native = syclze_get_native(same);
    REQUIRE(native == sycl::get_native<backend>(*context));
    REQUIRE(syclze::to_sycl(same) == *context);
    if (sycl_first) context.reset();
    if (!sycl_first) syclze_release(same);
    REQUIRE(is_alive(native));
    if (sycl_first) syclze_release(same);
    context.reset();
    REQUIRE(is_alive(native) != contexts_are_apart());
  }
}

SYCL_TEST(syclze_adds_work_between_commands_of_sycl) {
  sycl::context context(first_device());
  sycl::queue queue = shareable_queue(context);
  const syclze_queue same = syclze::from_sycl(queue);
  REQUIRE(syclze::to_sycl(same) == queue);
  REQUIRE(syclze::to_sycl(syclze_queue_get_context(same)) == context);
  char *memory = sycl::malloc_shared<char>(size, queue);
  std::vector<char> result(size);
  for (char round = 1; round < 100; round++) {
    queue.memset(memory, -round, size);
    fill(same, memory, round);
    queue.memcpy(result.data(), memory, size).wait();
    REQUIRE(result[0] == round && result[size / 2 - 1] == round);
    REQUIRE(result[size / 2] == -round && result[size - 1] == -round);
  }
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

SYCL_TEST(a_queue_of_sycl_lives_as_long_as_either_side) {
  ze_context_handle_t native = nullptr;
  syclze_queue same = {};
  {
    sycl::context context(first_device());
    sycl::queue queue = shareable_queue(context);
    native = sycl::get_native<backend>(context);
    same = syclze::from_sycl(queue);
  }
  const ze_command_list_handle_t list = syclze_get_native(same).list;
  REQUIRE(is_alive(list) && is_alive(native));
  void *memory = nullptr;
  REQUIRE_ZE(syclze_malloc_shared(
      size, syclze_queue_get_device(same), syclze_queue_get_context(same), &memory));
  fill(same, (char *)memory, 7);
  REQUIRE_ZE(syclze_queue_wait(same));
  REQUIRE(((char *)memory)[size / 2 - 1] == 7);
  REQUIRE_ZE(syclze_free(memory, syclze_queue_get_context(same)));
  REQUIRE_ZE(syclze_release(same));
  REQUIRE(!is_alive(list) && is_alive(native) != contexts_are_apart());
}

// v1's batch would be overtaken by what syclze appends beside it, and so would be its commands in
// the list of another engine.
SYCL_TEST(a_queue_that_is_not_one_in_order_list_is_refused) {
  sycl::queue queue(first_device(), sycl::property::queue::in_order());
  const bool is_batched = batches(queue);
  if (is_v2()) throw unavailable("the adapter's queue is one in-order list");
  REQUIRE(
      code_and_text([&] { syclze::from_sycl(queue); },
          is_batched ? "batches" : "not one in-order list") == sycl::errc::feature_not_supported);
}

SYCL_TEST(a_queue_of_syclze_that_sycl_cannot_order_is_refused) {
  const syclze_context context = created_context();
  native_queue handle = new_queue(syclze_get_native(context));
  native_list list = new_list(syclze_get_native(context), false);
  syclze_queue_input input = {syclze_native_queue_of(handle.get()),
      syclze::from_sycl(first_device()), SYCLZE_OWNERSHIP_KEEP, {0, 0, 0}};
  syclze_queue own = {};
  REQUIRE_ZE(syclze_make_queue(&input, context, &own));
  REQUIRE(code_and_text([&] { syclze::to_sycl(own); }, "immediate") ==
          sycl::errc::feature_not_supported);
  REQUIRE(syclze_get_owner(own).release == nullptr);
  REQUIRE_ZE(syclze_release(own));
  input.native_handle = syclze_native_queue_of(list.get());
  input.properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  REQUIRE_ZE(syclze_make_queue(&input, context, &own));
  REQUIRE(code_and_text([&] { syclze::to_sycl(own); }, "not known to be in-order") ==
          sycl::errc::feature_not_supported);
  REQUIRE(syclze_get_owner(own).release == nullptr);
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(syclze_release(context));
}

// Also where the adapter batches: the event makes the batch begin.
SYCL_TEST(an_event_of_sycl_orders_commands_of_syclze) {
  sycl::context context(first_device());
  sycl::queue queue(context, first_device());
  const syclze_context same = syclze::from_sycl(context);
  const syclze_queue own = created_queue(same);
  char *memory = sycl::malloc_shared<char>(size, queue);
  ze_event_handle_t native = nullptr;
  syclze_event awaited = {};
  {
    sycl::event done = queue.memset(memory, 5, size);
    awaited = syclze::from_sycl(done, same);
    REQUIRE(syclze::to_sycl(awaited) == done);
    native = sycl::get_native<backend>(done);
  }
  REQUIRE(syclze_get_native(awaited) == native && is_alive(native));
  const char six = 6;
  syclze_group group = syclze_group_begin(own);
  syclze_group_depends_on(&group, awaited);
  REQUIRE_ZE(syclze_group_fill(&group, syclze_mem_arg(memory), &six, 1, size / 2, NULL));
  REQUIRE_ZE(syclze_release(awaited));
  REQUIRE_ZE(syclze_queue_wait(own));
  REQUIRE(memory[0] == 6 && memory[size / 2 - 1] == 6 && memory[size - 1] == 5);
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

namespace {

// Host tasks wait until it opens; it opens by itself where a test fails.
class gate {
  std::atomic<bool> is_open{false};

public:
  void open() {
    is_open = true;
  }
  void pass() const {
    for (int i = 0; i < 20000 && !is_open; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
};

sycl::event submit_host_task(sycl::queue queue, gate &awaited, char *memory, char value) {
  return queue.submit([&](sycl::handler &group) {
    group.host_task([&awaited, memory, value] {
      awaited.pass();
      *memory = value;
    });
  });
}

bool is_done(syclze_event event) {
  syclze_event_status status = SYCLZE_EVENT_STATUS_SUBMITTED;
  REQUIRE_ZE(syclze_event_get_status(event, &status));
  return status == SYCLZE_EVENT_STATUS_COMPLETE;
}

} // namespace

// The runtime ends the process when it is asked for their native events.
SYCL_TEST(events_without_a_native_one_are_awaited_in_the_native_list) {
  sycl::context context(first_device());
  sycl::queue queue(context, first_device());
  const syclze_context same = syclze::from_sycl(context);
  const syclze_queue own = created_queue(same);
  char *memory = sycl::malloc_shared<char>(size, queue);
  for (int kind = 0; kind < 3; kind++) {
    gate go;
    memory[0] = memory[1] = 0;
    const sycl::event task = submit_host_task(queue, go, memory, 4);
    const sycl::event behind = queue.submit([&](sycl::handler &group) {
      group.depends_on(task);
      group.memset(memory, 5, 1);
    });
    const sycl::event awaited = kind == 0 ? task : kind == 1 ? behind : sycl::event();
    const syclze_event held = syclze::from_sycl(awaited, same);
    REQUIRE(syclze::to_sycl(held) == awaited);
    syclze_event done = {};
    syclze_group group = syclze_group_begin(own);
    syclze_group_depends_on(&group, held);
    REQUIRE_ZE(
        syclze_group_copy(&group, syclze_mem_arg(memory + 1), syclze_mem_arg(memory), 1, &done));
    REQUIRE_ZE(syclze_release(held));
    REQUIRE(kind == 2 || !is_done(done));
    if (kind < 2) go.open();
    REQUIRE_ZE(syclze_event_wait(done));
    REQUIRE(kind == 2 || memory[1] == 5 || (kind == 0 && memory[1] == 4));
    go.open();
    queue.wait();
    const syclze_event complete = syclze::from_sycl(awaited, same);
    REQUIRE(is_done(complete));
    REQUIRE_ZE(syclze_release(complete));
    REQUIRE_ZE(syclze_release(done));
  }
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

SYCL_TEST(a_queue_of_sycl_is_one_queue_whoever_asks) {
  sycl::queue queue = shareable_queue(sycl::context(first_device()));
  const syclze_queue one = syclze::from_sycl(queue), two = syclze::from_sycl(queue);
  REQUIRE(one.rep == two.rep);
  REQUIRE_ZE(syclze_release(two));
  REQUIRE(syclze::to_sycl(one) == queue);
  REQUIRE_ZE(syclze_release(one));
  const syclze_context context = created_context();
  const syclze_queue own = created_queue(context);
  const syclze_queue back = syclze::from_sycl(syclze::to_sycl(own));
  REQUIRE(!is_v2() || back.rep == own.rep);
  REQUIRE_ZE(syclze_release(back));
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(syclze_release(context));
}

static ze_result_t pass_gate(syclze_interop_handle, void *argument) {
  static_cast<gate *>(argument)->pass();
  return ZE_RESULT_SUCCESS;
}

// Host tasks of either side stand in no native list, and neither do commands behind them.
SYCL_TEST(host_tasks_of_either_side_keep_the_order_of_a_shared_queue) {
  sycl::queue queue = shareable_queue(sycl::context(first_device()));
  char *memory = sycl::malloc_shared<char>(size, queue);
  memory[0] = 0;
  gate sycls, ours;
  syclze_queue same = syclze::from_sycl(queue);
  submit_host_task(queue, sycls, memory, 1);
  REQUIRE_ZE(syclze_release(same));
  same = syclze::from_sycl(queue);
  syclze_event filled = {}, done = {};
  fill(same, memory, 2, &filled);
  syclze_group group = syclze_group_begin(same);
  REQUIRE_ZE(syclze_group_host_task(&group, pass_gate, &ours, &done));
  const sycl::event after = syclze::to_sycl(same).memset(memory, 3, 1);
  const sycl::event handed = syclze::to_sycl(done, same);
  REQUIRE(!is_done(filled) && memory[0] == 0);
  sycls.open();
  REQUIRE_ZE(syclze_event_wait(filled));
  REQUIRE(memory[0] == 2 && !is_done(done));
  ours.open();
  sycl::event(handed).wait();
  REQUIRE(is_done(done) && memory[0] == 3);
  sycl::event(after).wait();
  REQUIRE_ZE(syclze_release(filled));
  REQUIRE_ZE(syclze_release(done));
  REQUIRE_ZE(syclze_queue_wait(same));
  REQUIRE_ZE(syclze_release(same));
  queue.wait();
  sycl::free(memory, queue);
}

SYCL_TEST(the_event_of_another_queue_is_handed_back_when_it_is_done) {
  sycl::context context(first_device());
  sycl::queue queue = shareable_queue(context), other = shareable_queue(context);
  const syclze_queue one = syclze::from_sycl(queue), two = syclze::from_sycl(other);
  const syclze_context same = syclze_queue_get_context(one);
  char *memory = sycl::malloc_shared<char>(size, queue);
  memory[0] = 0;
  native_pool pool = new_pool(syclze_get_native(same));
  native_event gate_event = new_event(pool.get());
  const ze_event_handle_t native = gate_event.get();
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(
      syclze_get_native(one).list, 1, const_cast<ze_event_handle_t *>(&native)));
  syclze_event filled = {};
  fill(one, memory, 2, &filled);
  sycl::event handed = syclze::to_sycl(filled, two);
  using status = sycl::info::event::command_execution_status;
  const bool is_early = handed.get_info<status>() == sycl::info::event_command_status::complete;
  REQUIRE_ZE(zeEventHostSignal(native));
  handed.wait();
  REQUIRE(!is_early && memory[0] == 2);
  REQUIRE_ZE(syclze_release(filled));
  REQUIRE_ZE(syclze_release(one));
  REQUIRE_ZE(syclze_release(two));
  queue.wait();
  other.wait();
  sycl::free(memory, queue);
}

SYCL_TEST(a_queue_that_records_a_graph_of_sycl_is_refused) {
  namespace graphs = sycl::ext::oneapi::experimental;
  sycl::context context(first_device());
  sycl::queue queue = shareable_queue(context);
  graphs::command_graph<graphs::graph_state::modifiable> graph(context, first_device());
  char *memory = sycl::malloc_shared<char>(size, queue);
  const syclze_queue same = syclze::from_sycl(queue);
  const syclze_context own = syclze_queue_get_context(same);
  graph.begin_recording(queue);
  const sycl::event recorded = queue.memset(memory, 1, size);
  syclze_event filled = {};
  fill(same, memory, 2, &filled);
  const sycl::errc asked = code_and_text([&] { syclze::from_sycl(queue); }, "records"),
                   handed = code_and_text([&] { syclze::to_sycl(filled, same); }, "records"),
                   event = code_and_text([&] { syclze::from_sycl(recorded, own); }, "graph");
  graph.end_recording(queue);
  REQUIRE(asked == sycl::errc::invalid && handed == sycl::errc::invalid);
  REQUIRE(event == sycl::errc::invalid);
  REQUIRE_ZE(syclze_event_wait(filled));
  REQUIRE_ZE(syclze_release(filled));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

// The context is of SYCL, so that the events of v1, which end with it, end here.
SYCL_TEST(an_event_of_syclze_gates_commands_of_sycl) {
  for (int sycl_first = 0; sycl_first < 2; sycl_first++) {
    sycl::context context(first_device());
    const syclze_context same = syclze::from_sycl(context);
    native_pool pool = new_pool(syclze_get_native(same));
    const ze_event_handle_t native = new_event(pool.get()).release();
    const syclze_event_input input = {native, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_event own = {};
    REQUIRE_ZE(syclze_make_event(&input, same, &own));
    {
      sycl::queue queue(context, first_device());
      char *memory = sycl::malloc_shared<char>(size, queue);
      memory[0] = 0;
      sycl::event gate = syclze::to_sycl(own);
      REQUIRE(syclze::to_sycl(own) == gate);
      sycl::event done = queue.submit([&](sycl::handler &group) {
        group.depends_on(gate);
        group.memset(memory, 3, size);
      });
      if (!sycl_first) REQUIRE_ZE(syclze_release(own));
      REQUIRE(memory[0] == 0);
      REQUIRE_ZE(zeEventHostSignal(native));
      done.wait();
      REQUIRE(memory[0] == 3);
      sycl::free(memory, queue);
    }
    if (sycl_first) REQUIRE(is_alive(native));
    if (sycl_first) REQUIRE_ZE(syclze_release(own));
    REQUIRE_ZE(syclze_release(same));
    context = sycl::context(first_device());
    REQUIRE(!is_alive(native));
  }
}

SYCL_TEST(the_event_of_a_command_is_handed_back_by_its_queue) {
  sycl::queue queue = shareable_queue(sycl::context(first_device()));
  const syclze_queue same = syclze::from_sycl(queue);
  sycl::queue other(queue.get_context(), first_device());
  char *memory = sycl::malloc_shared<char>(size, queue);
  std::vector<char> result(size);
  syclze_event done = {};
  queue.memset(memory, 1, size);
  fill(same, memory, 2, &done);
  REQUIRE(
      code_and_text([&] { syclze::to_sycl(done); }, "the library's own") == sycl::errc::invalid);
  sycl::event after = syclze::to_sycl(done, same);
  REQUIRE_ZE(syclze_release(done));
  other
      .submit([&](sycl::handler &group) {
        group.depends_on(after);
        group.memcpy(result.data(), memory, size);
      })
      .wait();
  REQUIRE(result[0] == 2 && result[size - 1] == 1);
  const syclze_queue unordered = syclze::from_sycl(other);
  fill(unordered, memory, 2, &done);
  REQUIRE(
      code_and_text([&] { syclze::to_sycl(done, unordered); }, "in-order") == sycl::errc::invalid);
  REQUIRE_ZE(syclze_event_wait(done));
  REQUIRE_ZE(syclze_release(done));
  REQUIRE_ZE(syclze_release(unordered));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

// Where from_sycl refuses a queue, events order a queue beside it both ways, with every adapter.
SYCL_TEST(events_order_a_queue_of_syclze_beside_any_queue_of_sycl) {
  constexpr int rounds = 50;
  sycl::context context(first_device());
  sycl::queue queue(context, first_device(), sycl::property::queue::in_order());
  const syclze_context same = syclze::from_sycl(context);
  const syclze_queue own = created_queue(same);
  char *memory = sycl::malloc_shared<char>(size, queue);
  std::vector<char> results(rounds * size);
  for (int round = 0; round < rounds; round++) {
    const char value = (char)(round + 1);
    const syclze_event awaited = syclze::from_sycl(queue.memset(memory, -value, size), same);
    syclze_event done = {};
    syclze_group group = syclze_group_begin(own);
    syclze_group_depends_on(&group, awaited);
    REQUIRE_ZE(syclze_group_fill(&group, syclze_mem_arg(memory), &value, 1, size / 2, &done));
    REQUIRE_ZE(syclze_release(awaited));
    const sycl::event back = syclze::to_sycl(done, own);
    REQUIRE_ZE(syclze_release(done));
    queue.memcpy(&results[round * size], memory, size, back);
  }
  queue.wait();
  for (int round = 0; round < rounds; round++) {
    const char *result = &results[round * size], value = (char)(round + 1);
    REQUIRE(result[0] == value && result[size / 2 - 1] == value);
    REQUIRE(result[size / 2] == -value && result[size - 1] == -value);
  }
  REQUIRE_ZE(syclze_release(own));
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

static ze_result_t write_nine(syclze_interop_handle handle, void *memory) {
  (void)handle;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  *(char *)memory = 9;
  return ZE_RESULT_SUCCESS;
}

// Its command is in no native list yet.
SYCL_TEST(an_event_behind_a_host_task_is_handed_back) {
  sycl::queue queue = shareable_queue(sycl::context(first_device()));
  const syclze_queue same = syclze::from_sycl(queue);
  char *memory = sycl::malloc_shared<char>(size, queue);
  std::vector<char> result(size);
  syclze_event done = {};
  queue.memset(memory, 1, size).wait();
  syclze_group group = syclze_group_begin(same);
  REQUIRE_ZE(syclze_group_host_task(&group, write_nine, memory, NULL));
  group = syclze_group_begin(same);
  REQUIRE_ZE(
      syclze_group_copy(&group, syclze_mem_arg(memory + 64), syclze_mem_arg(memory), 1, &done));
  sycl::event after = syclze::to_sycl(done, same);
  REQUIRE_ZE(syclze_release(done));
  queue
      .submit([&](sycl::handler &handler) {
        handler.depends_on(after);
        handler.memcpy(result.data(), memory, size);
      })
      .wait();
  REQUIRE(result[0] == 9 && result[64] == 9);
  REQUIRE_ZE(syclze_release(same));
  sycl::free(memory, queue);
}

SYCL_TEST(a_queue_of_syclze_is_shared_and_ends_with_the_last_side) {
  for (int variant = 0; variant < 4; variant++) {
    const bool sycl_first = variant & 1, is_sycls_context = variant & 2;
    const syclze_context context =
        is_sycls_context ? syclze::from_sycl(sycl::context(first_device())) : created_context();
    const ze_context_handle_t native = syclze_get_native(context);
    const syclze_queue own = created_queue(context);
    const ze_command_list_handle_t list = syclze_get_native(own).list;
    syclze_release(context);
    auto queue = std::make_unique<sycl::queue>(syclze::to_sycl(own));
    REQUIRE(queue->is_in_order() && syclze::to_sycl(own) == *queue && list_of(*queue) == list);
    char *memory = sycl::malloc_shared<char>(size, *queue);
    queue->memset(memory, 1, size);
    fill(own, memory, 2);
    queue->wait();
    REQUIRE_ZE(syclze_queue_wait(own));
    REQUIRE(memory[0] == 2 && memory[size - 1] == 1);
    sycl::free(memory, *queue);
    if (sycl_first) queue.reset();
    if (!sycl_first) REQUIRE_ZE(syclze_release(own));
    REQUIRE(is_alive(list) && is_alive(native));
    if (!sycl_first) queue->memcpy(&variant, &variant, 0).wait();
    if (sycl_first) REQUIRE_ZE(syclze_release(own));
    queue.reset();
    REQUIRE(!is_alive(list));
    REQUIRE(is_alive(native) == (is_sycls_context && !contexts_are_apart()));
  }
}

SYCL_TEST(a_context_of_syclze_lives_as_long_as_either_side) {
  for (int sycl_first = 0; sycl_first < 2; sycl_first++) {
    const syclze_context own = created_context();
    const ze_context_handle_t native = syclze_get_native(own);
    auto context = std::make_unique<sycl::context>(syclze::to_sycl(own));
    REQUIRE(syclze::to_sycl(own) == *context);
    auto queue = std::make_unique<sycl::queue>(*context, first_device());
    char *memory = sycl::malloc_shared<char>(size, *queue);
    queue->memset(memory, 3, size).wait();
    if (!sycl_first) REQUIRE_ZE(syclze_release(own));
    REQUIRE(memory[size - 1] == 3);
    sycl::free(memory, *queue);
    context.reset();
    queue->wait();
    REQUIRE(is_alive(native));
    queue.reset();
    REQUIRE(is_alive(native) == (bool)sycl_first);
    if (sycl_first) {
      REQUIRE(syclze::to_sycl(own).get_devices()[0] == first_device());
      REQUIRE_ZE(syclze_release(own));
    }
    REQUIRE(!is_alive(native));
  }
}

SYCL_TEST(kept_handles_stay) {
  native_context owner = new_context();
  {
    const syclze_device device = syclze::from_sycl(first_device());
    const syclze_context_input input = {owner.get(), &device, 1, SYCLZE_OWNERSHIP_KEEP};
    syclze_context context = {};
    REQUIRE_ZE(syclze_make_context(&input, &context));
    native_list list = new_list(owner.get());
    const syclze_queue_input queue_input = {syclze_native_queue_of(list.get()), device,
        SYCLZE_OWNERSHIP_KEEP,
        {SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER, 0, 0}};
    syclze_queue own = {};
    REQUIRE_ZE(syclze_make_queue(&queue_input, context, &own));
    {
      sycl::queue queue = syclze::to_sycl(own);
      REQUIRE(syclze::to_sycl(own) == queue);
      REQUIRE(sycl::get_native<backend>(queue.get_context()) == owner.get());
    }
    REQUIRE_ZE(syclze_release(own));
    REQUIRE(is_alive(list.get()));
    REQUIRE_ZE(syclze_release(context));
  }
  REQUIRE(is_alive(owner.get()));
}

static void launch_axpy(syclze_queue queue, syclze_kernel kernel, float *x, float *y) {
  const syclze_nd_range range = {{256, 0, 0}, {0, 0, 0}, {0, 0, 0}, 1};
  syclze_group group = syclze_group_begin(queue);
  REQUIRE_ZE(
      syclze_launch(&group, kernel, &range, NULL, syclze_arg(2.0f), syclze_arg(x), syclze_arg(y)));
  REQUIRE_ZE(syclze_queue_wait(queue));
}

// Adapter v2 keeps the kernel until the queue is waited for.
static void launch_axpy(sycl::queue queue, const sycl::kernel &kernel, float *x, float *y) {
  queue.submit([&](sycl::handler &group) {
    group.set_args(2.0f, x, y);
    group.parallel_for(sycl::range<1>(256), kernel);
  });
  queue.wait();
}

SYCL_TEST(bundles_and_kernels_of_sycl_are_launched_by_syclze) {
  for (int sycl_first = 0; sycl_first < 2; sycl_first++) {
    sycl::context context(first_device());
    sycl::queue queue(context, first_device());
    native_module module = new_module(sycl::get_native<backend>(context), "basic.spv");
    native_kernel native = new_kernel(module.get(), "axpy");
    const ze_kernel_handle_t kernel_handle = native.get();
    const ze_module_handle_t module_handle = module.get();
    auto bundle = std::make_unique<syclze::executable_bundle>(
        sycl::make_kernel_bundle<backend, sycl::bundle_state::executable>(
            {module.release(), transfer}, context));
    auto kernel = std::make_unique<sycl::kernel>(
        sycl::make_kernel<backend>({*bundle, native.release(), transfer}, context));
    const syclze_kernel_bundle same_bundle = syclze::from_sycl(*bundle);
    const syclze_kernel same = syclze::from_sycl(*kernel);
    REQUIRE(syclze_get_native(same) == kernel_handle);
    REQUIRE(syclze::to_sycl(same) == *kernel && syclze::to_sycl(same_bundle) == *bundle);
    REQUIRE_ZE(syclze_release(same_bundle));
    float *x = sycl::malloc_shared<float>(256, queue), *y = sycl::malloc_shared<float>(256, queue);
    for (int i = 0; i < 256; i++)
      x[i] = (float)i, y[i] = 1;
    bundle.reset();
    if (sycl_first) kernel.reset();
    const syclze_context own_context = syclze::from_sycl(context);
    const syclze_queue own = created_queue(own_context);
    launch_axpy(own, same, x, y);
    REQUIRE(y[255] == 511);
    REQUIRE_ZE(syclze_release(own));
    REQUIRE_ZE(syclze_release(own_context));
    REQUIRE_ZE(syclze_release(same));
    REQUIRE(is_alive(kernel_handle) == !sycl_first);
    if (!sycl_first) launch_axpy(queue, *kernel, x, y);
    REQUIRE(y[255] == (sycl_first ? 511 : 1021));
    kernel.reset();
    REQUIRE(!is_alive(kernel_handle) && !is_alive(module_handle));
    sycl::free(x, queue);
    sycl::free(y, queue);
  }
}

SYCL_TEST(bundles_and_kernels_of_syclze_are_launched_by_sycl) {
  for (int sycl_first = 0; sycl_first < 2; sycl_first++) {
    sycl::context context(first_device());
    const syclze_context same = syclze::from_sycl(context);
    const std::vector<char> code = file_bytes("basic.spv");
    syclze_kernel_bundle_desc desc = {};
    desc.spirv = code.data();
    desc.size = code.size();
    syclze_kernel_bundle bundle = {};
    syclze_kernel kernel = {};
    REQUIRE_ZE(
        syclze_kernel_bundle_create(same, syclze::from_sycl(first_device()), &desc, &bundle));
    REQUIRE_ZE(syclze_kernel_create(bundle, "axpy", &kernel));
    const ze_module_handle_t module_handle = syclze_get_native(bundle).modules[0];
    const ze_kernel_handle_t kernel_handle = syclze_get_native(kernel);
    REQUIRE_ZE(syclze_release(bundle));
    auto theirs = std::make_unique<sycl::kernel>(syclze::to_sycl(kernel));
    REQUIRE(syclze::to_sycl(kernel) == *theirs);
    sycl::queue queue(context, first_device());
    float *x = sycl::malloc_shared<float>(256, queue), *y = sycl::malloc_shared<float>(256, queue);
    for (int i = 0; i < 256; i++)
      x[i] = (float)i, y[i] = 1;
    if (!sycl_first) REQUIRE_ZE(syclze_release(kernel));
    launch_axpy(queue, *theirs, x, y);
    REQUIRE(y[255] == 511);
    if (sycl_first) theirs.reset();
    REQUIRE(is_alive(kernel_handle) && is_alive(module_handle));
    if (sycl_first) REQUIRE_ZE(syclze_release(kernel));
    theirs.reset();
    REQUIRE(!is_alive(kernel_handle) && !is_alive(module_handle));
    sycl::free(x, queue);
    sycl::free(y, queue);
    REQUIRE_ZE(syclze_release(same));
  }
}

SYCL_TEST(usm_is_freed_by_the_side_that_allocated_it) {
  sycl::context context(first_device()), other(first_device());
  const syclze_context same = syclze::from_sycl(context);
  const ze_context_handle_t native = syclze_get_native(same);
  auto *of_sycl = sycl::malloc_shared<int>(16, first_device(), context);
  if (contexts_are_apart())
    REQUIRE(
        code_and_text([&] { syclze::from_sycl(of_sycl, other); }, "no USM") == sycl::errc::invalid);
  void *of_syclze = nullptr;
  REQUIRE_ZE(syclze_malloc_shared(64, syclze_context_get_device(same, 0), same, &of_syclze));
  {
    std::shared_ptr<int> one = syclze::from_sycl(of_sycl, context);
    std::shared_ptr<int> two = syclze::to_sycl((int *)of_syclze, same), copy = two;
    REQUIRE(one.get() == of_sycl && two.get() == of_syclze);
    sycl::queue queue(context, first_device());
    *one = 5;
    queue.memcpy(two.get(), one.get(), sizeof(int)).wait();
    REQUIRE(*copy == 5);
    REQUIRE_ZE(syclze_release(same));
    two.reset();
    REQUIRE(is_allocated(native, of_syclze));
  }
  REQUIRE(!is_allocated(native, of_syclze));
}

static ze_result_t owned_elsewhere(void *count) {
  ++*(int *)count;
  return ZE_RESULT_SUCCESS;
}

SYCL_TEST(an_object_of_another_owner_and_null_objects_are_refused) {
  int count = 0;
  const syclze_context context = created_context();
  const syclze_queue own = created_queue(context);
  const ze_command_list_handle_t list = syclze_get_native(own).list;
  REQUIRE_ZE(syclze_set_owner(own, syclze_owner{owned_elsewhere, &count}));
  REQUIRE(code_and_text([&] { syclze::to_sycl(own); }, "owner that is not SYCL's") ==
          sycl::errc::invalid);
  REQUIRE_ZE(syclze_release(own));
  REQUIRE(count == 1 && is_alive(list));
  REQUIRE_ZE(zeCommandListDestroy(list));
  REQUIRE_ZE(syclze_release(context));
  REQUIRE(code_and_text([&] { syclze::to_sycl(syclze_queue{}); }, "null") == sycl::errc::invalid);
  REQUIRE(code_and_text([&] { syclze::to_sycl(syclze_event{}); }, "null") == sycl::errc::invalid);
}

SYCL_TEST(eight_threads_share_objects) {
  sycl::context context(first_device());
  const syclze_context same = syclze::from_sycl(context);
  const syclze_queue one = created_queue(same);
  std::vector<sycl::queue> found(8, syclze::to_sycl(one));
  std::atomic<int> failures{0};
  auto body = [&](size_t thread) {
    try {
      for (int round = 0; round < 25; round++) {
        const syclze_queue own = created_queue(same);
        found[thread] = syclze::to_sycl(one);
        sycl::queue queue = syclze::to_sycl(own);
        REQUIRE(list_of(queue) == syclze_get_native(own).list);
        char *memory = sycl::malloc_shared<char>(size, queue);
        queue.memset(memory, 1, size);
        syclze_event filled = {};
        fill(own, memory, (char)(thread + 2), &filled);
        const syclze_event done = syclze::from_sycl(syclze::to_sycl(filled, own), same);
        REQUIRE_ZE(syclze_release(filled));
        REQUIRE_ZE(syclze_release(own));
        REQUIRE_ZE(syclze_event_wait(done));
        REQUIRE(memory[0] == (char)(thread + 2) && memory[size - 1] == 1);
        sycl::free(memory, queue);
        REQUIRE_ZE(syclze_release(done));
      }
    } catch (const std::exception &error) {
      failures++;
      std::fprintf(stderr, "thread %zu: %s\n", thread, error.what());
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 8; i++)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
  REQUIRE(failures == 0);
  for (const sycl::queue &queue : found)
    REQUIRE(queue == found[0]);
  REQUIRE_ZE(syclze_release(one));
  REQUIRE_ZE(syclze_release(same));
}

TEST_MAIN(platforms_and_devices_are_the_same_there_and_back,
    a_context_of_sycl_lives_as_long_as_either_side, syclze_adds_work_between_commands_of_sycl,
    a_queue_of_sycl_lives_as_long_as_either_side, a_queue_that_is_not_one_in_order_list_is_refused,
    a_queue_of_syclze_that_sycl_cannot_order_is_refused, an_event_of_sycl_orders_commands_of_syclze,
    events_without_a_native_one_are_awaited_in_the_native_list,
    a_queue_of_sycl_is_one_queue_whoever_asks,
    host_tasks_of_either_side_keep_the_order_of_a_shared_queue,
    the_event_of_another_queue_is_handed_back_when_it_is_done,
    a_queue_that_records_a_graph_of_sycl_is_refused, an_event_of_syclze_gates_commands_of_sycl,
    the_event_of_a_command_is_handed_back_by_its_queue,
    events_order_a_queue_of_syclze_beside_any_queue_of_sycl,
    an_event_behind_a_host_task_is_handed_back,
    a_queue_of_syclze_is_shared_and_ends_with_the_last_side,
    a_context_of_syclze_lives_as_long_as_either_side, kept_handles_stay,
    bundles_and_kernels_of_sycl_are_launched_by_syclze,
    bundles_and_kernels_of_syclze_are_launched_by_sycl, usm_is_freed_by_the_side_that_allocated_it,
    an_object_of_another_owner_and_null_objects_are_refused, eight_threads_share_objects)
