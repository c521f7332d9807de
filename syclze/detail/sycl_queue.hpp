// Queues and events of SYCL as this library's, and back.
#ifndef SYCLZE_DETAIL_SYCL_QUEUE_HPP
#define SYCLZE_DETAIL_SYCL_QUEUE_HPP

#include "sycl_order.hpp"

namespace syclze {
namespace detail {

// Whether the list runs its commands in order; `assumed` on loaders that lack the query.
inline bool list_is_in_order(ze_command_list_handle_t list, bool assumed) {
  ze_command_queue_flags_t flags = 0;
  auto get_flags = SYCLZE__ENTRY(command_list_get_flags);
  if (get_flags == nullptr || get_flags(list, &flags) != ZE_RESULT_SUCCESS) return assumed;
  return (flags & (1u << 1)) != 0; // ZE_COMMAND_QUEUE_FLAG_IN_ORDER, which older headers lack
}

// Adapter v1 orders the commands of an in-order queue by events of its own, among lists of several
// engines.
inline bool is_of_v1(const sycl::device &device) {
  return device.get_platform().get_info<sycl::info::platform::name>().find("V2") ==
         std::string::npos;
}

inline uint32_t properties_of(const sycl::queue &queue, ze_command_list_handle_t list) {
  uint32_t flags = 0;
  if (queue.is_in_order()) {
    if (is_of_v1(queue.get_device()) || !list_is_in_order(list, true))
      fail("the in-order queue is not one in-order list: order commands by events, or choose "
           "adapter v2, UR_LOADER_USE_LEVEL_ZERO_V2=1",
          sycl::errc::feature_not_supported);
    flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  }
  if (queue.has_property<sycl::property::queue::enable_profiling>())
    flags |= SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING;
  return flags;
}

// Makes the list's only queue known. Returns that of another thread, if it was faster, in place of
// the caller's, which is released.
inline syclze_queue registered(syclze_queue queue) {
  auto *data = shared_of<sycl::queue>(queue);
  const syclze_queue known = syclze__sycl_queues_add(&data->entry, queue);
  if (known.rep != queue.rep) syclze_queue_release(queue);
  if (known.rep == nullptr) require(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "from_sycl");
  return known;
}

inline syclze_queue wrapped(const sycl::queue &queue, ze_command_list_handle_t list) {
  syclze_queue_input input = {};
  input.native_handle = syclze_native_queue_of_list(list);
  input.device = from_sycl(queue.get_device());
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  input.properties.flags = properties_of(queue, list);
  const syclze_context context = from_sycl(queue.get_context());
  syclze_queue made = {};
  const ze_result_t result = syclze_make_queue(&input, context, &made);
  syclze_context_release(context);
  require(result, "syclze_make_queue");
  return registered(owned(made, queue));
}

} // namespace detail

inline syclze_queue from_sycl(const sycl::queue &queue) {
  detail::require_backend(queue);
  detail::require_executing(queue);
  const auto native = sycl::get_native<detail::backend>(queue);
  const auto *list = std::get_if<ze_command_list_handle_t>(&native);
  if (list == nullptr)
    detail::fail("the queue batches commands in command queues, where its own would be overtaken: "
                 "set UR_L0_USE_IMMEDIATE_COMMANDLISTS=1, or order commands by events",
        sycl::errc::feature_not_supported);
  syclze_queue same = syclze__sycl_queues_find(*list);
  if (same.rep == nullptr) same = detail::wrapped(queue, *list);
  try {
    detail::await_sycl(queue, same);
  } catch (...) {
    syclze_queue_release(same);
    throw;
  }
  return same;
}

namespace detail {

// An event for SYCL's that has no native one: `own`, which the wrapper keeps.
inline syclze_event stand_in(const sycl::event &event, const shared_event &own) {
  const syclze_event_input input = {syclze_event_get_native(own->get()), SYCLZE_OWNERSHIP_KEEP};
  syclze_event made = {};
  require(syclze_make_event(&input, syclze_event_get_context(own->get()), &made),
      "syclze_make_event");
  made = owned(made, event);
  auto *data = shared_of<sycl::event>(made);
  data->native = own->get().rep;
  data->destroy = [](const shared<sycl::event> &owner) {
    return syclze_event_release({static_cast<syclze__event *>(owner.native)});
  };
  syclze_event_retain(own->get());
  return made;
}

inline syclze_event signalled_stand_in(const sycl::event &event, syclze_context context) {
  syclze_event own = {};
  require(syclze_event_create(context, 0, &own), "syclze_event_create");
  const auto kept = std::make_shared<event_reference>(own);
  require(SYCLZE__ZE(zeEventHostSignal)(syclze_event_get_native(own)), "zeEventHostSignal");
  return stand_in(event, kept);
}

} // namespace detail

inline syclze_event from_sycl(const sycl::event &event, syclze_context context) {
  detail::require_object(context);
  const bool has_native = detail::has_native(event), is_complete = detail::is_complete(event);
  if (has_native) {
    detail::require_backend(event);
    const ze_event_handle_t native = sycl::get_native<detail::backend>(event);
    // Adapter v1 uses native events of complete commands again.
    if (is_complete && SYCLZE__ZE(zeEventQueryStatus)(native) != ZE_RESULT_SUCCESS)
      return detail::signalled_stand_in(event, context);
    const syclze_event_input input = {native, SYCLZE_OWNERSHIP_KEEP};
    syclze_event made = {};
    detail::require(syclze_make_event(&input, context, &made), "syclze_make_event");
    return detail::owned(made, event);
  }
  if (is_complete) {
    sycl::event(event).wait(); // throws for an event of a command graph, which seems complete
    return detail::signalled_stand_in(event, context);
  }
  const sycl::queue helper(to_sycl(context), to_sycl(syclze_context_get_device(context, 0)));
  sycl::event task;
  return detail::stand_in(event, detail::joined(helper, event, context, &task));
}

namespace detail {

inline sycl::queue made_queue(
    syclze_queue queue, const sycl::context &context, level_zero::ownership ownership) {
  const uint32_t flags = syclze_queue_get_properties(queue).flags;
  std::variant<ze_command_queue_handle_t, ze_command_list_handle_t> handle =
      syclze_queue_get_native(queue).list;
  const bool in_order = (flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
  const bool profiling = (flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0;
  namespace property = sycl::property::queue;
  const sycl::property_list properties =
      in_order && profiling
          ? sycl::property_list{property::in_order(), property::enable_profiling()}
      : in_order  ? sycl::property_list{property::in_order()}
      : profiling ? sycl::property_list{property::enable_profiling()}
                  : sycl::property_list{};
  return sycl::make_queue<backend>(
      {handle, to_sycl(syclze_queue_get_device(queue)), ownership, properties}, context);
}

inline void require_shareable(syclze_queue queue, const sycl::context &context) {
  const syclze_native_queue native = syclze_queue_get_native(queue);
  const uint32_t flags = syclze_queue_get_properties(queue).flags;
  if (native.kind != SYCLZE_NATIVE_QUEUE_LIST)
    fail("SYCL batches commands in a command queue, where they would be overtaken: make the "
         "queue of an immediate command list",
        sycl::errc::feature_not_supported);
  if ((flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0 &&
      !list_is_in_order(native.list, syclze__queue_is_native_in_order(queue.rep)))
    fail("the native list of the in-order queue is not known to be in-order: make the queue "
         "with SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER, if it is",
        sycl::errc::feature_not_supported);
  if (is_of_v1(to_sycl(syclze_queue_get_device(queue))) &&
      sycl::get_native<backend>(made_queue(queue, context, level_zero::ownership::keep)) !=
          std::variant<ze_command_queue_handle_t, ze_command_list_handle_t>(native.list))
    fail("adapter v1 replaces the native list, with UR_L0_USE_DRIVER_INORDER_LISTS=1",
        sycl::errc::feature_not_supported);
}

// The SYCL queue, whatever its order.
inline sycl::queue same_queue(syclze_queue queue) {
  if (const syclze__sycl_queue *entry = syclze__sycl_queues_entry(queue))
    return *static_cast<sycl::queue *>(entry->object);
  const sycl::context context = to_sycl(syclze_queue_get_context(queue));
  require_shareable(queue, context);
  auto destroy = [](const shared<sycl::queue> &data) -> ze_result_t {
    return SYCLZE__ZE(zeCommandListDestroy)((ze_command_list_handle_t)data.native);
  };
  const sycl::queue made =
      exchanged<sycl::queue>(queue, syclze_queue_get_native(queue).list, destroy,
          [&](level_zero::ownership ownership) { return made_queue(queue, context, ownership); });
  syclze_queue_retain(queue);
  syclze_queue_release(registered(queue));
  return made;
}

} // namespace detail

inline sycl::queue to_sycl(syclze_queue queue) {
  detail::require_object(queue);
  sycl::queue same = detail::same_queue(queue);
  if (same.is_in_order())
    if (const auto last = detail::last_deferred(queue)) detail::hold_back(same, queue, {last});
  return same;
}

inline sycl::event to_sycl(syclze_event event) {
  detail::require_object(event);
  if (event.rep->pooled != nullptr)
    detail::fail(
        "the native event is the library's own, which uses it again: give the queue of the "
        "command too, to_sycl(event, queue)");
  const sycl::context context = to_sycl(syclze_event_get_context(event));
  const ze_event_handle_t native = syclze_event_get_native(event);
  auto destroy = [](const detail::shared<sycl::event> &data) -> ze_result_t {
    return SYCLZE__ZE(zeEventDestroy)((ze_event_handle_t)data.native);
  };
  auto make = [&](detail::level_zero::ownership ownership) {
    return sycl::make_event<detail::backend>({native, ownership}, context);
  };
  return detail::exchanged<sycl::event>(event, native, destroy, make);
}

namespace detail {

// A barrier of SYCL's behind all that the native list was given.
inline sycl::event barrier(sycl::queue queue, syclze_queue same) {
  std::lock_guard<std::mutex> lock(exchange_lock());
  crossing &known = crossing_of(same);
  if (known.gate == nullptr)
    known.gate = std::make_unique<signalled_event>(
        queue.get_context(), syclze_device_get_native(syclze_queue_get_device(same)));
  return queue.ext_oneapi_submit_barrier(known.gate->events);
}

} // namespace detail

inline sycl::event to_sycl(syclze_event event, syclze_queue queue) {
  detail::require_object(event);
  detail::require_object(queue);
  sycl::queue same = detail::same_queue(queue);
  if (!same.is_in_order())
    detail::fail("the queue is not in-order: a barrier in it does not wait for the event");
  const auto last = detail::last_deferred(queue);
  // The command, or one before it in the queue, is not in a native list yet.
  if (last != nullptr || __atomic_load_n(&event.rep->dependents, __ATOMIC_ACQUIRE) != nullptr) {
    syclze_event_retain(event);
    std::vector<detail::shared_event> events{std::make_shared<detail::event_reference>(event)};
    if (last != nullptr) events.push_back(last);
    return detail::hold_back(same, queue, events);
  }
  detail::require_executing(same);
  syclze_event_status status = SYCLZE_EVENT_STATUS_COMPLETE;
  if (!detail::is_last_of(event, queue))
    detail::require(syclze_event_get_status(event, &status), "syclze_event_get_status");
  if (status != SYCLZE_EVENT_STATUS_COMPLETE)
    detail::require(
        syclze_queue_set_external_event(queue, event), "syclze_queue_set_external_event");
  return detail::barrier(same, queue);
}

} // namespace syclze

#endif
