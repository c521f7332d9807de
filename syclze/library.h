/**
 * @file
 * Functions of libsyclze.so that programs with the headers alone do not have.
 *
 * `make library` builds it, for languages that cannot include the headers. Its interface, without
 * macros, inlined functions and private members, is syclze_library.h, which the build makes of the
 * contracts of the headers. Objects are the same: a program may give an object of the library to
 * one that vendors the headers, and back.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_LIBRARY_H
#define SYCLZE_LIBRARY_H

#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The calling thread's last diagnostic: of its last call that failed with one. Where a handler of
 * diagnostics is hard to bind, read it after a call that failed.
 *
 * @return the diagnostic, borrowed until the thread's next one or its end; null if there is none.
 * @see SYCL 2020 4.13.2
 */
const syclze_diagnostic *syclze_last_diagnostic(void);

#ifdef __cplusplus
}
#endif

#endif
