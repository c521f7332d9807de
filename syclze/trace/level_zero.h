/** @file
 * The streams sycl.experimental.level_zero.call and .debug: each Level Zero call of the program,
 * the library's own included.
 *
 *     #include "syclze/trace/level_zero.h"
 *
 * Included in one file of a program (with SYCLZE_DECLARATIONS the one with
 * implementation.h), it includes xpti.h, and starts a tracer (tracer.h) once one of the
 * streams has a subscriber. That needs the loader's tracing layer: ZE_ENABLE_TRACING_LAYER=1 in the
 * environment, or a loader that can turn it on later. Without it there is one diagnostic, and
 * the other streams continue.
 *
 * Threads: subscribers are called on the thread that makes the call. */
#ifndef SYCLZE_TRACE_LEVEL_ZERO_H
#define SYCLZE_TRACE_LEVEL_ZERO_H

#include "tracer.h"
#include "xpti.h"

#include "xpti/level_zero_streams.h"

#endif
