/* Functions of half numbers, which libclc lacks for NVPTX: each is that of floats, rounded. */
#include "engine/cuda/ptx/lower.h"

#include <stdbool.h>
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

static void add_params(const struct zecl_llvm *llvm, const LLVMTypeRef *params, unsigned count,
    bool with_floats, const char *names, struct zecl_text *text) {
  for (unsigned i = 0; i < count; i++) {
    if (i) zecl_text_add(text, ", ");
    add_type(llvm, params[i], with_floats, text);
    if (names) zecl_text_add(text, " %%%s%u", is_half(llvm, params[i]) ? names : "a", i);
  }
}

static void add_function(
    const struct zecl_llvm *llvm, const char *name, LLVMTypeRef type, struct zecl_text *text) {
  LLVMTypeRef params[8], result = llvm->GetReturnType(type);
  const unsigned count = llvm->CountParamTypes(type);
  llvm->GetParamTypes(type, params);
  zecl_text_add(text, "declare ");
  add_type(llvm, result, true, text);
  zecl_text_add(text, " @");
  add_replaced(name, "Dh", "f", text);
  zecl_text_add(text, "(");
  add_params(llvm, params, count, true, NULL, text);
  zecl_text_add(text, ")\ndefine linkonce_odr ");
  add_type(llvm, result, false, text);
  zecl_text_add(text, " @%s(", name);
  add_params(llvm, params, count, false, "a", text);
  zecl_text_add(text, ") alwaysinline {\n");
  for (unsigned i = 0; i < count; i++) {
    if (!is_half(llvm, params[i])) continue;
    zecl_text_add(text, "  %%f%u = fpext ", i);
    add_type(llvm, params[i], false, text);
    zecl_text_add(text, " %%a%u to ", i);
    add_type(llvm, params[i], true, text);
    zecl_text_add(text, "\n");
  }
  zecl_text_add(text, "  %%r = call ");
  add_type(llvm, result, true, text);
  zecl_text_add(text, " @");
  add_replaced(name, "Dh", "f", text);
  zecl_text_add(text, "(");
  add_params(llvm, params, count, true, "f", text);
  zecl_text_add(text, ")\n");
  if (is_half(llvm, result)) {
    zecl_text_add(text, "  %%h = fptrunc ");
    add_type(llvm, result, true, text);
    zecl_text_add(text, " %%r to ");
    add_type(llvm, result, false, text);
    zecl_text_add(text, "\n");
  }
  zecl_text_add(text, "  ret ");
  add_type(llvm, result, false, text);
  zecl_text_add(text, is_half(llvm, result) ? " %%h\n}\n" : " %%r\n}\n");
}

/* Of the types in a mangled name: a pointer, but to `int` as that of frexp. */
static bool points_to_halves(const char *types) {
  const char *pointer = strchr(types, 'P');
  return pointer && pointer[strlen(pointer) - 1] != 'i';
}

void zecl_lower_halves(struct zecl_lowering *lowering, struct zecl_text *text) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (LLVMValueRef function = llvm->GetFirstFunction(lowering->module); function;
       function = llvm->GetNextFunction(function)) {
    size_t length;
    const char *name = llvm->GetValueName2(function, &length);
    LLVMTypeRef type = llvm->GlobalGetValueType(function);
    if (llvm->IsDeclaration(function) && strncmp(name, "_Z", 2) == 0 && strstr(name, "Dh") &&
        !points_to_halves(strstr(name, "Dh")) && llvm->CountParamTypes(type) <= 8)
      add_function(llvm, name, type, text);
  }
}
