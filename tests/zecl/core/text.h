/* A text that grows: build logs, tool output, file contents. Zero is the empty text. */
#ifndef ZECL_CORE_TEXT_H
#define ZECL_CORE_TEXT_H

#include <stddef.h>

struct zecl_text {
  char *data; /* null-terminated; null while nothing was added */
  size_t length;
  size_t capacity;
};

/* Appends to a text. Dropped without memory: a log is never a reason to fail. */
void zecl_text_add(struct zecl_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void zecl_text_add_bytes(struct zecl_text *text, const void *bytes, size_t size);
void zecl_text_free(struct zecl_text *text);

#endif
