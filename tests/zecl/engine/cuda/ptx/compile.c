/* The road from SPIR-V to PTX. */
#include "engine/cuda/ptx/lower.h"
#include "engine/cuda/ptx/translate.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LLVM ends the process where its back end cannot go on, unless a handler does not return. */
static __thread struct fatal {
  jmp_buf *place;
  struct zecl_text *log;
} fatal;

static void on_fatal(const char *reason) {
  if (!fatal.place) return;
  zecl_text_add(fatal.log, "LLVM: %s\n", reason);
  longjmp(*fatal.place, 1);
}

static pthread_once_t handled = PTHREAD_ONCE_INIT;

static void handle_fatal(void) {
  zecl_llvm(NULL)->InstallFatalErrorHandler(on_fatal);
}

struct diagnostics {
  const struct zecl_llvm *llvm;
  struct zecl_text *log;
  bool failed;
};

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *to) {
  struct diagnostics *diagnostics = to;
  if (diagnostics->llvm->GetDiagInfoSeverity(info) != LLVM_SEVERITY_ERROR) return;
  char *text = diagnostics->llvm->GetDiagInfoDescription(info);
  zecl_text_add(diagnostics->log, "LLVM: %s\n", text);
  diagnostics->llvm->DisposeMessage(text);
  diagnostics->failed = true;
}

bool zecl_lower_pass(struct zecl_lowering *lowering, const char *passes) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMPassBuilderOptionsRef options = llvm->CreatePassBuilderOptions();
  LLVMErrorRef error = llvm->RunPasses(lowering->module, passes, lowering->machine, options);
  llvm->DisposePassBuilderOptions(options);
  if (!error) return true;
  char *text = llvm->GetErrorMessage(error);
  zecl_text_add(lowering->log, "LLVM: %s\n", text);
  llvm->DisposeErrorMessage(text);
  return false;
}

static bool make_machine(struct zecl_lowering *lowering, unsigned capability, bool is_plain) {
  const struct zecl_llvm *llvm = lowering->llvm;
  static const char triple[] = "nvptx64-nvidia-cuda";
  LLVMTargetRef target;
  char cpu[16], features[16], *message = NULL;
  if (capability > llvm->capability) capability = llvm->capability;
  snprintf(cpu, sizeof cpu, "sm_%u", capability);
  snprintf(features, sizeof features, "+ptx%u", llvm->ptx);
  if (llvm->GetTargetFromTriple(triple, &target, &message)) {
    zecl_text_add(lowering->log, "LLVM %d: %s\n", llvm->version, message);
    llvm->DisposeMessage(message);
    return false;
  }
  lowering->machine =
      llvm->CreateTargetMachine(target, triple, cpu, features, is_plain ? 0 : 3, 0, 0);
  LLVMTargetDataRef data = llvm->CreateTargetDataLayout(lowering->machine);
  char *layout = llvm->CopyStringRepOfTargetData(data);
  llvm->SetTarget(lowering->module, triple);
  llvm->SetDataLayout(lowering->module, layout);
  llvm->DisposeMessage(layout);
  llvm->DisposeTargetData(data);
  return true;
}

static bool is_exported(const struct zecl_spirv *spirv, const char *name) {
  for (uint32_t i = 0; i < spirv->export_count; i++)
    if (!spirv->exports[i].is_function && strcmp(spirv->exports[i].name, name) == 0) return true;
  return false;
}

/* Exported variables stay by their names. Local memory has no first value in PTX. */
static void lower_variables(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (LLVMValueRef variable = llvm->GetFirstGlobal(lowering->module); variable;
       variable = llvm->GetNextGlobal(variable)) {
    size_t length;
    const char *name = llvm->GetValueName2(variable, &length);
    if (!llvm->GetInitializer(variable)) continue;
    LLVMTypeRef type = llvm->GlobalGetValueType(variable);
    const unsigned space = llvm->GetPointerAddressSpace(llvm->TypeOf(variable));
    const bool is_visible = is_exported(lowering->spirv, name);
    if (space == 3) llvm->SetInitializer(variable, llvm->GetUndef(type));
    llvm->SetLinkage(variable, is_visible ? LLVM_LINKAGE_EXTERNAL : LLVM_LINKAGE_INTERNAL);
    char *symbol = is_visible ? zecl_ptx_symbol(name) : NULL;
    if (symbol) llvm->SetValueName2(variable, symbol, strlen(symbol));
    free(symbol);
  }
}

static bool verify(struct zecl_lowering *lowering) {
  char *message = NULL;
  const bool broken =
      lowering->llvm->VerifyModule(lowering->module, LLVM_VERIFY_RETURN_STATUS, &message);
  if (broken) zecl_text_add(lowering->log, "LLVM: %s\n", message);
  lowering->llvm->DisposeMessage(message);
  return !broken;
}

static bool emit(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (llvm->TargetMachineEmitToMemoryBuffer(
          lowering->machine, lowering->module, LLVM_ASSEMBLY_FILE, &message, &buffer)) {
    zecl_text_add(lowering->log, "LLVM: %s\n", message);
    llvm->DisposeMessage(message);
    return false;
  }
  struct zecl_ptx *ptx = lowering->ptx;
  ptx->kind = ZECL_PTX_TEXT;
  ptx->size = llvm->GetBufferSize(buffer);
  ptx->image = malloc(ptx->size + 1);
  if (ptx->image) {
    memcpy(ptx->image, llvm->GetBufferStart(buffer), ptx->size);
    ptx->image[ptx->size] = 0;
  }
  llvm->DisposeMemoryBuffer(buffer);
  return ptx->image != NULL;
}

static bool lower(struct zecl_lowering *lowering, const char *flags, unsigned capability) {
  const bool is_plain = flags && strstr(flags, "-cl-opt-disable");
  if (!zecl_ptx_translate(lowering) || !make_machine(lowering, capability, is_plain) ||
      !zecl_lower_builtins(lowering) || !zecl_lower_printf(lowering))
    return false;
  lower_variables(lowering);
  return zecl_lower_kernels(lowering) && verify(lowering) &&
         zecl_lower_pass(lowering, is_plain ? "default<O0>" : "default<O2>") && emit(lowering);
}

static bool lower_safely(struct zecl_lowering *lowering, const char *flags, unsigned capability) {
  jmp_buf place;
  if (setjmp(place)) {
    fatal.place = NULL;
    *lowering = (struct zecl_lowering){0}; /* stays as it is: its parts are in no known state */
    return false;
  }
  fatal = (struct fatal){&place, lowering->log};
  const bool good = lower(lowering, flags, capability);
  fatal.place = NULL;
  return good;
}

bool zecl_ptx_compile(const struct zecl_llvm *llvm, const struct zecl_spirv *spirv,
    const char *flags, unsigned capability, struct zecl_ptx *ptx, struct zecl_text *log) {
  struct diagnostics diagnostics = {llvm, log, false};
  struct zecl_lowering lowering = {
      .llvm = llvm, .spirv = spirv, .context = llvm->ContextCreate(), .ptx = ptx, .log = log};
  if (llvm->ContextSetOpaquePointers) llvm->ContextSetOpaquePointers(lowering.context, true);
  llvm->ContextSetDiagnosticHandler(lowering.context, on_diagnostic, &diagnostics);
  pthread_once(&handled, handle_fatal);
  const bool good = lower_safely(&lowering, flags, capability) && !diagnostics.failed;
  if (lowering.machine) llvm->DisposeTargetMachine(lowering.machine);
  if (lowering.module) llvm->DisposeModule(lowering.module);
  if (lowering.context) llvm->ContextDispose(lowering.context);
  return good;
}
