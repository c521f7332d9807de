/**
 * @file
 * Objects of a SYCL runtime (DPC++) as this library's, and back: sycl_interop.h with SYCL's types
 * and exceptions. C++17, where SYCL's headers are. The functions of libsycl are found by their
 * symbols.
 *
 *     sycl::queue queue{sycl::property::queue::in_order()};
 *     syclze_queue same = syclze::from_sycl(queue);
 *     library_add_work(same, memory, &done);        // C, on syclze
 *     queue.submit([&](sycl::handler &group) { ... });
 *     syclze_release(same);
 *
 * Ownership: SYCL's object owns the native handle, and the object of this library has a copy of
 * SYCL's as its owner (owner.h). So the handle is destroyed once, when the last reference on either
 * side is released. to_sycl of what from_sycl made returns the same SYCL object; to_sycl of
 * another object hands a transferred handle over to a new one, which every later to_sycl returns.
 * Kept handles stay the application's. What from_sycl returns is one reference of the caller's.
 *
 * Order: in an in-order queue that is one in-order list, commands of both sides run in the order of
 * their submission; else an event orders them. Adapter v2 has such lists. The queues of adapter v1
 * batch commands in command queues, or keep their order by events of their own, and would be
 * overtaken by what is appended beside them: from_sycl refuses them. An event makes its batch
 * begin, and orders both sides there, and to_sycl of a queue works with both adapters.
 *
 * Host tasks of either side, and the commands behind them, are in no native queue until they can
 * run. So each crossing orders what the other side holds back: from_sycl(queue) what SYCL was given
 * before the call, for what is submitted to the result after it; to_sycl(queue), and
 * to_sycl(event, queue), the other way round. A library that shares a queue calls from_sycl each
 * time that it is entered: one SYCL queue is one queue of this library, however often it is asked
 * for, and a known queue with nothing held back is found in the time of two queries. No
 * function waits for it on the host, but for one thing: from_sycl of a queue whose last reference
 * was dropped while work of this library was under way in it waits for that work. SYCL has one
 * thread for host tasks, which waits there for work of this library that is held back.
 *
 * Errors: a sycl::exception, whose text is the rule. Nothing has changed then.
 *
 * Threads: as in SYCL, any thread may call any function. But the native queue, and the native
 * kernel, of an object that both sides use is for one thread at a time (Level-Zero backend 4.4.4):
 * the runtimes do not know of each other's locks.
 *
 * Buffers and images are not shared: a SYCL buffer has no native handle outside of a host task. USM
 * is; its pointers are the same on both sides.
 */
#ifndef SYCLZE_SYCL_HPP
#define SYCLZE_SYCL_HPP

#include "sycl_interop.h"
#include "syclze.h"

#include <level_zero/ze_api.h>
#include <sycl/sycl.hpp>

#include <sycl/ext/oneapi/backend/level_zero.hpp>

#include <memory>

namespace syclze {

using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

/** The platform of a SYCL platform of Level Zero; another backend's is refused. */
syclze_platform from_sycl(const sycl::platform &platform);
/** The device of a SYCL device of Level Zero; another backend's is refused. */
syclze_device from_sycl(const sycl::device &device);
/** The context whose owner is the SYCL context: the same as long as there are references to it. */
syclze_context from_sycl(const sycl::context &context);
/** The queue whose owner is the SYCL queue, in from_sycl of its context: the same as long as there
 * are references to it. What is submitted to it from here on runs behind what SYCL was given.
 * Refused: a queue that records to a command graph of SYCL's; one that batches commands in command
 * queues; and an in-order queue that is not one in-order list, such as all of adapter v1, which
 * orders the lists of several engines by events of its own. */
syclze_queue from_sycl(const sycl::queue &queue);
/** An event whose owner is the SYCL event; its batch, if it is in one, is executed. The context is
 * that of the event's queue, or another object of the same native one. That of a host task, of a
 * command behind one, or a default event, has a native event of this library's, which is signalled
 * when SYCL's event is complete, by a host task of SYCL's. Not for commands of the native list that
 * SYCL will append the awaited command to: from_sycl(queue) orders these. Refused: an event of a
 * command graph. */
syclze_event from_sycl(const sycl::event &event, syclze_context context);
/** A bundle whose owner is the SYCL bundle, which has one module for the context's devices: another
 * number is refused. */
syclze_kernel_bundle from_sycl(const executable_bundle &bundle);
/** A kernel whose owner is the SYCL kernel, in from_sycl of its bundle. */
syclze_kernel from_sycl(const sycl::kernel &kernel);

/** The SYCL platform of a platform. */
sycl::platform to_sycl(syclze_platform platform);
/** The SYCL device of a device. */
sycl::device to_sycl(syclze_device device);
/** The SYCL context of a context. One that from_sycl did not make stays this library's or the
 * application's: SYCL never destroys a native context. The SYCL context holds a reference, so that
 * the native one outlives it. */
sycl::context to_sycl(syclze_context context);
/** The SYCL queue of a queue, in to_sycl of its context. What SYCL is given from here on runs
 * behind what was submitted to an in-order queue. Refused: a command queue, an in-order queue whose
 * list is not known to be in-order, and one that records to a command graph of SYCL's where work of
 * this library is held back. */
sycl::queue to_sycl(syclze_queue queue);
/** The SYCL event of an event. Refused: an event of the library's own, such as that of a command,
 * whose native event is used again after its last release. */
sycl::event to_sycl(syclze_event event);
/** A SYCL event of its own, which completes no earlier than the event and all that was submitted to
 * the queue: a marker or a barrier of SYCL's. The event is of a command of the queue, or of any
 * other. The queue is in-order: another is refused, and so is one that records to a command graph
 * of SYCL's. The event may be released at once. */
sycl::event to_sycl(syclze_event event, syclze_queue queue);
/** The SYCL bundle of a bundle. */
executable_bundle to_sycl(syclze_kernel_bundle bundle);
/** The SYCL kernel of a kernel, in to_sycl of its bundle. */
sycl::kernel to_sycl(syclze_kernel kernel);

/** USM of a SYCL context, which the last copy of the result frees by sycl::free. The pointer can be
 * used on either side in the context's wrappers. Memory of another context is refused. */
template <class T> std::shared_ptr<T> from_sycl(T *memory, const sycl::context &context);
/** USM of a context (usm.h), which the last copy of the result frees by syclze_free. It keeps the
 * context. Memory of another context is refused. */
template <class T> std::shared_ptr<T> to_sycl(T *memory, syclze_context context);

} // namespace syclze

#include "detail/sycl.hpp"

#endif
