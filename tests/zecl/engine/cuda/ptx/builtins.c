/* Functions that are built into OpenCL C, from the library here and from libclc. */
#include "engine/cuda/ptx/lower.h"

#include "engine/cuda/ptx/library.h"

#include <string.h>

bool zecl_lower_link_text(struct zecl_lowering *lowering, const struct zecl_text *text) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMModuleRef module;
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      llvm->CreateMemoryBufferWithMemoryRangeCopy(text->data, text->length, "functions");
  if (llvm->ParseIRInContext(lowering->context, buffer, &module, &message)) {
    zecl_text_add(lowering->log, "LLVM cannot read: %s\n", message);
    llvm->DisposeMessage(message);
    return false;
  }
  return !llvm->LinkModules2(lowering->module, module);
}

/* A definition that may be left out is linked only where it is used. */
static void make_optional(const struct zecl_lowering *lowering, LLVMModuleRef module) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (LLVMValueRef function = llvm->GetFirstFunction(module); function;
       function = llvm->GetNextFunction(function))
    if (!llvm->IsDeclaration(function) && llvm->GetLinkage(function) == LLVM_LINKAGE_EXTERNAL)
      llvm->SetLinkage(function, LLVM_LINKAGE_LINK_ONCE_ODR);
}

/* Takes the buffer over. Function bodies are read as they are linked. */
static bool link_bitcode(
    struct zecl_lowering *lowering, LLVMMemoryBufferRef buffer, const char *name) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMModuleRef module;
  if (llvm->GetBitcodeModuleInContext2(lowering->context, buffer, &module)) {
    llvm->DisposeMemoryBuffer(buffer);
    zecl_text_add(lowering->log, "LLVM %d cannot read %s\n", llvm->version, name);
    return false;
  }
  make_optional(lowering, module);
  if (!llvm->LinkModules2(lowering->module, module)) return true;
  zecl_text_add(lowering->log, "LLVM %d cannot link %s\n", llvm->version, name);
  return false;
}

static bool link_libclc(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (llvm->CreateMemoryBufferWithContentsOfFile(llvm->builtins, &buffer, &message)) {
    zecl_text_add(lowering->log, "%s: %s\n", llvm->builtins, message);
    llvm->DisposeMessage(message);
    return false;
  }
  return link_bitcode(lowering, buffer, llvm->builtins);
}

/* True for a function that PTX or a later step defines. */
static bool is_expected(const char *name) {
  return strncmp(name, "zecl_offset_", 12) == 0 || strcmp(name, "vprintf") == 0 ||
         strcmp(name, "printf") == 0;
}

/* Functions without a body that are used; `log` may be null. */
static unsigned count_missing(const struct zecl_lowering *lowering, struct zecl_text *log) {
  const struct zecl_llvm *llvm = lowering->llvm;
  unsigned count = 0;
  for (LLVMValueRef function = llvm->GetFirstFunction(lowering->module); function;
       function = llvm->GetNextFunction(function)) {
    size_t length;
    const char *name = llvm->GetValueName2(function, &length);
    if (!llvm->IsDeclaration(function) || llvm->GetIntrinsicID(function) || is_expected(name) ||
        !llvm->GetFirstUse(function))
      continue;
    count++;
    if (log) zecl_text_add(log, "CUDA's engine has no function %s\n", name);
  }
  return count;
}

bool zecl_lower_builtins(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  if (!count_missing(lowering, NULL)) return true;
  struct zecl_text text = {0};
  zecl_text_add(&text, "declare void @zecl_fence_before(i32, i32)\n"
                       "declare void @zecl_fence_after(i32, i32)\n");
  zecl_lower_atomics(lowering, &text);
  LLVMMemoryBufferRef library = llvm->CreateMemoryBufferWithMemoryRangeCopy(
      zecl_ptx_library, (size_t)(zecl_ptx_library_end - zecl_ptx_library), "library");
  bool good = zecl_lower_link_text(lowering, &text) &&
              link_bitcode(lowering, library, "the library of the engine");
  zecl_text_free(&text);
  if (!good || !count_missing(lowering, NULL)) return good;
  zecl_lower_halves(lowering, &text);
  good = (!text.length || zecl_lower_link_text(lowering, &text)) && link_libclc(lowering);
  zecl_text_free(&text);
  return good && !count_missing(lowering, lowering->log);
}
