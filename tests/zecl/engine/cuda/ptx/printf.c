/* printf of OpenCL made into CUDA's vprintf: the arguments in a block, numbers of at least 32 bits,
 * floats as doubles; a vector's elements one by one, with a comma between them. */
#include "engine/cuda/ptx/lower.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MOST_VALUES = 64 };

struct call {
  struct zecl_lowering *lowering;
  LLVMBuilderRef builder;
  LLVMValueRef values[MOST_VALUES];
  LLVMTypeRef types[MOST_VALUES];
  unsigned count;
};

static bool add_value(struct call *call, LLVMValueRef value) {
  const struct zecl_llvm *llvm = call->lowering->llvm;
  LLVMContextRef context = call->lowering->context;
  LLVMTypeRef type = llvm->TypeOf(value);
  const int kind = llvm->GetTypeKind(type);
  if (call->count == MOST_VALUES) return false;
  if (kind == LLVM_KIND_HALF || kind == LLVM_KIND_FLOAT)
    value = llvm->BuildFPExt(call->builder, value, llvm->DoubleTypeInContext(context), "");
  else if (kind == LLVM_KIND_INTEGER && llvm->GetIntTypeWidth(type) < 32)
    value = llvm->BuildZExt(call->builder, value, llvm->Int32TypeInContext(context), "");
  else if (kind == LLVM_KIND_POINTER && llvm->GetPointerAddressSpace(type))
    value = llvm->BuildAddrSpaceCast(
        call->builder, value, llvm->PointerType(llvm->Int8TypeInContext(context), 0), "");
  call->values[call->count] = value;
  call->types[call->count++] = llvm->TypeOf(value);
  return true;
}

static bool add_argument(struct call *call, LLVMValueRef value) {
  const struct zecl_llvm *llvm = call->lowering->llvm;
  LLVMTypeRef type = llvm->TypeOf(value);
  if (llvm->GetTypeKind(type) != LLVM_KIND_VECTOR) return add_value(call, value);
  for (unsigned i = 0; i < llvm->GetVectorSize(type); i++) {
    LLVMValueRef index = llvm->ConstInt(llvm->Int32TypeInContext(call->lowering->context), i, 0);
    if (!add_value(call, llvm->BuildExtractElement(call->builder, value, index, ""))) return false;
  }
  return true;
}

/* One conversion, from its % on: vn and hl are OpenCL's own. */
static const char *add_conversion(const char *at, struct zecl_text *format) {
  struct zecl_text element = {0};
  int elements = 1;
  zecl_text_add_bytes(&element, at++, 1);
  while (*at && !isalpha((unsigned char)*at) && *at != '%')
    zecl_text_add_bytes(&element, at++, 1);
  if (*at == 'v') {
    elements = at[1] == '1' && at[2] == '6' ? 16 : at[1] - '0';
    at += elements == 16 ? 3 : 2;
  }
  if (at[0] == 'h' && at[1] == 'l') at += 2;
  while (*at && strchr("hl", *at)) {
    if (*at == 'l') zecl_text_add_bytes(&element, at, 1);
    at++;
  }
  if (*at) zecl_text_add_bytes(&element, at++, 1);
  for (int i = 0; i < elements && i < 16; i++)
    zecl_text_add(format, "%s%s", i ? "," : "", element.data ? element.data : "");
  zecl_text_free(&element);
  return at;
}

/* The format as CUDA takes it, or the one that the call has, where it is no constant string. */
static LLVMValueRef lower_format(struct call *call, LLVMValueRef format) {
  const struct zecl_llvm *llvm = call->lowering->llvm;
  LLVMContextRef context = call->lowering->context;
  LLVMTypeRef generic = llvm->PointerType(llvm->Int8TypeInContext(context), 0);
  LLVMValueRef variable = llvm->IsAGlobalVariable(format);
  LLVMValueRef string = variable ? llvm->GetInitializer(variable) : NULL;
  if (string && llvm->IsConstantString(string)) {
    struct zecl_text text = {0};
    size_t length;
    const char *at = llvm->GetAsString(string, &length), *end = at + length;
    zecl_text_add(&text, "%s", "");
    while (at < end && *at)
      if (*at == '%')
        at = add_conversion(at, &text);
      else
        zecl_text_add_bytes(&text, at++, 1);
    LLVMValueRef bytes =
        llvm->ConstStringInContext(context, text.data, (unsigned)text.length, false);
    format = llvm->AddGlobalInAddressSpace(
        call->lowering->module, llvm->TypeOf(bytes), "zecl_format", 1);
    llvm->SetInitializer(format, bytes);
    llvm->SetLinkage(format, LLVM_LINKAGE_INTERNAL);
    llvm->SetGlobalConstant(format, true);
    zecl_text_free(&text);
  }
  if (llvm->GetPointerAddressSpace(llvm->TypeOf(format)) == 0) return format;
  return llvm->BuildAddrSpaceCast(call->builder, format, generic, "");
}

/* The block is of the function's frame, so that a call in a loop takes no more of the stack. */
static LLVMValueRef build_block(struct call *call, LLVMValueRef function, LLVMTypeRef type) {
  const struct zecl_llvm *llvm = call->lowering->llvm;
  LLVMBuilderRef builder = llvm->CreateBuilderInContext(call->lowering->context);
  llvm->PositionBuilderBefore(
      builder, llvm->GetFirstInstruction(llvm->GetEntryBasicBlock(function)));
  LLVMValueRef block = llvm->BuildAlloca(builder, type, "");
  llvm->DisposeBuilder(builder);
  for (unsigned i = 0; i < call->count; i++)
    llvm->BuildStore(
        call->builder, call->values[i], llvm->BuildStructGEP2(call->builder, type, block, i, ""));
  return block;
}

static bool lower_call(struct call *call, LLVMValueRef from, LLVMValueRef vprintf_function) {
  const struct zecl_llvm *llvm = call->lowering->llvm;
  LLVMContextRef context = call->lowering->context;
  const unsigned count = llvm->GetNumArgOperands(from);
  llvm->PositionBuilderBefore(call->builder, from);
  LLVMValueRef format = lower_format(call, llvm->GetOperand(from, 0));
  for (unsigned i = 1; i < count; i++) {
    if (add_argument(call, llvm->GetOperand(from, i))) continue;
    zecl_text_add(call->lowering->log, "a printf has more than %d values\n", MOST_VALUES);
    return false;
  }
  LLVMValueRef block = llvm->ConstNull(llvm->PointerType(llvm->Int8TypeInContext(context), 0));
  LLVMValueRef function = llvm->GetBasicBlockParent(llvm->GetInstructionParent(from));
  if (call->count)
    block = build_block(
        call, function, llvm->StructTypeInContext(context, call->types, call->count, false));
  LLVMValueRef values[] = {format, block};
  LLVMValueRef result = llvm->BuildCall2(
      call->builder, llvm->GlobalGetValueType(vprintf_function), vprintf_function, values, 2, "");
  llvm->ReplaceAllUsesWith(from, result);
  llvm->InstructionEraseFromParent(from);
  return true;
}

bool zecl_lower_printf(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMValueRef printf_function = llvm->GetNamedFunction(lowering->module, "printf");
  if (!printf_function || !llvm->IsDeclaration(printf_function)) return true;
  /* Strings are what they are, and no longer elements of arrays. */
  if (!zecl_lower_pass(lowering, "function(instsimplify)")) return false;
  LLVMTypeRef word = llvm->Int32TypeInContext(lowering->context);
  LLVMTypeRef generic = llvm->PointerType(llvm->Int8TypeInContext(lowering->context), 0);
  LLVMTypeRef params[] = {generic, generic};
  LLVMValueRef vprintf_function =
      llvm->AddFunction(lowering->module, "vprintf", llvm->FunctionType(word, params, 2, false));
  bool good = true;
  for (LLVMUseRef use; good && (use = llvm->GetFirstUse(printf_function));) {
    struct call call = {
        .lowering = lowering, .builder = llvm->CreateBuilderInContext(lowering->context)};
    LLVMValueRef from = llvm->IsACallInst(llvm->GetUser(use));
    good = from && lower_call(&call, from, vprintf_function);
    llvm->DisposeBuilder(call.builder);
  }
  if (good) llvm->DeleteFunction(printf_function);
  return good;
}
