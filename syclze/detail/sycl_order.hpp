// Order between the two sides, where one of them has work that stands in no native queue yet: its
// host tasks, and the commands behind them.
//
// SYCL's work is joined: a host task of SYCL's behind it signals a native event. Commands of other
// native queues wait for that event in them. In the same native list they must not, because SYCL
// would append the joined command behind them: a host task of the shared queue waits for the event,
// and holds them back.
//
// Work of this library is waited for by a host task of SYCL's. SYCL has one thread for those, which
// waits in this one; so it is not started before all joins that precede it have been.
#ifndef SYCLZE_DETAIL_SYCL_ORDER_HPP
#define SYCLZE_DETAIL_SYCL_ORDER_HPP

#include "sycl.hpp"

#include "../command/host_task.h"
#include "../command/queue_order.h"

namespace syclze {
namespace detail {

// A reference of its own to an event.
class event_reference {
  syclze_event event;

public:
  explicit event_reference(syclze_event own) : event(own) {}
  event_reference(const event_reference &) = delete;
  ~event_reference() {
    syclze_event_release(event);
  }
  syclze_event get() const {
    return event;
  }
};

using shared_event = std::shared_ptr<event_reference>;

// An event of SYCL's that is always signalled. A barrier of SYCL's that waits for it is appended to
// the native list: one that waits for nothing may be left out, if SYCL has no command of its own
// since the last.
struct signalled_event {
  ze_event_pool_handle_t pool = nullptr;
  ze_event_handle_t native = nullptr;
  std::vector<sycl::event> events;

  signalled_event(const sycl::context &context, ze_device_handle_t device) {
    ze_event_pool_desc_t pool_desc = {};
    pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
    pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    pool_desc.count = 1;
    ze_event_desc_t desc = {};
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    ze_result_t result = SYCLZE__ZE(zeEventPoolCreate)(
        sycl::get_native<backend>(context), &pool_desc, 1, &device, &pool);
    if (result == ZE_RESULT_SUCCESS) result = SYCLZE__ZE(zeEventCreate)(pool, &desc, &native);
    if (result == ZE_RESULT_SUCCESS) result = SYCLZE__ZE(zeEventHostSignal)(native);
    if (result != ZE_RESULT_SUCCESS) destroy();
    require(result, "the creation of an event");
    events.push_back(sycl::make_event<backend>({native, level_zero::ownership::keep}, context));
  }
  signalled_event(const signalled_event &) = delete;
  ~signalled_event() {
    events.clear();
    destroy();
  }
  void destroy() const {
    if (native != nullptr) SYCLZE__ZE(zeEventDestroy)(native);
    if (pool != nullptr) SYCLZE__ZE(zeEventPoolDestroy)(pool);
  }
};

// State of a shared queue, made when it is needed, with the exchange lock.
struct crossing {
  std::unique_ptr<signalled_event> gate;
  sycl::ext::oneapi::weak_object<sycl::event> seen; // SYCL's last, whose order is kept already
};

inline crossing &crossing_of(syclze_queue queue) {
  syclze__sycl_queue *entry = syclze__sycl_queues_entry(queue);
  // Of two queues that the application made of one list, the table has the first.
  if (entry == nullptr) entry = &shared_of<sycl::queue>(queue)->entry;
  if (entry->gate == nullptr) {
    entry->gate = new crossing;
    entry->drop_gate = [](void *gate) { delete static_cast<crossing *>(gate); };
  }
  return *static_cast<crossing *>(entry->gate);
}

// True if SYCL's event has a native one. The runtime answers no other question about the event of a
// host task: those for its backend and its native event end the process.
inline bool has_native(const sycl::event &event) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return event.get_info<sycl::info::event::reference_count>() != 0;
#pragma GCC diagnostic pop
}

inline bool is_complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() ==
         sycl::info::event_command_status::complete;
}

// True for a pending host task, and a command behind one.
inline bool is_held(const sycl::event &event) {
  return !has_native(event) && !is_complete(event);
}

inline void require_executing(const sycl::queue &queue) {
  using state = sycl::ext::oneapi::experimental::queue_state;
  if (queue.ext_oneapi_get_state() != state::executing)
    fail("the queue records to a command graph of SYCL's, which takes no native commands");
}

// Joins that SYCL has not started.
class joins {
  using weak_event = sycl::ext::oneapi::weak_object<sycl::event>;
  std::mutex lock;
  std::vector<weak_event> events;

public:
  std::vector<sycl::event> pending() {
    std::lock_guard<std::mutex> guard(lock);
    std::vector<sycl::event> found;
    std::vector<weak_event> left;
    for (const weak_event &weak : events)
      if (auto event = weak.try_lock(); event.has_value() && is_held(*event)) {
        found.push_back(*event);
        left.push_back(weak);
      }
    events.swap(left);
    return found;
  }
  void add(const sycl::event &event) {
    pending();
    std::lock_guard<std::mutex> guard(lock);
    events.emplace_back(event);
  }
  static joins &all() {
    static joins one;
    return one;
  }
};

// A new event, which is signalled once SYCL's is complete; SYCL's last in `queue` afterwards is
// `task`.
inline shared_event joined(
    sycl::queue queue, const sycl::event &event, syclze_context context, sycl::event *task) {
  syclze_event made = {};
  require(syclze_event_create(context, 0, &made), "syclze_event_create");
  auto result = std::make_shared<event_reference>(made);
  *task = queue.submit([&](sycl::handler &group) {
    group.depends_on(event);
    group.host_task(
        [result] { SYCLZE__ZE(zeEventHostSignal)(syclze_event_get_native(result->get())); });
  });
  joins::all().add(*task);
  return result;
}

inline ze_result_t do_nothing(syclze_interop_handle, void *) {
  return ZE_RESULT_SUCCESS;
}

// The next submission to the shared queue waits for what SYCL holds back in it.
inline void await_sycl(const sycl::queue &queue, syclze_queue same) {
  if (!queue.is_in_order() || queue.ext_oneapi_empty()) return;
  std::lock_guard<std::mutex> lock(exchange_lock());
  const auto last = queue.ext_oneapi_get_last_event();
  if (!last.has_value() || !is_held(*last)) return;
  crossing &known = crossing_of(same);
  if (auto seen = known.seen.try_lock(); seen.has_value() && *seen == *last) return;
  sycl::event task;
  const shared_event done = joined(queue, *last, syclze_queue_get_context(same), &task);
  syclze_group group = syclze__group_begin(same);
  syclze_group_depends_on(&group, done->get());
  require(syclze_group_host_task(&group, do_nothing, nullptr, nullptr), "syclze_group_host_task");
  known.seen = task;
}

// The last work of the shared queue, if that stands in no native list yet; else null.
inline shared_event last_deferred(syclze_queue queue) {
  const syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  if (state == nullptr ||
      (__atomic_load_n(&state->obstacles, __ATOMIC_RELAXED) & SYCLZE__OBSTACLE_AFTER) == 0)
    return nullptr;
  syclze_event last = {};
  require(syclze_queue_get_last_event(queue, &last), "syclze_queue_get_last_event");
  auto result = std::make_shared<event_reference>(last);
  syclze_event_status status = SYCLZE_EVENT_STATUS_SUBMITTED;
  require(syclze_event_get_status(last, &status), "syclze_event_get_status");
  return status == SYCLZE_EVENT_STATUS_COMPLETE ? nullptr : result;
}

// Submits to SYCL's queue a host task that waits for the events, and returns its event.
inline sycl::event hold_back(
    sycl::queue queue, syclze_queue same, const std::vector<shared_event> &events) {
  require_executing(queue);
  std::lock_guard<std::mutex> lock(exchange_lock());
  const std::vector<sycl::event> joins_before = joins::all().pending();
  sycl::event task = queue.submit([&](sycl::handler &group) {
    group.depends_on(joins_before);
    group.host_task([events] {
      for (const shared_event &event : events)
        syclze_event_wait(event->get());
    });
  });
  crossing_of(same).seen = task;
  return task;
}

// True if the event is the last that the queue's native list was given.
inline bool is_last_of(syclze_event event, syclze_queue queue) {
  syclze__queue_state *state = syclze__queue_state_get(queue.rep);
  if (state == nullptr) return false;
  syclze__lock_acquire(&state->lock);
  const bool is_last = state->last == &event.rep->pending.next;
  syclze__lock_release(&state->lock);
  return is_last;
}

} // namespace detail
} // namespace syclze

#endif
