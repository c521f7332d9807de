#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void zecl_text_add_bytes(struct zecl_text *text, const void *bytes, size_t size) {
  if (size >= text->capacity - text->length) {
    size_t capacity = (text->length + size + 1) * 2;
    char *data = realloc(text->data, capacity);
    if (!data) return;
    text->data = data;
    text->capacity = capacity;
  }
  memcpy(text->data + text->length, bytes, size);
  text->length += size;
  text->data[text->length] = 0;
}

void zecl_text_add(struct zecl_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  char line[512];
  int length = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (length >= 0 && (size_t)length < sizeof line) {
    zecl_text_add_bytes(text, line, (size_t)length);
  } else if (length >= 0) {
    char *big = malloc((size_t)length + 1);
    if (big) {
      vsnprintf(big, (size_t)length + 1, format, again);
      zecl_text_add_bytes(text, big, (size_t)length);
      free(big);
    }
  }
  va_end(again);
}

void zecl_text_free(struct zecl_text *text) {
  free(text->data);
  *text = (struct zecl_text){0};
}
