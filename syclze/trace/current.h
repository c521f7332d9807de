/**
 * @file
 * The trace streams of xpti.h, in the form of today's runtimes too, which their tools read.
 *
 *     #include "syclze/trace/current.h"
 *
 * Included instead of xpti.h, or before it: in all files that include xpti.h or level_zero.h.
 * SYCLZE_TRACE_FORM=current in the environment selects the form when the streams start; otherwise
 * they have the specification's. The rows that differ:
 *
 * | row                   | specification                        | current                      |
 * |-----------------------|--------------------------------------|------------------------------|
 * | node_create           | once for each kernel or command at a | for each command; the type   |
 * |                       | call site, for each device; the type | of node, with memset or       |
 * |                       | with the group's address             | memcpy for plain memory      |
 * | names of events       | the function of the library          | the calling function         |
 * | types of events       | graph                                | algorithm                    |
 * | edge_create           | Event[address], event                | the mode and the object of   |
 * |                       |                                      | memory, where that is why    |
 * | barrier               | Unknown reason                       | Unknown block reason         |
 * | wait                  | the barrier of a queue's wait is a   | no task                      |
 * |                       | task too                             |                              |
 * | host tasks            | of a device                          | of none                      |
 * | queue_create          | named so                             | queue[queue_id]              |
 * | ur.call               | function_begin, the name, parent the | function_with_args_begin, no |
 * |                       | layer                                | parent, one event; nothing   |
 * |                       |                                      | with ur.call.debug           |
 * | ur.call, .debug       | calls within calls too               | the outermost of a thread    |
 * | ur.call.debug         | parent the layer                     | no parent, one event         |
 * | buffers and images    | parent the layer, no instance        | no parent, an instance       |
 * | range of a buffer     | 1 beyond its dimensions              | 0                            |
 * | allocations           | a mem_alloc_data_t, no event, parent | a name, and an event with    |
 * |                       | the layer                            | memory_ptr and memory_size,  |
 * |                       |                                      | after a node_create          |
 * | sycl_device_type      | ACC                                  | ACCELERATOR                  |
 * | value_set             | 64 bits                              | an int, and the queue_id     |
 */
#ifndef SYCLZE_TRACE_CURRENT_H

#ifdef SYCLZE_TRACE_XPTI_H
#error "syclze/trace/current.h must come before trace/xpti.h"
#include "syclze: current.h must come before xpti.h"
#endif

#define SYCLZE_TRACE_CURRENT_H

#include "xpti.h"

#endif
