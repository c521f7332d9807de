/* A thread-local pointer of which a linked image has one, for all its object files.
 *
 * No language has such a variable, so the assembler defines it, in a group of its own. It points to
 * an empty block at first. Link-time optimisation may assemble several files as one, hence the
 * condition. Both symbols are hidden, and declared by the including header. */
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

/* Clang's link-time optimisation takes a symbol of the file's assembly for one that is not
 * thread-local, but not one of a function's: there, each function that uses the pointer defines
 * it. */
#ifdef __clang__
#define SYCLZE__THREAD_POINTER_OF_FILE(text)
#define SYCLZE__THREAD_POINTER_OF_FUNCTION(text) __asm__ volatile(text)
#else
#define SYCLZE__THREAD_POINTER_OF_FILE(text) __asm__(text);
#define SYCLZE__THREAD_POINTER_OF_FUNCTION(text) (void)0
#endif

#endif

#endif
