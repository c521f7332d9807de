/**
 * @file
 * Trace streams of SYCL's framework, XPTI, for tools that subscribe to them.
 *
 *     #include "syclze/trace/xpti.h"
 *
 * Included in one file of a program (with SYCLZE_DECLARATIONS the one with implementation.h), it
 * installs the emitter before main; nothing else is needed. Calls in that file of the functions of
 * syclze.h, command.h, graph.h and host_accessor.h are reported with their file and line.
 *
 * | stream                             | contents                                                 |
 * |------------------------------------|----------------------------------------------------------|
 * | sycl                               | graph_create, node_create, edge_create, task, barrier,   |
 * |                                    | signal, wait, diagnostics, queue_create, queue_destroy   |
 * | ur.call, ur.call.debug             | public functions, as calls of the runtime interface      |
 * |                                    | (xpti/ur_calls.h)                                        |
 * | sycl.experimental.buffer           | construct, associate, destruct, release, accessor        |
 * | sycl.experimental.image            | the same                                                 |
 * | sycl.experimental.mem_alloc        | allocations and their ends, of usm.h                     |
 * | sycl.experimental.level_zero.call, | every call of Level Zero that the program makes, where a |
 * | sycl.experimental.level_zero.debug | file of it includes level_zero.h                         |
 * | sycl.experimental.cuda.call,       | nothing: the names are SYCL's, and there is no CUDA      |
 * | sycl.experimental.cuda.debug       |                                                          |
 *
 * The form is the specification's; current.h has that of today's runtimes too.
 *
 * A node stands for a call site. The first submission there creates it, with the metadata of that
 * command. Each command is a task of the node, with an instance of its own; the task of a host task
 * begins when its worker begins it. A command without a known call site has a node of its own. So
 * have allocations and frees of memory for objects, sub-buffers, and the begin and the end of a
 * host accessor; commands that wait for an open one have a barrier of that reason. The submission
 * of a graph is one command, whose call is urEnqueueCommandBufferExp. The worker that makes a copy
 * between contexts creates its node; a dependent that was submitted earlier has no edge from it. An
 * edge is created if the command at its begin is known: one of the last thousand that signal an
 * event. The order of a queue makes no edges. A barrier stands for a submission that waits for a
 * host task, or for an event of unknown work. The metadata of a node depend on the subscribers'
 * level of detail: names, devices and the size of memory with basic; call sites and all of memory
 * too with normal; sizes and arguments too with verbose.
 *
 * A subscriber's callbacks run inside the call that they report, on its thread, some with the lock
 * of a queue or of a memory object held. They may call Level Zero and the framework. They must not
 * call the library, or wait for another thread that does. */
#ifndef SYCLZE_TRACE_XPTI_H
#define SYCLZE_TRACE_XPTI_H

#ifndef SYCLZE_INSTRUMENTATION_METADATA
#define SYCLZE_INSTRUMENTATION_METADATA 1
#endif

#include "../config.h"

#include "xpti/emitter.h"

#endif
