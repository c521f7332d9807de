#include "engine/cuda/ptx/translate.h"

#include "core/tool.h"
#include "engine/cuda/ptx/spaces.h"
#include "spirv/cooperate.h"

#include <stdlib.h>

static bool run(const struct zecl_tool_folder *folder, const char *translator, const void *words,
    size_t size, struct zecl_text *bitcode, struct zecl_text *log) {
  char in[300], out[300];
  zecl_tool_folder_file(folder, "module.spv", in, sizeof in);
  zecl_tool_folder_file(folder, "module.bc", out, sizeof out);
  char *argv[] = {(char *)(uintptr_t)translator, (char[]){"-r"}, (char[]){"--spirv-ext=+all"},
      (char[]){"--spirv-target-env=CL2.0"}, in, (char[]){"-o"}, out, NULL};
  return zecl_tool_write(in, words, size, log) && zecl_tool_run(argv, log) &&
         zecl_tool_read(out, bitcode, log);
}

/* The words as the translator takes them: it would make a barrier among all groups one of a
 * sub-group. */
static uint32_t *words_of(const struct zecl_spirv *spirv, size_t *count) {
  uint32_t *words = zecl_spirv_plain_words(spirv, false, count);
  if (!words || !zecl_spirv_has_wide_barriers(spirv)) return words;
  uint32_t *calls = zecl_spirv_wide_calls(spirv, words, *count, count);
  free(words);
  return calls;
}

static bool to_bitcode(struct zecl_lowering *lowering, struct zecl_text *bitcode) {
  struct zecl_tool_folder folder;
  size_t count;
  uint32_t *words = words_of(lowering->spirv, &count);
  if (!words) return false;
  bool good = zecl_tool_folder_make(&folder, lowering->log);
  if (good) {
    good = run(
        &folder, lowering->llvm->translator, words, count * sizeof *words, bitcode, lowering->log);
    zecl_tool_folder_remove(&folder);
  }
  free(words);
  return good;
}

static bool parse(
    struct zecl_lowering *lowering, const struct zecl_text *bytes, LLVMModuleRef *module) {
  const struct zecl_llvm *llvm = lowering->llvm;
  char *message = NULL;
  LLVMMemoryBufferRef buffer =
      llvm->CreateMemoryBufferWithMemoryRangeCopy(bytes->data, bytes->length, "module");
  if (!llvm->ParseIRInContext(lowering->context, buffer, module, &message)) return true;
  zecl_text_add(lowering->log, "LLVM %d cannot read the module: %s\n", llvm->version, message);
  llvm->DisposeMessage(message);
  return false;
}

bool zecl_ptx_translate(struct zecl_lowering *lowering) {
  const struct zecl_llvm *llvm = lowering->llvm;
  struct zecl_text bitcode = {0}, text = {0};
  LLVMModuleRef module;
  bool good = to_bitcode(lowering, &bitcode) && parse(lowering, &bitcode, &module);
  if (good) {
    char *printed = llvm->PrintModuleToString(module);
    zecl_ptx_spaces(printed, &text);
    llvm->DisposeMessage(printed);
    llvm->DisposeModule(module);
    good = text.data && parse(lowering, &text, &lowering->module);
  }
  zecl_text_free(&bitcode);
  zecl_text_free(&text);
  return good;
}
