#include "engine/opencl/translate.h"

#include "core/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LLVM_OLDEST = 8, LLVM_NEWEST = 40 };

int zecl_translate_llvm(const char *platform_version) {
  const char *llvm = strstr(platform_version, "LLVM ");
  return llvm ? atoi(llvm + 5) : 0;
}

static bool find_numbered(int number, char *path, size_t size) {
  char name[32];
  snprintf(name, sizeof name, "llvm-spirv-%d", number);
  return zecl_tool_find(name, path, size);
}

/* The translator of the platform's own LLVM writes what that LLVM reads; any other is a guess. */
static bool find_translator(int llvm, char *path, size_t size, struct zecl_text *log) {
  const char *chosen = secure_getenv("ZECL_LLVM_SPIRV");
  if (chosen && *chosen) {
    if (zecl_tool_find(chosen, path, size)) return true;
    zecl_text_add(log, "ZECL_LLVM_SPIRV=%s: no such program\n", chosen);
    return false;
  }
  if (llvm && find_numbered(llvm, path, size)) return true;
  for (int number = LLVM_NEWEST; number >= LLVM_OLDEST; number--)
    if (find_numbered(number, path, size)) return true;
  if (zecl_tool_find("llvm-spirv", path, size)) return true;
  zecl_text_add(log, "this OpenCL platform takes no SPIR-V and no translator is found: install ");
  if (llvm)
    zecl_text_add(log, "llvm-spirv-%d", llvm);
  else
    zecl_text_add(log, "llvm-spirv of the platform's LLVM");
  zecl_text_add(log, ", or name one in ZECL_LLVM_SPIRV\n");
  return false;
}

static bool translate_in(const struct zecl_tool_folder *folder, const uint32_t *words,
    size_t word_count, char *translator, struct zecl_text *bitcode, struct zecl_text *log) {
  char in[300], out[300];
  zecl_tool_folder_file(folder, "module.spv", in, sizeof in);
  zecl_tool_folder_file(folder, "module.bc", out, sizeof out);
  char *argv[] = {translator, (char[]){"-r"}, (char[]){"--spirv-target-env=CL1.2"}, in,
      (char[]){"-o"}, out, NULL};
  return zecl_tool_write(in, words, word_count * sizeof *words, log) && zecl_tool_run(argv, log) &&
         zecl_tool_read(out, bitcode, log);
}

bool zecl_translate(const uint32_t *words, size_t word_count, const char *platform_version,
    struct zecl_text *bitcode, struct zecl_text *log) {
  char translator[300];
  struct zecl_tool_folder folder;
  if (!find_translator(zecl_translate_llvm(platform_version), translator, sizeof translator, log) ||
      !zecl_tool_folder_make(&folder, log))
    return false;
  bool good = translate_in(&folder, words, word_count, translator, bitcode, log);
  zecl_tool_folder_remove(&folder);
  return good;
}
