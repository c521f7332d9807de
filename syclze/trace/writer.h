/**
 * @file
 * A trace without a tool: the program's calls, commands and memory, in a file written at its
 * end.
 *
 *     #include "syclze/trace/writer.h"
 *
 * in one file of the program (with SYCLZE_DECLARATIONS the one with implementation.h), and
 * in the environment
 *
 * - `SYCLZE_TRACE=run.json`: Chrome's format, for Perfetto and chrome://tracing
 * - `SYCLZE_TRACE=run.dot`: the graph of commands, for Graphviz
 * - `SYCLZE_TRACE=run.html`: one page with a time line, the graph and totals, without network
 *   access
 * - `SYCLZE_TRACE=table`: totals on stderr: count, total, average, minimum and maximum of each name
 *
 * Without the variable it does nothing. A program may also start and write a trace itself:
 *
 *     syclze_trace_start();
 *     syclze_trace_write("run.html");
 *
 * Recorded are all Level Zero calls of the program (tracer.h), the commands, dependencies and
 * memory that follow from them, the application's own ranges (marks.h), and, in files with trace
 * points, submissions of command groups and runs of host tasks. Records take at most
 * SYCLZE_TRACE_MEMORY MiB, 256 by default; writing takes as much again. A child of fork records
 * nothing. If SYCLZE_TRACE cannot be written, there is one diagnostic at the program's end, on
 * stderr without a diagnostic handler.
 *
 * Ownership: nothing is handed out.
 * Threads: any thread may call any function. */
#ifndef SYCLZE_TRACE_WRITER_H
#define SYCLZE_TRACE_WRITER_H

#ifndef SYCLZE_INSTRUMENTATION_METADATA
#define SYCLZE_INSTRUMENTATION_METADATA 1
#endif

#include "marks.h"
#include "tracer.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Starts to record, unless it has started; records are kept until the program ends.
 *
 * @return ZE_RESULT_SUCCESS;
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: nothing is recorded;
 * - what syclze_tracer_start returns: submissions and host tasks are recorded, calls are not.
 * @see no counterpart in SYCL
 */
SYCLZE_COLD ze_result_t syclze_trace_start(void) SYCLZE_LINK_NAME(syclze_trace_start);

/**
 * Writes what was recorded so far; recording continues meanwhile.
 *
 * @param[in] path  Not null; ends in .json, .dot or .html, which selects the format; an existing
 * file is replaced. Or "table": totals on stderr.
 * @return ZE_RESULT_SUCCESS;
 * - ZE_RESULT_ERROR_UNINITIALIZED: recording was never started, or in the child of a fork;
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `path` is null;
 * - ZE_RESULT_ERROR_INVALID_ARGUMENT: the path has another ending;
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
 * - ZE_RESULT_ERROR_NOT_AVAILABLE: the file cannot be opened, or written to its end.
 * @see no counterpart in SYCL
 */
SYCLZE_COLD ze_result_t syclze_trace_write(const char *path) SYCLZE_LINK_NAME(syclze_trace_write);

SYCLZE_EXTERN_C_END

#include "writer/output.h"

#endif
