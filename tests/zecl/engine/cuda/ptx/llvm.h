/* LLVM's C interface, loaded when a module is first built: its headers are not needed to build
 * zecl, nor its library to run it. */
#ifndef ZECL_ENGINE_CUDA_PTX_LLVM_H
#define ZECL_ENGINE_CUDA_PTX_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/text.h"

typedef int LLVMBool;
typedef struct LLVMOpaqueContext *LLVMContextRef;
typedef struct LLVMOpaqueModule *LLVMModuleRef;
typedef struct LLVMOpaqueType *LLVMTypeRef;
typedef struct LLVMOpaqueValue *LLVMValueRef;
typedef struct LLVMOpaqueMetadata *LLVMMetadataRef;
typedef struct LLVMOpaqueUse *LLVMUseRef;
typedef struct LLVMOpaqueBasicBlock *LLVMBasicBlockRef;
typedef struct LLVMOpaqueBuilder *LLVMBuilderRef;
typedef struct LLVMOpaqueAttributeRef *LLVMAttributeRef;
typedef struct LLVMOpaqueMemoryBuffer *LLVMMemoryBufferRef;
typedef struct LLVMOpaqueDiagnosticInfo *LLVMDiagnosticInfoRef;
typedef struct LLVMOpaqueError *LLVMErrorRef;
typedef struct LLVMOpaquePassBuilderOptions *LLVMPassBuilderOptionsRef;
typedef struct LLVMTarget *LLVMTargetRef;
typedef struct LLVMOpaqueTargetMachine *LLVMTargetMachineRef;
typedef struct LLVMOpaqueTargetData *LLVMTargetDataRef;

/* Numbers of LLVM's enumerators, the same in all versions. */
enum {
  LLVM_ATTRIBUTES_OF_RETURN = 0, /* those of parameter n are n + 1 */
  LLVM_LINKAGE_LINK_ONCE_ODR = 3,
  LLVM_LINKAGE_EXTERNAL = 0,
  LLVM_LINKAGE_INTERNAL = 8,
  LLVM_CALL_C = 0,
  LLVM_CALL_PTX_KERNEL = 71,
  LLVM_CALL_SPIR_KERNEL = 76,
  LLVM_KIND_HALF = 1,
  LLVM_KIND_FLOAT = 2,
  LLVM_KIND_DOUBLE = 3,
  LLVM_KIND_INTEGER = 8,
  LLVM_KIND_POINTER = 12,
  LLVM_KIND_VECTOR = 13,
  LLVM_ASSEMBLY_FILE = 0,
  LLVM_SEVERITY_ERROR = 0,
  LLVM_VERIFY_RETURN_STATUS = 2,
  LLVM_OPCODE_CALL = 45
};
#define LLVM_ATTRIBUTES_OF_FUNCTION (~0u)

/* X(result, name without LLVM, parameters) */
#define ZECL_LLVM_FUNCTIONS(X)                                                                     \
  X(LLVMContextRef, ContextCreate, (void))                                                         \
  X(void, ContextDispose, (LLVMContextRef))                                                        \
  X(void, ContextSetDiagnosticHandler,                                                             \
      (LLVMContextRef, void (*)(LLVMDiagnosticInfoRef, void *), void *))                           \
  X(char *, GetDiagInfoDescription, (LLVMDiagnosticInfoRef))                                       \
  X(int, GetDiagInfoSeverity, (LLVMDiagnosticInfoRef))                                             \
  X(void, InstallFatalErrorHandler, (void (*)(const char *)))                                      \
  X(void, DisposeMessage, (char *))                                                                \
  X(char *, GetErrorMessage, (LLVMErrorRef))                                                       \
  X(void, DisposeErrorMessage, (char *))                                                           \
  X(LLVMMemoryBufferRef, CreateMemoryBufferWithMemoryRangeCopy,                                    \
      (const char *, size_t, const char *))                                                        \
  X(LLVMBool, CreateMemoryBufferWithContentsOfFile,                                                \
      (const char *, LLVMMemoryBufferRef *, char **))                                              \
  X(void, DisposeMemoryBuffer, (LLVMMemoryBufferRef))                                              \
  X(const char *, GetBufferStart, (LLVMMemoryBufferRef))                                           \
  X(size_t, GetBufferSize, (LLVMMemoryBufferRef))                                                  \
  X(LLVMBool, GetBitcodeModuleInContext2, (LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef *))  \
  X(LLVMBool, ParseIRInContext, (LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef *, char **))   \
  X(LLVMBool, LinkModules2, (LLVMModuleRef, LLVMModuleRef))                                        \
  X(LLVMBool, VerifyModule, (LLVMModuleRef, int, char **))                                         \
  X(char *, PrintModuleToString, (LLVMModuleRef))                                                  \
  X(char *, PrintTypeToString, (LLVMTypeRef))                                                      \
  X(void, DisposeModule, (LLVMModuleRef))                                                          \
  X(void, SetTarget, (LLVMModuleRef, const char *))                                                \
  X(void, SetDataLayout, (LLVMModuleRef, const char *))                                            \
  X(LLVMValueRef, GetFirstFunction, (LLVMModuleRef))                                               \
  X(LLVMValueRef, GetNextFunction, (LLVMValueRef))                                                 \
  X(LLVMValueRef, GetFirstGlobal, (LLVMModuleRef))                                                 \
  X(LLVMValueRef, GetNextGlobal, (LLVMValueRef))                                                   \
  X(LLVMValueRef, GetNamedFunction, (LLVMModuleRef, const char *))                                 \
  X(LLVMValueRef, AddFunction, (LLVMModuleRef, const char *, LLVMTypeRef))                         \
  X(LLVMValueRef, AddGlobalInAddressSpace, (LLVMModuleRef, LLVMTypeRef, const char *, unsigned))   \
  X(void, DeleteFunction, (LLVMValueRef))                                                          \
  X(void, SetAlignment, (LLVMValueRef, unsigned))                                                  \
  X(void, SetInitializer, (LLVMValueRef, LLVMValueRef))                                            \
  X(LLVMValueRef, GetInitializer, (LLVMValueRef))                                                  \
  X(void, SetGlobalConstant, (LLVMValueRef, LLVMBool))                                             \
  X(const char *, GetValueName2, (LLVMValueRef, size_t *))                                         \
  X(void, SetValueName2, (LLVMValueRef, const char *, size_t))                                     \
  X(LLVMBool, IsDeclaration, (LLVMValueRef))                                                       \
  X(unsigned, GetIntrinsicID, (LLVMValueRef))                                                      \
  X(int, GetLinkage, (LLVMValueRef))                                                               \
  X(void, SetLinkage, (LLVMValueRef, int))                                                         \
  X(unsigned, GetFunctionCallConv, (LLVMValueRef))                                                 \
  X(void, SetFunctionCallConv, (LLVMValueRef, unsigned))                                           \
  X(void, SetInstructionCallConv, (LLVMValueRef, unsigned))                                        \
  X(LLVMUseRef, GetFirstUse, (LLVMValueRef))                                                       \
  X(LLVMUseRef, GetNextUse, (LLVMUseRef))                                                          \
  X(LLVMValueRef, GetUser, (LLVMUseRef))                                                           \
  X(LLVMValueRef, IsACallInst, (LLVMValueRef))                                                     \
  X(LLVMValueRef, IsAGlobalVariable, (LLVMValueRef))                                               \
  X(unsigned, GetNumArgOperands, (LLVMValueRef))                                                   \
  X(LLVMValueRef, GetOperand, (LLVMValueRef, unsigned))                                            \
  X(LLVMBasicBlockRef, GetInstructionParent, (LLVMValueRef))                                       \
  X(LLVMValueRef, GetBasicBlockParent, (LLVMBasicBlockRef))                                        \
  X(LLVMBasicBlockRef, GetEntryBasicBlock, (LLVMValueRef))                                         \
  X(LLVMValueRef, GetFirstInstruction, (LLVMBasicBlockRef))                                        \
  X(void, ReplaceAllUsesWith, (LLVMValueRef, LLVMValueRef))                                        \
  X(void, InstructionEraseFromParent, (LLVMValueRef))                                              \
  X(LLVMValueRef, GetParam, (LLVMValueRef, unsigned))                                              \
  X(unsigned, CountParams, (LLVMValueRef))                                                         \
  X(LLVMTypeRef, TypeOf, (LLVMValueRef))                                                           \
  X(LLVMTypeRef, GlobalGetValueType, (LLVMValueRef))                                               \
  X(LLVMTypeRef, GetReturnType, (LLVMTypeRef))                                                     \
  X(unsigned, CountParamTypes, (LLVMTypeRef))                                                      \
  X(void, GetParamTypes, (LLVMTypeRef, LLVMTypeRef *))                                             \
  X(int, GetTypeKind, (LLVMTypeRef))                                                               \
  X(unsigned, GetIntTypeWidth, (LLVMTypeRef))                                                      \
  X(unsigned, GetVectorSize, (LLVMTypeRef))                                                        \
  X(LLVMTypeRef, GetElementType, (LLVMTypeRef))                                                    \
  X(unsigned, GetPointerAddressSpace, (LLVMTypeRef))                                               \
  X(LLVMTypeRef, FunctionType, (LLVMTypeRef, LLVMTypeRef *, unsigned, LLVMBool))                   \
  X(LLVMTypeRef, VoidTypeInContext, (LLVMContextRef))                                              \
  X(LLVMTypeRef, Int8TypeInContext, (LLVMContextRef))                                              \
  X(LLVMTypeRef, Int32TypeInContext, (LLVMContextRef))                                             \
  X(LLVMTypeRef, DoubleTypeInContext, (LLVMContextRef))                                            \
  X(LLVMTypeRef, ArrayType, (LLVMTypeRef, unsigned))                                               \
  X(LLVMTypeRef, StructTypeInContext, (LLVMContextRef, LLVMTypeRef *, unsigned, LLVMBool))         \
  X(LLVMTypeRef, PointerType, (LLVMTypeRef, unsigned))                                             \
  X(LLVMValueRef, ConstInt, (LLVMTypeRef, unsigned long long, LLVMBool))                           \
  X(LLVMValueRef, ConstNull, (LLVMTypeRef))                                                        \
  X(LLVMValueRef, ConstStringInContext, (LLVMContextRef, const char *, unsigned, LLVMBool))        \
  X(LLVMValueRef, GetUndef, (LLVMTypeRef))                                                         \
  X(LLVMBool, IsConstantString, (LLVMValueRef))                                                    \
  X(const char *, GetAsString, (LLVMValueRef, size_t *))                                           \
  X(unsigned, GetEnumAttributeKindForName, (const char *, size_t))                                 \
  X(LLVMAttributeRef, CreateEnumAttribute, (LLVMContextRef, unsigned, uint64_t))                   \
  X(LLVMAttributeRef, CreateTypeAttribute, (LLVMContextRef, unsigned, LLVMTypeRef))                \
  X(LLVMAttributeRef, GetStringAttributeAtIndex, (LLVMValueRef, unsigned, const char *, unsigned)) \
  X(LLVMAttributeRef, CreateStringAttribute,                                                       \
      (LLVMContextRef, const char *, unsigned, const char *, unsigned))                            \
  X(LLVMValueRef, GetNamedGlobal, (LLVMModuleRef, const char *))                                   \
  X(LLVMMetadataRef, ValueAsMetadata, (LLVMValueRef))                                              \
  X(LLVMMetadataRef, MDStringInContext2, (LLVMContextRef, const char *, size_t))                   \
  X(LLVMMetadataRef, MDNodeInContext2, (LLVMContextRef, LLVMMetadataRef *, size_t))                \
  X(LLVMValueRef, MetadataAsValue, (LLVMContextRef, LLVMMetadataRef))                              \
  X(void, AddNamedMetadataOperand, (LLVMModuleRef, const char *, LLVMValueRef))                    \
  X(unsigned, GetAttributeCountAtIndex, (LLVMValueRef, unsigned))                                  \
  X(void, GetAttributesAtIndex, (LLVMValueRef, unsigned, LLVMAttributeRef *))                      \
  X(void, AddAttributeAtIndex, (LLVMValueRef, unsigned, LLVMAttributeRef))                         \
  X(void, RemoveEnumAttributeAtIndex, (LLVMValueRef, unsigned, unsigned))                          \
  X(void, RemoveCallSiteEnumAttribute, (LLVMValueRef, unsigned, unsigned))                         \
  X(void, RemoveStringAttributeAtIndex, (LLVMValueRef, unsigned, const char *, unsigned))          \
  X(void, AddCallSiteAttribute, (LLVMValueRef, unsigned, LLVMAttributeRef))                        \
  X(LLVMBuilderRef, CreateBuilderInContext, (LLVMContextRef))                                      \
  X(void, DisposeBuilder, (LLVMBuilderRef))                                                        \
  X(LLVMBasicBlockRef, AppendBasicBlockInContext, (LLVMContextRef, LLVMValueRef, const char *))    \
  X(void, PositionBuilderAtEnd, (LLVMBuilderRef, LLVMBasicBlockRef))                               \
  X(void, PositionBuilderBefore, (LLVMBuilderRef, LLVMValueRef))                                   \
  X(LLVMValueRef, BuildCall2,                                                                      \
      (LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *))         \
  X(LLVMValueRef, BuildRetVoid, (LLVMBuilderRef))                                                  \
  X(LLVMValueRef, BuildAlloca, (LLVMBuilderRef, LLVMTypeRef, const char *))                        \
  X(LLVMValueRef, BuildLoad2, (LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, const char *))           \
  X(LLVMValueRef, BuildStore, (LLVMBuilderRef, LLVMValueRef, LLVMValueRef))                        \
  X(LLVMValueRef, BuildGEP2,                                                                       \
      (LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *))         \
  X(LLVMValueRef, BuildStructGEP2,                                                                 \
      (LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, unsigned, const char *))                         \
  X(LLVMValueRef, BuildExtractElement, (LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *)) \
  X(LLVMValueRef, BuildZExt, (LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *))            \
  X(LLVMValueRef, BuildFPExt, (LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *))           \
  X(LLVMValueRef, BuildAddrSpaceCast, (LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *))   \
  X(LLVMErrorRef, RunPasses,                                                                       \
      (LLVMModuleRef, const char *, LLVMTargetMachineRef, LLVMPassBuilderOptionsRef))              \
  X(LLVMPassBuilderOptionsRef, CreatePassBuilderOptions, (void))                                   \
  X(void, DisposePassBuilderOptions, (LLVMPassBuilderOptionsRef))                                  \
  X(void, InitializeNVPTXTargetInfo, (void))                                                       \
  X(void, InitializeNVPTXTarget, (void))                                                           \
  X(void, InitializeNVPTXTargetMC, (void))                                                         \
  X(void, InitializeNVPTXAsmPrinter, (void))                                                       \
  X(LLVMBool, GetTargetFromTriple, (const char *, LLVMTargetRef *, char **))                       \
  X(LLVMTargetMachineRef, CreateTargetMachine,                                                     \
      (LLVMTargetRef, const char *, const char *, const char *, int, int, int))                    \
  X(void, DisposeTargetMachine, (LLVMTargetMachineRef))                                            \
  X(LLVMTargetDataRef, CreateTargetDataLayout, (LLVMTargetMachineRef))                             \
  X(char *, CopyStringRepOfTargetData, (LLVMTargetDataRef))                                        \
  X(void, DisposeTargetData, (LLVMTargetDataRef))                                                  \
  X(LLVMBool, TargetMachineEmitToMemoryBuffer,                                                     \
      (LLVMTargetMachineRef, LLVMModuleRef, int, char **, LLVMMemoryBufferRef *))

/* One version of LLVM, with what of its packages the road from SPIR-V to PTX needs. */
struct zecl_llvm {
  int version;          /* 15 */
  unsigned capability;  /* the newest that its back end has: 86 */
  unsigned ptx;         /* the newest version of PTX: 75 */
  char translator[256]; /* llvm-spirv */
  char builtins[256];   /* libclc's bitcode */
#define ZECL_LLVM_MEMBER(result, name, parameters) result(*name) parameters;
  ZECL_LLVM_FUNCTIONS(ZECL_LLVM_MEMBER)
#undef ZECL_LLVM_MEMBER
  void (*ContextSetOpaquePointers)(LLVMContextRef, LLVMBool); /* null from LLVM 17 */
};

/* The packages beside LLVM of the n-th version, newest first, which `parts` becomes, and no function:
 * LLVM is neither loaded nor looked for. Null from the last one on; where not all are installed
 * `parts->version` is 0. */
const struct zecl_llvm *zecl_llvm_parts(size_t n, struct zecl_llvm *parts);

/* The newest version whose parts are all installed, loaded by the first call; ZECL_LLVM=version
 * takes that one only. Null: the log has what to install. */
const struct zecl_llvm *zecl_llvm(struct zecl_text *log);

#endif
