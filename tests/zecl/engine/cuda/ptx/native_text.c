/* Kernels of PTX: `.entry name (.param .u64 .ptr .global p, .param .align 8 .b8 s[32]) .reqntid 8`.
 */
#include "engine/cuda/ptx/native.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct token {
  const char *text;
  size_t length;
};

struct reader {
  const char *at;
  struct zecl_text *log;
};

static bool is_of_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '.' || c == '%';
}

static void skip(struct reader *reader) {
  const char *at = reader->at;
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (at[0] == '/' && at[1] == '/') {
      at += strcspn(at, "\n");
    } else if (at[0] == '/' && at[1] == '*') {
      const char *end = strstr(at + 2, "*/");
      at = end ? end + 2 : at + strlen(at);
    } else {
      reader->at = at;
      return;
    }
  }
}

/* A word, a string or one other character; empty at the end. */
static struct token next(struct reader *reader) {
  skip(reader);
  struct token token = {reader->at, 0};
  if (*token.text == '"') {
    const char *end = strchr(token.text + 1, '"');
    token.length = end ? (size_t)(end + 1 - token.text) : strlen(token.text);
  } else {
    while (is_of_word(token.text[token.length]))
      token.length++;
    if (!token.length && *token.text) token.length = 1;
  }
  reader->at += token.length;
  return token;
}

static bool is(struct token token, const char *text) {
  return strlen(text) == token.length && memcmp(token.text, text, token.length) == 0;
}

static bool fail(struct reader *reader, const char *what) {
  zecl_text_add(reader->log, "malformed PTX: %s\n", what);
  return false;
}

static uint32_t type_size(struct token type) {
  static const struct {
    const char *name;
    uint32_t size;
  } types[] = {{".u8", 1}, {".s8", 1}, {".b8", 1}, {".u16", 2}, {".s16", 2}, {".b16", 2},
      {".f16", 2}, {".u32", 4}, {".s32", 4}, {".b32", 4}, {".f32", 4}, {".f16x2", 4}, {".u64", 8},
      {".s64", 8}, {".b64", 8}, {".f64", 8}, {".b128", 16}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (is(type, types[i].name)) return types[i].size;
  return 0;
}

/* One parameter, after its .param; `end` becomes the comma or parenthesis behind it. */
static bool read_param(struct reader *reader, struct zecl_ptx_kernel *kernel, struct token *end) {
  uint64_t size = 0;
  enum zecl_arg_kind kind = ZECL_ARG_VALUE;
  struct token token;
  while ((token = next(reader)).length && *token.text == '.') {
    if (is(token, ".align"))
      next(reader);
    else if (is(token, ".ptr"))
      kind = ZECL_ARG_POINTER;
    else if (is(token, ".texref") || is(token, ".samplerref") || is(token, ".surfref"))
      kind = ZECL_ARG_OTHER, size = 8;
    else if (type_size(token))
      size = type_size(token);
  }
  *end = next(reader); /* the token before it is the name */
  if (is(*end, "[")) {
    const unsigned long count = strtoul(next(reader).text, NULL, 0);
    if (count > 32764) return fail(reader, "a parameter is too large");
    size *= count;
    if (!is(next(reader), "]")) return fail(reader, "an array without an end");
    *end = next(reader);
  }
  if (size == 0 || size > 32764) return fail(reader, "a parameter without a size");
  return zecl_ptx_set_arg(kernel, kernel->arg_count, kind, (uint32_t)size);
}

static bool read_params(struct reader *reader, struct zecl_ptx_kernel *kernel) {
  struct token token = next(reader);
  if (is(token, ")")) return true;
  for (;;) {
    if (!is(token, ".param")) return fail(reader, "a kernel's parameter is no .param");
    if (!read_param(reader, kernel, &token)) return false;
    if (is(token, ")")) return true;
    if (!is(token, ",")) return fail(reader, "no comma between parameters");
    token = next(reader);
  }
}

static void read_group_size(struct reader *reader, struct zecl_ptx_kernel *kernel) {
  struct reader ahead = {reader->at, reader->log};
  for (int i = 0; i < 3; i++) {
    kernel->required_group_size[i] = (uint32_t)strtoul(next(&ahead).text, NULL, 0);
    reader->at = ahead.at;
    if (i < 2 && !is(next(&ahead), ",")) {
      for (i++; i < 3; i++)
        kernel->required_group_size[i] = 1;
      return;
    }
  }
}

/* Reads a kernel from its name to the body, or to the semicolon of a declaration. */
static bool read_entry(struct reader *reader, struct zecl_ptx *ptx) {
  const struct token name = next(reader);
  if (!name.length || !is_of_word(*name.text)) return fail(reader, "a kernel without a name");
  struct zecl_ptx_kernel *kernel = zecl_ptx_add_kernel(ptx, name.text, name.length);
  if (!kernel) return false;
  struct token token = next(reader);
  if (is(token, "(")) {
    if (!read_params(reader, kernel)) return false;
    token = next(reader);
  }
  while (token.length && !is(token, "{") && !is(token, ";")) {
    if (is(token, ".reqntid")) read_group_size(reader, kernel);
    token = next(reader);
  }
  return token.length || fail(reader, "a kernel without a body");
}

bool zecl_ptx_read_text(struct zecl_ptx *ptx, struct zecl_text *log) {
  struct reader reader = {ptx->image, log};
  struct token token;
  if (strlen(ptx->image) != ptx->size) return fail(&reader, "a zero in the text");
  while ((token = next(&reader)).length)
    if (is(token, ".entry") && !read_entry(&reader, ptx)) return false;
  return true;
}
