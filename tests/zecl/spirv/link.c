#include "spirv/link.h"

#include "core/tool.h"
#include "spirv/builtin.h"
#include "spirv/unify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The linker takes modules of one version only. A newer version has all that an older one has. */
static bool write_as(
    const char *path, const struct zecl_spirv *module, uint32_t version, struct zecl_text *log) {
  size_t count;
  uint32_t *words = zecl_spirv_unified(module, &count);
  if (!words) return false;
  words[1] = version;
  const bool good = zecl_tool_write(path, words, count * sizeof *words, log);
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

/* The caller reads the linked words; here they must only form a module. */
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
