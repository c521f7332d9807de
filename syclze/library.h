/**
 * @file
 * Functions of libsyclze.so that programs with the headers alone do not have.
 *
 * `make library` builds it, for languages that cannot include the headers. Its interface, without
 * macros, inlined functions and private members, is syclze_library.h, which the build generates
 * from the headers' contracts. Objects are the same: the library and code that vendors the headers
 * may exchange them.
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
 * Returns the calling thread's last diagnostic, to be read after a failed call in languages where a
 * diagnostic handler is hard to bind.
 *
 * @return the diagnostic, borrowed until the thread's next one or its end; null if there is none.
 * @see SYCL 2020 4.13.2
 */
const syclze_diagnostic *syclze_last_diagnostic(void);

#ifdef __cplusplus
}
#endif

#endif
