; What OpenCL C cannot name: local memory outside a kernel, the lanes that are active, and the casts
; of generic pointers that SPIR-V has, which are null where the memory is another.
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-unknown-nvidiacl"

@zecl_scratch.words = linkonce_odr addrspace(3) global [33 x i64] undef, align 8

define linkonce_odr ptr addrspace(3) @zecl_scratch() {
  ret ptr addrspace(3) @zecl_scratch.words
}

define linkonce_odr i32 @zecl_active() convergent {
  %lanes = call i32 asm sideeffect "activemask.b32 $0;", "=r"() convergent
  ret i32 %lanes
}

declare i1 @llvm.nvvm.isspacep.global(ptr)
declare i1 @llvm.nvvm.isspacep.shared(ptr)

define ptr addrspace(1) @__to_global(ptr %at) alwaysinline {
  %is = call i1 @llvm.nvvm.isspacep.global(ptr %at)
  %there = addrspacecast ptr %at to ptr addrspace(1)
  %r = select i1 %is, ptr addrspace(1) %there, ptr addrspace(1) null
  ret ptr addrspace(1) %r
}

define ptr addrspace(3) @__to_local(ptr %at) alwaysinline {
  %is = call i1 @llvm.nvvm.isspacep.shared(ptr %at)
  %there = addrspacecast ptr %at to ptr addrspace(3)
  %r = select i1 %is, ptr addrspace(3) %there, ptr addrspace(3) null
  ret ptr addrspace(3) %r
}

define ptr @__to_private(ptr %at) alwaysinline {
  %is.global = call i1 @llvm.nvvm.isspacep.global(ptr %at)
  %is.local = call i1 @llvm.nvvm.isspacep.shared(ptr %at)
  %is = or i1 %is.global, %is.local
  %r = select i1 %is, ptr null, ptr %at
  ret ptr %r
}
