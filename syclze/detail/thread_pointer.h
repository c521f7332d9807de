/* A thread-local pointer, one for all object files of a linked image.
 *
 * Neither C nor C++ has such a variable, so assembly defines it, in a section group of its own. It
 * points to an empty block at first. Link-time optimisation may assemble several files as one,
 * hence the condition. Both symbols are hidden, and declared by the including header. */
#ifndef SYCLZE_DETAIL_THREAD_POINTER_H
#define SYCLZE_DETAIL_THREAD_POINTER_H

#include "../config.h"

#if SYCLZE__HAS_THREAD_POINTER

/* `empty` is of at most `bytes`, all zero. */
#define SYCLZE__THREAD_POINTER(symbol, empty, bytes)                                               \
  SYCLZE__THREAD_POINTER_TEXT(symbol, empty, bytes)
#define SYCLZE__THREAD_POINTER_TEXT(symbol, empty, bytes)                                          \
  ".ifndef " #symbol "\n.hidden " #empty "\n.comm " #empty ", " #bytes ", 64\n"                    \
  ".pushsection .tdata." #symbol ",\"awTG\",%progbits," #symbol ",comdat\n"                        \
  ".weak " #symbol "\n.hidden " #symbol "\n.type " #symbol ",%object\n"                            \
  ".size " #symbol ",8\n.balign 8\n" #symbol ":\n.quad " #empty "\n.popsection\n.endif\n"

/* Clang's link-time optimisation treats a symbol of file-scope assembly as not thread-local: there,
 * each function that uses the pointer defines it in its own assembly. */
#ifdef __clang__
#define SYCLZE__THREAD_POINTER_OF_FILE(text)
#define SYCLZE__THREAD_POINTER_OF_FUNCTION(text) __asm__ volatile(text)
#else
#define SYCLZE__THREAD_POINTER_OF_FILE(text) __asm__(text);
#define SYCLZE__THREAD_POINTER_OF_FUNCTION(text) (void)0
#endif

#endif

#endif
