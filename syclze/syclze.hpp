/**
 * @file
 * C++17 on the headers, without DPC++: handles that release, exceptions, lambdas as host tasks,
 * typed buffers and accessors.
 *
 *     syclze::context context({device});
 *     syclze::queue queue(context, device);
 *     syclze::buffer<float> x(context, values), y(context, 1024);
 *     queue.submit([&](syclze::group &group) {
 *       auto in = group.read(x);
 *       auto out = group.write(y);
 *       group.launch(kernel, {1024}, 2.0f, in, out);
 *     });
 *     queue.submit([&](syclze::group &group) {
 *       auto in = group.read(y);
 *       group.host_task([in](syclze::interop host) { print(host.span(in)); });
 *     });
 *
 * Each class converts to the object of C, which any function of C takes. It holds one reference: a
 * copy retains, the destructor releases. `from` takes a reference over, `detach` gives it up.
 *
 * Errors: syclze::error, thrown where a call fails. Nothing has changed then. What a destructor
 * meets goes to the diagnostic handler alone. An exception of a host task is an asynchronous error
 * of its queue: the code of a syclze::error, else SYCLZE_RESULT_ERROR_RUNTIME.
 *
 * Cost: that of the same calls in C; what throws is out of line.
 *
 * Threads: as the objects of C; one variable is for one thread at a time.
 */
#ifndef SYCLZE_SYCLZE_HPP
#define SYCLZE_SYCLZE_HPP

#if __cplusplus < 201703L
#error "syclze.hpp: C++17 is needed"
#endif

#include "syclze.h"

#include "buffer_create.h"
#include "command.h"
#include "command/graph.h"
#include "command/host_accessor.h"
#include "command/image_host_accessor.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#pragma GCC visibility push(hidden)
// clang-format off: short members are lines of their own
namespace syclze {

/** A call that failed. @see SYCL 2020 4.13.2 */
class [[gnu::visibility("default")]] error : public std::exception {
public:
  explicit error(ze_result_t result) noexcept : result_(result) {
  }
  ze_result_t result() const noexcept {
    return result_;
  }
  syclze_error_code code() const noexcept {
    return syclze_errc(result_);
  }
  const char *what() const noexcept override {
    return syclze_result_string(result_);
  }
  [[noreturn, gnu::noinline, gnu::cold]] static void fail(ze_result_t result) {
    throw error(result);
  }

private:
  ze_result_t result_;
};

/** Throws what failed. Warnings and ZE_RESULT_NOT_READY are no failures. */
[[gnu::always_inline]] inline void check(ze_result_t result) {
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS) && syclze_errc(result) != SYCLZE_ERRC_SUCCESS)
    error::fail(result);
}

/** The size of `count` elements in bytes; throws if it exceeds size_t. */
template <typename T> [[gnu::always_inline]] inline std::size_t byte_size(std::size_t count) {
  std::size_t size;
  if (__builtin_mul_overflow(count, sizeof(T), &size)) error::fail(ZE_RESULT_ERROR_INVALID_SIZE);
  return size;
}

/** Elements in a row, as std::span of C++20. */
template <typename T> class span {
public:
  constexpr span() noexcept = default;
  constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
  template <typename C, typename E = std::remove_pointer_t<decltype(std::declval<C &>().data())>,
      typename = std::enable_if_t<std::is_convertible_v<E (*)[], T (*)[]>>>
  constexpr span(C &container) noexcept : data_(container.data()), size_(container.size()) {}
  template <std::size_t N> constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
  constexpr T *data() const noexcept { return data_; }
  constexpr std::size_t size() const noexcept { return size_; }
  constexpr T &operator[](std::size_t index) const noexcept { return data_[index]; }
  constexpr T *begin() const noexcept { return data_; }
  constexpr T *end() const noexcept { return data_ + size_; }

private:
  T *data_ = nullptr;
  std::size_t size_ = 0;
};

/** One reference of an object of C. */
template <typename Object> class handle {
public:
  handle() noexcept = default;
  handle(const handle &other) : object_(other.object_) {
    if (object_.rep != nullptr) check(syclze_retain(object_));
  }
  handle(handle &&other) noexcept : object_(other.detach()) {}
  handle &operator=(handle other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  [[gnu::always_inline]] ~handle() {
    if (object_.rep != nullptr) (void)syclze_release(object_);
  }
  operator Object() const noexcept { return object_; }
  Object get() const noexcept { return object_; }
  explicit operator bool() const noexcept { return object_.rep != nullptr; }
  /** Gives the reference to the caller. */
  Object detach() noexcept { return std::exchange(object_, Object{}); }

protected:
  /* Takes a reference that the caller owned. */
  explicit handle(Object object) noexcept : object_(object) {}
  /* For the result of a call; the handle is null. */
  Object *out() noexcept { return &object_; }

private:
  Object object_{};
};

/* The constructors that each class has. */
#define SYCLZE__CLASS(name, Object)                                                                \
  name() noexcept = default;                                                                       \
  static name from(Object object) noexcept {                                                       \
    return name(object);                                                                           \
  }                                                                                                \
                                                                                                   \
private:                                                                                           \
  explicit name(Object object) noexcept : handle(object) {                                         \
  }                                                                                                \
                                                                                                   \
public:
/* Makes an object of a native one, as make_native. */
#define SYCLZE__NATIVE(name)                                                                       \
  SYCLZE__CLASS(name, syclze_##name)                                                               \
  [[gnu::always_inline]] name(const syclze_##name##_input &input, syclze_context context) {        \
    check(syclze_make_##name(&input, context, out()));                                             \
  }

using device = syclze_device;

/** The devices that the environment selects. */
inline std::vector<device> devices() {
  std::uint32_t count = 0;
  check(syclze_device_get_selected(&count, nullptr));
  std::vector<device> found(count);
  check(syclze_device_get_selected(&count, found.data()));
  found.resize(count);
  return found;
}

struct context : handle<syclze_context> {
  SYCLZE__CLASS(context, syclze_context)
  explicit context(std::initializer_list<device> devices) {
    check(
        syclze_context_create(devices.begin(), static_cast<std::uint32_t>(devices.size()), out()));
  }
  explicit context(const syclze_context_input &input) { check(syclze_make_context(&input, out())); }
};

/** @see SYCL 2020 4.6.6 */
struct event : handle<syclze_event> {
  SYCLZE__NATIVE(event)
  explicit event(syclze_context context, std::uint32_t flags = 0) {
    check(syclze_event_create(context, flags, out()));
  }
  void wait() const { check(syclze_event_wait(get())); }
};

struct kernel_bundle : handle<syclze_kernel_bundle> {
  SYCLZE__NATIVE(kernel_bundle)
  kernel_bundle(syclze_context context, device on, const syclze_kernel_bundle_desc &desc) {
    check(syclze_kernel_bundle_create(context, on, &desc, out()));
  }
  template <typename Bytes>
  static kernel_bundle from_spirv(syclze_context context, device on, const Bytes &spirv) {
    syclze_kernel_bundle_desc desc{};
    desc.spirv = spirv.data();
    desc.size = spirv.size() * sizeof *spirv.data();
    return kernel_bundle(context, on, desc);
  }
};

struct kernel : handle<syclze_kernel> {
  SYCLZE__NATIVE(kernel)
  kernel(syclze_kernel_bundle bundle, const char *name) {
    check(syclze_kernel_create(bundle, name, out()));
  }
};

struct image : handle<syclze_image> {
  SYCLZE__NATIVE(image)
  image(syclze_context context, device on, const syclze_image_input &input) {
    check(syclze_image_create(context, on, &input, out()));
  }
  void read(void *data, const ze_image_region_t *region = nullptr) const {
    check(syclze_image_read(get(), region, data, 0, 0));
  }
  void write(const void *data, const ze_image_region_t *region = nullptr) const {
    check(syclze_image_write(get(), region, data, 0, 0));
  }
};

/** A buffer of one dimension or more, of elements of T. */
template <typename T> struct buffer : handle<syclze_buffer> {
  using base = handle<syclze_buffer>;
  SYCLZE__NATIVE(buffer)
  using base::get;
  buffer(syclze_context context, std::size_t count) { create(context, nullptr, nullptr, count); }
  /** A buffer of data of the host, which the last release writes back. */
  buffer(syclze_context context, span<T> data) {
    create(context, data.data(), nullptr, data.size());
  }
  buffer(syclze_context context, span<const T> data) {
    create(context, nullptr, data.data(), data.size());
  }
  /* A container that is not const converts to both spans. */
  template <typename C, typename = std::enable_if_t<std::is_convertible_v<C &, span<T>>>>
  buffer(syclze_context context, C &container) : buffer(context, span<T>(container)) {}
  buffer(syclze_context context, const syclze_buffer_desc &desc) {
    check(syclze_buffer_create(context, &desc, out()));
  }
  std::size_t size() const noexcept { return syclze_buffer_byte_size(get()) / sizeof(T); }

private:
  using base::out;
  void create(syclze_context context, T *data, const T *const_data, std::size_t count) {
    syclze_buffer_desc desc{};
    desc.element_size = sizeof(T);
    desc.dimensions = 1;
    desc.range[0] = count;
    desc.host_data = data;
    desc.const_host_data = const_data;
    check(syclze_buffer_create(context, &desc, out()));
  }
};

/** A requirement of a group; const elements where it only reads. */
template <typename T> struct accessor : syclze_accessor {
  explicit accessor(syclze_accessor from) noexcept : syclze_accessor(from) {}
};

/** The host's access to a buffer, which its destructor ends. */
template <typename T> struct host_accessor : span<T> {
  host_accessor(const buffer<T> &of, syclze_access_mode mode = SYCLZE_ACCESS_READ_WRITE) {
    check(syclze_host_accessor_create(of, mode, &accessor_));
    static_cast<span<T> &>(*this) = {
        static_cast<T *>(syclze_host_accessor_get_part_pointer(accessor_)),
        syclze_host_accessor_byte_size(accessor_) / sizeof(T)};
  }
  host_accessor(host_accessor &&other) noexcept
      : span<T>(other), accessor_(std::exchange(other.accessor_, syclze_host_accessor{})) {}
  ~host_accessor() {
    if (accessor_.rep != nullptr) (void)syclze_host_accessor_release(accessor_);
  }

private:
  syclze_host_accessor accessor_{};
};

/** The interop handle of a host task. */
class interop {
public:
  explicit interop(syclze_interop_handle handle) noexcept : handle_(handle) {}
  operator syclze_interop_handle() const noexcept { return handle_; }
  /** The part of an accessor of the group, in memory that the host can access. */
  template <typename T> syclze::span<T> span(const accessor<T> &of) const {
    void *memory = syclze_accessor_get_part_pointer(of);
    if (memory == nullptr) error::fail(SYCLZE_RESULT_ERROR_ACCESSOR);
    return {static_cast<T *>(memory), of.size / sizeof(T)};
  }
  template <typename T> void *memory(const accessor<T> &of) const {
    void *memory;
    check(syclze_interop_handle_get_native_buffer(handle_, of, &memory));
    return memory;
  }

private:
  syclze_interop_handle handle_;
};

namespace detail {
template <typename T> SYCLZE_INLINE syclze_argument argument(const T &value) {
  return syclze_arg(value);
}
template <typename T> SYCLZE_INLINE syclze_argument argument(const accessor<T> &value) {
  return syclze_arg(static_cast<const syclze_accessor &>(value));
}
SYCLZE_INLINE syclze_argument argument(const syclze_argument &value) {
  return value;
}

template <typename Function>
ze_result_t call(Function &function, syclze_interop_handle handle) noexcept {
  try {
    function(interop(handle));
    return ZE_RESULT_SUCCESS;
  } catch (const error &failed) {
    return failed.result();
  } catch (...) {
    return SYCLZE_RESULT_ERROR_RUNTIME;
  }
}

template <typename Function>
ze_result_t call_once(syclze_interop_handle handle, void *data) noexcept {
  return call(*std::unique_ptr<Function>(static_cast<Function *>(data)), handle);
}

template <typename Function>
ze_result_t call_again(syclze_interop_handle handle, void *data) noexcept {
  return call(*static_cast<Function *>(data), handle);
}

} // namespace detail

/** A command group, which ends with its one submission. `event`, where given, is the
 * submission's.
 */
class group {
public:
  [[gnu::always_inline]] explicit group(syclze_queue queue)
      : queue_(queue), group_(syclze_group_begin(queue)) {}
  group(const group &) = delete;
  group &operator=(const group &) = delete;
  [[gnu::always_inline]] ~group() { syclze_group_end(&group_); }
  operator syclze_group *() noexcept { return &group_; }

  void depends_on(syclze_event event) noexcept { syclze_group_depends_on(&group_, event); }
  template <typename T> accessor<const T> read(const buffer<T> &of) {
    return accessor<const T>(syclze_group_require_buffer(&group_, of, SYCLZE_ACCESS_READ));
  }
  template <typename T>
  accessor<T> write(const buffer<T> &of, syclze_access_mode mode = SYCLZE_ACCESS_WRITE) {
    return accessor<T>(syclze_group_require_buffer(&group_, of, mode));
  }
  template <typename T> accessor<T> read_write(const buffer<T> &of) {
    return write(of, SYCLZE_ACCESS_READ_WRITE);
  }
  syclze_accessor require(syclze_image of, syclze_access_mode mode) {
    return syclze_group_require_image(&group_, of, mode);
  }

  /** Arguments are accessors, values that are trivially copyable, and syclze_local's. */
  template <typename... Arguments>
  void launch(syclze_kernel kernel, const syclze_nd_range &range, const Arguments &...arguments) {
    submit_launch(kernel, range, nullptr, arguments...);
  }
  template <typename... Arguments>
  void launch(event &done, syclze_kernel kernel, const syclze_nd_range &range,
      const Arguments &...arguments) {
    syclze_event made;
    submit_launch(kernel, range, &made, arguments...);
    done = event::from(made);
  }
  void copy(syclze_memory_argument to, syclze_memory_argument from, std::size_t size) {
    check(syclze_group_copy(&group_, to, from, size, nullptr));
  }
  template <typename T>
  [[gnu::always_inline]] void fill(const accessor<T> &to, const T &value) {
    check(syclze_group_fill(&group_, syclze_mem_arg(static_cast<const syclze_accessor &>(to)),
        &value, sizeof value, to.size, nullptr));
  }

  /** Runs a function, or a function object, of an interop as a host task: a temporary is moved into
   * it, a variable copied. Not on a queue that records a graph, which runs it any number of times:
   * it takes a pointer. */
  template <typename Function> void host_task(Function &&function) {
    task(std::forward<Function>(function), nullptr);
  }
  template <typename Function> void host_task(event &done, Function &&function) {
    syclze_event made;
    task(std::forward<Function>(function), &made);
    done = event::from(made);
  }
  /** Runs a function object that outlives the work, or the graph. */
  template <typename Function>
  std::enable_if_t<std::is_object_v<Function>> host_task(Function *function) {
    check(syclze_group_host_task(&group_, detail::call_again<Function>,
        const_cast<std::remove_const_t<Function> *>(function), nullptr));
  }

private:
  template <typename... Arguments>
  void submit_launch(syclze_kernel kernel, const syclze_nd_range &range, syclze_event *done,
      const Arguments &...arguments) {
    const syclze_argument all[sizeof...(arguments) + !sizeof...(arguments)] = {
        detail::argument(arguments)...};
    check(syclze_group_launch(
        &group_, kernel, &range, all, static_cast<std::uint32_t>(sizeof...(arguments)), done));
  }
  template <typename Function> void task(Function &&function, syclze_event *done) {
    using Kept = std::decay_t<Function>;
    if (syclze_queue_is_recording(queue_)) error::fail(SYCLZE_RESULT_ERROR_INVALID);
    auto kept = std::make_unique<Kept>(std::forward<Function>(function));
    check(syclze_group_host_task(&group_, detail::call_once<Kept>, kept.get(), done));
    kept.release();
  }

  syclze_queue queue_;
  syclze_group group_;
};

/** A graph that can be submitted. */
struct executable_graph : handle<syclze_executable_graph> {
  SYCLZE__CLASS(executable_graph, syclze_executable_graph)
};

struct queue : handle<syclze_queue> {
  SYCLZE__NATIVE(queue)
  queue(syclze_context context, device on, const syclze_property_list &properties = {}) {
    check(syclze_queue_create(context, on, &properties, out()));
  }
  /** Calls a function with a group, which it submits. */
  template <typename Function> void submit(Function &&function) const {
    group begun(get());
    function(begun);
  }
  void submit(const executable_graph &graph) const {
    check(syclze_queue_submit_graph(get(), graph, nullptr));
  }
  template <typename... Arguments>
  [[gnu::always_inline]] void launch(
      syclze_kernel kernel, const syclze_nd_range &range, Arguments... arguments) const {
    const syclze_argument all[sizeof...(arguments) + !sizeof...(arguments)] = {
        detail::argument(arguments)...};
    check((syclze_queue_launch_arguments)(get(), kernel, &range, all,
        static_cast<std::uint32_t>(sizeof...(arguments)), nullptr, 0, nullptr));
  }
  template <typename T>
  [[gnu::always_inline]] void fill(T *to, const T &value, std::size_t count) const {
    check(syclze_queue_fill(
        get(), to, &value, sizeof value, byte_size<T>(count), nullptr, 0, nullptr));
  }
  template <typename T>
  [[gnu::always_inline]] void copy(T *to, const T *from, std::size_t count) const {
    check(syclze_queue_copy(get(), to, from, byte_size<T>(count), nullptr, 0, nullptr));
  }
  /** Waits for the queue, and throws its asynchronous errors. */
  void wait() const { check(syclze_queue_wait(get())); }
};

struct graph : handle<syclze_graph> {
  SYCLZE__CLASS(graph, syclze_graph)
  graph(syclze_context context, device on) { check(syclze_graph_create(context, on, out())); }
  /** Calls a function, and records what it submits to the queue. */
  template <typename Function> void record(const queue &queue, Function &&function) const {
    check(syclze_graph_begin_recording(get(), queue));
    try {
      function();
    } catch (...) {
      (void)syclze_graph_end_recording(get(), queue);
      throw;
    }
    check(syclze_graph_end_recording(get(), queue));
  }
  executable_graph finalize(std::uint32_t flags = 0) const {
    syclze_executable_graph made;
    check(syclze_graph_finalize(get(), flags, &made));
    return executable_graph::from(made);
  }
};

/** USM of `count` elements, freed by the destructor. */
template <typename T> struct memory : span<T> {
  static memory shared(const context &context, device on, std::size_t count) {
    void *made;
    check(syclze_malloc_shared(byte_size<T>(count), on, context, &made));
    return memory(context, made, count);
  }
  static memory on_device(const context &context, device on, std::size_t count) {
    void *made;
    check(syclze_malloc_device(byte_size<T>(count), on, context, &made));
    return memory(context, made, count);
  }
  memory(memory &&other) noexcept
      : span<T>(std::exchange(static_cast<span<T> &>(other), span<T>())),
        context_(std::move(other.context_)) {}
  ~memory() {
    if (this->data() != nullptr) (void)syclze_free(this->data(), context_);
  }

private:
  memory(const context &context, void *made, std::size_t count)
      : span<T>(static_cast<T *>(made), count), context_(context) {}
  context context_;
};

} // namespace syclze
#pragma GCC visibility pop

#endif
