/** @file
 * Trace streams of SYCL's framework, XPTI, for the tools that subscribe to them.
 *
 *     #include "syclze/trace/xpti.h"
 *
 * Included in one file of a program, which with SYCLZE_DECLARATIONS is the one that has
 * SYCLZE_IMPLEMENTATION, it installs the emitter before main; nothing else is needed. Calls in that
 * file are reported with their file and line.
 *
 * | stream                             | told                                                     |
 * |------------------------------------|----------------------------------------------------------|
 * | sycl                               | graph_create, node_create, edge_create, task, barrier,   |
 * |                                    | signal, wait, diagnostics, queue_create, queue_destroy   |
 * | ur.call, ur.call.debug             | what this library does, as calls of the runtime          |
 * |                                    | interface (ur_call.h)                                    |
 * | sycl.experimental.buffer           | construct, associate, destruct, release, accessor        |
 * | sycl.experimental.image            | the same                                                 |
 * | sycl.experimental.mem_alloc        | allocations and their ends, of usm.h                     |
 * | sycl.experimental.level_zero.call, | every call of Level Zero that the program makes, where a |
 * | sycl.experimental.level_zero.debug | file of it includes level_zero.h                         |
 * | sycl.experimental.cuda.call,       | nothing: the names are SYCL's, and there is no CUDA      |
 * | sycl.experimental.cuda.debug       |                                                          |
 *
 * The form is the specification's. SYCLZE_TRACE_FORM=current in the environment makes it that of
 * today's runtimes, which their tools read. The rows that differ:
 *
 * | row                   | specification                        | current                      |
 * |-----------------------|--------------------------------------|------------------------------|
 * | node_create           | once for a kernel, or an action, of  | for each command; the type   |
 * |                       | a place in the program on a device;  | of node                      |
 * |                       | the type with the group's address    |                              |
 * | barrier               | Unknown reason                       | Unknown block reason         |
 * | queue_create          | no parent                            | the graph                    |
 * | ur.call               | function_begin, the name, parent the | function_with_args_begin, no |
 * |                       | layer                                | parent, one event; nothing   |
 * |                       |                                      | with ur.call.debug           |
 * | ur.call, .debug       | calls within calls too               | the outermost of a thread    |
 * | ur.call.debug         | parent the layer                     | no parent, one event         |
 * | buffers and images    | parent the layer, no instance        | no parent, an instance       |
 * | allocations           | a mem_alloc_data_t, no event         | a name, and an event with    |
 * |                       |                                      | memory_ptr and memory_size   |
 * | sycl_device_type      | ACC                                  | ACCELERATOR                  |
 *
 * A node is what a place of the program submits, told when it first does, with what that command
 * has. Each command is a task of it, under a number of its own; the task of a host task begins
 * when its worker begins it. Commands whose place is not known are nodes of their own. So is
 * memory that the library allocates for an object, or frees; there are no nodes of sub-buffers and
 * of host accessors, which are not among the library's objects. A copy between contexts is told by
 * the worker that makes it; what waits for it may have been told before, without its edge. An edge
 * is told where the command that is waited for is known: one of the last thousand that signal an
 * event; what the order of a queue says is no edge. A barrier is told of a submission that waits
 * for a host task, or for an event of unknown work. How much metadata a node has depends on the
 * detail that subscribers want: names, devices and the size of memory with basic, places and all of
 * memory too with normal, sizes and arguments too with verbose. */
#ifndef SYCLZE_TRACE_XPTI_H
#define SYCLZE_TRACE_XPTI_H

#ifndef SYCLZE_INSTRUMENTATION_METADATA
#define SYCLZE_INSTRUMENTATION_METADATA 1
#endif

#include "../config.h"

#include "xpti/emitter.h"

#endif
