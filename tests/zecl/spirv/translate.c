#include "spirv/translate.h"

#include "core/tool.h"
#include "spirv/builtin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LLVM_OLDEST = 8, LLVM_NEWEST = 40 };

static int llvm_of(const char *platform_version) {
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
  const char *chosen = getenv("ZECL_LLVM_SPIRV");
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
  if (!find_translator(llvm_of(platform_version), translator, sizeof translator, log) ||
      !zecl_tool_folder_make(&folder, log))
    return false;
  bool good = translate_in(&folder, words, word_count, translator, bitcode, log);
  zecl_tool_folder_remove(&folder);
  return good;
}

/* The linker takes modules of one version only. A newer version has all that an older one has. */
static bool write_as(
    const char *path, const struct zecl_spirv *module, uint32_t version, struct zecl_text *log) {
  const size_t size = module->word_count * sizeof *module->words;
  uint32_t *words = malloc(size);
  if (!words) return false;
  memcpy(words, module->words, size);
  words[1] = version;
  const bool good = zecl_tool_write(path, words, size, log);
  free(words);
  return good;
}

static bool link_in(const struct zecl_tool_folder *folder, char *linker,
    const struct zecl_spirv *const *modules, uint32_t count, struct zecl_text *out,
    struct zecl_text *log) {
  char(*paths)[300] = calloc(count + 1, sizeof *paths);
  char **argv = calloc(count + 7, sizeof *argv);
  bool good = paths && argv;
  uint32_t newest = 0;
  for (uint32_t i = 0; i < count; i++)
    if (modules[i]->words[1] > newest) newest = modules[i]->words[1];
  for (uint32_t i = 0; good && i < count; i++) {
    char name[32];
    snprintf(name, sizeof name, "%u.spv", i);
    zecl_tool_folder_file(folder, name, paths[i], sizeof paths[i]);
    good = write_as(paths[i], modules[i], newest, log);
    argv[i + 5] = paths[i];
  }
  if (good) {
    zecl_tool_folder_file(folder, "linked.spv", paths[count], sizeof paths[count]);
    argv[0] = linker;
    argv[1] = (char[]){"--allow-partial-linkage"};
    argv[2] = (char[]){"--create-library"}; /* which keeps the names of what is exported */
    argv[3] = (char[]){"-o"};
    argv[4] = paths[count];
    good = zecl_tool_run(argv, log) && zecl_tool_read(paths[count], out, log);
  }
  free(paths);
  free(argv);
  return good;
}

/* What the linker wrote is read anew by whoever asked for it: here it must only be no junk. */
static bool merge_builtins(struct zecl_text *out, struct zecl_text *log) {
  struct zecl_spirv linked;
  if (!zecl_spirv_read(&linked, out->data, out->length, log)) return false;
  zecl_spirv_free(&linked);
  size_t count = out->length / sizeof(uint32_t);
  if (!zecl_spirv_merge_builtins((uint32_t *)(void *)out->data, &count)) return false;
  out->length = count * sizeof(uint32_t);
  return true;
}

bool zecl_spirv_link(const struct zecl_spirv *const *modules, uint32_t count, struct zecl_text *out,
    struct zecl_text *log) {
  char linker[300];
  struct zecl_tool_folder folder;
  if (!zecl_tool_find("spirv-link", linker, sizeof linker)) {
    zecl_text_add(log, "modules of SPIR-V are linked by spirv-link: install spirv-tools\n");
    return false;
  }
  if (!zecl_tool_folder_make(&folder, log)) return false;
  bool good = link_in(&folder, linker, modules, count, out, log);
  zecl_tool_folder_remove(&folder);
  return good && merge_builtins(out, log);
}
