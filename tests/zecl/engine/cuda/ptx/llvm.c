#include "engine/cuda/ptx/llvm.h"

#include "core/tool.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The newest target of each version's back end. LLVM 14 is not among them: its modules have typed
 * pointers, which neither the library of built-in functions nor the changes to modules have. */
static const struct newest {
  int version;
  unsigned capability, ptx;
} newest[] = {{19, 90, 85}, {18, 90, 83}, {17, 90, 81}, {16, 90, 78}, {15, 86, 75}};

static struct zecl_llvm found;
static struct zecl_text lacking;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool find_functions(struct zecl_llvm *llvm, void *library) {
  void *at;
#define FIND(result, name, parameters)                                                             \
  if (!(at = dlsym(library, "LLVM" #name))) {                                                      \
    zecl_text_add(&lacking, "LLVM %d has no LLVM" #name "\n", llvm->version);                      \
    return false;                                                                                  \
  }                                                                                                \
  memcpy(&llvm->name, &at, sizeof at);
  ZECL_LLVM_FUNCTIONS(FIND)
#undef FIND
  at = dlsym(library, "LLVMContextSetOpaquePointers");
  memcpy(&llvm->ContextSetOpaquePointers, &at, sizeof at);
  return true;
}

static void *open_library(int version) {
  char name[32];
  snprintf(name, sizeof name, "libLLVM-%d.so.1", version);
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library) return library;
  snprintf(name, sizeof name, "libLLVM.so.%d.1", version);
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

/* Bitcode of an older LLVM is read by a newer one. */
static bool find_translator(struct zecl_llvm *llvm) {
  const char *chosen = secure_getenv("ZECL_LLVM_SPIRV");
  if (chosen && *chosen) return zecl_tool_find(chosen, llvm->translator, sizeof llvm->translator);
  for (int version = llvm->version; version >= 15; version--) {
    char name[32];
    snprintf(name, sizeof name, "llvm-spirv-%d", version);
    if (zecl_tool_find(name, llvm->translator, sizeof llvm->translator)) return true;
  }
  return false;
}

static bool find_builtins(struct zecl_llvm *llvm) {
  static const char *const folders[] = {"/usr/lib/clc", "/usr/share/clc", "/usr/local/share/clc"};
  const char *chosen = secure_getenv("ZECL_LIBCLC");
  if (chosen && *chosen) {
    snprintf(llvm->builtins, sizeof llvm->builtins, "%s", chosen);
    return access(llvm->builtins, R_OK) == 0;
  }
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    snprintf(llvm->builtins, sizeof llvm->builtins, "%s/nvptx64--nvidiacl.bc", folders[i]);
    if (access(llvm->builtins, R_OK) == 0) return true;
  }
  return false;
}

static bool take(const struct newest *from) {
  struct zecl_llvm llvm = {
      .version = from->version, .capability = from->capability, .ptx = from->ptx};
  void *library = open_library(llvm.version);
  if (!library) return false;
  if (!find_functions(&llvm, library)) return false;
  if (!find_translator(&llvm)) {
    zecl_text_add(&lacking, "LLVM %d is there, and no llvm-spirv that it can read the output of\n",
        llvm.version);
    return false;
  }
  if (!find_builtins(&llvm)) {
    zecl_text_add(
        &lacking, "LLVM %d is there, and no libclc (nvptx64--nvidiacl.bc)\n", llvm.version);
    return false;
  }
  llvm.InitializeNVPTXTargetInfo();
  llvm.InitializeNVPTXTarget();
  llvm.InitializeNVPTXTargetMC();
  llvm.InitializeNVPTXAsmPrinter();
  found = llvm;
  return true;
}

static bool is_chosen(const struct newest *version) {
  const char *chosen = secure_getenv("ZECL_LLVM");
  return !chosen || !*chosen || atoi(chosen) == version->version;
}

const struct zecl_llvm *zecl_llvm_parts(size_t n, struct zecl_llvm *parts) {
  if (n >= sizeof newest / sizeof *newest) return NULL;
  *parts = (struct zecl_llvm){.version = newest[n].version};
  if (!is_chosen(&newest[n]) || !find_translator(parts) || !find_builtins(parts))
    parts->version = 0;
  return parts;
}

static void find(void) {
  for (size_t i = 0; i < sizeof newest / sizeof *newest; i++)
    if (is_chosen(&newest[i]) && take(&newest[i])) return;
  zecl_text_add(&lacking,
      "SPIR-V for CUDA needs LLVM, llvm-spirv and libclc of one version, %d to "
      "%d: install llvm-spirv-15 and libclc-15\n",
      newest[sizeof newest / sizeof *newest - 1].version, newest[0].version);
}

const struct zecl_llvm *zecl_llvm(struct zecl_text *log) {
  pthread_once(&once, find);
  if (!found.version) zecl_text_add(log, "%s", lacking.data ? lacking.data : "");
  return found.version ? &found : NULL;
}
