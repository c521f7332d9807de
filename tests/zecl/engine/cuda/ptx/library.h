/* The bitcode of library/, which is linked into modules. */
#ifndef ZECL_ENGINE_CUDA_PTX_LIBRARY_H
#define ZECL_ENGINE_CUDA_PTX_LIBRARY_H

extern const char zecl_ptx_library[] __attribute__((visibility("hidden")));
extern const char zecl_ptx_library_end[] __attribute__((visibility("hidden")));

#endif
