// Implementation of sycl.hpp: sycl_interop.h with SYCL's types and exceptions.
#ifndef SYCLZE_DETAIL_SYCL_HPP
#define SYCLZE_DETAIL_SYCL_HPP

#include "../sycl.hpp"

#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

namespace syclze {
namespace detail {

inline constexpr auto backend = sycl::backend::ext_oneapi_level_zero;

[[noreturn]] inline void fail(const std::string &rule, sycl::errc code = sycl::errc::invalid) {
  throw sycl::exception(sycl::make_error_code(code), "syclze: " + rule);
}

[[noreturn]] inline void fail(const struct syclze__sycl_made &made) {
  const ze_result_t result = made.status.result;
  fail(std::string(made.status.rule) + (made.detail != nullptr ? ": " : "") +
           (made.detail != nullptr ? made.detail : ""),
      result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED ? sycl::errc::feature_not_supported
      : result == SYCLZE_RESULT_ERROR_BACKEND_MISMATCH    ? sycl::errc::backend_mismatch
      : result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY      ? sycl::errc::memory_allocation
      : syclze_errc(result) == SYCLZE_ERRC_INVALID        ? sycl::errc::invalid
                                                          : sycl::errc::runtime);
}

inline void require(const struct syclze__sycl_made &made) {
  if (made.status.result != ZE_RESULT_SUCCESS) fail(made);
}

template <class Own, class Object> Own from(syclze_object_kind kind, const Object &object) {
  constexpr size_t words = std::is_same_v<Object, sycl::device> ? 1 : 2;
  static_assert(sizeof object == words * sizeof(void *), "the layout of detail/sycl/abi.h");
  const struct syclze__sycl_made made = syclze__sycl_from(kind, &object, {}, true);
  require(made);
  return {static_cast<decltype(Own::rep)>(made.rep)};
}

// The default of SYCL's contexts for errors that no handler of a queue takes.
inline void end_by(void *const *, void *list) {
  const auto &errors = *static_cast<const sycl::exception_list *>(list);
  for (const std::exception_ptr &error : errors)
    try {
      std::rethrow_exception(error);
    } catch (const std::exception &uncaught) {
      std::fprintf(stderr, "Default async_handler caught exceptions:\n\t%s\n", uncaught.what());
    }
  if (errors.size() != 0) std::terminate();
}

template <class Object, class Own>
Object to(syclze_object_kind kind, Own own, syclze_queue queue = {}) {
  struct syclze__sycl *sycl = __atomic_load_n(&SYCLZE__STATE.sycl, __ATOMIC_ACQUIRE);
  const char *detail = nullptr;
  if (sycl != nullptr || syclze__sycl_find(SYCLZE__SYCL_MAKE, &sycl, &detail).result == 0)
    __atomic_store_n(&sycl->handle_errors, &end_by, __ATOMIC_RELAXED);
  struct syclze__sycl_object bytes;
  alignas(Object) unsigned char made[sizeof(Object)];
  require(syclze__sycl_to(kind, own.rep, queue, &bytes));
  std::memcpy(made, &bytes, sizeof made);
  Object *const object = reinterpret_cast<Object *>(made);
  Object result(std::move(*object));
  object->~Object();
  return result;
}

inline bool is_of(const void *memory, ze_context_handle_t context) {
  ze_memory_allocation_properties_t properties = {};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  return SYCLZE__ZE(zeMemGetAllocProperties)(context, memory, &properties, nullptr) ==
             ZE_RESULT_SUCCESS &&
         properties.type != ZE_MEMORY_TYPE_UNKNOWN;
}

inline void require_of(const void *memory, ze_context_handle_t context) {
  if (!is_of(memory, context)) fail("the memory is no USM of the context");
}

} // namespace detail

inline syclze_platform from_sycl(const sycl::platform &platform) {
  return detail::from<syclze_platform>(SYCLZE_OBJECT_PLATFORM, platform);
}

inline syclze_device from_sycl(const sycl::device &device) {
  return detail::from<syclze_device>(SYCLZE_OBJECT_DEVICE, device);
}

inline syclze_context from_sycl(const sycl::context &context) {
  return detail::from<syclze_context>(SYCLZE_OBJECT_CONTEXT, context);
}

inline syclze_queue from_sycl(const sycl::queue &queue) {
  struct syclze__sycl_made failed;
  failed.status.result = ZE_RESULT_SUCCESS;
  struct syclze__queue *const known = syclze__sycl_known_queue_from(&queue, &failed);
  if (known != nullptr) return {known};
  detail::require(failed);
  return detail::from<syclze_queue>(SYCLZE_OBJECT_QUEUE, queue);
}

inline syclze_event from_sycl(const sycl::event &event, syclze_context context) {
  const struct syclze__sycl_made made =
      syclze__sycl_from(SYCLZE_OBJECT_EVENT, &event, context, true);
  detail::require(made);
  const syclze_event own = {static_cast<struct syclze__event *>(made.rep)};
  try {
    // Throws for an event of a command graph, which seems complete, and has no native one.
    if (!made.has_native && event.get_info<sycl::info::event::command_execution_status>() ==
                                sycl::info::event_command_status::complete)
      sycl::event(event).wait();
  } catch (...) {
    syclze_event_release(own);
    throw;
  }
  return own;
}

inline syclze_kernel_bundle from_sycl(const executable_bundle &bundle) {
  return detail::from<syclze_kernel_bundle>(SYCLZE_OBJECT_KERNEL_BUNDLE, bundle);
}

inline syclze_kernel from_sycl(const sycl::kernel &kernel) {
  return detail::from<syclze_kernel>(SYCLZE_OBJECT_KERNEL, kernel);
}

inline sycl::platform to_sycl(syclze_platform platform) {
  return detail::to<sycl::platform>(SYCLZE_OBJECT_PLATFORM, platform);
}

inline sycl::device to_sycl(syclze_device device) {
  return detail::to<sycl::device>(SYCLZE_OBJECT_DEVICE, device);
}

inline sycl::context to_sycl(syclze_context context) {
  return detail::to<sycl::context>(SYCLZE_OBJECT_CONTEXT, context);
}

inline sycl::queue to_sycl(syclze_queue queue) {
  return detail::to<sycl::queue>(SYCLZE_OBJECT_QUEUE, queue);
}

inline sycl::event to_sycl(syclze_event event) {
  return detail::to<sycl::event>(SYCLZE_OBJECT_EVENT, event);
}

inline sycl::event to_sycl(syclze_event event, syclze_queue queue) {
  if (queue.rep == nullptr) detail::fail("the object is null");
  return detail::to<sycl::event>(SYCLZE_OBJECT_EVENT, event, queue);
}

inline executable_bundle to_sycl(syclze_kernel_bundle bundle) {
  return detail::to<executable_bundle>(SYCLZE_OBJECT_KERNEL_BUNDLE, bundle);
}

inline sycl::kernel to_sycl(syclze_kernel kernel) {
  return detail::to<sycl::kernel>(SYCLZE_OBJECT_KERNEL, kernel);
}

template <class T> std::shared_ptr<T> from_sycl(T *memory, const sycl::context &context) {
  if (context.get_backend() != detail::backend)
    detail::fail("the object is of another backend", sycl::errc::backend_mismatch);
  detail::require_of(memory, sycl::get_native<detail::backend>(context));
  return std::shared_ptr<T>(memory, [context](T *last) { sycl::free((void *)last, context); });
}

template <class T> std::shared_ptr<T> to_sycl(T *memory, syclze_context context) {
  if (context.rep == nullptr) detail::fail("the object is null");
  detail::require_of(memory, syclze_context_get_native(context));
  syclze_context_retain(context);
  return std::shared_ptr<T>(memory, [context](T *last) {
    syclze_free((void *)last, context);
    syclze_context_release(context);
  });
}

} // namespace syclze

#endif
