// Implementation of sycl.hpp.
#ifndef SYCLZE_DETAIL_SYCL_HPP
#define SYCLZE_DETAIL_SYCL_HPP

#include "../sycl.hpp"

#include <cstdio>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace syclze {
namespace detail {

namespace level_zero = sycl::ext::oneapi::level_zero;
inline constexpr auto backend = sycl::backend::ext_oneapi_level_zero;

[[noreturn]] inline void fail(const std::string &rule, sycl::errc code = sycl::errc::invalid) {
  throw sycl::exception(sycl::make_error_code(code), "syclze: " + rule);
}

inline void require(ze_result_t result, const char *function) {
  if (result != ZE_RESULT_SUCCESS)
    fail(std::string(function) + " returned " + syclze_result_string(result),
        result == SYCLZE_RESULT_ERROR_INVALID ? sycl::errc::invalid : sycl::errc::runtime);
}

template <class Object> void require_backend(const Object &object) {
  if (object.get_backend() != backend)
    fail("the object is of another backend", sycl::errc::backend_mismatch);
}

template <class Object> void require_object(Object object) {
  if (object.rep == nullptr) fail("the object is null");
}

// Of the first to_sycl of an object, which may hand its handle over.
inline std::mutex &exchange_lock() {
  static std::mutex lock;
  return lock;
}

// An event that is always signalled. A barrier of SYCL's that waits for it is appended to the
// native list: one that waits for nothing may be left out, if SYCL has no command of its own since
// the last.
struct signalled_event {
  ze_event_pool_handle_t pool = nullptr;
  ze_event_handle_t native = nullptr;
  std::optional<sycl::event> event;

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
    event = sycl::make_event<backend>({native, level_zero::ownership::keep}, context);
  }
  signalled_event(const signalled_event &) = delete;
  ~signalled_event() {
    event.reset();
    destroy();
  }
  void destroy() const {
    if (native != nullptr) SYCLZE__ZE(zeEventDestroy)(native);
    if (pool != nullptr) SYCLZE__ZE(zeEventPoolDestroy)(pool);
  }
};

// What an object of this library has as its owner: SYCL's object, and, where that does not own the
// native handle, what destroys this.
template <class Object> struct shared {
  std::optional<Object> object;
  ze_result_t (*destroy)(const shared &) = nullptr;
  void *native = nullptr;
  std::unique_ptr<signalled_event> gate; // of a queue; null until it is needed

  static ze_result_t release(void *data) noexcept {
    std::unique_ptr<shared> self(static_cast<shared *>(data));
    self->object.reset();
    return self->destroy != nullptr ? self->destroy(*self) : ZE_RESULT_SUCCESS;
  }
};

// Null if the object has no owner. Each linked image has its own function `release`, by which its
// own objects are found.
template <class Object, class Own> shared<Object> *shared_of(Own own) {
  const syclze_owner owner = syclze_get_owner(own);
  if (owner.release == nullptr) return nullptr;
  if (owner.release != shared<Object>::release)
    fail("the object has an owner that is not SYCL's, or is of another shared object's syclze");
  return static_cast<shared<Object> *>(owner.data);
}

// Makes SYCL's object the owner of what is wrapped under keep; releases the wrapper on failure.
template <class Object, class Own> Own owned(Own own, const Object &object) {
  auto *data = new shared<Object>;
  data->object = object;
  const ze_result_t result = syclze_set_owner(own, syclze_owner{shared<Object>::release, data});
  if (result == ZE_RESULT_SUCCESS) return own;
  delete data;
  syclze_release(own);
  require(result, "syclze_set_owner");
  return own;
}

template <class Own> bool is_kept(Own own) {
  return syclze__ref_is_kept(&own.rep->ref);
}
inline bool is_kept(syclze_kernel_bundle bundle) {
  return syclze__ref_is_kept(&bundle.rep->parent.ref);
}
inline bool is_kept(syclze_context context) {
  return syclze__ref_is_kept(&context.rep->parent.ref);
}

// The owner of an object, with SYCL's object or none yet. `destroy` ends a transferred handle until
// SYCL's object owns it.
template <class Object, class Own>
shared<Object> *shared_or_new(
    Own own, void *native, ze_result_t (*destroy)(const shared<Object> &)) {
  if (shared<Object> *found = shared_of<Object>(own)) return found;
  auto data = std::make_unique<shared<Object>>();
  data->native = native;
  data->destroy = is_kept(own) ? nullptr : destroy;
  require(
      syclze_set_owner(own, syclze_owner{shared<Object>::release, data.get()}), "syclze_set_owner");
  return data.release();
}

// to_sycl of any kind: make(ownership) makes SYCL's object.
template <class Object, class Own, class Make>
Object exchanged(Own own, void *native, ze_result_t (*destroy)(const shared<Object> &), Make make) {
  std::lock_guard<std::mutex> lock(exchange_lock());
  shared<Object> *data = shared_or_new<Object>(own, native, destroy);
  if (!data->object.has_value()) {
    data->object = make(
        data->destroy != nullptr ? level_zero::ownership::transfer : level_zero::ownership::keep);
    data->destroy = nullptr;
  }
  return *data->object;
}

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

inline bool is_of(const void *memory, ze_context_handle_t context) {
  ze_memory_allocation_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  return SYCLZE__ZE(zeMemGetAllocProperties)(context, memory, &properties, nullptr) ==
             ZE_RESULT_SUCCESS &&
         properties.type != ZE_MEMORY_TYPE_UNKNOWN;
}

} // namespace detail

inline syclze_platform from_sycl(const sycl::platform &platform) {
  detail::require_backend(platform);
  syclze_platform made = {};
  detail::require(syclze_make_platform(sycl::get_native<detail::backend>(platform), &made),
      "syclze_make_platform");
  return made;
}

inline syclze_device from_sycl(const sycl::device &device) {
  detail::require_backend(device);
  syclze_device made = {};
  detail::require(
      syclze_make_device(sycl::get_native<detail::backend>(device), &made), "syclze_make_device");
  return made;
}

inline syclze_context from_sycl(const sycl::context &context) {
  detail::require_backend(context);
  std::vector<syclze_device> devices;
  for (const sycl::device &device : context.get_devices())
    devices.push_back(from_sycl(device));
  const syclze_context_input input = {sycl::get_native<detail::backend>(context), devices.data(),
      (uint32_t)devices.size(), SYCLZE_OWNERSHIP_KEEP};
  syclze_context made = {};
  detail::require(syclze_make_context(&input, &made), "syclze_make_context");
  return detail::owned(made, context);
}

inline syclze_queue from_sycl(const sycl::queue &queue) {
  detail::require_backend(queue);
  const auto native = sycl::get_native<detail::backend>(queue);
  const auto *list = std::get_if<ze_command_list_handle_t>(&native);
  if (list == nullptr)
    detail::fail("the queue batches commands in command queues, where its own would be overtaken: "
                 "set UR_L0_USE_IMMEDIATE_COMMANDLISTS=1, or order commands by events",
        sycl::errc::feature_not_supported);
  syclze_queue_input input = {};
  input.native_handle = syclze_native_queue_of_list(*list);
  input.device = from_sycl(queue.get_device());
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  if (queue.is_in_order()) {
    if (detail::is_of_v1(queue.get_device()) || !detail::list_is_in_order(*list, true))
      detail::fail(
          "the in-order queue is not one in-order list: order commands by events, or choose "
          "adapter v2, UR_LOADER_USE_LEVEL_ZERO_V2=1",
          sycl::errc::feature_not_supported);
    input.properties.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  }
  if (queue.has_property<sycl::property::queue::enable_profiling>())
    input.properties.flags |= SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING;
  const syclze_context context = from_sycl(queue.get_context());
  syclze_queue made = {};
  const ze_result_t result = syclze_make_queue(&input, context, &made);
  syclze_context_release(context);
  detail::require(result, "syclze_make_queue");
  return detail::owned(made, queue);
}

inline syclze_event from_sycl(const sycl::event &event, syclze_context context) {
  detail::require_backend(event);
  detail::require_object(context);
  const ze_event_handle_t native = sycl::get_native<detail::backend>(event);
  using status = sycl::info::event::command_execution_status;
  if (native == nullptr ||
      (event.get_info<status>() == sycl::info::event_command_status::complete &&
          SYCLZE__ZE(zeEventQueryStatus)(native) != ZE_RESULT_SUCCESS))
    detail::fail("the event has no native event: it is of no command of a device");
  const syclze_event_input input = {native, SYCLZE_OWNERSHIP_KEEP};
  syclze_event made = {};
  detail::require(syclze_make_event(&input, context, &made), "syclze_make_event");
  return detail::owned(made, event);
}

inline syclze_kernel_bundle from_sycl(const executable_bundle &bundle) {
  detail::require_backend(bundle);
  const auto modules = sycl::get_native<detail::backend>(bundle);
  if (modules.size() != 1)
    detail::fail("the bundle has " + std::to_string(modules.size()) + " modules instead of one");
  const syclze_kernel_bundle_input input = {modules[0], SYCLZE_OWNERSHIP_KEEP};
  const syclze_context context = from_sycl(bundle.get_context());
  syclze_kernel_bundle made = {};
  const ze_result_t result = syclze_make_kernel_bundle(&input, context, &made);
  syclze_context_release(context);
  detail::require(result, "syclze_make_kernel_bundle");
  return detail::owned(made, bundle);
}

inline syclze_kernel from_sycl(const sycl::kernel &kernel) {
  detail::require_backend(kernel);
  const syclze_kernel_bundle bundle = from_sycl(kernel.get_kernel_bundle());
  const syclze_kernel_input input = {
      bundle, sycl::get_native<detail::backend>(kernel), SYCLZE_OWNERSHIP_KEEP};
  syclze_kernel made = {};
  const ze_result_t result =
      syclze_make_kernel(&input, syclze_kernel_bundle_get_context(bundle), &made);
  syclze_kernel_bundle_release(bundle);
  detail::require(result, "syclze_make_kernel");
  return detail::owned(made, kernel);
}

inline sycl::platform to_sycl(syclze_platform platform) {
  detail::require_object(platform);
  return sycl::make_platform<detail::backend>(syclze_platform_get_native(platform));
}

inline sycl::device to_sycl(syclze_device device) {
  detail::require_object(device);
  return sycl::make_device<detail::backend>(syclze_device_get_native(device));
}

namespace detail {

// Held by a SYCL context until its own end, in its handler: a reference to the context that it was
// made of.
struct context_reference {
  syclze_context context;
  explicit context_reference(syclze_context own) : context(own) {
    syclze_context_retain(own);
  }
  context_reference(const context_reference &) = delete;
  ~context_reference() {
    syclze_context_release(context);
  }
};

// What SYCL's contexts do by default with errors that no handler of a queue takes.
inline void end_by(const sycl::exception_list &errors) {
  for (const std::exception_ptr &error : errors)
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &uncaught) {
      std::fprintf(stderr, "Default async_handler caught exceptions:\n\t%s\n", uncaught.what());
    }
  if (errors.size() != 0) std::terminate();
}

// Of a context that SYCL did not make: SYCL's context holds a reference to it, and so is not held
// itself.
struct foreign_context {
  sycl::ext::oneapi::weak_object<sycl::context> object;
  ze_context_handle_t native = nullptr;
  bool is_kept = false;

  static ze_result_t release(void *data) noexcept {
    std::unique_ptr<foreign_context> self(static_cast<foreign_context *>(data));
    return self->is_kept ? ZE_RESULT_SUCCESS : SYCLZE__ZE(zeContextDestroy)(self->native);
  }
};

inline foreign_context *foreign_or_new(syclze_context context) {
  const syclze_owner owner = syclze_get_owner(context);
  if (owner.release == foreign_context::release) return static_cast<foreign_context *>(owner.data);
  auto data = std::make_unique<foreign_context>();
  data->native = syclze_context_get_native(context);
  data->is_kept = is_kept(context);
  require(syclze_set_owner(context, syclze_owner{foreign_context::release, data.get()}),
      "syclze_set_owner");
  return data.release();
}

} // namespace detail

inline sycl::context to_sycl(syclze_context context) {
  detail::require_object(context);
  std::lock_guard<std::mutex> lock(detail::exchange_lock());
  if (syclze_get_owner(context).release != detail::foreign_context::release)
    if (auto *data = detail::shared_of<sycl::context>(context)) return *data->object;
  detail::foreign_context *data = detail::foreign_or_new(context);
  if (auto object = data->object.try_lock()) return *object;
  std::vector<sycl::device> devices;
  for (uint32_t i = 0; i < syclze_context_get_device_count(context); i++)
    devices.push_back(to_sycl(syclze_context_get_device(context, i)));
  auto reference = std::make_shared<detail::context_reference>(context);
  sycl::context made = sycl::make_context<detail::backend>(
      {data->native, devices, detail::level_zero::ownership::keep},
      [reference](sycl::exception_list errors) { detail::end_by(errors); });
  data->object = made;
  return made;
}

inline sycl::queue to_sycl(syclze_queue queue) {
  detail::require_object(queue);
  const sycl::context context = to_sycl(syclze_queue_get_context(queue));
  const syclze_native_queue native = syclze_queue_get_native(queue);
  const uint32_t flags = syclze_queue_get_properties(queue).flags;
  auto destroy = [](const detail::shared<sycl::queue> &data) -> ze_result_t {
    return SYCLZE__ZE(zeCommandListDestroy)((ze_command_list_handle_t)data.native);
  };
  auto make = [&](detail::level_zero::ownership ownership) {
    std::variant<ze_command_queue_handle_t, ze_command_list_handle_t> handle = native.list;
    const bool in_order = (flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0;
    const bool profiling = (flags & SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING) != 0;
    namespace property = sycl::property::queue;
    const sycl::property_list properties =
        in_order && profiling
            ? sycl::property_list{property::in_order(), property::enable_profiling()}
        : in_order  ? sycl::property_list{property::in_order()}
        : profiling ? sycl::property_list{property::enable_profiling()}
                    : sycl::property_list{};
    return sycl::make_queue<detail::backend>(
        {handle, to_sycl(syclze_queue_get_device(queue)), ownership, properties}, context);
  };
  if (native.kind != SYCLZE_NATIVE_QUEUE_LIST)
    detail::fail(
        "SYCL batches commands in a command queue, where they would be overtaken: make the "
        "queue of an immediate command list",
        sycl::errc::feature_not_supported);
  if ((flags & SYCLZE_QUEUE_PROPERTY_IN_ORDER) != 0 &&
      !detail::list_is_in_order(native.list, syclze__queue_is_native_in_order(queue.rep)))
    detail::fail(
        "the native list of the in-order queue is not known to be in-order: make the queue "
        "with SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER, if it is",
        sycl::errc::feature_not_supported);
  if (detail::is_of_v1(context.get_devices()[0]) &&
      sycl::get_native<detail::backend>(make(detail::level_zero::ownership::keep)) !=
          std::variant<ze_command_queue_handle_t, ze_command_list_handle_t>(native.list))
    detail::fail("adapter v1 replaces the native list, with UR_L0_USE_DRIVER_INORDER_LISTS=1",
        sycl::errc::feature_not_supported);
  return detail::exchanged<sycl::queue>(queue, native.list, destroy, make);
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

inline sycl::event to_sycl(syclze_event event, syclze_queue queue) {
  detail::require_object(event);
  detail::require_object(queue);
  sycl::queue same = to_sycl(queue);
  if (!same.is_in_order())
    detail::fail("the queue is not in-order: a barrier in it does not wait for the event");
  // Held back for a host task: the command is not in the native list yet.
  if (__atomic_load_n(&event.rep->dependents, __ATOMIC_ACQUIRE) != nullptr)
    detail::require(syclze_event_wait(event), "syclze_event_wait");
  auto *data = detail::shared_of<sycl::queue>(queue);
  {
    std::lock_guard<std::mutex> lock(detail::exchange_lock());
    if (data->gate == nullptr)
      data->gate = std::make_unique<detail::signalled_event>(
          same.get_context(), syclze_device_get_native(syclze_queue_get_device(queue)));
  }
  return same.ext_oneapi_submit_barrier({*data->gate->event});
}

inline executable_bundle to_sycl(syclze_kernel_bundle bundle) {
  detail::require_object(bundle);
  const sycl::context context = to_sycl(syclze_kernel_bundle_get_context(bundle));
  const ze_module_handle_t native = syclze_kernel_bundle_get_native(bundle).modules[0];
  auto destroy = [](const detail::shared<executable_bundle> &data) -> ze_result_t {
    return SYCLZE__ZE(zeModuleDestroy)((ze_module_handle_t)data.native);
  };
  auto make = [&](detail::level_zero::ownership ownership) {
    return sycl::make_kernel_bundle<detail::backend, sycl::bundle_state::executable>(
        {native, ownership}, context);
  };
  return detail::exchanged<executable_bundle>(bundle, native, destroy, make);
}

inline sycl::kernel to_sycl(syclze_kernel kernel) {
  detail::require_object(kernel);
  const executable_bundle bundle = to_sycl(syclze_kernel_get_kernel_bundle(kernel));
  const ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  auto destroy = [](const detail::shared<sycl::kernel> &data) -> ze_result_t {
    return SYCLZE__ZE(zeKernelDestroy)((ze_kernel_handle_t)data.native);
  };
  auto make = [&](detail::level_zero::ownership ownership) {
    return sycl::make_kernel<detail::backend>({bundle, native, ownership}, bundle.get_context());
  };
  return detail::exchanged<sycl::kernel>(kernel, native, destroy, make);
}

template <class T> std::shared_ptr<T> from_sycl(T *memory, const sycl::context &context) {
  detail::require_backend(context);
  if (!detail::is_of(memory, sycl::get_native<detail::backend>(context)))
    detail::fail("the memory is no USM of the context");
  return std::shared_ptr<T>(memory, [context](T *last) { sycl::free((void *)last, context); });
}

template <class T> std::shared_ptr<T> to_sycl(T *memory, syclze_context context) {
  detail::require_object(context);
  if (!detail::is_of(memory, syclze_context_get_native(context)))
    detail::fail("the memory is no USM of the context");
  syclze_context_retain(context);
  return std::shared_ptr<T>(memory, [context](T *last) {
    syclze_free((void *)last, context);
    syclze_context_release(context);
  });
}

} // namespace syclze

#endif
