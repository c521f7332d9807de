// Implementation of sycl.hpp.
#ifndef SYCLZE_DETAIL_SYCL_HPP
#define SYCLZE_DETAIL_SYCL_HPP

#include "../sycl.hpp"

#include "objects/sycl_queues.h"

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

// What an object of this library has as its owner: SYCL's object, and, where that does not own the
// native handle, what destroys this.
template <class Object> struct shared {
  std::optional<Object> object;
  ze_result_t (*destroy)(const shared &) = nullptr;
  void *native = nullptr;
  syclze__sycl_queue entry = {}; // of a queue

  static ze_result_t release(void *data) noexcept {
    std::unique_ptr<shared> self(static_cast<shared *>(data));
    syclze__sycl_queues_remove(&self->entry);
    if (self->entry.gate != nullptr) self->entry.drop_gate(self->entry.gate);
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
  data->entry.object = &*data->object;
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
    data->entry.object = &*data->object;
    data->destroy = nullptr;
  }
  return *data->object;
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

#include "sycl_order.hpp"
#include "sycl_queue.hpp"

#endif
