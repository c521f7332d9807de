/* Functions of half numbers, which libclc lacks for NVPTX: each is that of floats, rounded. */
#include "engine/cuda/ptx/lower.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* `from` with floats for halves: in a mangled name, or in the text of a type. */
static void add_replaced(
    const char *from, const char *half, const char *with, struct zecl_text *text) {
  for (const char *next; (next = strstr(from, half)); from = next + strlen(half)) {
    zecl_text_add_bytes(text, from, (size_t)(next - from));
    zecl_text_add(text, "%s", with);
  }
  zecl_text_add(text, "%s", from);
}

static void add_type(
    const struct zecl_llvm *llvm, LLVMTypeRef type, bool with_floats, struct zecl_text *text) {
  char *printed = llvm->PrintTypeToString(type);
  if (with_floats)
    add_replaced(printed, "half", "float", text);
  else
    zecl_text_add(text, "%s", printed);
  llvm->DisposeMessage(printed);
}

static bool is_half(const struct zecl_llvm *llvm, LLVMTypeRef type) {
  if (llvm->GetTypeKind(type) == LLVM_KIND_VECTOR) type = llvm->GetElementType(type);
  return llvm->GetTypeKind(type) == LLVM_KIND_HALF;
}

/* A function: its name, with half numbers in the types behind it, and its type. */
struct function {
  const struct zecl_llvm *llvm;
  const char *name;
  LLVMTypeRef result, params[8];
  unsigned count;
  bool has_half_pointer; /* to a value of the result's type, as modf's; else to `int` */
  bool is_relation;      /* of vectors: halves have short integers, and floats `int` */
};

static bool is_half_pointer(const struct function *function, LLVMTypeRef type) {
  return function->has_half_pointer && function->llvm->GetTypeKind(type) == LLVM_KIND_POINTER;
}

static void add_result_type(
    const struct function *function, bool with_floats, struct zecl_text *text) {
  char *printed = function->llvm->PrintTypeToString(function->result);
  if (with_floats && function->is_relation)
    add_replaced(printed, "i16", "i32", text);
  else
    add_type(function->llvm, function->result, with_floats, text);
  function->llvm->DisposeMessage(printed);
}

/* Adds the parameters of the function, or of its variant for floats. `names` are the names of
 * values, or null. */
static void add_params(
    const struct function *function, bool with_floats, const char *names, struct zecl_text *text) {
  for (unsigned i = 0; i < function->count; i++) {
    LLVMTypeRef type = function->params[i];
    const bool is_own = with_floats && is_half_pointer(function, type);
    if (i) zecl_text_add(text, ", ");
    if (is_own)
      zecl_text_add(text, "ptr");
    else
      add_type(function->llvm, type, with_floats, text);
    if (names)
      zecl_text_add(text, " %%%s%u", is_own ? "p" : is_half(function->llvm, type) ? names : "a", i);
  }
}

/* Pointers of floats are to the function's own memory. */
static void add_float_name(const struct function *function, struct zecl_text *text) {
  struct zecl_text name = {0};
  add_replaced(function->name, "Dh", "f", &name);
  const char *pointer = function->has_half_pointer ? strstr(name.data, "PU3AS") : NULL;
  if (pointer)
    zecl_text_add(text, "%.*sP%s", (int)(pointer - name.data), name.data, pointer + 6);
  else
    zecl_text_add(text, "%s", name.data);
  zecl_text_free(&name);
}

static void add_conversion(const struct function *function, const char *to, const char *from,
    bool is_widened, LLVMTypeRef type, struct zecl_text *text) {
  zecl_text_add(text, "  %s = %s ", to, is_widened ? "fpext" : "fptrunc");
  add_type(function->llvm, type, !is_widened, text);
  zecl_text_add(text, " %s to ", from);
  add_type(function->llvm, type, is_widened, text);
  zecl_text_add(text, "\n");
}

static void add_values_of_floats(const struct function *function, struct zecl_text *text) {
  for (unsigned i = 0; i < function->count; i++) {
    char to[16], from[16];
    snprintf(to, sizeof to, "%%f%u", i);
    snprintf(from, sizeof from, "%%a%u", i);
    if (is_half(function->llvm, function->params[i]))
      add_conversion(function, to, from, true, function->params[i], text);
    if (!is_half_pointer(function, function->params[i])) continue;
    zecl_text_add(text, "  %%p%u = alloca ", i);
    add_type(function->llvm, function->result, true, text);
    zecl_text_add(text, "\n");
  }
}

static void add_stores(const struct function *function, struct zecl_text *text) {
  for (unsigned i = 0; i < function->count; i++) {
    if (!is_half_pointer(function, function->params[i])) continue;
    zecl_text_add(text, "  %%s = load ");
    add_type(function->llvm, function->result, true, text);
    zecl_text_add(text, ", ptr %%p%u\n", i);
    add_conversion(function, "%t", "%s", false, function->result, text);
    zecl_text_add(text, "  store ");
    add_type(function->llvm, function->result, false, text);
    zecl_text_add(text, " %%t, ");
    add_type(function->llvm, function->params[i], false, text);
    zecl_text_add(text, " %%a%u\n", i);
  }
}

/* The function of floats, which may be that of several. */
static void add_declaration(const struct function *function, struct zecl_text *text) {
  struct zecl_text line = {0};
  zecl_text_add(&line, "declare ");
  add_result_type(function, true, &line);
  zecl_text_add(&line, " @");
  add_float_name(function, &line);
  zecl_text_add(&line, "(");
  add_params(function, true, NULL, &line);
  zecl_text_add(&line, ")\n");
  if (line.data && (!text->data || !strstr(text->data, line.data)))
    zecl_text_add(text, "%s", line.data);
  zecl_text_free(&line);
}

static void add_function(const struct function *function, struct zecl_text *text) {
  const struct zecl_llvm *llvm = function->llvm;
  const bool is_half_result = is_half(llvm, function->result);
  add_declaration(function, text);
  zecl_text_add(text, "define linkonce_odr ");
  add_type(llvm, function->result, false, text);
  zecl_text_add(text, " @%s(", function->name);
  add_params(function, false, "a", text);
  zecl_text_add(text, ") alwaysinline {\n");
  add_values_of_floats(function, text);
  zecl_text_add(text, "  %%r = call ");
  add_result_type(function, true, text);
  zecl_text_add(text, " @");
  add_float_name(function, text);
  zecl_text_add(text, "(");
  add_params(function, true, "f", text);
  zecl_text_add(text, ")\n");
  add_stores(function, text);
  if (is_half_result) add_conversion(function, "%h", "%r", false, function->result, text);
  if (function->is_relation) {
    zecl_text_add(text, "  %%h = trunc ");
    add_result_type(function, true, text);
    zecl_text_add(text, " %%r to ");
    add_result_type(function, false, text);
    zecl_text_add(text, "\n");
  }
  zecl_text_add(text, "  ret ");
  add_type(llvm, function->result, false, text);
  zecl_text_add(text, is_half_result || function->is_relation ? " %%h\n}\n" : " %%r\n}\n");
}

/* True if the types of a mangled name have a pointer to the result's type. The only other pointer
 * is to `int`, as frexp's. */
static bool has_half_pointer(const char *types) {
  const char *pointer = strchr(types, 'P');
  return pointer && pointer[strlen(pointer) - 1] != 'i';
}

/* isnan, isless and so on, and signbit. Those of scalars give an `int` with halves too. */
static bool is_relation(const struct zecl_llvm *llvm, const char *name, LLVMTypeRef result) {
  const char *base = name + 2 + strspn(name + 2, "0123456789");
  return llvm->GetTypeKind(result) == LLVM_KIND_VECTOR &&
         llvm->GetTypeKind(llvm->GetElementType(result)) == LLVM_KIND_INTEGER &&
         llvm->GetIntTypeWidth(llvm->GetElementType(result)) == 16 &&
         (strncmp(base, "is", 2) == 0 || strncmp(base, "signbit", 7) == 0);
}

void zecl_lower_halves(struct zecl_lowering *lowering, struct zecl_text *text) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (LLVMValueRef value = llvm->GetFirstFunction(lowering->module); value;
       value = llvm->GetNextFunction(value)) {
    size_t length;
    const char *name = llvm->GetValueName2(value, &length), *types = strstr(name, "Dh");
    LLVMTypeRef type = llvm->GlobalGetValueType(value);
    if (!llvm->IsDeclaration(value) || strncmp(name, "_Z", 2) != 0 || !types ||
        llvm->CountParamTypes(type) > 8)
      continue;
    struct function function = {.llvm = llvm,
        .name = name,
        .result = llvm->GetReturnType(type),
        .count = llvm->CountParamTypes(type),
        .has_half_pointer = has_half_pointer(types)};
    function.is_relation = is_relation(llvm, name, function.result);
    if (function.has_half_pointer && !is_half(llvm, function.result)) continue;
    llvm->GetParamTypes(type, function.params);
    add_function(&function, text);
  }
}
