; What OpenCL C cannot name: local memory outside a kernel, and the lanes that are active.
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
