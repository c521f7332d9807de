/**
 * @file
 * Marks of the application in the traces of writer.h: ranges like those of NVTX, and names
 * of queues and kernels. Included by name, in any file; without a trace a mark is a load and a
 * branch.
 *
 *     #include "syclze/trace/marks.h"
 *     static void step(void) {
 *       const syclze_trace_range range = syclze_trace_range_begin("step");
 *       // what the step does
 *       syclze_trace_range_end(range);
 *     }
 *
 * With SYCLZE_DECLARATIONS the file with implementation.h includes it too, by writer.h or by
 * itself.
 *
 * Ranges of a thread nest in its track, around the calls that they contain; totals have them too.
 *
 * Ownership: nothing is handed out.
 * Threads: any thread may call any function; a range begins and ends on one thread. */
#ifndef SYCLZE_TRACE_MARKS_H
#define SYCLZE_TRACE_MARKS_H

#include "tracer.h"

SYCLZE_EXTERN_C_BEGIN

/** A range that has begun. All members are private. */
typedef struct syclze_trace_range {
  const char *name;
  uint64_t start; /* 0 where nothing is recorded */
} syclze_trace_range;

/**
 * Begins a range.
 *
 * @param[in] name  Not null; lives as long as the program, like a literal.
 * Ownership afterwards: unchanged; the name is borrowed.
 * @return The range, for syclze_trace_range_end.
 * @see no counterpart in SYCL; NVTX, nvtxRangeStart
 */
SYCLZE_INLINE syclze_trace_range syclze_trace_range_begin(const char *name);

/**
 * Ends a range. Nothing is recorded of one that began before the recording.
 *
 * @param[in] range  Of syclze_trace_range_begin.
 * @see no counterpart in SYCL; NVTX, nvtxRangeEnd
 */
SYCLZE_INLINE void syclze_trace_range_end(syclze_trace_range range);

/**
 * Names a queue, for its track, or a kernel, for its later commands, once recording has started; no
 * effect before. Traces show no other objects.
 *
 * @param[in] native  The native command list, command queue or kernel, as
 * syclze_get_native(queue).list and syclze_get_native(kernel); null has no effect.
 * @param[in] name  Not null; copied. Replaces an earlier one. A later queue with the same handle
 * keeps the name until it is given another; so does a later kernel if Level Zero's calls are not
 * traced.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `name` is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory
 * @see no counterpart in SYCL; NVTX, nvtxNameOsThread
 */
SYCLZE_COLD ze_result_t syclze_trace_name_object(const void *native, const char *name)
    SYCLZE_LINK_NAME(syclze_trace_name_object);

SYCLZE_EXTERN_C_END

#include "writer/marks.h"

#endif
