#include "engine/cuda/ptx/spaces.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static bool begins(const char *at, const char *text) {
  return strncmp(at, text, strlen(text)) == 0;
}

static bool is_of_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$' || c == '-';
}

/* A function's name as clang mangles it for NVPTX. */
static const char *add_mangled(const char *at, struct zecl_text *to) {
  while (is_of_name(*at)) {
    if (begins(at, "PU3AS4")) {
      zecl_text_add(to, "P");
      at += 6;
    } else if (begins(at, "PU3AS2")) {
      zecl_text_add(to, "PU3AS1");
      at += 6;
    } else {
      zecl_text_add_bytes(to, at++, 1);
    }
  }
  return at;
}

/* An intrinsic's name, which ends with the spaces of its pointers. */
static const char *add_intrinsic(const char *at, struct zecl_text *to) {
  while (is_of_name(*at)) {
    const bool is_space = begins(at, ".p") && !isalnum((unsigned char)at[3]);
    zecl_text_add_bytes(to, at, 1);
    if (is_space && (at[2] == '4' || at[2] == '2')) {
      zecl_text_add(to, "p%c", at[2] == '4' ? '0' : '1');
      at += 2;
    }
    at++;
  }
  return at;
}

static const char *add_quoted(const char *at, struct zecl_text *to) {
  const char *end = strchr(at + 1, '"');
  const size_t length = end ? (size_t)(end + 1 - at) : strlen(at);
  zecl_text_add_bytes(to, at, length);
  return at + length;
}

/* Newer translators have types of their own for images and samplers. */
static const char *add_handle(const char *at, struct zecl_text *to) {
  zecl_text_add(to, "ptr addrspace(1)");
  return at + strcspn(at, ")") + 1;
}

static void change_spaces(const char *at, struct zecl_text *to) {
  while (*at) {
    if (begins(at, "target(\"spirv.Image\"") || begins(at, "target(\"spirv.Sampler\"")) {
      at = add_handle(at, to);
    } else if (*at == '"') {
      at = add_quoted(at, to);
    } else if (begins(at, "@_Z")) {
      at = add_mangled(at + 1, (zecl_text_add(to, "@"), to));
    } else if (begins(at, "@llvm.")) {
      at = add_intrinsic(at + 1, (zecl_text_add(to, "@"), to));
    } else if (begins(at, " addrspace(4)")) {
      at += 13;
    } else if (begins(at, " addrspace(2)")) {
      zecl_text_add(to, " addrspace(1)");
      at += 13;
    } else if (begins(at, " spir_func ")) {
      at += 10;
    } else {
      zecl_text_add_bytes(to, at++, 1);
    }
  }
}

/* The length of the type of a pointer, or a vector of pointers, at `at`; 0: it is neither. */
static size_t pointer_type(const char *at) {
  if (*at == '<') return strcspn(at, ">") + (strchr(at, '>') != NULL);
  if (!begins(at, "ptr")) return 0;
  return begins(at + 3, " addrspace(") ? 3 + strcspn(at + 3, ")") + 1 : 3;
}

/* The type that the cast whose operand is at `at` is to: after the `to` of the same depth. */
static const char *cast_target(const char *at) {
  int depth = 0;
  for (; *at && *at != '\n'; at++) {
    if (*at == '"') {
      const char *end = strchr(at + 1, '"');
      if (!end) return NULL;
      at = end;
    } else if (*at == '(') {
      depth++;
    } else if (*at == ')' && depth-- == 0) {
      return NULL;
    } else if (depth == 0 && begins(at, " to ")) {
      return at + 4;
    }
  }
  return NULL;
}

static bool changes_nothing(const char *at) {
  at += *at == '(';
  const size_t length = pointer_type(at);
  const char *target = length ? cast_target(at + length) : NULL;
  return target && pointer_type(target) == length && memcmp(at, target, length) == 0;
}

static void change_casts(char *text, struct zecl_text *to) {
  static const char cast[] = "addrspacecast ";
  for (char *next; (next = strstr(text, cast)); text = next + strlen(cast)) {
    zecl_text_add_bytes(to, text, (size_t)(next - text));
    zecl_text_add(to, "%s", changes_nothing(next + strlen(cast)) ? "bitcast " : cast);
  }
  zecl_text_add(to, "%s", text);
}

/* True if the line repeats a function's declaration: the two differed in address spaces that are
 * one here. `declared` has the names. */
static bool is_declared_again(const char *line, struct zecl_text *declared) {
  if (!begins(line, "declare ")) return false;
  const char *name = line + strcspn(line, "@\n");
  const size_t length = strcspn(name, "(\n");
  const size_t before = declared->length;
  zecl_text_add_bytes(declared, name, length);
  zecl_text_add(declared, "(");
  if (!declared->data || strstr(declared->data, declared->data + before) == declared->data + before)
    return false;
  declared->length = before;
  declared->data[before] = 0;
  return true;
}

static void drop_repeated_declarations(const char *text, struct zecl_text *to) {
  struct zecl_text declared = {0};
  for (size_t length; *text; text += length) {
    length = strcspn(text, "\n");
    length += text[length] == '\n';
    if (!is_declared_again(text, &declared)) zecl_text_add_bytes(to, text, length);
  }
  zecl_text_free(&declared);
}

void zecl_ptx_spaces(const char *from, struct zecl_text *to) {
  struct zecl_text changed = {0}, cast = {0};
  change_spaces(from, &changed);
  if (changed.data) change_casts(changed.data, &cast);
  if (cast.data) drop_repeated_declarations(cast.data, to);
  zecl_text_free(&changed);
  zecl_text_free(&cast);
}
