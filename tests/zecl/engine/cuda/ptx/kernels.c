/* Kernels: functions of a module made into entries of PTX. */
#include "engine/cuda/ptx/lower.h"

#include <stdlib.h>
#include <string.h>

static unsigned attribute_kind(const struct zecl_llvm *llvm, const char *name) {
  return llvm->GetEnumAttributeKindForName(name, strlen(name));
}

static void add_attribute(
    const struct zecl_lowering *lowering, LLVMValueRef function, const char *name) {
  const struct zecl_llvm *llvm = lowering->llvm;
  llvm->AddAttributeAtIndex(function, LLVM_ATTRIBUTES_OF_FUNCTION,
      llvm->CreateEnumAttribute(lowering->context, attribute_kind(llvm, name), 0));
}

static void remove_attribute(
    const struct zecl_lowering *lowering, LLVMValueRef function, const char *name) {
  const struct zecl_llvm *llvm = lowering->llvm;
  llvm->RemoveEnumAttributeAtIndex(
      function, LLVM_ATTRIBUTES_OF_FUNCTION, attribute_kind(llvm, name));
}

/* Barriers may be anywhere in what functions call. Those of the library were compiled for another
 * processor, whose name would keep them from being inlined. */
static void prepare_functions(const struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  static const char features[] = "target-features", cpu[] = "target-cpu";
  for (LLVMValueRef function = llvm->GetFirstFunction(lowering->module); function;
       function = llvm->GetNextFunction(function)) {
    if (llvm->GetIntrinsicID(function)) continue;
    llvm->RemoveStringAttributeAtIndex(
        function, LLVM_ATTRIBUTES_OF_FUNCTION, features, sizeof features - 1);
    llvm->RemoveStringAttributeAtIndex(function, LLVM_ATTRIBUTES_OF_FUNCTION, cpu, sizeof cpu - 1);
    if (llvm->IsDeclaration(function)) continue;
    add_attribute(lowering, function, "convergent");
    if (llvm->GetFunctionCallConv(function) != LLVM_CALL_SPIR_KERNEL)
      llvm->SetLinkage(function, LLVM_LINKAGE_INTERNAL);
  }
}

/* Inlines a function into all that call it, and so on: the global offset is known in kernels only.
 */
static void inline_callers(const struct zecl_lowering *lowering, LLVMValueRef function) {
  const struct zecl_llvm *llvm = lowering->llvm;
  static const char visited[] = "zecl-reads-offset";
  for (LLVMUseRef use = llvm->GetFirstUse(function); use; use = llvm->GetNextUse(use)) {
    LLVMValueRef call = llvm->IsACallInst(llvm->GetUser(use));
    if (!call) continue;
    LLVMValueRef caller = llvm->GetBasicBlockParent(llvm->GetInstructionParent(call));
    llvm->RemoveCallSiteEnumAttribute(
        call, LLVM_ATTRIBUTES_OF_FUNCTION, attribute_kind(llvm, "noinline"));
    if (llvm->GetStringAttributeAtIndex(
            caller, LLVM_ATTRIBUTES_OF_FUNCTION, visited, sizeof visited - 1))
      continue;
    llvm->AddAttributeAtIndex(caller, LLVM_ATTRIBUTES_OF_FUNCTION,
        llvm->CreateStringAttribute(lowering->context, visited, sizeof visited - 1, "", 0));
    remove_attribute(lowering, caller, "noinline");
    remove_attribute(lowering, caller, "optnone");
    add_attribute(lowering, caller, "alwaysinline");
    inline_callers(lowering, caller);
  }
}

static const char *const offsets[] = {"zecl_offset_x", "zecl_offset_y", "zecl_offset_z"};

static void inline_users_of_offsets(const struct zecl_lowering *lowering) {
  for (int i = 0; i < 3; i++) {
    LLVMValueRef offset = lowering->llvm->GetNamedFunction(lowering->module, offsets[i]);
    if (offset) inline_callers(lowering, offset);
  }
}

static bool uses_offset(const struct zecl_lowering *lowering, LLVMValueRef body) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (int i = 0; i < 3; i++) {
    LLVMValueRef offset = llvm->GetNamedFunction(lowering->module, offsets[i]);
    LLVMUseRef use = offset ? llvm->GetFirstUse(offset) : NULL;
    for (; use; use = llvm->GetNextUse(use))
      if (llvm->GetBasicBlockParent(llvm->GetInstructionParent(llvm->GetUser(use))) == body)
        return true;
  }
  return false;
}

/* Reads the offset from the last parameter of the kernel that each use has come to. False: one has
 * come to none, in a function that calls itself. */
static bool place_offsets(const struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMTypeRef word = llvm->Int32TypeInContext(lowering->context);
  LLVMBuilderRef builder = llvm->CreateBuilderInContext(lowering->context);
  bool good = true;
  for (unsigned i = 0; good && i < 3; i++) {
    LLVMValueRef offset = llvm->GetNamedFunction(lowering->module, offsets[i]);
    for (LLVMUseRef use; offset && good && (use = llvm->GetFirstUse(offset));) {
      LLVMValueRef call = llvm->GetUser(use);
      LLVMValueRef kernel = llvm->GetBasicBlockParent(llvm->GetInstructionParent(call));
      good = llvm->GetFunctionCallConv(kernel) == LLVM_CALL_PTX_KERNEL;
      if (!good) break;
      llvm->PositionBuilderBefore(builder, call);
      LLVMValueRef index = llvm->ConstInt(word, i, 0);
      LLVMValueRef at = llvm->BuildGEP2(
          builder, word, llvm->GetParam(kernel, llvm->CountParams(kernel) - 1), &index, 1, "");
      llvm->ReplaceAllUsesWith(call, llvm->BuildLoad2(builder, word, at, ""));
      llvm->InstructionEraseFromParent(call);
    }
  }
  llvm->DisposeBuilder(builder);
  if (!good)
    zecl_text_add(lowering->log, "the global offset is read in a function that calls itself\n");
  return good;
}

static void copy_attributes(const struct zecl_lowering *lowering, LLVMValueRef from, unsigned index,
    LLVMValueRef to, bool is_call) {
  const struct zecl_llvm *llvm = lowering->llvm;
  const unsigned count = llvm->GetAttributeCountAtIndex(from, index);
  LLVMAttributeRef *attributes = calloc(count + 1, sizeof(LLVMAttributeRef));
  if (attributes) llvm->GetAttributesAtIndex(from, index, attributes);
  for (unsigned i = 0; attributes && i < count; i++)
    if (is_call)
      llvm->AddCallSiteAttribute(to, index, attributes[i]);
    else
      llvm->AddAttributeAtIndex(to, index, attributes[i]);
  free(attributes);
}

/* The one array of all dynamic local memory. */
static LLVMValueRef dynamic_local(const struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMValueRef array = llvm->GetNamedGlobal(lowering->module, "zecl_local");
  if (array) return array;
  LLVMTypeRef bytes = llvm->ArrayType(llvm->Int8TypeInContext(lowering->context), 0);
  array = llvm->AddGlobalInAddressSpace(lowering->module, bytes, "zecl_local", 3);
  llvm->SetAlignment(array, ZECL_PTX_LOCAL_ALIGN);
  return array;
}

static bool is_local(const struct zecl_llvm *llvm, LLVMTypeRef type) {
  return llvm->GetTypeKind(type) == LLVM_KIND_POINTER && llvm->GetPointerAddressSpace(type) == 3;
}

/* Requires in PTX that each launch has these dimensions of groups. */
static void require_group_size(
    const struct zecl_lowering *lowering, LLVMValueRef kernel, const uint32_t size[3]) {
  const struct zecl_llvm *llvm = lowering->llvm;
  static const char *const names[] = {"reqntidx", "reqntidy", "reqntidz"};
  for (int i = 0; size[0] && i < 3; i++) {
    LLVMTypeRef word = llvm->Int32TypeInContext(lowering->context);
    LLVMMetadataRef parts[] = {llvm->ValueAsMetadata(kernel),
        llvm->MDStringInContext2(lowering->context, names[i], strlen(names[i])),
        llvm->ValueAsMetadata(llvm->ConstInt(word, size[i], 0))};
    LLVMMetadataRef node = llvm->MDNodeInContext2(lowering->context, parts, 3);
    llvm->AddNamedMetadataOperand(
        lowering->module, "nvvm.annotations", llvm->MetadataAsValue(lowering->context, node));
  }
}

/* Types of the entry's parameters, from those of the body. */
static unsigned entry_types(
    const struct zecl_lowering *lowering, LLVMTypeRef *types, unsigned count, bool takes_offset) {
  const struct zecl_llvm *llvm = lowering->llvm;
  for (unsigned i = 0; i < count; i++)
    if (is_local(llvm, types[i])) types[i] = llvm->Int32TypeInContext(lowering->context);
  if (takes_offset) types[count] = llvm->PointerType(llvm->Int8TypeInContext(lowering->context), 0);
  return count + takes_offset;
}

static LLVMValueRef add_entry(const struct zecl_lowering *lowering, LLVMValueRef body,
    LLVMTypeRef *types, unsigned count, bool takes_offset, const char *name) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMTypeRef nothing = llvm->VoidTypeInContext(lowering->context);
  const unsigned params = count - takes_offset;
  LLVMValueRef entry =
      llvm->AddFunction(lowering->module, name, llvm->FunctionType(nothing, types, count, false));
  llvm->SetFunctionCallConv(entry, LLVM_CALL_PTX_KERNEL);
  add_attribute(lowering, entry, "convergent");
  for (unsigned i = 0; i < params; i++)
    if (!is_local(llvm, llvm->TypeOf(llvm->GetParam(body, i))))
      copy_attributes(lowering, body, i + 1, entry, false);
  if (!takes_offset) return entry;
  LLVMTypeRef offset = llvm->ArrayType(llvm->Int32TypeInContext(lowering->context), 3);
  llvm->AddAttributeAtIndex(entry, count,
      llvm->CreateTypeAttribute(lowering->context, attribute_kind(llvm, "byval"), offset));
  llvm->AddAttributeAtIndex(
      entry, count, llvm->CreateEnumAttribute(lowering->context, attribute_kind(llvm, "align"), 4));
  return entry;
}

static void call_body(const struct zecl_lowering *lowering, LLVMValueRef entry, LLVMValueRef body,
    LLVMValueRef *values, unsigned count) {
  const struct zecl_llvm *llvm = lowering->llvm;
  LLVMBuilderRef builder = llvm->CreateBuilderInContext(lowering->context);
  llvm->PositionBuilderAtEnd(
      builder, llvm->AppendBasicBlockInContext(lowering->context, entry, ""));
  LLVMTypeRef byte = llvm->Int8TypeInContext(lowering->context);
  for (unsigned i = 0; i < count; i++) {
    values[i] = llvm->GetParam(entry, i);
    if (is_local(llvm, llvm->TypeOf(llvm->GetParam(body, i))))
      values[i] = llvm->BuildGEP2(builder, byte, dynamic_local(lowering), &values[i], 1, "");
  }
  LLVMValueRef call =
      llvm->BuildCall2(builder, llvm->GlobalGetValueType(body), body, values, count, "");
  for (unsigned i = 0; i < count; i++)
    copy_attributes(lowering, body, i + 1, call, true);
  llvm->BuildRetVoid(builder);
  llvm->DisposeBuilder(builder);
}

/* Makes a function of a kernel that other functions call. */
static void make_function(const struct zecl_lowering *lowering, LLVMValueRef kernel) {
  const struct zecl_llvm *llvm = lowering->llvm;
  llvm->SetFunctionCallConv(kernel, LLVM_CALL_C);
  for (LLVMUseRef use = llvm->GetFirstUse(kernel); use; use = llvm->GetNextUse(use)) {
    LLVMValueRef call = llvm->IsACallInst(llvm->GetUser(use));
    if (call) llvm->SetInstructionCallConv(call, LLVM_CALL_C);
  }
}

static bool lower_kernel(const struct zecl_lowering *lowering, LLVMValueRef body,
    const struct zecl_spirv_kernel *from, struct zecl_ptx_kernel *to) {
  const struct zecl_llvm *llvm = lowering->llvm;
  const unsigned count = llvm->CountParams(body);
  if (count != from->arg_count) {
    zecl_text_add(lowering->log, "LLVM has %u arguments of the kernel %s, SPIR-V %u\n", count,
        from->name, (unsigned)from->arg_count);
    return false;
  }
  const bool takes_offset = uses_offset(lowering, body);
  LLVMTypeRef *types = calloc(count + 1, sizeof(LLVMTypeRef));
  LLVMValueRef *values = calloc(count + 1, sizeof(LLVMValueRef));
  if (types && values) {
    llvm->GetParamTypes(llvm->GlobalGetValueType(body), types);
    const unsigned all = entry_types(lowering, types, count, takes_offset);
    llvm->SetValueName2(body, "", 0);
    llvm->SetLinkage(body, LLVM_LINKAGE_INTERNAL);
    LLVMValueRef entry = add_entry(lowering, body, types, all, takes_offset, to->entry);
    call_body(lowering, entry, body, values, count);
    add_attribute(lowering, body, "alwaysinline");
    require_group_size(lowering, entry, from->required_group_size);
    to->offset = takes_offset ? ZECL_PTX_OFFSET_LAST : ZECL_PTX_OFFSET_NONE;
  }
  const bool good = types && values;
  free(types);
  free(values);
  return good;
}

bool zecl_lower_kernels(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  const struct zecl_spirv *spirv = lowering->spirv;
  struct zecl_ptx *ptx = lowering->ptx;
  LLVMValueRef *bodies = calloc(spirv->kernel_count + 1, sizeof(LLVMValueRef));
  bool good = bodies != NULL;
  prepare_functions(lowering);
  for (uint32_t i = 0; good && i < spirv->kernel_count; i++) {
    bodies[i] = llvm->GetNamedFunction(lowering->module, spirv->kernels[i].name);
    good = bodies[i] != NULL;
    if (good) make_function(lowering, bodies[i]);
  }
  if (good) {
    inline_users_of_offsets(lowering);
    good = zecl_lower_pass(lowering, "always-inline");
  }
  for (uint32_t i = 0; good && i < spirv->kernel_count; i++)
    good = lower_kernel(lowering, bodies[i], &spirv->kernels[i], &ptx->kernels[i]);
  free(bodies);
  return good && zecl_lower_pass(lowering, "always-inline,globaldce") && place_offsets(lowering);
}
